//! Speeds below which a body is still, and above which it wakes a sleeper.

/// Speed below which a body is still, over its natural speed.
const STILL_SPEED: f64 = 0.03;

/// Speed from which on a body wakes a sleeper that it hits, over the speed below which it is still.
const WAKING_SPEED: f64 = 3.0;

/// Speed that a hit must give bodies to wake them by itself, over their natural speed.
const REACH_SPEED: f64 = 0.4;

/// Speed \[m/s\] from which on a hit wakes a body of this radius \[m\] in such gravity \[m/s²\].
pub(crate) fn waking_speed(gravity: f64, radius: f64) -> f64 {
    WAKING_SPEED * still_speed(gravity, radius)
}

/// Speed \[m/s\] that a hit must give bodies of this radius \[m\], which a director put to sleep,
/// to wake them.
pub(crate) fn speed_of_reach(gravity: f64, radius: f64) -> f64 {
    REACH_SPEED * natural_speed(gravity, radius)
}

/// Speed \[m/s\] below which a body of this radius \[m\] in such gravity \[m/s²\] is still.
pub(crate) fn still_speed(gravity: f64, radius: f64) -> f64 {
    STILL_SPEED * natural_speed(gravity, radius)
}

/// Natural speed of bodies of this radius \[m\]: that after falling half of it, or without gravity
/// ten radii per second \[m/s\].
pub(crate) fn natural_speed(gravity: f64, radius: f64) -> f64 {
    if gravity > 0.0 { (gravity * radius).sqrt() } else { 10.0 * radius }
}
