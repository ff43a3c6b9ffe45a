//! `tumble analyse friction`: how high and wide the pile of the last frame is, for several frictions and seeds.
//!
//! Figure 9 of Yee, Christara & Lait (2009), in kind.

use std::convert::Infallible;
use std::process::ExitCode;

use glam::DVec3;
use tumble::Frame;
use tumble::measure::{Ball, repose};
use tumble_picture::Plot;
use tumble_scene::Scene;

use super::keys::Keys;
use super::parse_not_negative;
use super::study::{End, Study, StudyArguments, Variant};
use super::table::{Cell, Table};
use crate::forms::Forms;
use crate::{Failure, header};

/// Part of the volume that lies within the width of a pile: a few grains that rolled away do not make it wide.
const WITHIN: f64 = 0.9;

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

/// The pile at the end of a run.
struct Pile {
    friction: f64,
    rolling: f64,
    bodies: usize,
    /// From the lowest to the highest point of all bodies that touch something \[m\].
    height: f64,
    /// Twice the distance from the middle within which most of the volume lies \[m\].
    width: f64,
    /// Angle of repose \[°\]; NaN if the pile has none.
    angle: f64,
    settled: bool,
}

pub(crate) fn friction(arguments: &FrictionArguments) -> Result<ExitCode, Failure> {
    let base = arguments.study.scene.load()?;
    let keys = Keys::of(&base)?;
    let mut plan = Vec::new();
    for &friction in &arguments.frictions {
        for seed in (0..u64::from(arguments.seeds)).map(|more| keys.seed + more) {
            let mut sets = keys.with_friction(friction, arguments.rolling);
            sets.push(format!("seed={seed}"));
            let name = format!("friction {friction} seed {seed}");
            plan.push((seed, Variant::new(&arguments.study.scene, name, sets)));
        }
    }
    let (seeds, variants): (Vec<u64>, Vec<Variant>) = plan.into_iter().unzip();
    let mut study = Study::begin(&arguments.study, "friction", &base, &variants)?;

    let mut table = Table::new(
        &["friction", "rolling_friction", "seed", "bodies", "height", "width", "angle_degrees", "settled"],
        &[],
    );
    let mut piles: Vec<Pile> = Vec::new();
    for (seed, variant) in seeds.into_iter().zip(&variants) {
        let mut scene = variant.load()?;
        let [friction, rolling] = keys.friction_in(&scene);
        let mut settled = false;
        let end = study.run(&variant.name, &mut scene, |_, report, _| {
            settled = report.settled;
            Ok(())
        })?;
        // A study that is stopped ends all further runs at once.
        if end != End::Whole {
            continue;
        }
        let Some((bodies, [height, width, angle])) = measure(&scene, arguments.below) else {
            study.note(format!("{} has no pile at its end", variant.name));
            continue;
        };
        table.rows.push(vec![
            Cell::Number(friction),
            Cell::Number(rolling),
            Cell::Count(seed),
            Cell::Count(bodies as u64),
            Cell::Number(height),
            Cell::Number(width),
            Cell::Number(angle),
            Cell::Count(settled.into()),
        ]);
        piles.push(Pile { friction, rolling, bodies, height, width, angle, settled });
        study.write_table(&table)?;
    }
    let moving = piles.iter().filter(|pile| !pile.settled).count();
    if moving > 0 {
        study.note(format!("{moving} of {} runs were not at rest at the end; --frames makes them longer", piles.len()));
    }
    study.write("-height.svg", &plot(&piles, "Height of the pile", "height [m]", |pile| pile.height))?;
    study.write("-width.svg", &plot(&piles, "Width of the pile", "width [m]", |pile| pile.width))?;
    study.finish(&format!("Pile of {} against friction", base.name), &[("", &summary(&piles))], &[])
}

/// Bodies in the pile, its height and width \[m\], and its angle of repose \[°\], NaN if it has none.
fn measure(scene: &Scene, below: Option<f64>) -> Option<(usize, [f64; 3])> {
    let up = (-scene.simulation.world().gravity).normalize_or(DVec3::Z);
    let (header, meshes) = header::of(scene);
    let Ok(forms) = Forms::new(&header, |mesh| Ok::<_, Infallible>(meshes[mesh as usize].clone()));
    let mut frame = Frame::default();
    scene.simulation.show(&mut frame);
    let place = |position: [f32; 3]| DVec3::from_array(position.map(f64::from));
    frame.bodies.retain(|body| below.is_none_or(|below| place(body.position).dot(up) < below));
    let angle = repose(&forms.of_heap(&frame), up).map_or(f64::NAN, |found| found.angle.to_degrees());
    // What touches nothing is still on its way.
    if frame.bodies.iter().any(|body| body.contacts > 0) {
        frame.bodies.retain(|body| body.contacts > 0);
    }
    let [height, width] = extent(&forms.balls(&frame), up)?;
    Some((frame.bodies.len(), [height, width, angle]))
}

/// Height and width of a pile \[m\].
fn extent(balls: &[Ball], up: DVec3) -> Option<[f64; 2]> {
    let volume = |ball: &Ball| ball.radius.powi(3);
    let whole: f64 = balls.iter().map(volume).sum();
    let middle = balls.iter().fold(DVec3::ZERO, |sum, ball| sum + volume(ball) * ball.centre) / whole;
    let top = balls.iter().map(|ball| ball.centre.dot(up) + ball.radius).reduce(f64::max)?;
    let bottom = balls.iter().map(|ball| ball.centre.dot(up) - ball.radius).reduce(f64::min)?;
    let mut places: Vec<(f64, f64)> =
        balls.iter().map(|ball| ((ball.centre - middle).reject_from(up).length(), volume(ball))).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut within = 0.0;
    let edge = places.iter().find(|(_, volume)| {
        within += volume;
        within >= WITHIN * whole
    });
    Some([top - bottom, 2.0 * edge.map_or(0.0, |(distance, _)| *distance)])
}

/// Mean and standard deviation over seeds, a row a friction.
fn summary(piles: &[Pile]) -> Table {
    let columns = ["friction", "rolling_friction", "runs", "bodies", "height", "±", "width", "±", "angle", "±"];
    let mut table = Table::new(&columns, &[]);
    for runs in piles.chunk_by(|a, b| a.friction == b.friction) {
        let spread = |of: fn(&Pile) -> f64| {
            let [mean, deviation] = mean_and_deviation(runs, of);
            [Cell::Number(mean), Cell::Number(deviation)]
        };
        let mut row = vec![
            Cell::Number(runs[0].friction),
            Cell::Number(runs[0].rolling),
            Cell::Count(runs.len() as u64),
            Cell::Number(mean_and_deviation(runs, |pile| pile.bodies as f64)[0]),
        ];
        row.extend(spread(|pile| pile.height));
        row.extend(spread(|pile| pile.width));
        row.extend(spread(|pile| pile.angle));
        table.rows.push(row);
    }
    table
}

/// Mean and standard deviation of those that have a value; NaN if there are too few.
fn mean_and_deviation(runs: &[Pile], of: fn(&Pile) -> f64) -> [f64; 2] {
    let values: Vec<f64> = runs.iter().map(of).filter(|value| value.is_finite()).collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    [mean, if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { f64::NAN }]
}

/// The mean as a line, every run as a point.
fn plot(piles: &[Pile], title: &str, label: &str, of: fn(&Pile) -> f64) -> String {
    let runs = piles.chunk_by(|a, b| a.friction == b.friction);
    let mean: Vec<(f64, f64)> = runs.map(|runs| (runs[0].friction, mean_and_deviation(runs, of)[0])).collect();
    let points: Vec<(f64, f64)> = piles.iter().map(|pile| (pile.friction, of(pile))).collect();
    let plot = Plot::new(title).x("friction [-]").y(label).from_zero();
    plot.line("mean", &mean).points("each run", &points).to_svg()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use tumble::measure::Ball;
    use tumble::world::BodyId;

    use super::extent;

    #[test]
    fn a_pile_is_as_wide_as_most_of_it() {
        let ball =
            |n: u64, x: f64, z: f64| Ball { centre: DVec3::new(x, 0.0, z), radius: 0.5, body: BodyId::from_number(n) };
        // Eleven in a row, and one on the middle; nine tenths of the volume are those from -4 to 4 and the one on top.
        let mut balls: Vec<Ball> = (0..11).map(|n| ball(n, n as f64 - 5.0, 0.5)).collect();
        balls.push(ball(11, 0.0, 1.5));
        let [height, width] = extent(&balls, DVec3::Z).unwrap();
        assert!((height - 2.0).abs() < 1e-12 && (width - 10.0).abs() < 1e-12, "{height} {width}");
        balls.push(ball(12, 0.0, 2.5));
        balls.extend((13..22).map(|n| ball(n, 0.0, 0.5)));
        assert_eq!(extent(&balls, DVec3::Z).unwrap(), [3.0, 8.0]);
        assert!(extent(&[], DVec3::Z).is_none());
    }
}
