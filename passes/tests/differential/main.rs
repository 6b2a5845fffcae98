//! The transforms change nothing that a program shows: random programs give the same output, the same
//! result and the same first fault before and after, under a small reference interpreter.

mod generate;
mod interp;

use cudair_ir::{Module, parse_module, verify_module};
use cudair_passes::transform::{Pass, Pipeline, run_pipeline};
use interp::{End, run};
use proptest::prelude::*;

const FUEL: u64 = 20_000;

/// So many random programs, or as many as `PROPTEST_CASES` says.
fn cases(n: u32) -> ProptestConfig {
    let n = std::env::var("PROPTEST_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(n);
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(n) }
}

fn check(seed: u64, passes: &[Pass], lenient: bool) -> Result<(), TestCaseError> {
    let module = generate::program(seed);
    verify_module(&module).map_err(|e| TestCaseError::fail(format!("seed {seed}: {}\n{module}", e[0])))?;
    let mut after = module.clone();
    let pipeline = Pipeline { passes: passes.to_vec() };
    run_pipeline(&mut after, &pipeline)
        .map_err(|e| TestCaseError::fail(format!("seed {seed}: {e}\n{module}\n;;; after\n{after}")))?;
    for args in [[0, 0], [1, -1], [7, 100], [-3, i32::MAX], [i32::MIN, 2]] {
        let a = run(&module, args, FUEL, lenient);
        // The same work may take more steps, by a constant factor.
        let b = run(&after, args, 10 * FUEL, lenient);
        if a.end == End::Fuel {
            continue;
        }
        // A copy that was made a load and a store is one under the machine's rule only.
        if a != b && !lenient && a == run(&after, args, 10 * FUEL, true) {
            continue;
        }
        // A member that is surely used is read where it is copied: before other faults, and before output.
        let early = matches!(a.end, End::Fault(_)) && b.end == End::Fault("uninitialised");
        if early && a.output.starts_with(&b.output) {
            continue;
        }
        prop_assert_eq!(
            &a,
            &b,
            "seed {} with {:?}\n{}\n;;; after {}\n{}",
            seed,
            args,
            module,
            passes.iter().map(|p| p.name()).collect::<Vec<_>>().join(","),
            after
        );
    }
    Ok(())
}

#[test]
fn the_interpreter_knows_faults() {
    let text = "func host external @main (i32, i32) -> i32 {\n  slot0: host 4 align 4\nblock0(v0: i32, v1: i32):\n  v2 = slot_addr slot0\n  v3 = load.i32 v2 site0\n  v4 = iadd.i32 v3, v0\n  return v4\n}\n";
    let m: Module = parse_module(text, "t").unwrap();
    assert_eq!(run(&m, [1, 2], FUEL, false).end, End::Fault("uninitialised"));
}

#[test]
fn programs_are_worth_running() {
    // Most random programs should end without a fault, or little would be tested.
    let ends: Vec<End> =
        (0..200).map(|seed| run(&generate::program(seed), [7, 100], FUEL, false).end).collect();
    let good = ends.iter().filter(|e| matches!(e, End::Returned(_))).count();
    assert!((60..=190).contains(&good), "{good} of 200 end without a fault: {ends:?}");
}

#[test]
fn seeds_that_once_failed() {
    // A member without a value, copied into a variable that nobody reads.
    for seed in [686_257_534_267_630_352] {
        if let Err(e) = check(seed, &without_copies(Pipeline::default().passes), false) {
            panic!("{e}");
        }
    }
}

macro_rules! pass {
    ($name:ident, $($pass:ident),*) => {
        proptest! {
            #![proptest_config(cases(100))]
            #[test]
            fn $name(seed in any::<u64>()) {
                check(seed, &[$(Pass::$pass),*], false)?;
            }
        }
    };
}

pass!(promote, Promote);
pass!(sroa, Sroa);
pass!(sroa_promote, Sroa, Promote);
pass!(simplify, Simplify);
pass!(inline, Inline);
pass!(spaces, Spaces);
pass!(licm, Promote, Simplify, Licm);
pass!(dce_compact, Dce, Compact);

/// The passes but `copies`, after which what is a copy can no longer be told from a read.
fn without_copies(passes: impl IntoIterator<Item = Pass>) -> Vec<Pass> {
    passes.into_iter().filter(|&p| p != Pass::Copies).collect()
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn default_pipeline(seed in any::<u64>()) {
        check(seed, &without_copies(Pipeline::default().passes), false)?;
    }

    #[test]
    fn any_order(seed in any::<u64>(), order in prop::collection::vec(0..Pass::ALL.len(), 1..8)) {
        check(seed, &without_copies(order.into_iter().map(|n| Pass::ALL[n])), false)?;
    }

    #[test]
    fn copies(seed in any::<u64>()) {
        check(seed, &[Pass::Sroa, Pass::Copies], true)?;
    }
}
