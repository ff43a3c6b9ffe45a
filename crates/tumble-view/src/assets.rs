//! The page's files, inside the program.

use crate::response::Response;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Names a file of the folder `page`, its type and its content.
macro_rules! page {
    ($($name:literal $kind:ident),* $(,)?) => {
        [$(($name, $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

const FILES: [(&str, &str, &str); 29] = page![
    "index.html" HTML,
    "style.css" CSS,
    "icon.svg" PICTURE,
    "main.js" SCRIPT,
    "automation.js" SCRIPT,
    "camera.js" SCRIPT,
    "clock.js" SCRIPT,
    "cloud.js" SCRIPT,
    "colour.js" SCRIPT,
    "draw.js" SCRIPT,
    "finish.js" SCRIPT,
    "frames.js" SCRIPT,
    "gl.js" SCRIPT,
    "help.js" SCRIPT,
    "keys.js" SCRIPT,
    "layout.js" SCRIPT,
    "matrix.js" SCRIPT,
    "mesh.js" SCRIPT,
    "message.js" SCRIPT,
    "overlays.js" SCRIPT,
    "panel.js" SCRIPT,
    "particles.js" SCRIPT,
    "pointer.js" SCRIPT,
    "recording.js" SCRIPT,
    "scene.js" SCRIPT,
    "settings.js" SCRIPT,
    "shaders.js" SCRIPT,
    "timeline.js" SCRIPT,
    "view.js" SCRIPT,
];

/// The file of the page with this name; the empty name is the page itself.
pub(crate) fn find(name: &str) -> Option<Response> {
    let name = if name.is_empty() { "index.html" } else { name };
    FILES.iter().find(|file| file.0 == name).map(|&(_, kind, text)| Response::new(kind, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_inside_and_every_script_is_used() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(find(&name).is_some(), "{name} is not in the program");
            let is_named = |text: &str| text.contains(&format!("/{name}\"")) || text.contains(&format!("\"{name}\""));
            let is_used = FILES.iter().any(|file| is_named(file.2));
            assert!(is_used || name == "index.html", "nothing loads {name}");
        }
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        for (name, _, text) in FILES {
            let addresses =
                text.match_indices("://").map(|(at, _)| &text[at.saturating_sub(5)..(at + 25).min(text.len())]);
            let foreign: Vec<&str> = addresses.filter(|address| !address.contains("www.w3.org")).collect();
            assert!(foreign.is_empty(), "{name}: {foreign:?}");
        }
    }
}
