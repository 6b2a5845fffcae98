//! The cache of compiled programs: what comes from it is what a parse gives, and whatever a parse rests on makes an entry
//! stale when it changes.
#![cfg(unix)]

#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/folders.rs"]
mod folders;
#[allow(dead_code, reason = "what the other tests use of it is not used here")]
#[path = "../ui/sample.rs"]
mod sample;

mod errors;
mod precompiled;
mod room;

use room::{Room, Told, settle, told};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

const HEADER: &str = "#define N 1\n";
const MAIN: &str = "#include <h.h>\nint printf(const char *, ...);\nint main() { printf(\"%d\\n\", N); }\n";

/// A room with a program that was run; the header is in the second of two folders.
fn room() -> (Room, [&'static str; 3]) {
    let room = Room::new(&[("main.c", MAIN), ("b/h.h", HEADER), ("a/other.h", "")]);
    let arguments = ["-Ia", "-Ib", "main.c"];
    assert_eq!(room.warm(&arguments).stdout(), "1\n");
    (room, arguments)
}

/// What a program says that has to be parsed anew.
#[track_caller]
fn says(told: &Told, what: &str) {
    assert!(!told.is_used(), "{}", told.all());
    assert_eq!(told.stdout(), what, "{}", told.all());
}

#[test]
fn a_source_that_changed() {
    let (room, arguments) = room();
    room.write("main.c", &MAIN.replace(", N)", ", N + 1)"));
    says(&room.run(&arguments), "2\n");
    // The old text has its entry still.
    room.write("main.c", MAIN);
    assert!(room.run(&arguments).is_used());
}

#[test]
fn a_header_that_changed() {
    let (room, arguments) = room();
    room.write("b/h.h", "#define N 2\n");
    says(&room.run(&arguments), "2\n");
    settle();
    // Of the same size, and as old as before.
    let (path, before) = (room.path("b/h.h"), std::fs::metadata(room.path("b/h.h")).expect("it is there"));
    assert!(room.run(&arguments).is_used());
    room.write("b/h.h", "#define N 3\n");
    let file = std::fs::File::options().write(true).open(path).expect("it is there");
    file.set_modified(before.modified().expect("a time")).expect("the time is set");
    says(&room.run(&arguments), "3\n");
}

#[test]
fn a_header_that_is_found_first() {
    let (room, arguments) = room();
    room.write("a/h.h", "#define N 4\n");
    says(&room.run(&arguments), "4\n");
    std::fs::remove_file(room.path("a/h.h")).expect("it was there");
    assert_eq!(room.run(&arguments).stdout(), "1\n");
    std::fs::remove_file(room.path("b/h.h")).expect("it was there");
    assert_eq!(room.run(&arguments).code(), Some(2));
}

#[test]
fn a_header_beside_a_header() {
    let files = [("main.c", MAIN), ("a/h.h", "#include \"v.h\"\n"), ("b/v.h", "#define N 1\n")];
    let room = Room::new(&files);
    let arguments = ["-Ia", "-Ib", "main.c"];
    assert_eq!(room.warm(&arguments).stdout(), "1\n");
    room.write("a/v.h", "#define N 5\n");
    says(&room.run(&arguments), "5\n");
}

#[test]
fn a_header_that_was_asked_for() {
    let main = "#if __has_include(<sub/x.h>)\n#define N 1\n#else\n#define N 0\n#endif\n\
        int printf(const char *, ...);\nint main() { printf(\"%d\\n\", N); }\n";
    let room = Room::new(&[("main.c", main), ("a/other.h", "")]);
    let arguments = ["-Ia", "main.c"];
    assert_eq!(room.warm(&arguments).stdout(), "0\n");
    room.write("a/sub/x.h", "");
    says(&room.run(&arguments), "1\n");
    settle();
    assert_eq!(room.warm(&arguments).stdout(), "1\n");
    std::fs::remove_file(room.path("a/sub/x.h")).expect("it was there");
    says(&room.run(&arguments), "0\n");
}

#[test]
fn a_link_that_leads_elsewhere() {
    let room = Room::new(&[("main.c", MAIN), ("one/h.h", "#define N 1\n"), ("two/h.h", "#define N 2\n")]);
    symlink("one", room.path("inc")).expect("a link");
    settle();
    let arguments = ["-Iinc", "main.c"];
    assert_eq!(room.warm(&arguments).stdout(), "1\n");
    std::fs::remove_file(room.path("inc")).expect("it was there");
    symlink("two", room.path("inc")).expect("a link");
    says(&room.run(&arguments), "2\n");
}

#[test]
fn one_file_by_two_names() {
    // Two names of one file count as one for `#pragma once`, two files that are alike do not.
    let header = "#pragma once\nstatic int v = 1;\n";
    let main = "#include \"x.h\"\n#include \"y.h\"\nint main() { return v - 1; }\n";
    let room = Room::new(&[("main.c", main), ("x.h", header)]);
    symlink("x.h", room.path("y.h")).expect("a link");
    settle();
    assert_eq!(room.warm(&["main.c"]).code(), Some(0));
    std::fs::remove_file(room.path("y.h")).expect("it was there");
    room.write("y.h", header);
    let told = room.run(&["main.c"]);
    assert!(!told.is_used() && told.code() == room.run(&["--no-cache", "main.c"]).code(), "{}", told.all());
}

/// The parser tells one name of a header, and looks for it by another, which is kept as one more file.
#[test]
fn one_header_from_two_folders() {
    let room = Room::new(&[
        ("l/a.h", "#pragma once\n#include \"../n/b.h\"\n"),
        ("n/b.h", "#pragma once\n#include \"c.h\"\n"),
        ("n/c.h", "#pragma once\ninline int f() { return 3; }\n"),
        ("prog.cu", "#include \"l/a.h\"\n#include \"n/b.h\"\nint main() { return f(); }\n"),
    ]);
    let whole = room.path("prog.cu");
    let whole = whole.to_str().expect("a path in UTF-8");
    assert_eq!(room.warm(&[whole]).code(), Some(3));
    room.write("n/c.h", "#pragma once\ninline int f() { return 4; }\n");
    settle();
    assert_eq!(room.run(&[whole]).code(), Some(4));
    assert_eq!(room.warm(&["prog.cu"]).code(), Some(4));
}

#[test]
fn a_header_beside_another_name() {
    let main = "#include \"a/x.h\"\n#include \"b/x.h\"\nint main() { return V; }\n";
    let files =
        [("main.c", main), ("a/x.h", "#include \"v.h\"\n"), ("a/v.h", "#define V 3\n"), ("b/o.h", "")];
    let room = Room::new(&files);
    std::fs::hard_link(room.path("a/x.h"), room.path("b/x.h")).expect("a second name");
    settle();
    assert_eq!(room.warm(&["main.c"]).code(), Some(3));
    room.write("b/v.h", "#undef V\n#define V 2\n");
    let told = room.run(&["main.c"]);
    assert!(!told.is_used() && told.code() == room.run(&["--no-cache", "main.c"]).code(), "{}", told.all());
}

#[test]
fn flags_environment_and_folder() {
    let main = "#include <h.h>\n#ifndef M\n#define M 0\n#endif\nint printf(const char *, ...);\n\
        int main() { printf(\"%d %d\\n\", N, M); }\n";
    let files =
        [("x/main.c", main), ("y/main.c", main), ("x/a/h.h", "#define N 1\n"), ("y/a/h.h", "#define N 2\n")];
    let room = Room::new(&files);
    let run = |folder: &str, arguments: &[&str], cpath: Option<&str>| {
        let mut command = room.command();
        command.current_dir(room.path(folder)).args(["run", "--trace", "cache"]).args(arguments);
        command.envs(cpath.map(|path| ("CPATH", path)));
        told(&mut command)
    };
    assert!(run("x", &["-Ia", "main.c"], None).is_written());
    assert!(run("x", &["-Ia", "main.c"], None).is_used());
    says(&run("y", &["-Ia", "main.c"], None), "2 0\n");
    says(&run("x", &["-Ia", "-DM=3", "main.c"], None), "1 3\n");
    says(&run("x", &["-Ia", "main.c"], Some("../y/a")), "1 0\n");
    says(&run("x", &["main.c"], Some("../y/a")), "2 0\n");
    says(&run("x", &["main.c"], Some("a")), "1 0\n");
    assert_eq!(run("x", &["main.c"], None).code(), Some(2));
    says(&run("x", &["-Ia", "-std=c99", "main.c"], None), "1 0\n");
    says(&run("x", &["-Ia", "-arch=sm_70", "main.c"], None), "1 0\n");
}

#[test]
fn several_files() {
    let main = "int f(void);\nint main() { return f(); }\n";
    let room = Room::new(&[("main.c", main), ("f.c", "int f(void) { return 3; }\n"), ("g.c", "")]);
    assert_eq!(room.warm(&["main.c", "f.c"]).code(), Some(3));
    room.write("f.c", "int f(void) { return 4; }\n");
    assert_eq!(room.run(&["main.c", "f.c"]).code(), Some(4));
    assert!(!room.run(&["f.c", "main.c"]).is_used());
}

#[test]
fn another_library() {
    let doctor = Command::new(env!("CARGO_BIN_EXE_cudair")).args(["doctor", "--format", "plain"]).output();
    let said = String::from_utf8(doctor.expect("cudair starts").stdout).expect("text");
    let path =
        said.lines().find_map(|l| l.strip_prefix("libclang ")?.splitn(3, ' ').nth(2)).expect("a library");
    let room = Room::new(&[("main.c", "int main() { return 7; }\n")]);
    let folder = tempfile::tempdir().expect("a folder");
    // Other tests write beside the folder, and libclang looks beside its own.
    let copy = folder.path().join("lib/libclang.so");
    std::fs::create_dir(folder.path().join("lib")).expect("a folder");
    std::fs::copy(path, &copy).expect("a copy");
    settle();
    let run =
        || told(room.command().env("CUDAIR_LIBCLANG", &copy).args(["run", "--trace", "cache", "main.c"]));
    let first = run();
    if first.code() == Some(2) {
        // It finds its own libraries only from where it was.
        return;
    }
    assert!(first.is_written(), "{}", first.all());
    assert!(run().is_used());
    let mut bytes = std::fs::read(&copy).expect("the copy");
    bytes.push(0);
    std::fs::remove_file(&copy).expect("it was there");
    std::fs::write(&copy, bytes).expect("the other one");
    let told = run();
    assert!(!told.is_used() && told.code() == Some(7), "{}", told.all());
    // The usual one has an entry of its own.
    assert!(!room.run(&["main.c"]).is_used());
}

#[test]
fn times_are_not_kept() {
    let printed = "int printf(const char *, ...);\nint main() { printf(\"%s\\n\", ";
    for (name, head, what) in [
        ("date", "", "__DATE__"),
        ("time", "", "__TIME__"),
        ("stamp", "", "__TIMESTAMP__"),
        ("pasted", "#define CAT(a, b) a ## b\n#define PASTE(a, b) CAT(a, b)\n", "PASTE(__TI, ME__)"),
        ("quiet", "#pragma GCC diagnostic ignored \"-Wdate-time\"\n", "__TIME__"),
    ] {
        let file = format!("{name}.c");
        let room = Room::new(&[(&file, &format!("{head}{printed}{what}); }}\n"))]);
        let told = room.run(&[&file]);
        assert!(told.cache.contains("no entry is written") && told.code() == Some(0), "{}", told.all());
        assert_eq!(room.entries(), [] as [PathBuf; 0], "{name}");
    }
    let room = Room::new(&[
        ("h.h", "#define NOW __TIME__\n"),
        ("main.c", &format!("#include \"h.h\"\n{printed}NOW); }}")),
    ]);
    assert!(room.run(&["main.c"]).cache.contains("no entry is written"));
    // Whoever only names it has no time in the program.
    let room = Room::new(&[("main.c", "// __TIME__\n#define NOW __TIME__\nint main() {}\n")]);
    room.warm(&["main.c"]);
}

#[test]
fn what_is_not_a_file_or_not_alone() {
    let room = Room::new(&[
        ("main.c", "int main() { return 7; }\n"),
        ("m.c", "#define H <h.h>\n#include H\nint main() {}\n"),
        ("h.h", ""),
    ]);
    let mut command = room.command();
    let child = command.args(["run", "-x", "cu", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let mut child = child.expect("cudair starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), b"int main() { return 9; }\n")
        .expect("it reads");
    assert_eq!(child.wait().expect("it ends").code(), Some(9));
    assert!(room.run(&["-I.", "m.c"]).cache.contains("a macro names a header"));
    for option in ["--isolate", "--no-cache"] {
        assert_eq!(room.run(&[option, "main.c"]).code(), Some(7));
    }
    let none = told(room.command().env("CUDAIR_CACHE_SIZE", "0").args(["run", "main.c"]));
    assert_eq!(none.code(), Some(7));
    assert_eq!(room.entries(), [] as [PathBuf; 0]);
    // Nor is anything taken from it.
    room.warm(&["main.c"]);
    for option in ["--isolate", "--no-cache"] {
        assert_eq!(room.run(&[option, "main.c"]).cache, "");
    }
}

#[test]
fn a_pipe_is_read_once() {
    let room = Room::new(&[("main.cu", "int main() { return 5; }\n")]);
    let command = format!("cat main.cu | '{}' run -x cu /dev/stdin", env!("CARGO_BIN_EXE_cudair"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(room.sources.path()).env("XDG_CACHE_HOME", room.caches.path());
    let with = shell.env("CUDAIR_CACHE_SIZE", "1M").status().expect("a shell").code();
    assert_eq!(with, shell.env("CUDAIR_CACHE_SIZE", "0").status().expect("a shell").code());
    assert_eq!(room.entries(), [] as [PathBuf; 0]);
}

#[test]
fn a_broken_entry_is_no_entry() {
    let (room, arguments) = room();
    let [entry] = &room.entries()[..] else { panic!("there is one entry") };
    let whole = std::fs::read(entry).expect("the entry");
    let mut broken: Vec<Vec<u8>> = [0, 1, 14, 15, 40, 47, 48, whole.len() / 2, whole.len() - 1]
        .map(|length| whole[..length].to_vec())
        .to_vec();
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        broken.push(bytes);
    }
    broken.push([&whole[..], b"x"].concat());
    for bytes in broken {
        std::fs::write(entry, &bytes).expect("written");
        let told = room.run(&arguments);
        says(&told, "1\n");
        assert!(told.cache.contains("it is not whole"), "{}", told.all());
    }
    // Another's, under this name.
    std::fs::write(entry, &whole).expect("written");
    room.run(&["-Ia", "-Ib", "-DX", "main.c"]);
    let other = room.entries().into_iter().find(|e| e != entry).expect("another entry");
    std::fs::copy(other, entry).expect("copied");
    assert!(room.run(&arguments).cache.contains("it is another's"));
    // A link is not followed, and what others may write is not read.
    let away = room.caches.path().join("away");
    std::fs::rename(entry, &away).expect("moved");
    symlink(&away, entry).expect("a link");
    assert!(!room.run(&arguments).is_used());
    assert!(room.run(&arguments).is_used(), "a new one has taken the link's place");
    std::fs::set_permissions(entry, std::fs::Permissions::from_mode(0o666)).expect("a mode");
    assert!(!room.run(&arguments).is_used());
}

#[test]
fn the_folder_is_the_users_own() {
    let (room, arguments) = room();
    let folder = room.folder();
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    assert!(room.entries().iter().all(|e| mode(e) == 0o600));
    let refused = |why: &str| {
        let told = room.run(&arguments);
        assert_eq!((told.stdout().as_str(), told.code()), ("1\n", Some(0)), "{}", told.all());
        assert_eq!(told.all().matches(why).count(), 1, "{}", told.all());
        assert!(!told.is_used() && told.all().contains("warning: the cache's folder"), "{}", told.all());
    };
    let set =
        |mode| std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).expect("a mode");
    for wrong in [0o750, 0o707, 0o755] {
        set(wrong);
        refused("is open to other users");
    }
    set(0o700);
    assert!(room.run(&arguments).is_used());
    if std::os::unix::fs::chown(&folder, Some(1), None).is_ok() {
        refused("belongs to another user");
        std::os::unix::fs::chown(&folder, Some(0), None).expect("root may do so");
    }
    let away = room.caches.path().join("away");
    std::fs::rename(&folder, &away).expect("moved");
    symlink(&away, &folder).expect("a link");
    refused("is no folder");
    std::fs::remove_file(&folder).expect("it was there");
    std::fs::write(&folder, "").expect("a file");
    refused("is no folder");
}

#[test]
fn without_a_home_there_is_none() {
    let room = Room::new(&[("main.c", "int main() { return 7; }\n")]);
    for home in [None, Some("/nowhere/at/all"), Some("relative")] {
        let mut command = room.command();
        command.env_remove("HOME").env_remove("XDG_CACHE_HOME").args(["run", "main.c"]);
        command.envs(home.map(|home| ("HOME", home)));
        let told = told(&mut command);
        assert_eq!((told.code(), told.all().as_str()), (Some(7), ""));
    }
    let mut command = room.command();
    let home = room.caches.path();
    command.env_remove("XDG_CACHE_HOME").env("HOME", home).args(["run", "--trace", "cache", "main.c"]);
    assert!(told(&mut command).is_written());
    let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    assert!(home.join(below).join("cudair").is_dir());
}

#[test]
fn it_stays_below_its_size_and_can_be_cleared() {
    let room = Room::new(&[("main.c", "int main() { return M; }\n")]);
    let size = || room.entries().iter().map(|e| e.metadata().expect("an entry").len()).sum::<u64>();
    room.warm(&["-DM=0", "main.c"]);
    let one = size();
    let bound = one * 4;
    for m in 1..10 {
        let mut command = room.command();
        command.env("CUDAIR_CACHE_SIZE", bound.to_string()).args(["run", "--trace", "cache"]);
        let told = told(command.args([&format!("-DM={m}"), "main.c"]));
        assert!(told.is_written() && told.code() == Some(m), "{}", told.all());
        assert!(size() <= bound, "{} of {bound}", size());
        settle();
    }
    // What was used last stays.
    assert!(room.run(&["-DM=9", "main.c"]).is_used());
    assert!(!room.run(&["-DM=0", "main.c"]).is_used());
    let cache = |arguments: &[&str]| told(room.command().arg("cache").args(arguments)).stdout();
    let entries = room.entries().len();
    let told = cache(&[]);
    assert!(told.contains(&format!("{}: {entries} entries, ", room.folder().display())), "{told}");
    std::fs::write(room.folder().join("mine.txt"), "").expect("a file");
    assert!(cache(&["--clear"]).contains(&format!(": {entries} entries removed, ")));
    assert!(cache(&[]).contains(": 0 entries, 0 of "));
    assert!(room.folder().join("mine.txt").exists(), "it is not cudair's");
    assert!(!room.run(&["-DM=9", "main.c"]).is_used());
}

/// Findings, output and exit code of programs are the same without a cache, cold and warm.
#[test]
fn programs_run_alike() {
    let wanted = match sample::Sample::asked().expect("a sample") {
        Some(sample) => sample,
        None => sample::Sample::read("cache/40").expect("a sample"),
    };
    let programs = folders::programs(Path::new(ROOT), &["cu", "c"]).expect("programs");
    let programs = wanted.keep(programs, |(_, path)| path.to_str().expect("a name"));
    let (room, precompiled) = (Room::new(&[]), Room::new(&[]));
    let (mut used, mut with_header) = (0, 0);
    for (verb, path) in &programs {
        let text = std::fs::read_to_string(Path::new(ROOT).join(path)).expect("a program");
        let said = |what: &str| {
            let lines = text.lines().filter_map(|l| l.strip_prefix(what));
            lines.flat_map(str::split_whitespace).map(str::to_owned).collect::<Vec<_>>()
        };
        let run_in = |room: &Room, more: &[&str]| {
            let mut command = room.command();
            command.env(
                "CUDAIR_PRECOMPILED",
                if room.folder() == precompiled.folder() { "at-once" } else { "never" },
            );
            command
                .env("CUDAIR_CACHE_SIZE", "4G")
                .current_dir(ROOT)
                .arg(verb)
                .args(said("// flags:"))
                .args(more)
                .arg(path);
            command.args(said("// also:"));
            if *verb == "run" {
                command.arg("--").args(said("// args:"));
            }
            let told = told(&mut command);
            let stderr = String::from_utf8_lossy(&told.output.stderr).into_owned();
            let stderr: Vec<String> =
                stderr.lines().filter(|l| !l.starts_with("[cache]")).map(str::to_owned).collect();
            let words = "--no-cache ";
            (told.stdout(), stderr.join("\n").replace(words, ""), told.code(), told.cache)
        };
        let run = |more: &[&str]| run_in(&room, more);
        let report: &[&str] = if *verb == "lower" { &[] } else { &["--format", "json"] };
        let (without, cold) = (run(&[report, &["--no-cache"]].concat()), run(report));
        let warm = run(report);
        // The header is made, if another program has not made it, and taken.
        let fresh = run_in(&precompiled, report);
        precompiled.entries().iter().for_each(|entry| std::fs::remove_file(entry).expect("an entry"));
        let kept = run_in(&precompiled, &[report, &["--trace", "cache"]].concat());
        precompiled.entries().iter().for_each(|entry| std::fs::remove_file(entry).expect("an entry"));
        with_header += usize::from(kept.3.contains("header") && kept.3.contains("is used"));
        let kept = (kept.0, kept.1.replace("--trace cache ", ""), kept.2, kept.3);
        let others =
            [("cold", &cold), ("warm", &warm), ("with a new header", &fresh), ("with a kept header", &kept)];
        for (when, other) in others {
            assert_eq!(without.0, other.0, "{} {when}: stdout", path.display());
            assert_eq!(without.1, other.1, "{} {when}: stderr", path.display());
            assert_eq!(without.2, other.2, "{} {when}: exit code", path.display());
        }
        used += usize::from(run(&[report, &["--trace", "cache"]].concat()).3.contains("is used"));
    }
    println!("{used} of {} programs came from the cache", programs.len());
    println!("{with_header} took precompiled headers");
    assert!(with_header * 2 >= programs.len(), "only {with_header} took precompiled headers");
    assert!(used * 2 >= programs.len(), "only {used} of {} were kept", programs.len());
}
