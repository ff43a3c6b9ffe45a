//! The server as others see it: requests in, bytes out.

#[path = "../common/mod.rs"]
mod common;

mod client;
mod frames;
mod live;
mod particles;
mod refused;
