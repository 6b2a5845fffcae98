//! Reports are what they say they are: lines of JSON fit the schema of `docs/report.schema.json`, SARIF keeps the rules of
//! SARIF 2.1.0 that say more than which fields there are, and pages are XML that has each finding and leads to itself alone.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// JSON Schema, as much of it as our schema uses. A word that is not known here is a problem of the schema.
struct Schema {
    root: Value,
}

/// Words that say nothing about a value.
const ASIDE: [&str; 5] = ["$schema", "$id", "$defs", "title", "description"];

impl Schema {
    fn ours() -> Schema {
        let text =
            std::fs::read_to_string(Path::new(ROOT).join("docs/report.schema.json")).expect("the schema");
        Schema { root: serde_json::from_str(&text).expect("JSON") }
    }

    /// What is wrong with a value: empty where it fits. A field that the schema does not describe is wrong, too.
    fn problems(&self, value: &Value) -> Vec<String> {
        let mut out = Vec::new();
        self.check(&self.root, value, "", &mut out);
        out
    }

    fn check(&self, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
        let members = schema.as_object().expect("a schema is an object");
        let strings = |v: &Value| -> Vec<String> {
            let list = v.as_array().expect("a list");
            list.iter().map(|s| s.as_str().expect("a string").to_owned()).collect()
        };
        let mut wrong = |holds: bool, why: String| {
            if !holds {
                out.push(format!("{at}: {why}"));
            }
        };
        if let (Some(text), Some(pattern)) = (value.as_str(), members.get("pattern")) {
            // The one that there is.
            assert_eq!(pattern, "^[0-9a-f]{16}$");
            let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
            wrong(text.len() == 16 && text.bytes().all(hex), format!("`{text}` is no fingerprint"));
        }
        if let (Some(number), Some(least)) = (value.as_f64(), members.get("minimum")) {
            wrong(least.as_f64().is_some_and(|least| number >= least), format!("{number} is too small"));
        }
        if let Some(list) = value.as_array() {
            let n = |name: &str| members.get(name).map(|n| n.as_u64().expect("a number") as usize);
            let fits = n("minItems").is_none_or(|n| list.len() >= n)
                && n("maxItems").is_none_or(|n| list.len() <= n);
            wrong(fits, format!("{} items", list.len()));
        }
        if let Some(types) = members.get("type") {
            let is = match value {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(n) if n.is_f64() => "number",
                Value::Number(_) => "integer",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            };
            let fits = types.as_array().map_or(types == is, |all| all.iter().any(|t| t == is));
            wrong(fits, format!("is of type {is}, not {types}"));
        }
        if let Some(constant) = members.get("const") {
            wrong(constant == value, format!("is {value}, not {constant}"));
        }
        if let Some(all) = members.get("enum") {
            wrong(all.as_array().is_some_and(|all| all.contains(value)), format!("{value} is none of {all}"));
        }
        for name in members.get("required").map(strings).unwrap_or_default() {
            wrong(value.get(&name).is_some(), format!("has no `{name}`"));
        }
        if let Some(choices) = members.get("oneOf").and_then(Value::as_array) {
            let of = |choice: &Value| {
                let mut problems = Vec::new();
                self.check(choice, value, at, &mut problems);
                problems
            };
            let mut all: Vec<Vec<String>> = choices.iter().map(of).collect();
            let fit = all.iter().filter(|p| p.is_empty()).count();
            if fit != 1 {
                out.push(format!("{at}: fits {fit} of {} choices", all.len()));
                // The one that was meant fails in the fewest points.
                all.sort_by_key(Vec::len);
                out.extend(all.swap_remove(0));
            }
        }
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.trim_start_matches('#'));
            self.check(target.unwrap_or_else(|| panic!("{reference} leads nowhere")), value, at, out);
        }
        if let (Some(items), Some(list)) = (members.get("items"), value.as_array()) {
            list.iter().enumerate().for_each(|(n, v)| self.check(items, v, &format!("{at}/{n}"), out));
        }
        let known = members.get("properties");
        if let (Some(object), true) = (value.as_object(), members.get("type") == Some(&"object".into())) {
            for (name, v) in object {
                let at = format!("{at}/{name}");
                if let Some(names) = members.get("propertyNames") {
                    self.check(names, &Value::String(name.clone()), &at, out);
                }
                match known.and_then(|k| k.get(name)).or(members.get("additionalProperties")) {
                    Some(schema) => self.check(schema, v, &at, out),
                    None => out.push(format!("{at}: is not described")),
                }
            }
        }
        let used =
            ["type", "const", "enum", "required", "oneOf", "$ref", "items", "properties", "propertyNames"];
        let more = ["additionalProperties", "pattern", "minimum", "minItems", "maxItems"];
        for word in members.keys().map(String::as_str) {
            assert!(
                ASIDE.contains(&word) || used.contains(&word) || more.contains(&word),
                "`{word}` is not known"
            );
        }
    }
}

/// Whether a program stands for others: its options, or `None` where it needs more than this test gives.
fn options(text: &str) -> Option<Vec<String>> {
    let value = |key: &str| text.lines().find_map(|l| l.strip_prefix(key)).map(str::trim);
    if ["// also:", "// stdin:", "// std:", "// flags:"].iter().any(|key| value(key).is_some()) {
        return None;
    }
    let revision = value("// revisions:").and_then(|names| names.split_whitespace().next());
    Some(revision.map(|name| format!("-DREV_{name}")).into_iter().collect())
}

/// Every so-many-th program below a folder of tests.
fn programs(folder: &str, step: usize) -> Vec<PathBuf> {
    fn below(folder: &Path, out: &mut Vec<PathBuf>) {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for path in entries.map(|e| e.expect("an entry").path()) {
            if path.is_dir() {
                below(&path, out);
            } else if path.extension().is_some_and(|e| e == "cu") {
                out.push(path);
            }
        }
    }
    let mut out = Vec::new();
    below(&Path::new(ROOT).join("tests").join(folder), &mut out);
    out.sort();
    out.into_iter().step_by(step).collect()
}

/// The reports of one run: lines, the document of SARIF, the page.
fn reports(verb: &str, file: &Path, more: &[String], folder: &Path, n: usize) -> (String, Value, String) {
    let [json, sarif, html] = ["json", "sarif", "html"].map(|ending| folder.join(format!("{n}.{ending}")));
    let output = Command::new(env!("CARGO_BIN_EXE_cudair"))
        .current_dir(ROOT)
        .args([verb, "--verdicts", "--jobs", "1"])
        .args((verb == "run").then_some(["--fuel", "3000000"]).into_iter().flatten())
        .args([
            "--report",
            &format!("json:{}", json.display()),
            "--report",
            &format!("sarif:{}", sarif.display()),
            "--report",
            &format!("html:{}", html.display()),
        ])
        .args(more)
        .arg(file.strip_prefix(ROOT).unwrap_or(file))
        .stdin(std::process::Stdio::null())
        .output()
        .expect("cudair starts");
    let what = format!("{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    let json = std::fs::read_to_string(json).unwrap_or_else(|e| panic!("{e}: {what}"));
    let sarif = std::fs::read_to_string(sarif).unwrap_or_else(|e| panic!("{e}: {what}"));
    let html = std::fs::read_to_string(html).unwrap_or_else(|e| panic!("{e}: {what}"));
    (json, serde_json::from_str(&sarif).unwrap_or_else(|e| panic!("{e}: {what}")), html)
}

/// What is wrong with the lines of a report.
fn of_lines(schema: &Schema, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut last = Value::Null;
    for line in text.lines() {
        last = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        out.extend(schema.problems(&last).into_iter().map(|p| format!("{p} in {line}")));
    }
    let summaries = text.lines().filter(|l| l.contains("\"type\":\"summary\"")).count();
    if last["type"] != "summary" || summaries != 1 {
        out.push("the last line alone is to be the summary".to_owned());
    }
    let findings = text.lines().filter(|l| l.contains("\"type\":\"finding\"")).count() as u64;
    let told: u64 = last["kinds"].as_object().into_iter().flatten().filter_map(|(_, n)| n.as_u64()).sum();
    if findings != told {
        out.push(format!("{findings} findings, of which the summary counts {told}"));
    }
    out
}

/// What is wrong with a page, of which the lines of the same run say what it has to tell.
fn of_page(page: &str, lines: &str) -> Vec<String> {
    let mut out = Vec::new();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = match roxmltree::Document::parse_with_options(page, options) {
        Ok(document) => document,
        Err(e) => return vec![format!("the page is not well-formed: {e}")],
    };
    let mut ids: Vec<&str> = document.descendants().filter_map(|n| n.attribute("id")).collect();
    ids.sort_unstable();
    let twice = ids.windows(2).filter(|pair| pair[0] == pair[1]);
    out.extend(twice.map(|pair| format!("two have the id {}", pair[0])));
    let links = document.descendants().filter_map(|n| n.attribute("href"));
    let lost = links.filter(|href| href.strip_prefix('#').is_none_or(|id| ids.binary_search(&id).is_err()));
    out.extend(lost.map(|href| format!("{href} leads nowhere")));
    let loads = |n: &roxmltree::Node<'_, '_>| {
        let name = n.tag_name().name();
        ["script", "link", "img", "iframe", "image", "use"].contains(&name) || n.has_attribute("src")
    };
    out.extend(
        document.descendants().filter(loads).map(|n| format!("{} loads something", n.tag_name().name())),
    );
    // What it says, without what marks code.
    let said = |text: &str| text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ");
    let texts = |n: roxmltree::Node<'_, '_>| {
        said(&n.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect::<String>())
    };
    let articles: Vec<String> =
        document.descendants().filter(|n| n.tag_name().name() == "article").map(texts).collect();
    let all = texts(document.root_element());
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let word = |v: &Value| said(v.as_str().unwrap_or_default());
        let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
        let mut parts = vec![word(&value["message"]), word(&value["help"])];
        match value["type"].as_str() {
            Some("finding" | "diagnostic") => {
                parts.extend([word(&value["kind"]), word(&value["primary"]["label"])]);
                parts.extend(list("notes").iter().map(word));
                let places = list("related").into_iter().chain(list("launched"));
                parts.extend(places.map(|p| word(&p["label"])));
                if !articles.iter().any(|article| parts.iter().all(|p| article.contains(p))) {
                    out.push(format!("the page does not tell of {line}"));
                }
            }
            Some("verdict") => {
                parts.push(word(&value["kernel"]));
                for check in list("checks") {
                    parts.extend(["check", "why"].map(|name| word(&check[name])));
                    parts.extend(check["premises"].as_array().into_iter().flatten().map(word));
                }
                let lost = parts.iter().filter(|p| !all.contains(*p));
                out.extend(lost.map(|p| format!("the page does not say {p}")));
            }
            _ => {}
        }
    }
    out
}

/// What is wrong with a SARIF document: the rules of section 3 that concern what we write.
fn of_document(document: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let list = |v: &Value, name: &str| v[name].as_array().cloned().unwrap_or_default();
    let mut holds = |holds: bool, what: &str, v: &Value| {
        if !holds {
            out.push(format!("{what}: {v}"));
        }
    };
    holds(document["version"] == "2.1.0", "the version", &document["version"]);
    let schema = document["$schema"].as_str().unwrap_or_default();
    holds(schema.ends_with("sarif-schema-2.1.0.json"), "the schema", &document["$schema"]);
    let [run] = &list(document, "runs")[..] else { return vec!["one run is to be there".to_owned()] };
    let driver = &run["tool"]["driver"];
    holds(driver["name"] == "cudair" && driver["version"].is_string(), "the tool", driver);
    holds(run["columnKind"] == "unicodeCodePoints", "the kind of columns", &run["columnKind"]);
    let rules = list(driver, "rules");
    let mut ids: Vec<&str> = rules.iter().filter_map(|r| r["id"].as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    holds(ids.len() == rules.len(), "rules have names of their own", &driver["rules"]);
    let levels = ["none", "note", "warning", "error"];
    let is_level = |v: &Value| v.as_str().is_some_and(|l| levels.contains(&l));
    for rule in &rules {
        let texts = [&rule["shortDescription"], &rule["fullDescription"], &rule["help"]];
        // 3.12.3: text has to be there beside Markdown. 3.49.12: an absolute URI.
        let said = texts.iter().all(|t| t["text"].as_str().is_some_and(|t| !t.is_empty()));
        let linked = rule["helpUri"].as_str().is_some_and(|u| u.starts_with("https://"));
        let known = is_level(&rule["defaultConfiguration"]["level"]);
        holds(said && linked && known && rule["help"]["markdown"].is_string(), "a rule", rule);
    }
    let [invocation] = &list(run, "invocations")[..] else { return vec!["one invocation".to_owned()] };
    holds(invocation["executionSuccessful"].is_boolean(), "3.20.14", invocation);
    holds(invocation["exitCode"].is_u64(), "the exit code", invocation);
    let mut places = Vec::new();
    for told in list(invocation, "toolExecutionNotifications") {
        holds(told["message"]["text"].is_string() && is_level(&told["level"]), "a notification", &told);
        places.extend(list(&told, "locations"));
    }
    for result in list(run, "results") {
        // 3.27.6, 3.52.4: the index is that of the rule.
        let rule = result["ruleIndex"].as_u64().and_then(|n| rules.get(n as usize));
        holds(rule.is_some_and(|r| r["id"] == result["ruleId"]), "the rule of a result", &result);
        holds(result["message"]["text"].as_str().is_some_and(|t| !t.is_empty()), "3.27.11", &result);
        holds(is_level(&result["level"]), "3.27.10", &result);
        holds(result["occurrenceCount"].as_u64().is_some_and(|n| n > 0), "3.27.24", &result);
        let prints = result["partialFingerprints"].as_object();
        holds(prints.is_some_and(|p| !p.is_empty() && p.values().all(Value::is_string)), "3.27.17", &result);
        places.extend(list(&result, "locations"));
        // 3.28.2: identifiers of related places are their own.
        let related = list(&result, "relatedLocations");
        let mut ids: Vec<u64> = related.iter().filter_map(|l| l["id"].as_u64()).collect();
        ids.sort_unstable();
        ids.dedup();
        holds(ids.len() == related.len(), "places have numbers of their own", &result);
        places.extend(related);
        let of = |frames: &Value| {
            frames.as_array().into_iter().flatten().map(|f| f["location"].clone()).collect::<Vec<_>>()
        };
        for stack in list(&result, "stacks") {
            // 3.44.3: frames have to be there.
            holds(stack["frames"].is_array(), "3.44.3", &stack);
            places.extend(of(&stack["frames"]));
        }
        for flow in list(&result, "codeFlows") {
            let threads = list(&flow, "threadFlows");
            holds(!threads.is_empty(), "3.36.3", &flow);
            for thread in &threads {
                holds(!list(thread, "locations").is_empty(), "3.37.6", thread);
                places.extend(of(&thread["locations"]));
            }
            // 3.37.2: threads have names of their own.
            let names: Vec<&Value> = threads.iter().map(|t| &t["id"]).filter(|id| !id.is_null()).collect();
            let twice = names.iter().enumerate().any(|(n, id)| names[..n].contains(id));
            holds(!twice, "3.37.2", &flow);
        }
        for fix in list(&result, "fixes") {
            let changes = list(&fix, "artifactChanges");
            // 3.55.3, 3.56.3: each has something that is replaced.
            let whole = changes.iter().all(|c| {
                let replaced = list(c, "replacements");
                !replaced.is_empty() && replaced.iter().all(|r| r["deletedRegion"]["startLine"].is_u64())
            });
            holds(!changes.is_empty() && whole, "3.55.3", &fix);
        }
        let race = matches!(result["ruleId"].as_str(), Some("shared-race" | "global-race"));
        let sides = result["codeFlows"][0]["threadFlows"].as_array().map_or(0, Vec::len);
        holds(sides == if race { 2 } else { 0 }, "the sides of a race", &result);
    }
    for place in places {
        let physical = &place["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str().unwrap_or_default();
        // 3.10.1: a URI, without what has to be escaped in one.
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/:%+=".contains(&b);
        holds(!uri.is_empty() && uri.bytes().all(plain), "3.4.3", &place);
        let region = &physical["region"];
        let n = |name: &str| region[name].as_u64().unwrap_or(0);
        let (from, to) = ((n("startLine"), n("startColumn")), (n("endLine"), n("endColumn")));
        // 3.30.5 and following: from 1, and the end not before the start.
        holds(from.0 > 0 && from.1 > 0 && to.1 > 0 && from <= to, "3.30", region);
    }
    out
}

#[test]
fn reports_of_the_tests_programs_fit() {
    let schema = Schema::ours();
    let mut all: Vec<(&str, PathBuf)> = Vec::new();
    for (verb, folder, step) in [("run", "run/fail", 4), ("run", "run/pass", 15), ("check", "check/fail", 2)]
    {
        all.extend(programs(folder, step).into_iter().map(|p| (verb, p)));
    }
    let broken = tempfile::tempdir().expect("a folder");
    let file = broken.path().join("a b%ü.cu");
    std::fs::write(&file, "int main() { return 0 }\n").expect("a file");
    all.push(("check", file));
    let (next, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let problems: Mutex<Vec<String>> = Mutex::default();
    let work = || {
        while let Some((verb, path)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let text = std::fs::read_to_string(path).expect("a program");
            let Some(more) = options(&text) else { continue };
            let n = ran.fetch_add(1, Ordering::Relaxed);
            let (lines, document, page) = reports(verb, path, &more, broken.path(), n);
            let wrong = of_lines(&schema, &lines).into_iter().chain(of_document(&document));
            let wrong = wrong.chain(of_page(&page, &lines));
            let wrong: Vec<String> = wrong.map(|p| format!("{}: {p}", path.display())).collect();
            problems.lock().expect("no panic").extend(wrong);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let problems = problems.into_inner().expect("no panic");
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems[..problems.len().min(20)].join("\n")
    );
    let ran = ran.into_inner();
    assert!(ran > 60, "{ran} programs");
}

#[test]
fn the_schema_knows_all_kinds() {
    let schema = Schema::ours();
    let output = Command::new(env!("CARGO_BIN_EXE_cudair")).arg("explain").output().expect("cudair starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let kinds: Vec<&str> = text.lines().filter_map(|l| l.split_whitespace().next()).collect();
    let known: Vec<&str> = schema.root["$defs"]["kind"]["enum"]
        .as_array()
        .expect("kinds")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(kinds, known);
}

#[test]
fn what_does_not_fit_is_told() {
    let schema = Schema::ours();
    let fine: Value = serde_json::from_str(
        r#"{"schema":1,"type":"diagnostic","class":"note","message":"","primary":null,"related":[],"help":null}"#,
    )
    .expect("JSON");
    assert_eq!(schema.problems(&fine), Vec::<String>::new());
    let null = Value::Null;
    for (name, value) in [
        ("schema", 2.into()),
        ("class", "other".into()),
        ("message", null),
        ("help", 3.into()),
        ("more", 1.into()),
    ] {
        let mut wrong = fine.clone();
        wrong[name] = value;
        assert!(!schema.problems(&wrong).is_empty(), "{wrong}");
    }
    let mut less = fine;
    less.as_object_mut().expect("an object").remove("help");
    assert!(!schema.problems(&less).is_empty());
}

#[test]
fn the_page_on_ci_names_what_there_is() {
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/ci.md")).expect("the page");
    let output =
        Command::new(env!("CARGO_BIN_EXE_cudair")).args(["run", "--help"]).output().expect("cudair starts");
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = page.split(|c: char| !is_of_word(c)).filter(|w| w.starts_with("--") && w.len() > 3);
    let mut count = 0;
    for option in words {
        assert!(help.split(|c: char| !is_of_word(c)).any(|w| w == option), "{option}");
        count += 1;
    }
    assert!(count > 10, "{count} options");
    // The tasks of an editor are JSON, and its groups those of its pattern.
    let tasks = page.split("```json\n").nth(1).and_then(|part| part.split("```").next()).expect("the tasks");
    let tasks: Value = serde_json::from_str(tasks).expect("JSON");
    let pattern = &tasks["tasks"][0]["problemMatcher"]["pattern"];
    let groups = pattern["regexp"].as_str().expect("a pattern").matches('(').count() as u64;
    assert_eq!(pattern["code"].as_u64(), Some(groups));
}
