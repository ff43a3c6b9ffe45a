//! Bodies with given pose and motion, one by one or in a grid.

use glam::DVec3;
use tumble::world::{Motion, NewBody, Pose, World};

use super::{material_of, memory, rotation, shape_of, spin};
use crate::findings::Findings;
use crate::spec::{BodySpec, SceneSpec};

/// Adds all bodies to the world.
pub(super) fn compile(spec: &SceneSpec, world: &mut World, findings: &mut Findings) {
    for (at, body) in spec.bodies.iter().enumerate() {
        if !findings.is_clean(&format!("body[{at}]")) {
            continue;
        }
        let id = shape_of(&spec.shapes, body.shape.as_ref());
        let shape = &world.shapes[id.index()];
        let needed = memory::of_many(shape, body.count());
        if let Some(free) = memory::available().filter(|&free| body.count() > 1 && needed > free) {
            let [needed, free] = [needed, free].map(|bytes| 1e-9 * bytes as f64);
            let count = body.count();
            let what = format!("{count} bodies take about {needed:.1} GB of memory, and {free:.1} GB are free");
            findings.at(format!("body[{at}].grid"), what, "lower the counts");
            continue;
        }
        let given = Pose { position: body.position, orientation: rotation(body.rotation) };
        let first = NewBody {
            shape: id,
            material: material_of(&spec.materials, body.material.as_ref()),
            size: body.size,
            pose: shape.placed(given, body.size),
            motion: Motion { velocity: body.velocity, spin: spin(body.spin) },
        };
        for place in places(body) {
            let pose = Pose { position: first.pose.position + given.orientation * place, ..first.pose };
            if let Err(problem) = world.add_centred(NewBody { pose, ..first }) {
                findings.at(format!("body[{at}].position"), problem.to_string(), "put it nearer to the origin");
            }
        }
    }
}

/// Places of the bodies of a grid, from the first, along the axes of the body; x runs fastest.
fn places(body: &BodySpec) -> impl Iterator<Item = DVec3> {
    let spacing = body.spacing.unwrap_or_default();
    let [x, y, z] = body.grid.map(|count| 0..count);
    let place = move |x: i64, y: i64, z: i64| spacing * DVec3::new(x as f64, y as f64, z as f64);
    z.flat_map(move |z| y.clone().map(move |y| (y, z))).flat_map(move |(y, z)| x.clone().map(move |x| place(x, y, z)))
}
