//! Shapes of grains: spheres held rigidly together. Today one sphere; clumps fill the same fields.

use std::f64::consts::PI;

use glam::DVec3;

/// One sphere of a shape, in the body's own axes, for a body of size one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeSphere {
    /// Centre, relative to the centre of mass \[m\].
    pub offset: DVec3,
    /// Radius \[m\].
    pub radius: f64,
}

/// What a body looks like and how its mass is spread, for size one and density one.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Name in the scene.
    pub name: String,
    /// The spheres that touch other things.
    pub spheres: Vec<ShapeSphere>,
    /// Volume \[m³\].
    pub volume: f64,
    /// Moment of inertia about any axis through the centre, for density one \[m⁵\].
    pub moment: f64,
    /// Radius of the smallest sphere about the centre of mass that holds the shape \[m\].
    pub bounding_radius: f64,
}

impl Shape {
    /// A single sphere.
    pub fn sphere(name: &str, radius: f64) -> Self {
        let volume = 4.0 / 3.0 * PI * radius.powi(3);
        Self {
            name: name.to_string(),
            spheres: vec![ShapeSphere { offset: DVec3::ZERO, radius }],
            volume,
            moment: 0.4 * volume * radius * radius,
            bounding_radius: radius,
        }
    }
}
