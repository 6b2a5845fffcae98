//! What the analyses find in small kernels: uniformity with causes beside the IR, and barrier divergence.
//!
//! Each `.cir` file under `analysis/` is a fixture. Its first line says what must come out: `; clean`, or
//! `; error`, `; warning`, `; possible` once for each finding. The rest is a snapshot.

use cudair_ir::{Certainty, Finding, LocData, Module, Pos, Severity, Side, parse_module};
use cudair_passes::analysis::{Prepared, shape::Shape};
use cudair_passes::check::{CheckOptions, analyze_module};
use std::fmt::Write;
use std::path::Path;

/// Gives each instruction a place of its own: the n-th of the module stands in line n.
fn with_places(module: &mut Module) {
    let file = module.source.file("k.cu", None);
    let mut line = 0;
    let ids: Vec<_> = module.funcs.keys().collect();
    for id in ids {
        for block in module.funcs[id].layout.clone() {
            for inst in module.funcs[id].block_insts(block).to_vec() {
                line += 1;
                let (start, end) = (Pos { line, col: 1 }, Pos { line, col: 9 });
                let data = LocData { file, start, end, spelling: None.into(), inlined_at: None.into() };
                let loc = module.source.intern(data);
                module.funcs[id].locs[inst] = loc.into();
            }
        }
    }
}

fn verdict(f: &Finding) -> &'static str {
    match (f.certainty, f.severity) {
        (Certainty::Possible, _) => "possible",
        (_, Severity::Error) => "error",
        _ => "warning",
    }
}

fn show(f: &Finding) -> String {
    let mut out = format!("{} {}: {}\n", verdict(f), f.kind, f.message);
    for s in f.primary.iter().chain(&f.related) {
        let _ = writeln!(out, "  {}:{}: {}", s.file, s.start.line, s.label);
    }
    for t in &f.threads {
        let _ = writeln!(out, "  {}", f.dims.thread_of(*t));
    }
    for n in &f.notes {
        let _ = writeln!(out, "  note: {n}");
    }
    out
}

fn check(path: &Path, failed: &mut Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut module = parse_module(&text, "k.cir").unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    with_places(&mut module);
    if let Err(problems) = cudair_ir::verify_module(&module) {
        panic!("{}: {problems:?}", path.display());
    }
    let (_, findings) = analyze_module(&module, &CheckOptions::default());
    let expected: Vec<&str> = text
        .lines()
        .next()
        .unwrap_or("")
        .trim_start_matches(';')
        .split_whitespace()
        .filter(|w| *w != "clean")
        .collect();
    let found: Vec<&str> = findings.iter().map(verdict).collect();
    let mut out = String::new();
    for f in &findings {
        out.push_str(&show(f));
        out.push('\n');
    }
    for (id, f) in &module.funcs {
        if f.side == Side::Kernel {
            out.push_str(&Prepared::new(&module, id).render_uniformity(&module, &Shape::default()));
        }
    }
    let name = path.file_stem().unwrap().to_str().unwrap();
    insta::with_settings!({snapshot_path => "../../snapshots/analysis", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!(name, out);
    });
    if found != expected {
        failed.push(format!("{}: expected {expected:?}, found {found:?}\n{out}", path.display()));
    }
}

#[test]
fn fixtures() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/analysis");
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no fixture");
    let mut failed = Vec::new();
    for path in paths {
        check(&path, &mut failed);
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
