//! Grains asleep: the same results with any number of threads, resumed or unbroken.

use tumble::granular::{Control, Integrator};
use tumble::{Setup, Simulation};

use super::{clumps, setup};

/// After some frames every grain that is slow falls asleep; others are poured on them, hit and wake
/// them, roll over them, leave the world, and a box pushes all.
fn direct(simulation: &mut Simulation) {
    let frame = simulation.counts().frames;
    if frame < 6 || !frame.is_multiple_of(3) {
        return;
    }
    let bodies = &simulation.world().bodies;
    let slow = |row: &usize| bodies.motion[*row].velocity.length() < 0.3;
    let slow: Vec<_> = bodies.rows_by_id().filter(slow).map(|row| bodies.traits[row].id).collect();
    slow.into_iter().for_each(|body| simulation.sleep(body).unwrap());
}

/// The state after each frame, and how many were asleep at its beginning and at its end.
fn run(simulation: &mut Simulation, frames: u64) -> Vec<(Vec<u8>, [usize; 2])> {
    let asleep = |simulation: &Simulation| simulation.world().bodies.rest.iter().filter(|rest| rest.asleep).count();
    let mut states = Vec::new();
    while simulation.counts().frames < frames {
        direct(simulation);
        let before = asleep(simulation);
        simulation.advance();
        states.push((simulation.save(), [before, asleep(simulation)]));
    }
    states
}

fn agree(setup: impl Fn() -> Setup + Sync, frames: u64, least: usize) {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&mut Simulation::new(setup()).unwrap(), frames))
    };
    let one = with(1);
    for threads in [2, 3, 8] {
        assert!(one == with(threads), "{threads} threads");
    }
    let most = one.iter().map(|(_, [before, _])| *before).max().unwrap();
    let woken: usize = one.iter().map(|(_, [before, after])| before - after).sum();
    println!("{most} asleep at the most, {woken} times one of them woke");
    assert!(most > least && woken > least, "{most} asleep, {woken} woken");
    for from in [6, 7, 9, frames as usize - 2] {
        let mut resumed = Simulation::new(setup()).unwrap();
        resumed.load(&one[from].0).unwrap();
        assert!(resumed.save() == one[from].0, "a state survives being loaded, frame {from}");
        assert!(run(&mut resumed, frames) == one[from + 1..], "resumed from frame {from}");
    }
}

#[test]
fn grains_asleep_agree() {
    agree(setup, 27, 60);
}

#[test]
fn clumps_asleep_agree_with_fixed_and_chosen_steps() {
    let control = Control { tolerance: 1e-3, smallest: None, largest: 0.02, sequential: false };
    for integrator in [Integrator::Verlet, Integrator::Rk23(control)] {
        agree(|| clumps(integrator), 14, 40);
    }
}
