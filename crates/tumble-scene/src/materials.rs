//! `[material.*]` and `[[pair]]`, and the named things that everything else refers to.

use tumble::world::{Material, MaterialId, Materials, Pair, Shape, ShapeId};

use crate::shapes::Solids;
use crate::text::{Range, TableReader};
use crate::{look, shapes};

/// Materials and shapes by name.
pub(crate) struct Named {
    pub(crate) materials: Materials,
    pub(crate) shapes: Vec<Shape>,
    /// Colour of each material, if the scene says.
    pub(crate) colours: Vec<Option<[u8; 3]>>,
    rigid: Vec<bool>,
}

/// Reads materials, pairs and shapes. A scene without a material or without a shape gets one of each by default.
pub(crate) fn read(top: &TableReader<'_>, solids: &Solids<'_>) -> Named {
    let mut tables = top.subtables("material");
    if tables.is_empty() {
        tables.push(("stone".into(), top.table("material").table("stone")));
    }
    let (list, rigid): (Vec<Material>, Vec<bool>) =
        tables.iter().map(|(name, table)| material(name, table, solids.is_rigid)).unzip();
    let colours = tables.iter().map(|(_, table)| look::colour(table)).collect();
    let mut named = Named { materials: Materials::new(list), shapes: Vec::new(), colours, rigid };
    for table in top.array_of_tables("pair") {
        pair(&table, solids.is_rigid, &mut named);
    }
    named.shapes = shapes::read(top, solids);
    named
}

/// The least restitution that damped springs can have.
const LEAST_OF_GRAINS: f64 = 0.01;

fn material(name: &str, table: &TableReader<'_>, is_rigid: bool) -> (Material, bool) {
    let usual = Material::default();
    let density = table.number("density", Range::Within(1e-3, 1e6)).or(usual.density);
    let rigid = table.boolean("rigid").or(false);
    let youngs_modulus = table.number("youngs_modulus", Range::Within(1.0, 1e13)).or(usual.youngs_modulus);
    let poisson_ratio = table.number("poisson_ratio", Range::Within(0.0, 0.5)).or(usual.poisson_ratio);
    let stiffness = table.number("stiffness", Range::Within(1e-3, 1e13)).or(usual.stiffness);
    let restitution = restitution(table, is_rigid, usual.restitution);
    let friction = table.number("friction", Range::AtLeast(0.0)).or(usual.friction);
    let rolling_friction = table.number("rolling_friction", Range::AtLeast(0.0)).or(usual.rolling_friction);
    let k_r = table.number("k_r", Range::Within(1e-3, 1e15)).or(usual.k_r);
    let k_d = table.number("k_d", Range::Within(0.0, 1e15)).or(usual.k_d);
    let hard = |value: f64| if rigid { f64::INFINITY } else { value };
    let material = Material {
        name: name.to_string(),
        density,
        youngs_modulus: hard(youngs_modulus),
        poisson_ratio,
        stiffness: hard(stiffness),
        restitution,
        friction,
        rolling_friction,
        k_r: hard(k_r),
        k_d,
    };
    (material, rigid)
}

/// Restitution; that of grains cannot be zero, which would need infinite damping.
fn restitution(table: &TableReader<'_>, is_rigid: bool, default: f64) -> f64 {
    let value = table.number("restitution", Range::Within(0.0, 1.0)).or(default);
    if !is_rigid && value < LEAST_OF_GRAINS {
        let problem = format!("grains need a `restitution` of at least {LEAST_OF_GRAINS}, not {value}");
        table.problem_at("restitution", problem, "write 0.01, or solver = \"rigid\" at the top");
    }
    value
}

fn pair(table: &TableReader<'_>, is_rigid: bool, named: &mut Named) {
    let between = table.string_list("between").required();
    let [a, b] = between.as_slice() else {
        table.problem_at("between", "`between` must name two materials", "write between = [\"sand\", \"steel\"]");
        return;
    };
    let (Some(a), Some(b)) = (named.find_material(table, "between", a), named.find_material(table, "between", b))
    else {
        return;
    };
    let Ok(derived) = named.materials.pair(a, b) else { return };
    let restitution = restitution(table, is_rigid, derived.restitution);
    let friction = table.number("friction", Range::AtLeast(0.0)).or(derived.friction);
    let rolling_friction = table.number("rolling_friction", Range::AtLeast(0.0)).or(derived.rolling_friction);
    let known = named.materials.set_pair(a, b, Pair { restitution, friction, rolling_friction });
    debug_assert!(known.is_ok(), "both materials were found");
}

impl Named {
    /// The material named by the key `material` of a table; may be left out if there is only one.
    pub(crate) fn material(&self, table: &TableReader<'_>) -> MaterialId {
        let names: Vec<&str> = self.materials.list().iter().map(|m| m.name.as_str()).collect();
        MaterialId(pick(table, "material", &names))
    }

    /// Like `material`, for something that moves: it must not be rigid.
    pub(crate) fn soft_material(&self, table: &TableReader<'_>) -> MaterialId {
        let material = self.material(table);
        if self.rigid[material.index()] {
            let name = &self.materials.list()[material.index()].name;
            let what = format!("`{name}` is rigid, and what moves must give way a little");
            table.problem_at("material", what, "use rigid materials for obstacles only");
        }
        material
    }

    /// The shape named by the key `shape` of a table; may be left out if there is only one.
    pub(crate) fn shape(&self, table: &TableReader<'_>) -> ShapeId {
        let names: Vec<&str> = self.shapes.iter().map(|s| s.name.as_str()).collect();
        ShapeId(pick(table, "shape", &names))
    }

    fn find_material(&self, table: &TableReader<'_>, key: &str, name: &str) -> Option<MaterialId> {
        let names: Vec<&str> = self.materials.list().iter().map(|m| m.name.as_str()).collect();
        find(table, key, name, &names).map(|number| MaterialId(number as u32))
    }
}

/// The index of the name under `key`, the only one there is if the key is missing.
fn pick(table: &TableReader<'_>, key: &str, names: &[&str]) -> u32 {
    let name = match names {
        [only] => table.string(key).or(only.to_string()),
        _ => {
            if !table.has(key) {
                let what = format!("`{key}` is missing in `{}`, and there are several", table.name());
                table.problem_at(key, what, &format!("name one of {}", names.join(", ")));
            }
            table.string(key).or(names[0].to_string())
        }
    };
    find(table, key, &name, names).unwrap_or(0) as u32
}

fn find(table: &TableReader<'_>, key: &str, name: &str, names: &[&str]) -> Option<usize> {
    let found = names.iter().position(|known| *known == name);
    if found.is_none() {
        let what = format!("there is no {} `{name}`", if key == "between" { "material" } else { key });
        table.problem_at(key, what, &format!("there are: {}", names.join(", ")));
    }
    found
}
