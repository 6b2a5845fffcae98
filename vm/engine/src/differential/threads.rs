//! Random kernels of many blocks, as machine code on one thread and on several: memory must be the same, and which bytes
//! of it are initialised.

use super::*;

/// Threads of a block: what blocks write side by side shares bytes of the bitmap of initialisation.
const BLOCK: u32 = 37;
const BLOCKS: u32 = 48;
const ALL: u64 = (BLOCK * BLOCKS) as u64;

/// Writes values of the pool where threads have them side by side, and counts threads and their numbers.
pub(super) fn pack(
    b: &mut FuncBuilder,
    [packed, sums]: [Value; 2],
    (number, thread): (Value, Value),
    pool: &[Value],
) {
    let mut start = 0;
    for ty in [Type::F64, Type::I64, Type::F32, Type::I32, Type::I16, Type::I8] {
        let bytes = ty.mem_bytes();
        if let Some(&v) = pool.iter().rev().find(|&&v| b.ty(v) == ty) {
            let size = b.iconst(Type::I64, bytes.into());
            let offset = b.binary(BinaryOp::Imul, thread, size);
            let at = b.ptr_add(packed, offset);
            let at = b.ptr_offset(at, start);
            b.store(v, at, MemFlags::natural(ty));
        }
        start += (ALL * u64::from(bytes)) as i64;
    }
    // Words of eight bytes that are at no multiple of them.
    let size = b.iconst(Type::I64, 9);
    let offset = b.binary(BinaryOp::Imul, thread, size);
    let at = b.ptr_add(packed, offset);
    let at = b.ptr_offset(at, start + 3);
    b.store(thread, at, MemFlags { align_log2: 0, ..MemFlags::natural(Type::I64) });
    let next = b.ptr_offset(sums, 4);
    for (op, at) in [(AtomicOp::Add, sums), (AtomicOp::Sub, next)] {
        b.atomic_rmw(op, MemOrder::Relaxed, Scope::Device, at, number);
    }
}

/// Knows that nothing races.
struct Free(Knowledge);

impl LaunchOracle for Free {
    fn at_launch(&self, module: &Module, kernel: FuncId, shape: &LaunchShape) -> Arc<LaunchAnswer> {
        self.0.at_launch(module, kernel, shape)
    }

    fn races(&self, module: &Module, kernel: FuncId, _: &LaunchShape) -> RaceFacts {
        RaceFacts { free: module.funcs[kernel].sites.keys().collect(), distinct: true }
    }
}

/// A machine for a module with this one kernel, of which nothing races.
fn machine(kernel: Function, engine: Engine, jobs: usize, knowledge: Knowledge) -> (Machine, FuncId) {
    let mut module = Module::new();
    let kernel = module.add_func(kernel);
    verify_module(&module).expect("the function obeys the rules");
    let config = VmConfig { check_leaks: false, engine, jobs, share_after: 0.0, ..VmConfig::default() };
    let mut m = Machine::new(Arc::new(module), config, Arc::new(Free(knowledge)), crate::stub::libraries());
    m.engine.launches.elision.entry(kernel).or_default().at_once();
    (m, kernel)
}

fn launch(m: &mut Machine, kernel: FuncId, args: Vec<u128>) {
    let launch = grid_launch(kernel, [BLOCKS, BLOCK], args);
    let end = m.run_grid(launch).unwrap_or_else(|e| panic!("device: {e:?}\n{}", m.module));
    assert!(matches!(end, LaunchEnd::Done), "{end:?}\n{}", m.module);
    assert!(m.findings.is_empty(), "{} findings\n{}", m.findings.len(), m.module);
}

/// All of memory after a launch on so many threads, and what it has cost.
fn run_on(seed: u64, jobs: usize, knowledge: Knowledge) -> (Vec<String>, [u64; 3], u64) {
    let kernel = write_for(seed, Side::Kernel, true, Form { block: Some(BLOCK), ..Form::default() });
    let (mut m, kernel) = machine(kernel, Engine::Jit, jobs, knowledge);
    let mut choices = Choices(!seed);
    let bytes: Vec<u8> = (0..ALL * IN_BYTES).map(|_| choices.bits() as u8).collect();
    let (input, sums) = (object(&mut m, &bytes), object(&mut m, &[7; 8]));
    let [output, packed] = [ALL * OUT_BYTES, ALL * 37 + 16].map(|size| {
        let info = AllocInfo { kind: AllocKind::Runtime, name: None, place: Place::Unknown };
        m.mem.alloc(Space::Managed, size, 16, InitState::Uninit, info).expect("memory")
    });
    launch(&mut m, kernel, vec![output.0.into(), input.0.into(), 5, packed.0.into(), sums.0.into()]);
    assert!(m.engine.launches.tier.has_run(kernel), "machine code\n{}", m.module);
    assert_eq!(m.engine.launches.tier.threads(), jobs, "threads\n{}", m.module);
    (m.mem.whole(), m.engine.worker.meters(), m.config.watch.done())
}

/// A kernel that adds one to a word in 64 bytes of each thread, and whose last thread overflows.
fn increment() -> Function {
    let params = vec![Param::new(Type::GENERIC_PTR)];
    let sig = Signature { params, ret: None, variadic: false };
    let mut b = FuncBuilder::new(Function::new("k", Side::Kernel, sig));
    let entry = b.make_entry();
    let words = b.func.block_params(entry)[0];
    let (block, index) = (b.iconst(Type::I32, BLOCK.into()), b.special(SpecialReg::CtaidX));
    let (first, tid) = (b.binary(BinaryOp::Imul, index, block), b.special(SpecialReg::TidX));
    let thread = b.binary(BinaryOp::Iadd, first, tid);
    let (wide, stride) = (b.cast(CastOp::Zext, Type::I64, thread), b.iconst(Type::I64, 64));
    let offset = b.binary(BinaryOp::Imul, wide, stride);
    let at = b.ptr_add(words, offset);
    let (word, one) = (b.load(Type::I32, at, MemFlags::natural(Type::I32)), b.iconst(Type::I32, 1));
    let sum = b.binary(BinaryOp::Iadd, word, one);
    b.store(sum, at, MemFlags::natural(Type::I32));
    let most = b.iconst(Type::I32, i128::from(i32::MAX) - i128::from(ALL) + 2);
    let far = b.binary_nsw(BinaryOp::Iadd, thread, most);
    let next = b.ptr_offset(at, 4);
    b.store(far, next, MemFlags::natural(Type::I32));
    b.ret(None);
    b.finish()
}

/// A kernel in which each thread makes two atomic operations on one word.
fn updates(ops: [AtomicOp; 2]) -> Function {
    let params = vec![Param::new(Type::GENERIC_PTR)];
    let sig = Signature { params, ret: None, variadic: false };
    let mut b = FuncBuilder::new(Function::new("k", Side::Kernel, sig));
    let entry = b.make_entry();
    let word = b.func.block_params(entry)[0];
    let tid = b.special(SpecialReg::TidX);
    for op in ops {
        b.atomic_rmw(op, MemOrder::Relaxed, Scope::Device, word, tid);
    }
    b.ret(None);
    b.finish()
}

#[test]
fn atomic_operations_that_do_not_commute_stay_on_one_core() {
    use AtomicOp::*;
    for (ops, threads) in [([Add, Sub], 2), ([Smax, Smax], 2), ([Add, Smax], 1), ([And, Or], 1)] {
        let (mut m, kernel) = machine(updates(ops), Engine::Jit, 2, Knowledge::Compiled);
        let word = object(&mut m, &[5; 4]);
        launch(&mut m, kernel, vec![word.0.into()]);
        assert!(m.engine.launches.tier.has_run(kernel), "{ops:?}");
        assert_eq!(m.engine.launches.tier.threads(), threads, "{ops:?}");
    }
}

#[test]
fn a_launch_on_several_threads_is_put_back() {
    let run = |engine, jobs| {
        let (mut m, kernel) = machine(increment(), engine, jobs, Knowledge::Compiled);
        let bytes: Vec<u8> = (0..ALL * 64).map(|n| n as u8).collect();
        let words = object(&mut m, &bytes);
        launch(&mut m, kernel, vec![words.0.into()]);
        assert!(!m.engine.launches.tier.has_run(kernel), "it overflows");
        (m.mem.whole(), m.engine.worker.meters(), m.engine.worker.ub.len())
    };
    let expected = run(Engine::Vm, 1);
    assert_eq!(expected.2, 1, "it overflows once");
    for jobs in [1, 2, 3, 3, 3, 3] {
        assert!(run(Engine::Jit, jobs) == expected, "{jobs} threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn machine_code_agrees_on_any_number_of_threads(seed in any::<u64>()) {
        for knowledge in [Knowledge::Compiled, Knowledge::Together] {
            let one = run_on(seed, 1, knowledge);
            for jobs in [2, 3] {
                // Not by `assert_eq`: they are long.
                prop_assert!(run_on(seed, jobs, knowledge) == one, "seed {seed}, {jobs} threads, {knowledge:?}");
            }
        }
    }
}
