//! Grains are poured on the ground and heap up; the ground carries their weight.

use tumble::prelude::*;

#[cfg_attr(test, test)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::ground();
    let grain = world.add_shape(Shape::named_clump("grain", Clump::Tetrahedron, 0.01, 0.0)?);
    let path = Path::Fixed(Pose { position: DVec3::new(0.0, 0.0, 0.6), ..Pose::IDENTITY });
    let place = Place::Point { path, spread: 0.05 };
    let pour = Emitter::new("spout", grain, MaterialId(0), 80, place);
    let pour = Emitter { when: When::Rate { per_second: 60.0, start: 0.0 }, ..pour };
    let setup = Setup { emitters: vec![pour], ..Setup::new(world, Law::HERTZ) };
    let mut simulation = Simulation::new(setup)?;
    (0..120).for_each(|_| drop(simulation.advance()));

    let is_ground = |contact: &&BodyContact| contact.to == End::Obstacle(ObstacleId(0));
    let carried: f64 = simulation.contacts().iter().filter(is_ground).map(|c| c.force().z).sum();
    let weight: f64 = simulation.world().bodies.inertia.iter().map(|i| 9.81 * i.mass).sum();
    println!("{} grains weigh {weight:.2} N, the ground carries {carried:.2} N", simulation.measure().bodies);
    assert!((carried / weight - 1.0).abs() < 0.05 && simulation.measure().bodies == 80);
    Ok(())
}
