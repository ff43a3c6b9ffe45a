//! Tests about the tree itself: what is named exists, what exists is named, and the rules of the
//! house are kept.

mod architecture;
mod code;
mod cycles;
mod dependencies;
mod determinism;
mod links;
mod pictures;
mod rust;
mod tree;
mod words;

/// Fails with all complaints at once.
fn report(rule: &str, complaints: &[String]) {
    assert!(complaints.is_empty(), "{rule}; {} are against it:\n  {}", complaints.len(), complaints.join("\n  "));
}
