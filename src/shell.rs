//! What shells and `man` want to know of the command line: `cudair completions`, `cudair man`.

use crate::cli::{self, Cli, Shell, closest};
use clap::CommandFactory;
use clap_mangen::Man;
use std::io;

/// A script that makes a shell complete cudair's words.
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut out = Vec::new();
    let of = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    clap_complete::generate(of, &mut Cli::command(), "cudair", &mut out);
    out
}

/// The manual page of a command, or of cudair. An error is a sentence for the user.
pub fn page(command: &cli::Man) -> Result<Vec<u8>, String> {
    let whole = Cli::command();
    let Some(name) = &command.command else { return written(whole.name("cudair")) };
    let names: Vec<&str> = whole.get_subcommands().map(clap::Command::get_name).collect();
    let Some(sub) = whole.find_subcommand(name) else {
        let hint = match closest(name, &names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        return Err(format!("there is no command `{name}`; {hint}"));
    };
    let full = format!("cudair-{name}");
    let shown = format!("cudair {name}");
    written(sub.clone().display_name(full).bin_name(shown).version(env!("CARGO_PKG_VERSION")))
}

fn written(command: clap::Command) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let page: io::Result<()> = Man::new(command).manual("cudair").render(&mut out);
    page.map_err(|e| format!("the page cannot be written: {e}"))?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        for sub in Cli::command().get_subcommands() {
            let name = sub.get_name().to_owned();
            let page = page(&cli::Man { command: Some(name.clone()) }).expect("a page");
            let page = String::from_utf8(page).expect("text");
            assert!(page.contains(&format!(".TH cudair-{name} 1")), "{page}");
        }
        let page = page(&cli::Man { command: None }).expect("a page");
        assert!(String::from_utf8_lossy(&page).contains("cudair\\-run(1)"));
    }

    #[test]
    fn what_shells_complete() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let text = String::from_utf8(completions(shell)).expect("text");
            for word in ["explain", "max-findings", "lockstep"] {
                assert!(text.contains(word), "{shell:?} {word}");
            }
        }
    }
}
