//! Findings that are shown while the program runs: the program waits for its input until the test has seen them.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A race at two pairs of places, in a launch for each byte of the input; the first one shows one pair.
const RACES: &str = r"
#include <stdio.h>
__global__ void racy(int *out, int n) {
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = i;
    out[i] = s[i ^ 32];
    if (n > 0) out[i] += s[63 - i];
}
int main() {
    int *out;
    cudaMalloc(&out, 256);
    for (int n = 0; n == 0 || getchar() != EOF; n++) {
        racy<<<1, 64>>>(out, n);
        cudaDeviceSynchronize();
    }
    cudaFree(out);
}
";

/// What only the end knows: the host reads what was never written, and so does a kernel; then the program waits.
const LATE: &str = r#"
#include <stdio.h>
__global__ void reads(int *p, int *out) { out[threadIdx.x] = p[threadIdx.x] > 0; }
__global__ void nothing() {}
int main() {
    int *p, *out, chance;
    cudaMalloc(&p, 256);
    cudaMalloc(&out, 256);
    if (chance) puts("chance");
    reads<<<1, 64>>>(p, out);
    cudaDeviceSynchronize();
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    puts("waits");
    fflush(stdout);
    getchar();
    cudaFree(p);
    cudaFree(out);
}
"#;

/// A line that is begun before a launch shows a race, and ended after it.
const LINES: &str = r#"
#include <stdio.h>
__global__ void racy(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = 1 + threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}
int main() {
    int *out;
    cudaMalloc(&out, 256);
    printf("one ");
    fflush(stdout);
    racy<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("line\n");
    fflush(stdout);
    printf("the next\n");
    fflush(stdout);
    cudaFree(out);
}
"#;

/// A run, and what it has written so far to stderr and stdout.
struct Run {
    child: Child,
    error: Arc<Mutex<String>>,
    out: Arc<Mutex<String>>,
    drained: JoinHandle<()>,
    _folder: tempfile::TempDir,
}

/// Collects what comes.
fn drain(mut pipe: impl Read + Send + 'static) -> (Arc<Mutex<String>>, JoinHandle<()>) {
    let all: Arc<Mutex<String>> = Arc::default();
    let to = all.clone();
    let thread = std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(n @ 1..) = pipe.read(&mut bytes) {
            to.lock().expect("nobody panicked").push_str(&String::from_utf8_lossy(&bytes[..n]));
        }
    });
    (all, thread)
}

impl Run {
    /// Runs a program, whose findings are shown after so many seconds, or as long as it takes without options.
    fn new(text: &str, options: &[&str], after: Option<&str>) -> Run {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("prog.cu"), text).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
        command.arg("run").args(options).arg("prog.cu").current_dir(folder.path());
        command.env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").env_remove("CUDAIR_SHOW_AFTER");
        command.envs(after.map(|after| ("CUDAIR_SHOW_AFTER", after)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("cudair starts");
        let (error, drained) = drain(child.stderr.take().expect("a pipe"));
        let (out, _) = drain(child.stdout.take().expect("a pipe"));
        Run { child, error, out, drained, _folder: folder }
    }

    /// Waits until a text is there.
    fn wait(of: &Arc<Mutex<String>>, text: &str) {
        let begin = Instant::now();
        while !of.lock().expect("nobody panicked").contains(text) {
            assert!(begin.elapsed() < Duration::from_mins(2), "no `{text}` in {:?}", of.lock());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Gives the program its input; what stands on stderr when it has ended.
    fn end(mut self, input: &str) -> String {
        let mut stdin = self.child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("it reads");
        drop(stdin);
        self.child.wait().expect("it ends");
        self.drained.join().expect("nobody panicked");
        self.error.lock().expect("nobody panicked").clone()
    }
}

#[test]
fn a_finding_is_shown_when_its_launch_ends() {
    let run = Run::new(RACES, &[], Some("0"));
    Run::wait(&run.error, "error[shared-race]");
    let all = run.end("ab");
    assert_eq!(all.matches("error[shared-race]").count(), 1, "{all}");
    let (first, last) =
        all.split_once("cudair: of what was shown while the program ran:\n").expect("a table");
    assert!(first.contains("what helps is tried when the program has ended"), "{all}");
    assert!(first.contains("it happened 64 times") || first.contains("happened 64 times"), "{all}");
    assert!(last.contains("it happened 192 times; 1 more pair of places has"), "{all}");
    assert!(last.contains("help: insert `__syncthreads();` before line 7 (verified"), "{all}");
    assert!(last.ends_with("\n\ncudair: 1 error, 1 more of the same cause (--verbose)\n"), "{all}");
}

#[test]
fn what_was_found_before_the_time_is_shown_when_it_comes() {
    let run = Run::new(RACES, &[], None);
    Run::wait(&run.error, "error[shared-race]");
    let all = run.end("");
    assert_eq!(all.matches("error[shared-race]").count(), 1, "{all}");
    // Nothing has changed but the help.
    assert!(all.contains("prog.cu:7:14: shared-race: what helps\n    help: insert"), "{all}");
}

#[test]
fn a_short_run_tells_all_at_its_end() {
    let all = Run::new(RACES, &[], Some("1000")).end("a");
    assert_eq!(all.matches("error[shared-race]").count(), 1, "{all}");
    assert!(!all.contains("while the program ran"), "{all}");
    assert!(all.contains("Help: insert `__syncthreads();`"), "{all}");
}

#[test]
fn lines_are_shown_early_too_and_objects_at_the_end() {
    let run = Run::new(RACES, &["--format", "short", "--no-repair"], Some("0"));
    Run::wait(&run.error, "[shared-race]");
    let all = run.end("a");
    assert_eq!(all.matches(": error: ").count(), 1, "{all}");
    let corrected =
        "note: 1 more pair of places has this cause, in line 8; `--verbose` shows all [shared-race]\n";
    assert!(all.contains(corrected), "{all}");
    let all = Run::new(RACES, &["--format", "json"], Some("0")).end("a");
    assert_eq!(all.matches("\"type\":\"finding\"").count(), 2, "{all}");
    assert!(!all.contains("while the program ran"), "{all}");
}

#[test]
fn what_only_the_end_knows_waits_for_it() {
    let run = Run::new(LATE, &[], Some("0"));
    Run::wait(&run.out, "waits");
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(*run.error.lock().expect("nobody panicked"), "");
    let all = run.end("a");
    assert_eq!(all.matches("[uninitialized-read]").count(), 2, "{all}");
    assert!(!all.contains("while the program ran"), "{all}");
}

#[test]
fn what_nobody_wants_is_not_shown() {
    for options in [
        &["--exclude-kernel", "racy"][..],
        &["--no-check", "shared-race"],
        &["--seeds", "0..2", "--no-repair"],
        &["--verdicts", "--no-repair"],
    ] {
        let all = Run::new(RACES, options, Some("0")).end("a");
        assert!(!all.contains("while the program ran"), "{options:?}: {all}");
        assert!(!all.contains("what helps is tried"), "{options:?}: {all}");
    }
}

#[test]
fn lines_of_the_program_stay_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("prog.cu"), LINES).expect("a file");
    let output = Command::new("sh")
        .args(["-c", &format!("{} run prog.cu 2>&1", env!("CARGO_BIN_EXE_cudair"))])
        .current_dir(folder.path())
        .envs([("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8"), ("CUDAIR_SHOW_AFTER", "0")])
        .output()
        .expect("a shell");
    let all = String::from_utf8_lossy(&output.stdout);
    let (before, after) = all.split_once("error[shared-race]").expect("a race");
    assert_eq!(before, "one line\n");
    assert!(after.contains("\n\nthe next\ncudair: of what was shown"), "{all}");
}

#[test]
fn a_file_has_all_that_was_found() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("prog.cu"), LINES).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--report", "human:report", "--format", "human", "--report", "short:lines"])
        .args(["--report", "json:objects", "prog.cu"])
        .current_dir(folder.path())
        .envs([("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8"), ("CUDAIR_SHOW_AFTER", "0")])
        .output()
        .expect("cudair starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("of what was shown while the program ran"), "{error}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a report");
    for (file, finding) in
        [("report", "error[shared-race]"), ("lines", "[shared-race]"), ("objects", "shared-race")]
    {
        let text = read(file);
        assert!(text.contains(finding) && !text.contains("while the program ran"), "{file}: {text}");
    }
    assert!(read("report").contains("Help: insert `__syncthreads();`"));
}
