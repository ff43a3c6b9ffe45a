//! A pile in numbers, as `tumble report` and `tumble compare` give them: angle of repose, packing,
//! penetration, drift at rest.
//!
//! Reads two frames of a recording, the one that is measured and the one a second before it. The
//! measures themselves are the engine's; here they get their units and the names they have in JSON.

use glam::DVec3;
use serde::Serialize;
use tumble::measure::{NotAHeap, Sector, drift, packing, penetration, repose, silhouette};
use tumble::{Frame, FrameBody, Simulation};
use tumble_io::{IoError, Recording};

use crate::Forms;

/// Time over which a pile that rests is watched \[s\].
const WATCHED: f64 = 1.0;

/// A pile at one moment, in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct PileFigures {
    /// The frame that was measured.
    pub frame: i64,
    /// Simulated time since the first frame \[s\].
    pub time: f64,
    /// Bodies there are.
    pub bodies: usize,
    /// Bodies asleep.
    pub asleep: usize,
    /// Bodies that a constraint holds.
    pub held: usize,
    /// Highest point of a body along up \[m\].
    pub highest: Option<f64>,
    /// Angle of repose.
    pub repose: Option<ReposeFigures>,
    /// The reason why there is no angle of repose.
    pub no_repose: Option<String>,
    /// How steep it looks from the side, by which no pile steers; none if it is too low.
    pub silhouette: Option<SilhouetteFigures>,
    /// Packing inside the pile; none if it is too small, or its bodies are solids.
    pub packing: Option<PackingFigures>,
    /// Overlaps; none of solids, which are not made of balls.
    pub penetration: Option<PenetrationFigures>,
    /// Contacts that push on a body on average, with obstacles \[-\].
    pub contacts_per_body: f64,
    /// How far bodies moved in the second before; none if there is no earlier frame.
    pub drift: Option<DriftFigures>,
}

/// The angle of repose and how it was found.
#[derive(Clone, Debug, Serialize)]
pub struct ReposeFigures {
    /// The angle \[°\].
    pub angle_degrees: f64,
    /// Standard deviation over sectors, or standard error if all directions were measured
    /// together \[°\].
    pub spread_degrees: f64,
    /// Whether all directions were measured together; then there are no sectors.
    pub together: bool,
    /// The directions that were measured.
    pub sectors: Vec<SectorFigures>,
    /// Directions left out because their side is too short.
    pub sectors_too_short: usize,
    /// Directions left out because their side is not straight.
    pub sectors_not_straight: usize,
    /// Where the straight sides would meet, along up \[m\].
    pub apex_height: f64,
    /// The lowest part of the surface, along up \[m\].
    pub base_height: f64,
    /// Distance from the axis and height of the surface \[m\].
    pub profile: Vec<(f64, f64)>,
    /// How much the angle changed while the pile was watched \[°\].
    pub change_degrees: Option<f64>,
}

/// The angle of the silhouette.
#[derive(Clone, Debug, Serialize)]
pub struct SilhouetteFigures {
    /// The angle \[°\].
    pub angle_degrees: f64,
    /// Standard deviation over directions of view \[°\].
    pub spread_degrees: f64,
}

/// The angle of repose in one direction.
#[derive(Clone, Debug, Serialize)]
pub struct SectorFigures {
    /// The direction \[°\].
    pub azimuth_degrees: f64,
    /// The angle \[°\].
    pub angle_degrees: f64,
    /// How straight the side is: the coefficient of determination of its line \[-\].
    pub r2: f64,
}

/// How densely a pile is packed inside.
#[derive(Clone, Debug, Serialize)]
pub struct PackingFigures {
    /// Volume of bodies over volume \[-\].
    pub fraction: f64,
    /// Standard error of it \[-\].
    pub standard_error: f64,
    /// Bodies that were judged.
    pub bodies: usize,
}

/// Overlaps between bodies over the radius of the smaller ball.
#[derive(Clone, Debug, Serialize)]
pub struct PenetrationFigures {
    /// Mean over pairs that touch \[-\].
    pub mean: f64,
    /// The deepest \[-\].
    pub worst: f64,
    /// Numbers of the two bodies in the deepest.
    pub worst_bodies: Option<[u64; 2]>,
    /// Pairs of bodies that touch.
    pub contacts: usize,
    /// Other bodies that a body touches on average \[-\].
    pub coordination: f64,
}

/// How far bodies moved while the pile was watched.
#[derive(Clone, Debug, Serialize)]
pub struct DriftFigures {
    /// How long the pile was watched \[s\].
    pub seconds: f64,
    /// Mean distance \[m\].
    pub mean: f64,
    /// Mean distance over the body's radius \[-\].
    pub mean_relative: f64,
    /// The farthest \[m\].
    pub worst: f64,
    /// The farthest over the body's radius \[-\].
    pub worst_relative: f64,
    /// Number of the body that moved farthest.
    pub worst_body: Option<u64>,
    /// Bodies that are in one of the two frames only.
    pub unmatched: usize,
}

impl PileFigures {
    /// Measures the pile in the frame with this index.
    pub fn of(recording: &mut Recording, index: usize, up: DVec3) -> Result<Self, IoError> {
        let mut frame = Frame::default();
        recording.read(index, &mut frame)?;
        let forms = Forms::of(recording)?;
        let balls = forms.true_balls(&frame);
        let depth = (!balls.is_empty()).then(|| penetration(&balls, 0.0));
        let heap = forms.of_heap(&frame);
        let (angle, no_repose) = match repose(&heap, up) {
            Ok(found) => (Some(found), None),
            Err(NotAHeap::TooFew { bodies, needed }) => (None, Some(too_few(bodies, needed))),
            Err(why) => (None, Some(why.to_string())),
        };

        let mut earlier = Frame::default();
        let before = second_before(recording, index);
        let watched = before.is_some_and(|before| recording.read(before, &mut earlier).is_ok());
        let angle_before = watched.then(|| repose(&forms.of_heap(&earlier), up).ok()).flatten();
        let moved = watched.then(|| drift(&earlier, &frame, &forms.radii));

        let count = |is: fn(&FrameBody) -> bool| frame.bodies.iter().filter(|body| is(body)).count();
        let contacts: u64 = frame.bodies.iter().map(|body| u64::from(body.contacts)).sum();
        Ok(Self {
            frame: frame.number,
            time: frame.time,
            bodies: frame.bodies.len(),
            asleep: count(|body| body.asleep),
            held: count(|body| body.held),
            highest: forms.highest(&frame, up),
            repose: angle.map(|found| ReposeFigures {
                angle_degrees: found.angle.to_degrees(),
                spread_degrees: found.spread.to_degrees(),
                together: found.sectors.is_empty(),
                sectors: found.sectors.iter().map(sector).collect(),
                sectors_too_short: found.too_short,
                sectors_not_straight: found.not_straight,
                apex_height: found.apex.dot(up),
                base_height: found.base,
                change_degrees: angle_before.map(|before| (found.angle - before.angle).to_degrees()),
                profile: found.profile,
            }),
            no_repose,
            silhouette: silhouette(&heap, up).ok().map(|found| SilhouetteFigures {
                angle_degrees: found.angle.to_degrees(),
                spread_degrees: found.spread.to_degrees(),
            }),
            packing: packing(&balls, up).map(|found| PackingFigures {
                fraction: found.fraction,
                standard_error: found.standard_error,
                bodies: found.bodies,
            }),
            penetration: depth.map(|depth| PenetrationFigures {
                mean: depth.mean,
                worst: depth.worst,
                worst_bodies: depth.worst_pair.map(|pair| pair.map(|body| body.number())),
                contacts: depth.contacts,
                coordination: depth.coordination,
            }),
            contacts_per_body: contacts as f64 / frame.bodies.len().max(1) as f64,
            drift: moved.filter(|moved| moved.bodies > 0).map(|moved| DriftFigures {
                seconds: frame.time - earlier.time,
                mean: moved.mean,
                mean_relative: moved.mean_relative,
                worst: moved.worst.map_or(0.0, |worst| worst.distance),
                worst_relative: moved.worst.map_or(0.0, |worst| worst.relative),
                worst_body: moved.worst.map(|worst| worst.body.number()),
                unmatched: moved.unmatched,
            }),
        })
    }
}

/// The reason why there is no angle: bodies that roll or fly are not part of a pile.
pub(crate) fn too_few(bodies: usize, needed: usize) -> String {
    format!("{bodies} bodies are part of a pile, {needed} are needed")
}

/// The direction up in a simulation: against gravity, or z without any.
pub fn up_in(simulation: &Simulation) -> DVec3 {
    (-simulation.world().gravity).normalize_or(DVec3::Z)
}

fn sector(sector: &Sector) -> SectorFigures {
    let Sector { azimuth, angle, r2 } = sector;
    SectorFigures { azimuth_degrees: azimuth.to_degrees(), angle_degrees: angle.to_degrees(), r2: *r2 }
}

/// The last frame that is a second or more before this one, else the first that is before it at
/// all.
fn second_before(recording: &Recording, index: usize) -> Option<usize> {
    let frames = recording.frames();
    // Times are sums of steps: a hair less than a second is a second.
    let latest = frames[index].time - WATCHED * (1.0 - 1e-9);
    let before = frames[..index].iter().rposition(|entry| entry.time <= latest);
    before.or((index > 0).then_some(0))
}
