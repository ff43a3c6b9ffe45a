//! Surfaces that stop particles: planes, boxes, balls and fine meshes, each in its own axes.
//!
//! A particle moves from one place to another, and the surface says where that way ends if it comes
//! too near, and which way is out. No step is too long to be noticed: ways are followed through
//! planes and boxes by formula, and past balls and meshes by steps no longer than the distance from
//! the surface (Hart 1996), then along it.

use std::sync::Arc;

use glam::Vec3;

use crate::geometry::FineDistance;

/// Steps along a way through a mesh's surroundings, at most. A particle that has not arrived then
/// stays where it is, which is outside.
const MOST_STEPS: usize = 256;

/// A particle touches when it is nearer than its radius and this share of it more.
const TOUCH: f32 = 0.04;

/// The geometry of something that stops particles.
#[derive(Clone, Debug)]
pub(super) enum Stopper {
    /// Everything below z = 0.
    Plane,
    /// A box about the origin with these half lengths \[m\].
    Box(Vec3),
    /// Balls: centre and radius \[m\].
    Balls(Vec<(Vec3, f32)>),
    /// A mesh.
    Mesh(Arc<FineDistance>, f32),
}

/// Where a way ends that was stopped, and the direction out of what stopped it.
pub(super) type StopPoint = (Vec3, Vec3);

impl Stopper {
    /// Radius of the ball about the origin that holds it \[m\].
    pub(super) fn reach(&self) -> f32 {
        match self {
            Self::Plane => f32::INFINITY,
            Self::Box(half) => half.length(),
            Self::Balls(balls) => balls.iter().map(|(centre, radius)| centre.length() + radius).fold(0.0, f32::max),
            Self::Mesh(_, reach) => *reach,
        }
    }

    /// Whether nothing that moves within a box can touch it; the radius of particles is in the box
    /// already.
    pub(super) fn is_far(&self, low: Vec3, high: Vec3) -> bool {
        match self {
            Self::Plane => low.z > 0.0,
            Self::Box(half) => low.cmpgt(*half).any() || high.cmplt(-*half).any(),
            Self::Balls(_) => false,
            Self::Mesh(field, _) => field.is_far(low, high),
        }
    }

    /// How far a place is outside \[m\]; far away and deep inside less than that.
    pub(super) fn distance(&self, place: Vec3) -> f32 {
        match self {
            Self::Plane => place.z,
            Self::Box(half) => {
                let beyond = place.abs() - *half;
                beyond.max(Vec3::ZERO).length() + beyond.max_element().min(0.0)
            }
            Self::Balls(balls) => from_balls(balls, place).0,
            Self::Mesh(field, _) => field.distance(place),
        }
    }

    /// The radius with which a particle touches \[m\]: distances from meshes are known so far and
    /// no farther.
    pub(super) fn seen(&self, radius: f32) -> f32 {
        match self {
            Self::Mesh(field, _) => radius.min(0.95 * field.far()),
            _ => radius,
        }
    }

    /// Where a particle with this radius ends that goes from one place to another, if it is
    /// stopped.
    pub(super) fn stop(&self, from: Vec3, to: Vec3, radius: f32) -> Option<StopPoint> {
        let radius = self.seen(radius);
        match self {
            Self::Plane => (to.z < radius).then(|| (to.with_z(radius), Vec3::Z)),
            Self::Box(half) => stop_at_box(*half + radius, from, to),
            Self::Balls(balls) => {
                stop_by_distance(|at| from_balls(balls, at).0, |at| from_balls(balls, at).1, from, to, radius)
            }
            Self::Mesh(field, _) => stop_by_distance(|at| field.distance(at), |at| field.normal(at), from, to, radius),
        }
    }
}

/// The particle's centre against a box that is larger by its radius.
fn stop_at_box(half: Vec3, from: Vec3, to: Vec3) -> Option<StopPoint> {
    let is_inside = |place: Vec3| place.abs().cmplt(half).all();
    let out = |axis: usize, side: f32, place: Vec3| {
        let mut normal = Vec3::ZERO;
        normal[axis] = side;
        let mut place = place;
        place[axis] = side * half[axis];
        Some((place, normal))
    };
    if is_inside(from) {
        // It was overrun, or lay on a face to rounding: out by the shortest way from where it was,
        // unless it gets out by itself without passing through.
        let axis = (half - from.abs()).min_position();
        let side = 1f32.copysign(from[axis]);
        let passes = side * to[axis] <= -half[axis];
        return if is_inside(to) || passes { out(axis, side, to) } else { None };
    }
    // When the way enters the box along each axis, and when it leaves (slabs). Along an axis on
    // which it does not move, it is in for ever or never.
    let way = to - from;
    let (mut enters, mut leaves, mut axis) = (0.0, 1.0, None);
    for k in 0..3 {
        if way[k] == 0.0 {
            if from[k].abs() >= half[k] {
                return None;
            }
            continue;
        }
        let [a, b] = [(-half[k] - from[k]) / way[k], (half[k] - from[k]) / way[k]];
        if a.min(b) >= enters {
            (enters, axis) = (a.min(b), Some(k));
        }
        leaves = a.max(b).min(leaves);
    }
    let axis = axis.filter(|_| enters < leaves)?;
    out(axis, -way[axis].signum(), to)
}

/// The distance of a place from the nearest of some balls, and the way out of it.
fn from_balls(balls: &[(Vec3, f32)], place: Vec3) -> (f32, Vec3) {
    let distance = |&(centre, radius): &(Vec3, f32)| (place.distance(centre) - radius, place - centre);
    let nearest = balls.iter().map(distance).reduce(|a, b| if b.0 < a.0 { b } else { a });
    nearest.map_or((f32::INFINITY, Vec3::Z), |(distance, away)| (distance, away.normalize_or(Vec3::Z)))
}

/// A way past anything whose distance and way out are known everywhere.
fn stop_by_distance(
    distance: impl Fn(Vec3) -> f32,
    normal: impl Fn(Vec3) -> Vec3,
    from: Vec3,
    to: Vec3,
    radius: f32,
) -> Option<StopPoint> {
    let (mut at, mut left) = (from, to - from);
    let (mut stop, mut has_arrived) = (None, false);
    for _ in 0..MOST_STEPS {
        let free = distance(at) - radius;
        let length = left.length();
        if free >= length && stop.is_none() {
            return None;
        }
        // A bit more than is free, or a way that grazes would never end.
        let mut step = free + TOUCH * radius;
        if free <= TOUCH * radius {
            let normal = normal(at);
            at += (-free).max(0.0) * normal;
            let into = left.dot(normal);
            if into < 0.0 {
                left -= into * normal;
                stop = Some(normal);
            } else if free < 0.0 {
                stop = Some(normal);
            }
            // Along the surface, and off it again after a bit.
            step = 0.5 * radius;
        }
        let length = left.length();
        if length <= step {
            at += left;
            has_arrived = true;
            break;
        }
        at += step / length * left;
        left *= 1.0 - step / length;
    }
    if !has_arrived && stop.is_none() {
        stop = Some(normal(at));
    }
    // A step along the surface may have ended a bit inside.
    for _ in 0..4 {
        let free = distance(at) - radius;
        if free >= 0.0 {
            break;
        }
        let normal = normal(at);
        at -= free * normal;
        stop = Some(normal);
    }
    stop.map(|normal| (at, normal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::test_meshes::{cube, sphere};
    use crate::random::Draws;

    fn stoppers() -> Vec<Stopper> {
        let mesh = |mesh: &crate::geometry::Mesh| Stopper::Mesh(Arc::new(FineDistance::new(mesh, 0.03, 0.05).0), 2.0);
        vec![
            Stopper::Plane,
            Stopper::Box(Vec3::new(1.0, 0.5, 0.02)),
            Stopper::Balls(vec![(Vec3::ZERO, 0.7), (Vec3::X, 0.4)]),
            mesh(&sphere(4)),
            mesh(&cube().map(|v| 0.8 * v).unwrap()),
            // A plate thinner than a particle.
            mesh(&cube().map(|v| v * glam::DVec3::new(1.0, 1.0, 0.02)).unwrap()),
        ]
    }

    /// Ways of any length and direction end outside, by about the radius; none passes through;
    /// particles that do not come near go on.
    #[test]
    fn nothing_gets_in_or_through() {
        let radius = 0.05;
        for (number, stopper) in stoppers().iter().enumerate() {
            let mut stopped = 0;
            for id in 0..4000 {
                let mut draws = Draws::new(9, number as u64, id);
                let mut from = (2.0 * draws.in_ball()).as_vec3();
                let to = (2.0 * draws.in_ball()).as_vec3();
                if stopper.distance(from) < radius {
                    continue;
                }
                from = stopper.stop(from, from, radius).map_or(from, |(place, _)| place);
                let steps = 400;
                let along = |k: i32| from.lerp(to, k as f32 / steps as f32);
                let nearest = (0..=steps).map(|k| stopper.distance(along(k))).fold(f32::INFINITY, f32::min);
                match stopper.stop(from, to, radius) {
                    // A way that grazes by less than the tolerance of touching or the box's rounded
                    // corners may or may not be stopped.
                    None => assert!(nearest > 0.9 * radius, "{number}: {from} {to} {nearest}"),
                    Some((place, normal)) => {
                        stopped += 1;
                        assert!(nearest < 1.8 * radius, "{number}: {from} {to} {nearest}");
                        assert!(stopper.distance(place) > 0.95 * radius, "{number}: {from} {to} ends at {place}");
                        assert!((normal.length() - 1.0).abs() < 1e-4 || normal == Vec3::ZERO, "{number}: {normal}");
                    }
                }
            }
            assert!(stopped > 300, "{number}: {stopped}");
        }
    }

    /// A particle on a plate, or within it by rounding, that is pressed through it in one step
    /// stays on its side.
    #[test]
    fn nothing_is_pressed_through_a_plate() {
        let (half, radius) = (Vec3::new(1.0, 1.0, 0.001), 0.001);
        let plate = Stopper::Box(half);
        for inside in [0.0, 1e-9, 1e-4] {
            let from = Vec3::new(0.3, 0.2, 0.002 - inside);
            let (place, normal) = plate.stop(from, from - Vec3::Z * 0.05, radius).unwrap();
            assert!(place.z > 0.0019 && normal == Vec3::Z, "{inside}: {place} {normal}");
            assert_eq!(plate.stop(from, from + Vec3::Z * 0.05, radius), None);
        }
    }

    /// A particle on a surface stays there, and one that slides slides along it.
    #[test]
    fn sliding_keeps_what_is_along() {
        for stopper in [&stoppers()[0], &stoppers()[1], &stoppers()[4]] {
            let top = if let Stopper::Mesh(..) = stopper {
                0.8
            } else {
                0.02 * f32::from(matches!(stopper, Stopper::Box(_)))
            };
            let from = Vec3::new(0.0, 0.0, top + 0.05);
            let (place, normal) = stopper.stop(from, from + Vec3::new(0.2, 0.0, -0.1), 0.05).unwrap();
            assert!((place - (from + Vec3::new(0.2, 0.0, 0.0))).length() < 1e-3, "{place}");
            assert!((normal - Vec3::Z).length() < 1e-3);
        }
    }
}
