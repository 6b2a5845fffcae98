//! Instructions that touch memory or other threads.

use super::parse::{Class, Instruction, Operand, Suffix};
use super::{Done, Fault, Statement, flat, int_type, ir_type};
use crate::lower::func::FnLower;
use cudair_ir::{
    AtomicOp, BarrierKind, BinaryOp, CastOp, MatchMode, MemFlags, MemOrder, ReduceOp, Scope, ShflMode,
    TrapCode, Type, Value, VoteMode,
};

const U32: Suffix = Suffix { bits: 32, class: Class::Unsigned };
const U64: Suffix = Suffix { bits: 64, class: Class::Unsigned };

/// Hints to caches, which no program can see the effect of.
fn is_hint(part: &str) -> bool {
    matches!(
        part,
        "ca" | "cg"
            | "cs"
            | "lu"
            | "cv"
            | "wb"
            | "wt"
            | "nc"
            | "weak"
            | "global"
            | "const"
            | "local"
            | "param"
    ) || part.starts_with("L1")
        || part.starts_with("L2")
        || matches!(part, "evict_first" | "evict_last" | "no_allocate" | "evict_normal" | "unchanged")
}

/// Shared memory, of the block or of the cluster.
fn is_shared(part: &str) -> bool {
    matches!(part, "shared" | "shared::cta" | "shared::cluster")
}

/// The type of the address of an instruction that takes a generic one or one in the window of shared memory.
fn window_width(parts: &[&str]) -> Done<Type> {
    match parts {
        ["u64"] => Ok(Type::I64),
        [space, "u64"] if is_shared(space) => Ok(Type::I64),
        [space, "u32"] if is_shared(space) => Ok(Type::I32),
        _ => Err(Fault::Unknown),
    }
}

fn scope(part: &str) -> Option<Scope> {
    Some(match part {
        "cta" => Scope::Block,
        "cluster" => Scope::Cluster,
        "gpu" | "gl" => Scope::Device,
        "sys" => Scope::System,
        _ => return None,
    })
}

fn order(part: &str) -> Option<MemOrder> {
    Some(match part {
        "relaxed" => MemOrder::Relaxed,
        "acquire" => MemOrder::Acquire,
        "release" => MemOrder::Release,
        "acq_rel" => MemOrder::AcqRel,
        "sc" => MemOrder::SeqCst,
        _ => return None,
    })
}

impl FnLower<'_, '_, '_> {
    /// Loads, stores, atomics, barriers, fences and what lanes say to each other.
    pub(super) fn asm_memory(&mut self, s: &mut Statement, i: &Instruction, name: &[&str]) -> Done<()> {
        let operands = i.operands.as_slice();
        match (name, operands) {
            (["ld" | "ldu", rest @ ..], [target, address]) => self.asm_load(s, rest, target, address),
            (["st", rest @ ..], [address, value]) => self.asm_store(s, rest, address, value),
            (["atom", rest @ ..], [target, address, values @ ..]) => {
                self.asm_atomic(s, rest, Some(target), address, values)
            }
            (["red", rest @ ..], [address, values @ ..]) => self.asm_atomic(s, rest, None, address, values),
            (
                ["bar" | "barrier", "sync"]
                | ["bar" | "barrier", "cta", "sync"]
                | ["barrier", "sync", "aligned"],
                [Operand::Int(0)],
            ) => {
                self.b.barrier(BarrierKind::Sync, None);
                Ok(())
            }
            // Numbered ones, of as many threads as they say.
            (["bar" | "barrier", how @ ..], [id, count @ ..]) if count.len() <= 1 => {
                self.asm_numbered_barrier(s, how, id, count)
            }
            (["barrier", "cluster", half, how @ ..], []) => self.asm_cluster_barrier(half, how),
            (["mapa", rest @ ..], [target, address, rank]) => self.asm_map(s, rest, target, address, rank),
            (["getctarank", rest @ ..], [target, address]) => self.asm_rank(s, rest, target, address),
            (["isspacep", space @ ("shared" | "shared::cta" | "shared::cluster")], [target, address]) => {
                self.asm_is_shared(s, space, target, address)
            }
            (["cvta", "to", space, "u64"], [target, source]) if is_shared(space) => {
                let pointer = self.asm_pointer(s, source)?;
                let window = self.asm_window(pointer, Type::I64)?;
                self.asm_write(s, target, window)
            }
            (["cvta", space, "u64"], [target, source]) if is_shared(space) => {
                let pointer = self.asm_shared(s, source)?;
                self.asm_write(s, target, pointer)
            }
            (["bar", "warp", "sync"], [mask]) => {
                let mask = self.asm_read(s, mask, U32)?;
                self.b.warp_sync(mask);
                Ok(())
            }
            (["membar", at], []) => {
                let scope = scope(at).ok_or(Fault::Unknown)?;
                self.b.fence(MemOrder::SeqCst, scope);
                Ok(())
            }
            (["fence", how @ ("sc" | "acq_rel" | "acquire" | "release"), at], []) => {
                let order = order(how).ok_or(Fault::Unknown)?;
                self.b.fence(order, scope(at).ok_or(Fault::Unknown)?);
                Ok(())
            }
            (
                ["fence", "proxy", ..]
                | ["pmevent"]
                | ["griddepcontrol" | "prefetch" | "prefetchu" | "discard" | "applypriority", ..],
                _,
            ) => Ok(()),
            (["nanosleep", "u32"], [time]) => {
                let time = self.asm_read(s, time, U32)?;
                self.asm_native("__nanosleep", &[time], None).map(|_| ())
            }
            (["trap" | "brkpt"], []) => {
                self.b.trap(TrapCode::Trap);
                let next = self.b.make_block();
                self.b.switch_to(next);
                Ok(())
            }
            (["activemask", "b32"], [target]) => {
                let mask = self.b.active_mask(false);
                self.asm_write(s, target, mask)
            }
            (["shfl", "sync", mode, "b32"], [target, value, lane, clamp, mask]) => {
                self.asm_shuffle(s, mode, target, [value, lane, clamp, mask])
            }
            (["vote", "sync", mode, "pred" | "b32"], [target, flag, mask]) => {
                self.asm_vote(s, mode, target, flag, mask)
            }
            (["match", "any", "sync", ty], [target, value, mask]) => {
                let suffix = Suffix::of(ty).ok_or(Fault::Unknown)?;
                let mask = self.asm_read(s, mask, U32)?;
                let value = self.asm_read(s, value, suffix)?;
                let (lanes, _) = self.b.match_(MatchMode::Any, mask, value);
                self.asm_write(s, target, lanes)
            }
            (["redux", "sync", op, ty], [target, value, mask]) => {
                self.asm_reduce(s, (op, ty), target, value, mask)
            }
            // Our pointers are generic already.
            (
                ["cvta", "to", "global" | "const" | "local", "u64"]
                | ["cvta", "global" | "const" | "local", "u64"],
                [target, source],
            ) => {
                let value = self.asm_pointer_bits(s, source)?;
                self.asm_write(s, target, value)
            }
            _ => Err(Fault::Unknown),
        }
    }

    /// A barrier of a number, of as many threads as it says.
    fn asm_numbered_barrier(
        &mut self,
        s: &mut Statement,
        how: &[&str],
        id: &Operand,
        count: &[Operand],
    ) -> Done<()> {
        let how: Vec<&str> = how.iter().copied().filter(|part| !matches!(*part, "cta" | "aligned")).collect();
        let wait = match (how.as_slice(), count) {
            (["sync"], _) => true,
            (["arrive"], [_]) => false,
            _ => return Err(Fault::Unknown),
        };
        let id = self.asm_read(s, id, U32)?;
        let count = match count {
            [count] => Some(self.asm_read(s, count, U32)?),
            _ => None,
        };
        self.named_barrier(id, count, wait);
        Ok(())
    }

    /// A half of the barrier of a cluster.
    fn asm_cluster_barrier(&mut self, half: &str, how: &[&str]) -> Done<()> {
        let how: Vec<&str> = how.iter().copied().filter(|&part| part != "aligned").collect();
        let kind = match (half, how.as_slice()) {
            ("arrive", [] | ["release"]) => BarrierKind::ClusterArrive,
            ("arrive", ["relaxed"]) => BarrierKind::ClusterArriveRelaxed,
            ("wait", [] | ["acquire"]) => BarrierKind::ClusterWait,
            _ => return Err(Fault::Unknown),
        };
        self.b.barrier(kind, None);
        Ok(())
    }

    /// The block of the cluster that a shared address belongs to.
    fn asm_rank(
        &mut self,
        s: &mut Statement,
        rest: &[&str],
        target: &Operand,
        address: &Operand,
    ) -> Done<()> {
        window_width(rest)?;
        let pointer = match rest {
            ["u64"] => self.asm_pointer(s, address)?,
            _ => self.asm_shared(s, address)?,
        };
        let rank = self.asm_native("__cudair_cluster_rank", &[pointer], Some(Type::I32))?;
        self.asm_write(s, target, rank.ok_or(Fault::Unknown)?)
    }

    /// Whether an address is one of shared memory.
    fn asm_is_shared(
        &mut self,
        s: &mut Statement,
        space: &str,
        target: &Operand,
        address: &Operand,
    ) -> Done<()> {
        let pointer = self.asm_pointer(s, address)?;
        let ask = if space == "shared::cluster" { "__cudair_cluster_owns" } else { "__isShared" };
        let is = self.asm_native(ask, &[pointer], Some(Type::I32))?.ok_or(Fault::Unknown)?;
        let is = self.asm_predicate(is);
        self.asm_write(s, target, is)
    }

    /// The address of a shared variable in another block of the cluster.
    fn asm_map(
        &mut self,
        s: &mut Statement,
        rest: &[&str],
        target: &Operand,
        address: &Operand,
        rank: &Operand,
    ) -> Done<()> {
        let wide = window_width(rest)?;
        let rank = self.asm_read(s, rank, U32)?;
        let pointer = match rest {
            ["u64"] => self.asm_pointer(s, address)?,
            _ => self.asm_shared(s, address)?,
        };
        let mapped = self.asm_native("__cudair_cluster_map", &[pointer, rank], Some(Type::GENERIC_PTR))?;
        let mapped = mapped.ok_or(Fault::Unknown)?;
        let value = if rest == ["u64"] { mapped } else { self.asm_window(mapped, wide)? };
        self.asm_write(s, target, value)
    }

    /// A vote of a warp.
    fn asm_vote(
        &mut self,
        s: &mut Statement,
        mode: &str,
        target: &Operand,
        flag: &Operand,
        mask: &Operand,
    ) -> Done<()> {
        let mode = match mode {
            "all" => VoteMode::All,
            "any" => VoteMode::Any,
            "uni" => VoteMode::Uni,
            "ballot" => VoteMode::Ballot,
            _ => return Err(Fault::Unknown),
        };
        let mask = self.asm_read(s, mask, U32)?;
        let flag = self.asm_read(s, flag, Suffix { bits: 1, class: Class::Predicate })?;
        let flag = self.widen(flag, false, Type::I32);
        let value = self.b.vote(mode, mask, flag);
        self.asm_write(s, target, value)
    }

    /// A reduction over a warp.
    fn asm_reduce(
        &mut self,
        s: &mut Statement,
        (op, ty): (&str, &str),
        target: &Operand,
        value: &Operand,
        mask: &Operand,
    ) -> Done<()> {
        let op = match (op, ty) {
            ("add", "s32" | "u32") => ReduceOp::Add,
            ("min", "s32") => ReduceOp::Smin,
            ("max", "s32") => ReduceOp::Smax,
            ("min", "u32") => ReduceOp::Umin,
            ("max", "u32") => ReduceOp::Umax,
            ("and", "b32") => ReduceOp::And,
            ("or", "b32") => ReduceOp::Or,
            ("xor", "b32") => ReduceOp::Xor,
            _ => return Err(Fault::Unknown),
        };
        let mask = self.asm_read(s, mask, U32)?;
        let value = self.asm_read(s, value, U32)?;
        let value = self.b.reduce(op, mask, value);
        self.asm_write(s, target, value)
    }

    /// A register's value without reading an address as a number.
    fn asm_pointer_bits(&mut self, s: &Statement, operand: &Operand) -> Done<Value> {
        let known = match operand {
            Operand::Number(n) => s.numbers.get(*n).copied().flatten(),
            Operand::Name(name, false) => s.registers.get(name).copied(),
            _ => None,
        };
        match known {
            Some(value) => Ok(value),
            None => self.asm_read(s, operand, U64),
        }
    }

    /// An operand as a generic pointer.
    fn asm_pointer(&mut self, s: &Statement, operand: &Operand) -> Done<Value> {
        let value = self.asm_pointer_bits(s, operand)?;
        match self.b.ty(value) {
            ty if ty.is_ptr() => Ok(self.as_pointer(value, Type::GENERIC_PTR)),
            Type::I64 => Ok(self.b.cast(CastOp::Inttoptr, Type::GENERIC_PTR, value)),
            _ => Err(Fault::Unknown),
        }
    }

    /// An operand that is an address in the window of shared memory, of 32 or 64 bits, as a generic pointer.
    fn asm_shared(&mut self, s: &Statement, operand: &Operand) -> Done<Value> {
        let value = self.asm_pointer_bits(s, operand)?;
        let ty = self.b.ty(value);
        if ty.is_ptr() {
            return Ok(self.as_pointer(value, Type::GENERIC_PTR));
        }
        if ty != Type::I32 && ty != Type::I64 {
            return Err(Fault::Unknown);
        }
        let address = self.widen(value, false, Type::I64);
        let pointer = self.asm_native("__cvta_shared_to_generic", &[address], Some(Type::GENERIC_PTR))?;
        pointer.ok_or(Fault::Unknown)
    }

    /// The address of a pointer in the window of shared memory.
    fn asm_window(&mut self, pointer: Value, ty: Type) -> Done<Value> {
        let address = self.asm_native("__cvta_generic_to_shared", &[pointer], Some(Type::I64))?;
        let address = address.ok_or(Fault::Unknown)?;
        Ok(self.widen(address, false, ty))
    }

    /// An address with its offset; `shared`: the instruction names that space.
    fn asm_address(&mut self, s: &Statement, operand: &Operand, shared: bool) -> Done<(Value, i64)> {
        let Operand::Address(base, offset) = operand else { return Err(Fault::Unknown) };
        let pointer = if shared { self.asm_shared(s, base)? } else { self.asm_pointer(s, base)? };
        Ok((pointer, *offset))
    }

    /// What a load or store says: its scope and order where it is atomic, whether it is volatile, the type,
    /// and how many elements.
    fn asm_access(rest: &[&str]) -> Done<Access> {
        let mut access = Access { atomic: None, volatile: false, count: 1, suffix: U32, shared: false };
        let (mut how, mut at) = (None, Scope::System);
        let (ty, parts) = rest.split_last().ok_or(Fault::Unknown)?;
        for part in parts {
            match *part {
                "volatile" => access.volatile = true,
                "v2" => access.count = 2,
                "v4" => access.count = 4,
                part if is_shared(part) => access.shared = true,
                part if is_hint(part) => {}
                part => match (order(part), scope(part)) {
                    (Some(order), _) => how = Some(order),
                    (_, Some(scope)) => at = scope,
                    _ => return Err(Fault::Unknown),
                },
            }
        }
        access.atomic = how.map(|order| (order, at));
        access.suffix = Suffix::of(ty).ok_or(Fault::Unknown)?;
        Ok(access)
    }

    fn asm_load(
        &mut self,
        s: &mut Statement,
        rest: &[&str],
        target: &Operand,
        address: &Operand,
    ) -> Done<()> {
        let access = Self::asm_access(rest)?;
        let (pointer, offset) = self.asm_address(s, address, access.shared)?;
        let ty = ir_type(access.suffix).ok_or(Fault::Unknown)?;
        let targets = flat(target);
        if targets.len() != access.count {
            return Err(Fault::Unknown);
        }
        // The whole vector has to be aligned.
        let align = (ty.mem_bytes() * access.count as u32).min(16);
        for (n, target) in targets.into_iter().enumerate() {
            let ptr = self.b.ptr_offset(pointer, offset + n as i64 * i64::from(ty.mem_bytes()));
            let align = if n == 0 { align } else { ty.align() };
            let value = match access.atomic {
                Some((order, scope)) => self.b.atomic_load(ty, order, scope, ptr),
                None => self.b.load(ty, ptr, MemFlags::aligned(align).with_volatile(access.volatile)),
            };
            // A register is wider than what is loaded.
            let value = if access.suffix.bits < 32 && !access.suffix.is_float() {
                self.widen(value, access.suffix.is_signed(), Type::I32)
            } else {
                value
            };
            self.asm_write(s, target, value)?;
        }
        Ok(())
    }

    fn asm_store(
        &mut self,
        s: &mut Statement,
        rest: &[&str],
        address: &Operand,
        value: &Operand,
    ) -> Done<()> {
        let access = Self::asm_access(rest)?;
        let (pointer, offset) = self.asm_address(s, address, access.shared)?;
        let ty = ir_type(access.suffix).ok_or(Fault::Unknown)?;
        let values = flat(value);
        if values.len() != access.count {
            return Err(Fault::Unknown);
        }
        let align = (ty.mem_bytes() * access.count as u32).min(16);
        for (n, value) in values.into_iter().enumerate() {
            let value = self.asm_read(s, value, access.suffix)?;
            let ptr = self.b.ptr_offset(pointer, offset + n as i64 * i64::from(ty.mem_bytes()));
            let align = if n == 0 { align } else { ty.align() };
            match access.atomic {
                Some((order, scope)) => {
                    self.b.atomic_store(order, scope, value, ptr);
                }
                None => self.b.store(value, ptr, MemFlags::aligned(align).with_volatile(access.volatile)),
            }
        }
        Ok(())
    }

    fn asm_atomic(
        &mut self,
        s: &mut Statement,
        rest: &[&str],
        target: Option<&Operand>,
        address: &Operand,
        values: &[Operand],
    ) -> Done<()> {
        let (ty, parts) = rest.split_last().ok_or(Fault::Unknown)?;
        let suffix = Suffix::of(ty).ok_or(Fault::Unknown)?;
        let (mut how, mut at, mut op, mut shared) = (MemOrder::Relaxed, Scope::Device, None, false);
        for part in parts {
            match *part {
                "noftz" => {}
                part if is_shared(part) => shared = true,
                part if is_hint(part) => {}
                part => match (order(part), scope(part)) {
                    (Some(order), _) => how = order,
                    (_, Some(scope)) => at = scope,
                    _ if op.is_none() => op = Some(part),
                    _ => return Err(Fault::Unknown),
                },
            }
        }
        let (pointer, offset) = self.asm_address(s, address, shared)?;
        let ptr = self.b.ptr_offset(pointer, offset);
        let value = |f: &mut Self, n: usize| f.asm_read(s, values.get(n).ok_or(Fault::Unknown)?, suffix);
        let signed = suffix.is_signed();
        let op = match op.ok_or(Fault::Unknown)? {
            "cas" => {
                let (compare, new) = (value(self, 0)?, value(self, 1)?);
                let old = self.b.atomic_cas(how, at, ptr, compare, new);
                return target.map_or(Ok(()), |t| self.asm_write(s, t, old));
            }
            "add" if suffix.is_float() => AtomicOp::Fadd,
            "add" => AtomicOp::Add,
            "exch" => AtomicOp::Xchg,
            "min" if signed => AtomicOp::Smin,
            "min" => AtomicOp::Umin,
            "max" if signed => AtomicOp::Smax,
            "max" => AtomicOp::Umax,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            "inc" => AtomicOp::Inc,
            "dec" => AtomicOp::Dec,
            _ => return Err(Fault::Unknown),
        };
        let new = value(self, 0)?;
        let old = self.b.atomic_rmw(op, how, at, ptr, new);
        target.map_or(Ok(()), |t| self.asm_write(s, t, old))
    }

    /// `shfl.sync`: the clamp's upper byte says how the warp is divided.
    fn asm_shuffle(
        &mut self,
        s: &mut Statement,
        mode: &str,
        target: &Operand,
        [value, lane, clamp, mask]: [&Operand; 4],
    ) -> Done<()> {
        let mode = match mode {
            "idx" => ShflMode::Idx,
            "up" => ShflMode::Up,
            "down" => ShflMode::Down,
            "bfly" => ShflMode::Bfly,
            _ => return Err(Fault::Unknown),
        };
        let ty = self.asm_pointer_bits(s, value).map(|v| self.b.ty(v))?;
        let value = self.asm_read(s, value, Suffix { bits: 32, class: Class::Bits })?;
        let lane = self.asm_read(s, lane, U32)?;
        let clamp = self.asm_read(s, clamp, U32)?;
        let mask = self.asm_read(s, mask, U32)?;
        let eight = self.b.iconst(Type::I32, 8);
        let segments = self.b.binary(BinaryOp::Lshr, clamp, eight);
        let low = self.b.iconst(Type::I32, 31);
        let segments = self.b.binary(BinaryOp::And, segments, low);
        let all = self.b.iconst(Type::I32, 32);
        let width = self.b.binary(BinaryOp::Isub, all, segments);
        let moved = self.b.shfl(mode, mask, value, lane, width);
        let moved = if ty.is_float() { self.asm_as(moved, Type::F32) } else { moved };
        self.asm_write(s, target, moved)
    }

    /// A function of the device library.
    pub(super) fn asm_native(
        &mut self,
        name: &str,
        args: &[Value],
        ret: Option<Type>,
    ) -> Done<Option<Value>> {
        let params = args.iter().map(|a| cudair_ir::Param::new(self.b.ty(*a))).collect();
        let sig = cudair_ir::Signature { params, ret, variadic: false };
        let func = self.cx.native(name, sig, true);
        Ok(self.b.call(self.cx.module, func, args))
    }
}

struct Access {
    atomic: Option<(MemOrder, Scope)>,
    volatile: bool,
    count: usize,
    suffix: Suffix,
    /// It names shared memory.
    shared: bool,
}

/// The integer type that holds a register of this type.
pub(super) fn register_type(suffix: Suffix) -> Type {
    int_type(suffix.bits)
}
