//! A run whose output nobody sees: of a program that shows a finding, or that has a repair.

use crate::monitor::TICK;
use crate::oracle::Oracle;
use cudair_ir::Module;
use cudair_vm::{HostIo, Outcome, Vm, VmConfig, Watch};
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Runs a program with its input, what it writes going nowhere. It is interrupted once `is_late`, which gets the time since it
/// began.
pub fn run(
    module: Arc<Module>,
    config: VmConfig,
    args: &[String],
    stdin: Box<dyn Read + Send>,
    is_late: impl Fn(Duration) -> bool + Sync,
) -> Outcome {
    let watch: Arc<Watch> = Arc::default();
    let oracle = Arc::new(Oracle::new(config.check_facts));
    let mut vm = Vm::new(module, VmConfig { watch: watch.clone(), ..config }, oracle);
    vm.set_io(HostIo { stdin, stdout: Box::new(io::sink()), stderr: Box::new(io::sink()), terminal: false });
    let (working, ended) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let ended = ended;
            let begin = Instant::now();
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if is_late(begin.elapsed()) {
                    watch.interrupt("it took too long");
                    return;
                }
            }
        });
        let _working = working;
        vm.run_main(args)
    })
}
