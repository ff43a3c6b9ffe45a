//! `tumble analyse piles`: speed-up by piles, and the error of motion that they cause.
//!
//! Tables 1 and 2 and figures 5 and 6 of Hsu & Keyser (2010), in kind, for any scenes with
//! `[[pile]]`. Each scene is run without any sleeping, with ordinary sleeping by velocity, which
//! the paper itself names as the fairer rival, and with its piles. The full run is also compared
//! with one whose friction differs in the seventh digit: motion in piles is chaotic, and this error
//! is the control of all others. All variants run in one process, round after round: the speed of a
//! machine varies over time, and so all variants suffer alike.

use std::path::PathBuf;
use std::process::ExitCode;

use tumble::SolverKind;
use tumble_picture::Plot;
use tumble_scene::Scene;
use tumble_scene::spec::{SceneSpec, SolverSpec};

use super::parse_not_negative;
use super::study::{PlaceArguments, Study};
use super::table::{StudyCell, StudyTable};
use super::timed::{MotionUse, TimedRun};
use super::vary::{Base, Variant};
use crate::{ChangeArguments, Failure, SceneArguments};

#[derive(clap::Args)]
pub(crate) struct PilesArguments {
    /// Scene files, or names from `tumble list`
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    #[command(flatten)]
    changes: ChangeArguments,
    #[command(flatten)]
    place: PlaceArguments,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Runs of each variant; the fastest counts
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,
    /// Also run the piles with these thresholds
    #[arg(long, value_name = "T,…", value_delimiter = ',', value_parser = parse_not_negative, allow_negative_numbers = true)]
    thresholds: Vec<f64>,
}

/// Part of friction by which the control differs from the full run.
const SHIFT: f64 = 1e-7;

/// A variant of a scene that the study runs.
#[derive(Clone, Copy, PartialEq)]
enum PileVariant {
    /// Nothing sleeps.
    Full,
    /// The same with friction that differs in its seventh digit: the error of motion that is
    /// chance.
    Shifted,
    /// Bodies that do not move fall asleep.
    Sleeping,
    /// The piles of the scene as they are.
    Piles,
    /// The piles with another threshold.
    Threshold(f64),
}

impl PileVariant {
    fn name(self) -> String {
        match self {
            Self::Full => "full".into(),
            Self::Shifted => "full, friction shifted".into(),
            Self::Sleeping => "sleeping".into(),
            Self::Piles => "piles".into(),
            Self::Threshold(threshold) => format!("threshold {threshold}"),
        }
    }

    /// Changes a scene into this variant.
    fn change(self, spec: &mut SceneSpec) {
        if self == Self::Shifted {
            spec.materials.iter_mut().for_each(|(_, material)| material.friction *= 1.0 + SHIFT);
        }
        if matches!(self, Self::Full | Self::Shifted | Self::Sleeping) {
            spec.piles.clear();
            if let SolverSpec::Rigid(rigid) = &mut spec.solver {
                rigid.sleeping = self == Self::Sleeping;
            }
        }
        if let Self::Threshold(threshold) = self {
            spec.piles.iter_mut().for_each(|pile| pile.threshold = threshold);
        }
    }
}

/// A scene with its variants, and the fastest run of each.
struct Plan {
    base: Scene,
    variants: Vec<(PileVariant, Variant)>,
    runs: Vec<Option<TimedRun>>,
}

impl Plan {
    fn new(arguments: &PilesArguments, scene: PathBuf) -> Result<Self, Failure> {
        let scene = SceneArguments { scene, changes: arguments.changes.clone() };
        let (given, base) = Base::load(&scene)?;
        if given.spec.piles.is_empty() {
            return Err(format!("{} has no pile\nhelp: give it a [[pile]]", base.name).into());
        }
        if base.frames[0] == base.frames[1] {
            return Err(
                format!("{} has only one frame, and so no motion\nhelp: --frames makes it longer", base.name).into()
            );
        }
        let mut ways = vec![PileVariant::Full, PileVariant::Shifted];
        // Without piles, grains never sleep.
        ways.extend((given.spec.solver.kind() == SolverKind::Rigid).then_some(PileVariant::Sleeping));
        ways.push(PileVariant::Piles);
        ways.extend(arguments.thresholds.iter().copied().map(PileVariant::Threshold));
        let variant = |way: PileVariant| {
            let name = format!("{} {}", base.name, way.name());
            (way, Variant::new(&given, name, |spec| way.change(spec)))
        };
        let variants: Vec<_> = ways.into_iter().map(variant).collect();
        Ok(Self { runs: variants.iter().map(|_| None).collect(), variants, base })
    }

    /// Runs all variants, one after another and `repeat` times.
    fn run(&mut self, study: &mut Study, repeat: u16) -> Result<(), Failure> {
        let path = study.file(&format!("-{}.tumble", self.base.name));
        'rounds: for round in 0..repeat {
            for ((way, variant), best) in self.variants.iter().zip(&mut self.runs) {
                // The control is never timed.
                if *way == PileVariant::Shifted && round > 0 {
                    continue;
                }
                let motion = match way {
                    _ if round > 0 => MotionUse::Ignored,
                    PileVariant::Full => MotionUse::Kept(&path),
                    PileVariant::Shifted | PileVariant::Sleeping | PileVariant::Piles => MotionUse::Compared(&path),
                    PileVariant::Threshold(_) => MotionUse::Ignored,
                };
                if let Some(now) = TimedRun::run(study, variant, motion)? {
                    *best = Some(TimedRun::faster(best.take(), now));
                } else if *way == PileVariant::Full {
                    // Without the full run there is nothing to compare with.
                    break 'rounds;
                }
            }
        }
        Ok(std::fs::remove_file(&path)?)
    }

    fn of(&self, way: PileVariant) -> Option<&TimedRun> {
        self.variants.iter().zip(&self.runs).find(|((other, _), _)| *other == way).and_then(|(_, run)| run.as_ref())
    }
}

pub(crate) fn piles(arguments: &PilesArguments) -> Result<ExitCode, Failure> {
    let plans = arguments.scenes.iter().map(|scene| Plan::new(arguments, scene.clone()));
    let mut plans = plans.collect::<Result<Vec<Plan>, Failure>>()?;
    let names: Vec<&str> = plans.iter().map(|plan| plan.base.name.as_str()).collect();
    if let Some(name) = names.iter().enumerate().find(|(n, name)| names[..*n].contains(name)) {
        return Err(format!("two scenes are named {}\nhelp: give them different names", name.1).into());
    }
    let name = names.join("-");
    let rounds = (0..arguments.repeat).flat_map(|_| plans.iter().flat_map(|plan| &plan.variants));
    let variants: Vec<&Variant> = rounds.map(|(_, variant)| variant).collect();
    let mut study =
        Study::of_several(&arguments.place, Some(arguments.threads), "piles", &name, variants.iter().copied())?;
    let title = format!("Speed-up by piles in {}", names.join(", "));
    drop(variants);

    let mut gains = StudyTable::new(
        &[
            "scene",
            "angle",
            "frames",
            "bodies",
            "full_seconds",
            "sleeping_seconds",
            "piles_seconds",
            "speed_up",
            "speed_up_over_sleeping",
            "relative_error_percent",
            "control_relative_error_percent",
            "awake_full",
            "awake_sleeping",
            "awake_piles",
        ],
        &["absolute_error", "sleeping_relative_error_percent", "sleeping_absolute_error"],
    );
    let mut thresholds = StudyTable::new(&["scene", "threshold", "seconds", "speed_up", "awake"], &[]);
    for plan in &mut plans {
        if study.is_stopped() {
            break;
        }
        let name = plan.base.name.clone();
        study.write(&format!("-{name}.toml"), &plan.base.resolved)?;
        plan.run(&mut study, arguments.repeat)?;
        let Some((full, piles)) = plan.of(PileVariant::Full).zip(plan.of(PileVariant::Piles)) else { continue };
        let sleeping = plan.of(PileVariant::Sleeping);
        gains.rows.push(row(plan, full, sleeping, piles));
        study.write_table(&gains)?;
        study.write(&format!("-{name}.csv"), &each_frame(full, sleeping, piles))?;
        study.write(&format!("-{name}.svg"), &plot(&name, full, sleeping, piles))?;
        if !arguments.thresholds.is_empty() {
            for (way, run) in plan.variants.iter().map(|(way, _)| *way).zip(&plan.runs) {
                let (PileVariant::Full | PileVariant::Threshold(_), Some(run)) = (way, run) else { continue };
                let threshold =
                    if let PileVariant::Threshold(threshold) = way { threshold.to_string() } else { "none".into() };
                thresholds.rows.push(vec![
                    StudyCell::Text(name.clone()),
                    StudyCell::Text(threshold),
                    StudyCell::Number(run.seconds()),
                    StudyCell::Number(full.seconds() / run.seconds()),
                    StudyCell::Number(run.awake()),
                ]);
            }
            study.write("-thresholds.csv", &thresholds.to_csv())?;
        }
    }
    let mut tables = vec![("", &gains)];
    if !thresholds.rows.is_empty() {
        tables.push(("With other thresholds of all piles:", &thresholds));
    }
    study.finish(&title, &tables, &[])
}

/// Row of table 1.
fn row(plan: &Plan, full: &TimedRun, sleeping: Option<&TimedRun>, piles: &TimedRun) -> Vec<StudyCell> {
    let of_sleeping = |value: fn(&TimedRun) -> f64| sleeping.map_or(f64::NAN, value);
    let relative = |run: &TimedRun| run.error.map_or(f64::NAN, |error| 100.0 * error.relative);
    let absolute = |run: &TimedRun| run.error.map_or(f64::NAN, |error| error.absolute);
    let mut angles: Vec<f64> = plan.base.spec.piles.iter().map(|pile| pile.angle).collect();
    angles.sort_by(f64::total_cmp);
    angles.dedup();
    let angles: Vec<String> = angles.iter().map(f64::to_string).collect();
    vec![
        StudyCell::Text(plan.base.name.clone()),
        StudyCell::Text(angles.join("/")),
        StudyCell::Count(full.frames.len() as u64),
        StudyCell::Count(full.frames.last().map_or(0, |frame| frame.bodies)),
        StudyCell::Number(full.seconds()),
        StudyCell::Number(of_sleeping(TimedRun::seconds)),
        StudyCell::Number(piles.seconds()),
        StudyCell::Number(full.seconds() / piles.seconds()),
        StudyCell::Number(of_sleeping(TimedRun::seconds) / piles.seconds()),
        StudyCell::Number(relative(piles)),
        StudyCell::Number(plan.of(PileVariant::Shifted).map_or(f64::NAN, relative)),
        StudyCell::Number(full.awake()),
        StudyCell::Number(of_sleeping(TimedRun::awake)),
        StudyCell::Number(piles.awake()),
        StudyCell::Number(absolute(piles)),
        StudyCell::Number(of_sleeping(relative)),
        StudyCell::Number(of_sleeping(absolute)),
    ]
}

/// All frames of a scene as CSV: the numbers behind figures 5 and 6.
fn each_frame(full: &TimedRun, sleeping: Option<&TimedRun>, piles: &TimedRun) -> String {
    let mut text = String::from(
        "frame,bodies,full_seconds,sleeping_seconds,piles_seconds,awake_full,awake_sleeping,awake_piles,relative_error,absolute_error\n",
    );
    for (n, (full, piles)) in full.frames.iter().zip(&piles.frames).enumerate() {
        let sleeping = sleeping.and_then(|run| run.frames.get(n));
        let [asleep_seconds, asleep_awake] = [
            sleeping.map_or(String::new(), |frame| frame.seconds.to_string()),
            sleeping.map_or(String::new(), |frame| frame.awake.to_string()),
        ];
        let [relative, absolute] = piles
            .error
            .map_or([String::new(), String::new()], |error| [error.relative, error.absolute].map(|e| e.to_string()));
        text.push_str(&format!(
            "{},{},{},{asleep_seconds},{},{},{asleep_awake},{},{relative},{absolute}\n",
            full.frame, full.bodies, full.seconds, piles.seconds, full.awake, piles.awake,
        ));
    }
    text
}

/// Plots time per frame on the left and error on the right, as in figures 5 and 6; the absolute
/// error is scaled to the height of the relative one.
fn plot(name: &str, full: &TimedRun, sleeping: Option<&TimedRun>, piles: &TimedRun) -> String {
    let times = |run: &TimedRun| -> Vec<(f64, f64)> {
        run.frames.iter().map(|frame| (frame.frame as f64, 1e3 * frame.seconds)).collect()
    };
    let errors = |value: fn(&tumble::measure::FrameError) -> f64| -> Vec<(f64, f64)> {
        let error = piles.frames.iter().filter_map(|frame| frame.error.as_ref());
        error.map(|error| (error.frame as f64, value(error))).collect()
    };
    let (relative, mut absolute) = (errors(|error| 100.0 * error.relative), errors(|error| error.absolute));
    let highest = |points: &[(f64, f64)]| points.iter().map(|point| point.1).fold(0.0, f64::max);
    let scale = highest(&relative) / highest(&absolute);
    absolute.iter_mut().for_each(|point| point.1 *= scale);
    let mut plot = Plot::new(&format!("Time and error of {name}")).x("frame").y("time per frame [ms]").from_zero();
    plot = plot.right_axis("relative error [%]").line("full", &times(full));
    if let Some(sleeping) = sleeping {
        plot = plot.line("sleeping", &times(sleeping));
    }
    plot = plot.line("piles", &times(piles)).line("relative error", &relative).on_right();
    plot.line("absolute error, scaled", &absolute).on_right().to_svg()
}
