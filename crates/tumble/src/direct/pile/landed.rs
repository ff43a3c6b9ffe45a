//! Bodies that have landed: they touch something, or did so a moment ago.

use glam::DVec3;

use crate::direct::{SeenBody, Stagehand};

/// For how long a body that touched something counts as landed, though it may be hopping \[s\].
const HOP: f64 = 0.3;

/// The memory of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LandedMemory {
    /// The number of its id: a slot can get another body.
    pub(super) id: u64,
    /// For how long it has touched nothing \[s\].
    pub(super) free: f64,
    /// For how long it has been slow \[s\].
    pub(super) slow: f64,
    /// For how long it has been still \[s\], and where it was when that began \[m\].
    pub(super) still: f64,
    pub(super) still_at: DVec3,
    /// For how long it has been awake without getting far \[s\], and where that began \[m\].
    pub(super) stuck: f64,
    pub(super) from: DVec3,
    /// How firmly it grips what it touches: the number of its grip.
    pub(super) grip: u32,
}

impl LandedMemory {
    fn new(id: u64) -> Self {
        Self {
            id,
            free: f64::INFINITY,
            slow: 0.0,
            still: 0.0,
            still_at: DVec3::ZERO,
            stuck: 0.0,
            from: DVec3::ZERO,
            grip: 0,
        }
    }
}

/// Those that have landed, in the order of their ids.
pub(super) fn gather(memory: &mut Vec<LandedMemory>, stage: &Stagehand<'_>) -> Vec<SeenBody> {
    memory.resize(memory.len().max(stage.slots()), LandedMemory::new(u64::MAX));
    let touched = stage.touched();
    let has_landed = |body: &SeenBody| {
        let memory = &mut memory[body.id.index as usize];
        if memory.id != body.id.number() {
            *memory = LandedMemory::new(body.id.number());
        }
        let touches = body.rest.asleep || touched.binary_search(&body.id).is_ok();
        memory.free = if touches { 0.0 } else { memory.free + stage.frame_length() };
        memory.free < HOP
    };
    stage.bodies().filter(has_landed).collect()
}
