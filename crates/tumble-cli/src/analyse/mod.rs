//! `tumble analyse`: the questions that Yee, Christara & Lait (2009, section 4) ask of their
//! solver, Hsu & Keyser (2010, section 4) of their piles, and Alduán, Tena & Otaduy (2009, section
//! 5) of their particles, asked of any scene.
//!
//! Each analysis runs variants of a scene, one after another, and leaves a table (CSV and Markdown)
//! and plots (SVG) in a folder. Results that were finished when it is stopped stay there. `balance`
//! judges one state, and prints its answer.

mod balance;
mod clumps;
mod detail;
mod friction;
mod heap;
mod jacobian;
mod piles;
mod size;
mod stand;
mod steps;
mod stiffness;
mod study;
pub(crate) mod table;
mod timed;
mod vary;
mod ways;

use std::process::ExitCode;

use clap::Subcommand;

use crate::Failure;

#[derive(clap::Args)]
pub(crate) struct AnalyseArguments {
    #[command(subcommand)]
    what: Analysis,
}

#[derive(Subcommand)]
enum Analysis {
    /// Steps that the adaptive integrators take, for several tolerances
    Steps(steps::StepsArguments),
    /// Stiffness of the equations of motion: eigenvalues of their Jacobian; for small scenes
    Stiffness(stiffness::StiffnessArguments),
    /// Height and width of a pile against friction
    Friction(friction::FrictionArguments),
    /// Cost of a frame against the number of bodies
    Size(size::SizeArguments),
    /// Speed-up by piles over a full simulation and over ordinary sleeping, and the motion error
    Piles(piles::PilesArguments),
    /// Whether piles of several angles would stand by themselves, and how they are built
    Stand(stand::StandArguments),
    /// Speed-up by particles over as many simulated grains, and how the piles differ
    Detail(detail::DetailStudyArguments),
    /// Angle of repose and solid fraction of a heap, for grains of one volume and different shapes
    Clumps(clumps::ClumpsArguments),
    /// Whether everything can rest where it is, how safely, and what would fall first
    Balance(balance::BalanceArguments),
}

pub(crate) fn analyse(arguments: &AnalyseArguments) -> Result<ExitCode, Failure> {
    match &arguments.what {
        Analysis::Steps(arguments) => steps::steps(arguments),
        Analysis::Stiffness(arguments) => stiffness::stiffness(arguments),
        Analysis::Friction(arguments) => friction::friction(arguments),
        Analysis::Size(arguments) => size::size(arguments),
        Analysis::Piles(arguments) => piles::piles(arguments),
        Analysis::Stand(arguments) => stand::stand(arguments),
        Analysis::Detail(arguments) => detail::detail(arguments),
        Analysis::Clumps(arguments) => clumps::clumps(arguments),
        Analysis::Balance(arguments) => balance::balance(arguments),
    }
}

fn parse_positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "write a number above 0".into())
}

fn parse_not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "write a number from 0 up".into())
}
