//! The same bits for any number of threads, after saving and loading, and whatever order particles were in.

use glam::DVec3;
use tumble::detail::{Detail, DetailSettings, DetailSurface};
use tumble::{Frame, NotAState, Stopwatch};

use crate::{RADIUS, TIME, detail, frame, lattice, shown};

/// Guides that stir: each layer turns another way about the middle, and more are born all the time.
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
        detail.advance(&stirred(k), &mut Stopwatch::stopped());
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
