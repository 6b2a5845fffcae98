//! `cudair dap`.

use super::open;
use crate::cli::{Cli, Command, Format};
use crate::compiler_args;
use crate::debug::dap::{self, Bases, Client, Dap, Item, Launch, Request, Stream};
use crate::debug::{self, World};
use crate::monitor::Monitor;
use crate::output::Listener;
use crate::render::{self, Look, Report, Sources};
use clap::Parser;
use clap::error::ErrorKind;
use cudair_vm::HostIo;
use serde_json::Value;
use std::io::{Cursor, Write, stderr, stdin, stdout};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Serves a client until it leaves. Gives the exit code of the server: that of the program is told to the client.
pub(super) fn serve(monitor: &Arc<Monitor>) -> u8 {
    let client = match Client::start(stdin(), stdout()) {
        Ok(client) => client,
        Err(e) => {
            let _ = writeln!(stderr(), "error: cannot start a thread: {e}");
            return crate::EXIT_USAGE;
        }
    };
    let mut bases = None;
    let mut launched = false;
    loop {
        if let Some(code) = client.left() {
            return code;
        }
        let request = match client.wait() {
            Item::Request(request) => request,
            Item::Broken(why) => {
                client.leave(Some(&why));
                continue;
            }
            Item::Closed => {
                client.leave(None);
                continue;
            }
        };
        let result = match (request.command.as_str(), bases) {
            ("disconnect", _) => {
                client.leave(None);
                Ok(Value::Null)
            }
            ("terminate", _) => Ok(Value::Null),
            ("initialize", None) => dap::initialize(&request).map(|(of_client, body)| {
                bases = Some(of_client);
                body
            }),
            ("initialize", Some(_)) => Err("`initialize` was answered already".to_owned()),
            (_, None) => Err("`initialize` comes first".to_owned()),
            _ if launched => Err("the program has ended".to_owned()),
            ("launch", Some(bases)) => match launch(&client, bases, &request, monitor) {
                Ok(()) => {
                    launched = true;
                    if client.left().is_none() {
                        client.terminated();
                    }
                    continue;
                }
                Err(why) => Err(why),
            },
            ("attach", _) => Err("there is nothing to attach to: `launch` starts a program".to_owned()),
            (other, _) => Err(format!("`{other}` is not possible before `launch`")),
        };
        let ends = result.is_ok() && request.command == "terminate";
        client.answer(&request, result);
        if ends {
            client.terminated();
        }
    }
}

/// Hears the reports of a command.
struct Told {
    client: Arc<Client>,
    /// What stands in the way of a run.
    why: Mutex<Option<String>>,
}

impl std::fmt::Debug for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Told")
    }
}

impl Listener for Told {
    fn told(&self, report: &Report, sources: &mut Sources) {
        if let Some(code) = report.exit {
            self.client.ended(code);
        }
        if report.is_empty() {
            return;
        }
        let first = report.diagnostics.iter().find(|d| !d.class.is_aside());
        if let Some(d) = first {
            let at = d.primary.as_ref().map_or(String::new(), |s| format!("{}:{}: ", s.file, s.start.line));
            *self.why.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{at}{}", d.message));
        }
        let text = render::render(report, sources, Format::Human, Look::of_file());
        // The program's last words come before what is said of it.
        self.client.close_streams();
        self.client.say("console", &text);
    }
}

/// Launches a program and serves it until its end.
///
/// # Errors
/// It cannot be launched.
fn launch(
    client: &Arc<Client>,
    bases: Bases,
    request: &Request,
    monitor: &Arc<Monitor>,
) -> Result<(), String> {
    let launch = Launch::read(request)?;
    launch.enter()?;
    let input = launch.input()?;
    let split = compiler_args::split(launch.words.iter().cloned())?;
    let cli = Cli::try_parse_from(&split.own).map_err(|e| {
        if matches!(e.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            return "`cudair debug --help` lists the `options`".to_owned();
        }
        let text = e.render().to_string();
        // What is wrong, without the usage of the command line.
        let first = text.split("\n\nUsage:").next().map_or(text.as_str(), str::trim);
        first.trim_start_matches("error: ").to_owned()
    })?;
    let Command::Debug(command) = &cli.command else {
        return Err("the `options` are those of `cudair debug`".to_owned());
    };
    let common = &command.run.common;
    if let Some(option) = command.unfit() {
        return Err(format!("`debug` takes no `{option}`: it belongs to `run`"));
    }
    if common.files.iter().any(|file| file == Path::new(compiler_args::STDIN)) {
        return Err("standard input is the client's, and no program".to_owned());
    }
    if common.format != Format::Human {
        return Err("the report goes to the console; `--report FORMAT:FILE` writes another".to_owned());
    }
    let told = Arc::new(Told { client: client.clone(), why: Mutex::default() });
    let opened =
        open(&cli.command, common, (split.compiler, &split.program, &launch.words), Some(told.clone()));
    let begun = Arc::new(AtomicBool::new(false));
    if let Ok((mut session, device)) = opened
        && let Ok(module) = session.module_to_debug(&device)
    {
        let world = World::default();
        client.attract(&world.attention);
        let front = Dap::new(client.clone(), bases, &launch, request.clone(), begun.clone());
        let debugged = Arc::new(debug::Session::new(&module, &session.counted, Box::new(front), &world));
        let streams = |_: HostIo| HostIo {
            stdin: Box::new(Cursor::new(input.clone())),
            stdout: client.stream(Stream::Out),
            stderr: client.stream(Stream::Error),
            // What is printed is seen at each line's end, as in a terminal.
            terminal: true,
        };
        session.under_debugger(
            &debugged,
            (&module, &world),
            (&command.run, &device, &split.program),
            monitor,
            &streams,
        );
    }
    if begun.load(Relaxed) {
        return Ok(());
    }
    let why = told.why.lock().unwrap_or_else(PoisonError::into_inner).take();
    Err(why.ok_or("the program could not be launched").unwrap_or_else(str::to_owned))
}
