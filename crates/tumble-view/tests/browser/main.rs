//! The page in a real browser: headless Chromium, driven by ChromeDriver, drawing with a software
//! GPU.
//!
//! Without Chromium the tests say so and pass, so that the others can be run anywhere; with `CI` or
//! `TUMBLE_BROWSER=require` in the environment they fail. `TUMBLE_SHOTS=folder` keeps pictures of
//! what the tests see.

#[path = "../common/mod.rs"]
mod common;

mod colours;
mod compared;
mod driver;
mod large;
mod particles;
mod picked;
mod played;
mod seen;
mod trouble;
