//! Promises of tumble-io about files: exact round trips, and no surprise from a file that is torn,
//! changed or hostile.

mod checkpoint;
mod common;
mod corruption;
mod csv;
mod files;
mod particles;
mod ply;
mod resume;
mod round_trip;
mod size;
