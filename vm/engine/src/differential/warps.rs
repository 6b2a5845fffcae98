//! Random kernels with warp operations, as bytecode and as machine code: memory must be the same.

use super::*;

/// Threads of the block: three warps.
const BLOCK: u32 = 96;

impl Writer {
    /// Some warp operations of all lanes; what they give joins the pool.
    pub(super) fn warp_operations(&mut self, pool: &mut Vec<Value>) {
        for _ in 0..self.choices.below(4) {
            if self.choices.below(4) == 0 {
                self.repeated(pool);
            } else {
                let v = self.warp_operation(pool, None);
                pool.push(v);
            }
        }
    }

    /// A warp operation; with `count`, a shuffle whose operand is that number.
    fn warp_operation(&mut self, pool: &[Value], count: Option<Value>) -> Value {
        let mask = self.b.iconst(Type::I32, -1);
        let kind = if count.is_some() { 2 } else { self.choices.below(6) };
        match kind {
            0 => {
                let v = self.value(pool, Type::I32);
                let mode =
                    self.choices.pick(&[VoteMode::All, VoteMode::Any, VoteMode::Ballot, VoteMode::Uni]);
                let low = self.b.iconst(Type::I32, self.choices.pick(&[0, 1, 2, -1]));
                let v = self.b.binary(BinaryOp::And, v, low);
                self.b.vote(mode, mask, v)
            }
            1 => {
                use ReduceOp::*;
                let op = self.choices.pick(&[Add, Smin, Smax, Umin, Umax, And, Or, Xor]);
                let v = self.value(pool, Type::I32);
                self.b.reduce(op, mask, v)
            }
            _ => {
                use ShflMode::*;
                let ty = self.choices.pick(&[Type::I32, Type::F32, Type::I64, Type::F64]);
                let v = self.value(pool, ty);
                let lane = match count {
                    Some(count) => count,
                    None if self.choices.below(2) == 0 => {
                        let n = self.choices.below(40) as i128;
                        self.b.iconst(Type::I32, n)
                    }
                    None => self.value(pool, Type::I32),
                };
                let width = self.b.iconst(Type::I32, self.choices.pick(&[32, 32, 16, 8, 4, 2, 1]));
                let mode = self.choices.pick(&[Idx, Up, Down, Bfly]);
                self.b.shfl(mode, mask, v, lane, width)
            }
        }
    }

    /// A loop of all lanes around shuffles.
    fn repeated(&mut self, pool: &mut Vec<Value>) {
        let (header, body, exit) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let (start, first) = (self.b.iconst(Type::I32, 0), self.value(pool, Type::I32));
        self.b.jump(header, &[start, first]);
        self.b.switch_to(header);
        let count = self.b.func.append_block_param(header, Type::I32);
        let last = self.b.func.append_block_param(header, Type::I32);
        pool.extend([count, last]);
        let rounds = self.b.iconst(Type::I32, 1 + self.choices.below(4) as i128);
        let more = self.b.icmp(IntCC::Slt, count, rounds);
        self.b.branch(more, body, exit);
        self.b.switch_to(body);
        let mut inner = pool.clone();
        let v = self.warp_operation(&inner, Some(count));
        inner.push(v);
        self.statements(&mut inner, 1);
        let one = self.b.iconst(Type::I32, 1);
        let next = self.b.binary_nsw(BinaryOp::Iadd, count, one);
        let sum = self.value(&inner, Type::I32);
        let sum = self.b.binary(BinaryOp::Iadd, sum, last);
        self.b.jump(header, &[next, sum]);
        self.b.switch_to(exit);
    }
}

/// What a kernel leaves in memory.
fn run_in(seed: u64, input: &[u8], engine: Engine, knowledge: Knowledge) -> Vec<u8> {
    let mut module = Module::new();
    let kernel =
        module.add_func(write_for(seed, Side::Kernel, true, Form { warps: true, ..Form::default() }));
    verify_module(&module).expect("the random function obeys the rules");
    let text = module.to_string();
    let config = VmConfig { check_leaks: false, engine, ..VmConfig::default() };
    let mut m = Machine::new(Arc::new(module), config, Arc::new(knowledge), crate::stub::libraries());
    let size = BLOCK as usize * OUT_BYTES as usize;
    let objects = [&vec![0; size][..], input].map(|bytes| object(&mut m, bytes));
    let [out, input] = objects.map(|p| u128::from(p.0));
    let end = m
        .run_grid(grid_launch(kernel, [1, BLOCK], vec![out, input, 5]))
        .unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}"));
    assert!(matches!(end, LaunchEnd::Done), "seed {seed}: {end:?}\n{text}");
    assert!(m.findings.is_empty(), "seed {seed}: {} findings\n{text}", m.findings.len());
    let in_machine_code = m.engine.launches.tier.has_run(kernel);
    assert_eq!(in_machine_code, engine == Engine::Jit, "seed {seed}: machine code\n{text}");
    let who = ByteAccess::host("test", None);
    m.mem.read(&mut LaneCx::host(&mut m.findings), who, objects[0], size as u64).expect("a read")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn warp_operations_agree(seed in any::<u64>()) {
        let mut choices = Choices(!seed);
        let input: Vec<u8> = (0..u64::from(BLOCK) * IN_BYTES).map(|_| choices.bits() as u8).collect();
        let bytecode = run_in(seed, &input, Engine::Vm, Knowledge::Nothing);
        for knowledge in [Knowledge::Compiled, Knowledge::Together] {
            let compiled = run_in(seed, &input, Engine::Jit, knowledge);
            let differs = bytecode.iter().zip(&compiled).position(|(a, b)| a != b);
            prop_assert_eq!(differs, None, "seed {}, {:?}: the first byte that differs", seed, knowledge);
        }
    }
}
