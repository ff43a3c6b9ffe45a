//! Real grains and their particles: a block of tetrahedra falls and becomes a heap.

use glam::DVec3;
use tumble::detail::{Detail, DetailSettings, DetailShape, DetailSurface, Kernel};
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::Surface;
use tumble::granular::Law;
use tumble::world::{Clump, Material, MaterialId, Materials, Obstacle, Path, Pose, Shape, World};
use tumble::{Frame, Setup, Simulation};

use crate::{shown, velocity};

/// 250 tetrahedra above a plane, and their particles.
fn fall(settings: DetailSettings) -> (Simulation, Detail) {
    let sand = Material {
        density: 2000.0,
        youngs_modulus: 3e6,
        restitution: 0.3,
        friction: 0.5,
        rolling_friction: 0.0,
        ..Material::default()
    };
    let shape = Shape::named_clump("grain", Clump::Tetrahedron, 0.008, 0.0).unwrap();
    let shapes = [DetailShape { spheres: shape.spheres.clone(), mesh: None, is_carrier: true }];
    let world = World {
        shapes: vec![shape],
        materials: Materials::new(vec![sand]),
        obstacles: vec![Obstacle::new("ground", MaterialId(0), Surface::Plane, Path::Fixed(Pose::IDENTITY))],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    };
    let region = Region::Box { low: DVec3::new(-0.12, -0.12, 0.02), high: DVec3::new(0.12, 0.12, 0.62) };
    let place = Place::Region { region, pattern: Pattern::Random };
    let emitter = Emitter {
        jitter: Jitter { orientation: true, ..Jitter::default() },
        ..crate::common::emitter(0, 250, When::AtOnce(0.0), place)
    };
    let setup = Setup { emitters: vec![emitter], fps: 30.0, ..Setup::new(world, Law::HERTZ) };
    let simulation = Simulation::new(setup).unwrap();
    let mut frame = Frame::default();
    simulation.show(&mut frame);
    let (detail, _) = Detail::new(settings, &shapes, &[DetailSurface::Plane], &frame).unwrap();
    (simulation, detail)
}

/// The mean velocity of particles follows that of grains while they fall, hit the ground and
/// spread, and the medium comes to rest with them: at the end nothing hangs in the air or lies
/// below the ground.
#[test]
fn particles_fall_spread_and_rest_with_their_grains() {
    for kernel in [Kernel::Smooth, Kernel::Printed] {
        let (mut simulation, mut detail) = fall(DetailSettings { count: 20, kernel, ..DetailSettings::default() });
        let mut frame = Frame::default();
        let mut fastest = 0f64;
        for k in 1..=60 {
            simulation.advance();
            simulation.show(&mut frame);
            let report = detail.advance(&frame);
            assert_eq!((report.particles, report.removed), (5000, 0));
            let grains =
                frame.bodies.iter().map(|body| DVec3::from(body.velocity.map(f64::from))).sum::<DVec3>() / 250.0;
            let particles = shown(&detail).iter().map(|p| velocity(p).as_dvec3()).sum::<DVec3>() / 5000.0;
            fastest = fastest.max(grains.length());
            // Free particles between grains fall for a frame longer than the grains, which adds g /
            // 30 at most, and those on the ground stop by themselves.
            let apart = (grains - particles).length();
            assert!(apart < 0.33 + 0.1 * fastest, "frame {k}: grains {grains}, particles {particles}");
            if k > 45 {
                assert!(particles.length() < 0.02, "frame {k}: {particles}");
            }
        }
        assert!(fastest > 1.2, "{fastest}");

        let bodies: Vec<DVec3> = frame.bodies.iter().map(|body| DVec3::from(body.position.map(f64::from))).collect();
        let reach = 0.008 * (1.0 + 1.5f64.sqrt());
        let mut far = 0;
        for particle in shown(&detail) {
            let place = DVec3::from(particle.position.map(f64::from));
            assert!(place.z > 0.99 * f64::from(particle.radius), "{particle:?}");
            let nearest = bodies.iter().map(|body| body.distance(place)).fold(f64::INFINITY, f64::min);
            let hangs = nearest > 1.3 * reach && place.z > 1.01 * f64::from(particle.radius);
            assert!(!hangs, "{particle:?} is {nearest} m from every grain");
            far += u32::from(nearest > 3.0 * reach);
        }
        assert!(far < 50, "{far} of 5000 particles lie far from every grain");
        let unevenness = detail.unevenness().unwrap();
        assert!(unevenness < 0.3, "{unevenness}");
    }
}
