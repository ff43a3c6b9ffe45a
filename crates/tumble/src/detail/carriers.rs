//! Carriers: the grains of two frames, where they are in between, and a grid to find those near a
//! place.
//!
//! Reads what frames show of bodies and nothing else, so that particles come out the same whether
//! they are made during a run or from its recording. Between two frames a carrier moves on the
//! cubic that has its places and velocities at both ends (Hermite): it is a parabola exactly where
//! grains fly freely, stands still where they do, and ends where the next frame begins.

use glam::{DVec3, Vec3};

use super::near::{Found, Influences};
use crate::frame::{Frame, FrameBody};
use crate::geometry::Grid;
use crate::world::{BodyId, MaterialId};

/// A grain that particles follow, as one frame shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Carrier {
    pub(super) id: BodyId,
    pub(super) material: MaterialId,
    /// Radius of the sphere around it \[m\].
    pub(super) reach: f32,
    /// Radius of its particles \[m\].
    pub(super) fine: f32,
    pub(super) position: DVec3,
    pub(super) velocity: DVec3,
}

/// Radii of a shape whose bodies are carriers, at size one.
#[derive(Clone, Copy, Debug)]
pub(super) struct CarrierShape {
    /// Radius of the sphere around it \[m\].
    pub(super) reach: f32,
    /// Radius of its particles \[m\].
    pub(super) fine: f32,
}

/// The carriers of a frame, in the order of their ids.
pub(super) fn carriers_of(frame: &Frame, shapes: &[Option<CarrierShape>]) -> Vec<Carrier> {
    let carrier = |body: &FrameBody| {
        let shape = shapes.get(body.shape.index()).copied().flatten().filter(|_| is_sound(body))?;
        let vector = |v: [f32; 3]| Vec3::from(v).as_dvec3();
        Some(Carrier {
            id: body.id,
            material: body.material,
            reach: shape.reach * body.size,
            fine: shape.fine * body.size,
            position: vector(body.position),
            velocity: vector(body.velocity),
        })
    };
    frame.bodies.iter().filter_map(carrier).collect()
}

/// Whether a body is one that can be: a recording may say anything.
pub(super) fn is_sound(body: &FrameBody) -> bool {
    let mut numbers = body.position.iter().chain(&body.velocity).chain(&body.orientation).chain([&body.size]);
    numbers.all(|number| number.is_finite()) && body.size > 0.0
}

/// The way of a carrier from one frame to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct CarrierPath {
    reach: f32,
    /// Where it begins \[m\].
    start: DVec3,
    /// From there to where it ends \[m\].
    step: DVec3,
    /// Velocities at both ends, times the time between the frames \[m\].
    leaving: DVec3,
    arriving: DVec3,
}

impl CarrierPath {
    /// Where the carrier is after a share of the time.
    fn at(&self, s: f64) -> DVec3 {
        self.start + self.come_since_start(s)
    }

    /// How far it has come after a share of the time.
    fn come_since_start(&self, s: f64) -> DVec3 {
        let (s2, s3) = (s * s, s * s * s);
        (s - 2.0 * s2 + s3) * self.leaving + (3.0 * s2 - 2.0 * s3) * self.step + (s3 - s2) * self.arriving
    }
}

/// A carrier that ends farther than this, in radii, from where its velocities would have brought it
/// was stopped on its way.
const STOPPED: f64 = 0.1;

/// The ways of all carriers between two frames that lie `time` \[s\] apart, in the order of their
/// ids. A carrier that is in one of the frames only moves on with the velocity it has there.
pub(super) fn ways(before: &[Carrier], after: &[Carrier], time: f64) -> Vec<CarrierPath> {
    let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
    let mut ways = Vec::new();
    loop {
        let way = |a: &Carrier, b: &Carrier| {
            let step = b.position - a.position;
            let (leaving, arriving) = (time * a.velocity, time * b.velocity);
            // In free flight the difference is zero. The cubic of a carrier that was stopped on the
            // way would pass through the obstacle and come back: it goes straight instead.
            let flown = 0.5 * (leaving + arriving);
            let is_stopped = step.distance(flown) > STOPPED * f64::from(a.reach);
            let (leaving, arriving) = if is_stopped { (step, step) } else { (leaving, arriving) };
            CarrierPath { reach: a.reach, start: a.position, step, leaving, arriving }
        };
        let straight = |carrier: &Carrier, start: DVec3| {
            let along = time * carrier.velocity;
            CarrierPath { reach: carrier.reach, start, step: along, leaving: along, arriving: along }
        };
        ways.push(match (before.peek(), after.peek()) {
            (None, None) => return ways,
            (Some(a), Some(b)) if a.id == b.id => {
                let way = way(a, b);
                before.next();
                after.next();
                way
            }
            (Some(a), b) if b.is_none_or(|b| a.id < b.id) => {
                let way = straight(a, a.position);
                before.next();
                way
            }
            (_, Some(b)) => {
                let way = straight(b, b.position - time * b.velocity);
                after.next();
                way
            }
            (Some(_), None) => unreachable!("who is in the earlier frame only was met above"),
        });
    }
}

/// A carrier as interpolation reads it, in one register.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Influence {
    /// Where it is \[m\].
    pub(super) place: Vec3,
    /// Its mean velocity until the next interpolation, less [`VelocityField::common`] \[m/s\].
    pub(super) velocity: Vec3,
    /// One over its squared influence radius \[1/m²\].
    pub(super) inverse_square: f32,
}

/// Cells of the grid of carriers, over the largest influence radius.
const CELL: f64 = 0.8;

/// The carriers at one interpolation: their velocities hold until the next.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocityField {
    /// In the order of the grid's cells.
    influences: Influences,
    grid: Grid,
    /// The largest influence radius \[m\].
    reach: f32,
    /// The velocity of one of them, subtracted from all: a common velocity is then interpolated
    /// exactly \[m/s\].
    pub(super) common: Vec3,
}

impl VelocityField {
    /// The carriers between two shares of the time between frames; the influence is in radii of
    /// carriers.
    pub(super) fn between(ways: &[CarrierPath], [from, to]: [f64; 2], time: f64, influence: f32) -> Self {
        let mut field = Self::default();
        if ways.is_empty() {
            return field;
        }
        let velocity = |way: &CarrierPath| {
            ((way.come_since_start(to) - way.come_since_start(from)) / ((to - from) * time)).as_vec3()
        };
        field.common = velocity(&ways[0]);
        field.reach = ways.iter().map(|way| influence * way.reach).fold(0.0, f32::max);
        // Of the same rounded places that are compared with particles.
        let places = ways.iter().map(|way| way.at(from).as_vec3().as_dvec3());
        field.grid.build(places, CELL * f64::from(field.reach));
        for &carrier in field.grid.entries() {
            let way = &ways[carrier as usize];
            let radius = influence * way.reach;
            field.influences.push(Influence {
                place: way.at(from).as_vec3(),
                velocity: velocity(way) - field.common,
                inverse_square: (radius * radius).recip(),
            });
        }
        field
    }

    /// Puts the carriers that may influence something in a box into `near`, always in the same
    /// order.
    pub(super) fn near(&self, low: Vec3, high: Vec3, near: &mut Influences, found: &mut Found) {
        near.clear();
        if self.influences.carriers.is_empty() {
            return;
        }
        found.clear();
        // A bit more than the reach, for what rounding makes of distances.
        let reach = DVec3::splat(1.001 * f64::from(self.reach));
        self.grid.visit_box(low.as_dvec3() - reach, high.as_dvec3() + reach, |run| {
            self.influences.find(run, low, high, found);
        });
        found.numbers().iter().for_each(|&k| near.push(self.influences.carriers[k as usize]));
    }

    /// The largest influence radius \[m\]; of nobody one, so that it can be divided by.
    pub(super) fn reach(&self) -> f32 {
        if self.influences.carriers.is_empty() { 1.0 } else { self.reach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carrier(index: u32, position: DVec3, velocity: DVec3) -> Carrier {
        Carrier {
            id: BodyId { index, generation: 0 },
            material: MaterialId(0),
            reach: 0.01,
            fine: 0.002,
            position,
            velocity,
        }
    }

    /// On a parabola the cubic through places and velocities is that parabola.
    #[test]
    fn free_flight_is_exact() {
        let (time, g, v) = (1.0 / 24.0, DVec3::new(0.0, 0.0, -9.81), DVec3::new(1.0, -0.5, 3.0));
        let place = |t: f64| v * t + 0.5 * t * t * g;
        let ways = ways(&[carrier(3, DVec3::ZERO, v)], &[carrier(3, place(time), v + time * g)], time);
        for s in [0.0, 0.2, 0.5, 0.9, 1.0] {
            assert!((ways[0].at(s) - place(s * time)).length() < 1e-15);
        }
    }

    /// A carrier that falls on the ground within a frame does not go below where it ends.
    #[test]
    fn who_is_stopped_stays_above_ground() {
        let at = |z: f64| DVec3::new(0.0, 0.0, z);
        let ways = ways(&[carrier(1, at(0.013), at(-4.0))], &[carrier(1, at(0.0), DVec3::ZERO)], 1.0 / 30.0);
        for k in 0..=20 {
            let z = ways[0].at(f64::from(k) / 20.0).z;
            assert!((-1e-9..=0.013 + 1e-9).contains(&z), "{z}");
        }
    }

    /// Those of one frame only go straight; all come in the order of ids.
    #[test]
    fn who_is_born_or_gone_goes_straight() {
        let v = DVec3::new(0.0, 0.0, -1.0);
        let at = |x: f64| DVec3::new(x, 0.0, 0.0);
        let before = [carrier(1, at(1.0), v), carrier(2, at(2.0), v), carrier(5, at(5.0), v)];
        let after = [carrier(2, at(2.0) + 0.5 * v, v), carrier(4, at(4.0), v), carrier(7, at(7.0), v)];
        let ways = ways(&before, &after, 0.5);
        let starts: Vec<f64> = ways.iter().map(|way| way.at(0.0).x).collect();
        assert_eq!(starts, [1.0, 2.0, 4.0, 5.0, 7.0]);
        assert_eq!(ways[0].at(1.0), at(1.0) + 0.5 * v);
        assert_eq!(ways[2].at(1.0), at(4.0));
        assert_eq!(ways[2].at(0.0), at(4.0) - 0.5 * v);
    }
}
