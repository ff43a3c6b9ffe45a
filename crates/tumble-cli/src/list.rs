//! `tumble list`: the gallery.

use std::io::Write;
use std::process::ExitCode;

use crate::Failure;

pub(crate) fn list() -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    for (name, text) in tumble_scene::gallery::SCENES {
        let title = text.lines().find_map(|line| line.strip_prefix("title = ")).unwrap_or("").trim_matches('"');
        writeln!(out, "{name:<12} {title}")?;
    }
    Ok(ExitCode::SUCCESS)
}
