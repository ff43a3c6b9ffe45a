//! `tumble analyse steps`: the steps that RKF45 and RK23 take, for several tolerances and
//! frictions.
//!
//! Tables 1, 4 and 5 and figures 10 and 11 of Yee, Christara & Lait (2009), in kind: one row per
//! run, and for every run a plot of all steps it tried over time.

use std::process::ExitCode;

use tumble::SolverKind;
use tumble::granular::TriedStep;
use tumble_picture::Plot;
use tumble_scene::spec::{IntegratorName, SolverSpec};
use tumble_scene::text::Word;

use super::study::{Study, StudyArguments, VariantEnd};
use super::table::{StudyCell, StudyTable};
use super::vary::{Base, Variant, friction_in, set_friction};
use super::{parse_not_negative, parse_positive};
use crate::Failure;

const INTEGRATORS: [IntegratorName; 2] = [IntegratorName::Rkf45, IntegratorName::Rk23];

#[derive(clap::Args)]
pub(crate) struct StepsArguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Tolerances of the integrators: largest error of a position per second, in m/s
    #[arg(long, value_name = "T,…", value_delimiter = ',', default_values_t = [0.1, 0.05, 0.01, 0.005, 0.001], value_parser = parse_positive, allow_negative_numbers = true)]
    tolerances: Vec<f64>,
    /// Frictions between bodies [default: the scene's only]
    #[arg(long, value_name = "F,…", value_delimiter = ',', value_parser = parse_not_negative, allow_negative_numbers = true)]
    frictions: Vec<f64>,
    /// With --frictions: rolling friction as a multiple of the friction [default: the scene's,
    /// whatever the friction]
    #[arg(long, value_name = "RATIO", requires = "frictions", value_parser = parse_not_negative, allow_negative_numbers = true)]
    rolling: Option<f64>,
}

/// One run in numbers.
#[derive(Default)]
struct Count {
    frames: u64,
    time: f64,
    seconds: f64,
    warnings: u64,
    deepest_overlap: f64,
    steps: Vec<TriedStep>,
}

pub(crate) fn steps(arguments: &StepsArguments) -> Result<ExitCode, Failure> {
    let (given, base) = Base::load(&arguments.study.scene)?;
    if given.spec.solver.kind() == SolverKind::Rigid {
        let what = "uses the rigid solver, whose steps have a fixed length";
        return Err(format!("{} {what}\nhelp: give a scene of the granular solver", base.name).into());
    }
    // Without frictions there is one set of runs, with nothing changed.
    let frictions: Vec<Option<f64>> = match arguments.frictions.as_slice() {
        [] => vec![None],
        frictions => frictions.iter().copied().map(Some).collect(),
    };
    let mut plan = Vec::new();
    for friction in frictions {
        for integrator in INTEGRATORS {
            for &tolerance in &arguments.tolerances {
                let of_friction = friction.map_or(String::new(), |friction| format!("-friction-{friction}"));
                let name = format!("{}-{tolerance}{of_friction}", integrator.word());
                let variant = Variant::new(&given, name, |spec| {
                    if let Some(friction) = friction {
                        set_friction(spec, friction, arguments.rolling);
                    }
                    if let SolverSpec::Granular(granular) = &mut spec.solver {
                        (granular.integrator, granular.tolerance) = (integrator, Some(tolerance));
                    }
                });
                plan.push((integrator.word(), tolerance, variant));
            }
        }
    }
    let (plan, variants): (Vec<_>, Vec<_>) = plan.into_iter().map(|(i, t, variant)| ((i, t), variant)).unzip();
    let mut study = Study::begin(&arguments.study, "steps", &base, &variants)?;

    let mut table = StudyTable::new(
        &[
            "integrator",
            "tolerance",
            "friction",
            "accepted",
            "rejected",
            "largest_step",
            "smallest_step",
            "mean_step",
            "deepest_overlap",
            "seconds",
        ],
        &["rolling_friction", "frames", "time", "warnings"],
    );
    let mut each = String::from("integrator,tolerance,friction,time,step,accepted\n");
    let mut accepted: Vec<(String, f64, f64)> = Vec::new();
    for ((integrator, tolerance), variant) in plan.into_iter().zip(&variants) {
        let mut scene = variant.load()?;
        let [friction, rolling] = friction_in(&scene);
        let mut count = Count::default();
        scene.simulation.take_tried_steps();
        let end = study.run(&variant.name, &mut scene, |simulation, report, seconds| {
            count.frames += 1;
            count.time = report.time;
            count.seconds += seconds;
            count.warnings += report.warnings.len() as u64;
            count.deepest_overlap = count.deepest_overlap.max(report.deepest_overlap);
            count.steps.append(&mut simulation.take_tried_steps());
            Ok(())
        })?;
        if end == VariantEnd::Stopped {
            break;
        }
        let row = row(integrator, tolerance, [friction, rolling], &count);
        if let StudyCell::Count(steps) = row[3] {
            let name = if arguments.frictions.is_empty() {
                integrator.into()
            } else {
                format!("{integrator}, friction {friction}")
            };
            accepted.push((name, tolerance, steps as f64));
        }
        table.rows.push(row);
        study.write_table(&table)?;
        for step in &count.steps {
            let TriedStep { time, length, kept } = step;
            each.push_str(&format!("{integrator},{tolerance},{friction},{time},{length},{}\n", u8::from(*kept)));
        }
        study.write("-each.csv", &each)?;
        study.write(&format!("-{}.svg", variant.name), &over_time(&variant.name, &count.steps))?;
    }
    study.write(".svg", &over_tolerance(&accepted))?;
    study.finish(&format!("Steps of {}", base.name), &[("", &table)], &[])
}

fn row(integrator: &str, tolerance: f64, [friction, rolling]: [f64; 2], count: &Count) -> Vec<StudyCell> {
    let kept = || count.steps.iter().filter(|step| step.kept).map(|step| step.length);
    let steps = kept().count();
    vec![
        StudyCell::Text(integrator.into()),
        StudyCell::Number(tolerance),
        StudyCell::Number(friction),
        StudyCell::Count(steps as u64),
        StudyCell::Count((count.steps.len() - steps) as u64),
        StudyCell::Number(kept().fold(f64::NAN, f64::max)),
        StudyCell::Number(kept().fold(f64::NAN, f64::min)),
        StudyCell::Number(kept().sum::<f64>() / steps as f64),
        StudyCell::Number(count.deepest_overlap),
        StudyCell::Number(count.seconds),
        StudyCell::Number(rolling),
        StudyCell::Count(count.frames),
        StudyCell::Number(count.time),
        StudyCell::Count(count.warnings),
    ]
}

/// Plots all steps of a run over time: accepted ones in blue, rejected ones in red, as in figures
/// 10 and 11.
fn over_time(name: &str, steps: &[TriedStep]) -> String {
    let points = |kept: bool| -> Vec<(f64, f64)> {
        steps.iter().filter(|step| step.kept == kept).map(|step| (step.time, step.length)).collect()
    };
    let plot = Plot::new(&format!("Steps of {name}")).x("time [s]").y("step [s]").log_y();
    plot.points("accepted", &points(true)).points("rejected", &points(false)).to_svg()
}

/// Plots accepted steps over tolerance, one line per integrator and friction.
fn over_tolerance(accepted: &[(String, f64, f64)]) -> String {
    let plot = Plot::new("Accepted steps").x("tolerance [m/s]").y("steps").log_x().log_y();
    let lines = accepted.chunk_by(|a, b| a.0 == b.0);
    let line = |plot: Plot, runs: &[(String, f64, f64)]| {
        let points: Vec<(f64, f64)> = runs.iter().map(|(_, tolerance, steps)| (*tolerance, *steps)).collect();
        plot.line(&runs[0].0, &points)
    };
    lines.fold(plot, line).to_svg()
}
