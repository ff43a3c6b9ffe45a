//! `tumble check`: reads a scene as `run` would, reports every problem, prints the scene with all defaults.

use std::io::Write;
use std::process::ExitCode;

use tumble::granular::StepLimit;

use crate::{Failure, SceneArguments};

#[derive(clap::Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    scene: SceneArguments,
}

pub(crate) fn check(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    let scene = arguments.scene.load()?;
    let simulation = &scene.simulation;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", scene.resolved.trim_end())?;
    write!(
        out,
        "\n# {} bodies at the start; steps of {:.3e} s, {} a frame",
        simulation.world().bodies.len(),
        simulation.step(),
        simulation.steps_per_frame(),
    )?;
    match simulation.step_limit() {
        Some(StepLimit { between: [a, b], default, largest }) => {
            writeln!(out, ", from the stiffness of {a} on {b} (default {default:.3e} s, at most {largest:.3e} s)")?
        }
        None => writeln!(out)?,
    }
    for note in &scene.notes {
        writeln!(out, "# {note}")?;
    }
    Ok(ExitCode::SUCCESS)
}
