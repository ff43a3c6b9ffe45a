//! Births: a carrier's particles, uniformly in the sphere around it.
//!
//! Alduán, Tena & Otaduy (2009, §4.2): each carrier has a sample of its own, or patterns would
//! show; points of the cube around the sphere are drawn until enough of them lie inside. Points in
//! an obstacle are drawn again too: the sphere around a grain on the ground reaches below it.

use glam::Vec3;

use super::DetailSettings;
use super::carriers::Carrier;
use crate::random::Draws;

/// The stream of draws that is the particles'. Emitters have the small numbers.
const STREAM: u64 = 0xDE7A_1100_0000_0000;

/// So many points in a row lie in obstacles only where there is no room at all.
const MOST_TRIES: usize = 200;

/// Places and velocities of the particles of the carrier that was born as number `serial`.
pub(super) fn particles(
    carrier: &Carrier,
    serial: u32,
    settings: &DetailSettings,
    is_free: impl Fn(Vec3) -> bool,
) -> impl Iterator<Item = (Vec3, Vec3)> {
    let &DetailSettings { seed, count, jitter, .. } = settings;
    let mut draws = Draws::new(seed, STREAM, u64::from(serial));
    let (centre, velocity) = (carrier.position, carrier.velocity);
    let reach = f64::from(carrier.reach);
    (0..count).map(move |_| {
        let mut place = || (centre + reach * draws.in_ball()).as_vec3();
        // Where nothing is free, the first step pushes the particle out.
        let place = (0..MOST_TRIES).map(|_| place()).find(|&place| is_free(place)).unwrap_or(centre.as_vec3());
        (place, (velocity + jitter * draws.in_ball()).as_vec3())
    })
}

/// A place in the sphere around a carrier for a particle that was elsewhere.
pub(super) fn place(carrier: &Carrier, seed: u64, id: u32) -> Vec3 {
    let mut draws = Draws::new(seed, STREAM, id.into());
    (carrier.position + f64::from(carrier.reach) * draws.in_ball()).as_vec3()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::world::BodyId;
    use crate::world::MaterialId;

    fn places(carrier: &Carrier, (seed, serial): (u64, u32), count: u32, is_free: impl Fn(Vec3) -> bool) -> Vec<Vec3> {
        let settings = DetailSettings { seed, count, jitter: 0.5, ..DetailSettings::default() };
        let born: Vec<_> = particles(carrier, serial, &settings, is_free).collect();
        assert!(born.iter().all(|(_, velocity)| velocity.length() <= 0.5));
        born.into_iter().map(|(place, _)| place).collect()
    }

    fn carrier() -> Carrier {
        let id = BodyId { index: 0, generation: 0 };
        let (position, velocity) = (DVec3::new(1.0, 2.0, 3.0), DVec3::ZERO);
        Carrier { id, material: MaterialId(0), reach: 0.5, fine: 0.1, position, velocity }
    }

    /// Uniform in a ball of radius R: the mean is the centre, the mean square of the distance 3/5
    /// R², and of each coordinate 1/5 R².
    #[test]
    fn places_fill_the_sphere_uniformly() {
        let n = 20_000;
        let offsets: Vec<Vec3> = places(&carrier(), (1, 0), n, |_| true)
            .into_iter()
            .map(|place| (place - Vec3::new(1.0, 2.0, 3.0)) / 0.5)
            .collect();
        assert!(offsets.iter().all(|offset| offset.length() < 1.0 + 1e-6));
        let mean = offsets.iter().sum::<Vec3>() / n as f32;
        let square = offsets.iter().map(|offset| *offset * *offset).sum::<Vec3>() / n as f32;
        // Four standard errors: the standard deviation of a coordinate is √0.2, of its square
        // √(3/35 - 1/25) = 0.214.
        let error = 4.0 / (n as f32).sqrt();
        assert!(mean.abs().max_element() < 0.447 * error, "{mean}");
        assert!((square - 0.2).abs().max_element() < 0.214 * error, "{square}");
    }

    #[test]
    fn every_carrier_has_a_sample_of_its_own_and_none_in_obstacles() {
        let sample = |seed: u64, serial: u32| -> Vec<Vec3> { places(&carrier(), (seed, serial), 8, |p| p.z > 3.0) };
        assert!(sample(1, 0).iter().all(|place| place.z > 3.0));
        assert_eq!(sample(1, 0), sample(1, 0));
        assert!(sample(1, 0)[0] != sample(1, 1)[0] && sample(1, 0)[0] != sample(2, 0)[0]);
        assert!(places(&carrier(), (1, 0), 3, |_| false).iter().all(|&place| place == Vec3::new(1.0, 2.0, 3.0)));
    }
}
