//! `[[emitter]]`: bodies made over time, at a point or filling a region.

use std::collections::BTreeSet;
use std::path::Path as FilePath;

use glam::DVec3;
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::MeshSurface;
use tumble::world::{Motion, Pose};

use crate::materials::Named;
use crate::models::{self, Standing};
use crate::placement;
use crate::text::{Range, TableReader};

/// Reads all emitters, which may fill models that stand in the scene; gives also their names and where they are in the file.
pub(crate) fn read<'a>(
    top: &TableReader<'a>,
    named: &Named,
    folder: &FilePath,
    models: &[Standing],
    obstacles: &[(String, TableReader<'_>)],
) -> (Vec<Emitter>, Vec<(String, TableReader<'a>)>) {
    let (mut emitters, mut readers, mut taken) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (number, table) in top.array_of_tables("emitter").iter().enumerate() {
        let name = placement::name(table, "emitter", number + 1, &mut taken);
        let mut emitter = Emitter {
            name: name.clone(),
            shape: named.shape(table),
            material: named.soft_material(table),
            count: table.integer("count", Range::Within(1.0, 1e9)).required() as u64,
            size: size(table),
            when: when(table),
            orientation: placement::rotation(table),
            motion: placement::motion(table),
            jitter: jitter(table),
            place: Place::Point { path: tumble::world::Path::Fixed(Pose::IDENTITY), spread: 0.0 },
        };
        let (When::AtOnce(start) | When::Rate { start, .. }) = emitter.when;
        let cavity = || models::cavity(table, start, models, obstacles);
        emitter.place = place(table, folder, cavity).unwrap_or(emitter.place);
        if matches!((&emitter.place, emitter.when), (Place::Point { .. }, When::AtOnce(_))) && emitter.count > 1 {
            let help = "add `rate`, or fill a `box`, a `mesh` or the `inside` of something instead";
            table.problem_at("point", "several bodies cannot be born at one point at once", help);
        }
        let smallest = 2.0 * named.shapes[emitter.shape.index()].bounding_radius * emitter.size[0];
        if let Place::Region { pattern: Pattern::Lattice(Some(spacing)), .. } = emitter.place
            && spacing < smallest
        {
            let what = format!("a spacing of {spacing} m is less than the smallest body is wide, {smallest} m");
            table.problem_at("spacing", what, "leave `spacing` out to pack the bodies as close as they fit");
        }
        emitters.push(emitter);
        readers.push((name, *table));
    }
    (emitters, readers)
}

fn size(table: &TableReader<'_>) -> [f64; 2] {
    let size = table.numbers::<2>("size", placement::SIZES).or([1.0, 1.0]);
    if size[1] < size[0] {
        table.problem_at("size", "the largest size comes before the smallest", "write size = [smallest, largest]");
    }
    size
}

fn when(table: &TableReader<'_>) -> When {
    let start = table.number("start", Range::AtLeast(0.0)).or(0.0);
    match table.number("rate", Range::Above(0.0)).optional() {
        Some(per_second) => When::Rate { per_second, start },
        None => When::AtOnce(start),
    }
}

fn jitter(table: &TableReader<'_>) -> Jitter {
    let jitter = table.table("jitter");
    Jitter {
        position: placement::extent(&jitter, "position").or(0.0),
        velocity: placement::extent(&jitter, "velocity").or(0.0),
        spin: placement::extent(&jitter, "spin").or(0.0).to_radians(),
        orientation: jitter.boolean("orientation").or(false),
    }
}

fn place(table: &TableReader<'_>, folder: &FilePath, cavity: impl FnOnce() -> Option<MeshSurface>) -> Option<Place> {
    if !placement::exactly_one(table, &["point", "box", "mesh", "inside"]) {
        return None;
    }
    if let Some(point) = placement::vector(table, "point").optional() {
        let spread = placement::extent(table, "spread").or(0.0);
        // The point moves by keys or at a constant velocity of its own; `velocity` is that of the bodies.
        let drift = Motion { velocity: placement::vector(table, "drift").or(DVec3::ZERO), spin: DVec3::ZERO };
        let at = |position: DVec3| Pose { position, ..Pose::IDENTITY };
        let path = placement::path(table, Some(at(point)), drift, |key| Pose {
            position: placement::vector(key, "position").or(DVec3::ZERO),
            ..Pose::IDENTITY
        });
        return Some(Place::Point { path, spread });
    }
    let region = if table.has("box") {
        region_box(table)?
    } else if table.has("inside") {
        Region::Mesh(Box::new(cavity()?))
    } else {
        region_mesh(table, folder)?
    };
    let spacing = table.number("spacing", Range::Above(0.0)).optional();
    let pattern = match table.choice("pattern", &["lattice", "random"]).or("lattice") {
        "random" => {
            if spacing.is_some() {
                table.problem_at("spacing", "a random pattern has no spacing", "remove `spacing` or `pattern`");
            }
            Pattern::Random
        }
        _ => Pattern::Lattice(spacing),
    };
    Some(Place::Region { region, pattern })
}

fn region_box(table: &TableReader<'_>) -> Option<Region> {
    let corners = table.subtable("box")?;
    let (low, high) = (placement::vector(&corners, "low").required(), placement::vector(&corners, "high").required());
    if !low.cmplt(high).all() {
        corners.problem_at("low", "`low` must be below `high` in every direction", "swap the two corners");
        return None;
    }
    Some(Region::Box { low, high })
}

fn region_mesh(table: &TableReader<'_>, folder: &FilePath) -> Option<Region> {
    let mesh = placement::mesh(table, folder)?;
    if !mesh.is_closed() {
        let what = "the mesh is not closed, so it has no inside to fill";
        table.problem_at("mesh", what, "close its holes, or fill a `box` instead");
        return None;
    }
    Some(Region::Mesh(Box::new(mesh)))
}
