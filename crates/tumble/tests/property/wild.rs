//! Input that no sane caller would give: numbers that go wrong, names of nothing, and the values
//! made of these.

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use tumble::detail::{DetailSettings, Kernel};
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{HopperSection, Model};
use tumble::granular::{Control, Granular, Integrator, Law, Stiction};
use tumble::rigid::Rigid;
use tumble::world::{BodyId, Key, Material, MaterialId, Motion, NewBody, Path, Pose, ShapeId};
use tumble::{Frame, FrameBody, FramePose, Solver};

/// Numbers that go wrong, and some that do not.
pub(crate) fn wild() -> impl Strategy<Value = f64> {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0, 1e300, -1e300, 1e-300, 1e16, f64::MAX];
    prop_oneof![4 => 0.01..1.0f64, 1 => prop::sample::select(odd.to_vec()), 1 => any::<f64>()]
}

pub(crate) fn wild_vector() -> impl Strategy<Value = DVec3> {
    [wild(), wild(), wild()].prop_map(DVec3::from_array)
}

pub(crate) fn wild_turn() -> impl Strategy<Value = DQuat> {
    let any = [wild(), wild(), wild(), wild()].prop_map(DQuat::from_array);
    prop_oneof![3 => Just(DQuat::IDENTITY), 1 => any]
}

pub(crate) fn wild_pose() -> impl Strategy<Value = Pose> {
    (wild_vector(), wild_turn()).prop_map(|(position, orientation)| Pose { position, orientation })
}

pub(crate) fn wild_motion() -> impl Strategy<Value = Motion> {
    (wild_vector(), wild_vector()).prop_map(|(velocity, spin)| Motion { velocity, spin })
}

/// Numbers of things that there are, and of things that there are not.
pub(crate) fn wild_number() -> impl Strategy<Value = u32> {
    prop_oneof![3 => 0u32..3, 1 => any::<u32>()]
}

pub(crate) fn wild_id() -> impl Strategy<Value = BodyId> {
    (wild_number(), prop_oneof![3 => Just(0), 1 => any::<u32>()])
        .prop_map(|(index, generation)| BodyId { index, generation })
}

pub(crate) fn wild_path() -> impl Strategy<Value = Path> {
    let keys = prop::collection::vec((wild(), wild_pose()), 0..4);
    prop_oneof![
        wild_pose().prop_map(Path::Fixed),
        (wild_pose(), wild_motion()).prop_map(|(pose, motion)| Path::Constant(pose, motion)),
        keys.prop_map(|keys| Path::Keys(keys.into_iter().map(|(time, pose)| Key { time, pose }).collect())),
    ]
}

pub(crate) fn wild_body() -> impl Strategy<Value = NewBody> {
    (wild_number(), wild_number(), wild(), wild_pose(), wild_motion()).prop_map(
        |(shape, material, size, pose, motion)| NewBody {
            shape: ShapeId(shape),
            material: MaterialId(material),
            size,
            pose,
            motion,
        },
    )
}

pub(crate) fn wild_material() -> impl Strategy<Value = Material> {
    (prop::array::uniform9(wild())).prop_map(
        |[density, youngs_modulus, poisson_ratio, stiffness, restitution, friction, rolling_friction, k_r, k_d]| {
            Material {
                name: "odd".into(),
                density,
                youngs_modulus,
                poisson_ratio,
                stiffness,
                restitution,
                friction,
                rolling_friction,
                k_r,
                k_d,
            }
        },
    )
}

pub(crate) fn wild_integrator() -> impl Strategy<Value = Integrator> {
    let control = || {
        (wild(), prop::option::of(wild()), wild(), any::<bool>())
            .prop_map(|(tolerance, smallest, largest, sequential)| Control { tolerance, smallest, largest, sequential })
    };
    prop_oneof![
        Just(Integrator::Verlet),
        Just(Integrator::SymplecticEuler),
        control().prop_map(Integrator::Rkf45),
        control().prop_map(Integrator::Rk23),
    ]
}

pub(crate) fn wild_solver() -> impl Strategy<Value = Solver> {
    let granular = (prop::option::of(wild()), wild(), wild(), wild_integrator()).prop_map(
        |(skin, sliding, turning, integrator)| {
            Solver::Granular(Granular {
                skin,
                stiction: Some(Stiction { sliding, turning }),
                integrator,
                ..Granular::new(Law::HERTZ)
            })
        },
    );
    let rigid =
        (any::<u32>(), any::<bool>()).prop_map(|(substeps, sleeping)| Solver::Rigid(Rigid { substeps, sleeping }));
    prop_oneof![2 => Just(Solver::from(Law::LINEAR)), 2 => Just(Solver::from(Rigid::DEFAULT)), 1 => granular, 1 => rigid]
}

pub(crate) fn wild_emitter() -> impl Strategy<Value = Emitter> {
    let place = prop_oneof![
        (wild_path(), wild()).prop_map(|(path, spread)| Place::Point { path, spread }),
        (wild_vector(), wild_vector(), prop::option::of(wild())).prop_map(|(low, high, spacing)| Place::Region {
            region: Region::Box { low, high },
            pattern: Pattern::Lattice(spacing),
        }),
    ];
    let when = prop_oneof![
        wild().prop_map(When::AtOnce),
        (wild(), wild()).prop_map(|(per_second, start)| When::Rate { per_second, start })
    ];
    (wild_number(), wild_number(), [wild(), wild()], when, place, wild_turn(), wild_motion(), [wild(), wild(), wild()])
        .prop_map(|(shape, material, size, when, place, orientation, motion, [position, velocity, spin])| Emitter {
            size,
            when,
            orientation,
            motion,
            jitter: Jitter { position, velocity, spin, orientation: true },
            ..Emitter::new("odd", ShapeId(shape), MaterialId(material), 3, place)
        })
}

pub(crate) fn wild_model() -> impl Strategy<Value = Model> {
    let section = prop_oneof![Just(HopperSection::Round), Just(HopperSection::Square)];
    (0..23, wild_vector(), [wild(), wild(), wild()], wild(), any::<bool>(), section).prop_map(
        |(kind, lengths, [a, b, c], d, rounded, section)| match kind {
            0 => Model::Ring { radius: a, tube: b },
            1 => Model::Ball { radius: a },
            2 => Model::Cylinder { radius: a, height: b },
            3 => Model::Pole { radius: a, height: b, rounded },
            4 => Model::Block { lengths },
            5 => Model::LBlock { lengths, arm: a },
            6 => Model::OBlock { lengths, arm: a },
            7 => Model::Cross { lengths, arm: a },
            8 => Model::Tetrahedron { edge: a },
            9 => Model::Stick { radius: a, length: b },
            10 => Model::Book { lengths },
            11 => Model::Chair { height: a },
            12 => Model::Cart { length: a },
            13 => Model::Tyre { radius: a, hole: b, width: c },
            14 => Model::Banana { length: a },
            15 => Model::Figure { height: a },
            16 => Model::Rabbit { height: a },
            17 => Model::Slope { height: a, angle: b, width: c, flat: d, wall: lengths.x },
            18 => Model::Blade { radius: a, width: b, height: c, wall: d },
            19 => Model::Container { lengths, wall: a },
            20 => Model::Tube { radius: a, height: b, wall: c },
            21 => Model::Hopper { section, outlet: a, top: b, angle: c, bin: d, wall: lengths.x },
            _ => Model::Hourglass { neck: a, bulb: b, height: c, wall: d },
        },
    )
}

/// Settings of particles of which a few are wild.
pub(crate) fn wild_detail() -> impl Strategy<Value = DetailSettings> {
    let counts = || prop_oneof![4 => 1u32..9, 1 => prop::sample::select(vec![0, 1_000_001, u32::MAX])];
    let kernel = prop_oneof![Just(Kernel::Printed), Just(Kernel::Smooth)];
    let some = (any::<u64>(), [counts(), counts(), counts(), counts()], kernel, any::<bool>());
    (some, 0..9, [wild(), wild()], [wild_vector(), wild_vector()]).prop_map(
        |((seed, [count, interpolations, steps, least_carriers], kernel, refill), broken, [x, y], [a, b])| {
            let usual = DetailSettings {
                count,
                seed,
                interpolations,
                steps,
                least_carriers,
                kernel,
                refill,
                // Cells as small as the smallest particle may take seconds.
                cell: Some(0.01),
                ..DetailSettings::default()
            };
            // One thing at a time is broken: two hide each other.
            match broken {
                0 => DetailSettings { influence: x, ..usual },
                1 => DetailSettings { jitter: x, ..usual },
                2 => DetailSettings { touch: x, ..usual },
                3 => DetailSettings { gravity: a, wind: b, ..usual },
                4 => DetailSettings { drag: x, ..usual },
                5 => DetailSettings { friction: x, restitution: y, ..usual },
                6 => DetailSettings { cell: Some(if (0.0..0.01).contains(&x) { 0.0 } else { x }), ..usual },
                7 => DetailSettings { bounds: Some((a, b)), ..usual },
                _ => usual,
            }
        },
    )
}

/// A frame that a recording might hold: bodies and obstacles anywhere, of shapes that there are or
/// not, in any order.
pub(crate) fn wild_frame() -> impl Strategy<Value = Frame> {
    let body =
        (wild_id(), wild_number(), wild(), wild_pose(), wild_motion()).prop_map(|(id, shape, size, pose, motion)| {
            FrameBody {
                id,
                shape: ShapeId(shape),
                material: MaterialId(shape),
                size: size as f32,
                position: pose.position.as_vec3().to_array(),
                orientation: pose.orientation.as_quat().to_array(),
                velocity: motion.velocity.as_vec3().to_array(),
                ..FrameBody::default()
            }
        });
    let obstacle = wild_pose().prop_map(|pose| FramePose {
        position: pose.position.as_vec3().to_array(),
        orientation: pose.orientation.as_quat().to_array(),
    });
    (any::<i64>(), wild(), prop::collection::vec(body, 0..6), prop::collection::vec(obstacle, 0..4))
        .prop_map(|(number, time, bodies, obstacles)| Frame { number, time, bodies, obstacles, ..Frame::default() })
}
