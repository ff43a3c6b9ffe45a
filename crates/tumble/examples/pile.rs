//! Blocks are piled with an angle of repose; the silhouette, which does not steer, measures it.

use tumble::measure::{Ball, silhouette};
use tumble::prelude::*;

#[cfg_attr(test, test)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::ground();
    let block = world.add_shape(Shape::cuboid("block", DVec3::new(0.12, 0.1, 0.08))?);
    let region = Region::Box { low: DVec3::new(-0.3, -0.3, 1.2), high: DVec3::new(0.3, 0.3, 1.7) };
    let place = Place::Region { region, pattern: Pattern::Random };
    let pour = Emitter::new("above", block, MaterialId(0), 600, place);
    let pour = Emitter { when: When::Rate { per_second: 50.0, start: 0.0 }, ..pour };
    let piles = vec![PileSettings { place: Some(DVec2::ZERO), ..PileSettings::new(30f64.to_radians()) }];
    let setup = Setup { emitters: vec![pour], piles, ..Setup::new(world, Rigid::DEFAULT) };
    let mut simulation = Simulation::new(setup)?;
    (0..480).for_each(|_| drop(simulation.advance()));

    let ball = |b: SeenBody| Ball { centre: b.centre, radius: 0.5 * b.diameter, body: b.id };
    let blocks: Vec<Ball> = simulation.stagehand().bodies().map(ball).collect();
    let angle = silhouette(&blocks, DVec3::Z)?.angle.to_degrees();
    println!("{} blocks in a pile of {angle:.1} degrees", blocks.len());
    assert!((angle - 30.0).abs() < 4.0 && simulation.measure().awake < 60);
    Ok(())
}
