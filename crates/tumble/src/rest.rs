//! When a body counts as still, and what wakes one that is asleep.

/// Still is what is slower than this, over the natural speed of the body.
const STILL: f64 = 0.03;

/// A body that comes this much faster than a still one wakes what it hits.
const WAKING: f64 = 3.0;

/// What comes faster than this \[m/s\] wakes a body of this radius \[m\] in such gravity \[m/s²\].
pub(crate) fn waking_speed(gravity: f64, radius: f64) -> f64 {
    WAKING * still_speed(gravity, radius)
}

/// Below this speed \[m/s\] a body of this radius \[m\] in such gravity \[m/s²\] is still.
pub(crate) fn still_speed(gravity: f64, radius: f64) -> f64 {
    STILL * natural_speed(gravity, radius)
}

/// The speed that things of this radius \[m\] have: that after falling half of it, or without gravity ten radii a second \[m/s\].
pub(crate) fn natural_speed(gravity: f64, radius: f64) -> f64 {
    if gravity > 0.0 { (gravity * radius).sqrt() } else { 10.0 * radius }
}
