//! Repairs meshes that are nearly solids: reads a mesh as it came from a file, gives a solid and
//! says what was done.
//!
//! In this order, because each step needs the one before: vertices that nearly coincide become one;
//! triangles that are there twice go; neighbours are made to agree about outside by a flood fill
//! over shared edges; holes with a simple rim are closed by a fan of triangles about the rim's
//! middle; parts that are inside out are turned. A mesh that is still no solid then is refused with
//! its problem.

use std::f64::consts::PI;

use glam::DVec3;

use super::Mesh;
use super::point_cells::PointCells;
use super::solid::{Side, SolidProblem, check_solid, crowded_edge, holes, middle, sides};

/// Vertices closer than this part of the mesh's size are one: above single precision's rounding,
/// below any detail that matters.
const MERGE: f64 = 1e-6;

/// Counts of the changes that a repair made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// Vertices that became one with another.
    pub merged: usize,
    /// Triangles left out: they were there twice, or merging vertices left them without area.
    pub dropped: usize,
    /// Triangles turned to agree about outside.
    pub flipped: usize,
    /// Holes closed.
    pub closed: usize,
}

impl std::fmt::Display for Repair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |verb: &str, n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("{verb} 1 {one}")),
            _ => Some(format!("{verb} {n} {many}")),
        };
        let done: Vec<String> = [
            count("merged", self.merged, "vertex", "vertices"),
            count("dropped", self.dropped, "triangle", "triangles"),
            count("turned", self.flipped, "triangle", "triangles"),
            count("closed", self.closed, "hole", "holes"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if done.is_empty() { write!(f, "nothing to repair") } else { write!(f, "{}", done.join(", ")) }
    }
}

/// Makes a solid of a mesh that is nearly one. A mesh that is one already comes back as it is.
pub fn repair(mesh: &Mesh) -> Result<(Mesh, Repair), SolidProblem> {
    let mut repair = Repair::default();
    let mut vertices = mesh.vertices().to_vec();
    let representative = merge_near_vertices(mesh);
    repair.merged = representative.iter().enumerate().filter(|&(v, &r)| r != v as u32).count();
    let mut triangles: Vec<_> = mesh.triangles().iter().map(|t| t.map(|v| representative[v as usize])).collect();
    triangles = drop_repeated(triangles);
    repair.dropped = mesh.triangles().len() - triangles.len();

    let edges = sides(&triangles);
    if let Some(problem) = crowded_edge(&edges, &vertices) {
        return Err(problem);
    }
    let ConnectedParts { mut turned, mut part, count } = agree_about_outside(&triangles, &edges, &vertices)?;
    for (triangle, &turn) in triangles.iter_mut().zip(&turned) {
        if turn {
            triangle.swap(1, 2);
        }
    }
    let given = triangles.len();
    repair.closed = close_holes(&mut vertices, &mut triangles, &mut part)?;

    let inside_out = inside_out_parts(&vertices, &triangles, &part, count);
    for (k, triangle) in triangles.iter_mut().enumerate() {
        if inside_out[part[k] as usize] {
            triangle.swap(1, 2);
            // New triangles do not count as turned.
            if k < given {
                turned[k] = !turned[k];
            }
        }
    }
    repair.flipped = turned.iter().filter(|&&turn| turn).count();
    // Nothing but a mesh without area fails here.
    let solid = Mesh::new(vertices, triangles).map_err(|_| SolidProblem::NoVolume)?;
    check_solid(&solid)?;
    Ok((solid, repair))
}

/// For each vertex, the lowest vertex it hangs together with over distances below `MERGE` of the
/// size.
fn merge_near_vertices(mesh: &Mesh) -> Vec<u32> {
    let (low, high) = mesh.bounds();
    let near = MERGE * (high - low).length();
    let vertices = mesh.vertices();
    let cells = PointCells::new(vertices, near);
    let mut representative: Vec<u32> = (0..vertices.len() as u32).collect();
    for (v, &place) in vertices.iter().enumerate() {
        cells.visit_near(place, |other| {
            if (other as usize) < v && (vertices[other as usize] - place).length() < near {
                let (a, b) = (root(&representative, v as u32), root(&representative, other));
                representative[a.max(b) as usize] = a.min(b);
            }
        });
    }
    (0..vertices.len() as u32).map(|v| root(&representative, v)).collect()
}

fn root(representative: &[u32], mut v: u32) -> u32 {
    while representative[v as usize] != v {
        v = representative[v as usize];
    }
    v
}

/// Leaves out triangles with two equal corners and those with the same corners as one before,
/// whichever way round.
fn drop_repeated(triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
    let corners = |t: &[u32; 3]| {
        let mut corners = *t;
        corners.sort_unstable();
        corners
    };
    let mut order: Vec<_> = triangles.iter().enumerate().map(|(k, t)| (corners(t), k)).collect();
    order.retain(|([a, b, c], _)| a != b && b != c);
    order.sort_unstable();
    order.dedup_by_key(|entry| entry.0);
    let mut kept: Vec<usize> = order.into_iter().map(|(_, k)| k).collect();
    kept.sort_unstable();
    kept.into_iter().map(|k| triangles[k]).collect()
}

/// Parts of a surface that hang together by edges.
struct ConnectedParts {
    /// Whether each triangle must be turned to agree with its neighbours.
    turned: Vec<bool>,
    /// The part of each triangle.
    part: Vec<u32>,
    /// How many parts there are.
    count: usize,
}

/// Finds the parts of a surface, and which triangles to turn so that neighbours agree: per part,
/// not more than half of them.
fn agree_about_outside(
    triangles: &[[u32; 3]],
    edges: &[Side],
    vertices: &[DVec3],
) -> Result<ConnectedParts, SolidProblem> {
    // Neighbours over each edge: the other triangle, and whether both pass the edge the same way,
    // which is a disagreement.
    let mut neighbours: Vec<Vec<(u32, bool, Side)>> = vec![Vec::new(); triangles.len()];
    for edge in edges.chunk_by(|a, b| a.ends == b.ends) {
        if let [a, b] = *edge {
            let disagree = a.rising == b.rising;
            neighbours[a.triangle as usize].push((b.triangle, disagree, a));
            neighbours[b.triangle as usize].push((a.triangle, disagree, a));
        }
    }
    let mut turned = vec![false; triangles.len()];
    let mut part = vec![u32::MAX; triangles.len()];
    let mut count = 0;
    for first in 0..triangles.len() {
        if part[first] != u32::MAX {
            continue;
        }
        part[first] = count as u32;
        let mut members = vec![first];
        let mut next = 0;
        while next < members.len() {
            let here = members[next];
            next += 1;
            for &(there, disagree, edge) in &neighbours[here] {
                let there = there as usize;
                let turn = turned[here] != disagree;
                if part[there] == u32::MAX {
                    part[there] = count as u32;
                    turned[there] = turn;
                    members.push(there);
                } else if turned[there] != turn {
                    return Err(SolidProblem::OneSided { at: middle(edge, vertices) });
                }
            }
        }
        // The first triangle may be the odd one.
        if 2 * members.iter().filter(|&&k| turned[k]).count() > members.len() {
            members.iter().for_each(|&k| turned[k] = !turned[k]);
        }
        count += 1;
    }
    Ok(ConnectedParts { turned, part, count })
}

/// Closes every hole by a fan of triangles about the middle of its rim; gives the number of holes.
fn close_holes(
    vertices: &mut Vec<DVec3>,
    triangles: &mut Vec<[u32; 3]>,
    part: &mut Vec<u32>,
) -> Result<usize, SolidProblem> {
    let edges = sides(triangles);
    // Along the rim of a hole, the missing triangles pass the open edges the other way than the
    // ones there.
    let mut rim: Vec<(u32, u32, u32)> = Vec::new();
    for edge in edges.chunk_by(|a, b| a.ends == b.ends) {
        if let [Side { ends: [low, high], triangle, rising }] = *edge {
            let (from, to) = if rising { (high, low) } else { (low, high) };
            rim.push((from, to, part[triangle as usize]));
        }
    }
    rim.sort_unstable();
    // Where two holes share a vertex, the rims cannot be told apart.
    if rim.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(holes(&edges, vertices).unwrap_or(SolidProblem::NoVolume));
    }
    let mut passed = vec![false; rim.len()];
    let mut closed = 0;
    for first in 0..rim.len() {
        if passed[first] {
            continue;
        }
        let mut members = Vec::new();
        let mut here = first;
        // Every vertex of the rim has one open edge in and one out, so that the way comes back to
        // its beginning.
        while !passed[here] {
            passed[here] = true;
            members.push(rim[here]);
            here = rim.partition_point(|edge| edge.0 < rim[here].1);
        }
        let middle = members.iter().map(|edge| vertices[edge.0 as usize]).sum::<DVec3>() / members.len() as f64;
        let hub = vertices.len() as u32;
        vertices.push(middle);
        for (from, to, of) in members {
            triangles.push([from, to, hub]);
            part.push(of);
        }
        closed += 1;
    }
    Ok(closed)
}

/// Which closed parts must be turned. A part inside another turns with it: if the two face opposite
/// ways, it is its cavity.
fn inside_out_parts(vertices: &[DVec3], triangles: &[[u32; 3]], part: &[u32], count: usize) -> Vec<bool> {
    let mut parts: Vec<Vec<[DVec3; 3]>> = vec![Vec::new(); count];
    for (triangle, &part) in triangles.iter().zip(part) {
        parts[part as usize].push(triangle.map(|v| vertices[v as usize]));
    }
    let signed_volume = |part: &Vec<[DVec3; 3]>| -> f64 {
        let origin = part[0][0];
        part.iter().map(|&[a, b, c]| (a - origin).dot((b - origin).cross(c - origin)) / 6.0).sum()
    };
    let volume: Vec<f64> = parts.iter().map(signed_volume).collect();
    let box_of = |part: &Vec<[DVec3; 3]>| {
        let corners = part.iter().flatten();
        corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
    };
    let bounds: Vec<_> = parts.iter().map(box_of).collect();
    let encloses = |outer: usize, inner: usize| {
        let (low, high) = bounds[outer];
        let in_box = bounds[inner].0.cmpgt(low).all() && bounds[inner].1.cmplt(high).all();
        in_box && winding(&parts[outer], parts[inner][0][0]).abs() > 0.5
    };
    let outermost = |k: usize| {
        let around = (0..count).filter(|&other| other != k && encloses(other, k));
        around.max_by(|&a, &b| volume[a].abs().total_cmp(&volume[b].abs())).unwrap_or(k)
    };
    (0..count).map(|k| volume[outermost(k)] < 0.0).collect()
}

/// How often closed triangles wind around a point: their solid angles, over 4π (Van Oosterom &
/// Strackee 1983, eq. 8).
fn winding(triangles: &[[DVec3; 3]], point: DVec3) -> f64 {
    let angle = |triangle: &[DVec3; 3]| {
        let [a, b, c] = triangle.map(|v| v - point);
        let [la, lb, lc] = [a.length(), b.length(), c.length()];
        let across = a.dot(b.cross(c));
        let along = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * across.atan2(along)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)
}

#[cfg(test)]
mod tests {
    use super::super::solid_moments;
    use super::super::test_meshes::{cube, moebius_strip, soup, together};
    use super::*;

    fn without(triangles: &[usize]) -> Mesh {
        let cube = cube();
        let kept = cube.triangles().iter().enumerate().filter(|(k, _)| !triangles.contains(k)).map(|(_, t)| *t);
        Mesh::new(cube.vertices().to_vec(), kept.collect()).unwrap()
    }

    fn turned(mesh: &Mesh, which: impl Fn(usize) -> bool) -> Mesh {
        let turn = |(k, &[a, b, c]): (usize, &[u32; 3])| if which(k) { [a, c, b] } else { [a, b, c] };
        Mesh::new(mesh.vertices().to_vec(), mesh.triangles().iter().enumerate().map(turn).collect()).unwrap()
    }

    /// Repairs a mesh and checks the volume of the solid.
    fn repaired(mesh: &Mesh, volume: f64) -> Repair {
        let (solid, repair) = repair(mesh).unwrap();
        assert_eq!(check_solid(&solid), Ok(()));
        let found = solid_moments(&solid).volume;
        assert!((found - volume).abs() < 1e-5, "{found}");
        repair
    }

    #[test]
    fn a_solid_stays_as_it_is() {
        let (solid, done) = repair(&cube()).unwrap();
        assert_eq!((solid, done), (cube(), Repair::default()));
        assert_eq!(done.to_string(), "nothing to repair");
    }

    #[test]
    fn holes_are_closed() {
        // A triangle missing, a side missing, two opposite sides missing (triangles 0, 1 and 2, 3).
        assert_eq!(repaired(&without(&[0]), 8.0), Repair { closed: 1, ..Repair::default() });
        assert_eq!(repaired(&without(&[0, 1]), 8.0), Repair { closed: 1, ..Repair::default() });
        let both = repaired(&without(&[0, 1, 2, 3]), 8.0);
        assert_eq!(both, Repair { closed: 2, ..Repair::default() });
        assert_eq!(both.to_string(), "closed 2 holes");
    }

    #[test]
    fn triangles_are_turned() {
        assert_eq!(repaired(&turned(&cube(), |k| k == 0), 8.0).flipped, 1);
        assert_eq!(repaired(&turned(&cube(), |k| k == 7 || k == 8), 8.0).flipped, 2);
        assert_eq!(repaired(&turned(&cube(), |_| true), 8.0).flipped, 12);
        assert_eq!(
            repaired(&turned(&without(&[4, 5]), |k| k == 0), 8.0),
            Repair { flipped: 1, closed: 1, ..Repair::default() }
        );
    }

    #[test]
    fn parts_are_turned_one_by_one_and_cavities_stay() {
        let far = cube().map(|v| v + 5.0 * DVec3::X).unwrap();
        assert_eq!(repaired(&together(&[cube(), far.clone()]), 16.0), Repair::default());
        assert_eq!(repaired(&together(&[cube(), turned(&far, |_| true)]), 16.0).flipped, 12);
        // A cavity of half the size faces inwards: 8 - 1. The whole inside out: both turn.
        let cavity = turned(&cube().map(|v| 0.5 * v).unwrap(), |_| true);
        let hollow = together(&[cube(), cavity]);
        assert_eq!(repaired(&hollow, 7.0), Repair::default());
        assert_eq!(repaired(&turned(&hollow, |_| true), 7.0).flipped, 24);
    }

    #[test]
    fn near_vertices_merge_and_repeated_triangles_go() {
        // Every triangle has its own corners, each moved by less than the limit; two triangles come
        // again, one of them turned.
        let mut faces: Vec<[DVec3; 3]> =
            cube().triangles().iter().map(|t| t.map(|v| cube().vertices()[v as usize])).collect();
        for (k, face) in faces.iter_mut().enumerate() {
            face.iter_mut().for_each(|v| *v += 1e-7 * DVec3::new(k as f64 - 6.0, 1.0, 2.0));
        }
        faces.push(faces[3]);
        let [a, b, c] = faces[4];
        faces.push([c, b, a]);
        assert_eq!(repaired(&soup(faces), 8.0), Repair { merged: 36 - 8, dropped: 2, ..Repair::default() });
    }

    #[test]
    fn what_cannot_be_repaired_is_refused() {
        assert!(matches!(repair(&moebius_strip()), Err(SolidProblem::OneSided { .. })));
        let fin = Mesh::new(cube().vertices().to_vec(), [cube().triangles(), &[[0, 1, 7]]].concat()).unwrap();
        assert!(matches!(repair(&fin), Err(SolidProblem::CrowdedEdge { triangles: 3, .. })));
        let lone = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]).unwrap();
        assert_eq!(repair(&lone).map(|_| ()), Err(SolidProblem::NoVolume));
        // Triangles 0 and 5 share a vertex and no edge: two holes that touch.
        assert!(matches!(repair(&without(&[0, 5])), Err(SolidProblem::Holes { edges: 6, .. })));
    }
}
