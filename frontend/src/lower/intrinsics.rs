//! CUDA's device functions that are instructions of the IR.
//!
//! The headers' wrappers (`atomicAdd`, `__shfl_sync`) have bodies in terms of these; their table stands
//! at the head of [`crate::headers`].

use super::R;
use super::call::CallResult;
use super::func::FnLower;
use crate::ast::{Call, Ex};
use crate::clang::Evaluated;
use crate::types::Decl;
use crate::types::Ty;
use cudair_ir::{
    AtomicOp, BarrierKind, BinaryOp, CastOp, InstData, MatchMode, MemOrder, ReduceOp, Scope, ShflMode,
    SpecialReg, TrapCode, Type, UnaryOp, Value, VoteMode,
};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// `memcpy` and kin in device code: one instruction, which gives the destination.
    pub(super) fn block_of_memory(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let flags = cudair_ir::MemFlags::aligned(1);
        match (name, args) {
            ("memcpy" | "memmove", &[to, from, bytes]) => self.b.mem_copy(to, from, bytes, flags),
            ("memset", &[to, byte, bytes]) => {
                let byte = self.b.cast(CastOp::Trunc, Type::I8, byte);
                self.b.mem_fill(to, byte, bytes, flags);
            }
            _ => return None,
        }
        args.first().copied()
    }

    /// A call of a device primitive; `None` where the name is none.
    pub fn intrinsic(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        name: &str,
    ) -> R<Option<CallResult>> {
        if let Some(rest) = name.strip_prefix("__cudair_").filter(|&rest| rest != "implied_mask") {
            return self.cudair_primitive(call, e, decl, rest);
        }
        let value = |v: Value| Ok(Some(CallResult::Value(v)));
        let none = Ok(Some(CallResult::None));
        match name {
            "__syncthreads" => {
                self.enter(e);
                self.b.barrier(BarrierKind::Sync, None);
                none
            }
            "__barrier_sync" | "__barrier_sync_count" => self.numbered_barrier(call, e, decl),
            "__syncthreads_count" | "__syncthreads_and" | "__syncthreads_or" => {
                self.counting_barrier(call, e, decl, name)
            }
            "__syncwarp" => {
                let args = self.int_args(call, e, decl)?;
                self.b.warp_sync(args[0]);
                none
            }
            "__cluster_barrier_arrive" | "__cluster_barrier_arrive_relaxed" | "__cluster_barrier_wait" => {
                let kind = match name {
                    "__cluster_barrier_arrive" => BarrierKind::ClusterArrive,
                    "__cluster_barrier_arrive_relaxed" => BarrierKind::ClusterArriveRelaxed,
                    "__cluster_barrier_wait" => BarrierKind::ClusterWait,
                    _ => return self.internal(name, e),
                };
                self.enter(e);
                self.b.barrier(kind, None);
                none
            }
            "__cluster_nctaid_x"
            | "__cluster_nctaid_y"
            | "__cluster_nctaid_z"
            | "__clusterDimIsSpecified" => {
                self.enter(e);
                match cluster_register(name) {
                    Some(reg) => value(self.b.special(reg)),
                    None => self.internal(name, e),
                }
            }
            "__threadfence" | "__threadfence_block" | "__threadfence_cluster" | "__threadfence_system" => {
                let Some(scope) = fence_scope(name) else { return self.internal(name, e) };
                self.enter(e);
                self.b.fence(MemOrder::SeqCst, scope);
                none
            }
            "__trap" | "__brkpt" => {
                self.enter(e);
                self.b.trap(TrapCode::Trap);
                none
            }
            "clock" | "clock64" => {
                self.enter(e);
                let v = self.b.special(SpecialReg::Clock);
                value(v)
            }
            "__activemask" | "__cudair_implied_mask" => {
                self.enter(e);
                let v = self.b.active_mask(name != "__activemask");
                value(v)
            }
            "__all_sync" | "__any_sync" | "__uni_sync" | "__ballot_sync" => {
                let args = self.int_args(call, e, decl)?;
                let mode = match name {
                    "__all_sync" => VoteMode::All,
                    "__any_sync" => VoteMode::Any,
                    "__uni_sync" => VoteMode::Uni,
                    "__ballot_sync" => VoteMode::Ballot,
                    _ => return self.internal(name, e),
                };
                let v = self.b.vote(mode, args[0], args[1]);
                value(v)
            }
            "__float_as_int" | "__float_as_uint" => self.bits_of(call, e, decl, Type::I32),
            "__int_as_float" | "__uint_as_float" => self.bits_of(call, e, decl, Type::F32),
            "__double_as_longlong" => self.bits_of(call, e, decl, Type::I64),
            "__longlong_as_double" => self.bits_of(call, e, decl, Type::F64),
            "memcpy" | "memmove" | "memset" => {
                let args = self.int_args(call, e, decl)?;
                self.block_of_memory(name, &args).map_or(Ok(None), value)
            }
            _ => match rounded_operation(name) {
                Some(op) => self.rounded(call, e, decl, op),
                None => Ok(None),
            },
        }
    }

    /// `__barrier_sync`: the barrier of a number, of all threads or of as many as it says.
    fn numbered_barrier(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
    ) -> R<Option<CallResult>> {
        let args = self.int_args(call, e, decl)?;
        self.enter(e);
        match args.as_slice() {
            &[id, count] => self.named_barrier(id, Some(count), true),
            &[id] if self.b.func.const_bits(id) == Some(0) => {
                self.b.barrier(BarrierKind::Sync, None);
            }
            &[id, ..] => self.named_barrier(id, None, true),
            [] => return self.internal("a barrier without a number", e),
        }
        Ok(Some(CallResult::None))
    }

    /// A barrier with a predicate and a result.
    fn counting_barrier(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        name: &str,
    ) -> R<Option<CallResult>> {
        let args = self.int_args(call, e, decl)?;
        let kind = match name {
            "__syncthreads_count" => BarrierKind::Count,
            "__syncthreads_and" => BarrierKind::And,
            "__syncthreads_or" => BarrierKind::Or,
            _ => return self.internal(name, e),
        };
        match self.b.barrier(kind, args.first().copied()) {
            Some(v) => Ok(Some(CallResult::Value(v))),
            None => self.internal("a barrier without a result", e),
        }
    }

    /// An operation that rounds to nearest.
    fn rounded(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        op: Rounded,
    ) -> R<Option<CallResult>> {
        let args = self.int_args(call, e, decl)?;
        let v = match (op, args.as_slice()) {
            (Rounded::Binary(op), &[a, b]) => self.b.rounded_binary(op, a, b),
            (Rounded::Unary(op), &[a]) => self.b.unary(op, a),
            (Rounded::Fma, &[a, b, c]) => self.b.ternary(cudair_ir::TernaryOp::Fma, a, b, c),
            (Rounded::Reciprocal, &[a]) => {
                let ir = self.b.ty(a);
                let one = super::constant::constant_bits(super::constant::Constant::Float(1.0), ir);
                let one = self.b.const_bits(ir, one);
                self.b.binary(BinaryOp::Fdiv, one, a)
            }
            _ => return Ok(None),
        };
        Ok(Some(CallResult::Value(v)))
    }

    /// The arguments of a call, converted to the parameters' types; the place is the call's afterwards.
    pub fn int_args(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>, decl: Decl<'tu>) -> R<Vec<Value>> {
        let params = self.cx.function_type(decl, e)?.params.clone();
        let written = call.args;
        let mut values = Vec::with_capacity(written.len());
        for (i, &arg) in written.iter().enumerate() {
            values.push(self.argument(arg, params.get(i).copied())?);
        }
        if values.len() < params.len() {
            return self.internal("a call with too few arguments", e);
        }
        self.enter(e);
        Ok(values)
    }

    fn bits_of(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        ty: Type,
    ) -> R<Option<CallResult>> {
        let args = self.int_args(call, e, decl)?;
        let v = self.b.cast(CastOp::Bitcast, ty, args[0]);
        Ok(Some(CallResult::Value(v)))
    }

    /// What only our own headers call, by its name without the prefix. Atomics and fences are for both sides.
    pub fn cudair_primitive(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        name: &str,
    ) -> R<Option<CallResult>> {
        let value = |v: Value| Ok(Some(CallResult::Value(v)));
        if name == "grid_barrier" {
            self.enter(e);
            self.b.barrier(BarrierKind::Grid, None);
            return Ok(Some(CallResult::None));
        }
        if let Some(rest) = name.strip_prefix("shfl_") {
            let mode = match rest.split('_').next() {
                Some("idx") => ShflMode::Idx,
                Some("up") => ShflMode::Up,
                Some("down") => ShflMode::Down,
                Some("xor") => ShflMode::Bfly,
                _ => return Ok(None),
            };
            let args = self.int_args(call, e, decl)?;
            let v = self.b.shfl(mode, args[0], args[1], args[2], args[3]);
            return value(v);
        }
        if let Some(rest) = name.strip_prefix("match_") {
            let mode = if rest.starts_with("all") { MatchMode::All } else { MatchMode::Any };
            let args = self.int_args(call, e, decl)?;
            let (mask, _) = self.b.match_(mode, args[0], args[1]);
            return value(mask);
        }
        if let Some(rest) = name.strip_prefix("reduce_") {
            let op = match rest {
                "add_i32" => ReduceOp::Add,
                "and_i32" => ReduceOp::And,
                "or_i32" => ReduceOp::Or,
                "xor_i32" => ReduceOp::Xor,
                "min_u32" => ReduceOp::Umin,
                "max_u32" => ReduceOp::Umax,
                "min_s32" => ReduceOp::Smin,
                "max_s32" => ReduceOp::Smax,
                _ => return Ok(None),
            };
            let args = self.int_args(call, e, decl)?;
            let v = self.b.reduce(op, args[0], args[1]);
            return value(v);
        }
        let rest = match name.strip_prefix("atomic_") {
            Some(rest) => rest,
            None if name == "fence" => name,
            None => return Ok(None),
        };
        self.atomic_primitive(call, e, decl, rest)
    }

    /// An atomic operation or a fence, by its name without the prefix.
    fn atomic_primitive(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        rest: &str,
    ) -> R<Option<CallResult>> {
        let value = |v: Value| Ok(Some(CallResult::Value(v)));
        let written = call.args.last().and_then(|a| a.value());
        let args = self.int_args(call, e, decl)?;
        let written = match written {
            Some(Evaluated::Int(scope)) => Some(scope),
            _ => args.last().and_then(|&a| self.b.func.const_bits(a)).map(|bits| bits as i128),
        };
        let scope = match written {
            Some(0) => Scope::Block,
            Some(1) => Scope::Device,
            Some(2) => Scope::System,
            _ => return self.internal("an atomic without a scope", e),
        };
        if rest == "fence" {
            self.b.fence(MemOrder::SeqCst, scope);
            return Ok(Some(CallResult::None));
        }
        if rest.starts_with("load_") {
            let q = self.cx.ast.types.of(decl.ty());
            let Some(ty) = self.cx.ast.types.function(q.ty).and_then(|f| self.cx.ast.types.ir(f.ret.ty))
            else {
                return self.internal("an atomic load of a type that is not scalar", e);
            };
            let site = self.b.site();
            let load = InstData::AtomicLoad { ty, order: MemOrder::Relaxed, scope, ptr: args[0], site };
            let inst = self.b.push(load, &[ty]);
            return match self.b.func.result(inst) {
                Some(v) => value(v),
                None => self.internal("a load without a result", e),
            };
        }
        if rest.starts_with("store_") {
            let site = self.b.site();
            let (order, ptr) = (MemOrder::Relaxed, args[0]);
            self.b.push(InstData::AtomicStore { order, scope, value: args[1], ptr, site }, &[]);
            return Ok(Some(CallResult::None));
        }
        if rest.starts_with("cas_") {
            let v = self.b.atomic_cas(MemOrder::Relaxed, scope, args[0], args[1], args[2]);
            return value(v);
        }
        let op = match rest {
            "add_i8" | "add_i16" | "add_i32" | "add_i64" => AtomicOp::Add,
            "add_f32" | "add_f64" | "add_f16" | "add_bf16" => AtomicOp::Fadd,
            "sub_i32" | "sub_i64" => AtomicOp::Sub,
            "exch_i8" | "exch_i16" | "exch_i32" | "exch_i64" | "exch_i128" | "exch_f32" => AtomicOp::Xchg,
            "min_s8" | "min_s16" | "min_s32" | "min_s64" => AtomicOp::Smin,
            "min_u8" | "min_u16" | "min_u32" | "min_u64" => AtomicOp::Umin,
            "max_s8" | "max_s16" | "max_s32" | "max_s64" => AtomicOp::Smax,
            "max_u8" | "max_u16" | "max_u32" | "max_u64" => AtomicOp::Umax,
            "and_i8" | "and_i16" | "and_i32" | "and_i64" => AtomicOp::And,
            "or_i8" | "or_i16" | "or_i32" | "or_i64" => AtomicOp::Or,
            "xor_i8" | "xor_i16" | "xor_i32" | "xor_i64" => AtomicOp::Xor,
            "inc_u32" => AtomicOp::Inc,
            "dec_u32" => AtomicOp::Dec,
            _ => return Ok(None),
        };
        let v = self.b.atomic_rmw(op, MemOrder::Relaxed, scope, args[0], args[1]);
        value(v)
    }

    /// The class of a scalar by its IR type, for builtins that take any.
    pub fn arg_type(&mut self, e: Ex<'tu>) -> Ty {
        e.q.ty
    }
}

enum Rounded {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Fma,
    Reciprocal,
}

/// The operations rounded to nearest, which are the plain ones.
fn rounded_operation(name: &str) -> Option<Rounded> {
    Some(match name {
        "__fadd_rn" | "__dadd_rn" => Rounded::Binary(BinaryOp::Fadd),
        "__fsub_rn" | "__dsub_rn" => Rounded::Binary(BinaryOp::Fsub),
        "__fmul_rn" | "__dmul_rn" => Rounded::Binary(BinaryOp::Fmul),
        "__fdiv_rn" | "__ddiv_rn" => Rounded::Binary(BinaryOp::Fdiv),
        "__fsqrt_rn" | "__dsqrt_rn" => Rounded::Unary(UnaryOp::Fsqrt),
        "__fmaf_rn" | "__fma_rn" | "__fmaf_ieee_rn" => Rounded::Fma,
        "__frcp_rn" | "__drcp_rn" => Rounded::Reciprocal,
        _ => return None,
    })
}

/// What a cluster's function reads.
fn cluster_register(name: &str) -> Option<SpecialReg> {
    Some(match name {
        "__cluster_nctaid_x" => SpecialReg::ClusterNctaidX,
        "__cluster_nctaid_y" => SpecialReg::ClusterNctaidY,
        "__cluster_nctaid_z" => SpecialReg::ClusterNctaidZ,
        "__clusterDimIsSpecified" => SpecialReg::IsExplicitCluster,
        _ => return None,
    })
}

/// The scope of a fence.
fn fence_scope(name: &str) -> Option<Scope> {
    Some(match name {
        "__threadfence" => Scope::Device,
        "__threadfence_cluster" => Scope::Cluster,
        "__threadfence_block" => Scope::Block,
        "__threadfence_system" => Scope::System,
        _ => return None,
    })
}
