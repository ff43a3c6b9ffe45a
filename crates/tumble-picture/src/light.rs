//! Light from many directions, with a shadow map for each: the irradiance of a point is the sum
//! over the directions from which nothing occludes it.
//!
//! The sun is a small disc of directions, which gives soft shadows. The sky is a hemisphere of
//! directions, which gives ambient occlusion: shade in gaps and under bodies, where contacts become
//! visible. Both are the direct light of an overcast or a sunny day and converge to its closed form
//! as the numbers of directions and texels grow. There is no noise: all points share the
//! directions, and a movie does not flicker.

use std::f32::consts::{PI, TAU};
use std::ops::Range;

use glam::{Mat3, Vec3};
use rayon::prelude::*;

use crate::camera::corners;
use crate::cluster::BallCluster;
use crate::drawing::{Drawing, Solid};
use crate::raster::{middles, triangle};

/// Direction to the middle of the sun, not normalised.
const SUN: Vec3 = Vec3::new(-0.62, -0.48, 0.92);

/// Angular radius of the sun \[rad\]: ten times the real one, for shadows as soft as a studio
/// lamp's.
const SUN_RADIUS: f32 = 0.05;

/// Numbers of light directions, and resolution of their depth maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LightSampling {
    /// Directions of the sky and of the sun.
    pub(crate) sky: u32,
    pub(crate) sun: u32,
    /// Texels along the side of a depth map of the sky and of the sun.
    pub(crate) sky_map: usize,
    pub(crate) sun_map: usize,
}

/// Irradiance of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Received {
    /// From the sun: 1 when it shines straight on the surface.
    pub(crate) sun: f32,
    /// From the sky: 1 on a level surface with nothing above.
    pub(crate) sky: f32,
}

/// One direction of light.
#[derive(Debug)]
struct Ray {
    /// Share of the light of sun or sky that comes from it.
    weight: f32,
    map: DepthMap,
}

/// All light of a picture.
#[derive(Debug)]
pub(crate) struct Light {
    sun: Vec<Ray>,
    sky: Vec<Ray>,
}

impl Light {
    /// Makes the depth maps of a drawing; only things between the corners `low` and `high` cast
    /// shadows.
    pub(crate) fn new(drawing: &Drawing<'_>, low: Vec3, high: Vec3, sampling: LightSampling) -> Self {
        let rays = |directions: Vec<Vec3>, weight: f32, size: usize| -> Vec<Ray> {
            let rays = directions.into_par_iter().enumerate();
            let rays =
                rays.map(|(k, towards)| Ray { weight, map: DepthMap::new(drawing, towards, low, high, size, k) });
            rays.collect()
        };
        // A level surface under the open sky receives the integral of cosine over the hemisphere,
        // which is pi.
        let sky_weight = TAU / sampling.sky as f32 / PI;
        Self {
            sun: rays(sun_directions(sampling.sun), 1.0 / sampling.sun as f32, sampling.sun_map),
            sky: rays(sky_directions(sampling.sky), sky_weight, sampling.sky_map),
        }
    }

    /// Adds the irradiance of points with normals. The loop over directions is outermost, so that
    /// one map at a time is in use.
    pub(crate) fn receive(&self, points: &[(Vec3, Vec3)], received: &mut [Received]) {
        for ray in &self.sun {
            ray.add(points, received, |received| &mut received.sun);
        }
        for ray in &self.sky {
            ray.add(points, received, |received| &mut received.sky);
        }
    }

    /// The middle of the sun.
    pub(crate) fn sun_direction() -> Vec3 {
        SUN.normalize()
    }
}

impl Ray {
    fn add(&self, points: &[(Vec3, Vec3)], received: &mut [Received], part: impl Fn(&mut Received) -> &mut f32) {
        for (&(point, normal), received) in points.iter().zip(received) {
            let cosine = normal.dot(self.map.towards);
            if cosine > 0.0 && self.map.is_lit(point, normal) {
                *part(received) += self.weight * cosine;
            }
        }
    }
}

/// Directions spread evenly over the hemisphere, by height and golden angle.
fn sky_directions(count: u32) -> Vec<Vec3> {
    let golden = PI * (3.0 - 5f32.sqrt());
    (0..count)
        .map(|k| {
            let height = (k as f32 + 0.5) / count as f32;
            let (sin, cos) = (golden * k as f32).sin_cos();
            let across = (1.0 - height * height).sqrt();
            Vec3::new(across * cos, across * sin, height)
        })
        .collect()
}

/// Directions spread evenly over the disc of the sun.
fn sun_directions(count: u32) -> Vec<Vec3> {
    let golden = PI * (3.0 - 5f32.sqrt());
    let middle = Light::sun_direction();
    let (x, y) = middle.any_orthonormal_pair();
    (0..count)
        .map(|k| {
            let radius = SUN_RADIUS * ((k as f32 + 0.5) / count as f32).sqrt();
            let (sin, cos) = (golden * k as f32).sin_cos();
            (middle + radius * (cos * x + sin * y)).normalize()
        })
        .collect()
}

/// A shadow map for parallel rays: the greatest height towards the light in each texel.
#[derive(Debug)]
struct DepthMap {
    towards: Vec3,
    /// From the world to texels across, texels along and depth.
    to_map: Mat3,
    shift: Vec3,
    size: usize,
    /// Length of a texel's side \[m\].
    texel: f32,
    /// Units of stored height per metre.
    height_scale: f32,
    /// Greatest height in each texel; 0 where there is nothing.
    heights: Vec<u16>,
}

/// Heights are stored as whole numbers from 1 to this.
const HIGHEST: f32 = 65000.0;

/// Least radius of a ball on a map, in texels: such a ball still covers the texel it is in.
const SMALLEST: f32 = 0.71;

/// Bias along the normal, in texels, so that a surface does not shade itself.
const OFFSET: f32 = 1.5;

impl DepthMap {
    fn new(drawing: &Drawing<'_>, towards: Vec3, low: Vec3, high: Vec3, size: usize, number: usize) -> Self {
        let (across, along) = towards.any_orthonormal_pair();
        let seen =
            corners(low, high).map(|corner| Vec3::new(across.dot(corner), along.dot(corner), towards.dot(corner)));
        let least = seen.into_iter().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
        let most = seen.into_iter().reduce(Vec3::max).unwrap_or(Vec3::ONE);
        let extent = (most - least).max(Vec3::splat(f32::MIN_POSITIVE.sqrt()));
        // A border of two texels stays empty.
        let texels_per_metre = (size as f32 - 4.0) / extent.x.max(extent.y);
        let height_scale = HIGHEST / extent.z;
        // The grid of each map has its own offset, so that the edges of texels do not add up.
        let jitter = Vec3::new((number as f32 * 0.754_877_7).fract(), (number as f32 * 0.569_840_3).fract(), 0.0);
        let to_map =
            Mat3::from_cols(across * texels_per_metre, along * texels_per_metre, towards * height_scale).transpose();
        let shift =
            Vec3::new(-least.x * texels_per_metre + 1.5, -least.y * texels_per_metre + 1.5, -least.z * height_scale)
                + jitter;
        let heights = vec![0; size * size];
        let mut map = Self { towards, to_map, shift, size, texel: 1.0 / texels_per_metre, height_scale, heights };
        for cluster in &drawing.clusters {
            if !map.hides(cluster) {
                drawing.balls[cluster.balls.clone()].iter().for_each(|ball| map.add_ball(ball.centre, ball.radius));
            }
        }
        // The bodies born last lie on top; drawn first, they hide those below, which are then
        // skipped.
        for solid in drawing.solids.iter().rev().filter(|solid| solid.casts_shadow) {
            map.add_solid(solid, drawing);
        }
        map
    }

    /// Raises a texel to a height. Heights above or below the range of the map are ignored.
    fn raise(&mut self, x: usize, y: usize, height: f32) {
        if (1.0..=HIGHEST).contains(&height) {
            let texel = &mut self.heights[y * self.size + x];
            *texel = (*texel).max(height as u16);
        }
    }

    /// Texels whose middles are between two coordinates.
    fn between(&self, low: f32, high: f32) -> Range<usize> {
        middles(low, high, self.size)
    }

    /// Whether a box of half lengths `reach` about `at`, in map coordinates, is wholly below the
    /// map.
    fn is_below(&self, at: Vec3, reach: Vec3) -> bool {
        let (low, high) = (at - reach, at + reach);
        let (columns, mut rows, top) = (self.between(low.x, high.x), self.between(low.y, high.y), high.z);
        let row = |y: usize| &self.heights[y * self.size + columns.start..][..columns.len()];
        rows.all(|y| row(y).iter().all(|&height| f32::from(height) > top))
    }

    /// Whether a cluster is wholly below the map.
    fn hides(&self, cluster: &BallCluster) -> bool {
        let (middle, half) = (0.5 * (cluster.low + cluster.high), 0.5 * (cluster.high - cluster.low));
        let Mat3 { x_axis, y_axis, z_axis } = self.to_map;
        let reach = Mat3::from_cols(x_axis.abs(), y_axis.abs(), z_axis.abs()) * half;
        self.is_below(self.to_map * middle + self.shift, reach + Vec3::new(SMALLEST, SMALLEST, 0.0))
    }

    fn add_ball(&mut self, centre: Vec3, radius: f32) {
        let at = self.to_map * centre + self.shift;
        let reach = radius / self.texel;
        let reach = reach.max(SMALLEST);
        let bulge = radius * self.height_scale / reach;
        if self.is_below(at, Vec3::new(reach, reach, radius * self.height_scale)) {
            return;
        }
        for y in self.between(at.y - reach, at.y + reach) {
            let dy = y as f32 + 0.5 - at.y;
            let half = (reach * reach - dy * dy).max(0.0).sqrt();
            for x in self.between(at.x - half, at.x + half) {
                let dx = x as f32 + 0.5 - at.x;
                self.raise(x, y, at.z + bulge * (reach * reach - dx * dx - dy * dy).max(0.0).sqrt());
            }
        }
    }

    fn add_solid(&mut self, solid: &Solid, drawing: &Drawing<'_>) {
        let mesh = &drawing.meshes[solid.mesh as usize];
        let size = solid.size();
        if size * mesh.reach < 2.0 * self.texel {
            self.add_ball(solid.position, size * mesh.mean_radius);
            return;
        }
        let turn = self.to_map * solid.turn;
        let shift = self.to_map * solid.position + self.shift;
        let reach = size * mesh.reach;
        if self.is_below(shift, reach * Vec3::new(1.0 / self.texel, 1.0 / self.texel, self.height_scale)) {
            return;
        }
        for corners in &mesh.triangles {
            let corners = corners.map(|v| turn * mesh.vertices[v as usize] + shift);
            triangle(corners, self.size, |x, y, height| self.raise(x, y, height));
        }
    }

    /// Whether nothing occludes the light at a point of a surface.
    fn is_lit(&self, point: Vec3, normal: Vec3) -> bool {
        let at = self.to_map * (point + normal * (OFFSET * self.texel)) + self.shift;
        // No shadow falls outside of the map.
        let inside = at.x >= 0.0 && at.y >= 0.0 && at.x < self.size as f32 && at.y < self.size as f32;
        // A point below the map is above nothing.
        !inside || f32::from(self.heights[at.y as usize * self.size + at.x as usize]) <= at.z.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster;
    use crate::drawing::DrawnBall;

    const FINE: LightSampling = LightSampling { sky: 256, sun: 32, sky_map: 512, sun_map: 512 };

    fn drawing(mut balls: Vec<DrawnBall>) -> Drawing<'static> {
        let clusters = cluster::gather(&mut balls);
        Drawing { balls, clusters, ..Drawing::default() }
    }

    /// A ball of radius one whose centre is at this height above the ground, and light around it.
    fn over_ground(height: f32) -> Light {
        let balls = vec![DrawnBall { centre: height * Vec3::Z, radius: 1.0, colour: 0 }];
        Light::new(&drawing(balls), Vec3::new(-1.0, -1.0, height - 1.0), Vec3::new(1.0, 1.0, height + 1.0), FINE)
    }

    fn received(light: &Light, points: &[(Vec3, Vec3)]) -> Vec<Received> {
        let mut received = vec![Received::default(); points.len()];
        light.receive(points, &mut received);
        received
    }

    #[test]
    fn open_ground_receives_all() {
        let [open] = received(&over_ground(2.0), &[(Vec3::new(500.0, 0.0, 0.0), Vec3::Z)])[..] else { panic!() };
        assert!((open.sky - 1.0).abs() < 1e-5, "{open:?}");
        // The mean cosine over the disc of the sun is that of its middle, up to the square of its
        // radius.
        assert!((open.sun - Light::sun_direction().z).abs() < SUN_RADIUS * SUN_RADIUS, "{open:?}");
    }

    /// A sphere above the horizon takes cos(a) (r/d)² of the sky's light from a surface: its form
    /// factor.
    #[test]
    fn a_sphere_takes_its_form_factor_from_the_sky() {
        let light = over_ground(1.5);
        for away in [0.0, 0.5, 1.0, 2.0, 4.0] {
            let distance = (1.5f32 * 1.5 + away * away).sqrt();
            let expected = 1.0 - 1.5 / distance / (distance * distance);
            // The mean over a ring: the directions are few, but even.
            let ring: Vec<_> = (0..64)
                .map(|k| TAU * k as f32 / 64.0)
                .map(|a| (Vec3::new(away * a.cos(), away * a.sin(), 0.0), Vec3::Z))
                .collect();
            let mean = received(&light, &ring).iter().map(|r| r.sky).sum::<f32>() / 64.0;
            assert!((mean - expected).abs() < 0.015, "{away} m away: {mean}, expected {expected}");
        }
    }

    /// A sphere takes from the ground the light that falls on its disc: pi r² from every direction,
    /// however soft the shadow.
    #[test]
    fn a_shadow_holds_the_light_that_the_sphere_caught() {
        let light = over_ground(3.0);
        let side = 600;
        let step = 12.0 / side as f32;
        let middle = -3.0 * Light::sun_direction() / Light::sun_direction().z;
        let place = |k: i32| (k as f32 + 0.5) * step - 6.0;
        let grid: Vec<_> = (0..side * side)
            .map(|k| (Vec3::new(middle.x + place(k % side), middle.y + place(k / side), 0.0), Vec3::Z))
            .collect();
        let open = received(&light, &[(Vec3::new(500.0, 0.0, 0.0), Vec3::Z)])[0].sun;
        let caught = received(&light, &grid).iter().map(|r| open - r.sun).sum::<f32>() * step * step;
        assert!((caught / PI - 1.0).abs() < 0.01, "{caught}, expected {PI}");
    }

    /// Strays are outside of every map, in any direction and at any distance.
    #[test]
    fn what_is_outside_of_the_map_is_left_out() {
        let stray = |centre| DrawnBall { centre, radius: 1.0, colour: 0 };
        let far = sky_directions(50).into_iter().flat_map(|towards| [2.0, 5.0, 1e9].map(|away| stray(towards * away)));
        let balls = far.chain([stray(Vec3::NAN), stray(Vec3::INFINITY)]).collect();
        let sampling = LightSampling { sky: 32, sun: 2, sky_map: 64, sun_map: 64 };
        let light = Light::new(&drawing(balls), Vec3::splat(-0.5), Vec3::splat(0.5), sampling);
        let [under] = received(&light, &[(Vec3::new(0.0, 0.0, -0.4), Vec3::Z)])[..] else { panic!() };
        assert!(under.sky <= 1.0 + 1e-5);
    }

    /// A single ball shades only its own far side.
    #[test]
    fn a_ball_does_not_shade_its_lit_side() {
        let light = over_ground(3.0);
        let normals = sky_directions(200);
        let points: Vec<_> = normals.iter().map(|&normal| (3.0 * Vec3::Z + normal, normal)).collect();
        for (&(_, normal), got) in points.iter().zip(received(&light, &points)) {
            let open = normal.dot(Light::sun_direction()).max(0.0);
            assert!((got.sun - open).abs() < 0.03, "{normal}: {got:?}, expected {open}");
        }
    }
}
