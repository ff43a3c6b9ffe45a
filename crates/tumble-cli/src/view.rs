//! `tumble view`: shows a run in the browser, or two side by side.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use tumble_run::folder;
use tumble_view::{Options, serve};

use crate::signals::Interruption;
use crate::{Failure, say};

#[derive(clap::Args)]
pub(crate) struct ViewArguments {
    /// Folder of a run, or its recording; follows a run that is still being computed
    run: PathBuf,
    /// Another run to show beside it, with the same camera and clock
    run2: Option<PathBuf>,
    /// Port to listen on; 0 takes any free port
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Address to listen on; any other than 127.0.0.1 shows the runs to the network
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
}

pub(crate) fn view(arguments: &ViewArguments) -> Result<ExitCode, Failure> {
    let runs = [Some(&arguments.run), arguments.run2.as_ref()];
    let recordings: Vec<PathBuf> = runs.into_iter().flatten().map(|run| folder::recording_in(run)).collect();
    let server = serve(&recordings, Options { bind: arguments.bind, port: arguments.port })?;
    let stop = server.stop_handle();
    let interrupted = Interruption::listen()?;
    std::thread::spawn(move || {
        while !interrupted.is_raised() {
            std::thread::sleep(Duration::from_millis(50));
        }
        stop.stop();
    });

    let url = server.url();
    // A script that starts us waits for this line.
    let mut out = std::io::stdout().lock();
    writeln!(out, "{url}")?;
    out.flush()?;
    drop(out);
    if !arguments.bind.is_loopback() {
        say("warning: everyone who can reach this address can see the runs");
    }
    if !arguments.no_open && !open_browser(&url) {
        say(format_args!("no browser could be started; open {url} yourself"));
    }
    say("Ctrl-C ends the viewer");
    server.run();
    Ok(ExitCode::SUCCESS)
}

/// Asks the system to show an address; tells whether it seems to.
fn open_browser(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // The empty word is the window's title, for which `start` would otherwise take the address.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet());
    // The viewer does not wait for it: on some systems it runs as long as the browser.
    command.spawn().is_ok()
}
