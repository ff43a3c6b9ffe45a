//! Closed forms and conservation laws. The equation stands in the comment, the tolerance follows from the method's order.

#[path = "../common/mod.rs"]
mod common;

mod collision;
mod free;
mod incline;
mod mesh;
mod oblique;
