//! Running the binary.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a process left behind.
pub struct Outcome {
    /// The exit code; a signal is 128 and its number, as a shell has it.
    pub code: i32,
    /// Everything on stdout; what is not UTF-8 is replaced.
    pub stdout: String,
    /// Everything on stderr.
    pub stderr: String,
}

/// How long one command may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_mins(2);

/// How long a process may take: longer where it is built to be slow.
fn patience() -> Duration {
    let times = std::env::var("CUDAIR_TEST_PATIENCE").ok().and_then(|n| n.parse().ok());
    PATIENCE * times.unwrap_or(1)
}

/// Runs `cudair` with these arguments in `folder`, with `stdin` as its input.
pub fn cudair(folder: &Path, arguments: &[String], stdin: &str) -> Result<Outcome, String> {
    run(Command::new(env!("CARGO_BIN_EXE_cudair")).args(arguments), folder, Input::Text(stdin))
}

/// What a process is given.
#[derive(Clone, Copy)]
pub enum Input<'a> {
    /// This, and then the end of the input.
    Text(&'a str),
    /// An input that stays open and empty, and Ctrl-C (`SIGINT`) as soon as this is on stdout.
    InterruptAfter(&'a str),
}

/// Runs a command in `folder`.
pub fn run(command: &mut Command, folder: &Path, input: Input) -> Result<Outcome, String> {
    let arguments: Vec<String> = command.get_args().map(|a| a.to_string_lossy().into_owned()).collect();
    // Unless the test is about it.
    if !command.get_envs().any(|(name, _)| name == "LC_ALL") {
        command.env("LC_ALL", "C.UTF-8");
    }
    // Whether a run takes a second must not show in a test.
    if !command.get_envs().any(|(name, _)| name == "CUDAIR_SHOW_AFTER") {
        command.env("CUDAIR_SHOW_AFTER", "1000000");
    }
    let mut child = command
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("CLICOLOR_FORCE")
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start cudair: {error}"))?;
    let mut pipe = child.stdin.take().ok_or("no stdin")?;
    let (text, mut interrupt, held) = match input {
        // A process may end without reading its input; that is no failure of the test.
        Input::Text(text) => {
            let text = text.to_owned();
            (Some(std::thread::spawn(move || drop(pipe.write_all(text.as_bytes())))), None, None)
        }
        Input::InterruptAfter(sign) => (None, Some(sign), Some(pipe)),
    };
    let (stdout, seen) = drain(child.stdout.take().ok_or("no stdout")?);
    let stderr = drain(child.stderr.take().ok_or("no stderr")?);
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if let Some(sign) = interrupt
            && String::from_utf8_lossy(&seen.lock().map_err(|e| e.to_string())?).contains(sign)
        {
            interrupt = None;
            let_it_work(child.id());
            let id = child.id().to_string();
            Command::new("kill").args(["-INT", &id]).status().map_err(|e| format!("kill: {e}"))?;
        }
        if start.elapsed() > patience() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("cudair {} did not end within {:?}", arguments.join(" "), patience()));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    drop(held);
    if let Some(feeder) = text {
        let _ = feeder.join();
    }
    let text = |(thread, bytes): (JoinHandle<()>, Bytes)| {
        let _ = thread.join();
        bytes.lock().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    };
    let stdout = text((stdout, seen));
    Ok(Outcome { code: code_of(status), stdout, stderr: text(stderr) })
}

/// Waits until a process has worked for 50 ms more, on a busy machine too; for one that sleeps, a second.
fn let_it_work(id: u32) {
    // Ticks of 10 ms in user mode: the 12th field behind the name, which is in brackets (proc(5)).
    let ticks = || {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit(')').next()?.split_whitespace().nth(11)?.parse::<u64>().ok()
    };
    let (start, before) = (Instant::now(), ticks());
    while start.elapsed() < Duration::from_secs(1) {
        if let (Some(before), Some(now)) = (before, ticks())
            && now >= before + 5
        {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a pipe has given so far.
type Bytes = Arc<Mutex<Vec<u8>>>;

fn drain(mut pipe: impl Read + Send + 'static) -> (JoinHandle<()>, Bytes) {
    let bytes = Bytes::default();
    let to = bytes.clone();
    let thread = std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(n @ 1..) = pipe.read(&mut chunk) {
            if let Ok(mut to) = to.lock() {
                to.extend_from_slice(&chunk[..n]);
            }
        }
    });
    (thread, bytes)
}

fn code_of(status: std::process::ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
    }
    #[cfg(not(unix))]
    {
        status.code().unwrap_or(-1)
    }
}

/// Two texts that should be the same: nothing, or where they part.
pub fn difference(what: &str, expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let (mut left, mut right) = (expected.lines(), actual.lines());
    let mut number = 0;
    loop {
        number += 1;
        let (a, b) = (left.next(), right.next());
        if a == b && a.is_some() {
            continue;
        }
        let show = |line: Option<&str>| line.map_or("(the end)".to_owned(), |line| format!("{line:?}"));
        return Some(format!(
            "{what} differs from line {number} on\n  expected: {}\n  actual:   {}\n--- all of the actual {what}\n{}",
            show(a),
            show(b),
            clip(actual)
        ));
    }
}

/// The start of a text that may be very long.
pub fn clip(text: &str) -> String {
    const MOST: usize = 4000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

/// Compares a text with the snapshot of this name below `snapshots/ui`.
pub fn snapshot(name: &str, text: &str) -> Result<(), String> {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(Path::new(super::ROOT).join("snapshots/ui"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = name.replace(['/', '\\'], "__");
    let text = text.replace(super::ROOT, "$ROOT");
    let compare = || settings.bind(|| insta::assert_snapshot!(name.as_str(), text));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare))
        .map_err(|_| format!("the snapshot {name} differs; ./x bless takes the new one"))
}
