//! The gallery: scenes that come with tumble, inside the program, so that `tumble run heap` works
//! anywhere; and what makes each of them small.

use toml::{Table, Value};

use crate::spec::{Condition, ExpectSpec, Expectation, Quantity};
use crate::text::{Word, nearest};

/// Reduced runs of all scenes.
const REDUCED: &str = include_str!("../scenes/golden.toml");

/// Name and text of every scene, in the order of `tumble list`.
pub const SCENES: [(&str, &str); 44] = [
    ("bounce", include_str!("../scenes/bounce.toml")),
    ("heap", include_str!("../scenes/heap.toml")),
    ("box", include_str!("../scenes/box.toml")),
    ("plough", include_str!("../scenes/plough.toml")),
    ("fountain", include_str!("../scenes/fountain.toml")),
    ("hourglass", include_str!("../scenes/hourglass.toml")),
    ("rings", include_str!("../scenes/rings.toml")),
    ("rings_smooth", include_str!("../scenes/rings_smooth.toml")),
    ("splash", include_str!("../scenes/splash.toml")),
    ("avalanche", include_str!("../scenes/avalanche.toml")),
    ("bulldozer", include_str!("../scenes/bulldozer.toml")),
    ("hopper", include_str!("../scenes/hopper.toml")),
    ("hopper_large", include_str!("../scenes/hopper_large.toml")),
    ("jam", include_str!("../scenes/jam.toml")),
    ("collapse", include_str!("../scenes/collapse.toml")),
    ("tipping", include_str!("../scenes/tipping.toml")),
    ("push", include_str!("../scenes/push.toml")),
    ("trace", include_str!("../scenes/trace.toml")),
    ("pyramid", include_str!("../scenes/pyramid.toml")),
    ("crates", include_str!("../scenes/crates.toml")),
    ("l_blocks", include_str!("../scenes/l_blocks.toml")),
    ("drop", include_str!("../scenes/drop.toml")),
    ("varying_drops", include_str!("../scenes/varying_drops.toml")),
    ("two_piles", include_str!("../scenes/two_piles.toml")),
    ("bunny_matrix", include_str!("../scenes/bunny_matrix.toml")),
    ("ridge", include_str!("../scenes/ridge.toml")),
    ("ring_box", include_str!("../scenes/ring_box.toml")),
    ("ten_thousand", include_str!("../scenes/ten_thousand.toml")),
    ("sizes", include_str!("../scenes/sizes.toml")),
    ("broken_pile", include_str!("../scenes/broken_pile.toml")),
    ("sand_pile", include_str!("../scenes/sand_pile.toml")),
    ("ring_toss", include_str!("../scenes/ring_toss.toml")),
    ("rabbits", include_str!("../scenes/rabbits.toml")),
    ("crosses", include_str!("../scenes/crosses.toml")),
    ("building", include_str!("../scenes/building.toml")),
    ("city", include_str!("../scenes/city.toml")),
    ("cards", include_str!("../scenes/cards.toml")),
    ("arch", include_str!("../scenes/arch.toml")),
    ("dominoes", include_str!("../scenes/dominoes.toml")),
    ("fine_pile", include_str!("../scenes/fine_pile.toml")),
    ("rocket_splash", include_str!("../scenes/rocket_splash.toml")),
    ("poured_rabbit", include_str!("../scenes/poured_rabbit.toml")),
    ("snow", include_str!("../scenes/snow.toml")),
    ("popcorn", include_str!("../scenes/popcorn.toml")),
];

/// The scene with this name.
pub fn find(name: &str) -> Option<(&'static str, &'static str)> {
    SCENES.into_iter().find(|(known, _)| *known == name)
}

/// A scene of the gallery made small, so that it runs in about a second.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced {
    /// Changes of the scene, as `--set` takes them.
    pub set: Vec<String>,
    /// Promises of the small scene, in place of those of the large one.
    pub expect: ExpectSpec,
}

/// The reduced run of the scene with this name.
pub fn reduced(name: &str) -> Option<Reduced> {
    let all: Table = REDUCED.parse().ok()?;
    let entry = all.get(name)?;
    let set = entry.get("set").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let promise = |(word, condition): (&String, &Value)| {
        let quantity = Quantity::WORDS.iter().find(|(known, _)| known == word)?.1;
        Some(Expectation { quantity, condition: Condition::new(condition.as_str()?)? })
    };
    let promises: Option<Vec<_>> = entry.get("expect")?.as_table()?.iter().map(promise).collect();
    Some(Reduced {
        set: set.iter().map(|change| change.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        expect: ExpectSpec { promises: promises? },
    })
}

/// The name that is most like this one, if any is.
pub fn similar(name: &str) -> Option<&'static str> {
    let names: Vec<&'static str> = SCENES.iter().map(|(name, _)| *name).collect();
    nearest(name, &names)
}
