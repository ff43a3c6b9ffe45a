//! Projection to the screen: balls and triangles as the camera sees them, sorted into square tiles.
//!
//! Coordinates on the screen are samples: several per pixel, see [`crate::Quality`]. Depth is the
//! distance along the camera's axis. A tile is drawn by one thread from start to end, so nothing is
//! shared while drawing, and of all samples only those of the tiles in work are in memory.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::camera::Camera;
use crate::drawing::{Drawing, DrawnBall, Solid};

/// Samples along the side of a tile; a multiple of the samples along the side of a pixel for every
/// quality.
pub(crate) const TILE: usize = 48;

/// A body smaller than this on the screen, in samples, is drawn as a ball of the same surface.
const SMALL: f32 = 2.5;

/// The camera, with the screen before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) eye: Vec3,
    /// Right, up and forward.
    pub(crate) axes: [Vec3; 3],
    /// Samples across and down.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Samples per unit length at distance one.
    scale: f32,
    /// Distance of the near plane: anything nearer is clipped \[m\].
    pub(crate) near: f32,
}

/// A ball as the camera sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenBall {
    /// Centre: to the right, up, and depth.
    pub(crate) at: Vec3,
    pub(crate) radius: f32,
    pub(crate) colour: u32,
}

/// A triangle as the camera sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// Corners: samples across, samples down, one over depth.
    pub(crate) corners: [Vec3; 3],
    /// Index of the solid in the drawing, and of the triangle in its mesh.
    pub(crate) solid: u32,
    pub(crate) triangle: u32,
}

/// A rectangle of samples: first column and row, and one past the last.
pub(crate) type Bounds = [f32; 4];

impl Screen {
    pub(crate) fn new(camera: &Camera, width: usize, height: usize) -> Self {
        let scale = 0.5 * height as f32 / camera.tangent();
        let near = 1e-3 * camera.position.distance(camera.target).max(1e-6);
        Self { eye: camera.position, axes: camera.axes(), width, height, scale, near }
    }

    /// Slopes of the ray through the middle of a sample: right and up per unit of depth.
    pub(crate) fn slopes(&self, x: usize, y: usize) -> Vec2 {
        let from_middle = |at: usize, size: usize| (at as f32 + 0.5 - 0.5 * size as f32) / self.scale;
        Vec2::new(from_middle(x, self.width), -from_middle(y, self.height))
    }

    /// The direction of a sample's ray, one unit of depth long.
    pub(crate) fn direction(&self, slopes: Vec2) -> Vec3 {
        self.axes[0] * slopes.x + self.axes[1] * slopes.y + self.axes[2]
    }

    /// A point in camera coordinates: right, up, depth.
    fn seen(&self, point: Vec3) -> Vec3 {
        Vec3::from(self.axes.map(|axis| axis.dot(point - self.eye)))
    }

    /// The samples that a sphere can cover, if it is in front of the camera and on the screen.
    ///
    /// Seen from the side, rays that touch a circle of radius r at (x, z) have slopes
    /// (x z ± r √(x² + z² - r²)) / (z² - r²).
    fn bounds_of(&self, seen: Vec3, radius: f32) -> Option<Bounds> {
        if seen.is_nan() || radius.is_nan() || seen.z + radius <= self.near {
            return None;
        }
        // Beside the camera and partly behind it, a ball can be anywhere on the screen.
        if seen.z - radius < self.near {
            return Some([0.0, 0.0, self.width as f32, self.height as f32]);
        }
        let below = seen.z * seen.z - radius * radius;
        let edges = |x: f32| {
            let half = radius * (x * x + below).sqrt() / below;
            let middle = x * seen.z / below;
            [middle - half, middle + half]
        };
        let ([left, right], [bottom, top]) = (edges(seen.x), edges(seen.y));
        let (w, h) = (0.5 * self.width as f32, 0.5 * self.height as f32);
        let bounds = [w + left * self.scale, h - top * self.scale, w + right * self.scale, h - bottom * self.scale];
        self.is_on(bounds).then_some(bounds)
    }

    /// The samples that a ball can cover.
    pub(crate) fn bounds_of_ball(&self, ball: &SeenBall) -> Bounds {
        self.bounds_of(ball.at, ball.radius).unwrap_or([0.0; 4])
    }

    fn is_on(&self, [left, top, right, bottom]: Bounds) -> bool {
        right > 0.0 && bottom > 0.0 && left < self.width as f32 && top < self.height as f32
    }

    fn see_ball(&self, ball: &DrawnBall) -> Option<(Bounds, SeenBall)> {
        let at = self.seen(ball.centre);
        let bounds = self.bounds_of(at, ball.radius)?;
        Some((bounds, SeenBall { at, radius: ball.radius, colour: ball.colour }))
    }

    /// A solid that is so small that a ball looks the same.
    fn as_ball(&self, solid: &Solid, drawing: &Drawing<'_>) -> Option<DrawnBall> {
        let mesh = &drawing.meshes[solid.mesh as usize];
        let size = solid.size();
        let depth = self.seen(solid.position).z;
        let is_small = depth > self.near && size * mesh.reach * self.scale < SMALL * depth;
        is_small.then_some(DrawnBall { centre: solid.position, radius: size * mesh.mean_radius, colour: solid.colour })
    }

    /// The triangles of a solid that are on the screen.
    fn facets(&self, solid: &Solid, number: u32, drawing: &Drawing<'_>, facets: &mut Vec<(Bounds, Facet)>) {
        let mesh = &drawing.meshes[solid.mesh as usize];
        let seen: Vec<Vec3> = mesh.vertices.iter().map(|&v| self.seen(solid.turn * v + solid.position)).collect();
        for (corners, triangle) in mesh.triangles.iter().zip(0..) {
            let corners = corners.map(|v| seen[v as usize]);
            let (polygon, count) = self.in_front(corners);
            for k in 2..count {
                let corners = [polygon[0], polygon[k - 1], polygon[k]].map(|corner| self.on_screen(corner));
                let low = corners.into_iter().reduce(Vec3::min).unwrap_or_default();
                let high = corners.into_iter().reduce(Vec3::max).unwrap_or_default();
                let bounds = [low.x, low.y, high.x, high.y];
                if self.is_on(bounds) {
                    facets.push((bounds, Facet { corners, solid: number, triangle }));
                }
            }
        }
    }

    fn on_screen(&self, seen: Vec3) -> Vec3 {
        let (x, y) = (seen.x / seen.z * self.scale, seen.y / seen.z * self.scale);
        Vec3::new(0.5 * self.width as f32 + x, 0.5 * self.height as f32 - y, 1.0 / seen.z)
    }

    /// The part of a triangle that is in front of the camera: a polygon of up to four corners.
    fn in_front(&self, corners: [Vec3; 3]) -> ([Vec3; 4], usize) {
        let mut polygon = [Vec3::ZERO; 4];
        let mut count = 0;
        let mut push = |corner| {
            polygon[count] = corner;
            count += 1;
        };
        for k in 0..3 {
            let (here, next) = (corners[k], corners[(k + 1) % 3]);
            let (inside, next_inside) = (here.z >= self.near, next.z >= self.near);
            if inside {
                push(here);
            }
            if inside != next_inside {
                push(here.lerp(next, (self.near - here.z) / (next.z - here.z)));
            }
        }
        (polygon, count)
    }
}

/// Things sorted into tiles; a thing is in every tile that it touches.
#[derive(Debug)]
pub(crate) struct Tiles<T> {
    things: Vec<T>,
    /// Things of tile `k` are `list[starts[k]..starts[k + 1]]`, in their order.
    starts: Vec<usize>,
    list: Vec<u32>,
}

impl<T> Tiles<T> {
    fn new(screen: &Screen, things: Vec<(Bounds, T)>) -> Self {
        let columns = screen.width.div_ceil(TILE);
        let rows = screen.height.div_ceil(TILE);
        let tile = |at: f32, count: usize| ((at.max(0.0) as usize) / TILE).min(count - 1);
        let range = |[left, top, right, bottom]: Bounds| {
            let (first, last) = (tile(left, columns), tile(right, columns));
            (tile(top, rows)..=tile(bottom, rows)).flat_map(move |row| (first..=last).map(move |x| row * columns + x))
        };
        let mut starts = vec![0; columns * rows + 1];
        for (bounds, _) in &things {
            range(*bounds).for_each(|tile| starts[tile + 1] += 1);
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut ends = starts.clone();
        let mut list = vec![0; starts[columns * rows]];
        for ((bounds, _), number) in things.iter().zip(0..) {
            for tile in range(*bounds) {
                list[ends[tile]] = number;
                ends[tile] += 1;
            }
        }
        Self { things: things.into_iter().map(|(_, thing)| thing).collect(), starts, list }
    }

    /// Things that touch a tile, with their indices.
    pub(crate) fn of(&self, tile: usize) -> impl Iterator<Item = (u32, &T)> {
        self.list[self.starts[tile]..self.starts[tile + 1]].iter().map(|&k| (k, &self.things[k as usize]))
    }

    pub(crate) fn thing(&self, number: u32) -> &T {
        &self.things[number as usize]
    }
}

/// A drawing as the camera sees it.
#[derive(Debug)]
pub(crate) struct SeenDrawing {
    pub(crate) balls: Tiles<SeenBall>,
    pub(crate) facets: Tiles<Facet>,
    /// Triangles of translucent solids, from the farthest solid to the nearest.
    pub(crate) glass: Tiles<Facet>,
}

impl SeenDrawing {
    pub(crate) fn new(screen: &Screen, drawing: &Drawing<'_>) -> Self {
        let as_balls: Vec<Option<DrawnBall>> =
            drawing.solids.par_iter().map(|solid| screen.as_ball(solid, drawing)).collect();
        let small = as_balls.par_iter().filter_map(|ball| screen.see_ball(ball.as_ref()?));
        let balls = drawing.balls.par_iter().filter_map(|ball| screen.see_ball(ball)).chain(small).collect();

        let facets_of = |solids: &[Solid], order: &[u32]| -> Vec<(Bounds, Facet)> {
            let each = |&number: &u32| {
                let mut facets = Vec::new();
                screen.facets(&solids[number as usize], number, drawing, &mut facets);
                facets
            };
            order.par_iter().flat_map_iter(each).collect()
        };
        let large: Vec<u32> = (0..as_balls.len() as u32).filter(|&k| as_balls[k as usize].is_none()).collect();
        let mut order: Vec<u32> = (0..drawing.glass.len() as u32).collect();
        let distance = |&k: &u32| screen.seen(drawing.glass[k as usize].position).length();
        order.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
        Self {
            balls: Tiles::new(screen, balls),
            facets: Tiles::new(screen, facets_of(&drawing.solids, &large)),
            glass: Tiles::new(screen, facets_of(&drawing.glass, &order)),
        }
    }
}
