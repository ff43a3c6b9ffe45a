//! The peak memory of this process, where the system tells.

/// Peak resident memory \[bytes\].
pub fn peak() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:").map(|kilobytes| 1024 * kilobytes)
}

/// The number on the line of a file that begins with this word.
fn kilobytes(file: &str, word: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(word))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
