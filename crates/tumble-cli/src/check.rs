//! `tumble check`: reads a scene as `run` would, reports every problem, prints the scene with all defaults.

use std::io::Write;
use std::process::ExitCode;

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
    let [a, b] = &simulation.step_limit().between;
    writeln!(
        out,
        "\n# {} bodies at the start; steps of {:.3e} s, {} a frame, from the stiffness of {a} on {b} (default {:.3e} s, at most {:.3e} s)",
        simulation.world().bodies.len(),
        simulation.step(),
        simulation.steps_per_frame(),
        simulation.step_limit().default,
        simulation.step_limit().largest,
    )?;
    Ok(ExitCode::SUCCESS)
}
