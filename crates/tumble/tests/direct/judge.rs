//! A pile judged by instruments that no director reads, and by what stays of it when it is let go.

use glam::DVec3;
use tumble::measure::{Support, silhouette, single_balls};
use tumble::rigid::Rigid;
use tumble::world::{Motion, NewBody, World};
use tumble::{Setup, Simulation};

/// A pile in numbers, as it is and after it was let go: the same bodies in the same places, all
/// awake and without a director.
#[derive(Debug)]
pub(crate) struct Judged {
    /// Pairs of bodies that touch, counted for both, and bodies on obstacles; over all bodies.
    pub(crate) contacts_per_body: f64,
    /// Bodies that nothing touches from below.
    pub(crate) unsupported: usize,
    /// Part of the potential energy that is lost in three seconds.
    pub(crate) loss: f64,
    /// Angle of the silhouette before, and after those seconds \[°\].
    pub(crate) angle: f64,
    pub(crate) released_angle: f64,
}

/// Lets a pile go, and judges it.
pub(crate) fn judge(simulation: &Simulation) -> Judged {
    let of = simulation.world();
    let mut world = World {
        shapes: of.shapes.clone(),
        materials: of.materials.clone(),
        obstacles: of.obstacles.clone(),
        gravity: of.gravity,
        ..World::default()
    };
    for row in of.bodies.rows_by_id() {
        let traits = of.bodies.traits[row];
        let (pose, motion) = (of.bodies.pose[row], Motion::default());
        let new = NewBody { shape: traits.shape, material: traits.material, size: traits.size, pose, motion };
        world.add_centred(new).unwrap();
    }
    let mut free = Simulation::new(Setup { fps: 60.0, ..Setup::new(world, Rigid::DEFAULT) }).unwrap();
    let angle_of = |simulation: &Simulation| {
        silhouette(&single_balls(simulation.world()), DVec3::Z).map_or(f64::NAN, |found| found.angle.to_degrees())
    };
    let angle = angle_of(&free);
    let start = free.advance();
    let support = Support::of(of, &simulation.contacts(), DVec3::Z);
    let end = (0..180).map(|_| free.advance()).last().unwrap();
    Judged {
        contacts_per_body: support.contacts_per_body,
        unsupported: support.unsupported,
        loss: 1.0 - end.potential_energy / start.potential_energy,
        angle,
        released_angle: angle_of(&free),
    }
}
