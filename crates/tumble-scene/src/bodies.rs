//! `[[body]]`: single bodies with given pose and motion.

use tumble::world::{NewBody, Pose, World};

use crate::materials::Named;
use crate::placement;
use crate::text::TableReader;

/// Adds all single bodies; gives their names and where they stand in the file.
pub(crate) fn read<'a>(top: &TableReader<'a>, named: &Named, world: &mut World) -> Vec<(String, TableReader<'a>)> {
    let mut readers = Vec::new();
    for (number, table) in top.array_of_tables("body").iter().enumerate() {
        let name = placement::name(table, "body", number + 1, &readers);
        let shape = named.shape(table);
        let given = placement::pose(table);
        world.add(NewBody {
            shape,
            material: named.soft_material(table),
            size: table.number("size", placement::SIZES).or(1.0),
            pose: Pose { orientation: given.orientation * named.shapes[shape as usize].axes, ..given },
            motion: placement::motion(table),
        });
        readers.push((name, *table));
    }
    readers
}
