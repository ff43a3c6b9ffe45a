//! `tumble analyse friction`: height and width of the pile of the last frame, for several frictions
//! and seeds.
//!
//! Figure 9 of Yee, Christara & Lait (2009), in kind.

use std::process::ExitCode;

use tumble_picture::Plot;

use super::heap::{HeapFigures, mean_and_deviation};
use super::parse_not_negative;
use super::study::{Study, StudyArguments};
use super::table::{StudyCell, StudyTable};
use super::vary::{Base, Variant, friction_in, set_friction};
use crate::Failure;

#[derive(clap::Args)]
pub(crate) struct FrictionArguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Frictions between bodies
    #[arg(long, value_name = "F,…", value_delimiter = ',', default_values_t = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0], value_parser = parse_not_negative, allow_negative_numbers = true)]
    frictions: Vec<f64>,
    /// Rolling friction as a multiple of the friction [default: the scene's, whatever the friction]
    #[arg(long, value_name = "RATIO", value_parser = parse_not_negative, allow_negative_numbers = true)]
    rolling: Option<f64>,
    /// Runs for each friction, each with another seed
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,
    /// Leave out bodies above this height, such as those still in a hopper, in metres
    #[arg(long, value_name = "HEIGHT", allow_negative_numbers = true)]
    below: Option<f64>,
}

/// One run: its frictions and the heap at its end.
struct FrictionRun {
    friction: f64,
    rolling: f64,
    heap: HeapFigures,
    settled: bool,
}

pub(crate) fn friction(arguments: &FrictionArguments) -> Result<ExitCode, Failure> {
    let (given, base) = Base::load(&arguments.study.scene)?;
    let mut plan = Vec::new();
    for &friction in &arguments.frictions {
        for seed in (0..u64::from(arguments.seeds)).map(|more| given.spec.seed + more) {
            let variant = Variant::new(&given, format!("friction {friction} seed {seed}"), |spec| {
                set_friction(spec, friction, arguments.rolling);
                spec.seed = seed;
            });
            plan.push((seed, variant));
        }
    }
    let (seeds, variants): (Vec<u64>, Vec<Variant>) = plan.into_iter().unzip();
    let mut study = Study::begin(&arguments.study, "friction", &base, &variants)?;

    let mut table = StudyTable::new(
        &["friction", "rolling_friction", "seed", "bodies", "height", "width", "angle_degrees", "settled"],
        &["packing"],
    );
    let mut piles: Vec<FrictionRun> = Vec::new();
    for (seed, variant) in seeds.into_iter().zip(&variants) {
        let Some((scene, heap, settled)) = HeapFigures::of_run(&mut study, variant, arguments.below)? else { continue };
        let [friction, rolling] = friction_in(&scene);
        table.rows.push(vec![
            StudyCell::Number(friction),
            StudyCell::Number(rolling),
            StudyCell::Count(seed),
            StudyCell::Count(heap.bodies as u64),
            StudyCell::Number(heap.height),
            StudyCell::Number(heap.width),
            StudyCell::Number(heap.angle),
            StudyCell::Count(settled.into()),
            StudyCell::Number(heap.packing),
        ]);
        piles.push(FrictionRun { friction, rolling, heap, settled });
        study.write_table(&table)?;
    }
    let moving = piles.iter().filter(|pile| !pile.settled).count();
    if moving > 0 {
        study.note(format!("{moving} of {} runs were not at rest at the end; --frames makes them longer", piles.len()));
    }
    study.write("-height.svg", &plot(&piles, "Height of the pile", "height [m]", |heap| heap.height))?;
    study.write("-width.svg", &plot(&piles, "Width of the pile", "width [m]", |heap| heap.width))?;
    study.finish(&format!("Pile of {} against friction", base.name), &[("", &summary(&piles))], &[])
}

/// Mean and standard deviation over seeds, one row per friction.
fn summary(piles: &[FrictionRun]) -> StudyTable {
    let columns = ["friction", "rolling_friction", "runs", "bodies", "height", "±", "width", "±", "angle", "±"];
    let mut table = StudyTable::new(&columns, &[]);
    for runs in piles.chunk_by(|a, b| a.friction == b.friction) {
        let spread = |of: fn(&HeapFigures) -> f64| {
            let [mean, deviation] = mean_and_deviation(runs.iter().map(|pile| of(&pile.heap)));
            [StudyCell::Number(mean), StudyCell::Number(deviation)]
        };
        let mut row = vec![
            StudyCell::Number(runs[0].friction),
            StudyCell::Number(runs[0].rolling),
            StudyCell::Count(runs.len() as u64),
            StudyCell::Number(mean_and_deviation(runs.iter().map(|pile| pile.heap.bodies as f64))[0]),
        ];
        row.extend(spread(|heap| heap.height));
        row.extend(spread(|heap| heap.width));
        row.extend(spread(|heap| heap.angle));
        table.rows.push(row);
    }
    table
}

/// Plots the mean as a line and every run as a point.
fn plot(piles: &[FrictionRun], title: &str, label: &str, of: fn(&HeapFigures) -> f64) -> String {
    let runs = piles.chunk_by(|a, b| a.friction == b.friction);
    let mean = |runs: &[FrictionRun]| (runs[0].friction, mean_and_deviation(runs.iter().map(|pile| of(&pile.heap)))[0]);
    let mean: Vec<(f64, f64)> = runs.map(mean).collect();
    let points: Vec<(f64, f64)> = piles.iter().map(|pile| (pile.friction, of(&pile.heap))).collect();
    let plot = Plot::new(title).x("friction [-]").y(label).from_zero();
    plot.line("mean", &mean).points("each run", &points).to_svg()
}
