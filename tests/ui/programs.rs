//! Tests that are programs.

use crate::expect::{self, Expectations, Found};
use crate::process::{self, Outcome};
use crate::standard::Standard;
use crate::{ROOT, blessing};
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The tests that a program makes: one, or one for each of its revisions, under this standard.
pub fn trials(verb: &'static str, path: &Path, standard: Option<&(String, Standard)>) -> Vec<Trial> {
    let name = path.to_string_lossy().into_owned();
    let text = match std::fs::read_to_string(Path::new(ROOT).join(path)) {
        Ok(text) => text,
        Err(error) => return vec![Trial::test(name, move || Err(error.to_string().into()))],
    };
    let mut revisions: Vec<Option<String>> = expect::revisions(&text).into_iter().map(Some).collect();
    if revisions.is_empty() {
        revisions.push(None);
    }
    let mut trials = Vec::new();
    for revision in revisions {
        let name = revision.as_ref().map_or(name.clone(), |revision| format!("{name}#{revision}"));
        match expect::read(path, &text, revision.as_deref()) {
            Err(problem) => trials.push(Trial::test(name, move || Err(problem.into()))),
            Ok(mut expectations) => {
                if let Some(revision) = &revision {
                    expectations.flags.push(format!("-DREV_{revision}"));
                }
                let ignored = expectations.ignore.is_some() || wants_what_is_not_built(&expectations);
                let mut too_old = None;
                if let Some((name, standard)) = standard {
                    // A program with a standard of its own is one of the usual run.
                    if expectations.flags.iter().any(|flag| flag.trim_start_matches('-').starts_with("std")) {
                        continue;
                    }
                    too_old = expectations.oldest.filter(|oldest| standard < oldest);
                    expectations.flags.push(format!("-std={name}"));
                }
                let test = Program { verb, path: path.to_owned(), revision, expectations, too_old };
                trials.push(
                    Trial::test(name, move || test.run().map_err(Into::into)).with_ignored_flag(ignored),
                );
            }
        }
    }
    trials
}

/// Whether a program is to run as machine code, and cudair was built without.
fn wants_what_is_not_built(expectations: &Expectations) -> bool {
    let wants = expectations.run_flags.windows(2).any(|two| two == ["--engine", "jit"]);
    wants && !cfg!(feature = "jit")
}

struct Program {
    verb: &'static str,
    path: PathBuf,
    revision: Option<String>,
    expectations: Expectations,
    /// The oldest standard for the program, where this run has an older one.
    too_old: Option<Standard>,
}

impl Program {
    fn run(&self) -> Result<(), String> {
        if let Some(oldest) = self.too_old {
            return self.test_too_old(oldest);
        }
        match self.verb {
            "run" => self.test_run(),
            "check" => self.test_check(),
            _ => self.test_lower(),
        }
    }

    /// `VERB FLAGS EXTRA FILE… [-- ARGS]`, with the program's own flags.
    fn command(&self, verb: &str, extra: &[&str], files: &[String]) -> Vec<String> {
        let mut command = vec![verb.to_owned()];
        command.extend(self.expectations.flags.iter().cloned());
        if verb == "run" {
            command.extend(self.expectations.run_flags.iter().cloned());
        }
        command.extend(extra.iter().map(|&word| word.to_owned()));
        command.extend(files.iter().cloned());
        if verb == "run" && !self.expectations.args.is_empty() {
            command.push("--".to_owned());
            command.extend(self.expectations.args.iter().cloned());
        }
        command
    }

    fn cudair(&self, command: &[String]) -> Result<Outcome, String> {
        process::cudair(Path::new(ROOT), command, &self.expectations.stdin)
    }

    fn files(&self) -> Vec<String> {
        let mut files = vec![self.path.to_string_lossy().into_owned()];
        files.extend(self.expectations.also.iter().cloned());
        files
    }

    fn snapshot_name(&self) -> String {
        let path = self.path.to_string_lossy();
        let path = path.strip_prefix("tests/").unwrap_or(&path);
        self.revision.as_ref().map_or(path.to_owned(), |revision| format!("{path}-{revision}"))
    }

    /// Under a standard older than the program asks for it does not parse.
    fn test_too_old(&self, oldest: Standard) -> Result<(), String> {
        let outcome = self.cudair(&self.command(self.verb, &["--format", "json"], &self.files()))?;
        // A header of ours may say itself which standard it needs.
        let says_so = outcome.stderr.contains("\"class\":\"unsupported\"")
            && outcome.stderr.contains("is the oldest that");
        if outcome.code == 2 && (says_so || outcome.stderr.contains("\"class\":\"parse\"")) {
            return Ok(());
        }
        Err(format!(
            "the program says `// std: {oldest}`, and does not fail to parse under an older standard\n--- stderr\n{}",
            process::clip(&outcome.stderr)
        ))
    }

    fn test_run(&self) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let report = folder.path().join("report.json");
        let (outcome, findings) = self.run_reporting("run", &self.files(), &report)?;
        let mut problems = Vec::new();
        self.compare_findings(&findings, &mut problems);
        self.compare_stdout(&outcome.stdout, &mut problems)?;
        compare_code(self.expectations.exit_code(), &outcome, &mut problems);
        if !problems.is_empty() {
            problems.push(format!("--- stderr\n{}", process::clip(&outcome.stderr)));
            return Err(problems.join("\n"));
        }
        if !findings.is_empty() {
            let human = self.cudair(&self.command("run", &[], &self.files()))?;
            process::snapshot(&self.snapshot_name(), &human.stderr)?;
        }
        if !self.expectations.by_run.is_empty() {
            self.compare_proofs(folder.path())?;
        }
        if self.expectations.exit_code() != 2 {
            self.round_trip(folder.path(), &outcome, &findings)?;
        }
        Ok(())
    }

    /// Whether a run with `--verdicts` proves the kernels that it should, and gives the reasons for the others.
    fn compare_proofs(&self, folder: &Path) -> Result<(), String> {
        let report = folder.join("verdicts.json").to_string_lossy().into_owned();
        let options = ["--verdicts", "--format", "json", "--report", &report];
        let outcome = self.cudair(&self.command("run", &options, &self.files()))?;
        let mut verdicts: Vec<Value> = Vec::new();
        for line in std::fs::read_to_string(&report).unwrap_or_default().lines() {
            let value: Value =
                serde_json::from_str(line).map_err(|error| format!("not JSON ({error}): {line}"))?;
            if value["type"] == "verdict" {
                verdicts.push(value);
            }
        }
        let mut problems = Vec::new();
        for (kernel, what) in &self.expectations.by_run {
            let Some(verdict) = verdicts.iter().find(|v| v["kernel"] == kernel.as_str()) else {
                problems.push(format!("no verdict on `{kernel}`"));
                continue;
            };
            let run = &verdict["run"];
            let says = |b: &Value| b["clause"].as_str().is_some_and(|clause| clause.contains(what));
            let met = match what.as_str() {
                "proved" => run["proved"] == true && run["because"] == serde_json::json!([]),
                _ => {
                    run["proved"] == false
                        && run["because"].as_array().is_some_and(|all| all.iter().any(says))
                }
            };
            if !met {
                problems.push(format!("`{kernel}`: by-run: {what}; it is {run}"));
            }
        }
        if problems.is_empty() {
            return Ok(());
        }
        problems.push(format!("--- stderr\n{}", process::clip(&outcome.stderr)));
        Err(problems.join("\n"))
    }

    /// What `lower` prints parses back to the same text, and runs as the source does.
    fn round_trip(&self, folder: &Path, source: &Outcome, findings: &[Value]) -> Result<(), String> {
        let cir = folder.join("program.cir");
        let printed = self.lower(&self.files())?;
        std::fs::write(&cir, &printed).map_err(|error| error.to_string())?;
        let cir_files = vec![cir.to_string_lossy().into_owned()];
        let again = self.lower(&cir_files)?;
        if let Some(difference) = process::difference("text of `lower` on its own output", &printed, &again) {
            return Err(difference);
        }
        let (outcome, cir_findings) =
            self.run_reporting("run", &cir_files, &folder.join("cir-report.json"))?;
        let mut problems = Vec::new();
        compare_code(source.code, &outcome, &mut problems);
        problems.extend(process::difference("stdout of the .cir", &source.stdout, &outcome.stdout));
        let kinds = |findings: &[Value]| {
            let mut kinds: Vec<_> =
                findings.iter().map(|f| format!("{} {}", f["kind"], f["primary"]["line"])).collect();
            kinds.sort();
            kinds.join("\n")
        };
        problems.extend(process::difference("findings of the .cir", &kinds(findings), &kinds(&cir_findings)));
        if problems.is_empty() {
            return Ok(());
        }
        problems.push(format!("--- stderr\n{}", process::clip(&outcome.stderr)));
        Err(problems.join("\n"))
    }

    fn lower(&self, files: &[String]) -> Result<String, String> {
        let outcome = self.cudair(&self.command("lower", &[], files))?;
        if outcome.code == 0 {
            return Ok(outcome.stdout);
        }
        Err(format!("`lower` ended with {}\n{}", outcome.code, process::clip(&outcome.stderr)))
    }

    fn test_check(&self) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let report = folder.path().join("report.json");
        let (outcome, findings) = self.run_reporting("check", &self.files(), &report)?;
        let mut problems = Vec::new();
        self.compare_findings(&findings, &mut problems);
        compare_code(self.expectations.exit_code(), &outcome, &mut problems);
        if !problems.is_empty() {
            problems.push(format!("--- stderr\n{}", process::clip(&outcome.stderr)));
            return Err(problems.join("\n"));
        }
        if !findings.is_empty() {
            let human = self.cudair(&self.command("check", &[], &self.files()))?;
            process::snapshot(&self.snapshot_name(), &human.stderr)?;
        }
        Ok(())
    }

    fn test_lower(&self) -> Result<(), String> {
        let printed = self.lower(&self.files())?;
        process::snapshot(&self.snapshot_name(), &printed)?;
        if self.expectations.flags.iter().any(|flag| flag == "--emit") {
            return Ok(());
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let cir = folder.path().join("program.cir");
        std::fs::write(&cir, &printed).map_err(|error| error.to_string())?;
        let again = self.lower(&[cir.to_string_lossy().into_owned()])?;
        match process::difference("text of `lower` on its own output", &printed, &again) {
            Some(difference) => Err(difference),
            None => Ok(()),
        }
    }

    /// Runs with JSON lines into a file, so that the program's own stderr stays apart.
    fn run_reporting(
        &self,
        verb: &str,
        files: &[String],
        report: &Path,
    ) -> Result<(Outcome, Vec<Value>), String> {
        let report_name = report.to_string_lossy().into_owned();
        let command = self.command(verb, &["--format", "json", "--report", &report_name], files);
        let outcome = self.cudair(&command)?;
        let lines = std::fs::read_to_string(report).unwrap_or_default();
        let mut findings = Vec::new();
        for line in lines.lines().chain(outcome.stderr.lines().filter(|line| line.starts_with("{\"schema\"")))
        {
            let value: Value =
                serde_json::from_str(line).map_err(|error| format!("not JSON ({error}): {line}"))?;
            // What a run did not look at is no finding, nor is what was proved: `tests/cli` has these.
            if value["type"] != "summary" && value["type"] != "verdict" {
                findings.push(value);
            }
        }
        Ok((outcome, findings))
    }

    fn compare_findings(&self, findings: &[Value], problems: &mut Vec<String>) {
        let mut unmet: Vec<&Found> = self.expectations.found.iter().collect();
        let mut surplus = Vec::new();
        for finding in findings {
            let met = found(finding);
            match unmet.iter().position(|expected| expected.is_met_by(&met)) {
                Some(index) => drop(unmet.remove(index)),
                None => surplus.push(met),
            }
        }
        for expected in unmet {
            problems.push(format!("missing:    {expected}"));
        }
        for met in surplus {
            problems.push(format!("unexpected: {met}"));
        }
        for (file, line, kind) in &self.expectations.related {
            let related = findings.iter().any(|finding| {
                finding["kind"] == kind.as_str()
                    && finding["related"].as_array().is_some_and(|places| {
                        places.iter().any(|place| place["line"] == *line && place["file"] == file.as_str())
                    })
            });
            if !related {
                problems.push(format!("missing:    {file}:{line}: RELATED {kind}"));
            }
        }
    }

    /// Compares with `NAME.stdout`; without one, nothing may be printed.
    fn compare_stdout(&self, actual: &str, problems: &mut Vec<String>) -> Result<(), String> {
        let file = match self.path.strip_prefix("examples") {
            Ok(name) => Path::new("tests/examples").join(name),
            Err(_) => self.path.clone(),
        };
        // A revision's own output, where it has one, else that of all.
        let common = Path::new(ROOT).join(file.with_extension("stdout"));
        let own = self.revision.as_ref().map(|name| common.with_extension(format!("{name}.stdout")));
        // What is blessed for one revision must not be asked of the others.
        let differs = || std::fs::read_to_string(&common).unwrap_or_default() != actual;
        let file = own.filter(|own| own.exists() || blessing() && differs()).unwrap_or(common.clone());
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        if blessing() && expected != actual {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
            }
            return std::fs::write(&file, actual).map_err(|error| error.to_string());
        }
        problems.extend(process::difference("stdout", &expected, actual));
        Ok(())
    }
}

fn compare_code(expected: i32, outcome: &Outcome, problems: &mut Vec<String>) {
    if outcome.code != expected {
        problems.push(format!("exit code {}, expected {expected}", outcome.code));
    }
}

/// What a line of JSON says, in the terms of the annotations.
fn found(value: &Value) -> Found {
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let diagnostic = value["type"] == "diagnostic";
    Found {
        file: text(&value["primary"]["file"]),
        line: value["primary"]["line"].as_u64().unwrap_or(0),
        severity: if diagnostic { "DIAGNOSTIC".to_owned() } else { text(&value["severity"]).to_uppercase() },
        kind: text(&value[if diagnostic { "class" } else { "kind" }]),
        message: text(&value["message"]),
    }
}
