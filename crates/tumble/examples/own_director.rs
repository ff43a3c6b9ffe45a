//! A director of one's own: blocks that come to lie high up on a stack are held there.

use tumble::prelude::*;

/// Holds what is above a height and slow.
fn direct(stage: &mut Stagehand<'_>, height: f64) -> Result<usize, WorldProblem> {
    let is_due = |b: &SeenBody| b.centre.z > height && b.motion.velocity.length() < 0.01;
    let due: Vec<BodyId> = stage.bodies().filter(is_due).map(|body| body.id).collect();
    due.iter().try_for_each(|&id| stage.hold(id)).map(|()| due.len())
}

#[cfg_attr(test, test)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::ground();
    let block = world.add_shape(Shape::cuboid("block", DVec3::splat(0.1))?);
    for k in 0..4 {
        world.add(NewBody::new(block, MaterialId(0), DVec3::new(0.0, 0.0, 0.06 + 0.11 * f64::from(k))))?;
    }
    let mut simulation = Simulation::new(Setup::new(world, Rigid { sleeping: false, ..Rigid::DEFAULT }))?;
    (0..48).for_each(|_| drop(simulation.advance()));
    let held = direct(&mut simulation.stagehand(), 0.2)?;
    println!("{held} of 4 blocks are held, {} are awake", simulation.measure().awake);
    assert_eq!((held, simulation.measure().awake), (2, 2));
    Ok(())
}
