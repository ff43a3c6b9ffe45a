//! Files that commands write beside or from a run, and files that they must not overwrite.

use std::path::Path;

use crate::Failure;

/// Refuses to overwrite a file, before any work is done; `-` is standard output.
pub(crate) fn check_free(path: &Path, force: bool) -> Result<(), Failure> {
    if path != Path::new("-") && path.exists() && !force {
        return Err(format!("{} exists\nhelp: --force overwrites it, -o chooses another file", path.display()).into());
    }
    Ok(())
}

/// Refuses to write over the recording that is being read.
pub(crate) fn refuse_source(output: &Path, recording: &Path) -> Result<(), Failure> {
    let is_same = matches!((output.canonicalize(), recording.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if is_same {
        return Err(
            format!("{} is the recording that is being read\nhelp: -o chooses another file", output.display()).into()
        );
    }
    Ok(())
}
