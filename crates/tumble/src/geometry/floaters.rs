//! Points that float on a surface and push each other apart until they are even: reads a distance
//! field and first places, gives better ones.
//!
//! Witkin & Heckbert (1994) in the simple form of Bell, Yu & Mucha (2005, eq. 20): the velocity is
//! V = V_F + V_R, where feedback V_F = -f N brings a floater back to the surface, f being the
//! distance from it and N its normal, and V_R is a repulsion along the surface that ends at a
//! finite range. It also acts between the two sides of a thin wall, whose floaters then take turns.
//! Floaters neither split nor die, because seeding gives the right number for the area. Of each
//! velocity a part lives on in the next round (heavy ball, Polyak 1964), which evens out the
//! density over many spacings sooner.

use glam::DVec3;

use super::{DistanceField, Grid};

/// Range of the repulsion over the spacing of an even cover. Of the ranges from 1.5 to 3 and powers
/// from 1 to 4 tried on spheres, range 2.5 with the third power left the smallest gaps: a shorter
/// range freezes with holes, a longer one gains nothing.
const RANGE: f64 = 2.5;
/// Pairs are listed to this much beyond the range, over the spacing, and hold until a floater has
/// moved half of it.
const SKIN: f64 = 0.3;
/// Velocity per round that a unit force gives, over the spacing. The stiffest wave of a hexagonal
/// lattice has the stiffness 2.32 in these units, so that rounds are stable below 2 (1 +
/// `MOMENTUM`)/2.32 = 1.6.
const STEP: f64 = 0.45;
/// From this round on, steps shrink as one over the round squared. Where the surface bends much
/// within the range, pushes point mostly off the surface, and the small jumps of the normal between
/// voxels keep floaters trembling by a hundredth of the spacing; in smaller steps that dies away.
const COOLING: u32 = 100;
/// The part of a velocity that lives on.
const MOMENTUM: f64 = 0.85;
/// Rounds end when the root mean square of the moves falls below this part of the spacing.
const STILL: f64 = 2e-3;
/// Rounds end at the latest here. Usual numbers are 100 to 500.
const MOST_ROUNDS: u32 = 1000;
/// The largest number of floaters times rounds: one or two seconds. Steps have shrunk to little by
/// then.
const MOST_MOVES: usize = 4_000_000;

/// Where floaters came to rest.
pub(super) struct Floated {
    pub(super) places: Vec<DVec3>,
    pub(super) rounds: u32,
    /// Whether they came to rest, rather than to the last round.
    pub(super) still: bool,
}

/// Lets points float on the surface where the distance is `offset`, until they are even. `spacing`
/// is that of an even cover \[m\].
pub(super) fn float(field: &DistanceField, offset: f64, spacing: f64, mut places: Vec<DVec3>) -> Floated {
    let range = RANGE * spacing;
    // Not so far in one round that the surface bends away.
    let longest = (0.25 * spacing).min(2.0 * field.cell());
    let mut normals = vec![DVec3::ZERO; places.len()];
    let mut velocities = vec![DVec3::ZERO; places.len()];
    let mut forces = vec![DVec3::ZERO; places.len()];
    let mut grid = Grid::default();
    // Pairs within the range and a skin, and where floaters were when these were listed.
    let (mut pairs, mut listed_at) = (Vec::<(u32, u32)>::new(), places.clone());
    let put_back = |place: &mut DVec3, normal: &mut DVec3| {
        let (distance, gradient) = field.sample(*place)?;
        // Where the field has no direction, in the middle between two sides, a floater stays.
        if let Some(direction) = gradient.try_normalize() {
            *place -= (distance - offset) * direction;
            *normal = direction;
        }
        Some(())
    };
    for (place, normal) in places.iter_mut().zip(&mut normals) {
        put_back(place, normal);
    }
    let mut rounds = 0;
    let mut still = places.len() < 2;
    let most_rounds = (MOST_MOVES / places.len().max(1)).clamp(COOLING as usize, MOST_ROUNDS as usize) as u32;
    while !still && rounds < most_rounds {
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
            if square < range * range {
                let distance = square.sqrt();
                let ease = 1.0 - distance / range;
                // Two at one place part along the surface, whichever way.
                let push = if distance > 0.0 {
                    apart * (ease * ease * ease / distance)
                } else {
                    normals[i].any_orthonormal_vector()
                };
                forces[i] += push;
                forces[j] -= push;
            }
        }
        let step = STEP * spacing * (COOLING as f64 / rounds as f64).min(1.0).powi(2);
        let mut square_sum = 0.0;
        for i in 0..places.len() {
            let velocity = MOMENTUM * velocities[i] + step * forces[i];
            velocities[i] = (velocity - velocity.dot(normals[i]) * normals[i]).clamp_length_max(longest);
            square_sum += velocities[i].length_squared();
            let before = places[i];
            places[i] += velocities[i];
            // One that strayed beyond the band goes back and starts anew.
            if put_back(&mut places[i], &mut normals[i]).is_none() {
                (places[i], velocities[i]) = (before, DVec3::ZERO);
            }
        }
        still = square_sum <= (STILL * spacing).powi(2) * places.len() as f64;
    }
    // Twice more without pushing: after a round, floaters are off the surface by the bend of their
    // last move.
    for (place, normal) in places.iter_mut().zip(&mut normals) {
        let _ = put_back(place, normal).and_then(|()| put_back(place, normal));
    }
    Floated { places, rounds, still }
}

#[cfg(test)]
mod tests {
    use super::super::test_meshes::sphere;
    use super::*;
    use crate::random::Draws;

    /// Twelve floaters on a sphere find the icosahedron, whose edge is 1.0515 of the radius, even
    /// when all start at one place.
    #[test]
    fn twelve_floaters_make_an_icosahedron() {
        let field = DistanceField::new(&sphere(5), 0.08, 0.2).unwrap();
        // Twelve caps of √3/2 s² on 4π.
        let spacing = (4.0 * std::f64::consts::PI / 12.0 * 2.0 / 3f64.sqrt()).sqrt();
        for seed in 0..5 {
            let places = match seed {
                0 => vec![DVec3::X; 12],
                _ => (0..12).map(|id| Draws::new(seed, 0, id).in_ball().normalize()).collect(),
            };
            let Floated { places, still, .. } = float(&field, 0.0, spacing, places);
            assert!(still);
            let mut least = f64::INFINITY;
            for (i, a) in places.iter().enumerate() {
                assert!((a.length() - 1.0).abs() < 0.01, "{a}");
                least = places[..i].iter().map(|b| (*a - *b).length()).fold(least, f64::min);
            }
            assert!(least > 0.93 * 1.0515 && least < 1.02 * 1.0515, "{seed}: {least}");
        }
    }
}
