//! Discharge: a silo or an hourglass runs at a constant rate, which grows with the outlet as
//! Beverloo's law says.
//!
//! W = C ρ_b √g (D - k d)^{5/2}, C = 0.55–0.65, k = 1–2 (Beverloo et al. 1961; Mankoc et al.,
//! Granular Matter 9 (2007) 407), whatever the level above the outlet, where a fluid would slow
//! down as √h: walls and arches carry the weight (Janssen). The rate hardly depends on friction
//! above μ = 0.3. The silos here are narrower than the hole + 30 diameters that Mankoc asks for;
//! the rate changes with width by a few per cent, alike for all holes.

use glam::DVec3;
use tumble::Setup;
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{CavityPart, MeshSurface, Model};
use tumble::granular::Law;
use tumble::world::{Shape, World};

use crate::common::emitter;
use crate::scene::{BASE, D, G, between, block, change, grain, line, model, near, run, spread, with_long_steps, world};
use crate::silo::{PACKED, Silo};

/// Rate of a silo that is kept full, averaged over a time \[s\], as C (D/d - k)^{5/2}: without
/// units.
fn rate(silo: Silo, friction: f64, time: f64, seed: u64) -> f64 {
    let mut simulation = silo.simulate(&grain(friction), seed);
    // The filling falls and the flow begins.
    run(&mut simulation, 0.7);
    let before = simulation.counts().removed;
    let deepest = run(&mut simulation, time);
    let fallen = (simulation.counts().removed - before) as f64;
    let rate = fallen / time / (PACKED * 6.0 / std::f64::consts::PI * (G / D).sqrt());
    println!(
        "hole {}: {fallen} grains in {time} s, W = {rate:.2}, {} bodies, deepest overlap {deepest:.3}",
        silo.outlet,
        simulation.world().bodies.len()
    );
    rate
}

/// Exponent n and k of W = C (D - k)^n with the least relative error: the best line of ln W over
/// ln(D - k) for each k.
fn free_fit(rates: &[(f64, f64)]) -> (f64, f64) {
    let fit = |k: f64| {
        let points: Vec<_> = rates.iter().map(|&(outlet, rate)| ((outlet - k).ln(), rate.ln())).collect();
        line(&points)
    };
    let k = (0..=300).map(|i| 0.01 * f64::from(i)).max_by(|&a, &b| fit(a).2.total_cmp(&fit(b).2)).unwrap();
    (fit(k).0, k)
}

/// W^{2/5} over D is a line: its zero is k d, its slope C^{2/5}.
fn line_fit(rates: &[(f64, f64)]) -> (f64, f64, f64) {
    let points: Vec<_> = rates.iter().map(|&(outlet, rate)| (outlet, rate.powf(0.4))).collect();
    let (slope, at_zero, r2) = line(&points);
    (slope.powf(2.5), -at_zero / slope, r2)
}

/// Rates grow as W = C (D - k)^{5/2}, with the usual k and C; the exponent with k free is printed.
fn follow_beverloo(rates: &[(f64, f64)]) {
    let (c, k, r2) = line_fit(rates);
    let (exponent, free_k) = free_fit(rates);
    println!("C {c:.3}, k {k:.2}, r² {r2:.5}; with the exponent free {exponent:.2} and k {free_k:.2}");
    between("r² of W^{2/5} over D", r2, 0.995, 1.0);
    between("k", k, 1.0, 2.0);
    between("C", c, 0.5, 0.7);
}

/// A second of discharge is too short for an exponent with k free, which comes out anywhere from
/// 2.5 to 3.2; with 5/2 given, k and C are steady.
#[test]
fn rate_grows_with_the_outlet_as_beverloo_says() {
    let rates: Vec<(f64, f64)> = [4.5, 5.5, 6.5, 8.0]
        .map(|outlet| (outlet, rate(Silo { width: 13.0, depth: 10.0, outlet, kept_full: true }, 0.5, 0.8, 1)))
        .to_vec();
    follow_beverloo(&rates);
}

/// Shape of Mankoc's law, (1 - ½ e^{-0.051 (D - 1)}) (D - 1)^{5/2}: Beverloo's with k = 1 and less
/// for small holes, whose flow is less dense.
///
/// Beverloo's exponent with k free is printed and not asked for: Mankoc's law itself gives 2.76
/// over these holes, and errors of 2 % in the rates change it by ± 0.15.
#[test]
#[ignore = "full size: five holes, wider silo, longer; minutes"]
fn rates_have_the_shape_of_mankocs_law() {
    let rates: Vec<(f64, f64)> = [4.5, 5.5, 6.5, 8.0, 10.0]
        .map(|outlet| (outlet, rate(Silo { width: 18.0, depth: 12.0, outlet, kept_full: true }, 0.5, 2.5, 1)))
        .to_vec();
    follow_beverloo(&rates);
    let mankoc = |outlet: f64| (1.0 - 0.5 * (-0.051 * (outlet - 1.0)).exp()) * (outlet - 1.0).powf(2.5);
    let ratios: Vec<f64> = rates.iter().map(|&(outlet, rate)| rate / mankoc(outlet)).collect();
    let (mean, _) = spread(&ratios);
    for ratio in ratios {
        near("rate over Mankoc's, relative to the mean of all holes", ratio / mean, 1.0, 0.05);
    }
}

#[test]
#[ignore = "full size: three frictions, minutes"]
fn rate_hardly_depends_on_friction() {
    let silo = Silo { width: 18.0, depth: 15.0, outlet: 6.0, kept_full: true };
    let rates = [0.35, 0.5, 0.8].map(|friction| rate(silo, friction, 3.0, 1));
    for rate in rates {
        near("rate over that of μ = 0.5", rate / rates[1], 1.0, 0.1);
    }
}

/// An hourglass with its grains at rest on a plug in the neck.
fn hourglass(neck: f64, bulb: f64, height: f64, count: u64, seed: u64) -> Setup {
    let glass = Model::Hourglass { neck: neck * D, bulb: bulb * D, height: height * D, wall: D };
    let mut world = world(Shape::ball("grain", 0.5 * D).unwrap(), &grain(0.5), 0.5);
    world.drag = 20.0;
    world.obstacles.push(model("glass", BASE, glass, DVec3::ZERO));
    world.obstacles.push(block(
        "plug",
        BASE,
        DVec3::new(-neck * D, -neck * D, -2.0 * D),
        DVec3::new(neck * D, neck * D, 0.0),
    ));
    let cavity = MeshSurface::new(glass.cavity(CavityPart::Upper, 32).unwrap().unwrap());
    let place = Place::Region { region: Region::Mesh(Box::new(cavity)), pattern: Pattern::Lattice(Some(1.02 * D)) };
    let jitter = Jitter { velocity: 0.1, ..Jitter::default() };
    let fill = Emitter { jitter, ..emitter(0, count, When::AtOnce(0.0), place) };
    let setup = Setup { emitters: vec![fill], seed, fps: 50.0, ..Setup::new(world, Law::HERTZ) };
    let mut simulation = with_long_steps(setup.clone());
    run(&mut simulation, 0.5);
    // Without the plug; grains that fell through the neck are counted and removed.
    let glass = simulation.world().obstacles[0].clone();
    let world = World { drag: 0.0, ..change(&simulation, vec![glass]) };
    let far = 1e3 * D;
    let bounds = Some((DVec3::new(-far, -far, -6.0 * D), DVec3::splat(far)));
    Setup { world, emitters: Vec::new(), bounds, ..setup }
}

/// Number of grains that have fallen after each window of time \[s\], until nearly all have.
fn fallen(setup: Setup, window: f64) -> Vec<f64> {
    let mut simulation = with_long_steps(setup);
    let whole = simulation.world().bodies.len() as f64;
    let mut fallen = vec![0.0];
    while *fallen.last().unwrap() < 0.95 * whole {
        run(&mut simulation, window);
        fallen.push(simulation.counts().removed as f64);
        assert!(simulation.time() < 60.0, "{} of {whole} after a minute", fallen.last().unwrap());
    }
    fallen
}

/// While it empties from nine tenths to a quarter, the rate in windows of time \[s\] stays the
/// same, in the mean of three hourglasses.
fn runs_evenly(hourglass: impl Fn(u64) -> Setup, window: f64) {
    let whole = hourglass(1).world.bodies.len() as f64;
    let runs = [1, 2, 3].map(|seed| fallen(hourglass(seed), window));
    let windows = runs.iter().map(Vec::len).min().unwrap();
    let fallen: Vec<f64> = (0..windows).map(|w| runs.iter().map(|run| run[w]).sum::<f64>() / 3.0).collect();
    let rates: Vec<f64> = fallen.windows(2).map(|pair| (pair[1] - pair[0]) / window).collect();
    println!("{whole} grains, {rates:.0?} a second");
    let is_steady = |i: &usize| fallen[*i] > 0.05 * whole && fallen[i + 1] < 0.75 * whole;
    let used: Vec<f64> = (0..rates.len()).filter(is_steady).map(|i| rates[i]).collect();
    let (mean, deviation) = spread(&used);
    between("deviation of the rate over its mean", deviation / mean, 0.0, 0.05);
    let half = used.len() / 2;
    let change = spread(&used[used.len() - half..]).0 / spread(&used[..half]).0;
    near("rate of the second half over that of the first", change, 1.0, 0.05);
}

#[test]
fn an_hourglass_runs_at_a_constant_rate() {
    runs_evenly(|seed| hourglass(4.5, 13.0, 70.0, 1750, seed), 0.2);
}

#[test]
#[ignore = "full size: 8000 grains, three seeds, minutes"]
fn a_large_hourglass_runs_at_a_constant_rate() {
    runs_evenly(|seed| hourglass(6.0, 23.0, 110.0, 8000, seed), 0.3);
}
