//! A bar hangs on a hinge and swings; its period is that of a physical pendulum.

use tumble::prelude::*;

#[cfg_attr(test, test)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World { obstacles: Vec::new(), ..World::ground() };
    let bar = world.add_shape(Shape::cuboid("bar", DVec3::new(0.02, 0.02, 0.6))?);
    let bar = world.add(NewBody::new(bar, MaterialId(0), DVec3::ZERO))?;
    let top = Pose::along(DVec3::new(0.0, 0.0, 0.3), DVec3::Y);
    let kind = JointKind::Hinge { turn: FREE };
    world.join(NewJoint { body: bar, to: End::World, kind, strength: Strength::ENDLESS, collide: false }, top)?;
    world.set_motion(bar, Motion { velocity: DVec3::new(0.03, 0.0, 0.0), spin: DVec3::new(0.0, -0.1, 0.0) })?;
    let setup = Setup { fps: 240.0, ..Setup::new(world, Rigid { sleeping: false, ..Rigid::DEFAULT }) };
    let mut simulation = Simulation::new(setup)?;

    // It comes back after half a period T = 2π √(I/(m g l)), I/m = (a² + L²)/12 + l².
    let known = std::f64::consts::PI * ((0.02f64.powi(2) + 0.36) / 12.0 + 0.09).sqrt() / (9.81f64 * 0.3).sqrt();
    while simulation.time() < 0.1 || simulation.pose(bar)?.position.x > 0.0 {
        simulation.advance();
    }
    println!("half a period takes {:.4} s, known {known:.4} s", simulation.time());
    assert!((simulation.time() - known).abs() < 0.006);
    Ok(())
}
