//! Convex pieces of solids, as the rigid solver collides them: balls, capsules, boxes, cylinders,
//! hulls.
//!
//! Where two pieces have no closed form of their own, parry finds the contact manifold.

use std::f64::consts::PI;

use glam::{DMat3, DVec3, Mat3, Vec3};
use parry3d_f64::math::Pose as ParryPose;
use parry3d_f64::query::details::NormalConstraints;
use parry3d_f64::query::{
    ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher, PointQuery, TrackedContact,
};
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, Cylinder, SharedShape};
use wide::f32x8;

use super::{Mesh, MeshSurface, Moments, Pose, solid_moments};

/// A convex solid about its own origin.
#[derive(Clone, Debug, PartialEq)]
pub enum Convex {
    /// A ball with this radius \[m\].
    Ball(f64),
    /// Everything within `radius` of the piece of the z axis from -`half` to `half` \[m\].
    Capsule {
        /// Radius \[m\].
        radius: f64,
        /// Half the length without the caps \[m\].
        half: f64,
    },
    /// A box with these half lengths \[m\].
    Box(DVec3),
    /// A cylinder about the z axis from -`half` to `half` \[m\].
    Cylinder {
        /// Radius \[m\].
        radius: f64,
        /// Half the height \[m\].
        half: f64,
    },
    /// The hull of points.
    Hull(Box<Hull>),
}

/// The convex hull of points.
#[derive(Clone, Debug)]
pub struct Hull {
    polyhedron: ConvexPolyhedron,
}

impl PartialEq for Hull {
    fn eq(&self, other: &Self) -> bool {
        self.corners() == other.corners()
    }
}

impl Hull {
    /// The hull of at least four points that do not lie in a plane; none if they do.
    pub fn new(points: &[DVec3]) -> Option<Self> {
        let usable = points.len() >= 4 && points.iter().all(|point| point.is_finite());
        let polyhedron = usable.then(|| ConvexPolyhedron::from_convex_hull(points)).flatten()?;
        let hull = Self { polyhedron };
        (hull.thickness() > Self::FLAT).then_some(hull)
    }

    /// A hull is flat if its thickness is less.
    const FLAT: f64 = 1e-7;

    /// Volume over area over the longest side of its box: a ball inside has a radius of this at
    /// least, of three times this at most \[-\].
    fn thickness(&self) -> f64 {
        let (corners, triangles) = self.triangles();
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = corners.iter().fold(start, |(low, high), c| (low.min(*c), high.max(*c)));
        let (mut volume, mut area) = (0.0, 0.0);
        for [a, b, c] in triangles.iter().map(|triangle| triangle.map(|k| corners[k as usize] - low)) {
            volume += a.dot(b.cross(c)) / 6.0;
            area += 0.5 * (b - a).cross(c - a).length();
        }
        volume / (area * (high - low).max_element())
    }

    /// Its corners \[m\].
    pub fn corners(&self) -> &[DVec3] {
        self.polyhedron.points()
    }

    /// Its corners and its sides, cut into triangles.
    pub(super) fn triangles(&self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        self.polyhedron.to_trimesh()
    }

    /// The normals of its sides.
    fn side_normals(&self) -> impl Iterator<Item = DVec3> {
        self.polyhedron.faces().iter().map(|face| face.normal)
    }

    /// The corners of the side that looks most along a direction, in turn, with their numbers.
    pub(crate) fn side_along(&self, direction: DVec3) -> impl Iterator<Item = (DVec3, u32)> {
        let sides = self.polyhedron.faces().iter();
        let best = sides.max_by(|a, b| a.normal.dot(direction).total_cmp(&b.normal.dot(direction)));
        let corners = best.map_or(&[][..], |face| {
            let first = face.first_vertex_or_edge as usize;
            &self.polyhedron.vertices_adj_to_face()[first..first + face.num_vertices_or_edges as usize]
        });
        corners.iter().map(|&corner| (self.polyhedron.points()[corner as usize], corner))
    }

    fn scaled(&self, size: f64) -> Self {
        let polyhedron = self.polyhedron.clone().scaled(DVec3::splat(size));
        Self { polyhedron: polyhedron.unwrap_or_else(|| unreachable!("a hull keeps its volume at any size")) }
    }
}

impl Convex {
    /// The same, larger by a factor.
    pub(crate) fn scaled(&self, size: f64) -> Self {
        match self {
            Self::Ball(radius) => Self::Ball(size * radius),
            Self::Capsule { radius, half } => Self::Capsule { radius: size * radius, half: size * half },
            Self::Box(half) => Self::Box(size * *half),
            Self::Cylinder { radius, half } => Self::Cylinder { radius: size * radius, half: size * half },
            Self::Hull(hull) => Self::Hull(Box::new(hull.scaled(size))),
        }
    }

    /// The middle and the half lengths of the box that holds it \[m\].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        match self {
            Self::Ball(radius) => (DVec3::ZERO, DVec3::splat(*radius)),
            Self::Capsule { radius, half } => (DVec3::ZERO, DVec3::new(*radius, *radius, radius + half)),
            Self::Box(half) => (DVec3::ZERO, *half),
            Self::Cylinder { radius, half } => (DVec3::ZERO, DVec3::new(*radius, *radius, *half)),
            Self::Hull(hull) => {
                let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                let (low, high) = hull.corners().iter().fold(start, |(low, high), c| (low.min(*c), high.max(*c)));
                (0.5 * (low + high), 0.5 * (high - low))
            }
        }
    }

    /// How far it reaches along a unit vector from its origin \[m\].
    pub(crate) fn extent(&self, along: DVec3) -> f64 {
        match self {
            Self::Ball(radius) => *radius,
            Self::Capsule { radius, half } => radius + half * along.z.abs(),
            Self::Box(half) => half.dot(along.abs()),
            Self::Cylinder { radius, half } => radius * along.truncate().length() + half * along.z.abs(),
            Self::Hull(hull) => hull.corners().iter().map(|corner| corner.dot(along)).fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// Whether a point is in it.
    fn contains(&self, point: DVec3) -> bool {
        match self {
            Self::Ball(radius) => point.length() <= *radius,
            Self::Capsule { radius, half } => (point - DVec3::Z * point.z.clamp(-half, *half)).length() <= *radius,
            Self::Box(half) => point.abs().cmple(*half).all(),
            Self::Cylinder { radius, half } => point.z.abs() <= *half && point.truncate().length() <= *radius,
            Self::Hull(hull) => hull.polyhedron.contains_local_point(point),
        }
    }

    /// Volume, centre and inertia.
    pub fn moments(&self) -> Moments {
        let about = |volume: f64, inertia: DVec3| Moments {
            volume,
            centre: DVec3::ZERO,
            inertia: DMat3::from_diagonal(inertia),
        };
        match *self {
            Self::Ball(radius) => Moments::of_ball(DVec3::ZERO, radius),
            Self::Box(half) => {
                let squares = half * half;
                let volume = 8.0 * half.x * half.y * half.z;
                about(volume, volume / 3.0 * (DVec3::splat(squares.element_sum()) - squares))
            }
            Self::Cylinder { radius, half } => of_rod(radius, half),
            // A cylinder, and half a ball at both ends: its centre is 3/8 r from its flat side.
            Self::Capsule { radius, half } => {
                let rod = of_rod(radius, half);
                let ball = 4.0 / 3.0 * PI * radius.powi(3);
                let (round, far) = (0.4 * radius * radius, half * half + 0.75 * half * radius);
                let caps = ball * (DVec3::splat(round) + far * DVec3::new(1.0, 1.0, 0.0));
                Moments { volume: rod.volume + ball, inertia: rod.inertia + DMat3::from_diagonal(caps), ..rod }
            }
            Self::Hull(ref hull) => {
                let (vertices, triangles) = hull.triangles();
                let mesh = Mesh::new(vertices, triangles);
                mesh.map_or_else(|_| about(0.0, DVec3::ZERO), |mesh| solid_moments(&mesh))
            }
        }
    }
}

/// A cylinder about the z axis.
fn of_rod(radius: f64, half: f64) -> Moments {
    let volume = 2.0 * PI * radius * radius * half;
    let across = radius * radius / 4.0 + half * half / 3.0;
    let inertia = volume * DVec3::new(across, across, radius * radius / 2.0);
    Moments { volume, centre: DVec3::ZERO, inertia: DMat3::from_diagonal(inertia) }
}

/// A convex piece of a body or an obstacle, in its axes.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPart {
    /// The convex solid, about its own origin.
    pub convex: Convex,
    /// Its place in the axes of the whole.
    pub pose: Pose,
}

impl ConvexPart {
    /// Whether it is round where this direction in the axes of the whole leaves it.
    pub(crate) fn is_round(&self, direction: Vec3) -> bool {
        round(&self.convex, &self.pose, direction) > 0.0
    }

    /// Volume, centre and inertia, in the axes of the whole.
    pub fn moments(&self) -> Moments {
        let own = self.convex.moments();
        let turn = DMat3::from_quat(self.pose.orientation);
        Moments { centre: self.pose.to_world(own.centre), inertia: turn * own.inertia * turn.transpose(), ..own }
    }

    /// Whether a point in the axes of the whole is in it.
    pub fn contains(&self, point: DVec3) -> bool {
        self.convex.contains(self.pose.to_local(point))
    }

    /// The mesh it is drawn as, in the axes of the whole, with this many facets around round parts.
    pub fn mesh(&self, segments: u32) -> Mesh {
        let moved = super::model::convex_mesh(&self.convex, segments).map(|vertex| self.pose.to_world(vertex));
        moved.unwrap_or_else(|_| unreachable!("a rigid motion keeps a mesh a mesh"))
    }

    /// Distance of the farthest point from the origin of the whole \[m\].
    pub fn reach(&self) -> f64 {
        // The origin, seen from the part: a part is symmetric about its own, unless it is a hull.
        let away = self.pose.to_local(DVec3::ZERO).abs();
        match &self.convex {
            Convex::Ball(radius) => away.length() + radius,
            Convex::Capsule { radius, half } => (away + DVec3::new(0.0, 0.0, *half)).length() + radius,
            Convex::Box(half) => (away + *half).length(),
            Convex::Cylinder { radius, half } => (away.truncate().length() + radius).hypot(away.z + half),
            Convex::Hull(hull) => {
                hull.corners().iter().map(|&corner| self.pose.to_world(corner).length()).fold(0.0, f64::max)
            }
        }
    }
}

/// A cylinder lies on its side if the normal leans less than this along its axis.
const ON_ITS_SIDE: f32 = 0.02;

/// A convex piece, and its twin as a parry shape.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) convex: Convex,
    /// Where it is in the whole.
    pub(crate) pose: Pose,
    /// The middle and the half lengths of the box that holds it, in its own axes \[m\].
    pub(crate) middle: DVec3,
    pub(crate) half: DVec3,
    /// The same box in the axes of the whole: its middle, and its sides from there.
    centre: Vec3,
    sides: Mat3,
    /// The corners of a hull in the axes of the whole, eight at a time.
    corners: Vec<[f32x8; 3]>,
    /// The normals, in its own axes, of its flat sides that have more than four corners or are
    /// round.
    wide_sides: Vec<DVec3>,
    twin: SharedShape,
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Piece").field("convex", &self.convex).field("pose", &self.pose).finish_non_exhaustive()
    }
}

impl Piece {
    pub(crate) fn new(part: &ConvexPart, size: f64) -> Self {
        let convex = part.convex.scaled(size);
        let twin = match &convex {
            Convex::Ball(radius) => SharedShape::new(Ball::new(*radius)),
            Convex::Capsule { radius, half } => SharedShape::new(Capsule::new_z(*half, *radius)),
            Convex::Box(half) => SharedShape::new(Cuboid::new(*half)),
            Convex::Cylinder { radius, half } => SharedShape::new(Cylinder::new(*half, *radius)),
            Convex::Hull(hull) => SharedShape::new(hull.polyhedron.clone()),
        };
        let pose = Pose { position: size * part.pose.position, ..part.pose };
        let (middle, half) = convex.bounds();
        let centre = pose.to_world(middle).as_vec3();
        let sides = (DMat3::from_quat(pose.orientation) * DMat3::from_diagonal(half)).as_mat3();
        let corners = match &convex {
            Convex::Hull(hull) => {
                let corners: Vec<Vec3> = hull.corners().iter().map(|corner| pose.to_world(*corner).as_vec3()).collect();
                // The last corner is repeated to fill eight lanes.
                let lane = |eight: &[Vec3], axis: usize| {
                    f32x8::new(std::array::from_fn(|k| eight[k.min(eight.len() - 1)][axis]))
                };
                corners.chunks(8).map(|eight| [0, 1, 2].map(|axis| lane(eight, axis))).collect()
            }
            _ => Vec::new(),
        };
        let wide_sides = match &convex {
            Convex::Hull(hull) => {
                let faces = hull.polyhedron.faces().iter().filter(|face| face.num_vertices_or_edges > 4);
                faces.map(|face| face.normal).collect()
            }
            Convex::Cylinder { .. } => vec![DVec3::Z, DVec3::NEG_Z],
            _ => Vec::new(),
        };
        Self { convex, pose, middle, half, centre, sides, corners, wide_sides, twin }
    }

    /// From the axes of its twin to its own: parry's cylinders stand along y.
    fn stand(&self) -> ParryPose {
        match self.convex {
            Convex::Cylinder { .. } => ParryPose::rotation(DVec3::new(0.5 * PI, 0.0, 0.0)),
            _ => ParryPose::identity(),
        }
    }

    /// Support distance along a direction in the axes of the whole, from their origin \[m\]: exact
    /// for hulls, that of the bounding box, an upper bound, for others.
    pub(crate) fn reach_along(&self, direction: Vec3) -> f32 {
        let Some(&first) = self.corners.first() else {
            return self.centre.dot(direction) + self.sides.transpose().mul_vec3(direction).abs().element_sum();
        };
        let [dx, dy, dz] = direction.to_array().map(f32x8::splat);
        let along = |[x, y, z]: [f32x8; 3]| x * dx + y * dy + z * dz;
        let most = self.corners[1..].iter().fold(along(first), |most, eight| most.fast_max(along(*eight)));
        most.to_array().into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// The normals of its flat sides, in its own axes.
    pub(crate) fn side_normals(&self) -> impl Iterator<Item = DVec3> {
        const AXES: [DVec3; 6] = [DVec3::Z, DVec3::NEG_Z, DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y];
        let (axes, hull) = match &self.convex {
            Convex::Box(_) => (&AXES[..], None),
            Convex::Cylinder { .. } => (&AXES[..2], None),
            Convex::Hull(hull) => (&[][..], Some(hull)),
            Convex::Ball(_) | Convex::Capsule { .. } => (&[][..], None),
        };
        axes.iter().copied().chain(hull.into_iter().flat_map(|hull| hull.side_normals()))
    }

    /// The normals, in its own axes, of its flat sides that have more than four corners or are
    /// round.
    pub(crate) fn wide_sides(&self) -> &[DVec3] {
        &self.wide_sides
    }

    /// Radius of curvature where this direction in the axes of the whole leaves it \[m\]; zero
    /// where it is flat, has edges, or is round about no axis.
    pub(crate) fn round(&self, direction: Vec3) -> f32 {
        round(&self.convex, &self.pose, direction)
    }

    /// Radius of a ball that holds it \[m\].
    pub(crate) fn radius(&self) -> f64 {
        self.half.length()
    }
}

fn round(convex: &Convex, pose: &Pose, direction: Vec3) -> f32 {
    match convex {
        Convex::Ball(radius) | Convex::Capsule { radius, .. } => *radius as f32,
        Convex::Cylinder { radius, .. } => {
            let axis = (pose.orientation * DVec3::Z).as_vec3();
            if axis.dot(direction).abs() < ON_ITS_SIDE { *radius as f32 } else { 0.0 }
        }
        Convex::Box(_) | Convex::Hull(_) => 0.0,
    }
}

/// A contact point of two pieces that touch or nearly do, in the axes of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ManifoldPoint {
    /// The point on the first.
    pub(crate) on_a: DVec3,
    /// The point on the second.
    pub(crate) on_b: DVec3,
    /// Feature id: the same number for the same pair of features.
    pub(crate) feature: u32,
}

/// A corner of a flat side, clipped or not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    pub(crate) at: DVec3,
    /// The same number for the same corner.
    pub(crate) feature: u32,
}

/// Contact manifold of two pieces; without points if they are apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifold {
    /// Contact normal from the first to the second, in the axes of the first. Without points, a
    /// separating axis, or zero.
    pub(crate) normal: DVec3,
    pub(crate) points: Vec<ManifoldPoint>,
    /// Scratch memory for sides that are clipped against each other, and for points to go back to.
    pub(crate) corners: [Vec<Corner>; 3],
    pub(crate) kept: Vec<ManifoldPoint>,
    parry: ContactManifold<(), ()>,
}

impl Manifold {
    /// Finds by parry the manifold of two pieces within `reach` \[m\] of each other; `b_in_a` is
    /// the pose of the second in the axes of the first. `hint` is the previous normal, or zero: a
    /// good first direction for the search.
    pub(crate) fn find(&mut self, a: &Piece, b: &Piece, b_in_a: &Pose, hint: DVec3, reach: f64) {
        self.points.clear();
        self.normal = hint;
        let (turn_a, turn_b) = (a.stand(), b.stand());
        let place = parry(b_in_a);
        let between = turn_a.inverse() * place * turn_b;
        let manifold = &mut self.parry;
        manifold.clear();
        (manifold.local_n1, manifold.local_n2) = (turn_a.rotation.inverse() * hint, DVec3::ZERO);
        let (twin_a, twin_b) = (&*a.twin.0, &*b.twin.0);
        let found = DefaultQueryDispatcher
            .contact_manifold_convex_convex(&between, twin_a, twin_b, None, None, reach, manifold);
        debug_assert!(found.is_ok());
        self.normal = turn_a.rotation * manifold.local_n1;
        let touch = |point: &TrackedContact<()>| ManifoldPoint {
            on_a: turn_a * point.local_p1,
            on_b: place * (turn_b * point.local_p2),
            feature: feature(point),
        };
        self.points.extend(manifold.points.iter().filter(|point| point.dist < reach).map(touch));
    }

    /// Finds the manifold of a piece and a triangle of a mesh, whose pose in the axes of the piece
    /// is `mesh_in_a`.
    pub(crate) fn find_triangle(&mut self, a: &Piece, mesh: &MeshSurface, number: u32, mesh_in_a: &Pose, reach: f64) {
        self.points.clear();
        let (triangle, normals) = mesh.triangle(number);
        let (turn, place) = (a.stand(), parry(mesh_in_a));
        let between = place.inverse() * turn;
        let manifold = &mut self.parry;
        manifold.clear();
        (manifold.local_n1, manifold.local_n2) = (DVec3::ZERO, DVec3::ZERO);
        let normals = normals.as_ref().map(|normals| normals as &dyn NormalConstraints);
        let found = DefaultQueryDispatcher
            .contact_manifold_convex_convex(&between, &triangle, &*a.twin.0, normals, None, reach, manifold);
        debug_assert!(found.is_ok());
        self.normal = place.rotation * -manifold.local_n1;
        let touch = |point: &TrackedContact<()>| ManifoldPoint {
            on_a: turn * point.local_p2,
            on_b: place * point.local_p1,
            feature: feature(point),
        };
        self.points.extend(manifold.points.iter().filter(|point| point.dist < reach).map(touch));
        if self.points.is_empty() {
            self.normal = DVec3::ZERO;
        }
    }
}

fn parry(pose: &Pose) -> ParryPose {
    ParryPose::from_parts(pose.position, pose.orientation)
}

fn feature(point: &TrackedContact<()>) -> u32 {
    point.fid1.0.rotate_left(16) ^ point.fid2.0
}
