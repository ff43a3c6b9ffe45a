//! `[detail]`: high-resolution particles that follow grains.

use glam::DVec3;
use tumble::detail::{DetailSettings, Kernel};

use super::DRAGS;
use crate::text::{Fields, Range, Section, Word};

/// How particles follow grains.
#[derive(Clone, Debug, PartialEq)]
pub struct DetailSpec {
    /// Particles per grain.
    pub count: u32,
    /// Seed of their places; by default that of the scene.
    pub seed: Option<u64>,
    /// The influence radius, in radii of a grain \[-\].
    pub influence: f64,
    /// How grains are weighed.
    pub kernel: Kernel,
    /// Particles are born with a velocity of their own up to this \[m/s\].
    pub jitter: f64,
    /// With fewer grains within the influence radius a particle flies freely.
    pub least_guides: u32,
    /// A particle that is farther than this from every grain falls, in radii of a grain \[-\].
    pub touch: f64,
    /// Whether grains that run ahead of their particles get others.
    pub refill: bool,
    /// Interpolations per frame.
    pub interpolations: u32,
    /// Steps with external forces from one interpolation to the next.
    pub steps: u32,
    /// Share of its velocity that a flying particle loses per second \[1/s\]; by default as bodies.
    pub drag: Option<f64>,
    /// Velocity of the air \[m/s\].
    pub wind: DVec3,
    /// Friction on obstacles \[-\].
    pub friction: f64,
    /// Restitution on obstacles \[-\].
    pub restitution: f64,
    /// Cells on which distances from meshes are known \[m\].
    pub cell: Option<f64>,
    /// Names of the shapes whose bodies are followed; by default all spheres and clumps.
    pub shapes: Option<Vec<String>>,
}

/// As the engine has it.
impl Default for DetailSpec {
    fn default() -> Self {
        let usual = DetailSettings::default();
        Self {
            count: usual.count,
            seed: None,
            influence: usual.influence,
            kernel: usual.kernel,
            jitter: usual.jitter,
            least_guides: usual.least_carriers,
            touch: usual.touch,
            refill: usual.refill,
            interpolations: usual.interpolations,
            steps: usual.steps,
            drag: None,
            wind: usual.wind,
            friction: usual.friction,
            restitution: usual.restitution,
            cell: usual.cell,
            shapes: None,
        }
    }
}

impl Section for DetailSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("count", &mut self.count, Range::Within(1.0, 1e6));
        fields.within("seed", &mut self.seed, Range::AtLeast(0.0));
        fields.within("influence", &mut self.influence, Range::Within(0.1, 100.0));
        fields.value("kernel", &mut self.kernel);
        fields.within("jitter", &mut self.jitter, Range::Within(0.0, 1e6));
        fields.within("least_guides", &mut self.least_guides, Range::Within(1.0, 1e6));
        fields.within("touch", &mut self.touch, Range::Within(0.1, 100.0));
        fields.value("refill", &mut self.refill);
        fields.within("interpolations", &mut self.interpolations, Range::Within(1.0, 1000.0));
        fields.within("steps", &mut self.steps, Range::Within(1.0, 1000.0));
        fields.within("drag", &mut self.drag, DRAGS);
        fields.within("wind", &mut self.wind, Range::Within(-1e6, 1e6));
        fields.within("friction", &mut self.friction, Range::Within(0.0, 100.0));
        fields.within("restitution", &mut self.restitution, Range::Within(0.0, 1.0));
        fields.within("cell", &mut self.cell, Range::Within(1e-9, 1e6));
        fields.value("shapes", &mut self.shapes);
    }
}

impl Word for Kernel {
    const WORDS: &'static [(&'static str, Self)] = &[("smooth", Self::Smooth), ("printed", Self::Printed)];
}
