//! Completions, manual pages, and a processor that is too old.

use std::process::Command;

use crate::common::{Done, Place};

/// The commands that the program's help lists.
fn commands(place: &Place) -> Vec<String> {
    let help = place.good("--help");
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands: Vec<String> = list.lines().map(|line| line.split_whitespace().next().unwrap().to_string()).collect();
    assert!(commands.len() > 10, "{commands:?}");
    commands
}

#[test]
fn completions_know_every_command() {
    let place = Place::new("completions_know_every_command");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.good(&format!("completions {shell}"));
        for command in commands(&place) {
            assert!(script.contains(&command), "{shell} does not know {command}");
        }
    }
    place.tumble("completions cobol").expect(2).says(&["cobol", "bash"]);
}

/// The script is given to a real bash, which must offer what begins with the letters typed so far.
#[test]
fn bash_completes_commands_and_options() {
    let place = Place::new("bash_completes_commands_and_options");
    place.write("complete.bash", place.good("completions bash"));
    let complete = |typed: &str| {
        let words: Vec<&str> = typed.split(' ').collect();
        let [.., before, last] = words[..] else { panic!("{typed} has two words") };
        let line = format!(
            "source ./complete.bash; COMP_WORDS=({typed}); COMP_CWORD={}; _tumble tumble '{last}' '{before}'; echo \"${{COMPREPLY[@]}}\"",
            words.len() - 1,
        );
        let done = Done::of(Command::new("bash").args(["-c", &line]).current_dir(place.path("")));
        done.out.split_whitespace().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(complete("tumble re"), ["render", "report"]);
    assert_eq!(complete("tumble run --res"), ["--resume"]);
}

#[test]
fn manual_pages_describe_commands_and_options() {
    let place = Place::new("manual_pages_describe_commands_and_options");
    let page = place.good("man");
    assert!(page.starts_with(".ie") && page.contains(".TH tumble 1"), "{page}");
    for command in commands(&place).iter().filter(|command| *command != "help") {
        assert!(page.contains(&format!("tumble\\-{command}(1)")), "the page does not name {command}");
        assert!(place.good(&format!("man {command}")).contains(&format!(".TH tumble-{command} 1")), "{command}");
    }
    let run = place.good("man run");
    assert!(run.contains("\\-\\-resume") && run.contains("tumble run"), "{run}");
    place.tumble("man dance").expect(2).says(&["there is no command `dance`"]);
}

/// An emulated processor of 2008 has no AVX. The first AVX instruction would end the program by a
/// signal.
#[test]
fn an_old_processor_gets_a_sentence() {
    if !cfg!(all(target_arch = "x86_64", target_feature = "avx2")) {
        return;
    }
    let emulated = |words: &[&str]| Command::new("qemu-x86_64").args(words).output();
    if emulated(&["--version"]).is_err() {
        eprintln!("left out: there is no qemu-x86_64 (Debian: qemu-user) to be an old processor");
        return;
    }
    let output = emulated(&["-cpu", "Nehalem", env!("CARGO_BIN_EXE_tumble"), "list"]).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("needs a processor with AVX2") && said.contains("help: "), "{said}");
    assert!(output.stdout.is_empty());
}
