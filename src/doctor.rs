//! `cudair doctor`: what a run needs, what of it is there, and how to get the rest.

use crate::EXIT_USAGE;
use crate::cli::{Doctor, DoctorFormat};
use crate::render::human::wrap;
use crate::solver;
use cudair_frontend::clang::{self, LibraryError, NEWEST, OLDEST, Origin};
use cudair_frontend::{FrontendError, Language, system_header};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What was found.
struct Found {
    /// The libclang in use, or why there is none.
    library: Result<Used, LibraryError>,
    /// The others, with their version or what is wrong with each.
    others: Vec<(PathBuf, Origin, Result<String, LibraryError>)>,
    /// The folder of C's headers, as the parser finds it.
    c_headers: Option<PathBuf>,
    /// The folder of the C++ library's.
    cxx_headers: Option<PathBuf>,
    cores: usize,
    memory: Option<Memory>,
    /// Where to put the wheel of libclang.
    wheel_home: Option<PathBuf>,
    /// The SMT solver.
    z3: Option<PathBuf>,
    /// Where `./x z3` puts it.
    z3_home: Option<PathBuf>,
}

/// The libclang in use.
struct Used {
    path: PathBuf,
    origin: Origin,
    release: String,
    major: u32,
    /// Its own headers; cudair's take their place.
    builtin_headers: Option<PathBuf>,
}

/// Bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Memory {
    total: u64,
    /// What a process can have now, where the system says it.
    available: Option<u64>,
}

/// Something that is missing.
struct Missing {
    /// One word for scripts.
    name: &'static str,
    /// What does not work without it.
    why: String,
    /// What to type, a line each.
    remedy: Vec<String>,
    /// No program runs without it.
    fatal: bool,
}

/// Looks, prints, and gives the exit code: 0 if a program can run.
pub fn doctor(command: &Doctor) -> Result<(String, u8), FrontendError> {
    let found = look()?;
    let missing = missing(&found);
    let text = match command.format {
        DoctorFormat::Human => human(&found, &missing),
        DoctorFormat::Json => json(&found, &missing).to_string() + "\n",
        DoctorFormat::Plain => plain(&found, &missing),
    };
    let code = if missing.iter().any(|m| m.fatal) { EXIT_USAGE } else { 0 };
    Ok((text, code))
}

fn look() -> Result<Found, FrontendError> {
    let library = used();
    let header = |name: &str, language| match &library {
        Ok(_) => system_header(name, language),
        Err(_) => Ok(None),
    };
    let c_headers = header("stdio.h", Language::C)?;
    let cxx_headers = header("cstddef", Language::Cxx)?;
    Ok(Found {
        library,
        // Last: opening them is of no use to the one in use.
        others: clang::others(),
        c_headers,
        cxx_headers,
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        memory: memory(),
        wheel_home: clang::wheel_home(),
        z3: solver::find(),
        z3_home: solver::home(),
    })
}

fn used() -> Result<Used, LibraryError> {
    let about = clang::about()?;
    Ok(Used {
        path: about.path.clone(),
        origin: about.origin,
        release: about.release.clone(),
        major: clang::version()?,
        builtin_headers: clang::builtin_headers()?.map(Path::to_path_buf),
    })
}

/// The machine's memory, or what a container leaves of it.
fn memory() -> Option<Memory> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    if let Some(text) = read("/proc/meminfo") {
        let limit = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
        return meminfo(&text, limit);
    }
    // A Mac.
    let output = std::process::Command::new("sysctl").args(["-n", "hw.memsize"]).output().ok()?;
    let total = String::from_utf8_lossy(&output.stdout).trim().parse().ok()?;
    Some(Memory { total, available: None })
}

/// What Linux's `/proc/meminfo` says, within a container's limit.
fn meminfo(text: &str, limit: Option<u64>) -> Option<Memory> {
    let bytes = |key: &str| -> Option<u64> {
        let line = text.lines().find_map(|l| l.strip_prefix(key))?;
        line.trim_start_matches(':').trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
    };
    let within = |n: u64| limit.map_or(n, |limit| n.min(limit));
    Some(Memory { total: within(bytes("MemTotal")?), available: bytes("MemAvailable").map(within) })
}

fn missing(found: &Found) -> Vec<Missing> {
    let mut missing = Vec::new();
    if let Err(error) = &found.library {
        let why = format!("{error}.");
        missing.push(Missing { name: "libclang", why, remedy: clang::remedy(), fatal: true });
        // Without it nothing can be said of headers.
        return missing;
    }
    let packages = |linux: &str| {
        if cfg!(target_os = "macos") {
            match linux {
                "z3" => vec!["  brew install z3".to_owned()],
                _ => vec!["  xcode-select --install".to_owned()],
            }
        } else {
            vec![format!("  apt-get install {linux}")]
        }
    };
    if found.c_headers.is_none() {
        missing.push(Missing {
            name: "c-headers",
            why: "The C library's headers were not found: no program can be parsed.".to_owned(),
            remedy: packages("libc6-dev"),
            fatal: true,
        });
    }
    if found.cxx_headers.is_none() {
        missing.push(Missing {
            name: "c++-headers",
            why: "The C++ library's headers were not found: programs that include one of them do not parse."
                .to_owned(),
            remedy: packages("g++"),
            fatal: false,
        });
    }
    if found.z3.is_none() {
        missing.push(Missing {
            name: "z3",
            why: "There is no SMT solver: programs run all the same, but `cudair check` proves less."
                .to_owned(),
            remedy: packages("z3"),
            fatal: false,
        });
    }
    missing
}

/// For people: what is there, what to do.
fn human(found: &Found, missing: &[Missing]) -> String {
    let mut out = String::new();
    let mut row = |head: &str, text: &str| {
        let _ = writeln!(out, "{head:<12} {text}");
    };
    match &found.library {
        Ok(used) => {
            let untested =
                if used.major > NEWEST { format!(", newer than the tested {NEWEST}") } else { String::new() };
            row("libclang", &format!("{} ({}{untested})", used.release, used.origin.name()));
            row("", &used.path.display().to_string());
            match &used.builtin_headers {
                Some(folder) => row("its headers", &folder.display().to_string()),
                None => row("its headers", "not installed; cudair's own take their place"),
            }
        }
        Err(_) => row("libclang", &format!("none that can be used ({OLDEST} or newer is needed)")),
    }
    for (path, _, result) in &found.others {
        row("not used", &path.display().to_string());
        match result {
            Ok(release) => row("", &release.clone()),
            Err(LibraryError::TooOld { version, .. }) => row("", &format!("{version}, too old")),
            Err(LibraryError::Unusable { why, .. }) => row("", why),
            Err(LibraryError::Missing) => row("", "gone"),
        }
    }
    let place = |folder: &Option<PathBuf>| match (folder, &found.library) {
        (Some(folder), _) => folder.display().to_string(),
        (None, Ok(_)) => "not found".to_owned(),
        (None, Err(_)) => "not searched for: libclang is missing".to_owned(),
    };
    row("C headers", &place(&found.c_headers));
    row("C++ headers", &place(&found.cxx_headers));
    match &found.z3 {
        Some(path) => row("SMT solver", &path.display().to_string()),
        None => row("SMT solver", "not found"),
    }
    row("cores", &found.cores.to_string());
    let gib = |bytes: u64| format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64);
    let memory = match found.memory {
        Some(Memory { total, available: Some(free) }) => format!("{}, {} of it free", gib(total), gib(free)),
        Some(Memory { total, available: None }) => gib(total),
        None => "unknown".to_owned(),
    };
    row("memory", &memory);
    for m in missing {
        let _ = write!(out, "\n{}\n", wrap(&m.why, 80));
        for line in &m.remedy {
            let _ = writeln!(out, "{line}");
        }
    }
    // Programs run without the solver.
    let all = missing.iter().all(|m| m.name == "z3");
    let end = match (all, missing.iter().any(|m| m.fatal)) {
        (true, _) => "Programs can run here.",
        (false, false) => "Other programs can run here.",
        (false, true) => "No program can run here yet.",
    };
    let _ = write!(out, "\n{end}\n");
    out
}

/// For scripts: a word and what belongs to it, a line each.
fn plain(found: &Found, missing: &[Missing]) -> String {
    let mut out = String::new();
    let mut row = |words: &[&str]| {
        let _ = writeln!(out, "{}", words.join(" "));
    };
    if let Ok(used) = &found.library {
        row(&["libclang", &used.release, used.origin.name(), &used.path.display().to_string()]);
    }
    for (path, origin, result) in &found.others {
        let path = path.display().to_string();
        match result {
            Ok(release) => row(&["other", release, origin.name(), &path]),
            Err(LibraryError::TooOld { version, .. }) => row(&["too-old", version, origin.name(), &path]),
            Err(_) => row(&["unusable", "?", origin.name(), &path]),
        }
    }
    for (key, folder) in [
        ("c-headers", &found.c_headers),
        ("c++-headers", &found.cxx_headers),
        ("wheel-home", &found.wheel_home),
        ("z3", &found.z3),
        ("z3-home", &found.z3_home),
    ] {
        if let Some(folder) = folder {
            row(&[key, &folder.display().to_string()]);
        }
    }
    // Those that were tested, the best first.
    let versions: Vec<String> = (OLDEST..=NEWEST).rev().map(|v| v.to_string()).collect();
    row(&["versions", &versions.join(" ")]);
    row(&["cores", &found.cores.to_string()]);
    if let Some(memory) = found.memory {
        row(&["memory", &memory.total.to_string()]);
    }
    for m in missing {
        row(&["missing", m.name]);
    }
    out
}

fn json(found: &Found, missing: &[Missing]) -> Value {
    let text = |path: &PathBuf| path.display().to_string();
    let library = found.library.as_ref().ok().map(|used| {
        json!({
            "version": used.release,
            "origin": used.origin.name(),
            "path": text(&used.path),
            "builtin_headers": used.builtin_headers.as_ref().map(text),
            "tested": used.major <= NEWEST,
        })
    });
    let others = found.others.iter().map(|(path, origin, result)| {
        json!({
            "version": match result {
                Ok(version) | Err(LibraryError::TooOld { version, .. }) => Some(version),
                Err(_) => None,
            },
            "origin": origin.name(),
            "path": text(path),
            "error": result.as_ref().err().map(ToString::to_string),
        })
    });
    json!({
        "schema": 1,
        "type": "doctor",
        "libclang": library,
        "other_libclangs": others.collect::<Vec<_>>(),
        "c_headers": found.c_headers.as_ref().map(text),
        "cxx_headers": found.cxx_headers.as_ref().map(text),
        "z3": found.z3.as_ref().map(text),
        "cores": found.cores,
        "memory": found.memory.map(|m| json!({ "total": m.total, "available": m.available })),
        "missing": missing.iter().map(|m| json!({
            "name": m.name,
            "message": m.why,
            "help": m.remedy.join("\n"),
            "fatal": m.fatal,
        })).collect::<Vec<_>>(),
        "ready": !missing.iter().any(|m| m.fatal),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine on which all is well.
    fn well() -> Found {
        Found {
            library: Ok(Used {
                path: "/usr/lib/llvm-22/lib/libclang.so.1".into(),
                origin: Origin::System,
                release: "22.1.8".into(),
                major: 22,
                builtin_headers: Some("/usr/lib/llvm-22/lib/clang/22/include".into()),
            }),
            others: Vec::new(),
            c_headers: Some("/usr/include".into()),
            cxx_headers: Some("/usr/include/c++/12".into()),
            cores: 2,
            memory: Some(Memory { total: 25 << 29, available: Some(1 << 31) }),
            wheel_home: Some("/home/u/.local/share/cudair/libclang".into()),
            z3: Some("/home/u/.local/share/cudair/z3/z3".into()),
            z3_home: Some("/home/u/.local/share/cudair/z3".into()),
        }
    }

    fn too_old(path: &str, version: &str) -> LibraryError {
        LibraryError::TooOld { path: path.into(), version: version.into() }
    }

    fn shown(found: &Found) -> String {
        let missing = missing(found);
        let text = human(found, &missing);
        for line in text.lines() {
            // The pip line holds the folder of whoever runs the test.
            assert!(line.chars().count() <= 80 || line.contains("--target"), "{line}");
        }
        text
    }

    #[test]
    fn all_is_well() {
        let wanted = "\
libclang     22.1.8 (system)
             /usr/lib/llvm-22/lib/libclang.so.1
its headers  /usr/lib/llvm-22/lib/clang/22/include
C headers    /usr/include
C++ headers  /usr/include/c++/12
SMT solver   /home/u/.local/share/cudair/z3/z3
cores        2
memory       12.5 GiB, 2.0 GiB of it free

Programs can run here.
";
        assert_eq!(shown(&well()), wanted);
    }

    #[test]
    fn an_older_library_is_named_and_no_reason_to_stop() {
        let mut found = well();
        let path = "/usr/lib/llvm-14/lib/libclang.so.1";
        found.others.push((path.into(), Origin::System, Err(too_old(path, "14.0.6"))));
        let text = shown(&found);
        assert!(text.contains(&format!("not used     {path}\n             14.0.6, too old\n")), "{text}");
        assert!(missing(&found).is_empty());
    }

    #[test]
    fn a_library_that_is_too_old_alone_is_fatal() {
        let mut found = well();
        let path = "/usr/lib/llvm-18/lib/libclang.so.1";
        found.library = Err(too_old(path, "18.1.1"));
        let missing = missing(&found);
        assert!(missing[0].fatal && missing[0].name == "libclang");
        assert!(missing[0].why.contains(path) && missing[0].why.contains("18.1.1"));
        assert!(plain(&found, &missing).ends_with("missing libclang\n"));
        assert_eq!(json(&found, &missing)["ready"], false);
        assert!(human(&found, &missing).ends_with("No program can run here yet.\n"));
    }

    #[test]
    fn headers_of_cxx_are_not_needed_by_all() {
        let mut found = well();
        found.cxx_headers = None;
        let missing = missing(&found);
        assert!(!missing[0].fatal);
        assert!(plain(&found, &missing).ends_with("missing c++-headers\n"));
        let text = shown(&found);
        assert!(text.contains("C++ headers  not found\n"), "{text}");
        assert!(text.ends_with("Other programs can run here.\n"), "{text}");
    }

    #[test]
    fn an_untested_version_is_told() {
        let mut found = well();
        if let Ok(used) = &mut found.library {
            used.release = "23.1.0".into();
            used.major = 23;
        }
        assert!(shown(&found).starts_with("libclang     23.1.0 (system, newer than the tested 22)\n"));
    }

    #[test]
    fn memory_of_linux_and_of_a_container() {
        let text = "MemTotal:       2048 kB\nMemFree:  1 kB\nMemAvailable:   1024 kB\n";
        let memory = |total, available| Some(Memory { total, available: Some(available) });
        assert_eq!(meminfo(text, None), memory(2 << 20, 1 << 20));
        assert_eq!(meminfo(text, Some(1 << 19)), memory(1 << 19, 1 << 19));
        assert_eq!(meminfo("", None), None);
    }
}
