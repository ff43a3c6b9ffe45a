//! Properties that hold for any contacts: turning, scaling, splitting, adding, permuting.

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use tumble::statics::{Balance, BodyStanding, StaticAnalysis, StaticSettings, TouchPoint};
use tumble::world::Wrench;

use crate::assembly::{Assembly, UNCAPPED};

/// Enough columns for every case to be decided.
const PATIENT: StaticSettings = StaticSettings { cap: 1e12, iterations: 2000, ..UNCAPPED };

fn direction() -> impl Strategy<Value = DVec3> {
    let cube = prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array);
    cube.prop_filter("long enough to turn", |v| v.length() > 0.1).prop_map(DVec3::normalize)
}

/// Points on a ball of radius one with normals near those of the ball, mostly below.
fn points() -> impl Strategy<Value = Vec<(DVec3, DVec3, f64)>> {
    let point = (direction(), direction(), 0.0..1.0f64, 0.2..0.8f64);
    let point = point.prop_map(|(place, other, lean, friction)| {
        let place = if place.z > 0.3 { -place } else { place };
        (place, (-place + lean * other).normalize_or(DVec3::Z), friction)
    });
    prop::collection::vec(point, 1..16)
}

fn body(points: &[(DVec3, DVec3, f64)]) -> Assembly {
    let mut assembly = Assembly { gravity: -9.81 * DVec3::Z, ..Assembly::default() };
    assembly.add_body(1.0, DVec3::ZERO, 1.0, Wrench::default());
    for &(point, normal, friction) in points {
        assembly.add_point(0, None, point, normal, friction);
    }
    assembly
}

fn standing(assembly: &Assembly) -> BodyStanding {
    assembly.judge(&PATIENT)[0]
}

/// Changes places and directions of all points.
fn map(assembly: &Assembly, change: impl Fn(&TouchPoint) -> TouchPoint) -> Assembly {
    Assembly { points: assembly.points.iter().map(change).collect(), ..assembly.clone() }
}

/// Same verdict, and the same residual to `tolerance`; next to the limit rounding decides.
#[track_caller]
fn same(what: &str, a: &BodyStanding, b: &BodyStanding, tolerance: f64) -> Result<(), TestCaseError> {
    if a.residual > 1e-5 || b.residual > 1e-5 {
        prop_assert_eq!(a.balance, b.balance, "{}", what);
        prop_assert!((a.residual - b.residual).abs() < tolerance, "{what}: {} and {}", a.residual, b.residual);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn turned_about_gravity_it_is_the_same(points in points(), angle in 0.0..7.0f64) {
        let (assembly, turn) = (body(&points), DQuat::from_rotation_z(angle));
        let turned = map(&assembly, |p| TouchPoint { point: turn * p.point, normal: turn * p.normal, ..*p });
        same("turned", &standing(&assembly), &standing(&turned), 1e-6)?;
    }

    #[test]
    fn in_other_units_it_is_the_same(points in points(), length in -3.0..3.0f64, mass in -6.0..6.0f64) {
        let (length, mass) = (10f64.powf(length), 10f64.powf(mass));
        let assembly = body(&points);
        let mut scaled = map(&assembly, |p| TouchPoint { point: length * p.point, ..*p });
        scaled.bodies[0].mass = mass;
        scaled.bodies[0].radius = length;
        same("scaled", &standing(&assembly), &standing(&scaled), 1e-6)?;
    }

    /// A contact that is split in two can do the same.
    #[test]
    fn a_split_contact_changes_nothing(points in points(), which in 0..16usize) {
        let mut twice = points.clone();
        twice.push(points[which % points.len()]);
        same("split", &standing(&body(&points)), &standing(&body(&twice)), 1e-6)?;
    }

    /// More contacts and more friction never take a balance away.
    #[test]
    fn more_support_never_makes_it_fall(points in points(), more in points(), factor in 1.0..3.0f64) {
        let before = standing(&body(&points));
        let all: Vec<_> = points.iter().chain(&more).copied().collect();
        let rough: Vec<_> = points.iter().map(|&(p, n, friction)| (p, n, factor * friction)).collect();
        for after in [standing(&body(&all)), standing(&body(&rough))] {
            prop_assert!(after.residual <= before.residual + 1e-5, "{before:?} {after:?}");
            prop_assert!(before.residual > 1e-7 || after.balance.is_balanced(), "{before:?} {after:?}");
        }
    }

    /// The order in which contacts are added decides no bit.
    #[test]
    fn permuted_it_has_the_same_bits(points in points(), shift in 0..16usize, is_reversed: bool) {
        let assembly = body(&points);
        let mut other = assembly.clone();
        let count = other.points.len();
        other.points.rotate_left(shift % count);
        if is_reversed {
            other.points.reverse();
        }
        prop_assert_eq!(standing(&assembly), standing(&other));
    }

    /// A margin is only kept by what is balanced, and a larger one only by what keeps a smaller.
    #[test]
    fn margins_are_nested(points in points(), margin in 0.0..0.5f64) {
        let at = |margin: f64| body(&points).balance(&StaticSettings { margin, kinetic: 6.0 / 7.0, ..PATIENT });
        if at(margin) == Balance::Stands {
            prop_assert_eq!(at(0.5 * margin), Balance::Stands);
        }
    }
}

/// Turned by 22.5°, where facets would be seen: a block on a slope at 0.99 of its friction stands
/// whichever way the slope falls, at 1.01 it slides.
#[test]
fn a_slope_may_fall_in_any_direction() {
    for k in 0..16 {
        let turn = DQuat::from_rotation_z(f64::from(k) * std::f64::consts::TAU / 16.0);
        for (share, stands) in [(0.99, true), (1.01, false)] {
            let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
            let points = corners.map(|(x, y)| (DVec3::new(x, y, -0.2), DVec3::Z, 0.5));
            let mut assembly = body(&points);
            assembly.gravity = turn * DVec3::new(0.5 * share, 0.0, -1.0);
            let standing = assembly.judge(&StaticSettings { analysis: StaticAnalysis::All, ..UNCAPPED })[0];
            assert_eq!(standing.balance.is_balanced(), stands, "{share} of the friction, direction {k}: {standing:?}");
        }
    }
}

/// A cylinder lies on a slope if tan θ ≤ min(μ, μ_r), to 0.1 %.
#[test]
fn a_cylinder_rolls_beyond_its_rolling_friction() {
    for (friction, rolling) in [(0.5, 0.1), (0.1, 0.3), (0.4, 0.4)] {
        let limit: f64 = f64::min(friction, rolling);
        for (share, stands) in [(0.999, true), (1.001, false)] {
            let mut assembly = body(&[-0.5, 0.5].map(|y| (DVec3::new(0.0, y, -1.0), DVec3::Z, friction)));
            assembly.points.iter_mut().for_each(|point| point.rolling = rolling);
            assembly.gravity = DVec3::new(limit * share, 0.0, -1.0);
            assert_eq!(standing(&assembly).balance.is_balanced(), stands, "{friction} {rolling} {share}");
        }
    }
}

/// Nothing is not a number: no contacts, one, many, the same twice, without a lever, without
/// gravity, without a radius or mass.
#[test]
fn bad_bodies_are_judged_too() {
    let at = |point: DVec3, normal: DVec3| (point, normal, 0.5);
    let below = at(-DVec3::Z, DVec3::Z);
    let cases: [(&str, Vec<_>, Balance); 6] = [
        ("no contact", vec![], Balance::Flying),
        ("one below", vec![below], Balance::Weak),
        ("one beside", vec![at(DVec3::X, -DVec3::X)], Balance::Falls),
        ("at the centre", vec![at(DVec3::ZERO, DVec3::Z)], Balance::Stands),
        ("the same a hundred times", vec![below; 100], Balance::Weak),
        ("no normal", vec![at(-DVec3::Z, DVec3::ZERO)], Balance::Flying),
    ];
    let settings = StaticSettings { analysis: StaticAnalysis::Loaded, ..StaticSettings::default() };
    for (name, points, expected) in cases {
        let mut assembly = body(&points);
        let standing = assembly.judge(&settings)[0];
        assert_eq!(standing.balance, expected, "{name}: {standing:?}");
        assert!(standing.residual.is_finite() && standing.acceleration.is_finite() && standing.turning.is_finite());
        assembly.gravity = DVec3::ZERO;
        assert_eq!(assembly.judge(&settings)[0].balance, Balance::Stands, "{name} without gravity");
        assembly.gravity = -DVec3::Z;
        (assembly.bodies[0].radius, assembly.bodies[0].mass) = (0.0, 0.0);
        assert!(assembly.judge(&settings)[0].residual.is_finite(), "{name} without radius and mass");
    }
}

/// A block that slides starts along the slope, and as the nearest point has it leaves the slope by
/// μ times as fast: a normal force n minimises (0.6 - 0.2 n)² + (0.8 - n)², so n = 0.92/1.04.
#[test]
fn the_residual_is_a_motion_that_opens_contacts() {
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    let mut assembly = body(&corners.map(|(x, y)| (DVec3::new(x, y, 0.0), DVec3::Z, 0.2)));
    assembly.gravity = 10.0 * DVec3::new(0.6, 0.0, -0.8);
    let slides = assembly.judge(&PATIENT)[0];
    let (n, expected) = (0.92 / 1.04, slides.acceleration);
    assert!((expected - 10.0 * DVec3::new(0.6 - 0.2 * n, 0.0, n - 0.8)).length() < 1e-4, "{slides:?}");
    assert!((slides.acceleration.z - 0.2 * slides.acceleration.x).abs() < 1e-4, "{slides:?}");
    assert!(slides.turning.length() < 1e-4, "{slides:?}");
}
