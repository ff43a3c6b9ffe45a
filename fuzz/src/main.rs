//! Runs tumble on mutated input: `tumble-fuzz TARGET [RUNS [SEED]]`, where TARGET is one of scenes,
//! meshes, recordings and checkpoints.
//!
//! The input of an execution follows from target, seed and number alone. A worker process executes
//! one after another and tells the number of each before it begins; the parent watches it. A worker
//! that dies (a panic, more than a gigabyte of memory) or takes more than two seconds of processor
//! time (ten for a scene) for one input has found something: the input is kept in `fuzz/found`, and
//! another worker goes on behind it. `tumble-fuzz replay TARGET FILE` executes a kept input again.

mod mutate;
mod recordings;
mod targets;
mod watch;

use std::path::Path;
use std::process::ExitCode;

use targets::Target;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<u64>().ok();
    let done = match words[..] {
        ["worker", target, seed, from, end] => Target::find(target)
            .zip(number(seed).zip(number(from)).zip(number(end)))
            .map(|(target, ((seed, from), end))| watch::work(target, seed, from..end)),
        ["replay-worker", target, file] => {
            Target::find(target).map(|target| watch::replay_here(target, Path::new(file)))
        }
        ["replay", target, file] => Target::find(target).map(|target| watch::replay(target, Path::new(file))),
        [target] => Target::find(target).map(|target| watch::run(target, 1_000_000, 1)),
        [target, runs] => Target::find(target).zip(number(runs)).map(|(target, runs)| watch::run(target, runs, 1)),
        [target, runs, seed] => Target::find(target)
            .zip(number(runs).zip(number(seed)))
            .map(|(target, (runs, seed))| watch::run(target, runs, seed)),
        _ => None,
    };
    match done {
        Some(Ok(code)) => code,
        Some(Err(problem)) => {
            eprintln!("tumble-fuzz: {problem}");
            ExitCode::from(2)
        }
        None => {
            eprintln!(
                "usage: tumble-fuzz scenes|meshes|recordings|checkpoints [RUNS [SEED]]\n       tumble-fuzz replay TARGET FILE"
            );
            ExitCode::from(2)
        }
    }
}
