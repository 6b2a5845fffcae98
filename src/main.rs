//! The commands of cudair: arguments in, findings out. Everything in between is other crates' work.

mod baseline;
#[cfg(unix)]
mod cache;
mod cli;
mod commands;
mod compiler_args;
mod confirm;
mod coverage;
mod debug;
mod device;
mod doctor;
mod early;
mod emit;
mod explain;
mod groups;
mod monitor;
mod oracle;
mod output;
mod pipeline;
mod progress;
mod quiet;
mod reach;
mod render;
mod repair;
mod seeds;
mod shell;
mod smt_dump;
mod solver;
mod streams;
mod suppress;
mod timings;
mod trace;
mod verdicts;

use clap::Parser;
use clap::error::ErrorKind;
use cudair_ir::{Diagnostic, DiagnosticClass};
use monitor::Monitor;
use render::{Look, Report, Sources};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};

/// Stack of the thread that does the work. Parsers and walks over deep expressions recurse; pages that
/// are not touched cost nothing.
pub const STACK: usize = 1 << 29;

/// Exit code for bad usage, sources that do not parse, and what is not supported.
pub const EXIT_USAGE: u8 = 2;
/// Exit code for a limit that was reached.
pub const EXIT_LIMIT: u8 = 4;

fn main() -> ExitCode {
    timings::stage("start");
    let monitor = Arc::new(Monitor::default());
    let watched = monitor.clone();
    // Nothing is sent: the channel closes when the work ends, in whichever way.
    let (working, ended) = channel::<()>();
    let worker = std::thread::Builder::new().name("cudair".to_owned()).stack_size(STACK).spawn(move || {
        let _working = working;
        work(&watched)
    });
    if worker.is_ok() {
        while ended.recv_timeout(monitor::TICK) == Err(RecvTimeoutError::Timeout) {
            monitor.tick();
        }
    }
    let result = worker.map(std::thread::JoinHandle::join);
    timings::print();
    match result {
        Ok(Ok(code)) => ExitCode::from(code),
        // The panic has been printed where it happened; it is ours, and says so.
        Ok(Err(_)) => {
            internal("a defect of cudair ended the command");
            ExitCode::from(EXIT_USAGE)
        }
        Err(error) => {
            internal(&format!("cannot start a thread: {error}"));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn internal(message: &str) {
    let d = Diagnostic::new(DiagnosticClass::Internal, message);
    let text = render::diagnostic(&d, &mut Sources::default(), Look::of_stderr());
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn work(monitor: &Arc<Monitor>) -> u8 {
    let words: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let split = match compiler_args::split(words.iter().cloned()) {
        Ok(split) => split,
        Err(message) => return usage(&words, &message, None),
    };
    let cli = match cli::Cli::try_parse_from(&split.own) {
        Ok(cli) => cli,
        Err(error) => {
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
                let _ = error.print();
                return 0;
            }
            if let Some((message, help)) = cli::advice(&error, &split.own, &words) {
                return usage(&words, &message, Some(help));
            }
            if wanted_format(&words) == cli::Format::Human {
                let _ = error.print();
                return EXIT_USAGE;
            }
            let text = error.render().to_string();
            let first = text.split("\n\nUsage:").next().unwrap_or(&text);
            return usage(&words, first.trim_start_matches("error: ").trim(), None);
        }
    };
    commands::dispatch(cli, split.compiler, split.program, &words, monitor)
}

/// Reports bad usage in the format that was asked for, as far as that can be told.
fn usage(words: &[String], message: &str, help: Option<String>) -> u8 {
    let report = Report {
        diagnostics: vec![Diagnostic { help, ..Diagnostic::new(DiagnosticClass::Usage, message) }],
        reproduce: commands::reproduce(words),
        exit: Some(EXIT_USAGE),
        ..Report::default()
    };
    let text = render::render(&report, &mut Sources::default(), wanted_format(words), Look::of_stderr());
    let _ = std::io::stderr().write_all(text.as_bytes());
    EXIT_USAGE
}

/// The format that a command line asks for, where it does not parse.
fn wanted_format(words: &[String]) -> cli::Format {
    let after = words.iter().position(|w| w == "--format").and_then(|at| words.get(at + 1));
    let joined = words.iter().find_map(|w| w.strip_prefix("--format="));
    let name = joined.or(after.map(String::as_str));
    name.and_then(cli::Format::from_name).unwrap_or(cli::Format::Human)
}
