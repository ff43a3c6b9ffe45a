//! `tumble check`: reads a scene as `run` would, reports every problem, prints the scene with all
//! defaults.

use std::io::Write;
use std::process::ExitCode;

use tumble::granular::StepLimit;

use crate::{Failure, SceneArguments, clean_line};

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
    let mut comment = format!(
        "{} bodies at the start; steps of {:.3e} s, {} per frame",
        simulation.world().bodies.len(),
        simulation.step_length(),
        simulation.steps_per_frame(),
    );
    if let Some(StepLimit { between: [a, b], default, largest }) = simulation.step_limit() {
        comment += &format!(", from the stiffness of {a} on {b} (default {default:.3e} s, at most {largest:.3e} s)");
    }
    comment += &format!("; about {:.2} GB of memory for all bodies", 1e-9 * scene.memory as f64);
    // The lines below are comments of the printed scene: no name may end their line.
    writeln!(out, "\n# {}", clean_line(&comment))?;
    for note in &scene.notes {
        let kind = if note.is_warning { "warning: " } else { "" };
        writeln!(out, "# {kind}{}", clean_line(&note.text))?;
    }
    Ok(ExitCode::SUCCESS)
}
