//! `tumble completions` and `tumble man`: completion scripts and manual pages.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Arguments, Failure};

#[derive(Args)]
pub(crate) struct CompletionArguments {
    /// The shell
    shell: Shell,
}

#[derive(Args)]
pub(crate) struct ManArguments {
    /// A command, such as `run` [default: the program itself]
    command: Option<String>,
}

/// Prints a script that completes commands and options in a shell.
pub(crate) fn completions(arguments: &CompletionArguments) -> Result<ExitCode, Failure> {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "tumble", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page of the program or of one of its commands.
pub(crate) fn man(arguments: &ManArguments) -> Result<ExitCode, Failure> {
    let mut program = Arguments::command();
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| format!("there is no command `{name}`"))?.clone(),
    };
    Man::new(page).render(&mut std::io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
