//! Models: things to pile things on, in, around and through, made by formula from a few lengths.
//!
//! Every mesh is closed and has its outside out. Round models are facetted with all corners on the
//! true surface, so they are a little smaller than it; hollow ones are given by their cavity, and
//! their wall lies around it.

mod around;
mod banana;
mod blend;
mod boxes;
mod check;
mod creatures;
mod extrude;
mod hollow;
mod hulls;
#[cfg(test)]
mod known;
mod net;
mod parts;
mod plates;
mod solids;
#[cfg(test)]
mod things;
mod tyre;

use glam::DVec3;

use super::{Convex, Mesh};
use creatures::Creature;
use hollow::{Hopper, Hourglass};
use tyre::Tyre;

pub use check::ModelProblem;

/// A thing with its lengths \[m\] and angles \[rad\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// A torus around z; its centre is the origin.
    Ring {
        /// From the centre of the ring to that of its tube.
        radius: f64,
        /// Radius of the tube itself.
        tube: f64,
    },
    /// A ball; its centre is the origin.
    Ball {
        /// Radius.
        radius: f64,
    },
    /// An upright cylinder; its centre is the origin.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Height.
        height: f64,
    },
    /// An upright cylinder that stands on the origin.
    Pole {
        /// Radius.
        radius: f64,
        /// Height, with its round top if it has one.
        height: f64,
        /// Whether it ends in half a ball.
        rounded: bool,
    },
    /// A box; its centre is the origin.
    Block {
        /// Full lengths.
        lengths: DVec3,
    },
    /// A block with the outline of an L: a foot along x and an upright along y. Its centre of mass
    /// is the origin.
    LBlock {
        /// Full lengths.
        lengths: DVec3,
        /// Width of foot and upright.
        arm: f64,
    },
    /// A block with a hole along z; its centre is the origin.
    OBlock {
        /// Full lengths.
        lengths: DVec3,
        /// Width of the frame around the hole.
        arm: f64,
    },
    /// A block with the outline of a plus; its centre is the origin.
    Cross {
        /// Full lengths.
        lengths: DVec3,
        /// Width of the two bars.
        arm: f64,
    },
    /// A regular tetrahedron with a side down and a corner above its centre, which is the origin.
    Tetrahedron {
        /// Length of an edge.
        edge: f64,
    },
    /// A round stick along z with half a ball at both ends; its centre is the origin.
    Stick {
        /// Radius.
        radius: f64,
        /// Length, with its round ends.
        length: f64,
    },
    /// A book that lies flat: pages between two covers that stand out a little, with its spine at
    /// the lower end of x. The centre of its covers is the origin.
    Book {
        /// Full lengths.
        lengths: DVec3,
    },
    /// A chair with four legs and three slats in its back; it faces along x. The middle between its
    /// feet is the origin.
    Chair {
        /// Height of its back.
        height: f64,
    },
    /// An open box on four wheels with a drawbar along x. The middle between its wheels on the
    /// ground is the origin.
    Cart {
        /// Length of its box; the drawbar is 0.45 times as long.
        length: f64,
    },
    /// A tyre around z, hollow and open towards the axis; its centre is the origin.
    Tyre {
        /// Radius outside.
        radius: f64,
        /// Radius of the hole.
        hole: f64,
        /// Width along z.
        width: f64,
    },
    /// A banana with its ends at both ends of x, bent upwards. Its centre of mass is the origin.
    Banana {
        /// From end to end.
        length: f64,
    },
    /// A person who stands with legs and arms apart and looks along x. On the ground below its
    /// centre of mass is the origin.
    Figure {
        /// From the soles to the top of the head.
        height: f64,
    },
    /// A rabbit that sits with its ears up and looks along x. On the ground below its centre of
    /// mass is the origin.
    Rabbit {
        /// From the ground to the tips of its ears.
        height: f64,
    },
    /// A plane that comes down along x, and goes on level from the origin, which is the middle of
    /// its foot.
    Slope {
        /// How high it begins.
        height: f64,
        /// How steep it is.
        angle: f64,
        /// Width along y.
        width: f64,
        /// Length of the level part; may be zero.
        flat: f64,
        /// How far it reaches below the level part.
        wall: f64,
    },
    /// A plate bent around y, hollow towards x. The middle of the lower edge of its front is the
    /// origin.
    Blade {
        /// Radius of the bend.
        radius: f64,
        /// Width along y.
        width: f64,
        /// Height.
        height: f64,
        /// Thickness along x.
        wall: f64,
    },
    /// A box without a lid; the middle of its floor, inside, is the origin.
    Container {
        /// Lengths of its inside.
        lengths: DVec3,
        /// Thickness of walls and floor.
        wall: f64,
    },
    /// An upright pipe, open at both ends; the middle of its lower end is the origin.
    Tube {
        /// Radius of its inside.
        radius: f64,
        /// Height.
        height: f64,
        /// Thickness.
        wall: f64,
    },
    /// A funnel; the middle of its outlet is the origin.
    Hopper {
        /// Cross-section seen from above.
        section: HopperSection,
        /// Width of the outlet.
        outlet: f64,
        /// Width of its inside at the top.
        top: f64,
        /// Between its inclined wall and the vertical.
        angle: f64,
        /// Height of the straight part above; may be zero.
        bin: f64,
        /// Thickness.
        wall: f64,
    },
    /// Two bulbs and a neck, closed all around; the middle of the neck is the origin.
    Hourglass {
        /// Narrowest width of its inside.
        neck: f64,
        /// Largest width of its inside, at both ends.
        bulb: f64,
        /// Height of its inside.
        height: f64,
        /// Thickness.
        wall: f64,
    },
}

/// Horizontal cross-section of a hopper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopperSection {
    /// A circle.
    Round,
    /// A square.
    Square,
}

/// The upper or lower part of a cavity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CavityPart {
    /// Above the model's origin: all of a container, a tube or a hopper, the upper bulb of an
    /// hourglass.
    Upper,
    /// Below it: the lower bulb of an hourglass.
    Lower,
}

/// Relative shrinkage of a cavity: a body that just fits must not touch the wall because of
/// rounding.
const CLEARANCE: f64 = 1e-6;

impl Model {
    /// The solid, with this many facets around where it is round; at least three. Figures and
    /// rabbits have some 5,000 triangles, and four times as many each time the number doubles from
    /// 48.
    pub fn mesh(&self, segments: u32) -> Result<Mesh, ModelProblem> {
        self.check()?;
        check::check_segments(segments)?;
        let segments = segments.max(3);
        Ok(match *self {
            Self::Ring { radius, tube } => solids::ring(radius, tube, segments),
            Self::Ball { radius } => solids::ball(radius, segments),
            Self::Cylinder { radius, height } => solids::cylinder(radius, -0.5 * height, 0.5 * height, segments),
            Self::Pole { radius, height, rounded } => solids::pole(radius, height, rounded, segments),
            Self::Block { lengths } => solids::block(lengths),
            Self::LBlock { lengths, arm } => solids::l_block(lengths, arm),
            Self::OBlock { lengths, arm } => solids::o_block(lengths, arm),
            Self::Cross { lengths, arm } => solids::cross(lengths, arm),
            Self::Tetrahedron { edge } => solids::tetrahedron(edge),
            Self::Stick { radius, length } => solids::capsule(radius, 0.5 * length - radius, segments),
            Self::Book { lengths } => boxes::book(lengths),
            Self::Chair { height } => boxes::chair(height),
            Self::Cart { length } => boxes::cart(length, segments),
            Self::Tyre { radius, hole, width } => Tyre { radius, hole, width }.mesh(segments),
            Self::Banana { length } => banana::banana(length, segments),
            Self::Figure { height } => Creature::figure().mesh(height, segments),
            Self::Rabbit { height } => Creature::rabbit().mesh(height, segments),
            Self::Slope { height, angle, width, flat, wall } => plates::slope(height, angle, width, flat, wall),
            Self::Blade { radius, width, height, wall } => plates::blade(radius, width, height, wall, segments),
            Self::Container { lengths, wall } => hollow::container(lengths, wall),
            Self::Tube { radius, height, wall } => hollow::tube(radius, height, wall, segments),
            Self::Hopper { section, outlet, top, angle, bin, wall } => {
                Hopper { section, outlet, top, angle, bin, wall }.mesh(segments)
            }
            Self::Hourglass { neck, bulb, height, wall } => Hourglass { neck, bulb, height, wall }.mesh(segments),
        })
    }

    /// The space that a part of the model holds when filled to the brim, or nothing if there is no
    /// such cavity. With as many facets as the solid it lies wholly outside of it, a millionth of
    /// its size away.
    pub fn cavity(&self, part: CavityPart, segments: u32) -> Result<Option<Mesh>, ModelProblem> {
        self.check()?;
        check::check_segments(segments)?;
        let segments = segments.max(3);
        let cavity = match (*self, part) {
            (Self::Hourglass { neck, bulb, height, wall }, _) => {
                Hourglass { neck, bulb, height, wall }.cavity(part, segments)
            }
            (Self::Container { lengths, .. }, CavityPart::Upper) => hollow::container_cavity(lengths),
            (Self::Tube { radius, height, .. }, CavityPart::Upper) => solids::cylinder(radius, 0.0, height, segments),
            (Self::Hopper { section, outlet, top, angle, bin, wall }, CavityPart::Upper) => {
                Hopper { section, outlet, top, angle, bin, wall }.cavity(segments)
            }
            _ => return Ok(None),
        };
        let (low, high) = cavity.bounds();
        let middle = 0.5 * (low + high);
        let vertices = cavity.vertices().iter().map(|v| middle + (1.0 - CLEARANCE) * (*v - middle)).collect();
        Ok(Some(made(vertices, cavity.triangles().to_vec())))
    }
}

/// The mesh that a convex solid is drawn as.
pub(super) fn convex_mesh(convex: &Convex, segments: u32) -> Mesh {
    match *convex {
        Convex::Ball(radius) => solids::ball(radius, segments),
        Convex::Box(half) => solids::block(2.0 * half),
        Convex::Cylinder { radius, half } => solids::cylinder(radius, -half, half, segments),
        Convex::Capsule { radius, half } => solids::capsule(radius, half, segments),
        Convex::Hull(ref hull) => {
            let (vertices, triangles) = hull.triangles();
            made(vertices, triangles)
        }
    }
}

/// A mesh of vertices and triangles that cannot be wrong, because the lengths of the model were
/// checked.
fn made(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(vertices, triangles).unwrap_or_else(|problem| unreachable!("a checked model has area: {problem}"))
}

#[cfg(test)]
mod tests {
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
                for part in [CavityPart::Upper, CavityPart::Lower] {
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

    /// Points in the true solid are in the mesh and others are not, but for those that the facets
    /// pass by.
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
}
