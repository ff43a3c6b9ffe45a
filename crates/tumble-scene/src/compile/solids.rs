//! Meshes as solids: read from files, mended, covered with spheres, split into convex parts.

use std::path::Path;

use tumble::ShapeNeeds;
use tumble::geometry::{self, ConvexPart, Cover, Decomposition, Mesh, Split};
use tumble::world::ShapeSphere;

use crate::findings::Findings;
use crate::mesh::read_mesh;
use crate::scene::Note;
use crate::spec::{CoverSpec, MeshSpec, REACH, SplitSpec};
use crate::splits::Splits;

/// Inputs of making solids, and the notes and problems it leaves behind.
pub(super) struct Solids<'a> {
    /// Where mesh files are looked for.
    pub(super) folder: &'a Path,
    /// Whether meshes with holes are mended.
    pub(super) repair: bool,
    /// Which geometries the solver touches by; others are not made.
    pub(super) needs: ShapeNeeds,
    /// Meshes that are split already.
    pub(super) splits: Splits,
    /// Notes and warnings about them.
    pub(super) notes: Vec<Note>,
    pub(super) findings: &'a mut Findings,
}

/// From this share of a thing on that was mended or left out, people are warned.
const NOTABLE: f64 = 0.02;

impl Solids<'_> {
    fn note(&mut self, is_warning: bool, text: String) {
        self.notes.push(Note { text, is_warning });
    }

    /// The mesh of a file at its scale. Its content becomes part of the scene.
    pub(super) fn read(&mut self, path: &str, spec: &mut MeshSpec) -> Option<Mesh> {
        let read = match read_mesh(&self.folder.join(&spec.file)) {
            Ok(read) => read,
            Err(problem) => {
                self.findings.at(format!("{path}.mesh"), problem.to_string(), "");
                return None;
            }
        };
        let content = format!("{:016x}", read.content_hash);
        if *spec.hash.get_or_insert_with(|| content.clone()) != content {
            let what = format!("{} is not the mesh this scene was resolved with", spec.file);
            self.findings.at(format!("{path}.mesh_hash"), what, "restore the file, or remove `mesh_hash`");
        }
        let scaled = read.mesh.map(|vertex| spec.scale * vertex).map_err(|problem| problem.to_string());
        let within = |mesh: &Mesh| mesh.vertices().iter().all(|vertex| vertex.abs().max_element() <= REACH);
        let scaled = scaled
            .and_then(|mesh| if within(&mesh) { Ok(mesh) } else { Err(format!("it reaches beyond {REACH:e} m")) });
        match scaled {
            Ok(mesh) => Some(mesh),
            Err(problem) => {
                let what = format!("{} at this scale: {problem}", spec.file);
                self.findings.at(format!("{path}.scale"), what, "choose another scale");
                None
            }
        }
    }

    /// The mesh as a closed solid, mended if that is asked for and can be done; `path` is that of
    /// the mesh.
    pub(super) fn closed(&mut self, whose: &str, path: &str, mesh: Mesh) -> Option<Mesh> {
        let Err(problem) = geometry::check_solid(&mesh) else { return Some(mesh) };
        if !self.repair {
            let help = "mend the mesh, or let tumble try: write repair = true at the top, or run with --repair";
            self.findings.at(path, format!("the mesh is no solid: {problem}"), help);
            return None;
        }
        match geometry::repair(&mesh) {
            Ok((mended, repair)) => {
                let lids = (1.0 - area(&mesh) / area(&mended)).max(0.0);
                let closed = if repair.closed == 0 {
                    String::new()
                } else {
                    format!(
                        "; what closes holes is {:.1} % of its surface, and behind it the mesh is solid",
                        100.0 * lids
                    )
                };
                self.note(lids >= NOTABLE, format!("{whose}: the mesh was mended: {repair}{closed}"));
                Some(mended)
            }
            Err(problem) => {
                let what = format!("the mesh cannot be mended: {problem}");
                self.findings.at(path, what, "mend it in a modelling program");
                None
            }
        }
    }

    /// The spheres of a cover on a solid; `path` is that of the cover.
    pub(super) fn covered(
        &mut self,
        whose: &str,
        path: &str,
        spec: &mut CoverSpec,
        mesh: &Mesh,
    ) -> Option<Vec<ShapeSphere>> {
        let (low, high) = mesh.bounds();
        let radius = *spec.radius.get_or_insert(0.05 * (high - low).max_element());
        let offset = *spec.offset.get_or_insert(-radius);
        let CoverSpec { density, seed, .. } = *spec;
        let covered = match geometry::cover(mesh, &Cover { radius, density, offset, seed }) {
            Ok(covered) => covered,
            Err(problem) => {
                let help = "choose another `radius` or `offset` of the cover";
                self.findings.at(format!("{path}.radius"), problem.to_string(), help);
                return None;
            }
        };
        if covered.farthest > BARE * radius {
            let what = format!(
                "the cover of {whose} has no spheres at some part: the surface there is up to {:.4} m from the nearest one, and would fall through everything",
                covered.farthest
            );
            let help = "lower `radius`: spheres must fit into its thinnest part, or raise `offset` towards zero";
            self.findings.at(format!("{path}.radius"), what, help);
            return None;
        }
        let far = covered.farthest / radius;
        if far > FAR {
            let text = format!(
                "{whose}: its cover of spheres is up to {:.4} m ({far:.1} of their radii) away from the surface; lower `cover.radius` where that is too much",
                covered.farthest
            );
            self.note(true, text);
        }
        let gap = covered.largest_gap / (radius * EVEN_GAP / density.sqrt());
        if gap > UNEVEN {
            let still = if covered.still { "" } else { "; the spheres had not come to rest" };
            let text = format!(
                "{whose}: its cover has a hole: a point of it is {:.4} m from the next sphere's centre, {gap:.1} times as far as usual{still}",
                covered.largest_gap
            );
            self.note(true, text);
        }
        Some(covered.centres.into_iter().map(|offset| ShapeSphere { offset, radius }).collect())
    }

    /// A closed mesh as convex parts; `path` is that of the split.
    pub(super) fn split(&mut self, whose: &str, path: &str, spec: &SplitSpec, mesh: &Mesh) -> Option<Vec<ConvexPart>> {
        let &SplitSpec { concavity, most_parts, most_corners } = spec;
        let how = Split { concavity, most_parts, most_corners };
        let Some(parts) = Decomposition::new(mesh, self.splits.of(mesh, &how)) else {
            let what = "the mesh could not be split into convex parts";
            let help = "mend the mesh in a modelling program: it may be flat";
            self.findings.at(format!("{path}.concavity"), what, help);
            return None;
        };
        let Decomposition { list, excess, cut_off, bulge } = parts;
        let (low, high) = mesh.bounds();
        let percent = |distance: f64| 100.0 * distance / (high - low).max_element();
        let (count, s) = (list.len(), if list.len() == 1 { "" } else { "s" });
        let is_notable = excess.abs() >= NOTABLE || cut_off.max(bulge) >= NOTABLE * (high - low).max_element();
        let text = format!(
            "{whose}: {count} convex part{s}; their volume is {:+.1} % off, they leave out {:.1} % of its size at most and stick out by {:.1} %",
            100.0 * excess,
            percent(cut_off),
            percent(bulge),
        );
        self.note(is_notable, text);
        Some(list)
    }
}

/// Where the surface is farther than this from every sphere of its cover, there is a warning;
/// farther than the second, there are no spheres to speak of \[radii of the spheres\]. The corner
/// of a cube is 0.73 away, that of a tetrahedron 2.
const FAR: f64 = 1.5;
const BARE: f64 = 4.0;

/// An even cover of density one has gaps of 1.1 radii, from a point to the next centre; a warning
/// from so many times that on.
const EVEN_GAP: f64 = 1.1;
const UNEVEN: f64 = 1.8;

/// Area of a mesh \[m²\].
fn area(mesh: &Mesh) -> f64 {
    let triangle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| mesh.vertices()[v as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    mesh.triangles().iter().map(triangle).sum()
}
