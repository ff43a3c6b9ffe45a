//! `[[pile]]`: heaps that get a chosen angle of repose.

use std::collections::BTreeSet;

use glam::{DVec2, DVec3};
use tumble::direct::pile::{PileSettings, Rule};
use tumble::geometry::Surface;
use tumble::world::World;

use crate::placement::{self, REACH};
use crate::text::{Range, TableReader};

/// Reads all piles.
pub(crate) fn read(top: &TableReader<'_>, world: &World) -> Vec<PileSettings> {
    let tables = top.array_of_tables("pile");
    let falls_down = world.gravity.truncate() == DVec2::ZERO && world.gravity.z < 0.0;
    if !tables.is_empty() && !falls_down {
        top.problem_at("gravity", "piles need a gravity along -z", "write gravity = [0, 0, -9.81], or leave it out");
    }
    let on_ground = world.obstacles.iter().find(|obstacle| matches!(obstacle.surface, Surface::Plane));
    let ground = on_ground.map_or(DVec3::ZERO, |plane| plane.pose.position).z;
    let mut taken = BTreeSet::new();
    tables
        .iter()
        .enumerate()
        .map(|(number, table)| {
            placement::name(table, "pile", number + 1, &mut taken);
            let angle = table.number("angle", Range::Within(5.0, 75.0)).required();
            let defaults = PileSettings::new(angle.to_radians());
            PileSettings {
                place: table.numbers::<2>("position", Range::Within(-REACH, REACH)).optional().map(DVec2::from),
                base: table.number("base", Range::Within(-REACH, REACH)).or(ground),
                rule: match table.choice("rule", &["shells", "layers", "local_layers"]).or("shells") {
                    "layers" => Rule::Layers,
                    "local_layers" => Rule::LocalLayers,
                    _ => Rule::Shells,
                },
                threshold: table.number("threshold", Range::Within(0.0, 1.0)).or(defaults.threshold),
                slow: table.number("slow", Range::Within(1e-3, 1e3)).or(defaults.slow),
                grace: table.number("grace", Range::Within(0.0, 1e3)).or(defaults.grace),
                angle: defaults.angle,
            }
        })
        .collect()
}
