//! What a test looks at: a function behind passes, its bytecode, a run, or what the verifier says.

use crate::expect::{Outcome, View};
use crate::file::{Action, Context};
use crate::oracle::Oracle;
use crate::paper::Paper;
use cudair_ir::{Diagnostic, LaunchShape, Module, Side, Uniformity, parse_module, verify_module};
use cudair_passes::analysis::facts_for_launch;
use cudair_passes::transform::{Pipeline, run_pipeline};
use cudair_vm::{Exit, Gate, Grants, Vm, VmConfig};
use std::sync::Arc;

/// Back edges and calls that a run may spend.
const FUEL: u64 = 1_000_000;
/// Bytes that a program may hold.
const MEMORY: u64 = 64 << 20;
/// Lines of a run that an expectation has to match.
const ANNOUNCED: &[&str] = &["error ", "warning ", "note ", "diagnostic "];

/// How a kernel that is a test is launched: on `words` zeroed `i32`, which are printed afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Launch {
    grid: u32,
    block: u32,
    words: u32,
}

impl Launch {
    /// Reads `[grid=N] block=N words=N`.
    pub fn read(words: &str) -> Result<Launch, String> {
        let (mut grid, mut block, mut count) = (Some(1), None, None);
        for word in words.split_whitespace() {
            let (name, number) = word.split_once('=').unwrap_or((word, ""));
            let number = number.parse::<u32>().map_err(|_| format!("`{word}` has no number"))?;
            match name {
                "grid" => grid = Some(number),
                "block" => block = Some(number),
                "words" => count = Some(number),
                _ => return Err(format!("`{word}` is not known behind `; launch`")),
            }
        }
        match (grid, block, count) {
            (Some(grid), Some(block), Some(words)) => Ok(Launch { grid, block, words }),
            _ => Err("`; launch` needs `block=N` and `words=N`".to_owned()),
        }
    }

    /// A host program that launches `kernel`, a kernel with one parameter.
    fn program(self, kernel: &str) -> String {
        let Launch { grid, block, words } = self;
        let bytes = words * 4;
        format!(
            r#"
global internal @filetest.format host 4 align 1 constant = data {{ "%d \x00" }}
func host external @cudaMalloc (ptr.host, i64) -> i32
func host external @cudaMemset (ptr.generic, i32, i64) -> i32
func host external @cudaMemcpy (ptr.generic, ptr.generic, i64, i32) -> i32
func host external @cudaFree (ptr.generic) -> i32
func host external @printf (ptr.host, ...) -> i32
func host external @main () -> i32 {{
  slot0: host 8 align 8 "p"
  slot1: host {bytes} align 4 "h"
block0:
  v0 = slot_addr slot0
  v1 = slot_addr slot1
  v2 = const.i64 {bytes}
  v3 = const.i32 0
  v4 = const.i32 1
  v5 = const.i32 2
  v6 = const.i64 0
  v7 = const.ptr.generic null
  v8 = const.i32 {grid}
  v9 = const.i32 {block}
  v10 = call @cudaMalloc(v0, v2) site0
  v11 = load.ptr.generic v0 site1
  v12 = call @cudaMemset(v11, v3, v2) site2
  v13 = launch @{kernel}<<<v8, v4, v4, v9, v4, v4, v6, v7>>>(v11) site3
  v14 = spacecast.ptr.generic v1
  v15 = call @cudaMemcpy(v14, v11, v2, v5) site4
  v16 = call @cudaFree(v11) site5
  v17 = const.i32 {words}
  v18 = const.i64 4
  v19 = global_addr @filetest.format
  jump block1(v3)
block1(v20: i32):
  v21 = icmp.slt v20, v17
  branch v21, block2, block3
block2:
  v22 = sext.i64 v20
  v23 = imul.i64 v22, v18
  v24 = ptradd.host v1, v23
  v25 = load.i32 v24 site6
  v26 = call @printf(v19, v25) site7
  v27 = iadd.i32 v20, v4
  jump block1(v27)
block3:
  return v3
}}
"#
        )
    }
}

/// What a test is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The function; none for the module.
    pub name: Option<&'a str>,
    /// The module's text.
    pub text: &'a str,
    /// How a kernel is launched.
    pub launch: Option<Launch>,
}

/// What the action gives, in each way that it is done. An error is one of the test itself.
pub fn looked_at(action: &Action, subject: &Subject<'_>) -> Result<Vec<View>, String> {
    let view = |outcome| Ok(vec![View { title: "", outcome }]);
    if *action == Action::Verify {
        return view(verified(subject.text));
    }
    let text = match (subject.launch, subject.name) {
        (Some(launch), Some(kernel)) => format!("{}{}", subject.text, launch.program(kernel)),
        _ => subject.text.to_owned(),
    };
    let mut module =
        parse_module(&text, "test.cir").map_err(|e| format!("{}:{}: {}", e.line, e.col, e.message))?;
    if let (Action::Run { .. }, None, Some(name)) = (action, subject.launch, subject.name) {
        let id = module.func_by_name(name).ok_or("the function is not there")?;
        module = parse_module(&as_main(&text, name), "test.cir").map_err(|e| e.message)?;
        if module.funcs.get(id).is_none_or(|f| f.name != "main") {
            return Err("the function cannot be run as `main`".to_owned());
        }
    }
    verify_module(&module).map_err(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    match action {
        Action::Passes(passes) => view(transformed(&module, passes, subject.name)?),
        Action::Bytecode(context) => view(bytecode(&module, *context, subject.name)?),
        Action::Run { plain } => {
            let mut views = vec![View { title: "as written", outcome: run(module.clone())? }];
            if !plain {
                run_pipeline(&mut module, &Pipeline::machine()).map_err(|e| e.to_string())?;
                views.push(View { title: "behind the passes", outcome: run(module)? });
            }
            Ok(views)
        }
        Action::Verify => unreachable!("it was done above"),
    }
}

/// The text with one function called `main`.
fn as_main(text: &str, name: &str) -> String {
    let rename = |line: &str| {
        if line.starts_with("func ") {
            line.replacen(&format!("@{name} "), "@main ", 1)
        } else {
            line.to_owned()
        }
    };
    text.lines().map(rename).collect::<Vec<_>>().join("\n")
}

fn verified(text: &str) -> Outcome {
    match parse_module(text, "test.cir") {
        Err(e) => Outcome::Refused(vec![e.message]),
        Ok(module) => match verify_module(&module) {
            Ok(()) => Outcome::Accepted,
            Err(errors) => Outcome::Refused(errors.iter().map(ToString::to_string).collect()),
        },
    }
}

/// The function, or the module, as it is printed.
fn printed(module: &Module, name: Option<&str>) -> Option<String> {
    let text = module.to_string();
    let Some(name) = name else { return Some(text) };
    let begins = |line: &&str| line.starts_with("func ") && line.contains(&format!("@{name} "));
    let mut lines = text.lines().skip_while(|l| !begins(l)).peekable();
    lines.peek()?;
    let mut found = String::new();
    for line in lines {
        found.push_str(line);
        found.push('\n');
        if line == "}" {
            break;
        }
    }
    Some(found)
}

fn transformed(module: &Module, passes: &Pipeline, name: Option<&str>) -> Result<Outcome, String> {
    let before = printed(module, name).ok_or("the function is not there before the passes")?;
    let mut module = module.clone();
    if let Err(broken) = run_pipeline(&mut module, passes) {
        return Ok(Outcome::Refused(vec![broken.to_string()]));
    }
    if let Err(errors) = verify_module(&module) {
        return Ok(Outcome::Refused(errors.iter().map(ToString::to_string).collect()));
    }
    let whole = module.to_string();
    match parse_module(&whole, "printed.cir") {
        Ok(again) if again.to_string() == whole => {}
        _ => return Err(format!("what the passes leave does not print and parse to itself\n{whole}")),
    }
    Ok(match printed(&module, name) {
        Some(text) => Outcome::Text { text, before: Some(before), announced: &[] },
        None => Outcome::Gone,
    })
}

fn bytecode(module: &Module, context: Context, name: Option<&str>) -> Result<Outcome, String> {
    let name = name.ok_or("bytecode is of a function")?;
    let id = module.func_by_name(name).ok_or("the function is not there")?;
    let side = module.funcs[id].side;
    if side.on_device() != matches!(context, Context::Device(_)) {
        return Err(format!(
            "the function is one of side `{}`, which is not the header's context",
            side.name()
        ));
    }
    let (answer, block_dim) = match context {
        Context::Device(Some(threads)) if side == Side::Kernel => {
            let params = module.funcs[id].sig.params.len();
            let block = [threads, 1, 1];
            let shape = LaunchShape { grid: [1; 3], block, dynamic_shared: 0, args: vec![None; params] };
            (Some(facts_for_launch(module, id, &shape)), block)
        }
        Context::Device(Some(_)) => return Err("only a kernel is launched".to_owned()),
        _ => (None, [0; 3]),
    };
    let facts = answer.as_ref().and_then(|a| a.facts.funcs.get(&id));
    let is_math = |name: &str| name == "sqrtf";
    let cx = cudair_codegen::Context {
        module,
        facts,
        claims: None,
        uniform_over: Uniformity::Block,
        block_dim,
        is_math,
    };
    Ok(match cudair_codegen::compile(&cx, id) {
        Ok(code) => Outcome::Text { text: code.to_string(), before: None, announced: &[] },
        Err(d) => Outcome::Refused(vec![told(&d)]),
    })
}

fn told(d: &Diagnostic) -> String {
    format!("{}: {}", d.class.name(), d.message)
}

/// Runs a module: what it writes, how it ends, its findings and diagnostics, a line each.
fn run(module: Module) -> Result<Outcome, String> {
    let gate = Gate::shut(Grants::default())?;
    let config = VmConfig { fuel: FUEL, memory_limit: MEMORY, gate, ..VmConfig::default() };
    let paper = Paper::default();
    let mut vm = Vm::new(Arc::new(module), config, Arc::new(Oracle::default()));
    vm.set_io(paper.io());
    let outcome = vm.run_main(&[]);
    drop(vm);
    let mut text = String::new();
    for line in paper.text().lines() {
        text.push_str(&format!("out {line}\n"));
    }
    text.push_str(&match outcome.exit {
        Exit::Code(code) => format!("exit {code}\n"),
        Exit::Fault => "exit fault\n".to_owned(),
        Exit::Unsupported => "exit unsupported\n".to_owned(),
        Exit::Limit => "exit limit\n".to_owned(),
        Exit::Internal => "exit internal\n".to_owned(),
    });
    for f in &outcome.findings {
        text.push_str(&format!("{} {}: {}\n", f.severity.name(), f.kind.name(), f.message));
        for note in &f.notes {
            text.push_str(&format!("  {note}\n"));
        }
    }
    for d in &outcome.diagnostics {
        text.push_str(&format!("diagnostic {}\n", told(d)));
    }
    Ok(Outcome::Text { text, before: None, announced: ANNOUNCED })
}
