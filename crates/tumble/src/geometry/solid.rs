//! Closed meshes as solids: whether a mesh encloses a volume, and the moments of what it encloses.
//!
//! A solid is a mesh in which every edge has two triangles that agree about outside, and which
//! encloses a positive volume. Moments are sums over the signed tetrahedra between the triangles
//! and a point, exact for a polyhedron.

use glam::{DMat3, DVec3};

use super::Mesh;
use super::moments::{Moments, outer};

/// A volume below this part of (bounding box)³ is none: the mesh is a flat sheet folded on itself,
/// up to rounding.
const NO_VOLUME: f64 = 1e-12;

/// Why a mesh is not a solid.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidProblem {
    /// Edges with one triangle.
    Holes {
        /// How many edges.
        edges: usize,
        /// The middle of one of them \[m\].
        at: DVec3,
    },
    /// An edge with more than two triangles.
    CrowdedEdge {
        /// How many triangles it has.
        triangles: usize,
        /// Its middle \[m\].
        at: DVec3,
    },
    /// Neighbouring triangles that disagree about outside.
    Disagree {
        /// At how many edges.
        edges: usize,
        /// The middle of one of them \[m\].
        at: DVec3,
    },
    /// However its triangles are turned, some neighbours disagree about outside, as on a Möbius
    /// strip.
    OneSided {
        /// Where neighbours disagree \[m\].
        at: DVec3,
    },
    /// All is well but for outside being inside.
    InsideOut {
        /// The volume it encloses, negative \[m³\].
        volume: f64,
    },
    /// It encloses nothing.
    NoVolume,
}

impl std::fmt::Display for SolidProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = |at: &DVec3| format!("({:.4}, {:.4}, {:.4})", at.x, at.y, at.z);
        match self {
            Self::Holes { edges: 1, at } => write!(f, "the surface has a hole: one open edge, at {}", place(at)),
            Self::Holes { edges, at } => {
                write!(f, "the surface has holes: {edges} open edges, one of them at {}", place(at))
            }
            Self::CrowdedEdge { triangles, at } => {
                write!(f, "{triangles} triangles share the edge at {}, where a solid has two", place(at))
            }
            Self::Disagree { edges, at } => write!(
                f,
                "neighbouring triangles disagree about which side is outside, at {edges} edges, one of them at {}",
                place(at)
            ),
            Self::OneSided { at } => {
                write!(f, "the surface has only one side, like a Möbius strip: no outside is found at {}", place(at))
            }
            Self::InsideOut { volume } => {
                write!(f, "the surface is inside out: its triangles enclose a volume of {volume:.3e} m³")
            }
            Self::NoVolume => write!(f, "the surface encloses no volume"),
        }
    }
}

impl std::error::Error for SolidProblem {}

/// A side of a triangle, as an edge that neighbours share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    /// The lower and the higher vertex number.
    pub(super) ends: [u32; 2],
    pub(super) triangle: u32,
    /// Whether the triangle passes it from the lower vertex to the higher.
    pub(super) rising: bool,
}

/// All sides of all triangles, those of one edge next to each other.
pub(super) fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let of_triangle = |(number, t): (usize, &[u32; 3])| {
        [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])].map(|(a, b)| Side {
            ends: [a.min(b), a.max(b)],
            triangle: number as u32,
            rising: a < b,
        })
    };
    let mut sides: Vec<Side> = triangles.iter().enumerate().flat_map(of_triangle).collect();
    sides.sort_unstable();
    sides
}

/// The first edge with more than two triangles, as a problem.
pub(super) fn crowded_edge(sides: &[Side], vertices: &[DVec3]) -> Option<SolidProblem> {
    let mut edges = sides.chunk_by(|a, b| a.ends == b.ends);
    let crowded = edges.find(|edge| edge.len() > 2)?;
    Some(SolidProblem::CrowdedEdge { triangles: crowded.len(), at: middle(crowded[0], vertices) })
}

/// The open edges, as a problem.
pub(super) fn holes(sides: &[Side], vertices: &[DVec3]) -> Option<SolidProblem> {
    let open: Vec<_> = sides.chunk_by(|a, b| a.ends == b.ends).filter(|edge| edge.len() == 1).collect();
    let first = open.first()?;
    Some(SolidProblem::Holes { edges: open.len(), at: middle(first[0], vertices) })
}

/// The middle of an edge.
pub(super) fn middle(side: Side, vertices: &[DVec3]) -> DVec3 {
    0.5 * (vertices[side.ends[0] as usize] + vertices[side.ends[1] as usize])
}

/// Whether a mesh is a solid; if not, why not.
///
/// Parts may lie inside each other, and a part that is turned inside out within another is a
/// cavity. Surfaces that cut through each other are not found.
pub fn check_solid(mesh: &Mesh) -> Result<(), SolidProblem> {
    let sides = sides(mesh.triangles());
    if let Some(problem) = crowded_edge(&sides, mesh.vertices()).or_else(|| holes(&sides, mesh.vertices())) {
        return Err(problem);
    }
    let edges = sides.chunk_by(|a, b| a.ends == b.ends);
    let disagreeing: Vec<_> = edges.filter(|edge| edge[0].rising == edge[1].rising).collect();
    if let Some(first) = disagreeing.first() {
        return Err(SolidProblem::Disagree { edges: disagreeing.len(), at: middle(first[0], mesh.vertices()) });
    }
    let volume = solid_moments(mesh).volume;
    let (low, high) = mesh.bounds();
    if volume.abs() <= NO_VOLUME * (high - low).length().powi(3) {
        return Err(SolidProblem::NoVolume);
    }
    if volume < 0.0 { Err(SolidProblem::InsideOut { volume }) } else { Ok(()) }
}

/// Volume, centre and inertia of what a closed mesh encloses.
///
/// For the tetrahedron 0abc with s = a + b + c: V = a·(b×c)/6, ∫ x = V/4 s, ∫ x xᵀ = V/20 (s sᵀ + a
/// aᵀ + b bᵀ + c cᵀ), from ∫ λᵢ λⱼ = V/20 (1 + δᵢⱼ) over barycentric coordinates. Parts that
/// overlap count twice; whether the mesh is closed, `check_solid` says.
pub fn solid_moments(mesh: &Mesh) -> Moments {
    // Tetrahedra from the middle of the box: bodies far from the origin lose no digits.
    let (low, high) = mesh.bounds();
    let origin = 0.5 * (low + high);
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|v| mesh.vertices()[v as usize] - origin);
        let part = a.dot(b.cross(c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += part / 4.0 * sum;
        second += part / 20.0 * (outer(sum) + outer(a) + outer(b) + outer(c));
    }
    Moments::of_integrals(origin, volume, first, second)
}

#[cfg(test)]
mod tests {
    use super::super::test_meshes::{cube, moebius_strip, sphere};
    use super::*;

    fn largest(m: DMat3) -> f64 {
        m.to_cols_array().into_iter().fold(0.0, |largest, x| largest.max(x.abs()))
    }

    #[test]
    fn a_cuboid_has_its_closed_form() {
        // Edges 2 (1, 2, 3) about a far point: V = 48, I_x = V/12 (4² + 6²).
        let far = DVec3::new(70.0, -30.0, 10.0);
        let cuboid = cube().map(|v| far + v * DVec3::new(1.0, 2.0, 3.0)).unwrap();
        assert_eq!(check_solid(&cuboid), Ok(()));
        let found = solid_moments(&cuboid);
        let expected = DMat3::from_diagonal(4.0 * DVec3::new(52.0, 40.0, 20.0));
        assert!((found.volume - 48.0).abs() < 48e-13);
        assert!((found.centre - far).length() < 1e-13);
        assert!(largest(found.inertia - expected) < 1e-13 * 208.0, "{}", found.inertia);
    }

    #[test]
    fn a_tetrahedron_has_its_closed_form() {
        // The corner tetrahedron of legs 1: V = 1/6, centre 1/4, ∫ x² = 1/60, ∫ xy = 1/120. About
        // the centre, by the parallel axis theorem: ∫ x² = 1/60 - 1/96 = 1/160, ∫ xy = 1/120 - 1/96
        // = -1/480, so I_xx = 1/80, I_xy = 1/480.
        let mesh = Mesh::new(
            vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        )
        .unwrap();
        assert_eq!(check_solid(&mesh), Ok(()));
        let found = solid_moments(&mesh);
        let off = 1.0 / 480.0;
        let expected = DMat3::from_cols(
            DVec3::new(1.0 / 80.0, off, off),
            DVec3::new(off, 1.0 / 80.0, off),
            DVec3::new(off, off, 1.0 / 80.0),
        );
        assert!((found.volume - 1.0 / 6.0).abs() < 1e-15);
        assert!((found.centre - DVec3::splat(0.25)).length() < 1e-15);
        assert!(largest(found.inertia - expected) < 1e-13 / 80.0, "{}", found.inertia);
    }

    /// A ball of triangles tends to the ball: 4π/3 and 8π/15, from below, with the square of the
    /// edge length.
    #[test]
    fn a_fine_sphere_is_nearly_a_ball() {
        let (found, ball) = (solid_moments(&sphere(5)), Moments::of_ball(DVec3::ZERO, 1.0));
        assert!((1.0 - found.volume / ball.volume) > 0.0 && (1.0 - found.volume / ball.volume) < 2e-3);
        assert!(largest(found.inertia - ball.inertia) < 3e-3 * largest(ball.inertia));
    }

    #[test]
    fn problems_have_names_and_places() {
        let (vertices, triangles) = (cube().vertices().to_vec(), cube().triangles().to_vec());
        let check = |triangles: Vec<[u32; 3]>| check_solid(&Mesh::new(vertices.clone(), triangles).unwrap());
        // Triangle 0 is in the side z = -1.
        let Err(SolidProblem::Holes { edges: 3, at }) = check(triangles[1..].to_vec()) else { panic!() };
        assert_eq!(at.z, -1.0);
        let mut turned = triangles.clone();
        turned[0].reverse();
        assert!(matches!(check(turned), Err(SolidProblem::Disagree { edges: 3, .. })));
        let inside_out = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        let problem = check(inside_out).unwrap_err();
        assert!(matches!(problem, SolidProblem::InsideOut { volume } if (volume + 8.0).abs() < 1e-13));
        assert_eq!(problem.to_string(), "the surface is inside out: its triangles enclose a volume of -8.000e0 m³");
        let fin = [triangles.clone(), vec![[0, 1, 7]]].concat();
        let Err(SolidProblem::CrowdedEdge { triangles: 3, at }) = check(fin) else { panic!() };
        assert!(at == DVec3::new(0.0, -1.0, -1.0) || at == DVec3::new(1.0, 0.0, 0.0), "{at}");
        assert_eq!(check(vec![[0, 1, 2], [0, 2, 1]]), Err(SolidProblem::NoVolume));
        assert!(matches!(check_solid(&moebius_strip()), Err(SolidProblem::Holes { .. })));
    }
}
