//! How the solver of a scene works.

use tumble::Solver;
use tumble::granular::{Control, Dashpot, Granular, Integrator, Law, Normal, Rolling, Shear, Stiction};
use tumble::rigid::Rigid;
use tumble::world::Shape;

use crate::spec::{
    CoefficientsName, ContactSpec, GranularSpec, IntegratorName, LawName, NormalName, SceneSpec, ShearName, SolverSpec,
};

/// Makes the solver; its accuracy follows from the smallest sphere of these shapes.
pub(super) fn compile(spec: &mut SceneSpec, shapes: &[Shape]) -> Solver {
    let fps = spec.fps;
    match &mut spec.solver {
        SolverSpec::Rigid(rigid) => Solver::Rigid(Rigid { substeps: rigid.substeps, sleeping: rigid.sleeping }),
        SolverSpec::Granular(granular) => {
            let radii = shapes.iter().flat_map(|shape| &shape.spheres).map(|sphere| sphere.radius);
            let integrator = integrator(granular, fps, radii.fold(f64::INFINITY, f64::min));
            granular.contact = granular.contact.after(granular.law);
            let stiction = granular.stiction.as_ref();
            Solver::Granular(Granular {
                law: law(granular.law, &granular.contact),
                stiction: stiction.map(|s| Stiction { sliding: s.sliding, turning: s.turning }),
                integrator,
                skin: granular.skin,
            })
        }
    }
}

/// The named law as `contact` changes it, which has everything.
fn law(name: LawName, contact: &ContactSpec) -> Law {
    let named = name.law();
    let dashpot = match contact.dashpot {
        Some(0.0) => Dashpot::Zero,
        Some(0.5) => Dashpot::Half,
        _ => Dashpot::Quarter,
    };
    let is_hertz = contact.normal == Some(NormalName::Hertz);
    let normal = match (contact.coefficients, is_hertz) {
        (CoefficientsName::Given, hertz) => Normal::Given { hertz, dashpot },
        (CoefficientsName::Derived, true) => Normal::Hertz(dashpot),
        (CoefficientsName::Derived, false) => Normal::Linear,
    };
    let &ContactSpec { viscosity, shear_stiffness: stiffness, damping_time, .. } = contact;
    let shear = match contact.shear {
        Some(ShearName::Viscous) => Shear::Viscous { viscosity },
        Some(ShearName::Combined) => Shear::Combined { viscosity },
        Some(ShearName::Coulomb) => Shear::Coulomb,
        Some(ShearName::Spring) => Shear::Spring { stiffness, damping: contact.shear_damping.unwrap_or(1.0) },
        Some(ShearName::Saturating) => Shear::Saturating { damping_time },
        Some(ShearName::Mindlin) | None => Shear::Mindlin,
    };
    let rolling = contact.rolling.unwrap_or(Rolling::Spring);
    let restitution_speed = contact.restitution_speed.unwrap_or(named.restitution_speed);
    Law { normal, end: contact.end, shear, rolling, restitution_speed }
}

/// The integrator; `smallest` is the radius of the smallest sphere \[m\].
fn integrator(granular: &mut GranularSpec, fps: f64, smallest: f64) -> Integrator {
    let control = Control {
        tolerance: *granular.tolerance.get_or_insert(0.1 * smallest),
        largest: *granular.largest_step.get_or_insert(1.0 / fps),
        smallest: granular.smallest_step,
        sequential: granular.one_by_one,
    };
    match granular.integrator {
        IntegratorName::Verlet => Integrator::Verlet,
        IntegratorName::SymplecticEuler => Integrator::SymplecticEuler,
        IntegratorName::Rkf45 => Integrator::Rkf45(control),
        IntegratorName::Rk23 => Integrator::Rk23(control),
    }
}
