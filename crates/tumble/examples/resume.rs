//! A run is saved and goes on in another simulation, to the same bits.

use tumble::prelude::*;

fn simulation() -> Result<Simulation, Box<dyn std::error::Error>> {
    let mut world = World::ground();
    let ball = world.add_shape(Shape::ball("ball", 0.05)?);
    for k in 0..8 {
        let place = DVec3::new(0.01 * f64::from(k), 0.0, 0.1 + 0.11 * f64::from(k));
        world.add(NewBody::new(ball, MaterialId(0), place))?;
    }
    Ok(Simulation::new(Setup::new(world, Law::HERTZ))?)
}

#[cfg_attr(test, test)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut unbroken, mut resumed) = (simulation()?, simulation()?);
    (0..12).for_each(|_| drop(unbroken.advance()));
    resumed.load(&unbroken.save())?;
    (0..12).for_each(|_| drop((unbroken.advance(), resumed.advance())));
    println!("{:016x} and {:016x}", unbroken.state_hash(), resumed.state_hash());
    assert_eq!(unbroken.state_hash(), resumed.state_hash());
    Ok(())
}
