//! The contact stage: for every pair and wall in the list, does it touch, and what does it do?
//!
//! Reads spheres, obstacles, the pair table; writes one row a pair, the sum of each sphere's walls, and the friction
//! springs. Each block of spheres writes only what it owns, so blocks run on any thread with the same result.
//!
//! Pairs are computed four at a time, those that do not touch along with those that do: the law is a long chain of square
//! roots and divisions, and which pairs of a list touch is a coin toss that no processor foresees.

use glam::DVec3;
use rayon::prelude::*;

use super::lanes::{LANES, Numbers, Vectors};
use super::law::{Coefficients, Normal, Touch, touch};
use crate::contact::{BLOCK, Block, Feature, Gap, Neighbours, Row, Sphere, Spheres, Wall};
use crate::contact::{closest_on_triangle, sphere_box, sphere_plane};
use crate::geometry::{MeshSurface, Surface};
use crate::world::Obstacle;

/// Cosine of the largest angle between two triangles that count as one surface for friction: 18°.
const SAME_SURFACE: f64 = 0.95;

/// What the contact loop reads.
pub(crate) struct Scene<'a> {
    pub(crate) spheres: &'a Spheres,
    pub(crate) obstacles: &'a [Obstacle],
    /// Row-major.
    pub(crate) pairs: &'a [Coefficients],
    /// Number of materials.
    pub(crate) materials: usize,
    /// Step \[s\].
    pub(crate) dt: f64,
}

impl Scene<'_> {
    /// The coefficients of two materials.
    #[inline(always)]
    fn pair(&self, a: u32, b: u32) -> &Coefficients {
        &self.pairs[a as usize * self.materials + b as usize]
    }
}

/// Computes all contacts; `from_walls` receives what obstacles do to each sphere.
pub(crate) fn contacts<N: Normal>(scene: &Scene<'_>, neighbours: &mut Neighbours, from_walls: &mut [Row]) {
    let blocks = neighbours.blocks.par_iter_mut().zip(from_walls.par_chunks_mut(BLOCK));
    blocks.enumerate().for_each(|(b, (block, from_walls))| {
        let first = b * BLOCK;
        touch_spheres::<N>(scene, first, block);
        for (k, sum) in from_walls.iter_mut().enumerate() {
            *sum = touch_walls::<N>(scene, first, block, k);
        }
    });
}

/// Computes the pairs of a block, four at a time; those that do not touch do nothing and forget.
fn touch_spheres<N: Normal>(scene: &Scene<'_>, first: usize, block: &mut Block) {
    let Block { first_of, partner, stretch, rows, .. } = block;
    let pairs = first_of.chunks(LANES).zip(partner.chunks(LANES));
    for ((a, b), (stretch, rows)) in pairs.zip(stretch.chunks_mut(LANES).zip(rows.chunks_mut(LANES))) {
        // The last group may be short; its last pair then fills the lanes that are left.
        let lane = |k: usize| k.min(a.len() - 1);
        let a: [usize; LANES] = std::array::from_fn(|k| first + a[lane(k)] as usize);
        let b: [usize; LANES] = std::array::from_fn(|k| b[lane(k)] as usize);
        let (place_a, place_b) = (a.map(|s| &scene.spheres.place[s]), b.map(|s| &scene.spheres.place[s]));
        let apart = Vectors::new(place_b.map(|s| &s.center)) - Vectors::new(place_a.map(|s| &s.center));
        let radius_a = Numbers::new(place_a.map(|s| s.radius));
        let radius_b = Numbers::new(place_b.map(|s| s.radius));
        let (reach, squared) = (radius_a + radius_b, apart.length_squared());
        let touching = squared.simd_lt(reach * reach);
        if !touching.any() {
            stretch.fill(DVec3::ZERO);
            rows.fill(Row::default());
            continue;
        }

        let (a, b) = (a.map(|s| &scene.spheres.carried[s]), b.map(|s| &scene.spheres.carried[s]));
        let (mass_a, mass_b) = (Numbers::new(a.map(|s| s.mass)), Numbers::new(b.map(|s| s.mass)));
        let inverse_reach = Numbers::ONE / reach;
        // Two centres in one place have no direction; they get no force rather than a NaN, and are reported as an overlap.
        let distance = squared.sqrt().fast_max(Numbers::splat(f64::MIN_POSITIVE));
        let normal = apart * (Numbers::ONE / distance);
        // The contact point divides the line of centres like the radii, so that the two levers add up to the distance
        // and angular momentum is conserved.
        let lever = distance * inverse_reach;
        let rolling = Vectors::new(a.map(|s| &s.spin)) * radius_a + Vectors::new(b.map(|s| &s.spin)) * radius_b;
        let passing = Vectors::new(a.map(|s| &s.velocity)) - Vectors::new(b.map(|s| &s.velocity));
        let t = Touch {
            normal,
            overlap: (reach - distance).fast_max(Numbers::ZERO),
            velocity: passing + rolling.cross(normal) * lever,
            radius: radius_a * radius_b * inverse_reach,
            mass: mass_a * mass_b / (mass_a + mass_b),
        };
        let c: [&Coefficients; LANES] = std::array::from_fn(|k| scene.pair(a[k].material, b[k].material));
        let mut spring = Vectors::new(std::array::from_fn(|k| &stretch[lane(k)]));
        let (push, shear) = touch::<N>(&t, &Coefficients::new(c), &mut spring, scene.dt);

        let force = (push + shear).only(touching).lanes();
        let torque = (normal.cross(shear) * lever).only(touching).lanes();
        for (row, (force, torque)) in rows.iter_mut().zip(force.into_iter().zip(torque)) {
            *row = Row { force, torque };
        }
        for (stretch, spring) in stretch.iter_mut().zip(spring.only(touching).lanes()) {
            *stretch = spring;
        }
    }
}

/// Computes what obstacles do to the block's sphere `k`. Few spheres touch one, so a contact may have all lanes to itself.
fn touch_walls<N: Normal>(scene: &Scene<'_>, first: usize, block: &mut Block, k: usize) -> Row {
    let mut sum = Row::default();
    let walls = block.walls_of(k);
    let walls = &mut block.walls[walls];
    let (place, a) = (&scene.spheres.place[first + k], &scene.spheres.carried[first + k]);
    look_at_walls(place, scene.obstacles, walls);
    for wall in walls {
        if !wall.touching {
            wall.stretch = DVec3::ZERO;
            continue;
        }
        let obstacle = &scene.obstacles[wall.obstacle as usize];
        // The lever is the whole radius, so that a ball rolls at v = R w however soft it is.
        let arm = -place.radius * wall.normal;
        let t = Touch {
            normal: Vectors::splat(-wall.normal),
            overlap: Numbers::splat(place.radius - wall.distance),
            velocity: Vectors::splat(a.velocity + a.spin.cross(arm) - obstacle.velocity_at(place.center + arm)),
            // An obstacle has no curvature and no motion of its own to give.
            radius: Numbers::splat(place.radius),
            mass: Numbers::splat(a.mass),
        };
        let c = Coefficients::new([scene.pair(a.material, obstacle.material); LANES]);
        let mut stretch = Vectors::splat(wall.stretch);
        let (push, shear) = touch::<N>(&t, &c, &mut stretch, scene.dt);
        wall.stretch = stretch.lanes()[0];
        let (push, shear) = (push.lanes()[0], shear.lanes()[0]);
        sum.force += push + shear;
        // Per unit of the sphere's radius, like a row.
        sum.torque -= wall.normal.cross(shear);
    }
    sum
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
