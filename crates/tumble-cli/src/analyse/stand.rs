//! `tumble analyse stand`: whether piles with other angles would stand by themselves.
//!
//! Each scene is run with its piles at every asked angle, and without them. Every pile is judged by
//! what no director steers by: its silhouette, who touches whom, how dense it is inside, whether
//! bodies in the air fall freely, and what stays of it when it is let go.

use std::process::ExitCode;

use tumble::measure::Flights;
use tumble_run::standing::{Release, angle_of, held, solid_fraction, support, surface_of};

use super::study::{Study, StudyArguments, VariantEnd};
use super::table::{StudyCell, StudyTable};
use super::vary::{Base, Variant};
use crate::Failure;

#[derive(clap::Args)]
pub(crate) struct StandArguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Angles that are asked for [°]
    #[arg(long, value_name = "A,…", value_delimiter = ',', default_value = "20,30,40,50,60", value_parser = super::parse_positive)]
    angles: Vec<f64>,
    /// Seeds of the scene; each gives another pile
    #[arg(long, value_name = "S,…", value_delimiter = ',', default_value = "1")]
    seeds: Vec<u64>,
    /// Height of the rim of a box that the heap rises over [m]; its silhouette is that of what is
    /// above
    #[arg(long, value_name = "METRES")]
    rim: Option<f64>,
}

pub(crate) fn stand(arguments: &StandArguments) -> Result<ExitCode, Failure> {
    let (given, base) = Base::load(&arguments.study.scene)?;
    if given.spec.piles.is_empty() {
        return Err(format!("{} has no pile\nhelp: give it a [[pile]]", base.name).into());
    }
    let asked: Vec<Option<f64>> = std::iter::once(None).chain(arguments.angles.iter().copied().map(Some)).collect();
    let plan: Vec<(Option<f64>, u64)> =
        asked.iter().flat_map(|&angle| arguments.seeds.iter().map(move |&seed| (angle, seed))).collect();
    let variant = |&(angle, seed): &(Option<f64>, u64)| {
        let name = angle.map_or_else(|| "no director".to_owned(), |angle| format!("{angle}°"));
        Variant::new(&given, format!("{name}, seed {seed}"), |spec| {
            spec.seed = seed;
            match angle {
                Some(angle) => spec.piles.iter_mut().for_each(|pile| pile.angle = angle),
                None => spec.piles.clear(),
            }
        })
    };
    let variants: Vec<Variant> = plan.iter().map(variant).collect();
    let mut study = Study::begin(&arguments.study, "stand", &base, &variants)?;
    let mut table = StudyTable::new(
        &[
            "asked",
            "seed",
            "silhouette",
            "surface",
            "contacts",
            "solid",
            "floating",
            "unsupported",
            "astray_%",
            "awake",
            "held",
            "loss_%",
            "moved",
            "free_loss_%",
        ],
        &["flights", "awake_frames", "seconds"],
    );
    for ((angle, seed), variant) in plan.into_iter().zip(&variants) {
        let mut scene = variant.load()?;
        let (mut flights, mut awake, mut seconds) = (Flights::default(), 0, 0.0);
        let end = study.run(&variant.name, &mut scene, |simulation, report, time| {
            flights.see(simulation.world(), &simulation.contacts(), simulation.frame_length());
            awake += report.awake;
            seconds += time;
            Ok(())
        })?;
        match end {
            VariantEnd::Stopped => break,
            VariantEnd::Broken => continue,
            VariantEnd::Whole => {}
        }
        let simulation = &scene.simulation;
        let (support, release) = (support(simulation), Release::of(simulation, true));
        table.rows.push(vec![
            StudyCell::Text(angle.map_or_else(|| "–".to_owned(), |angle| format!("{angle}°"))),
            StudyCell::Count(seed),
            StudyCell::Number(angle_of(simulation, arguments.rim).unwrap_or(f64::NAN)),
            StudyCell::Number(surface_of(simulation).unwrap_or(f64::NAN)),
            StudyCell::Number(support.contacts_per_body),
            StudyCell::Number(solid_fraction(simulation).unwrap_or(f64::NAN)),
            StudyCell::Count(support.floating as u64),
            StudyCell::Count(support.unsupported as u64),
            StudyCell::Number(100.0 * flights.astray as f64 / flights.all as f64),
            StudyCell::Count(simulation.measure().awake),
            StudyCell::Count(held(simulation).len() as u64),
            StudyCell::Number(100.0 * release.loss),
            StudyCell::Count(release.moved as u64),
            StudyCell::Number(100.0 * Release::of(simulation, false).loss),
            StudyCell::Count(flights.all),
            StudyCell::Count(awake),
            StudyCell::Number(seconds),
        ]);
        study.write_table(&table)?;
    }
    study.finish(&format!("Piles of {}", base.name), &[("", &table)], &[])
}
