//! `[[body]]`: bodies with given pose and motion, one by one or in a grid.

use std::collections::BTreeSet;

use glam::DVec3;
use tumble::world::{NewBody, Pose, Shape, World};

use crate::materials::Named;
use crate::memory;
use crate::placement;
use crate::text::{Range, TableReader};

/// More bodies than this in one grid are a slip of the keyboard.
const MOST_IN_A_GRID: i64 = 2_000_000;

/// Adds all these bodies; gives their names and where they stand in the file.
pub(crate) fn read<'a>(top: &TableReader<'a>, named: &Named, world: &mut World) -> Vec<(String, TableReader<'a>)> {
    let (mut readers, mut taken) = (Vec::new(), BTreeSet::new());
    for (number, table) in top.array_of_tables("body").iter().enumerate() {
        let name = placement::name(table, "body", number + 1, &mut taken);
        let shape = named.shape(table);
        let size = table.number("size", placement::SIZES).or(1.0);
        let given = placement::pose(table);
        let first = NewBody {
            shape,
            material: named.soft_material(table),
            size,
            pose: named.shapes[shape.index()].placed(given, size),
            motion: placement::motion(table),
        };
        let places = grid(table, &named.shapes[shape.index()]);
        for (k, place) in places.iter().enumerate() {
            let pose = Pose { position: first.pose.position + given.orientation * *place, ..first.pose };
            world.add(NewBody { pose, ..first });
            let name = if places.len() == 1 { name.clone() } else { format!("{name} {}", k + 1) };
            if places.len() > 1 {
                taken.insert(name.clone());
            }
            readers.push((name, *table));
        }
    }
    readers
}

/// Places of the bodies of a grid, from the first, along the axes of the body; x runs fastest.
fn grid(table: &TableReader<'_>, shape: &Shape) -> Vec<DVec3> {
    let counts = table.integers::<3>("grid", Range::Within(1.0, MOST_IN_A_GRID as f64)).or([1; 3]);
    if counts == [1; 3] {
        return vec![DVec3::ZERO];
    }
    let spacing = placement::vector(table, "spacing").required();
    if counts.iter().try_fold(1i64, |all, count| all.checked_mul(*count)).is_none_or(|all| all > MOST_IN_A_GRID) {
        let what =
            format!("a grid of {} x {} x {} has more than {MOST_IN_A_GRID} bodies", counts[0], counts[1], counts[2]);
        table.problem_at("grid", what, "lower the counts, or use an [[emitter]] in a box");
        return vec![DVec3::ZERO];
    }
    let bodies = counts.iter().product::<i64>() as u64;
    let needed = memory::of_many(shape, bodies);
    if let Some(free) = memory::available().filter(|&free| needed > free) {
        let [needed, free] = [needed, free].map(|bytes| 1e-9 * bytes as f64);
        let what = format!("{bodies} bodies take about {needed:.1} GB of memory, and {free:.1} GB are free");
        table.problem_at("grid", what, "lower the counts");
        return vec![DVec3::ZERO];
    }
    let [x, y, z] = counts.map(|count| 0..count);
    let place = |x: i64, y: i64, z: i64| spacing * DVec3::new(x as f64, y as f64, z as f64);
    z.flat_map(|z| y.clone().map(move |y| (y, z))).flat_map(|(y, z)| x.clone().map(move |x| place(x, y, z))).collect()
}
