//! What pointers that a function keeps in its local variables may point to.
//!
//! A flow-insensitive analysis in the manner of Andersen ("Program analysis and specialization for the C programming
//! language", 1994, chapter 4), on demand: a pointer that is loaded from a local variable is one of those that some store
//! puts there, at the same offset where both offsets are constants. Variables whose address goes elsewhere are not followed.
//! A variable that is read before it is written holds any pointer: the run finds that, this analysis takes it as not
//! happening.

use super::engine::{Arg, Cx, incoming_arg};
use crate::transform::util::slot_of;
use cranelift_entity::SecondaryMap;
use cudair_ir::*;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The most objects that a pointer may point into, to be told.
const MAX_TARGETS: usize = 8;

/// The most places in variables where one search looks: a copy within an array that is shifted leads on and on.
const MAX_PLACES: usize = 256;

/// An object that a pointer may point into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A variable of static storage.
    Global(GlobalId),
    /// What a parameter points to, or the aggregate that is passed.
    Param(u32),
    /// What the pointer at these bytes of an aggregate that is passed points to: parameter, offset.
    Member(u32, u32),
    /// The thread's own memory.
    Private,
    /// A function.
    Code(FuncId),
}

/// Objects, each once. The null pointer points to none.
pub type Targets = SmallVec<[Target; 2]>;

/// What a store puts into a variable.
#[derive(Clone, Copy, Debug)]
enum What {
    /// This pointer.
    Pointer(Value),
    /// What these bytes hold, from the first one on.
    Copy(Value),
    /// Zeros.
    Zero,
    /// What is no pointer, or not followed.
    Other,
}

/// A store to a variable.
#[derive(Clone, Copy, Debug)]
struct Stored {
    /// Where in the variable, if that is a constant.
    offset: Option<u64>,
    /// How many bytes, if that is a constant.
    size: Option<u64>,
    what: What,
}

impl Stored {
    /// Whether it may touch the bytes of a pointer at an offset.
    fn may_touch(&self, offset: Option<u64>) -> bool {
        match (self.offset, self.size, offset) {
            (Some(start), Some(size), Some(at)) => {
                start < at.saturating_add(8) && at < start.saturating_add(size)
            }
            (Some(start), None, Some(at)) => start < at.saturating_add(8),
            _ => true,
        }
    }
}

/// The stores to a function's local variables.
#[derive(Clone, Debug, Default)]
pub struct PointsTo {
    stores: SecondaryMap<Slot, Vec<Stored>>,
    /// Variables whose address goes elsewhere.
    escaped: FxHashSet<Slot>,
}

/// A variable and an offset into it, if that is a constant.
type Address = (Slot, Option<u64>);

/// The variable that a pointer points into, where its definition says so.
fn address(func: &Function, v: Value) -> Option<Address> {
    let (start, offset) = func.pointer_start(v);
    slot_of(func, start).map(|slot| (slot, offset.and_then(|n| u64::try_from(n).ok())))
}

impl PointsTo {
    /// Reads the stores of a function.
    pub fn new(func: &Function) -> PointsTo {
        let mut out = PointsTo::default();
        if func.slots.is_empty() {
            return out;
        }
        for inst in func.layout.iter().flat_map(|&b| func.block_insts(b)) {
            out.read(func, *inst);
        }
        out
    }

    fn read(&mut self, func: &Function, inst: Inst) {
        use InstData::*;
        let mut escape = |v: Value| self.escaped.extend(address(func, v).map(|a| a.0));
        let stored = match func.insts[inst] {
            // What is read, compared or moved on stays where it is.
            Load { .. } | AtomicLoad { .. } | Icmp { .. } | PtrDiff { .. } | PtrAdd { .. } => None,
            Cast { op: CastOp::Spacecast, .. } => None,
            Store { value, ptr, .. } | AtomicStore { value, ptr, .. } => {
                escape(value);
                let ty = func.value_type(value);
                let what = if ty.is_ptr() { What::Pointer(value) } else { What::Other };
                Some((ptr, Some(u64::from(ty.access_bytes())), what))
            }
            MemCopy { dst, src, len, .. } => {
                Some((dst, func.const_int(len).and_then(|n| u64::try_from(n).ok()), What::Copy(src)))
            }
            MemFill { dst, byte, len, .. } => {
                let what = if func.const_bits(byte) == Some(0) { What::Zero } else { What::Other };
                Some((dst, func.const_int(len).and_then(|n| u64::try_from(n).ok()), what))
            }
            AtomicRmw { ptr, value, .. } => {
                escape(value);
                Some((ptr, Some(16), What::Other))
            }
            AtomicCas { ptr, expected, new, .. } => {
                escape(expected);
                escape(new);
                Some((ptr, Some(16), What::Other))
            }
            _ => {
                func.for_each_arg(inst, escape);
                None
            }
        };
        if let Some((ptr, size, what)) = stored
            && let Some((slot, offset)) = address(func, ptr)
        {
            self.stores[slot].push(Stored { offset, size, what });
        }
    }

    /// The objects that a pointer may point into, and whether it was loaded from a local variable; `None` where they are not
    /// known.
    pub fn of(&self, cx: &Cx<'_>, v: Value) -> Option<(Targets, bool)> {
        let mut find = Find {
            points_to: self,
            cx,
            pending: vec![Pending::Value(v)],
            seen: FxHashSet::default(),
            copied: FxHashSet::default(),
            found: Targets::new(),
            loads: false,
        };
        while let Some(next) = find.pending.pop() {
            match next {
                Pending::Value(v) => find.value(v)?,
                Pending::Bytes(ptr, behind) => find.bytes(ptr, behind)?,
            }
        }
        Some((find.found, find.loads))
    }
}

/// A pointer that a search has still to follow.
enum Pending {
    Value(Value),
    /// The one in memory that lies so many bytes behind where this one points to, if that is a constant.
    Bytes(Value, Option<u64>),
}

/// A search for objects.
struct Find<'a> {
    points_to: &'a PointsTo,
    cx: &'a Cx<'a>,
    pending: Vec<Pending>,
    seen: FxHashSet<Value>,
    /// Where in variables was looked.
    copied: FxHashSet<Address>,
    found: Targets,
    /// Whether a local variable was read.
    loads: bool,
}

impl Find<'_> {
    fn add(&mut self, target: Target) -> Option<()> {
        if !self.found.contains(&target) {
            self.found.push(target);
        }
        (self.found.len() <= MAX_TARGETS).then_some(())
    }

    /// Adds what a pointer may point into; `None` where that is not known.
    fn value(&mut self, v: Value) -> Option<()> {
        if !self.seen.insert(v) {
            return Some(());
        }
        let func = self.cx.func;
        let inst = match func.values[v].def {
            ValueDef::Result(inst, _) => inst,
            ValueDef::Param(block, n) => return self.param(block, n as usize),
        };
        match func.insts[inst] {
            InstData::GlobalAddr { global } => self.add(Target::Global(global)),
            InstData::FuncAddr { func } => self.add(Target::Code(func)),
            InstData::SlotAddr { .. } | InstData::Alloca { .. } => self.add(Target::Private),
            InstData::PtrAdd { ptr: from, .. } | InstData::Cast { op: CastOp::Spacecast, arg: from, .. } => {
                self.pending.push(Pending::Value(from));
                Some(())
            }
            InstData::Const { bits: 0, .. } => Some(()),
            InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => {
                self.pending.extend([Pending::Value(a), Pending::Value(b)]);
                Some(())
            }
            InstData::Load { ptr, flags, .. } if !flags.volatile => {
                self.pending.push(Pending::Bytes(ptr, Some(0)));
                Some(())
            }
            _ => None,
        }
    }

    fn param(&mut self, block: Block, n: usize) -> Option<()> {
        let cx = self.cx;
        let node = cx.control.node(block)?;
        if node == 0 {
            return self.add(Target::Param(u32::try_from(n).ok()?));
        }
        for &(from, k) in cx.control.incoming(node) {
            match incoming_arg(cx, from, k, n)? {
                Arg::Value(v) => self.pending.push(Pending::Value(v)),
                Arg::Result(_) => return None,
            }
        }
        Some(())
    }

    /// Adds what the pointer may point into that lies so many bytes behind where `ptr` points to.
    fn bytes(&mut self, ptr: Value, behind: Option<u64>) -> Option<()> {
        let func = self.cx.func;
        let Some((slot, offset)) = address(func, ptr) else { return self.member(ptr, behind) };
        if self.points_to.escaped.contains(&slot) {
            return None;
        }
        let offset = offset.zip(behind).and_then(|(a, b)| a.checked_add(b));
        self.loads = true;
        if !self.copied.insert((slot, offset)) {
            return Some(());
        }
        if self.copied.len() > MAX_PLACES {
            return None;
        }
        for s in self.points_to.stores[slot].iter().filter(|s| s.may_touch(offset)) {
            match s.what {
                // A part of a pointer is none.
                What::Pointer(_) if s.offset.zip(offset).is_some_and(|(a, b)| a != b) => return None,
                What::Pointer(v) => self.pending.push(Pending::Value(v)),
                What::Zero => {}
                What::Copy(src) => {
                    let behind = s.offset.zip(offset).map(|(a, b)| b.checked_sub(a));
                    match behind {
                        // It begins in the middle of the pointer.
                        Some(None) => return None,
                        behind => self.pending.push(Pending::Bytes(src, behind.flatten())),
                    }
                }
                What::Other => return None,
            }
        }
        Some(())
    }

    /// The same where `ptr` points into an aggregate that the kernel is passed.
    fn member(&mut self, ptr: Value, behind: Option<u64>) -> Option<()> {
        let func = self.cx.func;
        let (start, offset) = func.pointer_start(ptr);
        let ValueDef::Param(block, n) = func.values[start].def else { return None };
        let is_passed = func.side == Side::Kernel
            && self.cx.control.node(block) == Some(0)
            && matches!(func.sig.params.get(n as usize)?.attr, ParamAttr::ByVal { .. });
        let at = u64::try_from(offset?).ok()?.checked_add(behind?)?;
        if is_passed { self.add(Target::Member(n, u32::try_from(at).ok()?)) } else { None }
    }
}
