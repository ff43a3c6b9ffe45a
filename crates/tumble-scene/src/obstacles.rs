//! `ground` and `[[obstacle]]`: planes, boxes and meshes, standing still or driven.

use std::path::Path as FilePath;

use glam::{DQuat, DVec3};
use tumble::geometry::Surface;
use tumble::world::{Obstacle, Path, Pose};

use crate::materials::Named;
use crate::placement;
use crate::text::{Range, TableReader};

/// Reads all obstacles; gives their names and where they stand in the file.
pub(crate) fn read<'a>(
    top: &TableReader<'a>,
    named: &Named,
    folder: &FilePath,
    obstacles: &mut Vec<Obstacle>,
) -> Vec<(String, TableReader<'a>)> {
    let mut readers = Vec::new();
    if let Some(height) = top.number("ground", Range::Within(-placement::REACH, placement::REACH)).optional() {
        let pose = Pose { position: DVec3::new(0.0, 0.0, height), ..Pose::IDENTITY };
        obstacles.push(Obstacle::new("ground", 0, Surface::Plane, Path::Fixed(pose)));
        readers.push(("ground".to_string(), *top));
    }
    for (number, table) in top.array_of_tables("obstacle").iter().enumerate() {
        let name = placement::name(table, "obstacle", number + 1, &readers);
        let material = named.material(table);
        let mut start = placement::pose(table);
        let motion = placement::motion(table);
        let surface = surface(table, folder, &mut start);
        let path = placement::path(table, start, motion);
        if let Some(surface) = surface {
            obstacles.push(Obstacle::new(&name, material, surface, path));
        }
        readers.push((name, *table));
    }
    readers
}

/// The geometry; a plane's normal turns the pose.
fn surface(table: &TableReader<'_>, folder: &FilePath, pose: &mut Pose) -> Option<Surface> {
    if !placement::exactly_one(table, &["plane", "box", "mesh"]) {
        return None;
    }
    if let Some(normal) = table.vector("plane").optional() {
        let Some(normal) = normal.try_normalize() else {
            table.problem_at("plane", "the normal of a plane must not be zero", "write plane = [0, 0, 1] for a floor");
            return None;
        };
        pose.orientation *= DQuat::from_rotation_arc(DVec3::Z, normal);
        return Some(Surface::Plane);
    }
    if let Some(size) = table.numbers::<3>("box", Range::Within(1e-9, placement::REACH)).optional() {
        return Some(Surface::Box(0.5 * DVec3::from(size)));
    }
    placement::mesh(table, folder).map(|mesh| Surface::Mesh(Box::new(mesh)))
}
