//! How firmly bodies grip what they touch: friction that a director lowers or raises.

/// The grip of a body on whatever it touches. Directors set it; it never adds energy or momentum,
/// since all it changes is the friction between two surfaces that press on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grip {
    /// Friction as the materials say.
    #[default]
    Usual,
    /// More friction and rolling resistance: the body stays where it comes to rest, on slopes that
    /// are too steep for its material.
    Firm,
    /// No friction: the body slides off whatever it lies on.
    Slippery,
}

/// Coefficient of friction of a firm grip over that of the materials.
const FIRM_FRICTION: f64 = 8.0;

/// Coefficient of rolling resistance of a firm grip, over the radius of the smaller body.
const FIRM_ROLLING: f64 = 2.0;

impl Grip {
    /// All grips, in the order of their numbers.
    pub(crate) const ALL: [Self; 3] = [Self::Usual, Self::Firm, Self::Slippery];

    /// The grip of a contact between two bodies: slippery if one of them is, else firm if one is.
    pub(crate) fn with(self, other: Self) -> Self {
        self.max(other)
    }

    /// Coefficient of friction of a contact whose materials have this one.
    pub(crate) fn friction(self, of_materials: f64) -> f64 {
        match self {
            Self::Usual => of_materials,
            Self::Firm => FIRM_FRICTION * of_materials,
            Self::Slippery => 0.0,
        }
    }

    /// Coefficient of rolling resistance that a grip has by itself, over the radius of the smaller
    /// body.
    pub(crate) fn rolling(self) -> f64 {
        if self == Self::Firm { FIRM_ROLLING } else { 0.0 }
    }
}
