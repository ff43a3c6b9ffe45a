//! Clumps, objects, laws and integrators in scene files: what they become, and what is refused with
//! which words.

use std::path::{Path, PathBuf};

use glam::DVec3;
use tumble::granular::Law;
use tumble_scene::{Scene, SceneError, load_text};

use crate::cubes;

fn load(text: &str, folder: &Path, sets: &[String]) -> Result<Scene, SceneError> {
    load_text("scene", "scene.toml", text, folder, sets)
}

fn good(text: &str) -> Scene {
    load(text, Path::new("."), &[]).unwrap_or_else(|problem| panic!("{text}\n{problem}"))
}

#[track_caller]
fn refused(text: &str, words: &[&str]) {
    let problem = load(text, Path::new("."), &[]).expect_err(text).to_string();
    for word in words {
        assert!(problem.contains(word), "{text}\nsays\n{problem}\nwithout {word:?}");
    }
}

/// A cube of eight spheres that overlap: the volume is that of the union, and the body stands as it
/// was written.
#[test]
fn clumps_have_the_mass_of_what_they_fill() {
    let text = "[shape.die]\nclump = \"cube\"\nradius = 0.01\noverlap = 0.1\n[[body]]\nposition = [0, 0, 1]\n";
    let scene = good(text);
    let shape = &scene.simulation.world().shapes[0];
    assert_eq!(shape.spheres.len(), 8);
    // Eight balls less twelve lenses of two caps of height h = r/10: π h² (3r - h)/3 each.
    let (r, h) = (0.01f64, 0.001f64);
    let pi = std::f64::consts::PI;
    let expected = 8.0 * 4.0 / 3.0 * pi * r.powi(3) - 12.0 * 2.0 * pi * h * h * (3.0 * r - h) / 3.0;
    assert!((shape.volume - expected).abs() < 1e-12 * expected, "{} {expected}", shape.volume);
    let mass = scene.simulation.world().bodies.inertia[0].mass;
    assert!((mass - 2500.0 * expected).abs() < 1e-9 * mass);
}

/// A clump that is given askew keeps its place in space: principal axes are the engine's own
/// affair.
#[test]
fn a_given_clump_stands_as_it_is_written() {
    let text = "[[shape.bone.sphere]]\nposition = [0.01, 0.02, 0]\nradius = 0.01\n[[shape.bone.sphere]]\nposition = [-0.02, -0.03, 0.01]\n\
                radius = 0.005\n[[body]]\nposition = [1, 0, 0]\nrotation = [0, 0, 90]\n";
    let scene = good(text);
    let world = scene.simulation.world();
    let spheres: Vec<(DVec3, f64)> = world.spheres(0).collect();
    // Turned by 90° about z, (x, y) becomes (-y, x).
    let apart = spheres[1].0 - spheres[0].0;
    assert!((apart - DVec3::new(0.05, -0.03, 0.01)).length() < 1e-12, "{apart}");
    // And the origin of its numbers, not its centre of mass, is where the body was put.
    assert!((spheres[0].0 - DVec3::new(0.98, 0.01, 0.0)).length() < 1e-12, "{}", spheres[0].0);
}

#[test]
fn bad_clumps_are_refused() {
    refused("shape.x.sphere = []\n[[body]]\n", &["at least one sphere", "[[shape.NAME.sphere]]"]);
    refused("[[shape.x.sphere]]\nradius = 0\n[[body]]\n", &["`radius` must be"]);
    refused("[shape.x]\nclump = \"cube\"\noverlap = 1\n[[body]]\n", &["`overlap` must be"]);
    refused("[shape.x]\nclump = \"cone\"\n[[body]]\n", &["tetrahedron", "centred_cube"]);
    refused("[shape.x]\nclump = \"cube\"\nmesh = \"a.obj\"\n[[body]]\n", &["needs one of", "clump and mesh"]);
    refused("[shape.x]\ncover = { radius = 0.1 }\n[[body]]\n", &["needs one of", "mesh"]);
}

/// A folder with a cube, a cube without one of its faces, and one that is inside out. Tests run at
/// the same time, so each `test` writes into a folder of its own.
fn meshes(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inputs").join(test);
    std::fs::create_dir_all(&folder).unwrap();
    let whole = cubes::obj();
    let faces: Vec<&str> = whole.lines().filter(|line| line.starts_with("f ")).collect();
    let vertices: String =
        whole.lines().filter(|line| line.starts_with("v ")).map(|line| format!("{line}\n")).collect();
    let open = format!("{vertices}{}", faces[1..].join("\n"));
    let turned = |face: &&str| {
        let mut corners: Vec<&str> = face.split(' ').skip(1).collect();
        corners.reverse();
        format!("f {}\n", corners.join(" "))
    };
    let inside_out = format!("{vertices}{}", faces.iter().map(turned).collect::<String>());
    for (name, text) in [("whole.obj", &whole), ("open.obj", &open), ("inside_out.obj", &inside_out)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder
}

/// Covers and splits cost seconds: a scene makes those that its solver needs.
#[test]
fn solvers_get_what_they_touch_by() {
    let folder = meshes("solvers_get_what_they_touch_by");
    let text = "[shape.die]\nmesh = \"whole.obj\"\n[[body]]\nposition = [0, 0, 5]\n";
    for (solver, has_spheres) in [("granular", true), ("rigid", false)] {
        let text = format!("solver = \"{solver}\"\n{text}");
        let scene = load(&text, &folder, &[]).unwrap_or_else(|problem| panic!("{problem}"));
        let shape = &scene.simulation.world().shapes[0];
        assert_eq!(!shape.spheres.is_empty(), has_spheres, "{solver}");
        assert_eq!(shape.parts.is_empty(), has_spheres, "{solver}");
        assert_eq!(scene.splits.is_empty(), has_spheres, "{solver}: meshes that were split");
    }
}

#[test]
fn objects_need_a_closed_mesh_or_are_mended() {
    let folder = meshes("objects_need_a_closed_mesh_or_are_mended");
    let text = |mesh: &str| {
        format!("[shape.die]\nmesh = \"{mesh}\"\ncover = {{ radius = 0.1 }}\n[[body]]\nposition = [0, 0, 5]\n")
    };
    let whole = load(&text("whole.obj"), &folder, &[]).unwrap_or_else(|problem| panic!("{problem}"));
    let volume = whole.simulation.world().shapes[0].volume;
    assert!(whole.simulation.world().shapes[0].spheres.len() > 10);
    assert!(whole.simulation.world().shapes[0].mesh.is_some());
    for mesh in ["open.obj", "inside_out.obj"] {
        let problem = load(&text(mesh), &folder, &[]).expect_err(mesh).to_string();
        assert!(problem.contains("no solid") && problem.contains("--repair"), "{problem}");
        let mended = load(&text(mesh), &folder, &["repair=true".into()]).unwrap_or_else(|problem| panic!("{problem}"));
        let got = mended.simulation.world().shapes[0].volume;
        assert!((got - volume).abs() < 1e-9 * volume, "{mesh}: {got} instead of {volume}");
        // The note tells what was mended; lids over a sixth of the surface make it a warning.
        let [note] = mended.notes.as_slice() else { panic!("{:?}", mended.notes) };
        assert!(note.text.contains("shape die: the mesh was mended"), "{note:?}");
        assert_eq!(note.is_warning, mesh == "open.obj", "{note:?}");
        assert_eq!(note.text.contains("closed 1 hole") && note.text.contains("16.7 %"), mesh == "open.obj", "{note:?}");
    }
    assert!(whole.notes.is_empty(), "{:?}", whole.notes);
    let thick = text("whole.obj").replace("0.1", "5");
    let problem = load(&thick, &folder, &[]).expect_err("spheres larger than the cube").to_string();
    assert!(problem.contains("too thin"), "{problem}");
}

/// A cube with a wing of a two-hundredth of its size: no sphere fits in there.
#[test]
fn a_part_without_spheres_is_refused_and_a_sharp_one_warned_of() {
    let folder = meshes("a_part_without_spheres_is_refused_and_a_sharp_one_warned_of");
    let block = |low: [f64; 3], high: [f64; 3], first: usize| {
        let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] });
        let vertices: String = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
        let faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
        let face = |f: [usize; 4]| f.map(|corner| (corner + first).to_string()).join(" ");
        vertices + &faces.map(|f| format!("f {}\n", face(f))).concat()
    };
    let wing = block([-0.5; 3], [0.5; 3], 0) + &block([0.5, -0.5, 0.0], [2.0, 0.5, 0.005], 8);
    std::fs::write(folder.join("wing.obj"), wing).unwrap();
    let text = |radius: f64| {
        format!("[shape.bird]\nmesh = \"wing.obj\"\ncover = {{ radius = {radius} }}\n[[body]]\nposition = [0, 0, 5]\n")
    };
    let problem = load(&text(0.1), &folder, &[]).expect_err("a wing without spheres").to_string();
    assert!(problem.contains("no spheres at some part") && problem.contains("lower `radius`"), "{problem}");

    let sharp = "[shape.spike]\nmodel = { kind = \"tetrahedron\", edge = 1 }\ncover = { radius = 0.05 }\n[[body]]\nposition = [0, 0, 5]\n";
    let notes = good(sharp).notes;
    assert!(notes.len() == 1 && notes[0].is_warning && notes[0].text.contains("of their radii"), "{notes:?}");
}

#[test]
fn covers_need_something_to_cover() {
    refused("[[body]]\nposition = [0, 0, 1]\n[[obstacle]]\nplane = [0, 0, 1]\ncover = {}\n", &["endless plane", "box"]);
    let scene = good("[[body]]\nposition = [0, 0, 5]\n[[obstacle]]\nbox = [1, 1, 1]\ncover = { radius = 0.1 }\n");
    let cover = &scene.simulation.world().obstacles[0].cover;
    assert!(cover.len() > 20 && cover.iter().all(|s| s.offset.abs().max_element() < 0.5), "{}", cover.len());
}

#[test]
fn laws_are_what_they_are_called() {
    let laws = [
        ("hertz", Law::HERTZ),
        ("linear", Law::LINEAR),
        ("basic", Law::BASIC),
        ("static", Law::STATIC),
        ("damped", Law::DAMPED),
    ];
    for (name, law) in laws {
        // Everything about a law is in the step limit and the resolved text; the names must not
        // fall together.
        let scene = good(&format!("law = \"{name}\"\n[[body]]\n"));
        assert!(scene.resolved.contains(&format!("law = \"{name}\"")), "{}", scene.resolved);
        let shear = format!("{:?}", law.shear).split([' ', '{']).next().unwrap_or("").to_lowercase();
        assert!(scene.resolved.contains(&format!("shear = \"{shear}\"")), "{name}: {}", scene.resolved);
    }
    refused("law = \"linear\"\n[contact]\nshear = \"mindlin\"\n[[body]]\n", &["Mindlin", "spring"]);
    refused("[contact]\ndashpot = 0.3\n[[body]]\n", &["0, 0.25 or 0.5"]);
    refused("law = \"linear\"\n[contact]\ndashpot = 0.5\n[[body]]\n", &["dashpot 0", "given"]);
}

#[test]
fn steps_that_make_no_sense_are_refused() {
    refused("integrator = \"rkf45\"\ntolerance = 0\n[[body]]\n", &["`tolerance` must be"]);
    refused(
        "integrator = \"rkf45\"\nsmallest_step = 1\nlargest_step = 0.1\n[[body]]\n",
        &["`smallest_step` is larger"],
    );
    let stiff = "[material.diamond]\nyoungs_modulus = 1e12\n[shape.dust]\nradius = 1e-6\n[[body]]\n";
    refused(stiff, &["diamond on diamond", "youngs_modulus", "set `step`"]);
    good(&format!("step = 1e-11\nfps = 1e9\n{stiff}"));
}

/// A material of which a scene says nothing is that of the engine.
#[test]
fn materials_of_scenes_and_of_the_engine_are_the_same_by_default() {
    let scene = good("[material.stone]\n[[body]]\n");
    assert_eq!(scene.simulation.world().materials.list()[0], tumble::world::Material::default());
}
