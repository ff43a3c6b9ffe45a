//! Prisms: a polygon given a depth. The caller gives the triangles of the caps with the polygon, so
//! that no vertex lies in an edge.

use glam::{DVec2, DVec3};

use super::Mesh;

/// The prism over a polygon that goes around counter-clockwise, from -depth/2 to depth/2 in z
/// \[m\]. The caps are triangles of the polygon's corners, counter-clockwise too.
pub(super) fn prism(polygon: &[DVec2], caps: &[[u32; 3]], depth: f64) -> Mesh {
    let count = polygon.len() as u32;
    let at = |height: f64| polygon.iter().map(move |corner| corner.extend(height));
    let vertices: Vec<DVec3> = at(-0.5 * depth).chain(at(0.5 * depth)).collect();
    let mut triangles = Vec::new();
    for this in 0..count {
        let next = (this + 1) % count;
        triangles.extend([[this, next, count + next], [this, count + next, count + this]]);
    }
    for &[a, b, c] in caps {
        triangles.extend([[a, c, b], [count + a, count + b, count + c]]);
    }
    super::made(vertices, triangles)
}

/// The same prism upright: the polygon is drawn in x and z, and the depth goes along y.
pub(super) fn upright_prism(polygon: &[DVec2], caps: &[[u32; 3]], depth: f64) -> Mesh {
    let lying = prism(polygon, caps, depth);
    let vertices = lying.vertices().iter().map(|v| DVec3::new(v.x, -v.z, v.y)).collect();
    super::made(vertices, lying.triangles().to_vec())
}

/// The caps of a polygon that is seen wholly from its first corner.
pub(super) fn fan(corners: u32) -> Vec<[u32; 3]> {
    (2..corners).map(|k| [0, k - 1, k]).collect()
}

/// The caps of a strip: its first half of corners lies opposite to its second half, in reverse.
pub(super) fn strip(corners: u32) -> Vec<[u32; 3]> {
    let last = corners - 1;
    (1..corners / 2).flat_map(|k| [[k - 1, k, last - k], [k - 1, last - k, last - k + 1]]).collect()
}
