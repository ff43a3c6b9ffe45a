//! Points that float on a surface and push each other apart until they are even: reads a distance field and first places, gives better ones.
//!
//! Witkin & Heckbert (1994) in the simple form of Bell, Yu & Mucha (2005, eq. 20): the velocity is V = V_F + V_R, where feedback
//! V_F = -f N brings a floater back to the surface, f being the distance from it and N its normal, and V_R is a repulsion along the surface
//! that ends at a finite range. Floaters neither split nor die, because seeding gives the right number for the area. Of each velocity a
//! part lives on in the next round (heavy ball, Polyak 1964): without, dents in the density of many spacings take hundreds of rounds to fill.

use glam::DVec3;

use super::DistanceField;
use crate::contact::Grid;

/// Range of the repulsion over the spacing of an even cover. Of the ranges from 1.5 to 3 and powers from 1 to 4 tried on spheres, range 2.5 with
/// the third power left the smallest gaps: a shorter range freezes with holes, a longer one feels the far side of its neighbours.
const RANGE: f64 = 2.5;
/// Pairs are listed to this much beyond the range, over the spacing, and hold until a floater has moved half of it.
const SKIN: f64 = 0.3;
/// The velocity a force of one gives in a round, over the spacing. The stiffest wave of a hexagonal lattice would stand three times it.
const STEP: f64 = 0.45;
/// The part of a velocity that lives on.
const MOMENTUM: f64 = 0.85;
/// Rounds end when the root mean square of the moves falls below this part of the spacing.
const STILL: f64 = 2e-3;
/// Rounds end at the latest here. Usual numbers are 100 to 250.
const MOST_ROUNDS: u32 = 1000;

/// Where floaters came to rest.
pub(super) struct Floated {
    pub(super) places: Vec<DVec3>,
    pub(super) rounds: u32,
    /// Whether they came to rest, rather than to the last round.
    pub(super) still: bool,
}

/// Lets points float on the surface where the distance is `offset`, until they are even. `spacing` is that of an even cover \[m\].
pub(super) fn float(field: &DistanceField, offset: f64, spacing: f64, mut places: Vec<DVec3>) -> Floated {
    let range = RANGE * spacing;
    let mut normals = vec![DVec3::ZERO; places.len()];
    let mut velocities = vec![DVec3::ZERO; places.len()];
    let mut forces = vec![DVec3::ZERO; places.len()];
    let mut grid = Grid::default();
    // Pairs within the range and a skin, and where floaters were when these were listed.
    let (mut pairs, mut listed_at) = (Vec::<(u32, u32)>::new(), places.clone());
    let put_back = |places: &mut [DVec3], normals: &mut [DVec3]| {
        for (place, normal) in places.iter_mut().zip(normals) {
            // Where the field has no direction, in the middle between two sides, a floater stays.
            if let Some((distance, gradient)) = field.sample(*place)
                && let Some(direction) = gradient.try_normalize()
            {
                *place -= (distance - offset) * direction;
                *normal = direction;
            }
        }
    };
    put_back(&mut places, &mut normals);
    let mut rounds = 0;
    let mut still = places.len() < 2;
    while !still && rounds < MOST_ROUNDS {
        rounds += 1;
        let moved = places.iter().zip(&listed_at).map(|(a, b)| (*a - *b).length_squared()).fold(0.0, f64::max);
        if pairs.is_empty() || moved > (0.5 * SKIN * spacing).powi(2) {
            let reach = range + SKIN * spacing;
            grid.build(places.iter().copied(), reach);
            pairs.clear();
            for (i, &place) in places.iter().enumerate() {
                grid.visit_later(i, place, |run| {
                    let near = run.iter().filter(|&&j| (places[j as usize] - place).length_squared() < reach * reach);
                    pairs.extend(near.map(|&j| (i as u32, j)));
                });
            }
            listed_at.clone_from(&places);
        }
        forces.fill(DVec3::ZERO);
        for &(i, j) in &pairs {
            let (i, j) = (i as usize, j as usize);
            let apart = places[i] - places[j];
            let square = apart.length_squared();
            // Floaters on the other side of a thin wall face the other way and are no neighbours.
            if square < range * range && normals[i].dot(normals[j]) > -0.5 {
                let distance = square.sqrt();
                let ease = 1.0 - distance / range;
                // Two at one place part along x; the surface bends that into some direction along it.
                let push = if distance > 0.0 { apart * (ease * ease * ease / distance) } else { DVec3::X };
                forces[i] += push;
                forces[j] -= push;
            }
        }
        let mut square_sum = 0.0;
        for i in 0..places.len() {
            let velocity = MOMENTUM * velocities[i] + STEP * spacing * forces[i];
            // Along the surface, and not so far in one round that the surface bends away.
            velocities[i] = (velocity - velocity.dot(normals[i]) * normals[i]).clamp_length_max(0.25 * spacing);
            places[i] += velocities[i];
            square_sum += velocities[i].length_squared();
        }
        put_back(&mut places, &mut normals);
        if rounds % 100 == 0 || rounds < 100 && rounds % 20 == 0 {
            let mx = velocities.iter().map(|v| v.length()).fold(0.0, f64::max) / spacing;
            let mean = velocities.iter().sum::<DVec3>().length() / spacing / places.len() as f64;
            let spin = velocities.iter().zip(&normals).map(|(v, n)| n.cross(*v)).sum::<DVec3>().length()
                / spacing
                / places.len() as f64;
            println!(
                "{rounds} rms {:.5} max {mx:.5} mean {mean:.5} spin {spin:.5}",
                (square_sum / places.len() as f64).sqrt() / spacing
            );
        }
        still = square_sum <= (STILL * spacing).powi(2) * places.len() as f64;
    }
    // Once more without pushing: after a round, floaters are off the surface by the bend of their last move.
    put_back(&mut places, &mut normals);
    put_back(&mut places, &mut normals);
    Floated { places, rounds, still }
}
