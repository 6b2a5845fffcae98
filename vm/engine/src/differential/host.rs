//! The same random functions, run by the host as bytecode and as machine code: memory, findings and fuel must be the same.

use super::*;
use crate::cache::HostTarget;

/// Runs a function on the host for each thread; gives what it leaves in memory, what is left of the fuel, and whether it was
/// compiled.
fn run(seed: u64, plain: bool, input: &[u8], engine: Engine) -> (Vec<u8>, u64, bool) {
    let mut module = Module::new();
    let host = module.add_func(write(seed, Side::Host, plain, false));
    verify_module(&module).expect("the random function obeys the rules");
    let text = module.to_string();
    let config = VmConfig { check_leaks: false, engine, ..VmConfig::default() };
    let mut m =
        Machine::new(Arc::new(module), config, Arc::new(Knowledge::Nothing), crate::stub::libraries());
    let size = THREADS as usize * OUT_BYTES as usize;
    let (input, output) = (object(&mut m, input), object(&mut m, &vec![0; size]));
    for t in 0..THREADS {
        let args = [output.0.into(), input.0.into(), 5, t.into()];
        m.call_guest(Ptr::code(host.as_u32()), &args, Place::Unknown)
            .unwrap_or_else(|e| panic!("host: {e:?}\n{text}"));
    }
    assert!(m.findings.is_empty(), "{} findings\n{text}", m.findings.len());
    let who = ByteAccess::host("test", None);
    let left = m.mem.read(&mut LaneCx::host(&mut m.findings), who, output, size as u64).expect("a read");
    let HostTarget::Code(code) = m.engine.host.code.target(host) else { panic!("no code\n{text}") };
    let compiled = matches!(code.unit().machine.get(), Some(Ok(_)));
    if let Some(Err(why)) = code.unit().machine.get() {
        panic!("not compiled: {}\n{text}", why.0);
    }
    (left, m.engine.worker.meters()[0], compiled)
}

fn agree(seed: u64, plain: bool) -> Result<(), TestCaseError> {
    let mut choices = Choices(!seed);
    let input: Vec<u8> = (0..THREADS as u64 * IN_BYTES).map(|_| choices.bits() as u8).collect();
    let (bytecode, fuel, none) = run(seed, plain, &input, Engine::Vm);
    let (machine, left, some) = run(seed, plain, &input, Engine::Jit);
    prop_assert!(!none && some);
    prop_assert_eq!(fuel, left, "fuel of seed {}", seed);
    for (t, (a, b)) in bytecode.chunks(OUT_BYTES as usize).zip(machine.chunks(OUT_BYTES as usize)).enumerate()
    {
        prop_assert_eq!(a, b, "seed {}, thread {}", seed, t);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    /// With variables in memory, wide integers and copies, and without.
    #[test]
    fn machine_code_of_the_host_agrees(seed in any::<u64>()) {
        agree(seed, false)?;
        agree(seed, true)?;
    }
}
