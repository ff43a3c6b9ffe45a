//! A tile of the picture, from the nearest thing in every sample to the finished pixels.

use glam::{Mat3, Vec2, Vec3};

use crate::colour::to_bytes;
use crate::drawing::{Drawing, Solid};
use crate::light::{Light, Received};
use crate::raster::{middles, triangle};
use crate::screen::{Facet, Screen, SeenBall, SeenDrawing, TILE};

/// Light of the sun and of the sky when nothing stands in the way.
const SUN: Vec3 = Vec3::new(1.42, 1.33, 1.18);
const SKY: Vec3 = Vec3::new(0.80, 0.86, 0.95);

/// Albedo of the ground.
const GROUND: Vec3 = Vec3::splat(0.62);

/// Share of the light that bodies reflect onto each other's shaded sides.
const BOUNCE: f32 = 0.25;

/// The nearest thing in a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hit {
    Nothing,
    Ground,
    Ball(u32),
    Facet(u32),
}

/// Buffers for one tile, reused from tile to tile.
pub(crate) struct Tile {
    depth: Vec<f32>,
    hit: Vec<Hit>,
    /// Normal and colour in every sample; in the end its light.
    normal: Vec<Vec3>,
    light: Vec<Vec3>,
    /// Points whose light is computed, with their normals: one for each thing in each pixel.
    points: Vec<(Vec3, Vec3)>,
    received: Vec<Received>,
    /// The point that stands for each sample.
    point_of: Vec<u32>,
}

/// Data shared by all tiles of a picture.
pub(crate) struct RenderPass<'a> {
    pub(crate) screen: Screen,
    pub(crate) drawing: &'a Drawing<'a>,
    pub(crate) seen: &'a SeenDrawing,
    pub(crate) light: &'a Light,
    /// Samples along the side of a pixel.
    pub(crate) samples: usize,
    /// The floor is seen up to this far from this point, then it fades into the background.
    pub(crate) middle: Vec3,
    pub(crate) reach: f32,
}

impl Tile {
    pub(crate) fn new() -> Self {
        Self {
            depth: vec![0.0; TILE * TILE],
            hit: vec![Hit::Nothing; TILE * TILE],
            normal: vec![Vec3::Z; TILE * TILE],
            light: vec![Vec3::ZERO; TILE * TILE],
            points: Vec::new(),
            received: Vec::new(),
            point_of: vec![0; TILE * TILE],
        }
    }

    /// Draws tile `number` into the pixels of its row of tiles.
    pub(crate) fn draw(&mut self, pass: &RenderPass<'_>, number: usize, pixels: &mut [[u8; 3]]) {
        let columns = pass.screen.width.div_ceil(TILE);
        let corner = [number % columns * TILE, number / columns * TILE];
        self.depth.fill(f32::INFINITY);
        self.hit.fill(Hit::Nothing);
        self.draw_ground(pass, corner);
        for (k, ball) in pass.seen.balls.of(number) {
            self.draw_ball(pass, corner, ball, Hit::Ball(k));
        }
        for (k, facet) in pass.seen.facets.of(number) {
            visit(facet, corner, |sample, depth| {
                if depth < self.depth[sample] {
                    (self.depth[sample], self.hit[sample]) = (depth, Hit::Facet(k));
                }
            });
        }
        self.shade(pass, corner);
        for (_, facet) in pass.seen.glass.of(number) {
            self.blend(pass, corner, facet);
        }
        self.develop(pass, corner, pixels);
    }

    fn draw_ground(&mut self, pass: &RenderPass<'_>, corner: [usize; 2]) {
        let Some((height, _)) = pass.drawing.ground else { return };
        let above = height - pass.screen.eye.z;
        for (sample, (depth, hit)) in self.depth.iter_mut().zip(&mut self.hit).enumerate() {
            let slope = pass.screen.direction(slopes(pass, corner, sample)).z;
            // From below, the floor is not drawn: the camera looks through it at the heap.
            if above < 0.0 && slope < 0.0 {
                (*depth, *hit) = (above / slope, Hit::Ground);
            }
        }
    }

    /// A ray from the camera meets the plane of the centre at distance m from it, and the sphere
    /// where |m + s d| = r for the smaller s. All numbers are of the size of the ball, which keeps
    /// single precision exact enough.
    fn draw_ball(&mut self, pass: &RenderPass<'_>, corner: [usize; 2], ball: &SeenBall, hit: Hit) {
        let r2 = ball.radius * ball.radius;
        let [columns, rows] = pass.screen.samples_of(ball, corner);
        // In a heap most balls are wholly behind others.
        let nearest = ball.at.z - ball.radius;
        let row = |y: usize| &self.depth[y * TILE + columns.start..][..columns.len()];
        if rows.clone().all(|y| row(y).iter().all(|&depth| depth < nearest)) {
            return;
        }
        for y in rows {
            for x in columns.clone() {
                let slopes = pass.screen.slopes(corner[0] + x, corner[1] + y);
                let m = slopes * ball.at.z - ball.at.truncate();
                let (a, b) = (slopes.length_squared() + 1.0, m.dot(slopes));
                let discriminant = b * b - a * (m.length_squared() - r2);
                if discriminant < 0.0 {
                    continue;
                }
                let depth = ball.at.z - (b + discriminant.sqrt()) / a;
                let sample = y * TILE + x;
                if depth < self.depth[sample] && depth > pass.screen.near {
                    (self.depth[sample], self.hit[sample]) = (depth, hit);
                }
            }
        }
    }

    /// Finds normal and colour in every sample, the light that falls there, and the part of it that
    /// is reflected to the eye.
    fn shade(&mut self, pass: &RenderPass<'_>, corner: [usize; 2]) {
        for sample in 0..TILE * TILE {
            (self.normal[sample], self.light[sample]) = self.surface(pass, corner, sample);
        }
        self.choose_points(pass, corner);
        self.received.clear();
        self.received.resize(self.points.len(), Received::default());
        pass.light.receive(&self.points, &mut self.received);

        let background = background();
        for sample in (0..TILE * TILE).filter(|&sample| self.hit[sample] != Hit::Nothing) {
            let (normal, colour) = (self.normal[sample], self.light[sample]);
            let received = self.received[self.point_of[sample] as usize];
            let point = self.point(pass, corner, sample);
            self.light[sample] = if self.hit[sample] == Hit::Ground {
                // Far away the floor becomes the background, so that there is no horizon.
                let away = (point - pass.middle).truncate().length() / pass.reach;
                (colour * falling(normal, received)).lerp(background, smooth(away - 1.0))
            } else {
                let shine = shine(normal, (pass.screen.eye - point).normalize_or(normal));
                colour * falling(normal, received) + SUN * received.sun * shine
            };
        }
    }

    fn point(&self, pass: &RenderPass<'_>, corner: [usize; 2], sample: usize) -> Vec3 {
        pass.screen.eye + pass.screen.direction(slopes(pass, corner, sample)) * self.depth[sample]
    }

    /// Normal and colour of the thing in a sample.
    fn surface(&self, pass: &RenderPass<'_>, corner: [usize; 2], sample: usize) -> (Vec3, Vec3) {
        match self.hit[sample] {
            Hit::Nothing => (Vec3::Z, background()),
            Hit::Ground => (Vec3::Z, pass.drawing.ground.and_then(|(_, colour)| colour).unwrap_or(GROUND)),
            Hit::Ball(k) => {
                let ball = pass.seen.balls.thing(k);
                let [right, up, forward] = pass.screen.axes;
                let centre = pass.screen.eye + right * ball.at.x + up * ball.at.y + forward * ball.at.z;
                let normal = (self.point(pass, corner, sample) - centre) / ball.radius;
                (normal, pass.drawing.colours[ball.colour as usize])
            }
            Hit::Facet(k) => {
                let facet = pass.seen.facets.thing(k);
                let solid = &pass.drawing.solids[facet.solid as usize];
                let (normal, face) = normal_at(pass.drawing, solid, facet, self.point(pass, corner, sample));
                // A mesh is seen from both sides. The face decides: near its outline a smooth
                // normal may turn away too early.
                let away = face.dot(pass.screen.direction(slopes(pass, corner, sample))) > 0.0;
                (if away { -normal } else { normal }, pass.drawing.colours[solid.colour as usize])
            }
        }
    }

    /// Samples of a pixel that show the same thing share a point, their mean: light changes little
    /// across a pixel, and computing it is most of the work.
    fn choose_points(&mut self, pass: &RenderPass<'_>, corner: [usize; 2]) {
        self.points.clear();
        let n = pass.samples;
        for pixel in 0..(TILE / n) * (TILE / n) {
            let first = (pixel / (TILE / n) * TILE + pixel % (TILE / n)) * n;
            let samples = move || (0..n * n).map(move |k| first + k / n * TILE + k % n);
            for sample in samples().filter(|&sample| self.hit[sample] != Hit::Nothing) {
                let same =
                    samples().take_while(|&other| other < sample).find(|&other| self.hit[other] == self.hit[sample]);
                let here = (self.point(pass, corner, sample), self.normal[sample]);
                match same {
                    Some(other) => self.point_of[sample] = self.point_of[other],
                    None => {
                        self.point_of[sample] = self.points.len() as u32;
                        let like = samples().filter(|&other| self.hit[other] == self.hit[sample] && other > sample);
                        let (sum, count) = like.fold((here, 1.0), |((point, normal), count), other| {
                            ((point + self.point(pass, corner, other), normal + self.normal[other]), count + 1.0)
                        });
                        self.points.push((sum.0 / count, sum.1.normalize_or(here.1)));
                    }
                }
            }
        }
    }

    /// Blends a translucent triangle over the things behind it.
    fn blend(&mut self, pass: &RenderPass<'_>, corner: [usize; 2], facet: &Facet) {
        let solid = &pass.drawing.glass[facet.solid as usize];
        let colour = pass.drawing.colours[solid.colour as usize];
        visit(facet, corner, |sample, depth| {
            if depth < self.depth[sample] {
                let direction = pass.screen.direction(slopes(pass, corner, sample));
                let (normal, _) = normal_at(pass.drawing, solid, facet, pass.screen.eye + direction * depth);
                // Edge-on there is more of it to look through.
                let facing = normal.dot(direction.normalize()).abs();
                let opacity = (solid.opacity * (1.0 + 1.2 * (1.0 - facing).powi(2))).min(1.0);
                let open = Received { sun: 0.4, sky: 1.0 };
                self.light[sample] = self.light[sample].lerp(colour * falling(Vec3::Z, open), opacity);
            }
        });
    }

    /// Turns light into pixels: film curve, mean over the samples of a pixel, sRGB.
    fn develop(&self, pass: &RenderPass<'_>, corner: [usize; 2], pixels: &mut [[u8; 3]]) {
        let n = pass.samples;
        let first = corner[0] / n;
        let pixel = |x: usize, y: usize| {
            // Each sample goes through the curve before the mean, or a bright edge would never look
            // smooth.
            let samples = (0..n * n).map(|k| film(self.light[(y * n + k / n) * TILE + x * n + k % n]));
            to_bytes(samples.sum::<Vec3>() / (n * n) as f32)
        };
        for (y, row) in pixels.chunks_exact_mut(pass.screen.width / n).enumerate() {
            for (x, place) in row[first..].iter_mut().take(TILE / n).enumerate() {
                *place = pixel(x, y);
            }
        }
    }
}

fn slopes(pass: &RenderPass<'_>, corner: [usize; 2], sample: usize) -> Vec2 {
    pass.screen.slopes(corner[0] + sample % TILE, corner[1] + sample / TILE)
}

/// Visits the samples of a tile that a triangle covers, with the depth there: one over depth is
/// linear on the screen.
fn visit(facet: &Facet, corner: [usize; 2], mut see: impl FnMut(usize, f32)) {
    let shift = Vec3::new(corner[0] as f32, corner[1] as f32, 0.0);
    triangle(facet.corners.map(|corner| corner - shift), TILE, |x, y, nearness| see(y * TILE + x, 1.0 / nearness));
}

/// The normal of a solid at a point of one of its triangles, and one along the normal of the
/// triangle itself.
fn normal_at(drawing: &Drawing<'_>, solid: &Solid, facet: &Facet, point: Vec3) -> (Vec3, Vec3) {
    let mesh = &drawing.meshes[solid.mesh as usize];
    let [a, b, c] = mesh.triangles[facet.triangle as usize].map(|v| solid.turn * mesh.vertices[v as usize]);
    let (ab, ac, ap) = (b - a, c - a, point - solid.position - a);
    let face = ab.cross(ac);
    let area = face.length_squared().max(f32::MIN_POSITIVE);
    let (v, w) = (ap.cross(ac).dot(face) / area, ab.cross(ap).dot(face) / area);
    let [na, nb, nc] = mesh.normals[facet.triangle as usize];
    let normal = na * (1.0 - v - w) + nb * v + nc * w;
    // Normals transform by the inverse transpose: here the columns of a rotation times a scale for
    // each axis, divided by the squares of their lengths.
    let columns = [solid.turn.x_axis, solid.turn.y_axis, solid.turn.z_axis];
    let [x, y, z] = columns.map(|column| column / column.length_squared().max(f32::MIN_POSITIVE));
    ((Mat3::from_cols(x, y, z) * normal).normalize_or(face.normalize_or(Vec3::Z)), face)
}

/// The light that falls on a surface: from sun and sky, and reflected from the ground and other
/// bodies.
fn falling(normal: Vec3, received: Received) -> Vec3 {
    let from_ground = GROUND * (SUN * 0.7 + SKY) * (0.5 - 0.5 * normal.z) * BOUNCE * (0.3 + 0.7 * received.sky);
    SUN * received.sun + SKY * (received.sky + BOUNCE * 0.25 * (1.0 - received.sky)) + from_ground
}

/// The background: the colour of the open floor, far away.
fn background() -> Vec3 {
    GROUND * falling(Vec3::Z, Received { sun: Light::sun_direction().z, sky: 1.0 })
}

/// Specular reflection of the sun to the eye (Blinn–Phong).
fn shine(normal: Vec3, to_eye: Vec3) -> f32 {
    let half = (to_eye + Light::sun_direction()).normalize_or(normal);
    0.12 * normal.dot(half).max(0.0).powi(40)
}

/// Smoothstep: from 0 to 1 without a kink as `x` goes from 0 to 1.
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// The response of film: a toe, a straight part, a shoulder (Narkowicz' fit to the curve of the
/// Academy Color Encoding System).
fn film(light: Vec3) -> Vec3 {
    let x = 0.56 * light;
    (x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)).clamp(Vec3::ZERO, Vec3::ONE)
}

impl Screen {
    /// The columns and rows of a tile that a ball can cover.
    fn samples_of(&self, ball: &SeenBall, corner: [usize; 2]) -> [std::ops::Range<usize>; 2] {
        let bounds = self.bounds_of_ball(ball);
        let within = |low: f32, high: f32, corner: usize| middles(low - corner as f32, high - corner as f32, TILE);
        [within(bounds[0], bounds[2], corner[0]), within(bounds[1], bounds[3], corner[1])]
    }
}
