//! Closed forms and conservation laws. The equation stands in the comment, the tolerance follows
//! from the method's order.

#[path = "../common/mod.rs"]
mod common;

mod clump;
mod collision;
mod contact_forces;
mod free;
mod grip;
mod history;
mod incline;
mod mesh;
mod oblique;
mod order;
mod restitution;
mod rigid;
mod rotation;
mod sleep;
mod slope;
mod slopes;
mod statics;
mod stiction;
mod topple;
