//! How much memory this process took at most and how much there is, where the system tells.

/// Peak resident memory \[bytes\].
pub(crate) fn peak() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:").map(|kilobytes| 1024 * kilobytes)
}

/// Memory that can be had without taking it from others \[bytes\].
pub(crate) fn available() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:").map(|kilobytes| 1024 * kilobytes)
}

/// The number on the line of a file that begins with this word.
fn kilobytes(file: &str, word: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(word))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
