//! Undefined behaviour and traps that the engine itself meets.

use super::eval::Ub;
use super::operands::{self, Operands};
use crate::machine::Machine;
use crate::regs::CodeRef;
use crate::worker::Worker;
use cudair_bytecode::Code;
use cudair_ir::{Diagnostic, Kind, Loc, Module, Span, ThreadCoord, TrapCode};
use cudair_lane::fault::{Fault, LaunchRef, ObjectInfo, Place, Stop};
use cudair_report::Findings;
use rustc_hash::FxHashMap;

/// Undefined behaviour with which the program goes on: each kind at each operation is one finding with a
/// count, written down when the run ends.
#[derive(Debug, Default)]
pub(crate) struct UbLog {
    index: FxHashMap<(u32, u32, u8), usize>,
    faults: Vec<Fault>,
    /// How many of them know by which calls the host came there.
    traced: usize,
}

impl UbLog {
    /// Whether nothing is noted.
    pub(crate) fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// Takes over what another log holds, which comes after this one's.
    pub(crate) fn absorb(&mut self, other: UbLog) {
        let UbLog { index, faults, traced: _ } = other;
        let mut keys: Vec<_> = index.into_iter().collect();
        keys.sort_unstable_by_key(|&(_, n)| n);
        for ((key, _), fault) in keys.into_iter().zip(faults) {
            match self.index.get(&key) {
                Some(&n) => self.faults[n].count += fault.count,
                None => {
                    self.index.insert(key, self.faults.len());
                    self.faults.push(fault);
                }
            }
        }
    }

    /// The faults of another log whose operations have none here.
    pub(crate) fn unknown(&self, other: UbLog) -> Vec<Fault> {
        let UbLog { index, mut faults, traced: _ } = other;
        let mut new: Vec<usize> =
            index.into_iter().filter(|(key, _)| !self.index.contains_key(key)).map(|(_, n)| n).collect();
        new.sort_unstable_by(|a, b| b.cmp(a));
        let mut out: Vec<Fault> = new.into_iter().map(|n| faults.swap_remove(n)).collect();
        out.reverse();
        out
    }

    /// What the host noted since the last call is where these calls lead.
    pub(crate) fn trace(&mut self, calls: &[Loc]) {
        for fault in self.faults[self.traced..].iter_mut().filter(|f| f.thread.is_none()) {
            fault.calls = calls.into();
        }
        self.traced = self.faults.len();
    }

    /// How much was noted.
    pub(crate) fn len(&self) -> usize {
        self.faults.len()
    }

    /// Adds to findings what was noted, which stays here.
    pub(crate) fn copy_to(&self, findings: &mut Findings) {
        self.faults.iter().for_each(|f| findings.note(f.clone()));
    }

    /// Hands everything noted to the findings.
    pub(crate) fn flush(&mut self, findings: &mut Findings) {
        self.index.clear();
        self.traced = 0;
        self.faults.drain(..).for_each(|f| findings.note(f));
    }
}

/// The thread (absent on the host), its launch, and how many threads did the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub(crate) thread: Option<ThreadCoord>,
    pub(crate) launch: Option<LaunchRef>,
    pub(crate) count: u64,
}

impl Who {
    /// The host.
    pub(crate) const HOST: Who = Who { thread: None, launch: None, count: 1 };
}

fn describe(ub: Ub) -> (&'static str, &'static str, Option<&'static str>) {
    match ub {
        Ub::DivZero => ("division by zero", "the divisor is 0", None),
        Ub::DivOverflow => ("a quotient that does not fit", "the smallest integer is divided by -1", None),
        Ub::Overflow => (
            "signed integer overflow",
            "the result does not fit its type",
            Some("use an unsigned type where wrapping is meant"),
        ),
        Ub::Shift => {
            ("a shift amount out of range", "the amount is negative or not less than the width", None)
        }
        Ub::FloatRange => (
            "a floating value that does not fit the integer type it is converted to",
            "the value is out of range or not a number",
            None,
        ),
        // Said with their objects: `two_objects`.
        Ub::PtrDiff | Ub::PtrOrder => ("pointers to different objects", "these point into two objects", None),
        Ub::Row => ("an index outside its array", "the index is out of range", None),
    }
}

/// The fault for undefined behaviour at an operation.
fn ub_fault(code: &Code, pc: usize, ub: Ub, who: Who, operands: &Operands<'_>) -> Fault {
    let (message, label, help) = describe(ub);
    let label = operands::tell(code, pc, ub, operands).unwrap_or_else(|| label.to_owned());
    let place = code.fault_place(pc);
    let mut fault = Fault::other(Kind::UndefinedBehavior, place, message, label);
    if let Some(help) = help {
        fault = fault.with_help(help);
    }
    if matches!(ub, Ub::Overflow) {
        fault = fault.warning();
    }
    fault.thread = who.thread;
    fault.launch = who.launch;
    fault.count = who.count;
    fault
}

/// Where each of some frames, given with the operation after its call, calls the next one.
pub(crate) fn call_places(frames: impl Iterator<Item = (CodeRef, usize)>) -> impl Iterator<Item = Loc> {
    frames.filter_map(|(code, pc)| code.code().loc(pc.saturating_sub(1)))
}

/// Who notes undefined behaviour: the host in the machine, the device in its worker.
pub(crate) trait Notes {
    /// The log, and the findings.
    fn log(&mut self) -> (&mut UbLog, &mut Findings);

    /// Notes a fault with which the program goes on, once per key (function, operation, kind), with a count.
    #[cold]
    fn note_once(&mut self, key: (u32, u32, u8), who: Who, make: impl FnOnce() -> Fault) {
        let (log, findings) = self.log();
        if !findings.is_chosen(who.launch) {
            return;
        }
        match log.index.get(&key) {
            Some(&i) => log.faults[i].count += who.count,
            None => {
                let mut fault = make();
                (fault.thread, fault.launch, fault.count) = (who.thread, who.launch, who.count);
                log.index.insert(key, log.faults.len());
                findings.keep_site();
                findings.show_fault(&fault);
                log.faults.push(fault);
            }
        }
    }

    /// Undefined behaviour at an operation: noted, or the end where there is no value to go on with.
    #[cold]
    fn undefined(
        &mut self,
        code: &Code,
        pc: usize,
        ub: Ub,
        who: Who,
        operands: &Operands<'_>,
    ) -> Result<(), Stop> {
        if ub.is_fatal() {
            return Err(ub_fault(code, pc, ub, who, operands).into());
        }
        let key = (code.func.as_u32(), pc as u32, ub as u8);
        self.note_once(key, who, || ub_fault(code, pc, ub, who, operands));
        Ok(())
    }

    /// Pointers to two objects are subtracted or ordered: noted.
    #[cold]
    fn two_objects(
        &mut self,
        module: &Module,
        (code, pc): (&Code, usize),
        ub: Ub,
        who: Who,
        objects: [Option<ObjectInfo>; 2],
    ) {
        let key = (code.func.as_u32(), pc as u32, ub as u8);
        self.note_once(key, who, || {
            let (deed, help) = match ub {
                Ub::PtrDiff => ("a difference", "subtract pointers into one array only"),
                _ => ("an ordering", "order pointers into one array only; `==` and `!=` are fine"),
            };
            let objects = objects.map(|o| {
                o.map(|mut o| {
                    cudair_report::name_object(module, &mut o);
                    o
                })
            });
            let name = |o: &Option<ObjectInfo>| match o {
                Some(o) => cudair_report::object_name(o),
                None => "no object".to_owned(),
            };
            let label = format!("these point into {} and {}", name(&objects[0]), name(&objects[1]));
            let message = format!("{deed} of pointers to different objects");
            let mut fault = Fault::other(Kind::UndefinedBehavior, code.fault_place(pc), message, label);
            for object in objects.iter().flatten() {
                fault = fault.with_related(object.made, cudair_report::object_made(object));
            }
            fault.with_help(help)
        });
    }

    /// An index outside its row, or outside an array that is a member: noted. Where the access leaves the
    /// whole object, it faults by itself.
    #[cold]
    fn outside_row(&mut self, code: &Code, pc: usize, index: u64, len: i32, who: Who) {
        let key = (code.func.as_u32(), pc as u32, Ub::Row as u8);
        // Narrow indices stand in registers without their sign.
        let index = u32::try_from(index).map_or(index as i64, |narrow| i64::from(narrow as i32));
        self.note_once(key, who, || {
            let (elements, last) = (if len == 1 { "element" } else { "elements" }, len - 1);
            let range = if len > 0 { format!("indices 0 to {last}") } else { "no elements".to_owned() };
            Fault::other(
                Kind::OutOfBounds,
                code.fault_place(pc),
                format!("index {index} is outside its array of {len} {elements}"),
                format!("this array has {range}; the index is {index}"),
            )
            .with_note(
                "the array is a row or a member of a larger object: the access may hit its neighbour there",
            )
            .with_help("check the index against this dimension")
        });
    }
}

impl Notes for Machine {
    fn log(&mut self) -> (&mut UbLog, &mut Findings) {
        (&mut self.engine.worker.ub, &mut self.findings)
    }
}

impl Notes for Worker {
    fn log(&mut self) -> (&mut UbLog, &mut Findings) {
        (&mut self.state.ub, &mut self.findings)
    }
}

/// Control reached a trap.
#[cold]
pub(crate) fn trap(module: &Module, code: &Code, pc: usize, trap: TrapCode, who: Who) -> Stop {
    let place = code.fault_place(pc);
    let mut fault = match trap {
        TrapCode::Unsupported(message) => {
            return locate(module, code, pc, Stop::unsupported(&module.messages[message]));
        }
        TrapCode::Unreachable => Fault::other(
            Kind::UndefinedBehavior,
            place,
            "control reached a place that the program says is never reached",
            "this was reached",
        ),
        TrapCode::MissingReturn => Fault::other(
            Kind::UndefinedBehavior,
            place,
            // The name is the caller's where the function was inlined.
            if code.loc(pc).is_some_and(|l| module.source.call_path(l).is_empty()) {
                format!("`{}` ended without the value that it must return", code.name)
            } else {
                "a function ended without the value that it must return".to_owned()
            },
            "the end of the function was reached",
        )
        .with_help("return a value on every path"),
        TrapCode::Trap => {
            Fault::other(Kind::AssertionFailed, place, "the program executed a trap", "executed here")
        }
    };
    fault.thread = who.thread;
    fault.launch = who.launch;
    fault.count = who.count;
    fault.into()
}

/// Gives a diagnostic without a place that of the operation.
#[cold]
pub(crate) fn locate(module: &Module, code: &Code, pc: usize, mut stop: Stop) -> Stop {
    let name = |d: &mut Diagnostic| {
        if d.primary.is_none()
            && let Some(loc) = code.loc(pc)
        {
            d.primary = Some(Span::new(&module.source, loc, "here"));
            d.related = Span::call_path(&module.source, loc);
        }
    };
    match &mut stop {
        Stop::Unsupported(d) | Stop::Limit(d) | Stop::Internal(d) => name(d),
        Stop::Fault(fault) if fault.place == Place::Unknown => fault.place = code.fault_place(pc),
        Stop::Exit(_) | Stop::Throw(_) | Stop::Switch(_) | Stop::Fault(_) => {}
    }
    stop
}
