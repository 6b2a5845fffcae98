//! Running the binary.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
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
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs `cudair` with these arguments in `folder`, with `stdin` as its input.
pub fn cudair(folder: &Path, arguments: &[String], stdin: &str) -> Result<Outcome, String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("CLICOLOR_FORCE")
        .env("TZ", "UTC")
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start cudair: {error}"))?;
    let mut input = child.stdin.take().ok_or("no stdin")?;
    let text = stdin.to_owned();
    // A process may end without reading its input; that is no failure of the test.
    let feeder = std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
    let stdout = drain(child.stdout.take().ok_or("no stdout")?);
    let stderr = drain(child.stderr.take().ok_or("no stderr")?);
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("cudair {} did not end within {PATIENCE:?}", arguments.join(" ")));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    let _ = feeder.join();
    let text = |handle: std::thread::JoinHandle<Vec<u8>>| {
        handle.join().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    };
    Ok(Outcome { code: code_of(status), stdout: text(stdout), stderr: text(stderr) })
}

fn drain(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
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
