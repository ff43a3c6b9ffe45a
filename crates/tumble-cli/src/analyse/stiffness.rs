//! `tumble analyse stiffness`: eigenvalues of the equations of motion during a run, for several
//! frictions.
//!
//! Tables 2 and 3 of Yee, Christara & Lait (2009), in kind: the eigenvalue with the largest
//! negative real part says how stiff the equations are, the one with the largest absolute real part
//! whether they are stiff or unstable.

use std::process::ExitCode;

use tumble_picture::Plot;

use super::jacobian::{Eigenvalue, eigenvalues};
use super::study::{Study, StudyArguments, VariantEnd};
use super::table::{StudyCell, StudyTable};
use super::vary::{Base, Variant, bodies, friction_in, set_friction};
use super::{parse_not_negative, parse_positive};
use crate::Failure;
use crate::report::html::number;

/// Most bodies: more would make a matrix of over 2400 rows and take minutes per time.
const MOST_BODIES: u64 = 200;

/// Number of times at which the Jacobian is evaluated unless times are given.
const TIMES: u64 = 20;

#[derive(clap::Args)]
pub(crate) struct StiffnessArguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Frictions between bodies
    #[arg(long, value_name = "F,…", value_delimiter = ',', default_values_t = [0.0, 0.25, 0.5, 0.75, 1.0], value_parser = parse_not_negative, allow_negative_numbers = true)]
    frictions: Vec<f64>,
    /// Rolling friction as a multiple of the friction [default: the scene's, whatever the friction]
    #[arg(long, value_name = "RATIO", value_parser = parse_not_negative, allow_negative_numbers = true)]
    rolling: Option<f64>,
    /// Times in seconds since the first frame; the nearest frames are taken [default: 20, evenly
    /// spaced]
    #[arg(long, value_name = "T,…", value_delimiter = ',', value_parser = parse_not_negative, allow_negative_numbers = true)]
    times: Vec<f64>,
    /// Finite difference of the Jacobian, in radii and radians: small against overlaps, large
    /// against rounding
    #[arg(long, value_name = "SIZE", default_value_t = 1e-7, value_parser = parse_positive, allow_negative_numbers = true)]
    difference: f64,
}

/// The decisive eigenvalues of a state.
struct StateStiffness {
    friction: f64,
    time: f64,
    /// The eigenvalue with the smallest real part, if that is negative.
    negative: Option<Eigenvalue>,
    /// The eigenvalue with the largest absolute real part.
    absolute: Eigenvalue,
}

pub(crate) fn stiffness(arguments: &StiffnessArguments) -> Result<ExitCode, Failure> {
    let (given, base) = Base::load(&arguments.study.scene)?;
    let bodies = bodies(&given.spec);
    if bodies > MOST_BODIES {
        return Err(format!(
            "{bodies} bodies are too many: their Jacobian has {} rows, and the eigenvalues of more than {MOST_BODIES} bodies take too long\nhelp: lower the count, such as with --set emitter.0.count=48",
            12 * bodies
        )
        .into());
    }
    let frames = chosen_frames(&arguments.times, base.frames, base.fps)?;
    let variant = |&friction: &f64| {
        Variant::new(&given, format!("friction {friction}"), |spec| set_friction(spec, friction, arguments.rolling))
    };
    let variants: Vec<Variant> = arguments.frictions.iter().map(variant).collect();
    let mut study = Study::begin(&arguments.study, "stiffness", &base, &variants)?;

    let mut table = StudyTable::new(
        &["friction", "rolling_friction", "time", "bodies", "contacts"],
        &["negative_real", "negative_imaginary", "absolute_real", "absolute_imaginary", "largest_modulus"],
    );
    let mut looks: Vec<StateStiffness> = Vec::new();
    for variant in &variants {
        let mut scene = variant.load()?;
        let [friction, rolling] = friction_in(&scene);
        let (mut rows, mut seen) = (Vec::new(), Vec::new());
        let mut look = |simulation: &tumble::Simulation, contacts: u64| -> Result<(), Failure> {
            let found = eigenvalues(simulation, arguments.difference)?;
            let by = |size: fn(&Eigenvalue) -> f64| {
                found
                    .iter()
                    .copied()
                    .max_by(|a, b| size(a).total_cmp(&size(b)).then(a.imaginary.total_cmp(&b.imaginary)))
            };
            let negative = by(|value| -value.real).filter(|value| value.real < 0.0);
            let Some(absolute) = by(|value| value.real.abs()) else { return Ok(()) };
            let part =
                |value: Option<Eigenvalue>, of: fn(Eigenvalue) -> f64| StudyCell::Number(value.map_or(f64::NAN, of));
            rows.push(vec![
                StudyCell::Number(friction),
                StudyCell::Number(rolling),
                StudyCell::Number(simulation.time()),
                StudyCell::Count(simulation.world().bodies.len() as u64),
                StudyCell::Count(contacts),
                part(negative, |value| value.real),
                part(negative, |value| value.imaginary),
                StudyCell::Number(absolute.real),
                StudyCell::Number(absolute.imaginary),
                part(by(|value| value.modulus()), Eigenvalue::modulus),
            ]);
            seen.push(StateStiffness { friction, time: simulation.time(), negative, absolute });
            Ok(())
        };
        if frames.contains(&scene.simulation.frame_number()) {
            look(&scene.simulation, scene.simulation.measure().contacts)?;
        }
        let end = study.run(&variant.name, &mut scene, |simulation, report, _| {
            if frames.contains(&report.frame) { look(simulation, report.contacts) } else { Ok(()) }
        })?;
        if end == VariantEnd::Stopped {
            break;
        }
        table.rows.append(&mut rows);
        looks.append(&mut seen);
        study.write_table(&table)?;
    }
    study.write(".svg", &plot(&looks))?;
    let negative = side_by_side(&looks, |look| look.negative.map_or("–".into(), shown));
    let absolute = side_by_side(&looks, |look| shown(look.absolute));
    let tables = [
        ("Eigenvalue with the largest negative real part [1/s], by time and friction:", &negative),
        ("Eigenvalue with the largest absolute real part [1/s], by time and friction:", &absolute),
    ];
    study.finish(&format!("Stiffness of {}", base.name), &tables, &[])
}

/// Numbers of the frames nearest to the times that were asked for, in order.
fn chosen_frames(times: &[f64], [first, last]: [i64; 2], fps: f64) -> Result<Vec<i64>, Failure> {
    let length = last.abs_diff(first);
    let mut frames: Vec<i64> = if times.is_empty() {
        let count = TIMES.min(length);
        (1..=count).map(|n| first + (length * n / count) as i64).collect()
    } else {
        times.iter().map(|time| first.saturating_add((time * fps).round() as i64)).collect()
    };
    frames.sort_unstable();
    frames.dedup();
    if let Some(late) = frames.iter().find(|frame| **frame > last) {
        let end = length as f64 / fps;
        return Err(format!("{} s is after the end of the scene, {end} s", (late - first) as f64 / fps).into());
    }
    if frames.is_empty() {
        return Err("the scene has only one frame, and so no time to analyse\nhelp: --frames makes it longer".into());
    }
    Ok(frames)
}

/// Table with one row per time and one column per friction.
fn side_by_side(looks: &[StateStiffness], cell: impl Fn(&StateStiffness) -> String) -> StudyTable {
    let runs: Vec<&[StateStiffness]> = looks.chunk_by(|a, b| a.friction == b.friction).collect();
    let head: Vec<String> = runs.iter().map(|run| run[0].friction.to_string()).collect();
    let columns: Vec<&str> = ["time [s]"].into_iter().chain(head.iter().map(String::as_str)).collect();
    let mut table = StudyTable::new(&columns, &[]);
    let mut times: Vec<f64> = looks.iter().map(|look| look.time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    for time in times {
        let of_run = |run: &&[StateStiffness]| {
            let look = run.iter().find(|look| look.time == time);
            StudyCell::Text(look.map_or("–".into(), &cell))
        };
        table.rows.push([StudyCell::Number(time)].into_iter().chain(runs.iter().map(of_run)).collect());
    }
    table
}

fn shown(value: Eigenvalue) -> String {
    if value.imaginary == 0.0 {
        number(value.real)
    } else {
        format!("{} ± {}i", number(value.real), number(value.imaginary))
    }
}

/// Plots the stiffness of the equations over time, one line per friction.
fn plot(looks: &[StateStiffness]) -> String {
    let plot = Plot::new("Largest negative real part").x("time [s]").y("-Re λ [1/s]").log_y();
    let line = |plot: Plot, run: &[StateStiffness]| {
        let points = run.iter().map(|look| (look.time, look.negative.map_or(f64::NAN, |value| -value.real)));
        plot.line(&format!("friction {}", run[0].friction), &points.collect::<Vec<_>>())
    };
    looks.chunk_by(|a, b| a.friction == b.friction).fold(plot, line).to_svg()
}

#[cfg(test)]
mod tests {
    use super::chosen_frames;

    #[test]
    fn times_become_frames() {
        assert_eq!(chosen_frames(&[], [1, 4], 24.0).unwrap(), [2, 3, 4]);
        let even = chosen_frames(&[], [1001, 1041], 24.0).unwrap();
        assert_eq!((even.len(), even[0], even[19]), (20, 1003, 1041));
        assert_eq!(chosen_frames(&[0.5, 0.0, 0.5], [1, 25], 24.0).unwrap(), [1, 13]);
        assert!(chosen_frames(&[2.0], [1, 25], 24.0).is_err());
        assert!(chosen_frames(&[], [1, 1], 24.0).is_err());
    }
}
