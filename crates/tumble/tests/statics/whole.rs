//! All bodies at once against closed forms and reference cases; every verdict is checked by its
//! certificate.

use tumble::statics::certificate::{check_forces, check_motion};
use tumble::statics::{StaticAnalysis, StaticSettings, Statics, WholeVerdict};

use crate::assembly::{Assembly, UNCAPPED, file, several};

/// Judges the whole, and has its certificate checked.
#[track_caller]
fn judge(assembly: &Assembly, settings: &StaticSettings) -> (WholeVerdict, u32) {
    let settings = StaticSettings { analysis: StaticAnalysis::Whole, ..*settings };
    let (touching, mut statics) = (assembly.touching(), Statics::default());
    statics.judge(&touching, &settings);
    match statics.verdict() {
        WholeVerdict::Stands => {
            let check = check_forces(&touching, statics.forces(), settings.friction);
            assert!(check.residual <= 1.01 * settings.whole_tolerance && check.outside < 1e-9, "{check:?}");
        }
        WholeVerdict::Falls => {
            let check = check_motion(&touching, statics.motions(), settings.friction);
            assert!(check.power > 0.0 && check.excludes > 0.9 * settings.cap, "{check:?}");
        }
        WholeVerdict::Open => {}
    }
    (statics.verdict(), statics.iterations())
}

/// Verdicts of the 160 assemblies at a residual of 10⁻⁶; none is wrong, none is left open.
#[test]
fn assemblies_are_judged_as_the_references_are() {
    let cases = file("whole.json");
    let settings = StaticSettings { cap: 1e3, whole_iterations: 20_000, ..UNCAPPED };
    let mut most = 0;
    for case in &cases {
        let (assembly, name) = (several(case), case["name"].as_str().unwrap());
        let (verdict, iterations) = judge(&assembly, &settings);
        let expected = if case["balanced"].as_bool().unwrap() { WholeVerdict::Stands } else { WholeVerdict::Falls };
        assert_eq!(verdict, expected, "{name} after {iterations} iterations");
        most = most.max(iterations);
    }
    println!("{} cases, at most {most} iterations", cases.len());
    assert_eq!(cases.len(), 160);
}

/// Friction that an assembly needs lies in the bracket of the references, to 10⁻³.
#[test]
fn friction_needed_by_assemblies_is_found() {
    let mut count = 0;
    for case in file("whole.json").iter().step_by(4) {
        let Some(bracket) = case["friction_needed_between"].as_array() else { continue };
        let (assembly, name) = (several(case), &case["name"]);
        let [low, high] = [0, 1].map(|k| bracket[k].as_f64().unwrap());
        let at = |friction: f64| {
            let settings = StaticSettings { friction, cap: 1e3, whole_iterations: 20_000, ..UNCAPPED };
            judge(&assembly, &settings).0 == WholeVerdict::Stands
        };
        assert!(at(1.001 * high + 1e-3), "{name} falls with the friction it needs, {low} to {high}");
        assert!(low < 1e-2 || !at(0.999 * low - 1e-3), "{name} stands with less friction than {low} to {high}");
        count += 1;
    }
    println!("{count} limits of friction");
    assert!(count > 20);
}

/// Closed forms, 10⁻⁵ inside and outside of their limits. Beside the limit the search is slow:
/// outside it may end without a proof, which counts as falling.
#[test]
fn closed_forms_of_several_bodies() {
    let settings = StaticSettings { cap: 1e3, whole_tolerance: 2e-7, whole_iterations: 50_000, ..UNCAPPED };
    let (mut proven, mut all) = (0, 0);
    for case in &file("closed_form.json") {
        let [inside, outside] = ["inside", "outside"].map(|side| judge(&several(&case[side]), &settings));
        println!("{}: inside {inside:?}, outside {outside:?}", case["name"]);
        assert_eq!(inside.0, WholeVerdict::Stands, "{}", case["name"]);
        assert_ne!(outside.0, WholeVerdict::Stands, "{}", case["name"]);
        proven += usize::from(outside.0 == WholeVerdict::Falls);
        all += 1;
    }
    println!("of {all} beyond their limits {proven} are proven to fall");
    assert_eq!(all, 32);
}
