//! The Jacobian of the equations of motion, by central differences, and its eigenvalues.
//!
//! This module reads a simulation and leaves it as it was. A difference is a small part of a body's
//! radius, of a radian, and of the speeds that go over these in a step. Where a contact begins or
//! ends within it, or friction changes its direction, the function is not smooth; there the
//! eigenvalues say what a step of that size would feel.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, EvdParams, evd_real, evd_scratch};
use faer::{Auto, Mat, Par};
use rayon::prelude::*;
use tumble::Simulation;

use crate::Failure;

/// An eigenvalue \[1/s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Eigenvalue {
    pub(super) real: f64,
    /// Imaginary part, never negative: eigenvalues come in conjugate pairs.
    pub(super) imaginary: f64,
}

impl Eigenvalue {
    pub(super) fn modulus(self) -> f64 {
        self.real.hypot(self.imaginary)
    }
}

/// All eigenvalues at the present state, 12 per body, from differences of this size in radii and
/// radians.
pub(super) fn eigenvalues(simulation: &Simulation, difference: f64) -> Result<Vec<Eigenvalue>, Failure> {
    let columns = jacobian(simulation, difference);
    if columns.iter().flatten().any(|value| !value.is_finite()) {
        return Err(format!("the forces at {} s are not finite", simulation.time()).into());
    }
    let mut found = Vec::with_capacity(columns.len());
    for group in groups(&columns) {
        // Column indices of the group: those of its bodies only, which touch no other.
        let numbers: Vec<usize> = group.iter().flat_map(|&body| 12 * body..12 * (body + 1)).collect();
        let count = numbers.len();
        let mut matrix = Mat::from_fn(count, count, |row, column| columns[numbers[column]][numbers[row]]);
        balance(&mut matrix);
        let values = values_of(&matrix);
        found.extend(values.ok_or_else(|| format!("no eigenvalues were found at {} s", simulation.time()))?);
    }
    Ok(found)
}

/// The eigenvalues of a matrix, by the plain QR algorithm: the one with many shifts, which faer
/// takes for large matrices, did not end on some of these.
fn values_of(matrix: &Mat<f64>) -> Option<impl Iterator<Item = Eigenvalue>> {
    let count = matrix.nrows();
    let mut params: EvdParams = Auto::<f64>::auto();
    params.schur.blocking_threshold = count + 1;
    let (mut real, mut imaginary) = (Diag::<f64>::zeros(count), Diag::<f64>::zeros(count));
    let no = ComputeEigenvectors::No;
    let mut memory = MemBuffer::new(evd_scratch::<f64>(count, no, no, Par::Seq, params.into()));
    let stack = MemStack::new(&mut memory);
    let (re, im) = (real.as_mut(), imaginary.as_mut());
    evd_real(matrix.as_ref(), re, im, None, None, Par::Seq, stack, params.into()).ok()?;
    Some((0..count).map(move |k| Eigenvalue { real: real[k], imaginary: imaginary[k].abs() }))
}

/// Groups of bodies that depend on each other, directly or through others. The eigenvalues of the
/// whole are those of its groups together; apart they cost far less, and free bodies, whose motion
/// has no eigenvalue but zero, spoil none of the others.
fn groups(columns: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let bodies = columns.len() / 12;
    let mut group_of: Vec<usize> = (0..bodies).collect();
    for (a, b) in (0..bodies).flat_map(|a| (0..a).map(move |b| (a, b))) {
        let acts = |of: usize, on: usize| {
            columns[12 * of..12 * (of + 1)].iter().any(|c| c[12 * on..12 * (on + 1)].iter().any(|&v| v != 0.0))
        };
        if group_of[a] != group_of[b] && (acts(a, b) || acts(b, a)) {
            let (kept, gone) = (group_of[b], group_of[a]);
            group_of.iter_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
        }
    }
    let members = |group: usize| (0..bodies).filter(|&body| group_of[body] == group).collect::<Vec<_>>();
    (0..bodies).map(members).filter(|group| !group.is_empty()).collect()
}

/// Balances a matrix (Parlett & Reinsch 1969): scales columns and rows by powers of two so that
/// their norms are about alike, which changes no eigenvalue. Positions and velocities differ by the
/// frequencies of contacts, and without balancing the search for eigenvalues may not end.
fn balance(matrix: &mut Mat<f64>) {
    let count = matrix.nrows();
    let mut again = true;
    while again {
        again = false;
        for i in 0..count {
            let others = || (0..count).filter(|&j| j != i);
            let mut column: f64 = others().map(|j| matrix[(j, i)].abs()).sum();
            let row: f64 = others().map(|j| matrix[(i, j)].abs()).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let (sum, mut factor) = (column + row, 1.0);
            while column < row / 2.0 {
                (column, factor) = (4.0 * column, 2.0 * factor);
            }
            while column >= row * 2.0 {
                (column, factor) = (column / 4.0, factor / 2.0);
            }
            if column + row < 0.95 * sum * factor {
                again = true;
                for j in others() {
                    matrix[(j, i)] *= factor;
                    matrix[(i, j)] /= factor;
                }
            }
        }
    }
}

/// The Jacobian, column by column.
fn jacobian(simulation: &Simulation, difference: f64) -> Vec<Vec<f64>> {
    let world = simulation.world();
    let radii: Vec<f64> = world.bodies.rows_by_id().map(|row| world.radius(row)).collect();
    let step = simulation.step_limit().map_or(simulation.step_length(), |limit| limit.default);
    let size = |column: usize| {
        let size = difference * if (column / 3).is_multiple_of(2) { radii[column / 12] } else { 1.0 };
        // Positions and rotations come first, then velocities and spins.
        if column % 12 < 6 { size } else { size / step }
    };
    let column = |copy: &mut Simulation, column: usize| {
        let size = size(column);
        let mut change = vec![0.0; 12 * radii.len()];
        change[column] = size;
        let after = copy.slopes(&change).unwrap_or_default();
        change[column] = -size;
        let before = copy.slopes(&change).unwrap_or_default();
        after.iter().zip(before).map(|(after, before)| (after - before) / (2.0 * size)).collect()
    };
    (0..12 * radii.len()).into_par_iter().map_init(|| simulation.clone(), column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Balancing leaves eigenvalues as they are, and makes those of a stiff spring with a dashpot
    /// come out right.
    #[test]
    fn balancing_keeps_eigenvalues() {
        let (stiffness, damping) = (1e12, 1e4);
        let mut matrix = Mat::from_fn(2, 2, |row, column| [[0.0, 1.0], [-stiffness, -damping]][row][column]);
        balance(&mut matrix);
        assert!((matrix[(0, 1)] / matrix[(1, 0)]).abs().log2().abs() <= 2.0, "{matrix:?}");
        for value in values_of(&matrix).unwrap() {
            assert!((value.real + 0.5 * damping).abs() < 1e-6 * damping, "{value:?}");
            assert!((value.imaginary - (stiffness - 0.25 * damping * damping).sqrt()).abs() < 1.0, "{value:?}");
        }
    }

    #[test]
    fn bodies_that_act_on_each_other_are_one_group() {
        let mut columns = vec![vec![0.0; 48]; 48];
        // The first body acts on the third, and the third on the second.
        columns[4][30] = 1.0;
        columns[29][13] = 1.0;
        assert_eq!(groups(&columns), [vec![0, 1, 2], vec![3]]);
    }
}
