//! How much memory a scene will take, and how much there is, where the system tells.

use tumble::emit::Emitter;
use tumble::world::{Shape, ShapeId, World};

/// Memory of a body of the granular solver, and of each of its spheres, with its contacts and its
/// places in lists and frames \[byte\]. Measured: 2.05 kB for spheres in a heap.
const GRAIN: u64 = 1850;
const SPHERE: u64 = 200;

/// The same of the rigid solver, and of each convex part \[byte\]: 1.5 kB measured for boxes apart,
/// and room for contacts.
const SOLID: u64 = 2500;
const PART: u64 = 500;

/// Memory that the bodies of a scene take, those included that will be born \[byte\].
pub(crate) fn of_bodies(world: &World, emitters: &[Emitter]) -> u64 {
    let of = |shape: ShapeId, count: u64| of_many(&world.shapes[shape.index()], count);
    let there = world.bodies.traits.iter().map(|traits| of(traits.shape, 1));
    let born = emitters.iter().map(|emitter| of(emitter.shape, emitter.count));
    there.chain(born).fold(0, u64::saturating_add)
}

/// Memory that so many bodies of a shape take \[byte\].
pub(crate) fn of_many(shape: &Shape, count: u64) -> u64 {
    let each = match shape.parts.len() as u64 {
        0 => GRAIN,
        parts => SOLID + PART * parts,
    };
    let each = each + SPHERE * shape.spheres.len() as u64;
    each.saturating_mul(count)
}

/// Memory that can be had without taking it from others \[byte\]: what the system has left, within
/// the limits of this process and of the group it belongs to.
pub fn available() -> Option<u64> {
    let read = |file: &str| std::fs::read_to_string(file).ok();
    let free =
        read("/proc/meminfo").and_then(|text| number_after(&text, "MemAvailable:")).map(|kilobytes| 1024 * kilobytes);
    let address_space = read("/proc/self/limits").and_then(|text| number_after(&text, "Max address space"));
    let group = |file: &str| read(&format!("/sys/fs/cgroup/{file}")).and_then(|text| text.trim().parse().ok());
    let in_group = group("memory.max").map(|most: u64| most.saturating_sub(group("memory.current").unwrap_or(0)));
    [free, address_space, in_group].into_iter().flatten().min()
}

/// The first number on the line of a text that begins with these words.
fn number_after(text: &str, words: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(words))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_where_there_are_some() {
        let limits = "Max cpu time              unlimited            unlimited            seconds\n\
                      Max address space         20480000000          unlimited            bytes\n";
        assert_eq!(number_after(limits, "Max address space"), Some(20_480_000_000));
        assert_eq!(number_after(limits, "Max cpu time"), None);
        assert_eq!(number_after("MemTotal: 9 kB\nMemAvailable:   24 kB\n", "MemAvailable:"), Some(24));
    }
}
