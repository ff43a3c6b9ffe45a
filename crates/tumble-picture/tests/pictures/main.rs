//! Pictures of made-up recordings: exact where there is a closed form, golden where only eyes can
//! judge.

mod common;
mod covered;
mod golden;
mod odd;
mod particles;
mod shaded;
