//! `tumble render`: pictures, contact sheets and movies of a recording, on the CPU alone.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use tumble::{Frame, FrameDetail};
use tumble_io::Recording;
use tumble_picture::{Image, Movie, Renderer, View, sheet, write_png};
use tumble_run::folder;

use crate::look::{self, LookArguments};
use crate::progress::Line;
use crate::signals::Interruption;
use crate::{Failure, output, say};

#[derive(clap::Args)]
pub(crate) struct RenderArguments {
    /// Folder of a run, or its recording
    run: PathBuf,
    /// File to write: .png for a picture, .mp4 or .gif for a movie; with a row of #, such as
    /// f.####.png, one picture per frame
    #[arg(short, long, value_name = "FILE", default_value = "picture.png")]
    output: PathBuf,
    /// The frame of a picture [default: the last]; a movie orbits around it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    frame: Option<i64>,
    /// First and last frame of a movie, a sheet or single pictures, such as 10-20 [default: all]
    #[arg(long, value_name = "A-B", value_parser = crate::parse_frames, allow_hyphen_values = true, conflicts_with = "frame")]
    frames: Option<[i64; 2]>,
    /// Take every N-th frame; the duration of a movie does not change
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "frame")]
    every: u32,
    /// Make a contact sheet of this number of frames instead of one picture
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with = "frame")]
    sheet: Option<u32>,
    /// Pictures side by side on a contact sheet
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100), requires = "sheet")]
    columns: u32,
    /// Orbit around the scene by this angle during a movie
    #[arg(long, value_name = "DEGREES", num_args = 0..=1, default_missing_value = "360", allow_negative_numbers = true, value_parser = parse_degrees)]
    turntable: Option<f32>,
    /// Number of pictures of a movie that orbits around one frame
    #[arg(long, value_name = "COUNT", default_value_t = 96, value_parser = clap::value_parser!(u32).range(1..))]
    pictures: u32,
    /// Pictures per second of a movie [default: as recorded]
    #[arg(long, value_name = "RATE")]
    fps: Option<f64>,
    /// Quality of a movie from 0 to 100: larger files look better
    #[arg(long, value_name = "0-100", default_value_t = Movie::DEFAULT_QUALITY, value_parser = clap::value_parser!(u8).range(0..=100))]
    movie_quality: u8,
    /// Number of threads [default: one per core]; does not change the pictures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    look: LookArguments,
}

fn parse_degrees(text: &str) -> Result<f32, String> {
    let degrees = text.parse::<f32>().ok().filter(|degrees| degrees.abs() <= 1e6);
    degrees.ok_or_else(|| "write a number of degrees, such as 360".into())
}

/// A picture that is to be made: index of its frame, and how far the camera has gone around
/// \[degree\].
type PlannedPicture = (usize, f32);

pub(crate) fn render(arguments: &RenderArguments) -> Result<ExitCode, Failure> {
    crate::start_threads(arguments.threads.map(usize::from))?;
    let path = &arguments.output;
    let kind = RenderOutput::of(path)?;
    if kind != RenderOutput::Sequence {
        output::check_free(path, arguments.force)?;
    }
    let mut recording = Recording::open(&folder::recording_in(&arguments.run))?;
    if let Some(damage) = recording.damage() {
        say(format_args!("warning: {damage}; frames before it can be drawn"));
    }
    let frames = wanted(arguments, &recording)?;
    let renderer = Renderer::new(&mut recording)?;
    let view = arguments.look.view(&renderer)?;

    // One picture is made before anyone could stop it; many end in good order.
    let interrupted = if kind == RenderOutput::Picture { Interruption::default() } else { Interruption::listen()? };
    let begin = Instant::now();
    let count = match (kind, arguments.sheet) {
        (RenderOutput::Picture, Some(count)) => {
            let indices = look::spread(&frames, count as usize);
            let mut line = Line::new();
            let all = (0, indices.len());
            let (images, labels) = look::pictures(&mut recording, &renderer, &view, &indices, &mut line, all)?;
            line.end();
            write_png(path, &sheet(&images, &labels, arguments.columns as usize))?;
            indices.len()
        }
        (RenderOutput::Picture, None) if arguments.turntable.is_some() => {
            return Err(
                "a single picture cannot orbit\nhelp: give -o a name that ends in .mp4, .gif or ####.png".into()
            );
        }
        (_, Some(_)) => return Err("a contact sheet is one picture\nhelp: give -o a name that ends in .png".into()),
        (RenderOutput::Picture, None) => {
            let (image, _) = look::picture(&mut recording, &renderer, &view, frames[frames.len() - 1])?;
            write_png(path, &image)?;
            1
        }
        (RenderOutput::Sequence, None) => {
            let shots = shots(arguments, &frames, false);
            for &(index, _) in &shots {
                output::check_free(&numbered(path, recording.frames()[index].number), arguments.force)?;
            }
            each(&mut recording, &renderer, &view, &shots, &interrupted, |number, image| {
                Ok(write_png(&numbered(path, number), image)?)
            })?;
            shots.len()
        }
        (RenderOutput::Movie, None) => {
            let shots = shots(arguments, &frames, arguments.frame.is_some());
            let fps = arguments.fps.unwrap_or(recording.header().fps / f64::from(arguments.every));
            let mut movie = Movie::create(path, view.width, view.height, fps, arguments.movie_quality)?;
            each(&mut recording, &renderer, &view, &shots, &interrupted, |_, image| Ok(movie.push(image)?))?;
            // A broken-off movie would pass for a whole one.
            if !interrupted.is_raised() {
                movie.finish()?;
            }
            shots.len()
        }
    };
    if interrupted.is_raised() {
        say("stopped");
        return Ok(interrupted.code());
    }
    let seconds = begin.elapsed().as_secs_f64();
    let each = seconds / count as f64;
    let s = if count == 1 { "" } else { "s" };
    say(format_args!("{}: {count} picture{s} in {seconds:.1} s, {each:.2} s each", path.display()));
    Ok(ExitCode::SUCCESS)
}

/// The kind of output, by the name of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RenderOutput {
    Picture,
    /// One picture per frame, numbered where the name has a row of `#`.
    Sequence,
    Movie,
}

impl RenderOutput {
    fn of(path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        match ending.as_str() {
            "png" if name.contains('#') => Ok(Self::Sequence),
            "png" => Ok(Self::Picture),
            "mp4" | "gif" => Ok(Self::Movie),
            _ => Err(format!("{} ends in neither .png nor .mp4 nor .gif", path.display()).into()),
        }
    }
}

/// Indices of the frames that are asked for; at least one.
fn wanted(arguments: &RenderArguments, recording: &Recording) -> Result<Vec<usize>, Failure> {
    if let Some(number) = arguments.frame {
        return Ok(vec![recording.find(number)?]);
    }
    let [first, last] = arguments.frames.unwrap_or([i64::MIN, i64::MAX]);
    let entries = recording.frames().iter().enumerate();
    let inside: Vec<usize> =
        entries.filter(|(_, entry)| (first..=last).contains(&entry.number)).map(|(index, _)| index).collect();
    let picked: Vec<usize> = inside.iter().copied().step_by(arguments.every as usize).collect();
    match (recording.frames().first(), recording.frames().last()) {
        (Some(start), Some(end)) if picked.is_empty() => {
            Err(format!("there is no frame from {first} to {last}; there are {} to {}", start.number, end.number)
                .into())
        }
        (None, _) => Err("the recording has no frames yet".into()),
        _ => Ok(picked),
    }
}

/// The pictures of a movie: frame by frame, or around a frame that stands still.
fn shots(arguments: &RenderArguments, frames: &[usize], stands_still: bool) -> Vec<PlannedPicture> {
    let count = if stands_still { arguments.pictures as usize } else { frames.len() };
    let turn = arguments.turntable.unwrap_or(if stands_still { 360.0 } else { 0.0 });
    (0..count).map(|k| (frames[k.min(frames.len() - 1)], turn * k as f32 / count as f32)).collect()
}

/// Makes pictures one after the other and hands each on, with the number of its frame; an
/// interruption leaves the rest out.
fn each(
    recording: &mut Recording,
    renderer: &Renderer,
    view: &View,
    shots: &[PlannedPicture],
    interrupted: &Interruption,
    mut take: impl FnMut(i64, &Image) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut line = Line::new();
    let (mut frame, mut detail) = (Frame::default(), FrameDetail::default());
    for (done, &(index, degrees)) in shots.iter().enumerate() {
        if interrupted.is_raised() {
            line.end();
            return Ok(());
        }
        if done == 0 || shots[done - 1].0 != index {
            look::read(recording, index, view, &mut frame, &mut detail)?;
        }
        let view = View { camera: view.camera.turned(degrees), ..view.clone() };
        take(frame.number, &renderer.render(&frame, &detail.particles, &view))?;
        let (done, count) = (done as u64 + 1, shots.len() as u64);
        line.tell(done, count - done, format_args!("picture {done} of {count}"))?;
    }
    line.end();
    Ok(())
}

/// The name of a frame's file: the last row of `#` becomes its number, with zeros in front.
pub(crate) fn numbered(path: &Path, number: i64) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let end = name.rfind('#').map_or(0, |at| at + 1);
    let start = name[..end].trim_end_matches('#').len();
    path.with_file_name(format!("{}{number:0width$}{}", &name[..start], &name[end..], width = end - start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_hashes_becomes_the_number() {
        assert_eq!(numbered(Path::new("a/f.####.png"), 12), Path::new("a/f.0012.png"));
        assert_eq!(numbered(Path::new("#a#.png"), 1001), Path::new("#a1001.png"));
        assert_eq!(numbered(Path::new("###.png"), -5), Path::new("-05.png"));
    }
}
