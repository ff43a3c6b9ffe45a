//! The same bits for any number of threads, after saving and loading, and whatever order particles
//! were in.

use glam::DVec3;
use tumble::detail::{Detail, DetailSettings, DetailSurface};
use tumble::{Frame, NotAState};

use crate::{RADIUS, TIME, detail, frame, lattice, shown};

/// Carriers that stir: each layer turns another way about the middle, and more are born all the
/// time.
fn stirred(k: i64) -> Frame {
    let t = k as f64 * TIME;
    let middle = DVec3::new(5.0, 5.0, 0.0) * 1.8 * RADIUS;
    let turned = |p: DVec3| {
        let rate = if (p.z / RADIUS) as i64 % 4 < 2 { 6.0 } else { -4.0 };
        let turn = glam::DQuat::from_rotation_z(rate * t);
        let arm = turn * (p - middle).with_z(0.0);
        (middle + arm + DVec3::Z * p.z, rate * DVec3::Z.cross(arm))
    };
    let all = lattice(11);
    let born = 600 + 40 * k as usize;
    frame(k, all.into_iter().take(born).map(turned), &[DVec3::ZERO])
}

fn start() -> Detail {
    let settings = DetailSettings { count: 12, ..DetailSettings::default() };
    detail(settings, &[DetailSurface::Plane], &stirred(0))
}

fn run(detail: &mut Detail, frames: std::ops::RangeInclusive<i64>) -> u64 {
    for k in frames {
        detail.advance(&stirred(k));
    }
    detail.state_hash()
}

#[test]
fn threads_change_no_bit() {
    let on = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| run(&mut start(), 1..=12))
    };
    let one = on(1);
    assert_eq!((on(2), on(3)), (one, one));
}

#[test]
fn a_resumed_run_is_the_unbroken_one() {
    let mut whole = start();
    run(&mut whole, 1..=6);
    let saved = whole.save();
    let mut resumed = start();
    resumed.load(&saved, &stirred(6)).unwrap();
    assert_eq!(resumed.state_hash(), whole.state_hash());
    assert_eq!(resumed.save(), saved);
    assert_eq!(run(&mut resumed, 7..=14), run(&mut whole, 7..=14));
    assert_eq!(shown(&resumed), shown(&whole));
}

/// A plate sweeps particles that rested against a wall they were far from, within a step or two.
/// The grouping of particles in the search for obstacles must not matter: a run that is loaded in
/// every frame, and so sorted anew, has the same bits as one that is not.
#[test]
fn who_is_pushed_meets_the_wall() {
    let surfaces = [
        DetailSurface::Plane,
        DetailSurface::Box(DVec3::new(0.01, 0.2, 0.2)),
        DetailSurface::Box(DVec3::new(0.002, 0.2, 0.2)),
    ];
    let layer = || lattice(5).into_iter().filter(|p| p.x == 0.0).map(|p| 2.5 * p + 0.2 * DVec3::X);
    // They rest until the plate comes, so that nothing but the plate brings them to the wall.
    let settings = DetailSettings { count: 12, restitution: 0.9, gravity: DVec3::ZERO, ..DetailSettings::default() };
    for wall in [0.225, 0.23, 0.235, 0.24] {
        let at = |k: i64| {
            let plate = DVec3::new(0.005 + 3.0 * k as f64 * TIME, 0.1, 0.2);
            frame(k, layer().map(|p| (p, DVec3::ZERO)), &[DVec3::ZERO, plate, DVec3::new(wall, 0.1, 0.2)])
        };
        let mut whole = detail(settings, &surfaces, &at(0));
        let mut again = detail(settings, &surfaces, &at(0));
        for k in 1..=2 {
            for each in [&mut whole, &mut again] {
                each.advance(&at(k));
            }
            assert_eq!(whole.state_hash(), again.state_hash(), "frame {k}");
            again.load(&whole.save(), &at(k)).unwrap();
            let is_beyond = |x: f32| x > wall as f32 - 0.002;
            let beyond = shown(&whole).iter().filter(|particle| is_beyond(particle.position[0])).count();
            assert_eq!(beyond, 0, "wall at {wall}, frame {k}");
        }
    }
}

#[test]
fn another_seed_gives_other_particles() {
    let settings = DetailSettings { count: 12, seed: 2, ..DetailSettings::default() };
    let other = detail(settings, &[DetailSurface::Plane], &stirred(0));
    assert_ne!(other.state_hash(), start().state_hash());
}

#[test]
fn what_is_no_state_is_refused() {
    let mut detail = start();
    let saved = detail.save();
    let before = detail.state_hash();
    for cut in [0, 3, 8, 40, saved.len() / 2, saved.len() - 1] {
        assert!(detail.load(&saved[..cut], &stirred(0)).is_err(), "{cut}");
    }
    let mut longer = saved.clone();
    longer.push(0);
    assert!(detail.load(&longer, &stirred(0)).is_err());
    let settings = DetailSettings { count: 13, ..DetailSettings::default() };
    let mut other = crate::detail(settings, &[DetailSurface::Plane], &stirred(0));
    let refused: Result<(), NotAState> = other.load(&saved, &stirred(0));
    assert!(refused.is_err());
    assert_eq!(detail.state_hash(), before);
}
