//! On any number of cores a program prints the same and the same is found.

#[path = "ui/signals.rs"]
mod signals;

use signals::cudair;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The programs in these folders of `tests/run`.
fn programs(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in folders {
        let entries =
            std::fs::read_dir(root.join("tests/run").join(folder)).expect("the folder of tests is there");
        all.extend(entries.map(|e| e.expect("its entries can be read").path()));
    }
    all.retain(|p| p.extension().is_some_and(|e| e == "cu"));
    all.sort();
    all
}

fn run(program: &Path, jobs: &str, flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cudair"))
        .args(["run", "--jobs", jobs])
        .args(flags)
        .arg(program)
        // Launches part at once, however short they are.
        .env("CUDAIR_SHARE_AFTER", "0")
        .output()
        .expect("cudair starts")
}

/// The programs whose blocks have something to do with each other, or could have.
#[test]
fn cores_make_no_difference() {
    let programs = programs(&["pass/cuda", "pass/race", "fail/race", "pass/jobs", "fail/jobs"]);
    assert!(programs.len() > 40, "only {} programs", programs.len());
    compare(&programs, &[]);
}

#[test]
fn cores_make_no_difference_to_machine_code() {
    let programs = programs(&["pass/jit", "fail/jit", "pass/jobs", "fail/jobs"]);
    for revision in ["none", "race", "uninit", "bounds", "overflow"] {
        compare(&programs, &["--engine", "jit", &format!("-DREV_{revision}")]);
    }
}

/// Launches of which a part is left out, or nothing, where threads do meet.
#[test]
fn cores_make_no_difference_to_what_is_proved() {
    let programs = programs(&["fail/elision"]);
    for revision in ["turn", "wide", "narrow", "step", "part", "without"] {
        compare(&programs, &[&format!("-DREV_{revision}")]);
    }
}

/// Runs programs on one core and on three.
fn compare(programs: &[PathBuf], flags: &[&str]) {
    let mut different = Vec::new();
    for program in programs {
        let (one, three) = (run(program, "1", flags), run(program, "3", flags));
        if one != three {
            different.push(format!(
                "{}\non one core:\n{}{}\non three:\n{}{}",
                program.display(),
                String::from_utf8_lossy(&one.stdout),
                String::from_utf8_lossy(&one.stderr),
                String::from_utf8_lossy(&three.stdout),
                String::from_utf8_lossy(&three.stderr),
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Processes whose command line holds a text, by their number.
#[cfg(target_os = "linux")]
fn processes(text: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("the system tells of processes");
    let numbers = entries.flatten().filter_map(|e| e.file_name().to_string_lossy().parse().ok());
    numbers
        .filter(|n: &u32| {
            let line = std::fs::read(format!("/proc/{n}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(text)
        })
        .collect()
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_survives_its_parent() {
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().expect("there is room for a file");
    let program = folder.path().join("outlives.cu");
    let source = "__global__ void k(int *p) {
        int s = 0;
        for (int i = 0; i < 100000000; i++) s += i ^ threadIdx.x;
        p[blockIdx.x] = s;
    }
    int main() {
        int *p;
        cudaMalloc(&p, 64 * sizeof *p);
        k<<<64, 1>>>(p);
        return cudaDeviceSynchronize();
    }";
    let short = source.replace("i < 100000000", "i < (blockIdx.x ? 100000000 : 10)");
    std::fs::write(&program, short).expect("it can be written");
    let name = program.to_string_lossy().into_owned();
    let wait_for = |what: &str, is: &dyn Fn(&[u32]) -> bool| {
        let end = Instant::now() + Duration::from_mins(1);
        loop {
            let alive = processes(&name);
            if is(&alive) {
                return;
            }
            assert!(Instant::now() < end, "{what}: {alive:?} are alive");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    for signal in ["KILL", "TERM", "HUP"] {
        let mut parent = cudair()
            .args(["run", "--jobs", "3", &name])
            .env("CUDAIR_SHARE_AFTER", "0")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("cudair starts");
        wait_for("before the signal", &|alive| alive.len() == 3);
        let kill = Command::new("kill").args([format!("-{signal}"), parent.id().to_string()]).status();
        assert!(kill.expect("the signal can be sent").success());
        parent.wait().expect("it ends");
        let ended = Instant::now();
        wait_for(signal, &|alive| alive.is_empty());
        assert!(ended.elapsed() < Duration::from_secs(5), "{signal}: {:?} later", ended.elapsed());
    }
}
