//! `tumble analyse size`: cost of a frame with more bodies.
//!
//! Table 6 of Yee, Christara & Lait (2009), in kind. The study varies the count of the first
//! emitter and fits the exponent p of time ∝ bodies^p by least squares of the logarithms.

use std::process::ExitCode;

use tumble_picture::Plot;

use super::study::{Study, StudyArguments, VariantEnd};
use super::table::{StudyCell, StudyTable};
use super::vary::{Base, Variant};
use crate::Failure;

#[derive(clap::Args)]
pub(crate) struct SizeArguments {
    #[command(flatten)]
    study: StudyArguments,
    /// Counts of the first emitter
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [500u64, 1000, 2000, 4000], value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    counts: Vec<u64>,
}

pub(crate) fn size(arguments: &SizeArguments) -> Result<ExitCode, Failure> {
    let (given, base) = Base::load(&arguments.study.scene)?;
    if given.spec.emitters.is_empty() {
        return Err(format!(
            "{} has no emitter whose count could be varied\nhelp: fill it with an [[emitter]]",
            base.name
        )
        .into());
    }
    if base.frames[0] == base.frames[1] {
        return Err("the scene has only one frame, and so nothing to measure\nhelp: --frames makes it longer".into());
    }
    let variant = |&count: &u64| Variant::new(&given, format!("{count} bodies"), |spec| spec.emitters[0].count = count);
    let variants: Vec<Variant> = arguments.counts.iter().map(variant).collect();
    let mut study = Study::begin(&arguments.study, "size", &base, &variants)?;

    let mut table = StudyTable::new(
        &["count", "bodies", "frames", "seconds", "seconds_per_frame", "steps_per_frame", "nanoseconds_per_body_step"],
        &["body_steps", "contacts"],
    );
    // Mean number of bodies, and seconds per frame.
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (&count, variant) in arguments.counts.iter().zip(&variants) {
        let mut scene = variant.load()?;
        let (mut frames, mut bodies, mut steps, mut body_steps, mut contacts, mut seconds) = (0u64, 0, 0, 0, 0, 0.0);
        let end = study.run(&variant.name, &mut scene, |_, report, taken| {
            frames += 1;
            bodies += report.bodies;
            steps += report.steps;
            body_steps += report.steps * report.bodies;
            contacts = report.contacts;
            seconds += taken;
            Ok(())
        })?;
        // A study that is stopped ends all further runs at once.
        if end != VariantEnd::Whole {
            continue;
        }
        let a_frame = |sum: f64| sum / frames as f64;
        let (bodies, per_frame) = (a_frame(bodies as f64), a_frame(seconds));
        table.rows.push(vec![
            StudyCell::Count(count),
            StudyCell::Number(bodies),
            StudyCell::Count(frames),
            StudyCell::Number(seconds),
            StudyCell::Number(per_frame),
            StudyCell::Number(a_frame(steps as f64)),
            StudyCell::Number(1e9 * seconds / body_steps as f64),
            StudyCell::Count(body_steps),
            StudyCell::Count(contacts),
        ]);
        points.push((bodies, per_frame));
        study.write_table(&table)?;
    }
    let fit = power(&points);
    let mut plot = Plot::new("Cost of a frame").x("bodies").y("time per frame [s]").log_x().log_y();
    plot = plot.points("measured", &points);
    let mut remarks = Vec::new();
    if let Some((exponent, factor)) = fit {
        let line: Vec<(f64, f64)> =
            points.iter().map(|(bodies, _)| (*bodies, factor * bodies.powf(exponent))).collect();
        plot = plot.line(&format!("bodies to the power {exponent:.2}"), &line);
        remarks.push(format!("time per frame ∝ bodies^{exponent:.2}"));
    }
    study.write(".svg", &plot.to_svg())?;
    study.finish(&format!("Cost of {} against its size", base.name), &[("", &table)], &remarks)
}

/// Exponent p and factor c of y = c x^p, by least squares of the logarithms; none if all x are
/// alike.
fn power(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let logs: Vec<(f64, f64)> =
        points.iter().map(|(x, y)| (x.ln(), y.ln())).filter(|(x, y)| (x + y).is_finite()).collect();
    let count = logs.len() as f64;
    let (x, y) = (logs.iter().map(|p| p.0).sum::<f64>() / count, logs.iter().map(|p| p.1).sum::<f64>() / count);
    let xx: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    let xy: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    (xx > 0.0).then(|| (xy / xx, (y - xy / xx * x).exp()))
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn a_power_law_comes_back() {
        let points: Vec<(f64, f64)> = [536.0, 1051.0, 2071.0].map(|n: f64| (n, 3.0 * n.powf(1.25))).to_vec();
        let (exponent, factor) = power(&points).unwrap();
        assert!((exponent - 1.25).abs() < 1e-9 && (factor / 3.0 - 1.0).abs() < 1e-9);
        // Table 6 of Yee et al.
        let printed = [(536.0, 2.4), (1051.0, 5.28), (2071.0, 13.2), (4096.0, 28.8), (8036.0, 58.2)];
        assert!((power(&printed).unwrap().0 - 1.20).abs() < 0.03, "{:?}", power(&printed));
        assert_eq!((power(&[]), power(&[(2.0, 1.0), (2.0, 3.0)])), (None, None));
    }
}
