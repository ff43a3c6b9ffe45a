//! The scene of `tumble pile`: one thing, a spout, a pile.
//!
//! Everything follows from the size of the thing and from the cone that so many of them make. The
//! spout stands a little above the tip of the cone and rises with it: a thing that falls from high
//! above jumps off a steep side, and lies around the foot in the end.

use std::f64::consts::PI;

use glam::DVec3;
use tumble_scene::spec::{
    CameraSpec, Colour, EmitterSpec, JitterSpec, MaterialSpec, PileSpec, PlaceSpec, PointKeySpec, RigidSpec, SceneSpec,
    SolverSpec,
};

use super::thing::Thing;

/// How a pile is poured.
pub(crate) struct Pour {
    pub(crate) count: u32,
    /// Angle of repose \[degree\].
    pub(crate) angle: f64,
    pub(crate) friction: f64,
    pub(crate) seed: u64,
}

const GRAVITY: f64 = 9.81;
/// Frames per second \[1/s\].
const FPS: f64 = 60.0;
/// Packing fractions of a pile: compact things fill half of it, the rest is air; hollow and
/// branched things take up at least this part of their bounding boxes.
const SOLID: f64 = 0.5;
const OF_BOX: f64 = 0.55;
/// Height of the spout above the tip of the cone, in reaches of a thing: room for one that lies
/// there and one that is born.
const ABOVE: f64 = 3.5;
/// How far from the axis things are born, in reaches.
const BESIDE: f64 = 0.4;
/// Part that is used of the rate at which there would just be room for the next one.
const RATE: f64 = 0.8;
/// Places the spout rises through; it goes on rising if the pour takes twice as long, so that
/// nothing can block it.
const PLACES: u32 = 12;
const PATIENCE: f64 = 2.0;
/// Time that all have to come to rest and to prove that they stand, in times to fall their own
/// reach.
const SETTLE: f64 = 450.0;
/// Angle between the upper and the lower edge of the picture \[degree\].
const FOV: f64 = 30.0;

/// Makes the scene.
pub(crate) fn scene(thing: &Thing, pour: &Pour) -> SceneSpec {
    let &Pour { count, angle, friction, seed } = pour;
    let reach = thing.reach;
    let tip = |bodies: f64| {
        let volume = bodies * (thing.volume / SOLID).max(OF_BOX * thing.room);
        (3.0 * volume * angle.to_radians().tan().powi(2) / PI).cbrt()
    };
    let spout = |bodies: f64| DVec3::new(0.0, 0.0, short(tip(bodies) + ABOVE * reach));
    // Thrown down as fast as if it had fallen two reaches, a thing has left the place of the next
    // one after this time.
    let speed = 2.0 * (GRAVITY * reach).sqrt();
    let clears = ((speed * speed + 4.0 * GRAVITY * reach).sqrt() - speed) / GRAVITY;
    let rate = short(RATE / clears);
    let all = f64::from(count);
    let last = 1.0 + FPS * (PATIENCE * all / rate + SETTLE * (2.0 * reach / GRAVITY).sqrt()).ceil();
    let key = |n: u32| {
        // Heights grow with the cube root of time, so early places are close to each other.
        let bodies = PATIENCE * all * (f64::from(n) / f64::from(PLACES)).powi(3);
        PointKeySpec { time: short(bodies / rate), position: spout(bodies) }
    };
    let (height, foot) = (tip(all), tip(all) / angle.to_radians().tan());
    // The camera is as far away as it takes to see the tip, and the foot from side to side of a
    // picture that is wider than high.
    let away = (0.95 * (foot + reach)).max(0.85 * height + reach) / (0.5 * FOV).to_radians().tan();
    let material = |density: f64, colour: [u8; 3]| MaterialSpec {
        density,
        friction,
        restitution: 0.1,
        colour: Some(Colour(colour)),
        ..MaterialSpec::default()
    };
    SceneSpec {
        title: format!("{count} × {} on a pile of {angle} degrees", thing.name),
        solver: SolverSpec::Rigid(RigidSpec::default()),
        frames: [1, last as i64],
        fps: FPS,
        seed,
        ground: Some(0.0),
        materials: vec![
            ("floor".into(), material(MaterialSpec::default().density, [0x8d, 0x8f, 0x94])),
            ("stuff".into(), material(1000.0, [0x4f, 0x7f, 0xb0])),
        ],
        shapes: vec![(thing.name.clone(), thing.shape.clone())],
        // A spout on the axis, which rises with the pile.
        emitters: vec![EmitterSpec {
            material: Some("stuff".into()),
            count: count.into(),
            rate: Some(rate),
            velocity: DVec3::new(0.0, 0.0, -short(speed)),
            jitter: JitterSpec { orientation: true, ..JitterSpec::default() },
            place: PlaceSpec::Point {
                point: spout(0.0),
                spread: short(BESIDE * reach),
                drift: DVec3::ZERO,
                keys: (1..=PLACES).map(key).collect(),
            },
            ..EmitterSpec::default()
        }],
        piles: vec![PileSpec { angle, position: Some([0.0; 2]), ..PileSpec::default() }],
        camera: Some(CameraSpec {
            position: DVec3::from([0.35, -0.9, 0.35].map(|part: f64| short(part * away))),
            target: DVec3::new(0.0, 0.0, short(0.4 * height)),
            fov: FOV,
        }),
        ..SceneSpec::default()
    }
}

/// A number with four digits: nobody reads more of them.
pub(crate) fn short(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let unit = 10f64.powi(number.abs().log10().floor() as i32 - 3);
    // Dividing by a power of ten gives the nearest number to the short decimal; multiplying would
    // not.
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
