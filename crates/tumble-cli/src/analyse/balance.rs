//! `tumble analyse balance`: whether everything can rest where it is, how safely, and what would
//! fall first.
//!
//! A run is judged at its checkpoint, a scene after its last frame; another frame is simulated
//! first. Statics says that bodies can rest; whether they do, the run shows.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use tumble::statics::{Balance, BodyStanding, StaticAnalysis, StaticSettings, Statics, Touching, WholeVerdict};
use tumble_io::read_checkpoint;
use tumble_run::{fatal, folder};
use tumble_scene::{Scene, Splits};

use super::table::{StudyCell, StudyTable};
use crate::progress::Line;
use crate::signals::Interruption;
use crate::{ChangeArguments, Failure, SceneArguments, say};

/// Largest tilt that is tried \[°\].
const STEEPEST: f64 = 45.0;

/// Halvings of the range in which a limit lies.
const HALVINGS: usize = 7;

#[derive(clap::Args)]
pub(crate) struct BalanceArguments {
    /// Folder of a run, a scene file, or a name from `tumble list`
    what: PathBuf,
    #[command(flatten)]
    changes: ChangeArguments,
    /// Frame that is judged [default: that of the checkpoint, or the last of the scene]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    frame: Option<i64>,
    /// Most bodies that are listed
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    list: usize,
    /// Print JSON, with all bodies
    #[arg(long)]
    json: bool,
}

/// Verdicts about all bodies, and how far they are from others.
struct Judged {
    verdict: WholeVerdict,
    /// Largest residual of a body over its weight.
    residual: f64,
    /// Factor on all friction below which the whole falls; none if it falls as it is.
    friction: Option<f64>,
    /// Tilt up to which the whole stands \[°\]; none if it falls upright.
    tilt: Option<f64>,
    /// Each body from the top down.
    loaded: Vec<BodyStanding>,
    /// Each body in the whole, where it just falls.
    first: Vec<BodyStanding>,
}

pub(crate) fn balance(arguments: &BalanceArguments) -> Result<ExitCode, Failure> {
    let mut scene = load(arguments)?;
    let last = arguments.frame.unwrap_or_else(|| scene.frames[1].max(scene.simulation.frame_number()));
    let last =
        if arguments.frame.is_none() && is_run(&arguments.what) { scene.simulation.frame_number() } else { last };
    if let Some(code) = advance(&mut scene, last)? {
        return Ok(code);
    }
    let mut touching = Touching::default();
    scene.simulation.fill_touching(&mut touching);
    if !scene.simulation.world().joints.is_empty() {
        say("warning: statics does not know joints; bodies that only joints hold count as falling");
    }
    let judged = Judged::of(&touching);
    let mut out = std::io::stdout().lock();
    match arguments.json {
        true => writeln!(out, "{:#}", judged.to_json(&touching, scene.simulation.frame_number()))?,
        false => write!(out, "{}", judged.to_text(&touching, scene.simulation.frame_number(), arguments.list))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a path is that of a run that has a checkpoint.
fn is_run(path: &Path) -> bool {
    folder::checkpoint_in(path).exists()
}

/// The scene: of a run at its checkpoint, unless an earlier frame is asked for.
fn load(arguments: &BalanceArguments) -> Result<Scene, Failure> {
    let scene = |path: &Path| SceneArguments { scene: path.to_owned(), changes: arguments.changes.clone() };
    if !is_run(&arguments.what) {
        return Ok(scene(&arguments.what).load()?);
    }
    let checkpoint = read_checkpoint(&folder::checkpoint_in(&arguments.what))?;
    let mut scene = scene(&arguments.what.join("scene.toml")).load_split(Splits::read(&checkpoint.parts))?;
    if arguments.frame.is_none_or(|frame| frame >= checkpoint.frame) {
        scene.simulation.load(&checkpoint.state).map_err(|problem| problem.to_string())?;
    }
    Ok(scene)
}

/// Simulates up to a frame; gives an exit code if that was stopped.
fn advance(scene: &mut Scene, last: i64) -> Result<Option<ExitCode>, Failure> {
    let first = scene.simulation.frame_number();
    if last < first {
        return Err(format!("there is no frame {last}: the scene begins with {first}").into());
    }
    let (interrupted, mut line) = (Interruption::listen()?, Line::new());
    while scene.simulation.frame_number() < last {
        if interrupted.is_raised() {
            line.end();
            return Ok(Some(interrupted.code()));
        }
        let report = scene.simulation.advance();
        if let Some(warning) = fatal(&report) {
            return Err(format!("{} broke off in frame {}: {warning}", scene.name, report.frame).into());
        }
        line.tell(report.frame.abs_diff(first), last.abs_diff(report.frame), format_args!("frame {}", report.frame))?;
    }
    line.end();
    Ok(None)
}

impl Judged {
    fn of(touching: &Touching) -> Self {
        let mut statics = Statics::default();
        let loaded = statics.judge(touching, &StaticSettings::default()).to_vec();
        let whole = |friction: f64, margin: f64| StaticSettings {
            analysis: StaticAnalysis::Whole,
            friction,
            kinetic: 1.0,
            margin,
            // Nobody waits for the next frame here.
            whole_iterations: 5000,
            ..StaticSettings::default()
        };
        let mut first = statics.judge(touching, &whole(1.0, 0.0)).to_vec();
        let verdict = statics.verdict();
        let residual = first.iter().map(|standing| standing.residual).fold(0.0, f64::max);
        let (mut friction, mut tilt) = (None, None);
        if verdict == WholeVerdict::Stands {
            // The whole stands with the larger friction and falls, or is not tried, with the less.
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                let standings = statics.judge(touching, &whole(middle, 0.0));
                let stands = standings.iter().all(|standing| standing.balance.is_balanced());
                if stands {
                    high = middle;
                } else {
                    first = standings.to_vec();
                    low = middle;
                }
            }
            friction = Some(high);
            let (mut low, mut high) = (0.0, STEEPEST);
            for _ in 0..HALVINGS {
                let middle: f64 = 0.5 * (low + high);
                let standings = statics.judge(touching, &whole(1.0, middle.to_radians()));
                let stands = standings.iter().all(|standing| standing.balance == Balance::Stands);
                (low, high) = if stands { (middle, high) } else { (low, middle) };
            }
            tilt = Some(low);
        }
        Self { verdict, residual, friction, tilt, loaded, first }
    }

    /// Bodies that fall where the whole just falls, or falls as it is; fastest first.
    fn first_to_fall(&self) -> Vec<usize> {
        let falls = |body: &usize| !self.first[*body].balance.is_balanced();
        let mut bodies: Vec<usize> = (0..self.first.len()).filter(falls).collect();
        bodies.sort_by(|&a, &b| self.first[b].residual.total_cmp(&self.first[a].residual).then(a.cmp(&b)));
        bodies
    }

    /// Number of bodies that stand so from the top down.
    fn count(&self, balance: Balance) -> usize {
        self.loaded.iter().filter(|standing| standing.balance == balance).count()
    }

    fn borne(&self) -> usize {
        self.loaded.iter().filter(|standing| standing.is_borne).count()
    }

    fn to_text(&self, touching: &Touching, frame: i64, list: usize) -> String {
        let (bodies, points) = (touching.bodies().len(), touching.points().len());
        let mut text = format!("frame {frame}: {bodies} bodies, {points} points of contact\n");
        text += &match (self.verdict, self.friction, self.tilt) {
            (WholeVerdict::Stands, Some(friction), Some(tilt)) => format!(
                "whole   stands: it needs {:.0} % of its friction, and bears a tilt of {tilt:.1}°\n",
                100.0 * friction
            ),
            (WholeVerdict::Stands, ..) => "whole   stands\n".into(),
            (WholeVerdict::Falls, ..) => "whole   falls: a motion proves it\n".into(),
            (WholeVerdict::Open, ..) => {
                format!("whole   undecided, which counts as falling: {:.1e} of a weight is missing\n", self.residual)
            }
        };
        let [stands, weak, falls, flying] =
            [Balance::Stands, Balance::Weak, Balance::Falls, Balance::Flying].map(|balance| self.count(balance));
        text += &format!(
            "alone   from the top down {stands} stand with a margin of 3°, {weak} stand without, {falls} do not, \
             {flying} touch nothing; {} are borne down to the ground\n",
            self.borne()
        );
        let first = self.first_to_fall();
        if !first.is_empty() {
            let when =
                if self.verdict == WholeVerdict::Stands { "would fall first, with less friction" } else { "fall" };
            text +=
                &format!("\n{} bodies {when}:\n\n{}", first.len(), self.table(touching, &first, list).to_markdown());
        }
        text
    }

    fn table(&self, touching: &Touching, bodies: &[usize], list: usize) -> StudyTable {
        let mut table = StudyTable::new(&["body", "x", "y", "z", "missing", "carries", "alone"], &[]);
        for &body in bodies.iter().take(list) {
            let centre = touching.bodies()[body].centre;
            table.rows.push(vec![
                StudyCell::Count(touching.bodies()[body].id.number()),
                StudyCell::Number(centre.x),
                StudyCell::Number(centre.y),
                StudyCell::Number(centre.z),
                StudyCell::Number(self.first[body].residual),
                StudyCell::Number(self.first[body].carried),
                StudyCell::Text(word(self.loaded[body].balance).into()),
            ]);
        }
        table
    }

    fn to_json(&self, touching: &Touching, frame: i64) -> Value {
        let body = |(number, standing): (usize, &BodyStanding)| {
            let body = &touching.bodies()[number];
            json!({
                "body": body.id.number(),
                "position": body.centre.to_array(),
                "balance": word(standing.balance),
                "borne": standing.is_borne,
                "missing": standing.residual,
                "carries": standing.carried,
                "points": standing.points,
            })
        };
        let first = self.first_to_fall();
        let ids: Vec<u64> = first.iter().map(|&body| touching.bodies()[body].id.number()).collect();
        json!({
            "frame": frame,
            "points": touching.points().len(),
            "whole": match self.verdict {
                WholeVerdict::Stands => "stands",
                WholeVerdict::Falls => "falls",
                WholeVerdict::Open => "undecided",
            },
            "missing": self.residual,
            "friction_needed": self.friction,
            "tilt_degrees": self.tilt,
            "stands": self.count(Balance::Stands),
            "weak": self.count(Balance::Weak),
            "falls": self.count(Balance::Falls),
            "flying": self.count(Balance::Flying),
            "borne": self.borne(),
            "first_to_fall": ids,
            "bodies": self.loaded.iter().enumerate().map(body).collect::<Vec<_>>(),
        })
    }
}

fn word(balance: Balance) -> &'static str {
    match balance {
        Balance::Flying => "flying",
        Balance::Falls => "falls",
        Balance::Weak => "weak",
        Balance::Stands => "stands",
        Balance::Fixed => "fixed",
    }
}
