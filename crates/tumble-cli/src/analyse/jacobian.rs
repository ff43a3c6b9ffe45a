//! The Jacobian of the equations of motion, by central differences, and its eigenvalues.
//!
//! Reads a simulation and leaves it as it was. A difference is a small part of a body's radius, of a radian, and of the speeds that go
//! over these in a step. Where a contact begins or ends within it, or friction changes its direction, it is not that of a smooth
//! function; there the eigenvalues say what a step of that size would feel.

use faer::Mat;
use rayon::prelude::*;
use tumble::Simulation;

use crate::Failure;

/// An eigenvalue \[1/s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Eigenvalue {
    pub(super) real: f64,
    /// Never negative: eigenvalues come in pairs.
    pub(super) imaginary: f64,
}

impl Eigenvalue {
    pub(super) fn modulus(self) -> f64 {
        self.real.hypot(self.imaginary)
    }
}

/// All eigenvalues at the present state, 12 a body, from differences of this size in radii and radians.
pub(super) fn eigenvalues(simulation: &Simulation, difference: f64) -> Result<Vec<Eigenvalue>, Failure> {
    let columns = jacobian(simulation, difference);
    if columns.iter().flatten().any(|value| !value.is_finite()) {
        return Err(format!("the forces at {} s are not finite", simulation.time()).into());
    }
    let matrix = Mat::from_fn(columns.len(), columns.len(), |row, column| columns[column][row]);
    let found = matrix.eigenvalues().map_err(|_| format!("no eigenvalues were found at {} s", simulation.time()))?;
    Ok(found.into_iter().map(|value| Eigenvalue { real: value.re, imaginary: value.im.abs() }).collect())
}

/// The Jacobian, column by column.
fn jacobian(simulation: &Simulation, difference: f64) -> Vec<Vec<f64>> {
    let world = simulation.world();
    let radii: Vec<f64> = world.bodies.rows_by_id().map(|row| world.radius(row)).collect();
    let step = simulation.step_limit().default;
    let size = |column: usize| {
        let size = difference * if (column / 3).is_multiple_of(2) { radii[column / 12] } else { 1.0 };
        // Positions and rotations come first, then velocities and spins.
        if column % 12 < 6 { size } else { size / step }
    };
    let column = |copy: &mut Simulation, column: usize| {
        let size = size(column);
        let mut change = vec![0.0; 12 * radii.len()];
        change[column] = size;
        let after = copy.slopes(&change);
        change[column] = -size;
        let before = copy.slopes(&change);
        after.iter().zip(before).map(|(after, before)| (after - before) / (2.0 * size)).collect()
    };
    (0..12 * radii.len()).into_par_iter().map_init(|| simulation.clone(), column).collect()
}
