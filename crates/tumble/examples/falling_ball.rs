//! A ball falls freely, then lands on the ground and stays there.

use tumble::prelude::*;

#[cfg_attr(test, test)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::ground();
    let ball = world.add_shape(Shape::ball("ball", 0.05)?);
    let start = DVec3::new(0.0, 0.0, 1.0);
    let ball = world.add(NewBody::new(ball, MaterialId(0), start))?;
    let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ))?;

    // Free fall: z = z0 - g t²/2, to rounding: constant acceleration is integrated exactly.
    (0..9).for_each(|_| drop(simulation.advance()));
    let known = start.z - 0.5 * 9.81 * simulation.time().powi(2);
    let height = simulation.pose(ball)?.position.z;
    println!("after {:.3} s at {height:.6} m, known {known:.6} m", simulation.time());
    assert!((height - known).abs() < 1e-9);

    (0..100).for_each(|_| drop(simulation.advance()));
    let height = simulation.pose(ball)?.position.z;
    println!("after {:.3} s at {height:.6} m", simulation.time());
    assert!((height - 0.05).abs() < 1e-3); // Grains are soft: it sinks in by 0.4 mm.
    Ok(())
}
