//! `cudair dap` as a client meets it, over a pipe. `tests/dap/` has the same with a client that others wrote.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// The debugger, and what it has said that nobody has asked for yet.
struct Server {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    kept: Vec<Value>,
    seq: i64,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended where the test has.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads messages until there are no more.
fn messages(from: impl Read) -> impl Iterator<Item = Value> {
    let mut from = BufReader::new(from);
    std::iter::from_fn(move || {
        let mut line = String::new();
        if from.read_line(&mut line).expect("a header") == 0 {
            return None;
        }
        let length = line.trim_end().strip_prefix("Content-Length: ").expect("a length");
        let mut bytes = vec![0; length.parse::<usize>().expect("a number") + 2];
        from.read_exact(&mut bytes).expect("a whole message");
        assert_eq!(&bytes[..2], b"\r\n", "the header ends");
        Some(serde_json::from_slice(&bytes[2..]).expect("JSON"))
    })
}

impl Server {
    fn start() -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cudair"));
        command.arg("dap").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.env("LC_ALL", "C.UTF-8").spawn().expect("cudair starts");
        let out = child.stdout.take().expect("a pipe");
        let (give, from) = channel();
        std::thread::spawn(move || messages(out).try_for_each(|m| give.send(m)));
        let to = child.stdin.take();
        Server { child, to, from, kept: Vec::new(), seq: 0 }
    }

    /// One that has answered `initialize`.
    fn initialized() -> Server {
        let mut server = Server::start();
        server.ok("initialize", json!({ "adapterID": "cudair" }));
        server
    }

    /// One with a program that is ready to run.
    fn launched(arguments: Value) -> Server {
        let mut server = Server::initialized();
        server.ok("launch", arguments);
        server.event("initialized");
        server
    }

    fn write(&mut self, bytes: &[u8]) {
        self.to.as_mut().expect("it is open").write_all(bytes).expect("it reads");
    }

    fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let message =
            json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        self.seq
    }

    /// The next message of a kind.
    fn next(&mut self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        if let Some(n) = self.kept.iter().position(&is) {
            return self.kept.remove(n);
        }
        loop {
            let message = self.from.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|e| panic!("no {what}: {e}; there are {:#?}", self.kept));
            if is(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    fn response(&mut self, seq: i64) -> Value {
        self.next(&format!("answer to {seq}"), |m| m["type"] == "response" && m["request_seq"] == seq)
    }

    /// The body of an answer.
    fn ok(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        let answer = self.response(seq);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        assert_eq!(answer["command"], command);
        answer["body"].clone()
    }

    /// Why there is no answer.
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let seq = self.send(command, arguments);
        let answer = self.response(seq);
        assert_eq!(answer["success"], false, "{command}: {answer}");
        assert_eq!(answer["message"], answer["body"]["error"]["format"]);
        answer["message"].as_str().expect("a reason").to_owned()
    }

    fn event(&mut self, name: &str) -> Value {
        self.next(&format!("event `{name}`"), |m| m["type"] == "event" && m["event"] == name)["body"].clone()
    }

    /// The next stop: what was said of it, and the frames.
    fn stop(&mut self) -> (Value, Vec<Value>) {
        let stopped = self.event("stopped");
        let body = self.ok("stackTrace", json!({ "threadId": stopped["threadId"] }));
        let frames = body["stackFrames"].as_array().expect("frames").clone();
        assert_eq!(body["totalFrames"], frames.len());
        (stopped, frames)
    }

    /// Lets the program move, and gives its next stop.
    fn moved(&mut self, command: &str, thread: &Value) -> (Value, Vec<Value>) {
        self.ok(command, json!({ "threadId": thread }));
        self.stop()
    }

    /// What a reference stands for: names and values.
    fn variables(&mut self, reference: &Value) -> Vec<Value> {
        let body = self.ok("variables", json!({ "variablesReference": reference }));
        body["variables"].as_array().expect("variables").clone()
    }

    /// A scope of a frame.
    fn scope(&mut self, frame: &Value, name: &str) -> Vec<Value> {
        let body = self.ok("scopes", json!({ "frameId": frame["id"] }));
        let scopes = body["scopes"].as_array().expect("scopes").clone();
        let scope = scopes.iter().find(|s| s["name"] == name).unwrap_or_else(|| panic!("{name} in {body}"));
        self.variables(&scope["variablesReference"])
    }

    fn evaluate(&mut self, frame: &Value, expression: &str) -> Value {
        let body = json!({ "expression": expression, "frameId": frame["id"], "context": "watch" });
        self.ok("evaluate", body)["result"].clone()
    }

    /// What went to the user so far, by category. All that was said before an event is there behind it.
    fn output(&self, category: &str) -> String {
        let of = |m: &&Value| m["event"] == "output" && m["body"]["category"] == category;
        self.kept.iter().filter(of).filter_map(|m| m["body"]["output"].as_str()).collect()
    }

    /// The exit code, once the client has nothing more to say.
    fn exit(mut self) -> Option<i32> {
        self.to = None;
        self.child.wait().expect("it ends").code()
    }
}

/// The program of these tests.
fn prog() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dap/prog.cu")
}

/// The number of the line that has a text.
fn line(of: &str) -> u32 {
    let text = include_str!("dap/prog.cu");
    let at = text.lines().position(|l| l.contains(of)).unwrap_or_else(|| panic!("`{of}` is there"));
    at as u32 + 1
}

/// The variable of a name.
fn named<'a>(all: &'a [Value], name: &str) -> &'a Value {
    all.iter().find(|v| v["name"] == name).unwrap_or_else(|| panic!("`{name}` among {all:?}"))
}

/// Sets breakpoints in the program.
fn breakpoints(server: &mut Server, all: Value) -> Vec<Value> {
    let body = server.ok("setBreakpoints", json!({ "source": { "path": prog() }, "breakpoints": all }));
    body["breakpoints"].as_array().expect("breakpoints").clone()
}

#[test]
fn stops_steps_and_values() {
    let mut server = Server::launched(json!({ "program": prog(), "args": ["word"], "stopOnEntry": true }));
    let (in_kernel, empty) = (line("int v = "), line("int twice(int n)"));
    let set = breakpoints(
        &mut server,
        json!([{ "line": in_kernel, "condition": "thread 3 if i == 3" }, { "line": empty }, { "line": 9999 }]),
    );
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(in_kernel)));
    assert_eq!(set[1]["line"], empty + 1, "a line without code stands for the next that has some");
    assert_eq!(set[2]["verified"], false);
    assert_eq!(set[2]["message"], "there is no code at line 9999 or behind it");
    breakpoints(&mut server, json!([{ "line": in_kernel, "condition": "thread 3 if i == 3" }]));
    let body = json!({ "breakpoints": [{ "name": "add" }, { "name": "nobody" }] });
    let set = server.ok("setFunctionBreakpoints", body)["breakpoints"].clone();
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(line("int sum"))));
    assert_eq!(set[1]["message"], "there is no function `nobody`");
    server.ok("configurationDone", json!({}));

    let (stopped, frames) = server.stop();
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("entry"), &json!(1)));
    assert_eq!((&frames[0]["name"], &frames[0]["line"]), (&json!("main"), &json!(line("own.x = add"))));
    assert_eq!(frames[0]["source"], json!({ "name": "prog.cu", "path": prog() }));
    let locals = server.scope(&frames[0], "Locals");
    assert_eq!(named(&locals, "own")["value"], "??", "nothing was written");
    assert_eq!(named(&locals, "argc")["value"], "2");

    let (stopped, frames) = server.moved("continue", &json!(1));
    assert_eq!(stopped["reason"], "breakpoint");
    assert_eq!(stopped["hitBreakpointIds"], json!([set[0]["id"]]));
    let names: Vec<&Value> = frames.iter().map(|f| &f["name"]).collect();
    assert_eq!(names, ["add", "main"]);
    assert_eq!(server.evaluate(&frames[0], "a + b"), "42");
    assert_eq!(server.evaluate(&frames[1], "argc"), "2");
    let old = frames[0].clone();
    let (stopped, frames) = server.moved("next", &json!(1));
    assert_eq!((&stopped["reason"], &frames[0]["line"]), (&json!("step"), &json!(line("return sum"))));
    assert_eq!(server.evaluate(&frames[0], "sum"), "42");
    let stale = server.refused("scopes", json!({ "frameId": old["id"] }));
    assert!(stale.contains("numbers hold until the program goes on"), "{stale}");
    let (_, frames) = server.moved("stepOut", &json!(1));
    assert_eq!(frames[0]["name"], "main");

    // The device: one thread in focus, others beside it.
    let (stopped, frames) = server.moved("continue", &json!(1));
    assert_eq!((&stopped["reason"], &frames[0]["name"]), (&json!("breakpoint"), &json!("k")));
    assert_eq!(server.output("stdout"), "own.x = 42\n", "what was printed is there before the stop");
    let threads = server.ok("threads", json!({}))["threads"].clone();
    assert_eq!(threads.as_array().map(Vec::len), Some(32));
    assert_eq!(threads[0], json!({ "id": stopped["threadId"], "name": "launch 0, block (0,0,0), thread 3" }));
    let locals = server.scope(&frames[0], "Locals");
    assert_eq!((&named(&locals, "i")["value"], &named(&locals, "i")["type"]), (&json!("3"), &json!("int")));
    let shared = server.scope(&frames[0], "Shared");
    let tile = named(&shared, "tile");
    assert_eq!((&tile["indexedVariables"], &tile["type"]), (&json!(32), &json!("int[32]")));
    let page = json!({ "variablesReference": tile["variablesReference"], "filter": "indexed", "start": 30, "count": 5 });
    let page = server.ok("variables", page)["variables"].clone();
    assert_eq!(page.as_array().map(Vec::len), Some(2));
    assert_eq!((&page[1]["name"], &page[1]["value"]), (&json!("[31]"), &json!("62")));
    assert_eq!(page[1]["evaluateName"], "tile[31]");
    let built_ins = server.scope(&frames[0], "Built-ins");
    let thread_idx = server.variables(&named(&built_ins, "threadIdx")["variablesReference"]);
    assert_eq!(named(&thread_idx, "x")["value"], "3");

    // A structure behind a pointer, by member.
    let part = named(&locals, "part");
    let target = server.variables(&part["variablesReference"]);
    assert_eq!(target[0]["evaluateName"], "(*part)");
    let members = server.variables(&target[0]["variablesReference"]);
    assert_eq!(named(&members, "x")["value"], "42");
    assert_eq!(named(&members, "bits")["value"], "5");
    assert_eq!(named(&members, "next")["value"], "null");
    let y = server.variables(&named(&members, "y")["variablesReference"]);
    assert_eq!((&y[0]["value"], &y[1]["value"]), (&json!("??"), &json!("1.5")));
    let path = y[1]["evaluateName"].as_str().expect("an expression").to_owned();
    assert_eq!(server.evaluate(&frames[0], &path), "1.5");
    // 42, then four bytes that nobody has written.
    let read = json!({ "memoryReference": part["memoryReference"], "count": 12 });
    let read = server.ok("readMemory", read);
    assert_eq!((&read["data"], &read["unreadableBytes"]), (&json!("KgAAAA=="), &json!(4)));
    let read = json!({ "memoryReference": part["memoryReference"], "offset": 4, "count": 100 });
    let read = server.ok("readMemory", read);
    assert_eq!((&read["data"], &read["unreadableBytes"]), (&Value::Null, &json!(4)));

    // Another of the threads that are here, whose steps they are then.
    let other = &threads[5];
    assert_eq!(other["name"], "launch 0, block (0,0,0), thread 5");
    let body = server.ok("stackTrace", json!({ "threadId": other["id"], "levels": 1 }));
    assert_eq!(server.evaluate(&body["stackFrames"][0], "i"), "5");
    let (stopped, frames) = server.moved("next", &other["id"]);
    assert_eq!((&stopped["threadId"], &frames[0]["line"]), (&other["id"], &json!(line("out[blockIdx.x"))));
    assert_eq!(server.evaluate(&frames[0], "v"), "94");
    // Back, to where `v` has no value.
    let (stopped, frames) = server.moved("stepBack", &other["id"]);
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("step"), &other["id"]));
    assert_eq!(frames[0]["line"], in_kernel);
    assert_eq!(server.evaluate(&frames[0], "tile[1]"), "2");
    let (stopped, frames) = server.moved("reverseContinue", &other["id"]);
    assert_eq!((&stopped["reason"], &frames[0]["name"]), (&json!("breakpoint"), &json!("add")));
    assert_eq!(server.output("stdout"), "own.x = 42\n", "nothing is printed twice");
    server.ok("disconnect", json!({}));
    assert_eq!(server.exit(), Some(0));
}

#[test]
fn it_stops_at_a_race_and_tells_all_at_the_end() {
    let mut server = Server::launched(json!({ "program": prog() }));
    server.ok("setExceptionBreakpoints", json!({ "filters": ["findings"] }));
    server.ok("configurationDone", json!({}));
    let (stopped, frames) = server.stop();
    assert_eq!((&stopped["reason"], &frames[0]["name"]), (&json!("exception"), &json!("races")));
    let text = stopped["text"].as_str().expect("what was found");
    assert!(text.starts_with("error[shared-race]: ") && text.contains("prog.cu:"), "{text}");
    let info = server.ok("exceptionInfo", json!({ "threadId": stopped["threadId"] }));
    assert_eq!((&info["exceptionId"], &info["breakMode"]), (&json!("shared-race"), &json!("always")));
    assert!(info["details"]["message"].as_str().is_some_and(|m| m.lines().count() > 1), "{info}");
    server.ok("continue", json!({ "threadId": stopped["threadId"] }));
    assert_eq!(server.event("exited"), json!({ "exitCode": 3 }));
    server.event("terminated");
    assert_eq!((server.output("stdout"), server.output("stderr")), ("own.x = 41\n".into(), "done\n".into()));
    let console = server.output("console");
    assert!(console.contains("error[shared-race]") && console.contains("cudair: 1 error"), "{console}");
    assert!(!console.contains('\u{1b}'), "a colour: {console}");
    assert_eq!(server.refused("continue", json!({ "threadId": 1 })), "the program has ended");
    server.ok("disconnect", json!({}));
    assert_eq!(server.exit(), Some(0));
}

#[test]
fn nothing_stops_it_where_nothing_is_to() {
    for arguments in
        [json!({ "program": prog() }), json!({ "program": prog(), "noDebug": true, "stopOnEntry": true })]
    {
        let off = arguments["noDebug"] == true;
        let mut server = Server::launched(arguments);
        let set =
            breakpoints(&mut server, if off { json!([{ "line": line("int sum") }]) } else { json!([]) });
        assert!(!off || set[0]["verified"] == false);
        assert!(!off || set[0]["message"] == "the program was launched without stops");
        server.ok("setExceptionBreakpoints", json!({ "filters": [] }));
        server.ok("configurationDone", json!({}));
        server.event("terminated");
        assert!(server.kept.iter().all(|m| m["event"] != "stopped"), "{:?}", server.kept);
        assert!(server.output("console").contains("error[shared-race]"));
    }
}

/// A program that runs until somebody stops it, and reads what it has.
const ENDLESS: &str = "
#include <stdio.h>
int main() {
    volatile int n = 0;
    int given = 0;
    if (scanf(\"%d\", &given) != 1) given = -1;
    printf(\"given %d, é\\n\", given);
    for (;;)
        n = (n + 1) % 1000;
}
";

#[test]
fn requests_reach_a_program_that_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("endless.cu"), ENDLESS).expect("a file");
    std::fs::write(folder.path().join("in.txt"), "17").expect("a file");
    let launch = json!({ "program": "endless.cu", "cwd": folder.path(), "stdin": "in.txt", "options": ["--seed", "3"] });
    let mut server = Server::launched(launch);
    server.ok("configurationDone", json!({}));
    server.next("output", |m| m["body"]["output"] == "given 17, é\n");
    assert_eq!(
        server.refused("stepIn", json!({ "threadId": 1 })),
        "the program runs: `pause` lets it stand still"
    );
    server.ok("pause", json!({ "threadId": 1 }));
    let (stopped, frames) = server.stop();
    assert_eq!((&stopped["reason"], &frames[0]["name"]), (&json!("pause"), &json!("main")));
    server.ok("continue", json!({ "threadId": 1 }));
    // A breakpoint that is set while it runs.
    let path = folder.path().join("endless.cu");
    let all = json!({ "source": { "path": path }, "breakpoints": [{ "line": 9, "condition": "n == 500" }] });
    assert_eq!(server.ok("setBreakpoints", all)["breakpoints"][0]["verified"], true);
    let (stopped, frames) = server.stop();
    assert_eq!(stopped["reason"], "breakpoint");
    assert_eq!(server.evaluate(&frames[0], "n"), "500");
    server.ok("restart", json!({}));
    server.event("continued");
    let (_, frames) = server.stop();
    assert_eq!(server.evaluate(&frames[0], "n"), "500");
    server.ok("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": [] }));
    server.ok("continue", json!({ "threadId": 1 }));
    server.ok("terminate", json!({}));
    server.event("terminated");
    server.ok("disconnect", json!({}));
    assert_eq!(server.exit(), Some(0));
}

#[test]
fn a_client_that_goes_away_ends_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    // One that comes to no line: it is in a library.
    let asleep = "#include <unistd.h>\nint main() {\n    sleep(3600);\n}\n";
    for (name, text) in [("endless.cu", ENDLESS), ("asleep.cu", asleep)] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        let mut server = Server::launched(json!({ "program": path }));
        server.ok("configurationDone", json!({}));
        assert_eq!(server.exit(), Some(0), "{name}");
    }
}

#[test]
fn faults_stop_where_they_happen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fault.cu");
    std::fs::write(&path, "int main() {\n    int *p = nullptr;\n    return *p;\n}\n").expect("a file");
    let mut server = Server::launched(json!({ "program": path }));
    server.ok("setExceptionBreakpoints", json!({ "filters": [] }));
    server.ok("configurationDone", json!({}));
    let (stopped, frames) = server.stop();
    assert_eq!((&stopped["reason"], &frames[0]["line"]), (&json!("exception"), &json!(3)));
    assert_eq!(server.evaluate(&frames[0], "p"), "null");
    let info = server.ok("exceptionInfo", json!({ "threadId": 1 }));
    assert_eq!(info["exceptionId"], "null-dereference");
    server.ok("continue", json!({ "threadId": 1 }));
    assert_eq!(server.event("exited"), json!({ "exitCode": 3 }));
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let mut server = Server::start();
    assert_eq!(server.refused("threads", json!({})), "`initialize` comes first");
    let uri = server.refused("initialize", json!({ "adapterID": "cudair", "pathFormat": "uri" }));
    assert!(uri.contains("`pathFormat` `uri` is not supported"), "{uri}");
    // Lines and columns from 0.
    let zero = json!({ "adapterID": "cudair", "linesStartAt1": false, "columnsStartAt1": false });
    let capabilities = server.ok("initialize", zero);
    assert_eq!(capabilities["supportsStepBack"], true);
    assert_eq!(capabilities["exceptionBreakpointFilters"][0]["filter"], "findings");
    assert_eq!(server.refused("continue", json!({})), "`continue` is not possible before `launch`");
    assert!(server.refused("attach", json!({})).contains("nothing to attach to"));
    for (launch, expected) in [
        (json!({}), "`program` names no file"),
        (json!({ "program": "missing.cu" }), "missing.cu"),
        (json!({ "program": prog(), "cwd": "/no/such/folder" }), "`cwd` is /no/such/folder"),
        (json!({ "program": prog(), "stdin": "/no/such/file" }), "cannot read /no/such/file"),
        (json!({ "program": prog(), "options": ["--seeds", "0..3"] }), "`debug` takes no `--seeds`"),
        (json!({ "program": prog(), "options": ["--format", "json"] }), "the report goes to the console"),
        (json!({ "program": prog(), "options": ["--fly"] }), "--fly"),
        (json!({ "program": prog(), "options": ["--help"] }), "cudair debug"),
        (json!({ "program": prog(), "options": ["-"] }), "standard input is the client's"),
        (json!({ "program": prog(), "options": ["--device", "h10"] }), "h10"),
    ] {
        let why = server.refused("launch", launch);
        assert!(why.contains(expected), "{why:?} has not {expected:?}");
    }
    // What does not compile is told with its place, and in the console.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.cu");
    std::fs::write(&path, "int main() { return nobody; }\n").expect("a file");
    let why = server.refused("launch", json!({ "program": path }));
    assert!(why.contains("wrong.cu:1: ") && why.contains("nobody"), "{why}");
    assert!(server.output("console").contains("return nobody"), "{}", server.output("console"));
    std::fs::write(&path, "void f() {}\n").expect("a file");
    assert_eq!(server.refused("launch", json!({ "program": path })), "there is no `main` to run");

    server.ok("launch", json!({ "program": prog(), "stopOnEntry": true }));
    server.event("initialized");
    assert!(server.refused("launch", json!({ "program": prog() })).contains("launched already"));
    assert!(server.refused("stackTrace", json!({ "threadId": 1 })).contains("has not started"));
    assert!(server.refused("setBreakpoints", json!({})).contains("takes a `source`"));
    assert!(server.refused("setExceptionBreakpoints", json!({ "filters": ["all"] })).contains("no filter"));
    let other = json!({ "source": { "path": "/no/such.cu" }, "breakpoints": [{ "line": 1 }] });
    let set = server.ok("setBreakpoints", other)["breakpoints"].clone();
    assert_eq!(set, json!([{ "verified": false, "message": "no code of the program is in /no/such.cu" }]));
    let first = line("own.x = add") - 1;
    let set = breakpoints(
        &mut server,
        json!([
            { "line": first, "condition": "thread x" }, { "line": first, "hitCondition": "3" },
            { "line": first, "logMessage": "x" }, { "line": first, "condition": 3 }, {}, { "line": i64::MIN }, { "line": -3 },
        ]),
    );
    // `thread x` is an expression, if a wrong one, which is told where it stops.
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(first)));
    assert!(set[1..].iter().all(|b| b["verified"] == false && b["message"].is_string()), "{set:?}");
    server.ok("configurationDone", json!({}));
    let (stopped, frames) = server.stop();
    assert!(stopped["text"].as_str().is_some_and(|t| t.contains("cannot be evaluated")), "{stopped}");
    assert_eq!((&frames[0]["line"], &frames[0]["column"]), (&json!(first), &json!(20)));
    let frame = &frames[0]["id"];
    for (command, arguments, expected) in [
        ("fly", json!({}), "`fly` is not supported"),
        ("configurationDone", json!({}), "has started already"),
        ("initialize", json!({}), "already"),
        ("stackTrace", json!({}), "takes a `threadId`"),
        ("stackTrace", json!({ "threadId": 99 }), "host, thread 99 is not here"),
        ("stackTrace", json!({ "threadId": 1_048_576 }), "there is no thread"),
        ("stackTrace", json!({ "threadId": "x" }), "`threadId` is an integer"),
        ("stackTrace", json!({ "threadId": 1, "levels": -1 }), "`levels` is not -1"),
        ("scopes", json!({ "frameId": 7 }), "7 is nothing of this stop"),
        ("variables", json!({ "variablesReference": frame }), "is a frame"),
        ("variables", json!({ "variablesReference": 0 }), "0 is nothing of this stop"),
        ("evaluate", json!({ "expression": "own.z", "frameId": frame }), "`Part` has no member `z`"),
        ("evaluate", json!({ "expression": "1 +", "frameId": frame }), "an expression is missing"),
        ("evaluate", json!({}), "takes an `expression`"),
        ("readMemory", json!({ "memoryReference": "x", "count": 1 }), "`x` is not an address"),
        ("readMemory", json!({ "memoryReference": "0x10", "count": -1 }), "`count` is from 0"),
        ("readMemory", json!({ "memoryReference": "0x10", "count": 1, "offset": -17 }), "address space"),
        ("exceptionInfo", json!({ "threadId": 1 }), "no fault and no finding"),
        ("stepOut", json!({ "threadId": 1 }), "this is the outermost function"),
        ("continue", json!({ "threadId": 5 }), "is not here"),
    ] {
        let why = server.refused(command, arguments);
        assert!(why.contains(expected), "{command}: {why:?} has not {expected:?}");
    }
    let nowhere = server.ok("readMemory", json!({ "memoryReference": "0x10", "count": 4 }));
    assert_eq!(nowhere, json!({ "address": "0x10", "unreadableBytes": 4 }));
    server.ok("disconnect", json!({}));
    assert_eq!(server.exit(), Some(0));
}

#[test]
fn what_is_no_message_ends_the_session_with_a_word() {
    let wrong: [(&[u8], &str); 6] = [
        (b"GET / HTTP/1.1\r\n\r\n", "is no header"),
        (b"Content-Length: -5\r\n\r\n", "is no length"),
        (b"Content-Length: 3\r\n\r\n{[}", "is no JSON"),
        (b"Content-Length: 2\r\n\r\n[]", "has no `seq`"),
        (b"Content-Length: 99\r\n\r\n{}", "ends behind 2"),
        (b"\xff\xfe\x00\x00", "is no header"),
    ];
    for (bytes, expected) in wrong {
        for ready in [false, true] {
            let mut server =
                if ready { Server::launched(json!({ "program": prog() })) } else { Server::start() };
            server.write(bytes);
            server.to = None;
            let output = server.event("output");
            assert!(output["output"].as_str().is_some_and(|o| o.contains(expected)), "{output}");
            assert_eq!(server.exit(), Some(2));
        }
    }
}
