//! The gallery: scenes that come with tumble, inside the program, so that `tumble run heap` works anywhere.

use crate::text::nearest;

/// Name and text of every scene, in the order of `tumble list`.
pub const SCENES: [(&str, &str); 5] = [
    ("bounce", include_str!("../../../scenes/bounce.toml")),
    ("heap", include_str!("../../../scenes/heap.toml")),
    ("box", include_str!("../../../scenes/box.toml")),
    ("plough", include_str!("../../../scenes/plough.toml")),
    ("fountain", include_str!("../../../scenes/fountain.toml")),
];

/// The scene with this name.
pub fn find(name: &str) -> Option<(&'static str, &'static str)> {
    SCENES.into_iter().find(|(known, _)| *known == name)
}

/// The name that is most like this one, if any is.
pub(crate) fn similar(name: &str) -> Option<&'static str> {
    let names: Vec<&'static str> = SCENES.iter().map(|(name, _)| *name).collect();
    nearest(name, &names)
}
