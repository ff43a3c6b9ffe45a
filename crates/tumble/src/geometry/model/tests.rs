//! What holds for all models.

use super::known::*;
use super::things::things;
use super::*;
use crate::geometry::MeshSurface;
use crate::random::Draws;

#[test]
fn every_model_is_closed_whatever_its_facets() {
    for Known { model, .. } in all_models() {
        for segments in [0, 3, 4, 5, 7, 12, 30, SEGMENTS, 200] {
            assert_closed(&model.mesh(segments).unwrap(), &format!("{model:?}"));
            for part in [Part::Upper, Part::Lower] {
                if let Some(cavity) = model.cavity(part, segments).unwrap() {
                    assert_closed(&cavity, &format!("{part:?} {model:?}"));
                }
            }
        }
    }
}

#[test]
fn volumes_are_those_of_the_closed_forms() {
    for Known { model, volume, facets: [least, most], .. } in all_models() {
        let (found, _) = volume_and_moment(&model.mesh(SEGMENTS).unwrap());
        let ratio = found / volume;
        assert!(ratio > least - 1e-9 && ratio < most + 1e-9, "{model:?}: {ratio} is not from {least} to {most}");
        // Twice as fine, a quarter of the error.
        if least < 1.0 {
            let (finer, _) = volume_and_moment(&model.mesh(2 * SEGMENTS).unwrap());
            let gain = (1.0 - finer / volume) / (1.0 - ratio);
            assert!((gain - 0.25).abs() < 0.01, "{model:?}: finer facets leave {gain} of the error");
        }
    }
}

#[test]
fn boxes_are_as_documented() {
    for Known { model, low, high, .. } in all_models() {
        let (found_low, found_high) = model.mesh(SEGMENTS).unwrap().bounds();
        let off = (found_low - low).abs().max((found_high - high).abs());
        // A ball has no corner on every axis; all else has.
        let allowed = if matches!(model, Model::Ball { .. }) { 0.005 } else { 1e-12 };
        assert!(off.max_element() < allowed, "{model:?}: from {found_low} to {found_high}");
    }
    // However thick and flat, an hourglass is nowhere wider than its ends.
    let flat = Model::Hourglass { neck: 0.1, bulb: 0.6, height: 0.2, wall: 0.1 }.mesh(SEGMENTS).unwrap();
    assert!((flat.bounds().1 - v(0.4, 0.4, 0.2)).length() < 1e-12, "{}", flat.bounds().1);
}

#[test]
fn pieces_are_centred() {
    let mut centred = 0;
    for Known { model, .. } in solid_models().into_iter().chain(things()) {
        let stands = matches!(model, Model::Pole { .. } | Model::Slope { .. } | Model::Blade { .. });
        // The spine makes a book heavier on one side.
        if stands || matches!(model, Model::Book { .. } | Model::Chair { .. } | Model::Cart { .. }) {
            continue;
        }
        let (volume, moment) = volume_and_moment(&model.mesh(SEGMENTS).unwrap());
        assert!((moment / volume).length() < 1e-12, "{model:?}: {}", moment / volume);
        centred += 1;
    }
    assert_eq!(centred, 10);
}

/// Points in the true solid are in the mesh and others are not, but for those that the facets pass by.
#[test]
fn models_are_solid_where_they_should_be() {
    for (number, Known { model, low, high, holds, .. }) in all_models().into_iter().enumerate() {
        let surface = MeshSurface::new(model.mesh(SEGMENTS).unwrap());
        let (mut inside, mut outside) = (0, 0);
        for id in 0..4000 {
            let mut draws = Draws::new(11, number as u64, id);
            let point = low + (high - low) * (1.2 * v(draws.unit(), draws.unit(), draws.unit()) - 0.1);
            let distance = surface.signed_distance(point);
            // Facets are at most this far from the true surface: 1.4 m × (1 - cos(π / 48)).
            if distance.abs() > 0.004 {
                assert_eq!(distance < 0.0, holds(point), "{model:?} at {point}, {distance} m from its surface");
                *(if holds(point) { &mut inside } else { &mut outside }) += 1;
            }
        }
        assert!(inside > 50 && outside > 500, "{model:?}: {inside} inside, {outside} outside");
    }
}

/// A ball that lies wholly in a cavity does not touch the wall, and the cavity is as large as it should be.
#[test]
fn cavities_are_clear_of_their_walls() {
    for (number, Known { model, cavity: volume, .. }) in all_models().into_iter().enumerate() {
        let parts = [Part::Upper, Part::Lower].map(|part| (part, model.cavity(part, SEGMENTS).unwrap()));
        let count = parts.iter().filter(|(_, cavity)| cavity.is_some()).count();
        let expected = if matches!(model, Model::Hourglass { .. }) { 2 } else { usize::from(volume.is_some()) };
        assert_eq!(count, expected, "{model:?}");
        let wall = MeshSurface::new(model.mesh(SEGMENTS).unwrap());
        for (part, cavity) in parts.into_iter().filter_map(|(part, cavity)| Some((part, cavity?))) {
            let ratio = volume_and_moment(&cavity).0 / volume.unwrap();
            assert!(ratio > 0.99 && ratio < 1.0, "{model:?}: {ratio}");
            let (low, high) = cavity.bounds();
            assert!(if part == Part::Upper { low.z > 0.0 } else { high.z < 0.0 }, "{model:?}: {low} {high}");
            let cavity = MeshSurface::new(cavity);
            let mut inside = 0;
            for id in 0..2000 {
                let mut draws = Draws::new(12, number as u64, id);
                let point = low + (high - low) * v(draws.unit(), draws.unit(), draws.unit());
                let room = -cavity.signed_distance(point);
                if room > 0.0 {
                    inside += 1;
                    assert!(wall.signed_distance(point) > room, "{model:?} at {point}");
                }
            }
            assert!(inside > 500, "{model:?}: {inside}");
        }
    }
}

#[test]
fn cavities_fill_their_models() {
    // Exactly known where no profile is curved: the facets, and a millionth less on every side.
    for Known { model, cavity, .. } in hollow_models() {
        let shrunk = (1.0 - 1e-6f64).powi(3);
        let facets = match model {
            Model::Container { .. } | Model::Hopper { section: Section::Square, .. } => 1.0,
            Model::Hourglass { .. } => continue,
            _ => facetted(SEGMENTS),
        };
        let (found, _) = volume_and_moment(&model.cavity(Part::Upper, SEGMENTS).unwrap().unwrap());
        assert!((found / cavity.unwrap() / facets / shrunk - 1.0).abs() < 1e-9, "{model:?}: {found}");
    }
}
