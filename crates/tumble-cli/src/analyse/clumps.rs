//! `tumble analyse clumps`: angle of repose and packing of a heap, for grains of one volume and
//! different forms.
//!
//! Alduán, Tena & Otaduy (2009, section 5) found that "the angle of repose reaches its maximum for
//! composite particles whose shape is close to a square", and that such grains pack more loosely.
//! The study runs the named clumps one after another, each with the radius that keeps the volume of
//! a grain, and so its mass.

use std::process::ExitCode;

use tumble::world::{Clump, Shape};
use tumble_picture::Plot;
use tumble_scene::Scene;
use tumble_scene::spec::FormSpec;

use super::heap::{HeapFigures, mean_and_deviation};
use super::study::{Study, StudyArguments};
use super::table::{StudyCell, StudyTable};
use super::vary::{Base, Variant, are_made, overlap_of};
use crate::Failure;

/// Clumps by their names in a scene.
const CLUMPS: [(&str, Clump); 5] = [
    ("sphere", Clump::Sphere),
    ("tetrahedron", Clump::Tetrahedron),
    ("octahedron", Clump::Octahedron),
    ("cube", Clump::Cube),
    ("centred_cube", Clump::CentredCube),
];

#[derive(clap::Args)]
pub(crate) struct ClumpsArguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Clumps to compare
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_values = CLUMPS.map(|clump| clump.0), value_parser = CLUMPS.map(|clump| clump.0))]
    clumps: Vec<String>,
    /// Runs for each clump, each with another seed
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,
    /// Leave out bodies above this height, such as those still in a hopper, in metres
    #[arg(long, value_name = "HEIGHT", allow_negative_numbers = true)]
    below: Option<f64>,
}

/// One run: its clump and the heap at its end.
struct ClumpRun {
    clump: &'static str,
    spheres: usize,
    heap: HeapFigures,
}

pub(crate) fn clumps(arguments: &ClumpsArguments) -> Result<ExitCode, Failure> {
    let (given, base) = Base::load(&arguments.study.scene)?;
    let shapes = grains(&base);
    if shapes.is_empty() {
        let name = &base.name;
        return Err(format!("{name} has no emitter of spheres or clumps\nhelp: give it a [shape.grain] with `clump`, and an [[emitter]] of it").into());
    }
    let mut plan = Vec::new();
    for (clump, form) in CLUMPS.into_iter().filter(|clump| arguments.clumps.iter().any(|name| name == clump.0)) {
        for seed in (0..u64::from(arguments.seeds)).map(|more| given.spec.seed + more) {
            let variant = Variant::new(&given, format!("{clump} seed {seed}"), |spec| {
                spec.seed = seed;
                for (name, shape) in &mut spec.shapes {
                    let Some(grain) = shapes.iter().find(|shape| shape.name == *name) else { continue };
                    let overlap = overlap_of(&given.spec, name);
                    let radius = radius_of(form, grain.volume, overlap);
                    shape.form = FormSpec::Clump { clump: form, radius, overlap };
                }
            });
            plan.push((clump, seed, variant));
        }
    }
    let (runs, variants): (Vec<_>, Vec<Variant>) =
        plan.into_iter().map(|(clump, seed, variant)| ((clump, seed), variant)).unzip();
    let mut study = Study::begin(&arguments.study, "clumps", &base, &variants)?;

    let columns = ["clump", "spheres", "seed", "bodies", "height", "width", "angle_degrees", "packing", "settled"];
    let mut table = StudyTable::new(&columns, &["radius", "reach"]);
    let (mut piles, mut moving): (Vec<ClumpRun>, usize) = (Vec::new(), 0);
    for ((clump, seed), variant) in runs.into_iter().zip(&variants) {
        let Some((scene, heap, settled)) = HeapFigures::of_run(&mut study, variant, arguments.below)? else { continue };
        let [shape, ..] = grains(&scene)[..] else { continue };
        moving += usize::from(!settled);
        table.rows.push(vec![
            StudyCell::Text(clump.into()),
            StudyCell::Count(shape.spheres.len() as u64),
            StudyCell::Count(seed),
            StudyCell::Count(heap.bodies as u64),
            StudyCell::Number(heap.height),
            StudyCell::Number(heap.width),
            StudyCell::Number(heap.angle),
            StudyCell::Number(heap.packing),
            StudyCell::Count(settled.into()),
            StudyCell::Number(shape.spheres[0].radius),
            StudyCell::Number(shape.bounding_radius),
        ]);
        piles.push(ClumpRun { clump, spheres: shape.spheres.len(), heap });
        study.write_table(&table)?;
    }
    if moving > 0 {
        study.note(format!("{moving} of {} runs were not at rest at the end; --frames makes them longer", piles.len()));
    }
    study.write(".svg", &plot(&piles))?;
    study.finish(&format!("Heap of {} against the shape of its grains", base.name), &[("", &summary(&piles))], &[])
}

/// The shapes of emitters that are spheres or clumps.
fn grains(scene: &Scene) -> Vec<&Shape> {
    let is_grain = |shape: &&Shape| shape.mesh.is_none() && are_made(&scene.spec, &[&shape.name]);
    scene.simulation.world().shapes.iter().filter(is_grain).collect()
}

/// The radius that gives a clump this volume \[m\].
fn radius_of(clump: Clump, volume: f64, overlap: f64) -> f64 {
    let unit = if clump == Clump::Sphere { Shape::ball("", 1.0) } else { Shape::named_clump("", clump, 1.0, overlap) };
    // A radius of one makes a clump at any overlap that scenes allow.
    unit.map_or(0.0, |unit| (volume / unit.volume).cbrt())
}

/// Mean and standard deviation over seeds, one row per clump.
fn summary(piles: &[ClumpRun]) -> StudyTable {
    let columns = ["clump", "spheres", "runs", "angle", "±", "packing", "±", "height", "±", "width", "±"];
    let mut table = StudyTable::new(&columns, &[]);
    for runs in piles.chunk_by(|a, b| a.clump == b.clump) {
        let spread = |of: fn(&HeapFigures) -> f64| {
            mean_and_deviation(runs.iter().map(|pile| of(&pile.heap))).map(StudyCell::Number)
        };
        let mut row = vec![
            StudyCell::Text(runs[0].clump.into()),
            StudyCell::Count(runs[0].spheres as u64),
            StudyCell::Count(runs.len() as u64),
        ];
        row.extend(spread(|heap| heap.angle));
        row.extend(spread(|heap| heap.packing));
        row.extend(spread(|heap| heap.height));
        row.extend(spread(|heap| heap.width));
        table.rows.push(row);
    }
    table
}

/// Plots the mean as a line and every run as a point.
fn plot(piles: &[ClumpRun]) -> String {
    let runs = piles.chunk_by(|a, b| a.clump == b.clump);
    let mean =
        |runs: &[ClumpRun]| (runs[0].spheres as f64, mean_and_deviation(runs.iter().map(|pile| pile.heap.angle))[0]);
    let mean: Vec<(f64, f64)> = runs.map(mean).collect();
    let points: Vec<(f64, f64)> = piles.iter().map(|pile| (pile.spheres as f64, pile.heap.angle)).collect();
    let plot = Plot::new("Angle of repose").x("spheres of a grain").y("angle of repose [°]").from_zero();
    plot.line("mean", &mean).points("each run", &points).to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spheres that only touch share no volume: N of them have N times the volume of one. Nine
    /// overlap.
    #[test]
    fn grains_of_all_clumps_have_one_volume() {
        let volume = Shape::ball("", 0.01).unwrap().volume;
        for (clump, spheres) in
            [(Clump::Sphere, 1.0f64), (Clump::Tetrahedron, 4.0), (Clump::Octahedron, 6.0), (Clump::Cube, 8.0)]
        {
            assert!((radius_of(clump, volume, 0.0) * spheres.cbrt() / 0.01 - 1.0).abs() < 1e-9, "{clump:?}");
        }
        let nine = radius_of(Clump::CentredCube, volume, 0.0) / 0.01;
        assert!(9.0f64.cbrt().recip() < nine && nine < 8.0f64.cbrt().recip(), "{nine}");
        for overlap in [0.0, 0.3] {
            let radius = radius_of(Clump::CentredCube, volume, overlap);
            let shape = Shape::named_clump("", Clump::CentredCube, radius, overlap).unwrap();
            assert!((shape.volume / volume - 1.0).abs() < 1e-9, "{overlap}");
        }
    }
}
