//! The other half of the contact stage: spheres against the surfaces of obstacles.
//!
//! Reads the pieces of obstacles that the list names; writes the force sums of the block's spheres,
//! the history of its walls and, if there is stiction, the reaction of obstacles on each sphere.
//! Touching walls are found one sphere at a time, because triangles of a mesh that share an edge
//! must share one contact; their forces are then computed four at a time like those of pairs.

use glam::DVec3;

use super::corners::share_pushes;
use super::inputs::{ContactInputs, Remember};
use super::law::{Coefficients, ContactForce, ContactHistory, ContactState, touch};
use crate::contact::{Block, Deepest, Reaction, Sphere, SurfaceId, Wall};
use crate::geometry::{Feature, Gap, Surface, closest_on_triangle, sphere_box, sphere_plane};
use crate::lanes::{LANES, Numbers, Vectors, vector};
use crate::world::Obstacle;

/// Cosine of the largest angle between two triangles that count as one surface for friction: 18°.
const SAME_SURFACE: f64 = 0.95;

/// How far a point may stand out of a plane and still count as part of it, over the sphere's
/// radius: rounding.
const SAME_PLANE: f64 = 1e-9;

/// Computes the forces of obstacles on the spheres of a block.
pub(super) fn touch_walls(inputs: &ContactInputs<'_>, block: &mut Block) {
    block.touching_walls.clear();
    if inputs.stiction {
        block.reactions.clear();
        block.reactions.resize(block.len(), Reaction::default());
    }
    if inputs.memory == Remember::Frozen {
        // A trial evaluation works on copies, since its step may be rejected.
        let mut seen = std::mem::take(&mut block.seen_walls);
        seen.clone_from(&block.walls);
        std::mem::swap(&mut block.walls, &mut seen);
        touch_all(inputs, block);
        std::mem::swap(&mut block.walls, &mut seen);
        block.seen_walls = seen;
    } else {
        touch_all(inputs, block);
    }
}

fn touch_all(inputs: &ContactInputs<'_>, block: &mut Block) {
    for group in block.walls.chunk_by_mut(|a, b| a.sphere == b.sphere) {
        look_at_walls(&inputs.spheres.place[block.spheres.start + group[0].sphere as usize], inputs.obstacles, group);
    }
    for (w, wall) in block.walls.iter_mut().enumerate() {
        if wall.touching {
            let sphere = block.spheres.start as u32 + wall.sphere;
            let depth = 1.0 - wall.distance / inputs.spheres.place[sphere as usize].radius();
            if depth > block.deepest.map_or(inputs.deepest, |deepest| deepest.depth) {
                block.deepest = Some(Deepest { depth, sphere, other: None });
            }
            block.touching_walls.push(w as u32);
        } else {
            (wall.stretch, wall.roll) = (DVec3::ZERO, DVec3::ZERO);
        }
    }
    let touching = std::mem::take(&mut block.touching_walls);
    for walls in touching.chunks(LANES) {
        touch_four(inputs, block, walls);
    }
    block.touching_walls = touching;
}

/// Computes up to four walls that touch.
fn touch_four(inputs: &ContactInputs<'_>, block: &mut Block, numbers: &[u32]) {
    // A short group is padded with its last wall.
    let wall: [&Wall; LANES] = std::array::from_fn(|k| &block.walls[numbers[k.min(numbers.len() - 1)] as usize]);
    let sphere = wall.map(|wall| block.spheres.start + wall.sphere as usize);
    let (place, moving) = (sphere.map(|s| &inputs.spheres.place[s]), sphere.map(|s| &inputs.spheres.moving[s]));
    let obstacle = wall.map(|wall| &inputs.obstacles[wall.obstacle as usize]);
    // The lever is the whole radius, so that a ball rolls at v = R w however soft it is.
    let arm: [DVec3; LANES] = std::array::from_fn(|k| -place[k].radius() * wall[k].normal);
    let surface: [DVec3; LANES] =
        std::array::from_fn(|k| obstacle[k].velocity_before(place[k].center() + arm[k], inputs.lag));
    let velocity: [DVec3; LANES] =
        std::array::from_fn(|k| moving[k].velocity() + moving[k].spin().cross(arm[k]) - surface[k]);
    let (spin, _) = Vectors::from_rows(moving.map(|m| m.spin));
    let turn = Vectors::new(obstacle.map(|o| &o.motion.spin));
    let normal = Vectors::new(wall.map(|wall| &wall.normal)) * Numbers::splat(-1.0);
    let radius = Numbers::new(place.map(|sphere| sphere.radius()));
    let t = ContactState {
        normal,
        overlap: radius - Numbers::new(wall.map(|wall| wall.distance)),
        velocity: Vectors::new(velocity.each_ref()),
        spin_sum: spin + turn,
        spin_difference: spin - turn,
        // An obstacle is flat and does not give way: effective radius and mass are the sphere's.
        radius,
        mass: Numbers::ONE / Numbers::new(moving.map(|m| m.inverse_mass())),
    };
    let c = Coefficients::new(std::array::from_fn(|k| {
        inputs.pair(inputs.spheres.owner[sphere[k]].surface, SurfaceId::of(obstacle[k].material))
    }));
    let mut memory =
        ContactHistory { stretch: Vectors::new(wall.map(|w| &w.stretch)), roll: Vectors::new(wall.map(|w| &w.roll)) };
    let ContactForce { push, shear, rolling } = touch(inputs.law, &t, &c, &mut memory, inputs.memory.step());
    let share = Numbers::new(wall.map(|wall| wall.share));
    let (push, shear, rolling) = (push * share, shear * share, rolling * share);

    let force = (shear - normal * push).rows();
    // Per unit of the sphere's radius, like all sums.
    let torque = (normal.cross(shear) + rolling * (Numbers::ONE / radius)).rows();
    let (push, friction, rub) = ((normal * push).rows(), (c.friction * push).to_array(), shear.rows());
    let (stretch, roll) = (memory.stretch.lanes(), memory.roll.lanes());
    for (k, &number) in numbers.iter().enumerate() {
        let wall = &mut block.walls[number as usize];
        let sum = &mut block.sums[wall.sphere as usize];
        sum.force += force[k];
        sum.torque += torque[k];
        (wall.stretch, wall.roll) = (stretch[k], roll[k]);
        if inputs.stiction {
            let reaction = &mut block.reactions[wall.sphere as usize];
            let push = -vector(push[k]);
            reaction.push += push;
            reaction.friction += friction[k];
            reaction.slip += push.length() * velocity[k];
            reaction.velocity += push.length() * surface[k];
            reaction.rub += vector(rub[k]);
        }
    }
}

/// Computes normal and distance of a sphere to the pieces of obstacles near it, and which of them
/// touch.
pub(super) fn look_at_walls(sphere: &Sphere, obstacles: &[Obstacle], walls: &mut [Wall]) {
    for group in walls.chunk_by_mut(|a, b| a.obstacle == b.obstacle) {
        look(sphere, &obstacles[group[0].obstacle as usize], group);
    }
}

fn look(sphere: &Sphere, obstacle: &Obstacle, walls: &mut [Wall]) {
    let center = obstacle.pose.to_local(sphere.center());
    let see = |wall: &mut Wall, gap: Gap| {
        wall.touched = wall.touching;
        wall.touching = gap.distance < sphere.radius();
        wall.covered = false;
        wall.share = 1.0;
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
            keep_what_sticks_out(sphere.radius(), walls);
            share_pushes(sphere.radius(), walls);
            hand_over_springs(walls);
        }
    }
}

/// A contact that begins on one triangle while another touched beside it has rolled or slid over an
/// edge: it has the same friction spring. It takes over that of a contact that has ended, and else
/// begins with a copy: the two then share the push.
fn hand_over_springs(walls: &mut [Wall]) {
    for w in 0..walls.len() {
        if walls[w].touching && !walls[w].touched {
            let beside = |other: &Wall| other.touched && other.normal.dot(walls[w].normal) > SAME_SURFACE;
            let ended = |other: &Wall| beside(other) && !other.touching;
            if let Some(other) = walls.iter().position(ended) {
                walls[w].stretch = std::mem::take(&mut walls[other].stretch);
                walls[w].roll = std::mem::take(&mut walls[other].roll);
            } else if let Some(other) = walls.iter().position(|other| beside(other) && other.share < 1.0) {
                (walls[w].stretch, walls[w].roll) = (walls[other].stretch, walls[other].roll);
            }
        }
    }
}

/// Of the pieces of a mesh that touch beside a face, keeps those that stick out: a flat floor of
/// many triangles must feel like one plane.
///
/// A sphere that presses on a surface also reaches past the triangle it presses on, to sides and
/// corners of others. Such a point says nothing new if it lies on or below the tangent plane of a
/// nearer one: with unit normals n and distances d from the centre, d - d' n·n' <= 0.
fn keep_what_sticks_out(radius: f64, walls: &mut [Wall]) {
    for w in 0..walls.len() {
        if !walls[w].touching || walls[w].feature == Feature::Face {
            continue;
        }
        let order = |wall: &Wall, number: usize| (wall.feature != Feature::Face, wall.distance, number);
        let is_covered = |other: usize| {
            let (this, that) = (&walls[w], &walls[other]);
            let sees = that.distance - this.distance * that.normal.dot(this.normal) <= SAME_PLANE * radius;
            that.touching && order(that, other) < order(this, w) && sees
        };
        // All are judged before any is dropped: a piece that is covered still covers others.
        walls[w].covered = (0..walls.len()).any(is_covered);
    }
    for wall in walls {
        wall.touching &= !wall.covered;
    }
}
