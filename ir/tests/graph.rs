//! Dominators, post-dominators and cycles, against their definitions on random graphs.

use cudair_ir::*;
use proptest::prelude::*;

/// A function whose blocks branch as `edges` says: up to two targets each; none returns.
fn graph(edges: &[(Option<usize>, Option<usize>)]) -> Function {
    let mut text = String::from("func host external @f (i1) {\nblock0(v0: i1):\n  jump block1\n");
    for (i, e) in edges.iter().enumerate() {
        let i = i + 1;
        text += &match *e {
            (Some(a), Some(b)) => format!("block{i}:\n  branch v0, block{}, block{}\n", a + 1, b + 1),
            (Some(a), None) | (None, Some(a)) => format!("block{i}:\n  jump block{}\n", a + 1),
            (None, None) => format!("block{i}:\n  return\n"),
        };
    }
    text += "}\n";
    let m = parse_module(&text, "t.cir").unwrap();
    verify_module(&m).unwrap();
    m.funcs[FuncId::from_u32(0)].clone()
}

/// The blocks that `from` reaches without entering `without` (except at the start).
fn reach(func: &Function, from: Block, without: Option<Block>) -> EntitySet<Block> {
    let mut seen = EntitySet::new();
    let mut work = vec![from];
    while let Some(b) = work.pop() {
        if Some(b) != without && seen.insert(b) {
            work.extend(func.successors(b));
        }
    }
    seen
}

fn edges() -> impl Strategy<Value = Vec<(Option<usize>, Option<usize>)>> {
    (2usize..12).prop_flat_map(|n| {
        let target = prop_oneof![1 => Just(None), 4 => (0..n).prop_map(Some)];
        prop::collection::vec((target.clone(), target), n)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn dominators(edges in edges()) {
        let f = graph(&edges);
        let cfg = Cfg::new(&f);
        let dom = DomTree::new(&cfg);
        let entry = f.entry().unwrap();
        let reachable = reach(&f, entry, None);
        for &a in &f.layout {
            prop_assert_eq!(cfg.is_reachable(a), reachable.contains(a));
            if !reachable.contains(a) {
                continue;
            }
            let without = reach(&f, entry, Some(a));
            for &b in cfg.rpo() {
                prop_assert_eq!(dom.dominates(a, b), !without.contains(b), "{} {}", a, b);
            }
            // The frontier: joins that `a` reaches the edge of and does not strictly dominate.
        }
        let df = dom.frontiers(&cfg, usize::MAX).unwrap();
        for &a in cfg.rpo() {
            for &j in cfg.rpo() {
                let reaches_edge = cfg.preds(j).iter().any(|&p| dom.dominates(a, p));
                let expected = reaches_edge && !dom.strictly_dominates(a, j);
                prop_assert_eq!(df[a].contains(&j), expected, "{} in the frontier of {}", j, a);
            }
        }
        let order = dom.preorder();
        prop_assert_eq!(order.len(), cfg.rpo().len());
    }

    #[test]
    fn post_dominators(edges in edges()) {
        let f = graph(&edges);
        let cfg = Cfg::new(&f);
        let pdom = PostDomTree::new(&f, &cfg);
        // Where an exit can be reached from everywhere, the definition is clear.
        let exits: Vec<Block> = cfg.rpo().iter().copied().filter(|&b| f.successors(b).is_empty()).collect();
        let all = cfg.rpo().iter().all(|&b| exits.iter().any(|&e| reach(&f, b, None).contains(e)));
        prop_assert_eq!(all, pdom.endless().is_empty());
        if all {
            for &a in cfg.rpo() {
                for &b in cfg.rpo() {
                    let without = reach(&f, b, Some(a));
                    let expected = a == b || !exits.iter().any(|&e| without.contains(e));
                    prop_assert_eq!(pdom.post_dominates(a, b), expected, "{} {}", a, b);
                }
            }
        }
        for &b in cfg.rpo() {
            if let Some(p) = pdom.ipdom(b) {
                prop_assert!(pdom.post_dominates(p, b) && p != b);
            }
        }
    }

    #[test]
    fn cycles(edges in edges()) {
        let f = graph(&edges);
        let cfg = Cfg::new(&f);
        let cycles = Cycles::new(&f, &cfg);
        // An outermost cycle is a strongly connected component with an edge inside.
        for &a in cfg.rpo() {
            let from_a = reach(&f, a, None);
            let on_cycle = f.successors(a).iter().any(|&s| reach(&f, s, None).contains(a));
            prop_assert_eq!(cycles.innermost(a).is_some(), on_cycle, "{}", a);
            for &b in cfg.rpo() {
                let together = a != b && from_a.contains(b) && reach(&f, b, None).contains(a);
                let outermost = |x: Block| {
                    let mut c = cycles.innermost(x)?;
                    while let Some(p) = cycles.cycles[c].parent.expand() {
                        c = p;
                    }
                    Some(c)
                };
                if a != b && outermost(a).is_some() && outermost(b).is_some() {
                    prop_assert_eq!(outermost(a) == outermost(b), together, "{} {}", a, b);
                }
            }
        }
        for (c, data) in &cycles.cycles {
            let blocks = cycles.blocks(c);
            for &b in &blocks {
                prop_assert!(cycles.contains(c, b));
            }
            // Entries are the blocks with a predecessor outside.
            for &b in &blocks {
                let entered = cfg.preds(b).iter().any(|&p| !cycles.contains(c, p));
                prop_assert_eq!(data.entries.contains(&b), entered, "{} of {}", b, c);
            }
            // Every block reaches the header and is reached from it inside the cycle.
            for &b in &blocks {
                let inside = |from: Block, to: Block| {
                    let mut seen = EntitySet::new();
                    let mut work: Vec<Block> = f.successors(from).to_vec();
                    while let Some(x) = work.pop() {
                        if cycles.contains(c, x) && seen.insert(x) {
                            work.extend(f.successors(x));
                        }
                    }
                    seen.contains(to)
                };
                prop_assert!(inside(b, data.header()) && inside(data.header(), b));
            }
        }
    }
}
