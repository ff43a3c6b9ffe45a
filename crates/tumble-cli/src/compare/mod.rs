//! `tumble compare`: how different two runs of a scene are, and which is faster, in a table, on a
//! page, or as JSON.

mod difference;
mod page;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use tumble::measure::MotionError;
use tumble_picture::{Image, png_bytes, sheet};

use crate::output::check_free;
use crate::progress::{Line, unless_gone};
use crate::report::past::PastRun;
use crate::report::{page_path, pictures, write_json, write_page};
use crate::{Failure, look, say};
use difference::{Difference, FramePair};

#[derive(clap::Args)]
pub(crate) struct CompareArguments {
    /// Folder of the reference run A, or its recording
    a: PathBuf,
    /// Folder of the run B that is compared with A, or its recording
    b: PathBuf,
    /// Page to write [default: compare.html]
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
    /// Print the numbers as JSON, or write them to a file, instead of the table and the page; with
    /// -o also the page
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// First and last frame to compare, by the numbers of A, such as 10-20 [default: all common
    /// frames]
    #[arg(long, value_name = "A-B", value_parser = crate::parse_frames, allow_hyphen_values = true)]
    frames: Option<[i64; 2]>,
    /// Smallest denominator of the relative error, in radii of the body per frame: at rest the
    /// motion is zero
    #[arg(long, value_name = "RADII", default_value_t = MotionError::FLOOR, value_parser = parse_floor, allow_negative_numbers = true)]
    floor: f64,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    /// Number of times at which both runs are drawn
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = clap::value_parser!(u16).range(0..=100))]
    pictures: u16,
}

fn parse_floor(text: &str) -> Result<f64, String> {
    let floor = text.parse::<f64>().ok().filter(|floor| (0.0..1e9).contains(floor));
    floor.ok_or_else(|| "write a number of radii, 0 or more".into())
}

pub(crate) fn compare(arguments: &CompareArguments) -> Result<ExitCode, Failure> {
    let output = page_path(arguments.output.as_ref(), arguments.json.as_deref(), || "compare.html".into());
    for path in [&output, &arguments.json].into_iter().flatten() {
        check_free(path, arguments.force)?;
    }
    let (mut a, mut b) = (PastRun::open(&arguments.a)?, PastRun::open(&arguments.b)?);
    let mut pairs = difference::common(&a, &b, arguments.frames)?;
    let found = Difference::of(&mut a, &mut b, &mut pairs, arguments.floor)?;
    for note in &found.notes {
        say(format_args!("warning: {note}"));
    }
    if arguments.json.is_none() {
        unless_gone(print(&found))?;
    }
    if let Some(path) = output {
        let count = usize::from(arguments.pictures);
        let sheet = (count > 0).then(|| both(&mut a, &mut b, &pairs, count).map_err(|problem| problem.to_string()));
        let names = [&arguments.a, &arguments.b].map(|path| path.display().to_string());
        write_page(&path, &page::write([&a, &b], [&names[0], &names[1]], &found, sheet))?;
    }
    if let Some(path) = &arguments.json {
        write_json(path, &found)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the outcome as a table.
fn print(found: &Difference) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for [name, value, remark] in page::rows(found) {
        writeln!(out, "{}", format!("{name:<18}{value:<24}{remark}").trim_end())?;
    }
    writeln!(out, "{}", page::outcome(found))?;
    for change in &found.changed_keys {
        writeln!(out, "  {change}")?;
    }
    out.flush()
}

/// The contact sheet of two runs: a row of A, below it the same frames of B, seen from the same
/// place.
fn both(a: &mut PastRun, b: &mut PastRun, pairs: &[FramePair], count: usize) -> Result<Vec<u8>, Failure> {
    let (renderer, view) = pictures::camera(&mut a.recording)?;
    // Only the renderer of B is its own: it knows the shapes of B.
    let (other, _) = pictures::camera(&mut b.recording)?;
    let chosen = look::spread(&(0..pairs.len()).collect::<Vec<_>>(), count);
    let (mut images, mut labels) = (Vec::new(), Vec::new());
    let mut line = Line::new();
    for (name, run, renderer, of) in [("A", a, &renderer, 0), ("B", b, &other, 1)] {
        let indices: Vec<usize> = chosen.iter().map(|&pair| pairs[pair][of]).collect();
        let progress = (of * chosen.len(), 2 * chosen.len());
        let taken = look::pictures(&mut run.recording, renderer, &view, &indices, &mut line, progress)?;
        images.push(taken.0);
        labels.push(taken.1.into_iter().map(|label| format!("{name}: {label}")).collect::<Vec<_>>());
    }
    line.end();
    let columns = pictures::COLUMNS.min(chosen.len());
    let blank = Image::new(1, 1, [255; 3]);
    let images = in_rows(&images, columns, &blank);
    Ok(png_bytes(&sheet(&images, &in_rows(&labels, columns, &String::new()), columns))?)
}

/// Interleaves pictures: a row of the first, a row of the second, and so on; a row that is not full
/// is filled up, so that both stand above each other.
fn in_rows<T: Clone>(both: &[Vec<T>], columns: usize, blank: &T) -> Vec<T> {
    let full = |row: &[T]| {
        let mut row = row.to_vec();
        row.resize(columns, blank.clone());
        row
    };
    let rows = both[0].chunks(columns).zip(both[1].chunks(columns));
    rows.flat_map(|(a, b)| [full(a), full(b)].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::in_rows;

    #[test]
    fn rows_of_both_take_turns() {
        let both = [vec![1, 2, 3], vec![10, 20, 30]];
        assert_eq!(in_rows(&both, 2, &0), [1, 2, 10, 20, 3, 0, 30, 0]);
        assert_eq!(in_rows(&both, 3, &0), [1, 2, 3, 10, 20, 30]);
    }
}
