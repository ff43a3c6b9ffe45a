//! Inner corners of meshes: which pieces of a mesh push a sphere that touches several, and how much
//! each.
//!
//! Reads how a sphere lies to the pieces that it touches; writes the share of the push that each
//! has, and how deep the sphere is in all of them together.
//!
//! A piece i allows the sphere's centre the half-space n_i·u >= x_i, with unit normal n_i, overlap
//! x_i and u from where the centre is. Pieces that face about the same way act as one contact with
//! the overlap |u| of the shortest way u out of all of them, u = Σ λ_i n_i with λ_i >= 0, and the
//! piece i has the share λ_i/|u| of its force. The half-spaces meet in a convex set, and the
//! distance |u| from one has a gradient without jumps: so the force f(|u|) u/|u| is that of a
//! potential, and a piece begins and ends with the share zero wherever its edges are. If every
//! piece pushed for itself, one whose edge the centre passes would begin at its full overlap, and
//! each pass could add energy.

use glam::DVec3;

use crate::contact::Wall;

/// Cosine of the largest angle between two pieces that act as one contact: 55°. Steeper inner
/// corners have no piece that begins at an overlap, up to 0.43 of a radius, and each side of them
/// is a contact by itself.
const ONE_CONTACT: f64 = 0.57;

/// Tolerance by which the centre may be outside a half-space, over the sphere's radius: rounding.
const OUT: f64 = 1e-12;

/// Sine squared of the least angle between pieces that are told apart.
const PARALLEL: f64 = 1e-10;

/// Each turn of the search makes the way out longer, so that it ends; this many are never needed
/// but by rounding.
const MOST_TURNS: usize = 100;

/// Gives every wall that touches its share of the push. Walls that get none do not touch.
pub(super) fn share_pushes(radius: f64, walls: &mut [Wall]) {
    let mut left = walls.iter().filter(|wall| wall.touching).count();
    // Most spheres touch one piece at most, which pushes for itself.
    if left < 2 {
        return;
    }
    for wall in walls.iter_mut().filter(|wall| wall.touching) {
        wall.share = Wall::UNDECIDED;
    }
    while left > 0 {
        // The deepest of those that are left, and all that face about the same way.
        let mut deepest: Option<usize> = None;
        for (w, wall) in walls.iter().enumerate().filter(|(_, wall)| wall.is_undecided()) {
            if deepest.is_none_or(|other| wall.distance < walls[other].distance) {
                deepest = Some(w);
            }
        }
        let Some(deepest) = deepest else { return };
        let front = walls[deepest].normal;
        let way = shortest_way_out(radius, walls, deepest);
        let length = way.length();
        for (w, wall) in walls.iter_mut().enumerate().filter(|(_, wall)| wall.is_undecided()) {
            if wall.normal.dot(front) <= ONE_CONTACT && w != deepest {
                continue;
            }
            left -= 1;
            wall.share = way.share_of(w);
            wall.touching = wall.share > 0.0;
            if way.count > 1 {
                wall.distance = radius - length;
            }
        }
    }
}

/// The shortest displacement out of up to three half-spaces, all of which bear.
#[derive(Clone, Copy, Debug)]
struct PushOut {
    count: usize,
    walls: [usize; 3],
    /// Multiplier λ of each wall \[m\].
    along: [f64; 3],
    way: DVec3,
}

impl PushOut {
    fn length(&self) -> f64 {
        self.way.length()
    }

    /// The share of the push that a wall has. One that is alone has all of it.
    fn share_of(&self, wall: usize) -> f64 {
        let place = self.walls[..self.count].iter().position(|&w| w == wall);
        match (place, self.count) {
            (None, _) => 0.0,
            (Some(_), 1) => 1.0,
            (Some(place), _) => self.along[place] / self.length(),
        }
    }
}

/// The shortest displacement out of all half-spaces that face about as the `deepest` does: an
/// active-set search that starts with the deepest alone and adds the most violated half-space until
/// none is violated.
fn shortest_way_out(radius: f64, walls: &[Wall], deepest: usize) -> PushOut {
    let front = walls[deepest].normal;
    let overlap = |w: usize| radius - walls[w].distance;
    let missing = |way: DVec3, w: usize| overlap(w) - walls[w].normal.dot(way);
    let is_member = |w: usize| walls[w].is_undecided() && walls[w].normal.dot(front) > ONE_CONTACT;
    let alone = |w: usize| PushOut {
        count: 1,
        walls: [w; 3],
        along: [overlap(w), 0.0, 0.0],
        way: overlap(w) * walls[w].normal,
    };
    let mut best = alone(deepest);
    for _ in 0..MOST_TURNS {
        let mut worst = (OUT * radius, None);
        for w in (0..walls.len()).filter(|&w| is_member(w)) {
            let missing = missing(best.way, w);
            if missing > worst.0 {
                worst = (missing, Some(w));
            }
        }
        let Some(new) = worst.1 else { break };
        // The added half-space always bears, together with none, one or two of those that bore
        // before.
        let (old, count) = (best.walls, best.count);
        let is_out = |way: &PushOut| old[..count].iter().all(|&w| missing(way.way, w) <= OUT * radius);
        let pairs = (0..count).filter_map(|i| between([new, old[i]], walls, overlap));
        let triples = (0..count).flat_map(|j| (0..j).map(move |i| (i, j)));
        let triples = triples.filter_map(|(i, j)| among([new, old[i], old[j]], walls, overlap));
        let found = std::iter::once(alone(new)).chain(pairs).chain(triples).find(is_out);
        match found {
            Some(way) => best = way,
            // Only rounding violates a half-space.
            None => break,
        }
    }
    best
}

/// The way out of two half-spaces at once, if both bear.
fn between(pair: [usize; 2], walls: &[Wall], overlap: impl Fn(usize) -> f64) -> Option<PushOut> {
    let [a, b] = pair.map(|w| walls[w].normal);
    let [x, y] = pair.map(overlap);
    let cos = a.dot(b);
    let apart = a.cross(b).length_squared();
    if apart < PARALLEL {
        return None;
    }
    let along = [(x - cos * y) / apart, (y - cos * x) / apart, 0.0];
    let bear = along[0] >= 0.0 && along[1] >= 0.0;
    bear.then(|| PushOut { count: 2, walls: [pair[0], pair[1], pair[1]], along, way: along[0] * a + along[1] * b })
}

/// The way out of three half-spaces at once, if all bear.
fn among(three: [usize; 3], walls: &[Wall], overlap: impl Fn(usize) -> f64) -> Option<PushOut> {
    let [a, b, c] = three.map(|w| walls[w].normal);
    let [x, y, z] = three.map(overlap);
    let across = [b.cross(c), c.cross(a), a.cross(b)];
    let volume = a.dot(across[0]);
    if volume * volume < PARALLEL {
        return None;
    }
    let way = (x * across[0] + y * across[1] + z * across[2]) / volume;
    let along = across.map(|across| way.dot(across) / volume);
    along.iter().all(|along| *along >= 0.0).then_some(PushOut { count: 3, walls: three, along, way })
}
