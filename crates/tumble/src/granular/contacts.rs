//! The contact stage: for every pair and wall in the list, does it touch, and what does it do?
//!
//! Reads spheres, obstacles, the pair table; writes one row a pair, the sum of each sphere's own rows, and the friction
//! springs. Each block of spheres writes only what it owns, so blocks run on any thread with the same result.

use glam::DVec3;
use rayon::prelude::*;

use super::law::{Coefficients, Normal, Touch, touch};
use crate::contact::{BLOCK, Block, Feature, Gap, Neighbours, Row, Sphere, Wall};
use crate::contact::{closest_on_triangle, sphere_box, sphere_plane};
use crate::geometry::{MeshSurface, Surface};
use crate::world::Obstacle;

/// Cosine of the largest angle between two triangles that count as one surface for friction: 18°.
const SAME_SURFACE: f64 = 0.95;

/// What the contact loop reads.
pub(crate) struct Scene<'a> {
    pub(crate) spheres: &'a [Sphere],
    pub(crate) obstacles: &'a [Obstacle],
    /// Row-major.
    pub(crate) pairs: &'a [Coefficients],
    /// Number of materials.
    pub(crate) materials: usize,
    /// Step \[s\].
    pub(crate) dt: f64,
}

/// Computes all contacts; `own` receives for each sphere the sum of the rows it is the first partner of.
pub(crate) fn contacts<N: Normal>(scene: &Scene<'_>, neighbours: &mut Neighbours, own: &mut [Row]) {
    neighbours.blocks.par_iter_mut().zip(own.par_chunks_mut(BLOCK)).enumerate().for_each(|(b, (block, own))| {
        for (k, own) in own.iter_mut().enumerate() {
            let sphere = &scene.spheres[b * BLOCK + k];
            let mut sum = Row::default();
            touch_spheres::<N>(scene, sphere, block, k, &mut sum);
            touch_walls::<N>(scene, sphere, block, k, &mut sum);
            *own = sum;
        }
    });
}

#[inline(always)]
fn touch_spheres<N: Normal>(scene: &Scene<'_>, a: &Sphere, block: &mut Block, k: usize, sum: &mut Row) {
    let pairs = block.pairs_of(k);
    let partners = &block.partner[pairs.clone()];
    let stretches = &mut block.stretch[pairs.clone()];
    let rows = &mut block.rows[pairs];
    for ((&partner, stretch), row) in partners.iter().zip(stretches).zip(rows) {
        let b = &scene.spheres[partner as usize];
        let apart = b.center - a.center;
        let reach = a.radius + b.radius;
        let squared = apart.length_squared();
        if squared >= reach * reach {
            *stretch = DVec3::ZERO;
            *row = Row::default();
            continue;
        }
        // Two centres in one place have no direction; they get no force rather than a NaN, and are reported as an overlap.
        let distance = squared.sqrt().max(f64::MIN_POSITIVE);
        let normal = apart / distance;
        let inverse_reach = 1.0 / reach;
        // The contact point divides the line of centres like the radii, so that the two levers add up to the distance
        // and angular momentum is conserved to the last bit of the arithmetic.
        let lever = distance * inverse_reach;
        let t = Touch {
            normal,
            overlap: reach - distance,
            velocity: a.velocity - b.velocity + lever * (a.radius * a.spin + b.radius * b.spin).cross(normal),
            radius: a.radius * b.radius * inverse_reach,
            mass: a.mass * b.mass / (a.mass + b.mass),
        };
        let c = &scene.pairs[a.material as usize * scene.materials + b.material as usize];
        let (push, shear) = touch::<N>(&t, c, stretch, scene.dt);
        *row = Row { force: push + shear, torque: lever * normal.cross(shear) };
        sum.force += row.force;
        sum.torque += row.torque;
    }
}

#[inline(always)]
fn touch_walls<N: Normal>(scene: &Scene<'_>, a: &Sphere, block: &mut Block, k: usize, sum: &mut Row) {
    let walls = block.walls_of(k);
    let walls = &mut block.walls[walls];
    look_at_walls(a, scene.obstacles, walls);
    for wall in walls {
        if !wall.touching {
            wall.stretch = DVec3::ZERO;
            continue;
        }
        let obstacle = &scene.obstacles[wall.obstacle as usize];
        // The lever is the whole radius, so that a ball rolls at v = R w however soft it is.
        let arm = -a.radius * wall.normal;
        let t = Touch {
            normal: -wall.normal,
            overlap: a.radius - wall.distance,
            velocity: a.velocity + a.spin.cross(arm) - obstacle.velocity_at(a.center + arm),
            // An obstacle has no curvature and no motion of its own to give.
            radius: a.radius,
            mass: a.mass,
        };
        let c = &scene.pairs[a.material as usize * scene.materials + obstacle.material as usize];
        let (push, shear) = touch::<N>(&t, c, &mut wall.stretch, scene.dt);
        sum.force += push + shear;
        // Per unit of the sphere's radius, like a row.
        sum.torque -= wall.normal.cross(shear);
    }
}

/// Finds out how a sphere lies to the pieces of obstacles near it, and which of them touch.
pub(crate) fn look_at_walls(sphere: &Sphere, obstacles: &[Obstacle], walls: &mut [Wall]) {
    for group in walls.chunk_by_mut(|a, b| a.obstacle == b.obstacle) {
        look(sphere, &obstacles[group[0].obstacle as usize], group);
    }
}

fn look(sphere: &Sphere, obstacle: &Obstacle, walls: &mut [Wall]) {
    let center = obstacle.pose.to_local(sphere.center);
    let see = |wall: &mut Wall, gap: Gap| {
        wall.touched = wall.touching;
        wall.touching = gap.distance < sphere.radius;
        wall.normal = obstacle.pose.orientation * gap.normal;
        wall.distance = gap.distance;
    };
    match &obstacle.surface {
        Surface::Plane => see(&mut walls[0], sphere_plane(center)),
        Surface::Box(half) => see(&mut walls[0], sphere_box(center, *half)),
        Surface::Mesh(mesh) => {
            for wall in walls.iter_mut() {
                let (nearest, feature) = closest_on_triangle(center, mesh.corners(wall.triangle));
                let apart = center - nearest;
                let distance = apart.length();
                // A centre that lies in the triangle is pushed to the side it came from.
                let normal =
                    if distance > 0.0 { apart / distance } else { obstacle.pose.orientation.conjugate() * wall.normal };
                see(wall, Gap { distance, normal });
                wall.feature = feature;
            }
            keep_one_contact_a_feature(mesh, walls);
            hand_over_springs(walls);
        }
    }
}

/// A contact that begins on one triangle while another ends beside it has rolled or slid over an edge: it keeps its friction spring.
fn hand_over_springs(walls: &mut [Wall]) {
    for w in 0..walls.len() {
        if walls[w].touching && !walls[w].touched {
            let beside =
                |other: &Wall| other.touched && !other.touching && other.normal.dot(walls[w].normal) > SAME_SURFACE;
            if let Some(other) = walls.iter().position(beside) {
                walls[w].stretch = std::mem::take(&mut walls[other].stretch);
            }
        }
    }
}

/// Of triangles that touch in a shared edge or corner, only one pushes; and none, if a neighbour is touched in its face:
/// a flat floor of many triangles must feel like one plane.
fn keep_one_contact_a_feature(mesh: &MeshSurface, walls: &mut [Wall]) {
    for w in 0..walls.len() {
        if !walls[w].touching || walls[w].feature == Feature::Face {
            continue;
        }
        let covered = |other: usize| {
            let (this, that) = (&walls[w], &walls[other]);
            that.touching && shares(mesh, this, that) && (rank(that), other) < (rank(this), w)
        };
        // The verdict is kept in the distance until all are judged: a piece that is covered still covers others.
        if (0..walls.len()).any(covered) {
            walls[w].distance = f64::INFINITY;
        }
    }
    for wall in walls {
        wall.touching &= wall.distance < f64::INFINITY;
    }
}

/// A face contact speaks for its sides, a side for its corners.
fn rank(wall: &Wall) -> u8 {
    match wall.feature {
        Feature::Face => 0,
        Feature::Side(_) => 1,
        Feature::Corner(_) => 2,
    }
}

/// Whether the part of its triangle that `this` touches also belongs to the triangle or the touched part of `that`.
fn shares(mesh: &MeshSurface, this: &Wall, that: &Wall) -> bool {
    let corners = |wall: &Wall| mesh.mesh().triangles()[wall.triangle as usize];
    match this.feature {
        Feature::Face => false,
        Feature::Side(side) => {
            let edge = mesh.edges_of(this.triangle)[side as usize];
            match that.feature {
                Feature::Face => mesh.edges_of(that.triangle).contains(&edge),
                Feature::Side(other) => mesh.edges_of(that.triangle)[other as usize] == edge,
                Feature::Corner(_) => false,
            }
        }
        Feature::Corner(corner) => {
            let corner = corners(this)[corner as usize];
            match that.feature {
                Feature::Face => corners(that).contains(&corner),
                Feature::Side(side) => {
                    let [a, b, c] = corners(that);
                    [[a, b], [b, c], [c, a]][side as usize].contains(&corner)
                }
                Feature::Corner(other) => corners(that)[other as usize] == corner,
            }
        }
    }
}
