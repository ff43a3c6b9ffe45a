//! Bulk laws: thousands of grains together, against published laws and figures. The law and its
//! source stand at the head of each file.
//!
//! The scenes are reduced to what two cores do in seconds; full ones are ignored and run by
//! `cargo test --release -p tumble --test bulk -- --ignored --nocapture NAME`, in minutes. Every
//! test prints its figures.

#[path = "../common/mod.rs"]
mod common;

mod at_rest;
mod collapse;
mod discharge;
mod fluid;
mod haff;
mod jamming;
mod janssen;
mod packing;
mod repose;
mod scene;
mod silo;
