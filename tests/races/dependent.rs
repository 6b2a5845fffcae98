//! Kernels in which branches, waits and addresses hang on what is read: no run may show what no execution of the
//! reference does, and every race of the reference has to show under one of 64 seeds.

use super::counts::Counts;
use super::cudair::{Report, proofs_by_run, report};
use super::execution;
use super::explore::Machine;
use super::known::{Cause, MORE_SEEDS};
use super::litmus::{Litmus, program, source};
use super::program::Line;
use std::collections::BTreeSet;
use std::path::Path;

/// Kernels in a file.
const BATCH: usize = 30;

type Pairs = BTreeSet<(Line, Line)>;

/// What the reference says of a program.
struct Expected {
    program: Litmus,
    all: Pairs,
}

fn expected(program: Litmus) -> Option<Expected> {
    let machine = Machine::new(&program);
    let mut all = Pairs::new();
    let mut fits = true;
    let done = machine.explore(|events| {
        fits &= events.len() <= execution::MOST;
        execution::races(&machine, events, &mut all);
    });
    (done && fits).then_some(Expected { program, all })
}

/// Runs the kernels of these seeds and prints what differs.
pub fn batch(folder: &Path, seeds: std::ops::RangeInclusive<u64>, counts: &mut Counts) {
    let all: Vec<u64> = seeds.collect();
    for part in all.chunks(BATCH) {
        let mut programs = Vec::new();
        for &seed in part {
            match expected(program(seed)) {
                Some(e) => programs.push(e),
                None => counts.refused += 1,
            }
        }
        if !programs.is_empty() {
            compare(folder, &programs, counts);
        }
    }
}

/// What these seeds show of a program.
fn under(folder: &Path, program: &Litmus, seeds: &str) -> Result<Pairs, String> {
    let name = format!("dependent_{}_alone", program.seed);
    let text = source(std::slice::from_ref(program));
    let found = report(folder, &name, &text, &["--seeds", seeds])?;
    for end in [".cu", ".json"] {
        let _ = std::fs::remove_file(folder.join(format!("{name}{end}")));
    }
    Ok(found.races.iter().map(|t| t.lines).collect())
}

fn compare(folder: &Path, programs: &[Expected], counts: &mut Counts) {
    let name = format!("dependent_{}", programs[0].program.seed);
    let text = source(&programs.iter().map(|e| e.program.clone()).collect::<Vec<_>>());
    let run = |options: &[&str]| report(folder, &name, &text, options);
    let by_run = proofs_by_run(folder, &name, &text);
    let (usual, seeds, by_run) = match (run(&[]), run(&["--seeds", "0..64"]), by_run) {
        (Ok(a), Ok(b), Ok(c)) => (a, b, c),
        (Err(why), ..) | (_, Err(why), _) | (.., Err(why)) if programs.len() == 1 => {
            println!("{name} in {}: {why}", folder.display());
            counts.kernels += 1;
            counts.differ += 1;
            return;
        }
        _ => {
            let (a, b) = programs.split_at(programs.len() / 2);
            compare(folder, a, counts);
            compare(folder, b, counts);
            return;
        }
    };
    let mut right = true;
    for (n, e) in programs.iter().enumerate() {
        let mut wrong = Vec::new();
        let of =
            |r: &Report| -> Pairs { r.races.iter().filter(|t| t.kernel == n).map(|t| t.lines).collect() };
        let (first, late) = (of(&usual), of(&seeds));
        counts.kernels += 1;
        counts.racy += u64::from(!e.all.is_empty());
        counts.pairs += e.all.len() as u64;
        for (pairs, how) in [(&first, "the usual run"), (&late, "a seed")] {
            for &pair in pairs.iter().filter(|&p| !e.all.contains(p)) {
                wrong.push(format!("false alarm in {how}: {pair:?}"));
            }
        }
        let mut rare = Pairs::new();
        for seeds in MORE_SEEDS {
            let is_shown = |pair| first.contains(pair) || late.contains(pair) || rare.contains(pair);
            if e.all.iter().all(is_shown) {
                break;
            }
            match under(folder, &e.program, seeds) {
                Ok(found) => rare.extend(found),
                Err(why) => wrong.push(why),
            }
        }
        for &pair in rare.iter().filter(|&p| !e.all.contains(p)) {
            wrong.push(format!("false alarm in one of 32,768 seeds: {pair:?}"));
        }
        for &pair in &e.all {
            if first.contains(&pair) {
                continue;
            }
            counts.chance += 1;
            if late.contains(&pair) {
                counts.late += 1;
            } else if rare.contains(&pair) {
                counts.known(Cause::Rare);
            } else {
                wrong.push(format!("missed under 32,768 seeds: {pair:?}"));
            }
        }
        let others = usual.others.iter().chain(&seeds.others).filter(|o| o.0.unwrap_or(0) == n);
        // That the program behaves differently under some seeds is expected.
        let others = others.filter(|o| !o.1.contains("behaves differently under seeds"));
        wrong.extend(others.map(|o| format!("not expected: {}", o.1)));
        if by_run.contains(&n) {
            counts.by_run += 1;
            if !e.all.is_empty() {
                wrong.push(format!("falsely proved by a run: {:?}", e.all));
            }
        }
        if !wrong.is_empty() {
            counts.differ += 1;
            right = false;
            let path = folder.join(format!("dependent_seed{}.cu", e.program.seed));
            let _ = std::fs::write(&path, &source(std::slice::from_ref(&e.program)).text);
            println!("dependent seed {} ({}):", e.program.seed, path.display());
            for what in &wrong {
                println!("    {what}");
            }
        }
    }
    if right {
        for end in [".cu", ".json"] {
            let _ = std::fs::remove_file(folder.join(format!("{name}{end}")));
        }
    }
}
