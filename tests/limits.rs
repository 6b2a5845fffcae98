//! At each limit and signal a run ends at once, tells what it has found so far, and leaves no process behind.
#![cfg(unix)]

#[path = "ui/signals.rs"]
mod signals;

use signals::cudair;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long an end may take here: it takes less than a second, but the machine has other tests to do.
const PROMPT: Duration = Duration::from_secs(4);

/// What each program does first: a race that is found, and a sign that it is.
const RACE: &str = "
    #include <stdio.h>
    #include <string.h>
    __global__ void racy(int *p) { p[0] = threadIdx.x; }
    static void found() {
        static int *p;
        cudaMalloc(&p, 4);
        racy<<<1, 64>>>(p);
        cudaDeviceSynchronize();
        printf(\"started\\n\");
        fflush(stdout);
    }
";

/// A loop of copies of whole structures, which are loops by themselves.
const COPIES: &str = "
    __global__ void k(float4 *g) {
        __shared__ float4 s[512];
        int t = threadIdx.x;
        s[t] = s[t + 256] = make_float4(t, 1, 2, 3);
        for (int j = 0; j < 100000000; j++) { float4 x = s[t]; s[t] = s[t + 256]; s[t + 256] = x; }
        g[t] = s[t];
    }
    int main() {
        float4 *d;
        cudaMalloc(&d, 256 * sizeof *d);
        found();
        k<<<1, 256>>>(d);
        return cudaDeviceSynchronize();
    }
";

/// Blocks that do nothing, more than can be counted.
const EMPTY: &str = "
    __global__ void k() {}
    int main() {
        found();
        k<<<2147483647, 1024>>>();
        return cudaDeviceSynchronize();
    }
";

/// Blocks that meet at barriers, for several cores.
const BARRIERS: &str = "
    __global__ void k(float4 *g) {
        __shared__ float4 s[512];
        int t = threadIdx.x;
        s[t] = s[t + 256] = make_float4(t, 1, 2, 3);
        __syncthreads();
        for (int j = 0; j < (blockIdx.x ? 1 << 20 : 64); j++) {
            float4 x = s[t];
            s[t] = s[t + 256];
            s[t + 256] = x;
            __syncthreads();
        }
        g[blockIdx.x * 256 + t] = s[t];
    }
    int main() {
        float4 *d;
        cudaMalloc(&d, 1024 * 256 * sizeof *d);
        found();
        k<<<1024, 256>>>(d);
        return cudaDeviceSynchronize();
    }
";

/// A function of the library that does not come back: nobody writes to the pipe.
const BLOCKED: &str = "
    int main() {
        found();
        return fopen(\"pipe\", \"r\") == NULL;
    }
";

/// One block with one long loop.
const LOOP: &str = "
    __global__ void k(unsigned *p) {
        unsigned s = 0;
        for (unsigned i = 0; i < 4000000000u; i++) s = s * 3 + (i ^ s);
        *p = s;
    }
    int main() {
        unsigned *d;
        cudaMalloc(&d, 4);
        found();
        k<<<1, 1>>>(d);
        return cudaDeviceSynchronize();
    }
";

const PROGRAMS: [(&str, &str); 5] =
    [("copies", COPIES), ("empty", EMPTY), ("barriers", BARRIERS), ("blocked", BLOCKED), ("loop", LOOP)];

/// Starts a program.
fn start(folder: &Path, (name, text): (&str, &str), options: &[&str]) -> Child {
    let program = folder.join(format!("{name}.cu"));
    std::fs::write(&program, format!("{RACE}{text}")).expect("it can be written");
    let pipe = folder.join("pipe");
    if !pipe.exists() {
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("the system has pipes").success());
    }
    cudair()
        .arg("run")
        .args(options)
        .arg(&program)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("CUDAIR_SHARE_AFTER", "0.001")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cudair starts")
}

/// Waits until it says that it has started.
fn wait_for_sign(child: &mut Child) {
    let mut sign = [0; 8];
    child.stdout.as_mut().expect("it is piped").read_exact(&mut sign).expect("it starts");
    assert_eq!(&sign, b"started\n");
}

/// Waits for its end, which is to come soon, and looks at what it has told.
fn ends(what: &str, child: Child, from: Instant, why: &str) {
    let output = child.wait_with_output().expect("it ends");
    let took = from.elapsed();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    // Were there a process left, it would hold the pipe, and reading it would not have ended.
    assert!(took < PROMPT, "{what}: ends after {took:?}\n{told}");
    assert_eq!(output.status.code(), Some(4), "{what}: {:?}\n{told}", output.status);
    assert!(told.contains("error[global-race]"), "{what}: the race is lost\n{told}");
    assert!(told.contains(why), "{what}: does not say {why}\n{told}");
}

#[test]
fn the_time_limit_acts_at_once() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    for (name, text) in PROGRAMS {
        for jobs in ["1", "2"] {
            let begun = Instant::now();
            let child = start(folder.path(), (name, text), &["--jobs", jobs, "--timeout", "3"]);
            let why = "the time limit of 3 s was reached";
            ends(&format!("{name} on {jobs}"), child, begun + Duration::from_secs(3), why);
        }
    }
}

#[test]
fn signals_act_at_once() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let signals = [("INT", "Ctrl-C"), ("TERM", "SIGTERM"), ("HUP", "SIGHUP")];
    for (n, (name, text)) in PROGRAMS.into_iter().enumerate() {
        let (signal, said) = signals[n % signals.len()];
        let what = format!("{name} at {signal}");
        let mut child = start(folder.path(), (name, text), &["--jobs", "2"]);
        wait_for_sign(&mut child);
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        // Twice at once, as `timeout` does.
        for _ in 0..2 {
            let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
            assert!(kill.expect("the signal can be sent").success());
        }
        ends(&what, child, begun, &format!("interrupted by {said}"));
    }
}

/// Where memory runs out for what the race detector keeps, the run says so: what it does not know is no silence.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_runs_out_is_told() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let program = folder.path().join("pages.cu");
    // One word of each page: of those that the second launch writes, all is kept, since they are not zeros any more. That is
    // as large as the variable.
    let source = "
        __device__ int all[256 << 20];
        __global__ void k() {
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 256 << 10; i += gridDim.x * blockDim.x)
                all[i * 1024] += 1;
        }
        int main() {
            k<<<4, 256>>>();
            k<<<4, 256>>>();
            return cudaDeviceSynchronize();
        }";
    std::fs::write(&program, source).expect("it can be written");
    let mut told = false;
    // In KiB. What cudair needs itself differs from machine to machine.
    for limit in (1_800_000..6_000_000).step_by(300_000) {
        let output = Command::new("sh")
            .args(["-c", "ulimit -v $0; exec \"$@\"", &limit.to_string()])
            .args([env!("CARGO_BIN_EXE_cudair"), "run", "--jobs", "1"])
            .arg(&program)
            .output()
            .expect("there is a shell");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.code() == Some(0) {
            assert_eq!(text, "", "at {limit} KiB");
            break;
        }
        told |= text.contains("the race detector ran out of memory") && output.status.code() == Some(4);
    }
    assert!(told, "no limit was met in which only the detector had no room");
}
