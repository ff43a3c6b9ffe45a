//! Statics against closed forms, reference cases, its own properties, and the run.

#[path = "../common/mod.rs"]
mod common;

mod assembly;
mod limits;
mod properties;
mod references;
mod run;
mod whole;
