//! Closed meshes split into convex parts: cut by planes where it helps most, until no part sticks
//! out of the mesh farther than asked.
//!
//! In the spirit of CoACD (Wei et al. 2022), on the mesh itself and without voxels: every closed
//! piece of a mesh for itself; planes along the faces of hollow edges and across; the one whose two
//! hulls have the least volume; parts that need not be apart joined again. A part holds all of the
//! surface in it, so parts leave nothing out except where too few corners cut some off.

use glam::DVec3;

use super::corners::{area_of, few_corners, fewer, grown};
use super::cut::{Plane, SolidPiece};
use super::planes::candidates;
use super::{Convex, ConvexPart, Hull, Mesh, MeshSurface, Pose, solid_moments};

/// How a mesh is split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// How far a part may stick out of the mesh, over the longest side of the mesh, or how much
    /// more volume it may have than the solid it stands for \[-\].
    pub concavity: f64,
    /// Most parts.
    pub most_parts: u32,
    /// Most corners of a part.
    pub most_corners: u32,
}

impl Split {
    /// Default settings: gaps and overlaps of about a hundredth of the mesh's size.
    pub const DEFAULT: Self = Self { concavity: 0.01, most_parts: 32, most_corners: 64 };
}

/// The convex decomposition of a mesh, and measures of its quality.
#[derive(Clone, Debug)]
pub struct Decomposition {
    /// The parts, in the axes of the mesh.
    pub list: Vec<ConvexPart>,
    /// Volume of all parts over that of the mesh, less one \[-\]: hollows that they fill, and
    /// overlaps that count twice.
    pub excess: f64,
    /// How far a vertex of the mesh is outside of all parts at most \[m\].
    pub cut_off: f64,
    /// How far parts stick out of the mesh at most \[m\].
    pub bulge: f64,
}

/// Directions in which hulls are taken while planes are compared.
const ROUGH: u32 = 160;

/// Samples of a hull's surface along the longest side of the mesh, at which its distance from the
/// mesh is tested.
const SAMPLES: f64 = 32.0;

/// Corners may cut off this share of what parts may stick out.
const CORNERS_SHARE: f64 = 0.25;

/// Points nearer to a plane than this part of the size are on it.
const THICK: f64 = 1e-9;

/// Weights of the emptier of two halves and of the surface of both hulls beside their volume: all
/// straight cuts through the hull of a ring are as good, but those lead on that go through its
/// middle and through little of it.
const EVEN: f64 = 0.05;
const SMALL: f64 = 0.05;

/// Hulls in a few directions have at least this share of the volume that they hold.
const SOUND: f64 = 0.9;

/// A cut that leaves less than this part of a piece on one side is none.
const SLIVER: f64 = 1e-6;

/// Splits a closed mesh; gives the corners of each part. This is the slow half of making
/// [`Decomposition`].
pub fn split(mesh: &Mesh, how: &Split) -> Vec<Vec<DVec3>> {
    let pieces = closed_pieces(mesh);
    let (low, high) = mesh.bounds();
    let size = (high - low).max_element();
    let total: f64 = pieces.iter().map(|piece| solid_moments(piece).volume).sum();
    let mut corners = Vec::new();
    for piece in &pieces {
        // Each piece gets its share of the parts, by volume, and at least a few.
        let share = solid_moments(piece).volume / total * f64::from(how.most_parts);
        let most = if pieces.len() == 1 { how.most_parts as usize } else { (share.ceil() as usize).max(4) };
        let splitting = Splitting { surface: MeshSurface::new(piece.clone()), size, concavity: how.concavity };
        let parts = splitting.parts(piece, most);
        corners.extend(parts.iter().filter_map(|part| {
            let hull = sound_hull(&part.points, part.volume, size)?;
            Some(few_corners(&hull, CORNERS_SHARE * how.concavity * size, how.most_corners))
        }));
    }
    corners
}

/// The closed surfaces of a mesh that hang together, each as a mesh; a cavity belongs to what is
/// around it, so that one with cavities is left whole.
fn closed_pieces(mesh: &Mesh) -> Vec<Mesh> {
    let count = mesh.vertices().len();
    let mut leader: Vec<u32> = (0..count as u32).collect();
    fn root(leader: &mut [u32], mut v: u32) -> u32 {
        while leader[v as usize] != v {
            leader[v as usize] = leader[leader[v as usize] as usize];
            v = leader[v as usize];
        }
        v
    }
    for &[a, b, c] in mesh.triangles() {
        for other in [b, c] {
            let (x, y) = (root(&mut leader, a), root(&mut leader, other));
            leader[x.max(y) as usize] = x.min(y);
        }
    }
    let mut of_root: Vec<Option<usize>> = vec![None; count];
    let mut triangles: Vec<Vec<[u32; 3]>> = Vec::new();
    for triangle in mesh.triangles() {
        let root = root(&mut leader, triangle[0]) as usize;
        let piece = *of_root[root].get_or_insert_with(|| {
            triangles.push(Vec::new());
            triangles.len() - 1
        });
        triangles[piece].push(*triangle);
    }
    let whole = || vec![mesh.clone()];
    if triangles.len() < 2 {
        return whole();
    }
    let mut pieces = Vec::new();
    for triangles in triangles {
        let mut number: Vec<Option<u32>> = vec![None; count];
        let mut vertices = Vec::new();
        let mut renumbered = |v: u32| {
            *number[v as usize].get_or_insert_with(|| {
                vertices.push(mesh.vertices()[v as usize]);
                vertices.len() as u32 - 1
            })
        };
        let triangles: Vec<[u32; 3]> = triangles.into_iter().map(|t| t.map(&mut renumbered)).collect();
        match Mesh::new(vertices, triangles) {
            Ok(piece) if solid_moments(&piece).volume > 0.0 => pieces.push(piece),
            _ => return whole(),
        }
    }
    pieces
}

/// The decomposition of one closed piece.
struct Splitting {
    surface: MeshSurface,
    /// Longest side of the whole mesh \[m\].
    size: f64,
    concavity: f64,
}

/// A part that may still be cut.
struct Rough {
    piece: SolidPiece,
    /// Volume of its hull \[m³\].
    hull: f64,
}

impl Rough {
    fn new(piece: SolidPiece) -> Self {
        let hull = hull_volume(&piece.points).max(piece.volume);
        Self { piece, hull }
    }

    /// How much of its hull is empty \[m³\].
    fn empty(&self) -> f64 {
        self.hull - self.piece.volume
    }
}

/// A part before its hull is made: its points, and the volume of the solid they stand for.
struct Cluster {
    points: Vec<DVec3>,
    volume: f64,
}

impl Splitting {
    fn parts(&self, mesh: &Mesh, most: usize) -> Vec<Cluster> {
        let mut open = vec![Rough::new(SolidPiece::new(mesh))];
        let mut done: Vec<Rough> = Vec::new();
        // Always the part with the most empty room, so that the limit `most` leaves the least
        // important cuts undone. Joining merges some parts again, so that there may be more before.
        while !open.is_empty() && open.len() + done.len() < 2 * most {
            let worst = (0..open.len()).max_by(|&a, &b| open[a].empty().total_cmp(&open[b].empty()));
            let part = open.swap_remove(worst.unwrap_or_default());
            if self.is_good(&part.piece.points, part.piece.volume) {
                done.push(part);
                continue;
            }
            match self.best_cut(&part) {
                Some(halves) => open.extend(halves),
                None => done.push(part),
            }
        }
        done.extend(open);
        let cluster = |part: Rough| Cluster { points: part.piece.points, volume: part.piece.volume };
        self.joined(done.into_iter().map(cluster).collect(), most)
    }

    /// Whether the hull of these points is a good enough stand-in for a solid of this volume.
    fn is_good(&self, points: &[DVec3], volume: f64) -> bool {
        let Some(hull) = sound_hull(points, volume, self.size) else { return true };
        let (corners, triangles) = hull.triangles();
        is_full(volume_of(&hull), volume, self.concavity)
            || !sticks_out(&corners, &triangles, self.size, |point| {
                self.surface.signed_distance(point) > self.concavity * self.size
            })
    }

    fn halves(&self, piece: &SolidPiece, plane: Plane) -> [SolidPiece; 2] {
        piece.cut(plane, THICK * self.size, |point| self.surface.signed_distance(point) < 0.0)
    }

    /// The two halves of a part whose hulls have the least volume together, and are about as empty.
    fn best_cut(&self, part: &Rough) -> Option<[Rough; 2]> {
        let mut best: Option<(f64, Plane)> = None;
        let area = area_of(&sound_hull(&part.piece.points, part.piece.volume, self.size)?);
        for plane in candidates(self.surface.mesh(), &part.piece.points, self.size) {
            let halves = self.halves(&part.piece, plane);
            if halves.iter().any(|half| half.volume < SLIVER * part.piece.volume || half.points.len() < 4) {
                continue;
            }
            let hulls = halves.each_ref().map(|half| Hull::new(&fewer(&half.points, ROUGH)));
            let [Some(one), Some(other)] = &hulls else { continue };
            let (volumes, areas) = ([volume_of(one), volume_of(other)], area_of(one) + area_of(other));
            // A hull with less volume than the points' solid went wrong.
            if (0..2).any(|k| volumes[k] < SOUND * halves[k].volume) {
                continue;
            }
            let worst = f64::max(volumes[0] - halves[0].volume, volumes[1] - halves[1].volume);
            let badness = volumes[0] + volumes[1] + EVEN * worst + SMALL * part.hull * areas / area;
            if best.is_none_or(|(least, _)| badness < least * (1.0 - 1e-9)) {
                best = Some((badness, plane));
            }
        }
        best.map(|(_, plane)| self.halves(&part.piece, plane).map(Rough::new))
    }

    /// Joins parts whose common hull is good enough, the fullest hulls first, and then more until
    /// at most `most` parts are left.
    fn joined(&self, parts: Vec<Cluster>, most: usize) -> Vec<Cluster> {
        let mut parts: Vec<Option<Cluster>> = parts.into_iter().map(Some).collect();
        let mut pairs: Vec<JoinCandidate> = Vec::new();
        for b in 0..parts.len() {
            pairs.extend((0..b).filter_map(|a| self.pair(&parts, a, b)));
        }
        loop {
            let must = parts.iter().flatten().count() > most;
            let badness = |pair: &JoinCandidate| if must { pair.empty } else { pair.empty / pair.volume };
            let wanted = (0..pairs.len()).filter(|&k| must || !pairs[k].is_refused);
            let Some(best) = wanted.min_by(|&a, &b| badness(&pairs[a]).total_cmp(&badness(&pairs[b]))) else { break };
            let JoinCandidate { parts: [a, b], volume, .. } = pairs[best];
            let points = [a, b].map(|k| parts[k].as_ref().map_or(&[][..], |part| &part.points)).concat();
            if !must && !self.is_good(&points, volume) {
                pairs[best].is_refused = true;
                continue;
            }
            (parts[a], parts[b]) = (Some(Cluster { points, volume }), None);
            pairs.retain(|pair| !pair.parts.contains(&a) && !pair.parts.contains(&b));
            pairs.extend((0..parts.len()).filter(|&k| k != a).filter_map(|k| self.pair(&parts, a.min(k), a.max(k))));
        }
        parts.into_iter().flatten().collect()
    }

    /// Two parts as a candidate, if they are next to each other.
    fn pair(&self, parts: &[Option<Cluster>], a: usize, b: usize) -> Option<JoinCandidate> {
        let [one, other] = [parts[a].as_ref()?, parts[b].as_ref()?];
        let ([low, high], [other_low, other_high]) = (bounds(&one.points), bounds(&other.points));
        let room = DVec3::splat(THICK * self.size);
        if (low - room).cmpgt(other_high).any() || (other_low - room).cmpgt(high).any() {
            return None;
        }
        let points = [fewer(&one.points, ROUGH), fewer(&other.points, ROUGH)].concat();
        let volume = one.volume + other.volume;
        Some(JoinCandidate { parts: [a, b], empty: hull_volume(&points) - volume, volume, is_refused: false })
    }
}

/// Two neighbouring parts that might be joined.
struct JoinCandidate {
    parts: [usize; 2],
    /// Empty room in their common hull, and their volume \[m³\].
    empty: f64,
    volume: f64,
    /// Whether the common hull was found not good enough.
    is_refused: bool,
}

/// The corners of the box around points.
fn bounds(points: &[DVec3]) -> [DVec3; 2] {
    let start = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    points.iter().fold(start, |[low, high], point| [low.min(*point), high.max(*point)])
}

/// Whether a hull has hardly more volume than the solid it stands for.
fn is_full(hull: f64, volume: f64, concavity: f64) -> bool {
    hull - volume <= concavity * volume
}

/// Whether some sample of a closed surface is outside.
fn sticks_out(corners: &[DVec3], triangles: &[[u32; 3]], size: f64, is_outside: impl FnMut(DVec3) -> bool) -> bool {
    samples(corners, triangles, size).any(is_outside)
}

/// Points all over a surface, about evenly.
fn samples<'a>(corners: &'a [DVec3], triangles: &'a [[u32; 3]], size: f64) -> impl Iterator<Item = DVec3> + 'a {
    triangles.iter().flat_map(move |triangle| {
        let [a, b, c] = triangle.map(|v| corners[v as usize]);
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        let steps = ((longest / size * SAMPLES).ceil() as u32).clamp(1, 64);
        (0..=steps).flat_map(move |i| {
            (0..=steps - i).map(move |j| {
                let [u, v] = [i, j].map(|k| f64::from(k) / f64::from(steps));
                a + u * (b - a) + v * (c - a)
            })
        })
    })
}

/// The hull of points around something with this volume. Of many points in a plane, parry's may
/// lose some: then it is grown corner by corner.
fn sound_hull(points: &[DVec3], volume: f64, size: f64) -> Option<Hull> {
    let hull = Hull::new(points).filter(|hull| volume_of(hull) >= 0.999 * volume);
    hull.or_else(|| grown(points, 1e-6 * size, u32::MAX))
}

fn hull_volume(points: &[DVec3]) -> f64 {
    Hull::new(points).map_or(0.0, |hull| volume_of(&hull))
}

fn volume_of(hull: &Hull) -> f64 {
    Convex::Hull(Box::new(hull.clone())).moments().volume
}

impl Decomposition {
    /// The decomposition of a mesh into hulls of these corners; none if all hulls are flat.
    pub fn new(mesh: &Mesh, corners: &[Vec<DVec3>]) -> Option<Self> {
        let part = |corners: &Vec<DVec3>| {
            let hull = Hull::new(corners)?;
            Some(ConvexPart { convex: Convex::Hull(Box::new(hull)), pose: Pose::IDENTITY })
        };
        let list: Vec<ConvexPart> = corners.iter().filter_map(part).collect();
        if list.is_empty() {
            return None;
        }
        let (low, high) = mesh.bounds();
        let size = (high - low).max_element();
        let volume: f64 = list.iter().map(|part| part.moments().volume).sum();
        let surfaces: Vec<MeshSurface> = list.iter().map(|part| MeshSurface::new(part.mesh(0))).collect();
        let outside = |surfaces: &[MeshSurface], point: DVec3| {
            surfaces.iter().map(|s| s.signed_distance(point)).fold(f64::INFINITY, f64::min)
        };
        let cut_off = mesh.vertices().iter().map(|vertex| outside(&surfaces, *vertex)).fold(0.0, f64::max);
        let pieces: Vec<MeshSurface> = closed_pieces(mesh).into_iter().map(MeshSurface::new).collect();
        let bulge = surfaces.iter().flat_map(|surface| {
            let mesh = surface.mesh();
            samples(mesh.vertices(), mesh.triangles(), size).map(|point| outside(&pieces, point))
        });
        let bulge = bulge.fold(0.0, f64::max);
        Some(Self { list, excess: volume / solid_moments(mesh).volume - 1.0, cut_off, bulge })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Model;
    use crate::geometry::test_meshes::{sphere, together};

    fn parts(mesh: &Mesh) -> Decomposition {
        Decomposition::new(mesh, &split(mesh, &Split::DEFAULT)).unwrap()
    }

    fn told(parts: &Decomposition) -> String {
        format!("{} parts: {} {} {}", parts.list.len(), parts.excess, parts.cut_off, parts.bulge)
    }

    fn cuboid(low: DVec3, high: DVec3) -> Mesh {
        let (middle, lengths) = (0.5 * (low + high), high - low);
        Model::Block { lengths }.mesh(0).unwrap().map(|vertex| vertex + middle).unwrap()
    }

    #[test]
    fn an_l_block_becomes_two_parts_exactly() {
        let model = Model::LBlock { lengths: DVec3::new(0.2, 0.2, 0.07), arm: 0.07 };
        let turn = glam::DQuat::from_rotation_z(0.4) * glam::DQuat::from_rotation_x(0.3);
        for mesh in [model.mesh(0).unwrap(), model.mesh(0).unwrap().map(|vertex| turn * vertex).unwrap()] {
            let parts = parts(&mesh);
            assert_eq!(parts.list.len(), 2);
            assert!(parts.excess.abs() < 1e-6 && parts.cut_off < 1e-9 && parts.bulge < 1e-9, "{}", told(&parts));
        }
    }

    #[test]
    fn boxes_that_stand_in_each_other_stay_boxes() {
        let seat = cuboid(DVec3::new(-0.2, -0.2, 0.4), DVec3::new(0.2, 0.2, 0.45));
        let leg = |x: f64, y: f64| cuboid(DVec3::new(x - 0.02, y - 0.02, 0.0), DVec3::new(x + 0.02, y + 0.02, 0.42));
        let back = cuboid(DVec3::new(-0.2, -0.2, 0.44), DVec3::new(-0.17, 0.2, 0.9));
        let legs = [leg(-0.17, -0.17), leg(0.17, -0.17), leg(-0.17, 0.17), leg(0.17, 0.17)];
        let chair = together(&[&[seat, back][..], &legs[..]].concat());
        let parts = parts(&chair);
        assert_eq!(parts.list.len(), 6);
        assert!(parts.excess.abs() < 1e-9 && parts.cut_off < 1e-9 && parts.bulge < 1e-9, "{}", told(&parts));
    }

    #[test]
    fn a_rock_that_fills_its_hull_is_one_part() {
        // A ball with dents: 0.6 % of its radius deep.
        let dent = |v: DVec3| 1.0 - 0.003 * (1.0 + (9.0 * v.x).sin() * (8.0 * v.y).cos() * (7.0 * v.z).sin());
        let rock = sphere(4).map(|v| v * dent(v) * DVec3::new(1.0, 0.8, 0.7)).unwrap();
        let parts = parts(&rock);
        assert_eq!(parts.list.len(), 1);
        assert!(parts.excess.abs() < 0.02 && parts.cut_off < 0.04 && parts.bulge < 0.04, "{}", told(&parts));
    }

    #[test]
    fn a_ring_keeps_its_hole_and_loses_nothing() {
        let parts = parts(&Model::Ring { radius: 0.2, tube: 0.05 }.mesh(32).unwrap());
        assert!((6..=20).contains(&parts.list.len()), "{}", parts.list.len());
        let hole = parts.list.iter().map(|part| MeshSurface::new(part.mesh(0)).signed_distance(DVec3::ZERO));
        assert!(hole.fold(f64::INFINITY, f64::min) > 0.135);
        assert!(parts.excess < 0.06 && parts.cut_off < 0.004 && parts.bulge < 0.008, "{}", told(&parts));
    }

    /// Thin walls with many vertices in a plane: none gets lost.
    #[test]
    fn a_cart_keeps_its_walls() {
        let parts = parts(&Model::Cart { length: 1.0 }.mesh(24).unwrap());
        assert!(parts.list.len() <= 32 && (-0.02..0.1).contains(&parts.excess), "{}", told(&parts));
        // Its longest side is 1.45 m.
        assert!(parts.cut_off < 0.03 && parts.bulge < 0.06, "{}", told(&parts));
    }
}
