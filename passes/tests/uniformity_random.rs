//! Uniformity against execution: random functions are run thread by thread, and what the analysis calls
//! uniform has to be so.
//!
//! Two executions of a block by two threads are one dynamic instance if they agree in the iteration of each
//! cycle around the block. In one instance a value that is called uniform must be equal for all threads
//! that execute it; and a block all of whose controlling branches are uniform must be executed equally
//! often by all threads.

use cudair_ir::*;
use cudair_passes::analysis::Prepared;
use cudair_passes::analysis::control::{Control, deciding_value};
use cudair_passes::analysis::shape::Shape;
use std::collections::HashMap;
use std::fmt::Write;

/// A small generator of numbers, the same everywhere.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// A function: for each block its targets; the entry is block 0, which nothing jumps to.
fn shape(rng: &mut Rng) -> Vec<Vec<usize>> {
    let n = 3 + rng.below(7);
    let mut blocks = Vec::new();
    for i in 0..n {
        let targets = if i + 1 == n { 0 } else { [1, 2, 2, 3, 1, 2][rng.below(6)] };
        // Mostly forward, so that functions end.
        let mut out = Vec::new();
        for k in 0..targets {
            let forward = k == 0 || rng.below(3) > 0;
            out.push(if forward { i + 1 + rng.below((n - i - 1).min(3)) } else { 1 + rng.below(n - 1) });
        }
        blocks.push(out);
    }
    blocks
}

/// The text of a function of this shape. `dominators` gives for each block those above it, once known.
fn text(shape: &[Vec<usize>], dominators: Option<&[Vec<usize>]>, rng: &mut Rng) -> String {
    let params = |b: usize| if b == 0 { 1 } else { (b * 7 + 3) % 3 };
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    // Values of each block: parameters, then two computed ones.
    let mut values: Vec<Vec<usize>> = Vec::new();
    let mut out = String::from("func kernel external @k \"k\" (i32) {\n");
    let mut bodies: Vec<String> = Vec::new();
    let mut heads: Vec<String> = Vec::new();
    let mut conds: Vec<usize> = Vec::new();
    for b in 0..shape.len() {
        let own: Vec<usize> = (0..params(b)).map(|_| fresh()).collect();
        let list: Vec<String> = own.iter().map(|v| format!("v{v}: i32")).collect();
        heads.push(if list.is_empty() {
            format!("block{b}:")
        } else {
            format!("block{b}({}):", list.join(", "))
        });
        values.push(own);
        let mut body = String::new();
        if b == 0 {
            let v = fresh();
            let _ = writeln!(body, "  v{v} = special tid.x");
            values[0].push(v);
        }
        for _ in 0..2 {
            let above: Vec<usize> = std::iter::once(&b)
                .chain(dominators.map_or(&[][..], |d| &d[b]))
                .flat_map(|&d| values[d].iter().copied())
                .collect();
            let c = fresh();
            let _ = writeln!(body, "  v{c} = const.i32 {}", rng.below(4));
            let pick = |rng: &mut Rng| if above.is_empty() { c } else { above[rng.below(above.len())] };
            let (x, y) = (pick(rng), if rng.below(2) == 0 { c } else { pick(rng) });
            let v = fresh();
            let op = ["iadd", "and", "isub", "xor"][rng.below(4)];
            let _ = writeln!(body, "  v{v} = {op}.i32 v{x}, v{y}");
            values[b].push(c);
            values[b].push(v);
        }
        let last = values[b].len() - 1;
        let (x, y) = (values[b][last], values[b][rng.below(values[b].len())]);
        let v = fresh();
        let cc = ["eq", "slt", "ne", "sgt"][rng.below(4)];
        let _ = writeln!(body, "  v{v} = icmp.{cc} v{x}, v{y}");
        conds.push(v);
        bodies.push(body);
    }
    for (b, targets) in shape.iter().enumerate() {
        let _ = writeln!(out, "{}\n{}", heads[b], bodies[b].trim_end());
        let above: Vec<usize> = std::iter::once(&b)
            .chain(dominators.map_or(&[][..], |d| &d[b]))
            .flat_map(|&d| values[d].iter().copied())
            .collect();
        let mut call = |to: usize| {
            let args: Vec<String> =
                (0..params(to)).map(|_| format!("v{}", above[rng.below(above.len())])).collect();
            if args.is_empty() { format!("block{to}") } else { format!("block{to}({})", args.join(", ")) }
        };
        let _ = match targets[..] {
            [] => writeln!(out, "  return"),
            [to] => writeln!(out, "  jump {}", call(to)),
            [a, b2] => {
                let (a, b2) = (call(a), call(b2));
                writeln!(out, "  branch v{}, {a}, {b2}", conds[b])
            }
            [a, b2, c, ..] => {
                let (a, b2, c) = (call(a), call(b2), call(c));
                let v = values[b][values[b].len() - 1];
                writeln!(out, "  switch.i32 v{v}, {a} {{\n    1: {b2}\n    2: {c}\n  }}")
            }
        };
    }
    out.push_str("}\n");
    out
}

/// What one thread did: for each execution of a block its instance, and the values then.
struct Trace {
    steps: Vec<(Block, Vec<u32>, HashMap<Value, i64>)>,
    ended: bool,
}

fn run(func: &Function, cycles: &Cycles, tid: i64, n: i64) -> Trace {
    let mut trace = Trace { steps: Vec::new(), ended: false };
    let mut values: HashMap<Value, i64> = HashMap::new();
    let mut rounds: HashMap<Cycle, u32> = HashMap::new();
    let mut block = func.entry().unwrap();
    values.insert(func.block_params(block)[0], n);
    let mut from: Option<Block> = None;
    for _ in 0..200 {
        // Cycles around the block, outermost first, each with its round.
        let mut around = Vec::new();
        let mut at = cycles.innermost(block);
        while let Some(c) = at {
            around.push(c);
            at = cycles.cycles[c].parent.expand();
        }
        around.reverse();
        for &c in &around {
            if from.is_none_or(|f| !cycles.contains(c, f)) {
                rounds.insert(c, 0);
            } else if cycles.cycles[c].header() == block {
                *rounds.get_mut(&c).unwrap() += 1;
            }
        }
        let instance = around.iter().map(|c| rounds[c]).collect();
        let mut next = None;
        for &inst in func.block_insts(block) {
            let get = |v: &Value| values[v];
            let result = match &func.insts[inst] {
                InstData::Const { .. } => Some(func.const_int(func.result(inst).unwrap()).unwrap()),
                InstData::Special { .. } => Some(tid),
                InstData::Binary { op, args: [a, b], .. } => {
                    let (a, b) = (get(a), get(b));
                    Some(match op {
                        BinaryOp::Iadd => i64::from((a as i32).wrapping_add(b as i32)),
                        BinaryOp::Isub => i64::from((a as i32).wrapping_sub(b as i32)),
                        BinaryOp::And => a & b,
                        _ => a ^ b,
                    })
                }
                InstData::Icmp { cc, args: [a, b] } => {
                    let (a, b) = (get(a), get(b));
                    Some(i64::from(match cc {
                        IntCC::Eq => a == b,
                        IntCC::Ne => a != b,
                        IntCC::Slt => a < b,
                        _ => a > b,
                    }))
                }
                InstData::Jump { dest } => {
                    next = Some(*dest);
                    None
                }
                InstData::Switch { arg, table } => {
                    let table = &func.tables[*table];
                    let bits = u128::from(get(arg) as u32);
                    next = Some(table.cases.iter().find(|c| c.0 == bits).map_or(table.default, |c| c.1));
                    None
                }
                InstData::Branch { cond, then, other } => {
                    next = Some(if get(cond) == 1 { *then } else { *other });
                    None
                }
                _ => None,
            };
            if let Some(bits) = result {
                values.insert(func.result(inst).unwrap(), bits);
            }
        }
        let mut seen = HashMap::new();
        let results = func.block_insts(block).iter().flat_map(|&i| func.inst_results(i));
        for v in func.block_params(block).iter().chain(results) {
            seen.insert(*v, values[v]);
        }
        trace.steps.push((block, instance, seen));
        let Some(to) = next else {
            trace.ended = true;
            break;
        };
        let args: Vec<i64> = to.args.as_slice(&func.pool).iter().map(|v| values[v]).collect();
        for (&p, v) in func.block_params(to.block).iter().zip(args) {
            values.insert(p, v);
        }
        from = Some(block);
        block = to.block;
    }
    trace
}

fn check(seed: u64) {
    let mut rng = Rng(seed);
    for _ in 0..5 {
        rng.below(2);
    }
    let shape = shape(&mut rng);
    let mark = rng.0;
    let skeleton = parse_module(&text(&shape, None, &mut rng), "skeleton").unwrap();
    let id = skeleton.func_by_name("k").unwrap();
    let f = &skeleton.funcs[id];
    let dom = DomTree::new(&Cfg::new(f));
    let cfg = Cfg::new(f);
    let above: Vec<Vec<usize>> = (0..shape.len())
        .map(|b| {
            (0..b)
                .filter(|&a| {
                    let (a, b) = (Block::new(a), Block::new(b));
                    cfg.is_reachable(b) && cfg.is_reachable(a) && dom.dominates(a, b)
                })
                .collect()
        })
        .collect();
    rng.0 = mark;
    let source = text(&shape, Some(&above), &mut rng);
    let module = parse_module(&source, "random").unwrap_or_else(|e| panic!("{e}\n{source}"));
    let broken = verify_module(&module);
    assert!(broken.is_ok(), "seed {seed}: {broken:?}\n{source}");
    let func = &module.funcs[module.func_by_name("k").unwrap()];
    let kernel = module.func_by_name("k").unwrap();
    let facts = Prepared::new(&module, kernel).facts(&module, &Shape::default());
    let facts = &facts.funcs[&kernel];
    let cycles = Cycles::new(func, &Cfg::new(func));
    let control = Control::new(func);
    for n in [0, 3] {
        let traces: Vec<Trace> = (0..6).map(|t| run(func, &cycles, t, n)).collect();
        let mut known: HashMap<(Block, Vec<u32>, Value), i64> = HashMap::new();
        for trace in &traces {
            for (block, instance, values) in &trace.steps {
                for (&v, &bits) in values {
                    if facts.uniform[v] < Uniformity::Block {
                        continue;
                    }
                    let old = *known.entry((*block, instance.clone(), v)).or_insert(bits);
                    assert_eq!(
                        old,
                        bits,
                        "seed {seed}: {v} differs in {block} {instance:?}\n{source}\n{}",
                        Prepared::new(&module, kernel).render_uniformity(&module, &Shape::default())
                    );
                }
            }
        }
        for node in 0..control.len() as u32 {
            let block = control.block(node);
            let uniform = control.controlling(node).into_iter().all(|x| {
                deciding_value(func, control.block(x)).is_some_and(|v| facts.uniform[v] >= Uniformity::Block)
            });
            let ended: Vec<usize> = traces
                .iter()
                .filter(|t| t.ended)
                .map(|t| t.steps.iter().filter(|s| s.0 == block).count())
                .collect();
            if uniform && ended.len() > 1 {
                assert!(
                    ended.iter().all(|&c| c == ended[0]),
                    "seed {seed}: {block} is executed {ended:?} times, controlled by {:?}\n{source}\n{}",
                    control.controlling(node).into_iter().map(|x| control.block(x)).collect::<Vec<_>>(),
                    Prepared::new(&module, kernel).render_uniformity(&module, &Shape::default())
                );
            }
        }
    }
}

#[test]
fn what_is_called_uniform_is_uniform() {
    let count = std::env::var("CUDAIR_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    for seed in 0..count {
        check(seed);
    }
}
