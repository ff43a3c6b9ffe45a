//! The keys of both solvers: `law`, `[contact]`, `[stiction]` and those of the integrator; `substeps`, `sleeping`.

use tumble::Solver;
use tumble::granular::{Control, Dashpot, End, Granular, Integrator, Law, Normal, Rolling, Shear, Stiction};
use tumble::rigid::Rigid;
use tumble::world::Shape;

use crate::text::{Range, TableReader};

/// Reads how the granular solver works; its accuracy follows the smallest sphere of these shapes.
pub(crate) fn granular(top: &TableReader<'_>, fps: f64, shapes: &[Shape]) -> Solver {
    let radii = shapes.iter().flat_map(|shape| &shape.spheres).map(|sphere| sphere.radius);
    Solver::Granular(Granular {
        law: law(top),
        stiction: stiction(top),
        integrator: integrator(top, fps, radii.fold(f64::INFINITY, f64::min)),
        skin: top.number("skin", Range::Above(0.0)).optional(),
    })
}

/// Reads how the rigid solver works.
pub(crate) fn rigid(top: &TableReader<'_>) -> Solver {
    let substeps = top.integer("substeps", Range::Within(1.0, 1000.0)).or(i64::from(Rigid::DEFAULT.substeps));
    let sleeping = top.boolean("sleeping").or(Rigid::DEFAULT.sleeping);
    Solver::Rigid(Rigid { substeps: substeps as u32, sleeping })
}

/// Reads the contact law: a named one, and what `[contact]` changes of it.
fn law(top: &TableReader<'_>) -> Law {
    let named = match top.choice("law", &["hertz", "linear", "basic", "static", "damped"]).or("hertz") {
        "linear" => Law::LINEAR,
        "basic" => Law::BASIC,
        "static" => Law::STATIC,
        "damped" => Law::DAMPED,
        _ => Law::HERTZ,
    };
    let table = top.table("contact");
    let end = match table.choice("end", &["no_pull", "zero_overlap"]).or("no_pull") {
        "zero_overlap" => End::ZeroOverlap,
        _ => End::NoPull,
    };
    let normal = normal(&table, named.normal);
    let rolling = match table.choice("rolling", &["spring", "constant", "free"]).or(match named.rolling {
        Rolling::Spring => "spring",
        Rolling::Constant => "constant",
        Rolling::Free => "free",
    }) {
        "constant" => Rolling::Constant,
        "free" => Rolling::Free,
        _ => Rolling::Spring,
    };
    let shear = shear(&table, named.shear);
    if shear == Shear::Mindlin && matches!(normal, Normal::Linear | Normal::Given { .. }) {
        let what = "Mindlin's friction spring is that of Hertz' spheres";
        table.problem_at("shear", what, "write shear = \"spring\", or normal = \"hertz\"");
    }
    let restitution_speed = table.number("restitution_speed", Range::Within(1e-6, 1e6)).or(named.restitution_speed);
    Law { normal, end, shear, rolling, restitution_speed }
}

fn normal(table: &TableReader<'_>, named: Normal) -> Normal {
    let is_hertz = !matches!(named, Normal::Linear);
    let hertz = table.choice("normal", &["hertz", "linear"]).or(if is_hertz { "hertz" } else { "linear" }) == "hertz";
    let usual = match named {
        Normal::Hertz(Dashpot::Half) if hertz => 0.5,
        _ if hertz => 0.25,
        _ => 0.0,
    };
    let power = table.number("dashpot", Range::Within(0.0, 0.5)).or(usual);
    let given = table.choice("coefficients", &["derived", "given"]).or("derived") == "given";
    let dashpot = match power {
        0.0 => Dashpot::Zero,
        0.25 => Dashpot::Quarter,
        0.5 => Dashpot::Half,
        _ => {
            table.problem_at(
                "dashpot",
                "the exponent of the dashpot is 0, 0.25 or 0.5",
                "0.25 keeps restitution constant",
            );
            Dashpot::Quarter
        }
    };
    if !hertz && !given && power != 0.0 {
        let what = "a linear contact with derived coefficients has the dashpot 0";
        table.problem_at("dashpot", what, "leave `dashpot` out, or write coefficients = \"given\"");
    }
    match (given, hertz) {
        (true, hertz) => Normal::Given { hertz, dashpot },
        (false, true) => Normal::Hertz(dashpot),
        (false, false) => Normal::Linear,
    }
}

fn shear(table: &TableReader<'_>, named: Shear) -> Shear {
    let usual = match named {
        Shear::Viscous { .. } => "viscous",
        Shear::Coulomb => "coulomb",
        Shear::Combined { .. } => "combined",
        Shear::Spring { .. } => "spring",
        Shear::Saturating { .. } => "saturating",
        Shear::Mindlin => "mindlin",
    };
    let words = ["viscous", "coulomb", "combined", "spring", "saturating", "mindlin"];
    let word = table.choice("shear", &words).or(usual);
    let viscosity = table.number("viscosity", Range::Within(0.0, 1e12)).or(1.0);
    let stiffness = table.number("shear_stiffness", Range::Within(1e-6, 1e15)).optional();
    let undamped = matches!(named, Shear::Spring { damping: 0.0, .. });
    let damping = table.number("shear_damping", Range::Within(0.0, 100.0)).or(if undamped { 0.0 } else { 1.0 });
    let damping_time = table.number("damping_time", Range::Within(0.0, 1e3)).or(1e-4);
    match word {
        "viscous" => Shear::Viscous { viscosity },
        "combined" => Shear::Combined { viscosity },
        "coulomb" => Shear::Coulomb,
        "spring" => Shear::Spring { stiffness, damping },
        "saturating" => Shear::Saturating { damping_time },
        _ => Shear::Mindlin,
    }
}

/// Reads `[stiction]`: there is none without the table.
fn stiction(top: &TableReader<'_>) -> Option<Stiction> {
    let table = top.subtable("stiction")?;
    let share = |key: &str, usual: f64| table.number(key, Range::Within(0.0, 1.0)).or(usual);
    Some(Stiction { sliding: share("sliding", 1.0), turning: share("turning", 0.1) })
}

/// Reads the integrator; `smallest` is the radius of the smallest sphere \[m\].
fn integrator(top: &TableReader<'_>, fps: f64, smallest: f64) -> Integrator {
    let word = top.choice("integrator", &["verlet", "symplectic_euler", "rkf45", "rk23"]).or("verlet");
    let control = Control {
        tolerance: top.number("tolerance", Range::Within(1e-15, 1e6)).or(0.1 * smallest),
        largest: top.number("largest_step", Range::Above(0.0)).or(1.0 / fps),
        smallest: top.number("smallest_step", Range::Above(0.0)).optional(),
        sequential: top.boolean("one_by_one").or(false),
    };
    if control.smallest.is_some_and(|smallest| smallest > control.largest) {
        top.problem_at("smallest_step", "`smallest_step` is larger than `largest_step`", "swap the two");
    }
    match word {
        "symplectic_euler" => Integrator::SymplecticEuler,
        "rkf45" => Integrator::Rkf45(control),
        "rk23" => Integrator::Rk23(control),
        _ => Integrator::Verlet,
    }
}
