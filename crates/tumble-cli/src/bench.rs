//! `tumble bench`: speed of a scene, stage by stage, for several numbers of threads, without
//! recording.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use tumble::{Stage, Stopwatch};
use tumble_run::{memory, seconds};

use crate::{Failure, SceneArguments};

#[derive(clap::Args)]
pub(crate) struct BenchArguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Numbers of threads to compare
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1u16, 2], value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
}

pub(crate) fn bench(arguments: &BenchArguments) -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    let stages: Vec<&str> = Stage::ALL.iter().map(|stage| stage.name()).collect();
    writeln!(out, "threads  seconds  M body-steps/s    ns/body-step  state             shares: {}", stages.join(" "))?;
    let mut hashes = Vec::new();
    let empty = memory::peak();
    let mut bodies = 0;
    for &threads in &arguments.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build()?;
        let mut scene = arguments.scene.load()?;
        let mut watch = Stopwatch::new(seconds);
        let begin = Instant::now();
        let mut body_steps = 0;
        pool.install(|| {
            while scene.simulation.frame_number() < scene.frames[1] {
                let report = scene.simulation.advance_timed(&mut watch);
                body_steps += report.steps * report.bodies;
            }
        });
        let taken = begin.elapsed().as_secs_f64();
        let rate = body_steps as f64 / taken;
        let total: f64 = watch.seconds.iter().sum();
        let shares: Vec<String> =
            watch.seconds.iter().map(|s| format!("{:.1}%", 100.0 * s / total.max(1e-9))).collect();
        let hash = scene.simulation.state_hash();
        writeln!(
            out,
            "{threads:>7}  {taken:7.2}  {:14.3}  {:14.1}  {hash:016x}          {}",
            rate / 1e6,
            1e9 / rate,
            shares.join(" ")
        )?;
        hashes.push(hash);
        bodies = scene.simulation.world().bodies.len();
    }
    if let (Some(empty), Some(peak)) = (empty, memory::peak()) {
        let each = peak.saturating_sub(empty) as f64 / bodies.max(1) as f64;
        writeln!(out, "peak memory {:.1} MB, {each:.0} bytes per body", peak as f64 / 1e6)?;
    }
    if hashes.iter().any(|hash| *hash != hashes[0]) {
        return Err("the final state depends on the number of threads: please report this".into());
    }
    Ok(ExitCode::SUCCESS)
}
