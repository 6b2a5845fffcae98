//! Precompiled headers: what they give is what a parse gives, whatever becomes of them.

use crate::room::{Room, Told, settle, told};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Stdio;

/// A program that says a number, which its header has, and the number of the edit.
fn program(edit: u32) -> String {
    format!(
        "#include <string>\n#include <first.h>\n// A comment.\n#include <vector>\n\
        extern \"C\" int printf(const char *, ...);\n\
        int main() {{ std::vector<std::string> v(FIRST, \"a\"); printf(\"%d %d\\n\", (int)v.size(), {edit}); }}\n"
    )
}

impl Room {
    /// The arguments for the program: its header is one of the system's.
    fn arguments(&self) -> [String; 3] {
        ["-isystem".to_owned(), self.path("system").display().to_string(), "main.cpp".to_owned()]
    }

    /// Runs the program as it is, with more arguments.
    fn again(&self, more: &[&str]) -> Told {
        let arguments = self.arguments();
        let arguments: Vec<&str> = more.iter().copied().chain(arguments.iter().map(String::as_str)).collect();
        self.run(&arguments)
    }

    /// Runs the program after one more edit.
    fn edited(&self, edit: u32) -> Told {
        self.write("main.cpp", &program(edit));
        settle();
        self.again(&[])
    }

    fn files(&self, ending: &str) -> Vec<PathBuf> {
        let list = std::fs::read_dir(self.folder()).into_iter().flatten();
        let mut files: Vec<PathBuf> =
            list.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == ending)).collect();
        files.sort();
        files
    }
}

/// A room in which the third edit took a header.
fn warm() -> Room {
    let room = Room::new(&[("system/first.h", "#define FIRST 2\n")]);
    for (edit, what) in [(1, "is asked for"), (2, "is written"), (3, "is used")] {
        let told = room.edited(edit);
        assert!(told.header(what), "{}", told.all());
        assert_eq!((told.stdout(), told.code()), (format!("2 {edit}\n"), Some(0)), "{}", told.all());
    }
    room
}

#[track_caller]
fn says(told: &Told, what: &str, of_header: &str) {
    assert_eq!((told.stdout().as_str(), told.code()), (what, Some(0)), "{}", told.all());
    assert!(told.header(of_header), "{}", told.all());
}

#[test]
fn a_file_that_is_edited() {
    let room = warm();
    // Comments and blanks among the includes are no matter, and other includes are another header.
    room.write("main.cpp", &program(4).replace("// A comment.", "/* Another. */\n\n"));
    settle();
    says(&room.again(&[]), "2 4\n", "is used");
    room.write("main.cpp", &format!("#include <map>\n{}", program(5)));
    settle();
    says(&room.again(&[]), "2 5\n", "is asked for");
    room.write("main.cpp", &program(6));
    settle();
    says(&room.again(&["-DX=1"]), "2 6\n", "is asked for");
    assert!(!room.again(&["--no-cache"]).header(""));
}

#[test]
fn a_header_that_changes() {
    let room = warm();
    room.write("system/first.h", "#define FIRST 3\n");
    says(&room.edited(4), "3 4\n", "what it was made from has changed");
    says(&room.edited(5), "3 5\n", "is used");
    // The parser itself looks at times, in seconds.
    let file = std::fs::File::options().write(true).open(room.path("system/first.h")).expect("the header");
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(1000))
        .expect("the time is set");
    says(&room.edited(6), "3 6\n", "is not taken");
    says(&room.edited(7), "3 7\n", "is written");
    says(&room.edited(8), "3 8\n", "is used");
}

#[test]
fn a_header_that_is_found_first() {
    let room = Room::new(&[("b/first.h", "#define FIRST 2\n"), ("a/other.h", "")]);
    let [a, b] = ["a", "b"].map(|name| room.path(name).display().to_string());
    let arguments = ["-isystem", &a, "-isystem", &b, "main.cpp"];
    let edited = |edit: u32| {
        room.write("main.cpp", &program(edit));
        settle();
        room.run(&arguments)
    };
    (1..3).for_each(|edit| assert_eq!(edited(edit).stdout(), format!("2 {edit}\n")));
    says(&edited(3), "2 3\n", "is used");
    room.write("a/first.h", "#define FIRST 4\n");
    says(&edited(4), "4 4\n", "what it was made from has changed");
}

/// Headers of the user are read each time, from the first on all that follow.
#[test]
fn headers_of_the_user() {
    let room = Room::new(&[("user/own.h", "inline int own() { return 1; }\n")]);
    let edited = |edit: u32| {
        let text = "#include <vector>\n#include <own.h>\n#include <string>\n\
            extern \"C\" int printf(const char *, ...);\nint main() { printf(\"%d EDIT\\n\", own()); }\n";
        room.write("main.cpp", &text.replace("EDIT", &edit.to_string()));
        settle();
        room.run(&["-Iuser", "main.cpp"])
    };
    (1..3).for_each(|edit| assert_eq!(edited(edit).stdout(), format!("1 {edit}\n")));
    says(&edited(3), "1 3\n", "is used");
    room.write("user/own.h", "inline int own() { return 5; }\n");
    says(&edited(4), "5 4\n", "is used");
    // One with a relative path is taken for the user's.
    let relative = ["-isystem", "user", "main.cpp"];
    (4..6).for_each(|_| assert_eq!(room.run(&relative).stdout(), "5 4\n"));
    // One that is read before all others leaves nothing to precompile.
    let include = ["-Iuser", "-include", "own.h", "main.cpp"];
    assert!(!room.run(&include).header(""));
}

/// What libclang hides of a header is not taken for absent.
#[test]
fn what_a_header_hides() {
    let room = Room::new(&[]);
    let edited = |edit: u32| {
        let text = "#include <valarray>\n#include <cstdio>\nint main() { std::valarray<int> v{1, 2, 4}; int sum = 0; \
            for (int n : v) sum += n; printf(\"%d EDIT\\n\", sum); }\n";
        room.write("main.cpp", &text.replace("EDIT", &edit.to_string()));
        settle();
        room.run(&["main.cpp"])
    };
    (1..5).for_each(|edit| assert_eq!(edited(edit).stdout(), format!("7 {edit}\n")));
}

#[test]
fn a_file_with_errors() {
    let room = warm();
    let plain = |edit: u32| {
        let wrong = program(edit).replace("int main", "int x = unknown;\nint main");
        room.write("main.cpp", &wrong);
        settle();
    };
    plain(4);
    let without = room.again(&["--no-cache"]);
    let with = room.again(&[]);
    let text = |t: &Told| {
        let lines = t.all();
        let lines = lines.lines().filter(|l| !l.starts_with("[cache]"));
        lines.collect::<Vec<_>>().join("\n").replace("--no-cache ", "")
    };
    assert!(with.header("is used"), "{}", with.all());
    assert_eq!((text(&with), with.code()), (text(&without), Some(2)));
    // The header is not to blame.
    says(&room.edited(5), "2 5\n", "is used");
}

/// A file whose contents are not those that were hashed is not given to the parser.
#[test]
fn a_file_that_is_broken() {
    let room = warm();
    let [header] = room.files("pch").try_into().expect("one header");
    let whole = std::fs::read(&header).expect("the header");
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    let mut edit = 4;
    for bytes in [&changed[..], &whole[..whole.len() / 2], &[]] {
        std::fs::write(&header, bytes).expect("the header");
        says(&room.edited(edit), &format!("2 {edit}\n"), "its file has changed");
        edit += 1;
    }
    std::fs::remove_file(&header).expect("the header");
    says(&room.edited(edit), &format!("2 {edit}\n"), "its file is not there");
    says(&room.edited(edit + 1), &format!("2 {}\n", edit + 1), "is used");
    // And the record.
    let [record] = room.files("head").try_into().expect("one record");
    let whole = std::fs::read(&record).expect("the record");
    std::fs::write(&record, &whole[..whole.len() - 1]).expect("the record");
    says(&room.edited(edit + 2), &format!("2 {}\n", edit + 2), "its record is not whole");
    // An empty one is what a crash leaves.
    std::fs::write(&record, "").expect("the record");
    says(&room.edited(edit + 3), &format!("2 {}\n", edit + 3), "is of no use");
}

/// A crash of the parser with a header means one parse without.
#[test]
fn a_crash_with_a_header() {
    let room = warm();
    for edit in 4..24 {
        room.write("main.cpp", &program(edit));
        settle();
        let mut command = room.command();
        command.args(["run", "--trace", "cache=debug"]).args(room.arguments());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("cudair starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut said = String::new();
        while !said.contains("a crash starts cudair again") {
            assert!(lines.read_line(&mut said).expect("a line") > 0, "{said}");
        }
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::SEGV).expect("it runs");
        lines.read_to_string(&mut said).expect("text");
        let output = child.wait_with_output().expect("it ends");
        // Where this test was slow, the header was not in use any more.
        if output.status.signal().is_some() || !said.contains("the parser crashed") {
            continue;
        }
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("2 {edit}\n"), "{said}");
        says(&room.edited(edit + 1), &format!("2 {}\n", edit + 1), "is of no use");
        return;
    }
    panic!("no signal came while the header was in use");
}

#[test]
fn without_headers() {
    let room = warm();
    room.write("main.cpp", &program(4));
    settle();
    let mut command = room.command();
    let told = told(
        command.env("CUDAIR_PRECOMPILED", "never").args(["run", "--trace", "cache"]).args(room.arguments()),
    );
    assert_eq!(told.stdout(), "2 4\n");
    assert!(!told.header(""), "{}", told.all());
}
