//! `tumble analyse detail`: speed-up by particles over simulating as many grains, and the
//! difference between the surfaces of the piles.
//!
//! Figure 4 and section 5 of Alduán, Tena & Otaduy (2009), for any scene with `[detail]`: the scene
//! as it is, and the scene in full, in which every grain that particles follow is replaced by as
//! many grains as it has particles. Both run in one process, on the same threads. The study
//! compares the surfaces of the piles: particles that look like the full grains are worth something
//! only if they lie where those do.

use std::process::ExitCode;

use tumble_picture::{Plot, Renderer, View, sheet, write_png};
use tumble_scene::spec::{SceneSpec, SolverSpec};

use super::study::{Study, StudyArguments};
use super::table::{StudyCell, StudyTable};
use super::vary::{Base, Variant, are_made, refine, single};
use super::ways::{DetailRun, PileView};
use crate::Failure;
use crate::look;
use crate::report::html::number;

/// Pixels of each of the three pictures.
const SIZE: [usize; 2] = [640, 480];

#[derive(clap::Args)]
pub(crate) struct DetailStudyArguments {
    #[command(flatten)]
    study: StudyArguments,
}

pub(crate) fn detail(arguments: &DetailStudyArguments) -> Result<ExitCode, Failure> {
    let (given, base) = Base::load(&arguments.study.scene)?;
    let name = &base.name;
    let Some((detailing, _)) = &base.detail else {
        return Err(format!("{name} has no particles\nhelp: give it a [detail], or --set detail.count=20").into());
    };
    if base.frames[0] == base.frames[1] {
        return Err(format!("{name} has only one frame, and so no motion\nhelp: --frames makes it longer").into());
    }
    let (count, is_carrier) = (detailing.settings.count, detailing.carriers.clone());
    let shapes = base.simulation.world().shapes.iter().zip(&is_carrier);
    let carriers: Vec<&str> =
        shapes.filter(|(_, is_carrier)| **is_carrier).map(|(shape, _)| shape.name.as_str()).collect();
    if !are_made(&given.spec, &carriers) {
        return Err(format!(
            "{name} has no emitter of carriers; a [[body]] cannot be multiplied\nhelp: fill it with an [[emitter]]"
        )
        .into());
    }
    let variants = [
        Variant::new(&given, "carriers with particles".into(), |_| {}),
        Variant::new(&given, "full".into(), |spec| make_full(spec, &carriers, count)),
    ];
    let mut study = Study::begin(&arguments.study, "detail", &base, &variants)?;
    match single(&given.spec, &carriers) {
        0 => {}
        bodies => study.note(format!(
            "{bodies} [[body]] of the carriers' shapes cannot be multiplied: they stay as they are in the full run"
        )),
    }

    let carriers = DetailRun::new(&mut study, &variants[0], "carriers", &is_carrier)?;
    study.write_table(&costs(carriers.as_ref(), None))?;
    let full = if carriers.is_some() { DetailRun::new(&mut study, &variants[1], "full", &is_carrier)? } else { None };
    let costs = costs(carriers.as_ref(), full.as_ref());
    study.write_table(&costs)?;
    let title = format!("Speed-up by particles in {name}");
    let Some((carriers, full)) = carriers.zip(full) else { return study.finish(&title, &[("", &costs)], &[]) };

    let mut remarks = gains(&carriers, &full);
    let ways = PileView::all(&carriers, &full);
    let mut piles = StudyTable::new(
        &[
            "pile_of",
            "angle_degrees",
            "spread_degrees",
            "top",
            "base_radius",
            "profile_difference",
            "worst",
            "surface_difference",
        ],
        &[],
    );
    if let Some(ways) = &ways {
        piles.rows.extend(ways.iter().map(row));
        let particles = &ways[2].difference;
        let (mean, worst, diameter) =
            (number(particles.profile), number(particles.profile_worst), number(1e3 * carriers.diameter()));
        remarks.push(format!(
            "The profile of the particles is {mean} diameters of a carrier ({diameter} mm) away from that of the full grains, at most {worst}."
        ));
        study.write("-profile.svg", &plot(ways, carriers.diameter()))?;
    } else {
        study.note("there is no pile at the end that could be compared".into());
    }
    study.write("-piles.csv", &piles.to_csv())?;
    if let Err(problem) = picture(&study, &carriers, &full) {
        study.note(format!("there is no picture: {problem}"));
    }
    let caption = "The piles at the end; differences from that of the full grains in diameters of a carrier:";
    study.finish(&title, &[("", &costs), (caption, &piles)], &remarks)
}

/// Makes a scene of as many grains as there are particles: without particles, and without settings
/// that were chosen for larger grains.
fn make_full(spec: &mut SceneSpec, carriers: &[&str], count: u32) {
    refine(spec, carriers, count);
    (spec.detail, spec.step) = (None, None);
    if let SolverSpec::Granular(granular) = &mut spec.solver {
        (granular.tolerance, granular.skin) = (None, None);
        (granular.smallest_step, granular.largest_step) = (None, None);
    }
}

/// Cost of both runs.
fn costs(carriers: Option<&DetailRun>, full: Option<&DetailRun>) -> StudyTable {
    let columns = [
        "run",
        "grains",
        "particles",
        "frames",
        "steps_per_frame",
        "step",
        "seconds",
        "grains_seconds",
        "particles_seconds",
        "speed_up",
    ];
    let mut table = StudyTable::new(&columns, &["steps", "threads"]);
    for (name, run) in [("carriers with particles", carriers), ("full", full)] {
        let Some(run) = run else { continue };
        table.rows.push(vec![
            StudyCell::Text(name.into()),
            StudyCell::Count(run.grains()),
            StudyCell::Count(run.particles()),
            StudyCell::Count(run.frames),
            StudyCell::Number(run.steps as f64 / run.frames as f64),
            StudyCell::Number(run.step()),
            StudyCell::Number(run.seconds()),
            StudyCell::Number(run.grains_seconds),
            StudyCell::Number(run.particles_seconds),
            StudyCell::Number(full.map_or(f64::NAN, |full| full.seconds() / run.seconds())),
            StudyCell::Count(run.steps),
            StudyCell::Count(rayon::current_num_threads() as u64),
        ]);
    }
    table
}

/// Sentences about where the speed-up comes from.
fn gains(carriers: &DetailRun, full: &DetailRun) -> Vec<String> {
    let gain = full.seconds() / carriers.seconds();
    let steps = full.steps as f64 / carriers.steps as f64;
    vec![format!(
        "Speed-up {gain:.1}x: {steps:.1}x by larger steps, {:.1}x by fewer grains. Particles take {:.0} % of the time.",
        gain / steps,
        100.0 * carriers.particles_seconds / carriers.seconds()
    )]
}

/// Table row of a pile.
fn row(way: &PileView) -> Vec<StudyCell> {
    let [angle, spread] = way.angle;
    let difference = [way.difference.profile, way.difference.profile_worst, way.difference.squares];
    let numbers = [angle, spread, way.top, way.radius].into_iter().chain(difference);
    [StudyCell::Text(way.name.into())].into_iter().chain(numbers.map(StudyCell::Number)).collect()
}

/// Plots the profiles of all three piles.
fn plot(ways: &[PileView], ring: f64) -> String {
    let mut plot = Plot::new("Profiles").x("distance from the axis [m]").y("height [m]").from_zero();
    for way in ways {
        let points = way.profile.iter().enumerate().map(|(n, height)| ((n as f64 + 0.5) * ring, *height));
        plot = plot.line(way.name, &points.collect::<Vec<_>>());
    }
    plot.to_svg()
}

/// Pictures of the last frame as full grains, carriers and particles, from one camera: figure 4 of
/// the paper.
fn picture(study: &Study, carriers: &DetailRun, full: &DetailRun) -> Result<(), Failure> {
    let [mut carried, mut fully] = [carriers.recording()?, full.recording()?];
    let [of_carriers, of_full] = [Renderer::new(&mut carried)?, Renderer::new(&mut fully)?];
    let view = of_carriers.view(SIZE);
    let grains = View { grains: true, ..view.clone() };
    let last = |recording: &tumble_io::Recording| recording.frames().len() - 1;
    let (end, full_end) = (last(&carried), last(&fully));
    let images = [
        look::picture(&mut fully, &of_full, &view, full_end)?.0,
        look::picture(&mut carried, &of_carriers, &grains, end)?.0,
        look::picture(&mut carried, &of_carriers, &view, end)?.0,
    ];
    let labels = [
        format!("full: {} grains, {} s", full.grains(), number(full.seconds())),
        format!("carriers: {} grains, {} s", carriers.grains(), number(carriers.grains_seconds)),
        format!("{} particles, {} s", carriers.particles(), number(carriers.seconds())),
    ];
    Ok(write_png(&study.place("three_ways.png"), &sheet(&images, &labels, 3))?)
}
