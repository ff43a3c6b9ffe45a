//! Whether what a caller gives can be part of a world: ids that exist, numbers with which a step
//! can be computed.
//!
//! A step cannot fail, so everything is looked at before: when something is added, and once more
//! when a simulation begins, since the lists of a [`World`] can be changed by anybody.

use glam::{DQuat, DVec3};

use super::{End, Material, Materials, Motion, NewBody, Obstacle, Pair, Path, Pose, Shape, World, WorldProblem};
use crate::geometry::{Convex, ConvexPart, Surface};

/// No place, velocity or spin is larger, in metres and seconds: farther away nothing can be told
/// apart.
pub(crate) const FARTHEST: f64 = 1e15;

/// Lengths that shapes can have \[m\], and sizes of bodies \[-\].
pub(crate) const LENGTHS: std::ops::Range<f64> = 1e-12..1e12;
const SIZES: std::ops::Range<f64> = 1e-9..1e9;

type Checked = Result<(), WorldProblem>;

/// Reports that something of `of` is not as it must be, unless it `holds`.
pub(crate) fn must(holds: bool, of: impl Fn() -> String, what: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(WorldProblem::Unusable { of: of(), what }) }
}

pub(crate) fn is_near(v: DVec3) -> bool {
    v.abs().cmplt(DVec3::splat(FARTHEST)).all()
}

pub(crate) fn is_turn(orientation: DQuat) -> bool {
    (0.25..4.0).contains(&orientation.length_squared())
}

fn is_pose(pose: &Pose) -> bool {
    is_near(pose.position) && is_turn(pose.orientation)
}

pub(crate) fn is_motion(motion: &Motion) -> bool {
    is_near(motion.velocity) && is_near(motion.spin)
}

/// A body that is to be added.
pub(crate) fn body(body: &NewBody) -> Checked {
    let of = || "a body".to_string();
    must(SIZES.contains(&body.size), of, "its size must be between 1e-9 and 1e9")?;
    must(is_pose(&body.pose), of, "its pose must be finite and its orientation of length one")?;
    must(is_motion(&body.motion), of, "its velocity and spin must be finite")
}

/// An obstacle that is to be added.
pub(crate) fn obstacle(obstacle: &Obstacle, materials: &Materials) -> Checked {
    let of = || format!("obstacle `{}`", obstacle.name);
    materials.check(obstacle.material)?;
    path(&obstacle.path, of)?;
    must(is_pose(&obstacle.pose) && is_motion(&obstacle.motion), of, "it must be in a finite place")?;
    let is_solid = match &obstacle.surface {
        Surface::Plane | Surface::Mesh(_) => true,
        Surface::Box(half) => half.to_array().iter().all(|length| LENGTHS.contains(length)),
    };
    must(is_solid, of, "its lengths must be above zero and finite")?;
    let is_sphere = obstacle.cover.iter().all(|s| is_near(s.offset) && LENGTHS.contains(&s.radius));
    must(is_sphere, of, "its spheres need a place and a radius")?;
    must(obstacle.parts.iter().all(is_part), of, "its parts need a place and lengths above zero")
}

/// A path of an obstacle or an emitter.
pub(crate) fn path(path: &Path, of: impl Fn() -> String) -> Checked {
    match path {
        Path::Fixed(pose) => must(is_pose(pose), of, "its path must be in a finite place"),
        Path::Constant(pose, motion) => must(is_pose(pose) && is_motion(motion), of, "its path must be finite"),
        Path::Keys(keys) => {
            must(!keys.is_empty(), &of, "its path has no keys")?;
            must(keys.iter().all(|key| is_pose(&key.pose) && key.time.is_finite()), &of, "its path must be finite")?;
            must(keys.is_sorted_by(|a, b| a.time < b.time), &of, "the times of its path must increase")
        }
    }
}

pub(crate) fn is_part(part: &ConvexPart) -> bool {
    let is_length = |length: &f64| LENGTHS.contains(length);
    let is_solid = match &part.convex {
        Convex::Ball(radius) => is_length(radius),
        Convex::Capsule { radius, half } => is_length(radius) && (*half == 0.0 || is_length(half)),
        Convex::Cylinder { radius, half } => is_length(radius) && is_length(half),
        Convex::Box(half) => half.to_array().iter().all(is_length),
        Convex::Hull(_) => true,
    };
    is_solid && is_pose(&part.pose)
}

/// A kind of bodies.
fn shape(shape: &Shape) -> Checked {
    let of = || format!("shape `{}`", shape.name);
    let lengths = [shape.bounding_radius, shape.diameter];
    must(lengths.iter().all(|length| LENGTHS.contains(length)), of, "it must have a size above zero")?;
    let masses = [shape.volume, shape.moments.x, shape.moments.y, shape.moments.z];
    must(masses.iter().all(|mass| *mass > 0.0 && mass.is_finite()), of, "it must have a volume and moments")?;
    must(is_near(shape.centre) && is_turn(shape.axes), of, "its centre and axes must be finite")?;
    let is_sphere = shape.spheres.iter().all(|s| is_near(s.offset) && LENGTHS.contains(&s.radius));
    must(is_sphere, of, "its spheres need a place and a radius")?;
    must(shape.parts.iter().all(is_part), of, "its parts need a place and lengths above zero")?;
    must(!shape.spheres.is_empty() || !shape.parts.is_empty(), of, "it has neither spheres nor parts")
}

fn material(material: &Material) -> Checked {
    let of = || format!("material `{}`", material.name);
    let Material { density, youngs_modulus, stiffness, k_r, k_d, poisson_ratio, .. } = *material;
    must(density > 0.0 && density.is_finite(), of, "its density must be above zero and finite")?;
    must([youngs_modulus, stiffness, k_r].iter().all(|&k| k > 0.0), of, "its stiffness must be above zero")?;
    must(k_d >= 0.0 && k_d.is_finite(), of, "its damping cannot be negative")?;
    must((-1.0..=0.5).contains(&poisson_ratio), of, "its Poisson ratio must be between -1 and 0.5")?;
    let &Material { restitution, friction, rolling_friction, .. } = material;
    pair(&Pair { restitution, friction, rolling_friction }, of)
}

fn pair(pair: &Pair, of: impl Fn() -> String) -> Checked {
    must((0.0..=1.0).contains(&pair.restitution), &of, "its restitution must be between 0 and 1")?;
    let is_friction = |friction: f64| friction >= 0.0 && friction.is_finite();
    must(is_friction(pair.friction) && is_friction(pair.rolling_friction), of, "its friction cannot be negative")
}

/// All of a world.
pub(crate) fn world(world: &World) -> Checked {
    let of = || "the world".to_string();
    must(is_near(world.gravity), of, "its gravity must be finite")?;
    must(world.drag >= 0.0 && world.drag < FARTHEST, of, "its drag must be finite and not negative")?;
    world.materials.list().iter().try_for_each(material)?;
    world.materials.pairs().iter().try_for_each(|of_two| pair(of_two, || "a pair of materials".into()))?;
    world.shapes.iter().try_for_each(shape)?;
    world.obstacles.iter().try_for_each(|each| obstacle(each, &world.materials))?;

    let bodies = &world.bodies;
    let counts = [bodies.motion.len(), bodies.wrench.len(), bodies.rest.len(), bodies.grip.len(), bodies.inertia.len()];
    must(
        counts.iter().chain([&bodies.traits.len()]).all(|&count| count == bodies.pose.len()),
        of,
        "each column needs an entry per body",
    )?;
    for (row, traits) in bodies.traits.iter().enumerate() {
        must(bodies.row(traits.id) == Some(row), of, "ids and rows of bodies do not belong together")?;
        world.shape(traits.shape)?;
        world.materials.check(traits.material)?;
        let (pose, motion) = (bodies.pose[row], bodies.motion[row]);
        let (shape, material, size) = (traits.shape, traits.material, traits.size);
        body(&NewBody { shape, material, size, pose, motion })?;
    }
    for joint in world.joints.iter() {
        if let End::Obstacle(id) = joint.what.to {
            world.obstacles.get(id.index()).ok_or(WorldProblem::NoObstacle(id))?;
        }
    }
    Ok(())
}
