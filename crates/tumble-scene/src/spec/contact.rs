//! The keys of both solvers: `law`, `[contact]`, `[stiction]` and those of the integrator;
//! `substeps`, `sleeping`.

use tumble::SolverKind;
use tumble::granular::{ContactEnd, Dashpot, Law, Normal, Rolling, Shear};
use tumble::rigid::Rigid;

use crate::text::{Fields, Range, Section, Word};

/// How bodies move.
#[derive(Clone, Debug, PartialEq)]
pub enum SolverSpec {
    /// Forces between spheres.
    Granular(GranularSpec),
    /// Impulses between convex solids.
    Rigid(RigidSpec),
}

impl Default for SolverSpec {
    fn default() -> Self {
        Self::Granular(GranularSpec::default())
    }
}

impl Word for SolverKind {
    const WORDS: &'static [(&'static str, Self)] = &[("granular", Self::Granular), ("rigid", Self::Rigid)];
}

impl SolverSpec {
    /// Which solver it is.
    pub fn kind(&self) -> SolverKind {
        match self {
            Self::Granular(_) => SolverKind::Granular,
            Self::Rigid(_) => SolverKind::Rigid,
        }
    }

    /// This solver with its default settings.
    pub fn of_kind(kind: SolverKind) -> Self {
        match kind {
            SolverKind::Granular => Self::Granular(GranularSpec::default()),
            SolverKind::Rigid => Self::Rigid(RigidSpec::default()),
        }
    }

    /// The key `solver`.
    pub(super) fn describe_name(&mut self, fields: &mut Fields<'_>) {
        let mut kind = self.kind();
        fields.value("solver", &mut kind);
        if kind != self.kind() {
            *self = Self::of_kind(kind);
        }
    }

    /// The keys of the solver, at the top level.
    pub(super) fn describe_settings(&mut self, fields: &mut Fields<'_>) {
        match self {
            Self::Granular(granular) => granular.describe(fields),
            Self::Rigid(rigid) => rigid.describe(fields),
        }
    }
}

/// How the rigid solver works.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidSpec {
    /// Substeps of a step.
    pub substeps: u32,
    /// Whether bodies at rest sleep.
    pub sleeping: bool,
}

/// As the engine has it.
impl Default for RigidSpec {
    fn default() -> Self {
        Self { substeps: Rigid::DEFAULT.substeps, sleeping: Rigid::DEFAULT.sleeping }
    }
}

impl RigidSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("substeps", &mut self.substeps, Range::Within(1.0, 1000.0));
        fields.value("sleeping", &mut self.sleeping);
    }
}

/// How the granular solver works.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GranularSpec {
    /// The contact law, which `contact` can change.
    pub law: LawName,
    /// The integrator.
    pub integrator: IntegratorName,
    /// Largest error of a position per second, for steps chosen by their error \[m/s\]; by default
    /// a tenth of the smallest radius.
    pub tolerance: Option<f64>,
    /// Such steps are never longer \[s\]; by default a frame.
    pub largest_step: Option<f64>,
    /// Nor shorter \[s\].
    pub smallest_step: Option<f64>,
    /// Whether forces act one after another within a stage.
    pub one_by_one: bool,
    /// How far spheres can move before neighbours are looked for again \[m\].
    pub skin: Option<f64>,
    /// Differences from the named law.
    pub contact: ContactSpec,
    /// Stiction on obstacles.
    pub stiction: Option<StictionSpec>,
}

impl GranularSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("law", &mut self.law);
        fields.table("contact", &mut self.contact);
        fields.optional("stiction", &mut self.stiction);
        fields.value("integrator", &mut self.integrator);
        fields.within("tolerance", &mut self.tolerance, Range::Within(1e-15, 1e6));
        fields.within("largest_step", &mut self.largest_step, Range::Above(0.0));
        fields.within("smallest_step", &mut self.smallest_step, Range::Above(0.0));
        fields.value("one_by_one", &mut self.one_by_one);
        fields.within("skin", &mut self.skin, Range::Above(0.0));
    }
}

/// A contact law with a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LawName {
    /// Hertz and Mindlin.
    #[default]
    Hertz,
    /// Springs and dashpots.
    Linear,
    /// Yee et al. 2009, eq. 2.
    Basic,
    /// Yee et al. 2009, eq. 3.
    Static,
    /// Yee et al. 2009, eq. 5.
    Damped,
}

impl Word for LawName {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("hertz", Self::Hertz),
        ("linear", Self::Linear),
        ("basic", Self::Basic),
        ("static", Self::Static),
        ("damped", Self::Damped),
    ];
}

/// An integrator of the granular solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegratorName {
    /// Velocity Verlet.
    #[default]
    Verlet,
    /// Symplectic Euler.
    SymplecticEuler,
    /// Runge, Kutta and Fehlberg, of orders four and five.
    Rkf45,
    /// Bogacki and Shampine, of orders two and three.
    Rk23,
}

impl Word for IntegratorName {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("verlet", Self::Verlet),
        ("symplectic_euler", Self::SymplecticEuler),
        ("rkf45", Self::Rkf45),
        ("rk23", Self::Rk23),
    ];
}

/// Differences from a named law. Values that are not given follow from it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSpec {
    /// How contacts push.
    pub normal: Option<NormalName>,
    /// Exponent of the dashpot: 0, 0.25 or 0.5.
    pub dashpot: Option<f64>,
    /// Where the coefficients of the normal force come from.
    pub coefficients: CoefficientsName,
    /// When a contact ends.
    pub end: ContactEnd,
    /// Speed at which restitution is as asked for \[m/s\].
    pub restitution_speed: Option<f64>,
    /// How contacts resist sliding.
    pub shear: Option<ShearName>,
    /// Viscosity of friction \[N·s/m\].
    pub viscosity: f64,
    /// Stiffness of the friction spring \[N/m\]; by default from the normal one.
    pub shear_stiffness: Option<f64>,
    /// Dashpot beside the friction spring \[-\].
    pub shear_damping: Option<f64>,
    /// Dashpot of saturating friction, over its stiffness \[s\].
    pub damping_time: f64,
    /// How contacts resist rolling.
    pub rolling: Option<Rolling>,
}

impl Default for ContactSpec {
    fn default() -> Self {
        Self {
            normal: None,
            dashpot: None,
            coefficients: CoefficientsName::Derived,
            end: ContactEnd::NoPull,
            restitution_speed: None,
            shear: None,
            viscosity: 1.0,
            shear_stiffness: None,
            shear_damping: None,
            damping_time: 1e-4,
            rolling: None,
        }
    }
}

impl Section for ContactSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("end", &mut self.end);
        fields.value("normal", &mut self.normal);
        fields.within("dashpot", &mut self.dashpot, Range::Within(0.0, 0.5));
        fields.value("coefficients", &mut self.coefficients);
        fields.value("rolling", &mut self.rolling);
        fields.value("shear", &mut self.shear);
        fields.within("viscosity", &mut self.viscosity, Range::Within(0.0, 1e12));
        fields.within("shear_stiffness", &mut self.shear_stiffness, Range::Within(1e-6, 1e15));
        fields.within("shear_damping", &mut self.shear_damping, Range::Within(0.0, 100.0));
        fields.within("damping_time", &mut self.damping_time, Range::Within(0.0, 1e3));
        fields.within("restitution_speed", &mut self.restitution_speed, Range::Within(1e-6, 1e6));
    }
}

/// How spheres push each other apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalName {
    /// As elastic spheres.
    Hertz,
    /// As springs.
    Linear,
}

impl Word for NormalName {
    const WORDS: &'static [(&'static str, Self)] = &[("hertz", Self::Hertz), ("linear", Self::Linear)];
}

/// Where the coefficients of the normal force come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoefficientsName {
    /// From stiffness and restitution.
    Derived,
    /// From `k_r` and `k_d` of the materials.
    Given,
}

impl Word for CoefficientsName {
    const WORDS: &'static [(&'static str, Self)] = &[("derived", Self::Derived), ("given", Self::Given)];
}

impl Word for ContactEnd {
    const WORDS: &'static [(&'static str, Self)] = &[("no_pull", Self::NoPull), ("zero_overlap", Self::ZeroOverlap)];
}

impl Word for Rolling {
    const WORDS: &'static [(&'static str, Self)] =
        &[("spring", Self::Spring), ("constant", Self::Constant), ("free", Self::Free)];
}

/// How spheres resist sliding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShearName {
    /// In proportion to velocity.
    Viscous,
    /// Always with the full sliding friction.
    Coulomb,
    /// The smaller of both.
    Combined,
    /// With a spring, cut at the Coulomb limit.
    Spring,
    /// With a spring that saturates (Yee et al. 2009, eq. 5).
    Saturating,
    /// With Mindlin's spring.
    Mindlin,
}

impl Word for ShearName {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("viscous", Self::Viscous),
        ("coulomb", Self::Coulomb),
        ("combined", Self::Combined),
        ("spring", Self::Spring),
        ("saturating", Self::Saturating),
        ("mindlin", Self::Mindlin),
    ];
}

/// `[stiction]`: what obstacles hold.
#[derive(Clone, Debug, PartialEq)]
pub struct StictionSpec {
    /// Share of sliding that is held \[-\].
    pub sliding: f64,
    /// Share of turning that is held \[-\].
    pub turning: f64,
}

impl Default for StictionSpec {
    fn default() -> Self {
        Self { sliding: 1.0, turning: 0.1 }
    }
}

impl Section for StictionSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("sliding", &mut self.sliding, Range::Within(0.0, 1.0));
        fields.within("turning", &mut self.turning, Range::Within(0.0, 1.0));
    }
}

impl ContactSpec {
    /// Everything that a contact law consists of: what is given, and what follows from the named
    /// one.
    pub(crate) fn after(&self, law: LawName) -> Self {
        let named = law.law();
        let is_hertz = !matches!(named.normal, Normal::Linear);
        let normal = self.normal.unwrap_or(if is_hertz { NormalName::Hertz } else { NormalName::Linear });
        let dashpot = match (normal, named.normal) {
            (NormalName::Hertz, Normal::Hertz(Dashpot::Half)) => 0.5,
            (NormalName::Hertz, _) => 0.25,
            (NormalName::Linear, _) => 0.0,
        };
        let shear = match named.shear {
            Shear::Viscous { .. } => ShearName::Viscous,
            Shear::Coulomb => ShearName::Coulomb,
            Shear::Combined { .. } => ShearName::Combined,
            Shear::Spring { .. } => ShearName::Spring,
            Shear::Saturating { .. } => ShearName::Saturating,
            Shear::Mindlin => ShearName::Mindlin,
        };
        let undamped = matches!(named.shear, Shear::Spring { damping: 0.0, .. });
        Self {
            normal: Some(normal),
            dashpot: self.dashpot.or(Some(dashpot)),
            restitution_speed: self.restitution_speed.or(Some(named.restitution_speed)),
            shear: self.shear.or(Some(shear)),
            shear_damping: self.shear_damping.or(Some(if undamped { 0.0 } else { 1.0 })),
            rolling: self.rolling.or(Some(named.rolling)),
            ..self.clone()
        }
    }
}

impl LawName {
    /// The law with this name.
    pub(crate) fn law(self) -> Law {
        match self {
            Self::Hertz => Law::HERTZ,
            Self::Linear => Law::LINEAR,
            Self::Basic => Law::BASIC,
            Self::Static => Law::STATIC,
            Self::Damped => Law::DAMPED,
        }
    }
}
