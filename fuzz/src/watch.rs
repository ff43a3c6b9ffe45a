//! A worker that executes, and the parent that watches it: see the head of `main.rs`.

use std::error::Error;
use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::targets::{Bench, Target};

/// Processor time that an execution may take; where the system does not tell it, ten times as much
/// of any time.
const PATIENCE: Duration = Duration::from_secs(2);

/// The same for scenes: the largest cover that is allowed, 30,000 spheres, takes some seconds to
/// place.
const PATIENCE_WITH_SCENES: Duration = Duration::from_secs(10);

/// Memory that a worker may take \[kB\].
const MEMORY: u32 = 1 << 20;

/// After so many findings there is something to mend first.
const ENOUGH: usize = 20;

/// Executes inputs, and tells the number of each before it begins.
pub(crate) fn work(target: Target, seed: u64, numbers: Range<u64>) -> Result<ExitCode, Box<dyn Error>> {
    let mut bench = Bench::new(target)?;
    let mut out = std::io::stdout().lock();
    for number in numbers {
        out.write_all(&number.to_le_bytes())?;
        out.flush()?;
        let input = bench.input(seed, number);
        bench.execute(&input, number);
    }
    Ok(ExitCode::SUCCESS)
}

/// Executes a kept input in this process.
pub(crate) fn replay_here(target: Target, file: &Path) -> Result<ExitCode, Box<dyn Error>> {
    let input = std::fs::read(file)?;
    let mut bench = Bench::new(target)?;
    std::io::stdout().write_all(&0u64.to_le_bytes())?;
    // Some executions look closer than others.
    (0..2).for_each(|number| bench.execute(&input, number));
    Ok(ExitCode::SUCCESS)
}

/// Executes a kept input under the limits of a worker.
pub(crate) fn replay(target: Target, file: &Path) -> Result<ExitCode, Box<dyn Error>> {
    let words = ["replay-worker".to_string(), target.name().to_string(), file.display().to_string()];
    match watch(&words)? {
        WorkerOutcome::Ended => Ok(ExitCode::SUCCESS),
        WorkerOutcome::Found { what, .. } => Err(format!("{}: {what}", file.display()).into()),
    }
}

/// Executes so many inputs, and keeps those that do harm.
pub(crate) fn run(target: Target, runs: u64, seed: u64) -> Result<ExitCode, Box<dyn Error>> {
    let (begin, mut from, mut found) = (Instant::now(), 0, 0);
    while from < runs && found < ENOUGH {
        let words =
            ["worker", target.name(), &seed.to_string(), &from.to_string(), &runs.to_string()].map(String::from);
        match watch(&words)? {
            WorkerOutcome::Ended => from = runs,
            WorkerOutcome::Found { number, what } => {
                let file = keep(target, seed, number)?;
                println!("execution {number} of seed {seed}: {what}\n  kept in {}", file.display());
                (from, found) = (number + 1, found + 1);
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{}: {from} executions of seed {seed} in {seconds:.0} s, {found} found", target.name());
    Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Writes an input to the folder of what was found.
fn keep(target: Target, seed: u64, number: u64) -> Result<PathBuf, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found").join(target.name());
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{seed}-{number}"));
    std::fs::write(&file, Bench::new(target)?.input(seed, number))?;
    Ok(file)
}

/// The outcome of a worker.
enum WorkerOutcome {
    Ended,
    Found { number: u64, what: String },
}

/// Starts a worker with limits and looks on until it ends or has to be ended.
fn watch(words: &[String]) -> Result<WorkerOutcome, Box<dyn Error>> {
    let mut worker = Command::new("sh")
        .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe()?)
        .args(words)
        // One thread, for executions are many, and one pool of memory, for threads reserve one
        // each.
        .envs([("RAYON_NUM_THREADS", "1"), ("MALLOC_ARENA_MAX", "1")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (send, numbers) = mpsc::channel();
    let mut out = worker.stdout.take().ok_or("no output")?;
    let teller = std::thread::spawn(move || {
        let mut number = [0; 8];
        while out.read_exact(&mut number).is_ok() && send.send(u64::from_le_bytes(number)).is_ok() {}
    });
    let mut complaints = worker.stderr.take().ok_or("no output")?;
    let listener = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = complaints.read_to_string(&mut text);
        text
    });
    let patience = if words[1] == Target::Scenes.name() { PATIENCE_WITH_SCENES } else { PATIENCE };
    let (mut number, mut since, mut spent, mut told) = (None, Instant::now(), Duration::ZERO, Instant::now());
    let hung = loop {
        match numbers.recv_timeout(Duration::from_millis(100)) {
            Ok(next) => {
                // Only the last that was told counts.
                number = Some(numbers.try_iter().last().unwrap_or(next));
                (since, spent) = (Instant::now(), processor_time(&worker).unwrap_or(spent));
                if told.elapsed() > Duration::from_secs(60) {
                    eprintln!("{}: execution {next}", words[1]);
                    told = Instant::now();
                }
            }
            Err(RecvTimeoutError::Disconnected) => break false,
            Err(RecvTimeoutError::Timeout) => {
                let is_over =
                    processor_time(&worker).map_or(since.elapsed() > 10 * patience, |now| now > spent + patience);
                // Before the first number the worker prepares itself.
                if is_over && number.is_some() {
                    worker.kill()?;
                    break true;
                }
            }
        }
    };
    let status = worker.wait()?;
    let _ = teller.join();
    let said = listener.join().unwrap_or_default();
    let said: Vec<&str> = said.lines().filter(|line| !line.is_empty()).take(4).collect();
    match number {
        _ if status.success() => Ok(WorkerOutcome::Ended),
        None => Err(format!("the worker ended before it began ({status}): {}", said.join(" ")).into()),
        Some(number) if hung => Ok(WorkerOutcome::Found { number, what: format!("more than {patience:?}") }),
        Some(number) => Ok(WorkerOutcome::Found { number, what: format!("{status}: {}", said.join(" ")) }),
    }
}

/// Processor time that a process has taken, where the system tells.
fn processor_time(process: &Child) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).ok()?;
    // After the name, which may hold anything, come the state and then numbers: 11 and 12 are ticks
    // of 10 ms.
    let numbers: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |at: usize| numbers.get(at).and_then(|number| number.parse::<u64>().ok());
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}
