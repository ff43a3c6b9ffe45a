//! The angle of repose of a heap: how steep its sides are.
//!
//! Reads the balls of a heap at rest and the direction up. The recipe is that of experiments: the
//! surface in eight sectors about the axis, a height for each radial bin of one to two diameters,
//! without the rounded apex (top 20 %) and toe (bottom 18 %), a straight line through the rest;
//! mean and scatter over sectors. Where it differs, it is because of:
//!
//! - **The surface.** The 95th percentile of all bodies in a bin lies at 95 % of the local height
//!   and makes every heap too flat by a twentieth. So only the highest body of each square of the
//!   plan counts (`columns.rs`), and the percentile is taken over these; it passes over holes.
//! - **The axis.** It begins at the centroid of what is above half the height: stragglers and an
//!   uneven toe are not in it. For a heap that leans on a wall that point is too far from the wall,
//!   so a cone fitted to the flanks moves it. Small errors of the axis do not matter: they change a
//!   slope in second order.
//! - **Toes.** A heap in a box stands on a bed, not on the floor. The base is therefore the lowest
//!   level of each sector's own profile, and a flat toe is below the 18 % wherever it is.
//!
//! Heaps of some hundred bodies have sides of two or three bins. Where such a heap has no straight
//! side in most of the sectors, all directions are measured together (`coarse.rs`); then there are
//! no sectors.
//!
//! Bodies that touch less than two things are not part of a heap; leave them out before. Not a
//! cone: a square pyramid gives the mean of its faces (steeper) and edges with the difference as
//! spread; a long ridge or a heap in a slot gives the angle of its two sides; a wedge with one
//! slope gives [`NotAHeap::OneSided`].

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::Ball;
use super::ball::{diameters, typical_diameter, upright};
use super::coarse;
use super::columns::PileColumns;
use super::cone::{axis_of_cone, line, percentile};

pub(super) const SECTORS: usize = 8;
/// Fewer bodies have no slope that one could speak of.
const LEAST_BODIES: usize = 60;
/// A heap is this many diameters higher than the lowest part of its surface.
const LEAST_HEIGHT: f64 = 2.5;
/// Points that a line is laid through.
const LEAST_BINS: usize = 4;
/// A side below this r² is not straight.
const LEAST_R2: f64 = 0.97;
/// A heap of fewer bodies is coarse: all directions are measured together unless this many have a
/// straight side.
const COARSE: usize = 2000;
const ENOUGH_SIDES: usize = 7;
/// Parts of the height that are left out.
const TOE: f64 = 0.18;
const APEX: f64 = 0.20;

/// The sides of a heap.
#[derive(Clone, Debug, PartialEq)]
pub struct Repose {
    /// Mean slope of the sectors, or that of all directions together \[rad\].
    pub angle: f64,
    /// Standard deviation of the slope over sectors, or standard error of that of all together
    /// \[rad\].
    pub spread: f64,
    /// Sectors with a straight side, by azimuth; none if all directions were measured together.
    pub sectors: Vec<Sector>,
    /// Sectors left out because too little of a side is in them.
    pub too_short: usize,
    /// Sectors left out because their side is not straight.
    pub not_straight: usize,
    /// Distance from the axis and height of the surface \[m\], over all azimuths.
    pub profile: Vec<(f64, f64)>,
    /// Where the straight sides would meet \[m\]: on the axis.
    pub apex: DVec3,
    /// Height of the lowest part of the surface, or of the bodies around the foot of a coarse heap,
    /// along up \[m\].
    pub base: f64,
}

/// One sector's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sector {
    /// Direction of its middle about up, from x towards y if up is z \[rad\].
    pub azimuth: f64,
    /// Slope \[rad\].
    pub angle: f64,
    /// How straight it is \[-\]: 1 is a line.
    pub r2: f64,
}

/// Why there is no angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotAHeap {
    /// Too few bodies.
    TooFew {
        /// How many there are.
        bodies: usize,
        /// How many there should be.
        needed: usize,
    },
    /// As good as level.
    Flat {
        /// How much higher its top is than its lowest part, in diameters \[-\].
        height: f64,
    },
    /// Fewer than two sectors have a straight side long enough to measure.
    OneSided {
        /// Those that have one.
        sectors: usize,
    },
    /// There are sides, but none is straight.
    NotStraight {
        /// The best r² of a side \[-\].
        best_r2: f64,
    },
    /// Its outline does not get narrower upwards.
    NotNarrower,
}

impl std::fmt::Display for NotAHeap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooFew { bodies, needed } => write!(f, "{bodies} bodies are too few, {needed} are needed"),
            Self::Flat { height } => write!(f, "flat: the top is {height:.1} diameters above the lowest part"),
            Self::OneSided { sectors } => {
                write!(f, "one-sided: {sectors} of {SECTORS} sectors have a straight side long enough to measure")
            }
            Self::NotStraight { best_r2 } => write!(f, "no straight sides: the best has an r² of {best_r2:.3}"),
            Self::NotNarrower => write!(f, "seen from some side it does not get narrower upwards"),
        }
    }
}

impl std::error::Error for NotAHeap {}

/// A place on the surface: where in the plan, how high \[m\].
pub(super) type Spot = (DVec2, f64);

/// Measures a heap at rest.
pub fn repose(balls: &[Ball], up: DVec3) -> Result<Repose, NotAHeap> {
    let diameters = diameters(balls);
    if diameters.len() < LEAST_BODIES {
        return Err(NotAHeap::TooFew { bodies: diameters.len(), needed: LEAST_BODIES });
    }
    let diameter = typical_diameter(&diameters);
    let balls = upright(balls, up);
    let up = up.normalize_or(DVec3::Z);
    let (x, y) = up.any_orthonormal_pair();
    let at = |place: DVec2, height: f64| place.x * x + place.y * y + height * up;
    let columns = PileColumns::new(&balls, diameter);
    let surface: Vec<Spot> = columns.all().iter().map(|column| (column.highest.truncate(), column.top)).collect();

    // A few per cent of the surface may be anything: holes, balls in flight, stragglers.
    let heights = |part: f64| percentile(surface.iter().map(|spot| spot.1), part);
    let (low, high) = (heights(0.10), heights(0.99));
    let height = (high - low) / diameter;
    let coarse = |too_short: usize, not_straight: usize| {
        let cone = if diameters.len() < COARSE { coarse::cone(&balls, diameter) } else { None }?;
        Some(Repose {
            angle: cone.angle,
            spread: cone.spread,
            sectors: Vec::new(),
            too_short,
            not_straight,
            apex: at(cone.axis, cone.top),
            base: cone.foot,
            profile: cone.profile,
        })
    };
    if height.is_nan() || height < LEAST_HEIGHT {
        return coarse(SECTORS, 0).ok_or(NotAHeap::Flat { height });
    }
    let axis = axis_of_cone(&surface, low, high);
    // The heap's radius without bodies that rolled away on the ground.
    let above_toe = surface.iter().filter(|spot| spot.1 > low + TOE * (high - low));
    let reach = percentile(above_toe.map(|spot| spot.0.distance(axis)), 0.95);
    let width = (reach / 12.0).clamp(1.5 * diameter, 2.0 * diameter);
    let profile = profile(surface.iter(), axis, width, 0.0);
    let highest = profile.iter().map(|bin| bin.1).fold(f64::NEG_INFINITY, f64::max);

    let mut found = Repose {
        angle: 0.0,
        spread: 0.0,
        sectors: Vec::new(),
        too_short: 0,
        not_straight: 0,
        base: profile.iter().map(|bin| bin.1).fold(f64::INFINITY, f64::min),
        profile,
        apex: DVec3::ZERO,
    };
    let (mut best_r2, mut meet) = (0.0f64, 0.0);
    for number in 0..SECTORS {
        let of_sector: Vec<Spot> = surface.iter().copied().filter(|spot| sector_of(spot.0 - axis) == number).collect();
        let side = |slope: f64| {
            let side = flank(&self::profile(of_sector.iter(), axis, width, slope), highest);
            (side.len() >= LEAST_BINS).then(|| line(&side))
        };
        let Some((slope, at_axis, r2)) = side(0.0).and_then(|first| side(first.0)) else {
            found.too_short += 1;
            continue;
        };
        best_r2 = best_r2.max(r2);
        if r2 < LEAST_R2 || slope >= 0.0 {
            found.not_straight += 1;
            continue;
        }
        meet += at_axis;
        found.sectors.push(Sector { azimuth: TAU * number as f64 / SECTORS as f64, angle: (-slope).atan(), r2 });
    }
    if found.sectors.len() < ENOUGH_SIDES
        && let Some(coarse) = coarse(SECTORS - found.not_straight, found.not_straight)
    {
        return Ok(coarse);
    }
    let count = found.sectors.len() as f64;
    if found.sectors.len() < 2 {
        let no_side_is_straight = found.sectors.is_empty() && found.not_straight > 1;
        let sectors = found.sectors.len();
        return Err(if no_side_is_straight {
            NotAHeap::NotStraight { best_r2 }
        } else {
            NotAHeap::OneSided { sectors }
        });
    }
    found.angle = found.sectors.iter().map(|sector| sector.angle).sum::<f64>() / count;
    let square: f64 = found.sectors.iter().map(|sector| (sector.angle - found.angle).powi(2)).sum();
    found.spread = (square / (count - 1.0)).sqrt();
    found.apex = at(axis, meet / count);
    Ok(found)
}

/// Number of the sector in which a direction lies; the middle of sector 0 is the x axis.
pub(super) fn sector_of(direction: DVec2) -> usize {
    let turns = direction.y.atan2(direction.x) / TAU + 0.5 / SECTORS as f64;
    ((turns.rem_euclid(1.0) * SECTORS as f64) as usize).min(SECTORS - 1)
}

/// Height of the surface by distance from the axis: the 95th percentile of each bin with at least
/// two places.
///
/// Heights are first moved along `slope` to the middle of their bin. Otherwise the percentile would
/// find the inner edge of a bin with many places and the middle of one with few, and the inner bins
/// of a heap have few.
fn profile<'a>(surface: impl Iterator<Item = &'a Spot>, axis: DVec2, width: f64, slope: f64) -> Vec<(f64, f64)> {
    let middle = |bin: u64| (bin as f64 + 0.5) * width;
    let in_bin = |&(place, height): &Spot| {
        let distance = place.distance(axis);
        let bin = (distance / width) as u64;
        (bin, height + slope * (middle(bin) - distance))
    };
    let mut spots: Vec<(u64, f64)> = surface.map(in_bin).collect();
    spots.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let bins = spots.chunk_by(|a, b| a.0 == b.0).filter(|bin| bin.len() >= 2);
    // Bodies beyond more than one empty bin rolled away and are not the heap's toe.
    let mut next = None;
    let of_heap = bins.take_while(|bin| {
        let is_near = next.is_none_or(|next| bin[0].0 <= next);
        next = Some(bin[0].0 + 2);
        is_near
    });
    of_heap.map(|bin| (middle(bin[0].0), percentile(bin.iter().map(|spot| spot.1), 0.95))).collect()
}

/// The part of a sector's profile between its toe and the apex: from the outermost bin that is
/// still as high as the cut at the apex outwards, until the surface first comes down to the toe.
fn flank(profile: &[(f64, f64)], highest: f64) -> Vec<(f64, f64)> {
    let base = profile.iter().map(|bin| bin.1).fold(f64::INFINITY, f64::min);
    let at = |part: f64| base + part * (highest - base);
    let begin = profile.iter().rposition(|bin| bin.1 > at(1.0 - APEX)).map_or(0, |last| last + 1);
    profile[begin..].iter().take_while(|bin| bin.1 >= at(TOE)).copied().collect()
}

#[cfg(test)]
pub(super) mod tests {
    // Heaps with known angles: random balls below a surface, about as dense as a real packing.

    use super::super::ball::tests::single;
    use super::*;
    use crate::random::Draws;

    /// Balls of diameter one below `surface(x, y)` in a square plan: one centre at random in each
    /// cube of 0.95.
    pub(in crate::measure) fn filled(seed: u64, half: f64, top: f64, surface: impl Fn(DVec2) -> f64) -> Vec<Ball> {
        let (side, layers) = ((2.0 * half / 0.95) as u64, (top / 0.95).ceil() as u64);
        let centres = (0..side * side * layers).filter_map(|id| {
            let mut draws = Draws::new(seed, 0, id);
            let cube = [id % side, id / side % side, id / side / side].map(|n| 0.95 * (n as f64 + draws.unit()));
            let place = DVec2::new(cube[0], cube[1]) - half;
            (cube[2] < surface(place)).then(|| place.extend(cube[2] + 0.5))
        });
        single(centres, 0.5)
    }

    /// A cone of this radius and slope [degrees] with its axis here.
    pub(in crate::measure) fn cone(seed: u64, radius: f64, degrees: f64, axis: DVec2) -> Vec<Ball> {
        let slope = degrees.to_radians().tan();
        filled(seed, radius + axis.length(), radius * slope, |place| slope * (radius - place.distance(axis)))
    }

    fn shuffled(balls: &[Ball]) -> Vec<Ball> {
        let mut order: Vec<(f64, Ball)> =
            balls.iter().enumerate().map(|(n, &ball)| (Draws::new(9, 9, n as u64).unit(), ball)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order.into_iter().map(|(_, ball)| ball).collect()
    }

    fn describe(name: &str, found: &Result<Repose, NotAHeap>) {
        match found {
            Ok(found) => println!(
                "{name}: {:.2} ± {:.2} degrees, {} sectors, {} short, {} not straight, apex {:.2}, base {:.2}",
                found.angle.to_degrees(),
                found.spread.to_degrees(),
                found.sectors.len(),
                found.too_short,
                found.not_straight,
                found.apex,
                found.base,
            ),
            Err(reason) => println!("{name}: {reason}"),
        }
    }

    fn degrees_of(name: &str, balls: &[Ball]) -> f64 {
        let found = repose(balls, DVec3::Z);
        describe(name, &found);
        found.unwrap_or_else(|reason| panic!("{name}: {reason}")).angle.to_degrees()
    }

    #[test]
    fn cones_have_their_angles() {
        for (seed, degrees) in [15.0, 25.0, 35.0, 45.0].into_iter().enumerate() {
            for (axis, radius) in [(DVec2::ZERO, 22.0), (DVec2::new(4.3, -7.9), 30.0)] {
                let balls = cone(seed as u64, radius, degrees, axis);
                let name = format!("cone of {degrees}, radius {radius}, {} bodies", balls.len());
                let found = degrees_of(&name, &balls);
                assert!((found - degrees).abs() < 1.0, "{name}: {found}");
            }
        }
    }

    #[test]
    fn neither_order_nor_the_direction_of_up_decide() {
        let balls = cone(1, 20.0, 30.0, DVec2::new(1.0, 2.0));
        let found = repose(&balls, DVec3::Z).unwrap();
        assert_eq!(repose(&shuffled(&balls), DVec3::Z), Ok(found.clone()));
        // The line of least squares through the sides meets the axis near the cone's own tip, half
        // a diameter above the centres.
        assert!((found.apex - DVec3::new(1.0, 2.0, 20.0 * 30.0f64.to_radians().tan() + 0.5)).length() < 1.0);
        // The same heap with y up.
        let turn = |ball: &Ball| Ball { centre: DVec3::new(ball.centre.x, ball.centre.z, -ball.centre.y), ..*ball };
        let lying: Vec<Ball> = balls.iter().map(turn).collect();
        let turned = repose(&lying, DVec3::Y * 9.81).unwrap();
        assert!((turned.angle - found.angle).to_degrees().abs() < 1.0, "{turned:?}");
        assert!((turned.apex.y - found.apex.z).abs() < 0.5, "{}", turned.apex);
    }

    #[test]
    fn rounded_apex_and_toe_do_not_matter() {
        for degrees in [20.0f64, 30.0, 40.0] {
            let (slope, radius) = (degrees.to_radians().tan(), 25.0);
            // Hyperbola at the top, and a toe that runs out as an exponential.
            let surface = |place: DVec2| {
                let height = slope * (radius - (place.length_squared() + 9.0).sqrt());
                let toe = 0.08 * slope * radius;
                if height > toe { height } else { toe * (height / toe - 1.0).exp() }
            };
            let balls = filled(3, 35.0, slope * radius, surface);
            let found = degrees_of(&format!("rounded {degrees}"), &balls);
            assert!((found - degrees).abs() < 1.5, "{found}");
        }
    }

    #[test]
    fn beds_walls_and_flying_balls_do_not_matter() {
        let slope = 30.0f64.to_radians().tan();
        // On a bed in a box, with its axis not in the middle.
        let axis = DVec2::new(3.0, 2.0);
        let bed = |place: DVec2| 6.0 + (slope * (18.0 - place.distance(axis))).max(0.0);
        let found = degrees_of("on a bed", &filled(4, 26.0, 18.0, bed));
        assert!((found - 30.0).abs() < 1.0, "{found}");
        // Half a cone at a wall.
        let half = |place: DVec2| if place.x > 0.0 { slope * (25.0 - place.length()) } else { 0.0 };
        let found = degrees_of("at a wall", &filled(5, 25.0, 15.0, half));
        assert!((found - 30.0).abs() < 1.0, "{found}");
        // In the middle of a slot eight diameters wide.
        let slot = |place: DVec2| if place.y.abs() < 4.0 { slope * (25.0 - place.x.abs()) } else { 0.0 };
        let found = degrees_of("in a slot", &filled(6, 25.0, 15.0, slot));
        assert!((found - 30.0).abs() < 2.0, "{found}");
        // Two balls in a hundred fly, and some have rolled away.
        let heap = cone(7, 22.0, 30.0, DVec2::ZERO);
        let flying = (0..100).map(|id| Draws::new(8, 0, id).in_ball() * 20.0 + 40.0 * DVec3::Z);
        let away = (0..50).map(|id| (Draws::new(8, 1, id).in_ball() * 100.0).with_z(0.5));
        let balls = single(heap.iter().map(|ball| ball.centre).chain(flying).chain(away), 0.5);
        let found = degrees_of("with strays", &balls);
        assert!((found - 30.0).abs() < 1.0, "{found}");
    }

    #[test]
    fn what_is_no_heap_says_why() {
        let flat = repose(&filled(1, 15.0, 5.0, |_| 5.0), DVec3::Z);
        describe("bed", &flat);
        assert!(matches!(flat, Err(NotAHeap::Flat { .. })), "{flat:?}");
        let few = repose(&cone(1, 3.0, 30.0, DVec2::ZERO), DVec3::Z);
        assert!(matches!(few, Err(NotAHeap::TooFew { .. })), "{few:?}");
        assert!(matches!(repose(&[], DVec3::Z), Err(NotAHeap::TooFew { bodies: 0, .. })));
        let layer = repose(&filled(1, 40.0, 0.2, |_| 1.0), DVec3::Z);
        assert!(matches!(layer, Err(NotAHeap::Flat { .. })), "{layer:?}");
        // Bricks on top of each other: a tower has no slope.
        let tower = repose(&filled(1, 4.0, 20.0, |_| 20.0), DVec3::Z);
        describe("tower", &tower);
        assert!(tower.is_err(), "{tower:?}");
    }

    /// Heaps that are no cones give the angles that the head of `repose.rs` says.
    #[test]
    fn pyramids_and_wedges() {
        let slope = 30.0f64.to_radians().tan();
        let pyramid = repose(&filled(2, 25.0, 15.0, |p| slope * (25.0 - p.x.abs().max(p.y.abs()))), DVec3::Z);
        describe("pyramid", &pyramid);
        let pyramid = pyramid.unwrap();
        // Faces have 30 degrees, edges atan(tan 30° / √2) = 22.2 degrees.
        assert!((22.0..31.0).contains(&pyramid.angle.to_degrees()), "{pyramid:?}");
        assert!(pyramid.spread.to_degrees() > 2.0, "{pyramid:?}");
        let wedge = repose(&filled(3, 25.0, 30.0, |p| slope * (25.0 - p.x)), DVec3::Z);
        describe("wedge", &wedge);
        assert_eq!(wedge, Err(NotAHeap::OneSided { sectors: 1 }));
    }

    /// For any sizes the answer is an angle or a reason.
    #[test]
    fn sizes_beyond_all_measure_are_no_heap() {
        for radius in [1e-300, 1e-120, 1e120, 1e300] {
            let places = cone(1, 12.0, 30.0, DVec2::ZERO).into_iter().map(|ball| ball.centre);
            assert!(repose(&single(places, radius), DVec3::Z).is_err(), "radius {radius}");
        }
    }
}
