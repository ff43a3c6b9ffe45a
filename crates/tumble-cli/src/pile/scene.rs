//! The scene of `tumble pile`: one thing, a spout, a pile.
//!
//! Everything follows from the size of the thing and from the cone that so many of them make. The spout stands a little above the tip of the
//! cone and rises with it: what falls from high above jumps off a steep side, and lies around its foot in the end.

use std::f64::consts::PI;
use std::fmt::Write;

use super::thing::Thing;

/// How a pile is poured.
pub(crate) struct Pour {
    pub(crate) count: u32,
    /// Degrees.
    pub(crate) angle: f64,
    pub(crate) friction: f64,
    pub(crate) seed: u64,
    /// How the user asked for it.
    pub(crate) asked: String,
}

const GRAVITY: f64 = 9.81;
/// Frames a second.
const FPS: f64 = 60.0;
/// A pile of things with a compact form is half air; hollow and branched things take up this part of their boxes.
const SOLID: f64 = 0.5;
const OF_BOX: f64 = 0.55;
/// The spout above the tip of the cone, in reaches of a thing: room for one that lies there and one that is born.
const ABOVE: f64 = 3.5;
/// How far from the axis things are born, in reaches.
const BESIDE: f64 = 0.4;
/// Of the rate at which there would just be room for the next one, this part is used.
const RATE: f64 = 0.8;
/// Places the spout rises through; it goes on rising if the pour takes twice as long, so that nothing can block it.
const PLACES: u32 = 12;
const PATIENCE: f64 = 2.0;
/// The last thing has so long to come to rest, in times to fall its own reach.
const SETTLE: f64 = 150.0;
/// Angle between the upper and the lower edge of the picture \[degree\].
const FOV: f64 = 30.0;

/// The text of the scene.
pub(crate) fn text(thing: &Thing, pour: &Pour) -> String {
    let Thing { name, shape, reach, .. } = thing;
    let Pour { count, angle, friction, seed, asked } = pour;
    let tip = |bodies: f64| {
        let volume = bodies * (thing.volume / SOLID).max(OF_BOX * thing.room);
        (3.0 * volume * angle.to_radians().tan().powi(2) / PI).cbrt()
    };
    let spout = |bodies: f64| short(tip(bodies) + ABOVE * reach);
    // Thrown down as fast as if it had fallen two reaches, a thing has left the place of the next one after this time.
    let speed = 2.0 * (GRAVITY * reach).sqrt();
    let clears = ((speed * speed + 4.0 * GRAVITY * reach).sqrt() - speed) / GRAVITY;
    let rate = short(RATE / clears);
    let all = f64::from(*count);
    let last = 1.0 + FPS * (PATIENCE * all / rate + SETTLE * (2.0 * reach / GRAVITY).sqrt()).ceil();
    let keys: String = (1..=PLACES).fold(String::new(), |mut keys, n| {
        // Heights grow with the cube root of time, so early places are close to each other.
        let bodies = PATIENCE * all * (f64::from(n) / f64::from(PLACES)).powi(3);
        let _ = writeln!(keys, "    {{ time = {}, position = [0, 0, {}] }},", short(bodies / rate), spout(bodies));
        keys
    });
    let (height, foot) = (tip(all), tip(all) / angle.to_radians().tan());
    // As far away as it takes to see the tip, and the foot from side to side of a picture that is wider than high.
    let away = (0.95 * (foot + reach)).max(0.85 * height + reach) / (0.5 * FOV).to_radians().tan();
    let [x, y, z] = [0.35, -0.9, 0.35].map(|part: f64| short(part * away));
    format!(
        r##"# Made by `{asked}`. `tumble run` runs it again, `docs/scene.md` explains every key.
title = "{count} × {name} on a pile of {angle} degrees"
solver = "rigid"
frames = [1, {last}]
fps = {FPS}
seed = {seed}
ground = 0

[material.floor]
friction = {friction}
restitution = 0.1
colour = "#8d8f94"

[material.stuff]
density = 1000
friction = {friction}
restitution = 0.1
colour = "#4f7fb0"

[shape.{name}]
{shape}

# A spout on the axis, which rises with the pile.
[[emitter]]
material = "stuff"
count = {count}
rate = {rate}
point = [0, 0, {start}]
spread = {spread}
velocity = [0, 0, -{speed}]
jitter = {{ orientation = true }}
key = [
{keys}]

[[pile]]
angle = {angle}
position = [0, 0]

[camera]
position = [{x}, {y}, {z}]
target = [0, 0, {target}]
fov = {FOV}
"##,
        start = spout(0.0),
        spread = short(BESIDE * reach),
        speed = short(speed),
        target = short(0.4 * height),
    )
}

/// A number with four digits: nobody reads more of them.
pub(crate) fn short(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let unit = 10f64.powi(number.abs().log10().floor() as i32 - 3);
    // Dividing by a power of ten gives the nearest number to the short decimal; multiplying would not.
    if unit < 1.0 { (number / unit).round() / (1.0 / unit).round() } else { (number / unit).round() * unit }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_become_short() {
        let shown = [0.123456, 12345.6, -0.000987654, 3.0, 99.9999].map(|number| short(number).to_string());
        assert_eq!(shown, ["0.1235", "12350", "-0.0009877", "3", "100"]);
    }
}
