//! What was likely meant by a command line that does not parse.

use super::{Cli, closest};
use crate::commands::quoted;
use crate::compiler_args::{SOURCES, STDIN};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use std::path::Path;

/// What is wrong, and what would be right, where more can be said than the parser does. `words` are cudair's own, its name
/// first; `all` are those that were typed.
pub fn advice(error: &clap::Error, words: &[String], all: &[String]) -> Option<(String, String)> {
    let cli = Cli::command();
    let names: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
    let first = words.get(1)?;
    let command = words.iter().skip(1).find(|w| names.contains(&w.as_str()));
    match error.kind() {
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument if command.is_none() => {
            let near = closest(first, &names);
            if let Some(near) = near.filter(|_| !is_source(first)) {
                return Some((format!("there is no command `{first}`"), format!("did you mean `{near}`?")));
            }
            if let Some(file) = words.iter().skip(1).find(|w| is_source(w)) {
                let rest: Vec<String> = all.iter().skip(1).map(|w| quoted(w)).collect();
                return Some((
                    format!("`{file}` is a file, and no command"),
                    format!("did you mean `cudair run {}`?", rest.join(" ")),
                ));
            }
            if first.starts_with('-') {
                return None;
            }
            let help = format!("the commands are {}", names.join(", "));
            Some((format!("there is no command `{first}`"), help))
        }
        ErrorKind::UnknownArgument => {
            let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
                return None;
            };
            let option = argument.strip_prefix("--")?.split('=').next()?;
            let command = command?;
            if words.iter().position(|w| w == command) > Some(1) && first.starts_with('-') {
                let help = format!("options stand after the command: `cudair {command} {first} …`");
                return Some((format!("`{first}` stands before the command"), help));
            }
            let has = |c: &Command| c.get_arguments().any(|a| a.get_long() == Some(option));
            let others: Vec<String> =
                cli.get_subcommands().filter(|c| has(c)).map(|c| format!("`{}`", c.get_name())).collect();
            if !others.is_empty() {
                let message = format!("`{command}` has no option `--{option}`");
                return Some((message, format!("it is one of {}", others.join(" and "))));
            }
            // Where the parser has a proposal it says so itself.
            if error.get(ContextKind::SuggestedArg).is_some() {
                return None;
            }
            let of = cli.get_subcommands().find(|c| c.get_name() == command)?;
            let long: Vec<&str> = of.get_arguments().filter_map(|a| a.get_long()).collect();
            let help = match closest(option, &long) {
                Some(near) => format!("did you mean `--{near}`?"),
                None => format!("`cudair {command} --help` lists the options"),
            };
            Some((format!("`{command}` has no option `--{option}`"), help))
        }
        _ => None,
    }
}

/// Whether a word names a source, by its ending or since it is there.
fn is_source(word: &str) -> bool {
    let path = Path::new(word);
    let ending = path.extension().and_then(|e| e.to_str());
    let ends = ending.is_some_and(|e| e == "cir" || SOURCES.contains(&e));
    word == STDIN || (!word.starts_with('-') && (ends || path.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn told(line: &str) -> Option<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let error = Cli::try_parse_from(&words).err()?;
        advice(&error, &words, &words).map(|(message, help)| format!("{message}; {help}"))
    }

    #[test]
    fn what_was_meant() {
        for (line, expected) in [
            ("cudair prog.cu", "`prog.cu` is a file, and no command; did you mean `cudair run prog.cu`?"),
            (
                "cudair --seed 3 prog.cu",
                "`prog.cu` is a file, and no command; did you mean `cudair run --seed 3 prog.cu`?",
            ),
            ("cudair rnu prog.cir", "there is no command `rnu`; did you mean `run`?"),
            ("cudair rnu", "there is no command `rnu`; did you mean `run`?"),
            (
                "cudair --seed 3 run prog.cu",
                "`--seed` stands before the command; options stand after the command: `cudair run --seed …`",
            ),
            ("cudair check --function k x.cu", "`check` has no option `--function`; it is one of `lower`"),
            ("cudair lower --fuel 3 x.cu", "`lower` has no option `--fuel`; it is one of `run` and `debug`"),
            (
                "cudair run --zzzzz x.cu",
                "`run` has no option `--zzzzz`; `cudair run --help` lists the options",
            ),
        ] {
            assert_eq!(told(line).as_deref(), Some(expected), "{line}");
        }
        assert_eq!(told("cudair run --fule 3 x.cu").as_deref(), None, "the parser knows it");
        assert_eq!(told("cudair run x.cu"), None);
    }
}
