//! `tumble pile`: so many of a thing on a pile with this angle, in one line.
//!
//! The command writes a scene, runs it as `tumble run` would until everything rests, and says how
//! steep the pile became, how many bodies are held, and, with exit code 1, that it is off. Beside
//! `NAME.csv` it leaves the scene `NAME.toml`, a picture `NAME.png` and the folder `NAME` of the
//! run, so that one can go on from there with all other commands.

mod scene;
mod thing;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use glam::DVec3;
use tumble_io::Recording;
use tumble_run::{PileFigures, folder};
use tumble_scene::text::print_short;

use self::scene::Pour;
use self::thing::Thing;
use crate::run::{self, HowArguments, RunArguments};
use crate::{Failure, export, output, say};

/// A pile is right if it is off by no more than this, or than the spread of its angle \[°\]; that
/// of few bodies by more.
const RIGHT: f64 = 4.0;
const RIGHT_IF_SMALL: f64 = 5.0;
const SMALL: usize = 150;

#[derive(clap::Args)]
pub(crate) struct PileArguments {
    /// Thing to pile: a model, such as l_block, ring, rabbit, chair, banana, brick, or a mesh file
    what: String,
    /// How many
    #[arg(short = 'n', long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Angle of repose, from 5 to 75 degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 35.0, value_parser = parse_angle, allow_negative_numbers = true)]
    angle: f64,
    /// Length of its longest side in metres [default: as usual for the model, 0.2 for a mesh]
    #[arg(long, value_name = "METRES", value_parser = parse_length, allow_negative_numbers = true)]
    size: Option<f64>,
    /// Friction of things and ground
    #[arg(long, value_name = "NUMBER", default_value_t = 0.6, value_parser = parse_friction, allow_negative_numbers = true)]
    friction: f64,
    /// Another seed gives another pile
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// A .csv file for where everything lies in the end, or the folder of the run [default:
    /// runs/pile_WHAT]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    how: HowArguments,
}

fn parse_within(text: &str, low: f64, high: f64, what: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("write {what} from {low} to {high}"))
}

fn parse_angle(text: &str) -> Result<f64, String> {
    parse_within(text, 5.0, 75.0, "an angle in degrees")
}

fn parse_length(text: &str) -> Result<f64, String> {
    parse_within(text, 0.001, 1000.0, "a length in metres")
}

fn parse_friction(text: &str) -> Result<f64, String> {
    parse_within(text, 0.0, 10.0, "a friction")
}

/// The files of a pile.
struct Files {
    table: Option<PathBuf>,
    run: PathBuf,
    scene: PathBuf,
    picture: PathBuf,
}

impl Files {
    fn of(arguments: &PileArguments) -> Result<Self, Failure> {
        let stem = Path::new(&arguments.what).file_stem().unwrap_or_default().to_string_lossy();
        let path = arguments.output.clone().unwrap_or_else(|| Path::new("runs").join(format!("pile_{stem}")));
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let run = match ending.as_deref() {
            Some("csv") => path.with_extension(""),
            None => path.clone(),
            Some(other) => {
                let help = "give -o a name that ends in .csv, or that of a folder; `tumble render` and `tumble export` make other files of it";
                return Err(format!("{} ends in .{other}\nhelp: {help}", path.display()).into());
            }
        };
        let files = Self {
            table: ending.map(|_| path),
            scene: run.with_extension("toml"),
            picture: run.with_extension("png"),
            run,
        };
        if !arguments.how.resume {
            let all = [Some(&files.scene), Some(&files.picture), files.table.as_ref()];
            all.into_iter().flatten().try_for_each(|file| output::check_free(file, arguments.how.force))?;
        }
        Ok(files)
    }
}

pub(crate) fn pile(arguments: &PileArguments) -> Result<ExitCode, Failure> {
    let files = Files::of(arguments)?;
    let beside = files.scene.parent().unwrap_or(Path::new("."));
    let thing = Thing::find(&arguments.what, arguments.size, beside)?;
    let &PileArguments { count, angle, friction, seed, .. } = arguments;
    let scene = scene::scene(&thing, &Pour { count, angle, friction, seed });
    let text = format!(
        "# Made by `tumble pile {} -n {count} --angle {angle}`: a spout on the axis, which rises with the pile.\n# `tumble run` runs it again, `docs/scene.md` explains every key.\n{}",
        arguments.what.replace('\n', " "),
        print_short(&scene)
    );
    let how = RunArguments::of_scene(&files.scene, &files.run, arguments.how);
    let code = run::run_to_rest(&how, &text)?;
    if code != ExitCode::SUCCESS {
        return Ok(code);
    }
    std::fs::copy(files.run.join("preview.png"), &files.picture)
        .map_err(|problem| format!("cannot write {}: {problem}", files.picture.display()))?;
    let mut recording = Recording::open(&folder::recording_in(&files.run))?;
    let last = recording.frames().len().checked_sub(1).ok_or("there is no frame")?;
    if let Some(table) = &files.table {
        let number = recording.frames()[last].number;
        export::csv(&mut recording, Some(number..=number), table)?;
    }
    let pile = PileFigures::of(&mut recording, last, DVec3::Z)?;
    say(format_args!("scene in {}, picture in {}", files.scene.display(), files.picture.display()));
    let off = off(&pile, angle);
    say(verdict(&pile, angle, count) + off.as_deref().unwrap_or_default());
    Ok(if off.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The angle of a pile and its spread \[°\]: of its silhouette, or of its surface where it is too
/// low for one. No pile is steered by either.
fn measured(pile: &PileFigures) -> Option<(f64, f64)> {
    let seen = pile.silhouette.as_ref().map(|seen| (seen.angle_degrees, seen.spread_degrees));
    seen.or_else(|| pile.repose.as_ref().map(|surface| (surface.angle_degrees, surface.spread_degrees)))
}

/// A sentence for a pile that has not the angle asked for, with a reason.
fn off(pile: &PileFigures, asked: f64) -> Option<String> {
    let (angle, spread) = measured(pile)?;
    let allowed = spread.max(if pile.bodies < SMALL { RIGHT_IF_SMALL } else { RIGHT });
    if (angle - asked).abs() <= allowed {
        return None;
    }
    let reason = match (pile.bodies < SMALL, angle > asked) {
        (true, _) => "so few bodies have no even side: take more of them with -n",
        (_, true) => "things that hook each other do not lie flatter: lower --friction",
        (_, false) => "friction does not stop enough of them: raise --friction, or ask for less with --angle",
    };
    Some(format!("\nwarning: {angle:.1}° is {:.1}° off, more than {allowed:.1}°; {reason}", (angle - asked).abs()))
}

/// The outcome in a line or two.
fn verdict(pile: &PileFigures, asked: f64, count: u32) -> String {
    let PileFigures { bodies, asleep, held, time, .. } = pile;
    let mut told = format!("asked for {asked}°, ");
    let of = if pile.silhouette.is_some() { "silhouette" } else { "surface" };
    told += &match (measured(pile), &pile.no_repose) {
        (Some((angle, spread)), _) => format!("measured {angle:.1}° ± {spread:.1}° from its {of}"),
        (None, why) => format!("not measured: {}", why.as_deref().unwrap_or("it is no heap")),
    };
    told += &match held {
        0 => ", which physics holds".to_owned(),
        _ => {
            format!(", which physics alone does not hold: {held} of {bodies} are held by more friction than they have")
        }
    };
    told += &format!("; {bodies} bodies, {asleep} asleep, after {time:.1} simulated seconds");
    if *bodies < count as usize {
        told += &format!(
            "\nwarning: {} of {count} bodies are missing: they were not poured in time, or left the world",
            count as usize - bodies
        );
    }
    told
}
