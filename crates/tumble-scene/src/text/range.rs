//! The numbers a key may hold, with their words for messages and documentation.

use std::fmt;

/// Which numbers are allowed. Infinity and not-a-number never are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Every finite number.
    Any,
    /// This number or more.
    AtLeast(f64),
    /// More than this number.
    Above(f64),
    /// From the first number to the second, both included.
    Within(f64, f64),
}

impl Range {
    /// Whether a number is allowed.
    pub fn contains(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Self::Any => true,
                Self::AtLeast(low) => number >= low,
                Self::Above(low) => number > low,
                Self::Within(low, high) => (low..=high).contains(&number),
            }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => write!(f, "finite"),
            Self::AtLeast(low) => write!(f, ">= {low}"),
            Self::Above(low) => write!(f, "> {low}"),
            Self::Within(low, high) => write!(f, "from {low} to {high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_in_or_out_as_they_say() {
        assert!(Range::AtLeast(0.0).contains(0.0) && !Range::AtLeast(0.0).contains(-1e-300));
        assert!(!Range::Above(0.0).contains(0.0) && Range::Above(0.0).contains(1e-300));
        assert!(Range::Within(0.0, 1.0).contains(1.0) && !Range::Within(0.0, 1.0).contains(1.1));
        for range in [Range::Any, Range::AtLeast(0.0), Range::Above(0.0)] {
            assert!(!range.contains(f64::NAN) && !range.contains(f64::INFINITY));
        }
    }
}
