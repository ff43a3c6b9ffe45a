//! Convex solids in a scene: `box`, `capsule`, `cylinder`, `hull`, several of them as `[[….part]]`, and meshes that are split into them.

use glam::DVec3;
use tumble::geometry::{Convex, ConvexPart, Hull, Mesh, Parts, Split};
use tumble::world::Pose;

use crate::placement;
use crate::shapes::{NOTABLE, Solids};
use crate::text::{Range, TableReader};

/// Words for a convex solid.
pub(crate) const KINDS: [&str; 4] = ["box", "capsule", "cylinder", "hull"];

/// Lengths of solids \[m\].
const LENGTHS: Range = Range::Within(1e-9, placement::REACH);

/// The smallest length of a solid, relative to its largest. What is thinner has no inertia about
/// its long axis but rounding.
const THINNEST: f64 = 1e-6;

/// Reports a solid that is too thin for its length; true if it is not.
fn is_thick(table: &TableReader<'_>, key: &str, lengths: &[f64]) -> bool {
    let [least, most] = lengths.iter().fold([f64::INFINITY, 0.0], |[a, b], &length| [length.min(a), length.max(b)]);
    let is_thick = least >= THINNEST * most;
    if !is_thick {
        let what = format!("a solid that is {most} m long cannot be only {least:e} m thick");
        table.problem_at(key, what, "make it at least a millionth as thick as it is long");
    }
    is_thick
}

/// The one solid of a table, or all its parts.
pub(crate) fn parts(table: &TableReader<'_>) -> Option<Vec<ConvexPart>> {
    if !table.has("part") {
        return Some(vec![ConvexPart { convex: convex(table)?, pose: Pose::IDENTITY }]);
    }
    let tables = table.array_of_tables("part");
    if tables.is_empty() {
        // Whatever else stands there was named when it was read.
        if table.is_array("part") {
            table.problem_at(
                "part",
                "a solid of parts has at least one",
                "write [[shape.NAME.part]] with a solid in it",
            );
        }
        return None;
    }
    let part = |table: &TableReader<'_>| {
        let mut kinds = KINDS.to_vec();
        kinds.push("ball");
        if !placement::exactly_one(table, &kinds) {
            return None;
        }
        let ball = table.number("ball", LENGTHS).optional().map(Convex::Ball);
        Some(ConvexPart { convex: ball.or_else(|| convex(table))?, pose: placement::pose(table) })
    };
    tables.iter().map(part).collect()
}

fn convex(table: &TableReader<'_>) -> Option<Convex> {
    if let Some(lengths) = table.numbers::<3>("box", LENGTHS).optional() {
        return is_thick(table, "box", &lengths).then(|| Convex::Box(0.5 * DVec3::from(lengths)));
    }
    if let Some(capsule) = table.subtable("capsule") {
        let radius = capsule.number("radius", LENGTHS).required();
        // The length is that of the whole, with both caps.
        let length = capsule.number("length", LENGTHS).required();
        if length < 2.0 * radius {
            let what = format!("a capsule that is {length} m long cannot have a radius of {radius} m");
            capsule.problem_at("length", what, "it is as long as two radii at least: then it is a ball");
            return None;
        }
        let is_thick = is_thick(&capsule, "radius", &[2.0 * radius, length]);
        return is_thick.then_some(Convex::Capsule { radius, half: 0.5 * length - radius });
    }
    if let Some(cylinder) = table.subtable("cylinder") {
        let radius = cylinder.number("radius", LENGTHS).required();
        let height = cylinder.number("height", LENGTHS).required();
        let is_thick = is_thick(&cylinder, "radius", &[2.0 * radius, height]);
        return is_thick.then_some(Convex::Cylinder { radius, half: 0.5 * height });
    }
    let points = table.vector_list("hull", Range::Within(-placement::REACH, placement::REACH)).optional()?;
    match Hull::new(&points) {
        Some(hull) => Some(Convex::Hull(Box::new(hull))),
        None => {
            let what = "a hull needs at least four points that do not lie in a plane, or nearly so";
            table.problem_at("hull", what, "write hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]");
            None
        }
    }
}

/// A closed mesh as convex parts, as `convex` of its table says.
pub(crate) fn split(name: &str, table: &TableReader<'_>, mesh: &Mesh, solids: &Solids<'_>) -> Option<Vec<ConvexPart>> {
    let convex = table.table("convex");
    let usual = Split::DEFAULT;
    let whole = |key: &str, range: [f64; 2], usual: u32| {
        convex.integer(key, Range::Within(range[0], range[1])).or(i64::from(usual)) as u32
    };
    let how = Split {
        concavity: convex.number("concavity", Range::Within(0.001, 1.0)).or(usual.concavity),
        most_parts: whole("most_parts", [1.0, 1000.0], usual.most_parts),
        most_corners: whole("most_corners", [4.0, 1000.0], usual.most_corners),
    };
    let Some(parts) = Parts::new(mesh, solids.splits.borrow_mut().of(mesh, &how)) else {
        let what = "the mesh could not be split into convex parts";
        convex.problem_at("concavity", what, "mend the mesh in a modelling program: it may be flat");
        return None;
    };
    let Parts { list, excess, cut_off, bulge } = parts;
    let (low, high) = mesh.bounds();
    let percent = |distance: f64| 100.0 * distance / (high - low).max_element();
    let (count, s) = (list.len(), if list.len() == 1 { "" } else { "s" });
    let is_notable = excess.abs() >= NOTABLE || cut_off.max(bulge) >= NOTABLE * (high - low).max_element();
    let text = format!(
        "shape {name}: {count} convex part{s}; their volume is {:+.1} % off, they leave out {:.1} % of its size at most and stick out by {:.1} %",
        100.0 * excess,
        percent(cut_off),
        percent(bulge),
    );
    solids.note(is_notable, text);
    Some(list)
}
