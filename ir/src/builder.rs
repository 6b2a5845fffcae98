//! Writing functions.
//!
//! [`FuncBuilder`] appends instructions to the current block of one function at the current source
//! place. It does no SSA construction: a local variable is a [`Slot`] with loads and stores, which the
//! promotion pass turns into values; values that flow through a join (`?:`, `&&`) are block parameters.

use crate::entities::*;
use crate::function::{Function, SlotData};
use crate::inst::{BlockCall, InstData, MemFlags, SwitchData, TrapCode};
use crate::module::Module;
use crate::ops::*;
use crate::types::Type;
use cranelift_entity::EntitySet;
use smallvec::SmallVec;

/// Appends to one function. The function is taken out of the module while it is written (see
/// [`FuncBuilder::new`]), so that the module stays usable for names, places and signatures.
#[derive(Debug)]
pub struct FuncBuilder {
    /// The function being written.
    pub func: Function,
    current: Option<Block>,
    placed: EntitySet<Block>,
    loc: Option<Loc>,
}

impl FuncBuilder {
    /// Starts writing `func`, which has no blocks yet.
    pub fn new(func: Function) -> FuncBuilder {
        FuncBuilder { func, current: None, placed: EntitySet::new(), loc: None }
    }

    /// Ends writing.
    pub fn finish(self) -> Function {
        self.func
    }

    /// Sets the source place of what follows and gives the place that was set before.
    pub fn set_loc(&mut self, loc: Option<Loc>) -> Option<Loc> {
        std::mem::replace(&mut self.loc, loc)
    }

    /// The current source place.
    pub fn loc(&self) -> Option<Loc> {
        self.loc
    }

    /// A new block, to be placed with [`FuncBuilder::switch_to`].
    pub fn make_block(&mut self) -> Block {
        self.func.make_block()
    }

    /// Adds the entry block with the function's parameters and makes it current.
    pub fn make_entry(&mut self) -> Block {
        let block = self.func.make_block();
        let types: Vec<Type> = self.func.sig.params.iter().map(|p| p.ty).collect();
        for ty in types {
            self.func.append_block_param(block, ty);
        }
        self.switch_to(block);
        block
    }

    /// Places `block` at the end of the layout if it is not placed yet and makes it current.
    pub fn switch_to(&mut self, block: Block) {
        if self.placed.insert(block) {
            self.func.layout.push(block);
        }
        self.current = Some(block);
    }

    /// The current block. After a terminator there is none until the next [`FuncBuilder::switch_to`].
    pub fn current_block(&self) -> Option<Block> {
        self.current
    }

    /// Makes a block current that is placed already, or none.
    pub fn set_current(&mut self, block: Option<Block>) {
        self.current = block;
    }

    /// Where the next instruction of the current block goes; a block is begun where there is none.
    pub fn position(&mut self) -> (Block, usize) {
        let block = match self.current {
            Some(b) => b,
            None => {
                let b = self.func.make_block();
                self.switch_to(b);
                b
            }
        };
        (block, self.func.blocks[block].insts.len())
    }

    /// Writes instructions, none of which ends a block, at an earlier position.
    pub fn insert_at(&mut self, (block, index): (Block, usize), f: impl FnOnce(&mut FuncBuilder)) {
        let current = self.current.replace(block);
        let insts = &mut self.func.blocks[block].insts;
        let tail = insts.split_off(index.min(insts.len()));
        f(self);
        self.func.blocks[block].insts.extend(tail);
        self.current = current;
    }

    /// Whether code appended now would be unreachable.
    pub fn is_unreachable(&self) -> bool {
        self.current.is_none()
    }

    /// Appends an instruction. After a terminator an unreachable block is begun for it, so that a
    /// frontend need not care about dead code.
    pub fn push(&mut self, data: InstData, results: &[Type]) -> Inst {
        let block = match self.current {
            Some(b) => b,
            None => {
                let b = self.func.make_block();
                self.switch_to(b);
                b
            }
        };
        if data.is_terminator() {
            self.current = None;
        }
        let inst = self.func.make_inst(data, results, self.loc);
        self.func.blocks[block].insts.push(inst);
        inst
    }

    fn push1(&mut self, data: InstData, ty: Type) -> Value {
        let inst = self.push(data, &[ty]);
        self.func.inst_results(inst)[0]
    }

    /// A new site at the current place.
    pub fn site(&mut self) -> Site {
        self.func.make_site(self.loc)
    }

    /// The type of a value.
    pub fn ty(&self, v: Value) -> Type {
        self.func.value_type(v)
    }

    /// A new local variable.
    pub fn slot(&mut self, name: &str, size: u32, align: u32) -> Slot {
        debug_assert!(align.is_power_of_two());
        self.func.slots.push(SlotData {
            size,
            align_log2: align.trailing_zeros() as u8,
            space: self.func.side.local_space(),
            name: name.to_owned(),
            loc: self.loc.into(),
            part: None,
            ty: None,
        })
    }

    /// A constant of any type from its bits; higher ones are cut.
    pub fn const_bits(&mut self, ty: Type, bits: u128) -> Value {
        self.push1(InstData::Const { ty, bits: bits & ty.bit_mask() }, ty)
    }

    /// An integer constant.
    pub fn iconst(&mut self, ty: Type, value: i128) -> Value {
        self.const_bits(ty, value as u128)
    }

    /// An `f32` constant.
    pub fn f32const(&mut self, value: f32) -> Value {
        self.const_bits(Type::F32, value.to_bits().into())
    }

    /// An `f64` constant.
    pub fn f64const(&mut self, value: f64) -> Value {
        self.const_bits(Type::F64, value.to_bits().into())
    }

    /// The null pointer, of type `ty`.
    pub fn null(&mut self, ty: Type) -> Value {
        debug_assert!(ty.is_ptr());
        self.const_bits(ty, 0)
    }

    /// The address of a variable.
    pub fn global_addr(&mut self, module: &Module, global: GlobalId) -> Value {
        self.push1(InstData::GlobalAddr { global }, Type::Ptr(module.globals[global].space))
    }

    /// The address of a function.
    pub fn func_addr(&mut self, func: FuncId) -> Value {
        self.push1(InstData::FuncAddr { func }, Type::Ptr(crate::Space::Code))
    }

    /// The address of a local variable.
    pub fn slot_addr(&mut self, slot: Slot) -> Value {
        let ty = Type::Ptr(self.func.slots[slot].space);
        self.push1(InstData::SlotAddr { slot }, ty)
    }

    /// A special register.
    pub fn special(&mut self, reg: SpecialReg) -> Value {
        let ty =
            if matches!(reg, SpecialReg::Clock | SpecialReg::Globaltimer) { Type::I64 } else { Type::I32 };
        self.push1(InstData::Special { reg }, ty)
    }

    /// One operand.
    pub fn unary(&mut self, op: UnaryOp, arg: Value) -> Value {
        let ty = self.ty(arg);
        self.push1(InstData::Unary { op, nsw: false, arg }, ty)
    }

    /// Negation of a signed integer, overflow undefined.
    pub fn ineg_nsw(&mut self, arg: Value) -> Value {
        let ty = self.ty(arg);
        self.push1(InstData::Unary { op: UnaryOp::Ineg, nsw: true, arg }, ty)
    }

    /// A conversion; nothing where the type stays and the operation would do nothing.
    pub fn cast(&mut self, op: CastOp, ty: Type, arg: Value) -> Value {
        if self.ty(arg) == ty {
            return arg;
        }
        self.push1(InstData::Cast { op, ty, arg }, ty)
    }

    /// Two operands.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        debug_assert_eq!(ty, self.ty(b), "{op}");
        self.push1(InstData::Binary { op, nsw: false, args: [a, b] }, ty)
    }

    /// Two operands, signed overflow undefined (for the operations that take `nsw`).
    pub fn binary_nsw(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        debug_assert!(op.takes_nsw());
        let ty = self.ty(a);
        debug_assert_eq!(ty, self.ty(b), "{op}");
        self.push1(InstData::Binary { op, nsw: true, args: [a, b] }, ty)
    }

    /// Integer or pointer comparison.
    pub fn icmp(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        self.push1(InstData::Icmp { cc, args: [a, b] }, Type::I1)
    }

    /// Floating comparison.
    pub fn fcmp(&mut self, cc: FloatCC, a: Value, b: Value) -> Value {
        self.push1(InstData::Fcmp { cc, args: [a, b] }, Type::I1)
    }

    /// An operation on `f32` or `f64` with a rounding of its own: never contracted with another. A product is
    /// fused with -0, a sum has a factor of 1, which changes no result. Other operations are as they are.
    pub fn rounded_binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        let neutral = |b: &mut Self, x: f64| match ty {
            Type::F32 => Some(b.f32const(x as f32)),
            Type::F64 => Some(b.f64const(x)),
            _ => None,
        };
        let (x, args) = match op {
            BinaryOp::Fmul => (-0.0, [Some(a), Some(b), None]),
            BinaryOp::Fadd => (1.0, [Some(a), None, Some(b)]),
            BinaryOp::Fsub => (-1.0, [Some(b), None, Some(a)]),
            _ => return self.binary(op, a, b),
        };
        match neutral(self, x) {
            Some(n) => {
                let [x, y, z] = args.map(|v| v.unwrap_or(n));
                self.ternary(TernaryOp::Fma, x, y, z)
            }
            None => self.binary(op, a, b),
        }
    }

    /// Three operands.
    pub fn ternary(&mut self, op: TernaryOp, a: Value, b: Value, c: Value) -> Value {
        let ty = self.ty(c);
        self.push1(InstData::Ternary { op, args: [a, b, c] }, ty)
    }

    /// `cond ? a : b`, both evaluated.
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        self.ternary(TernaryOp::Select, cond, a, b)
    }

    /// A pointer moved by an `i64` number of bytes.
    pub fn ptr_add(&mut self, ptr: Value, offset: Value) -> Value {
        let ty = self.ty(ptr);
        self.push1(InstData::PtrAdd { ptr, offset }, ty)
    }

    /// A pointer moved by a constant number of bytes; the pointer itself for 0.
    pub fn ptr_offset(&mut self, ptr: Value, offset: i64) -> Value {
        if offset == 0 {
            return ptr;
        }
        let o = self.iconst(Type::I64, offset.into());
        self.ptr_add(ptr, o)
    }

    /// `a - b` in bytes.
    pub fn ptr_diff(&mut self, a: Value, b: Value) -> Value {
        self.push1(InstData::PtrDiff { args: [a, b] }, Type::I64)
    }

    /// A load.
    pub fn load(&mut self, ty: Type, ptr: Value, flags: MemFlags) -> Value {
        let site = self.site();
        self.push1(InstData::Load { ty, flags, ptr, site }, ty)
    }

    /// A store.
    pub fn store(&mut self, value: Value, ptr: Value, flags: MemFlags) {
        let site = self.site();
        self.push(InstData::Store { flags, value, ptr, site }, &[]);
    }

    /// A copy of `len` bytes.
    pub fn mem_copy(&mut self, dst: Value, src: Value, len: Value, flags: MemFlags) {
        let dst_site = self.site();
        let src_site = self.site();
        self.push(InstData::MemCopy { flags, dst, src, len, dst_site, src_site }, &[]);
    }

    /// Fills `len` bytes with `byte`.
    pub fn mem_fill(&mut self, dst: Value, byte: Value, len: Value, flags: MemFlags) {
        let site = self.site();
        self.push(InstData::MemFill { flags, dst, byte, len, site }, &[]);
    }

    /// A lifetime marker.
    pub fn lifetime(&mut self, op: LifetimeOp, slot: Slot) {
        self.push(InstData::Lifetime { op, slot }, &[]);
    }

    /// A check that an index lies in its array.
    pub fn bounds(&mut self, index: Value, len: u64) {
        self.push(InstData::Bounds { index, len }, &[]);
    }

    /// Memory of the current frame; `scoped` for a variable length array.
    pub fn alloca(&mut self, size: Value, align: u32, scoped: bool) -> Value {
        let ty = Type::Ptr(self.func.side.local_space());
        self.push1(InstData::Alloca { ty, scoped, size, align_log2: align.trailing_zeros() as u8 }, ty)
    }

    /// An atomic load.
    pub fn atomic_load(&mut self, ty: Type, order: MemOrder, scope: Scope, ptr: Value) -> Value {
        let site = self.site();
        self.push1(InstData::AtomicLoad { ty, order, scope, ptr, site }, ty)
    }

    /// An atomic store.
    pub fn atomic_store(&mut self, order: MemOrder, scope: Scope, value: Value, ptr: Value) {
        let site = self.site();
        self.push(InstData::AtomicStore { order, scope, value, ptr, site }, &[]);
    }

    /// An atomic read-modify-write.
    pub fn atomic_rmw(
        &mut self,
        op: AtomicOp,
        order: MemOrder,
        scope: Scope,
        ptr: Value,
        value: Value,
    ) -> Value {
        let (site, ty) = (self.site(), self.ty(value));
        self.push1(InstData::AtomicRmw { op, order, scope, ptr, value, site }, ty)
    }

    /// An atomic compare and swap.
    pub fn atomic_cas(
        &mut self,
        order: MemOrder,
        scope: Scope,
        ptr: Value,
        expected: Value,
        new: Value,
    ) -> Value {
        let (site, ty) = (self.site(), self.ty(new));
        self.push1(InstData::AtomicCas { order, scope, ptr, expected, new, site }, ty)
    }

    /// A fence.
    pub fn fence(&mut self, order: MemOrder, scope: Scope) {
        let site = self.site();
        self.push(InstData::Fence { order, scope, site }, &[]);
    }

    /// A barrier; `pred` (`i32`) for the kinds that have one, whose result is then given.
    pub fn barrier(&mut self, kind: BarrierKind, pred: Option<Value>) -> Option<Value> {
        debug_assert_eq!(kind.has_predicate(), pred.is_some());
        let site = self.site();
        let args = self.func.list(pred.as_slice());
        let results: &[Type] = if pred.is_some() { &[Type::I32] } else { &[] };
        let inst = self.push(InstData::Barrier { kind, args, site }, results);
        self.func.result(inst)
    }

    /// `__syncwarp`.
    pub fn warp_sync(&mut self, mask: Value) {
        let site = self.site();
        self.push(InstData::WarpSync { mask, site }, &[]);
    }

    /// A shuffle.
    pub fn shfl(&mut self, mode: ShflMode, mask: Value, value: Value, lane: Value, width: Value) -> Value {
        let (site, ty) = (self.site(), self.ty(value));
        self.push1(InstData::Shfl { mode, mask, value, lane, width, site }, ty)
    }

    /// A vote.
    pub fn vote(&mut self, mode: VoteMode, mask: Value, pred: Value) -> Value {
        let site = self.site();
        self.push1(InstData::Vote { mode, mask, pred, site }, Type::I32)
    }

    /// A match: the mask and, for `all`, the predicate.
    pub fn match_(&mut self, mode: MatchMode, mask: Value, value: Value) -> (Value, Option<Value>) {
        let site = self.site();
        let types: &[Type] = if mode == MatchMode::All { &[Type::I32, Type::I32] } else { &[Type::I32] };
        let inst = self.push(InstData::Match { mode, mask, value, site }, types);
        let r = self.func.inst_results(inst);
        (r[0], r.get(1).copied())
    }

    /// A warp reduction.
    pub fn reduce(&mut self, op: ReduceOp, mask: Value, value: Value) -> Value {
        let site = self.site();
        self.push1(InstData::Reduce { op, mask, value, site }, Type::I32)
    }

    /// The mask of active lanes; `implied` where the program's warp function takes none.
    pub fn active_mask(&mut self, implied: bool) -> Value {
        let site = self.site();
        self.push1(InstData::ActiveMask { implied, site }, Type::I32)
    }

    /// A direct call; gives the result if the callee has one.
    pub fn call(&mut self, module: &Module, func: FuncId, args: &[Value]) -> Option<Value> {
        let site = self.site();
        let args = self.func.list(args);
        let ret: SmallVec<[Type; 1]> = module.funcs[func].sig.ret.into_iter().collect();
        let inst = self.push(InstData::Call { func, args, site }, &ret);
        self.func.result(inst)
    }

    /// A call through a pointer.
    pub fn call_indirect(
        &mut self,
        module: &Module,
        sig: SigId,
        callee: Value,
        args: &[Value],
    ) -> Option<Value> {
        let site = self.site();
        let args = self.func.list(args);
        let ret: SmallVec<[Type; 1]> = module.sigs[sig].ret.into_iter().collect();
        let inst = self.push(InstData::CallIndirect { sig, callee, args, site }, &ret);
        self.func.result(inst)
    }

    /// A direct call that may throw: goes on in a new block, or at `unwind`, whose only parameter is the exception.
    pub fn invoke(&mut self, module: &Module, func: FuncId, args: &[Value], unwind: Block) -> Option<Value> {
        let site = self.site();
        let args = self.func.list(args);
        let (next, normal, unwind) = self.continuations(unwind);
        let result = module.funcs[func].sig.ret.map(|ty| self.func.append_block_param(next, ty));
        self.push(InstData::Invoke { func, args, normal, unwind, site }, &[]);
        self.switch_to(next);
        result
    }

    /// [`FuncBuilder::invoke`] through a pointer.
    pub fn invoke_indirect(
        &mut self,
        module: &Module,
        sig: SigId,
        callee: Value,
        args: &[Value],
        unwind: Block,
    ) -> Option<Value> {
        let site = self.site();
        let args = self.func.list(args);
        let (next, normal, unwind) = self.continuations(unwind);
        let result = module.sigs[sig].ret.map(|ty| self.func.append_block_param(next, ty));
        self.push(InstData::InvokeIndirect { sig, callee, args, normal, unwind, site }, &[]);
        self.switch_to(next);
        result
    }

    fn continuations(&mut self, unwind: Block) -> (Block, BlockCall, BlockCall) {
        let next = self.func.make_block();
        (next, self.target(next, &[]), self.target(unwind, &[]))
    }

    /// Passes an exception on to the caller.
    pub fn resume(&mut self, exception: Value) {
        self.push(InstData::Resume { exception }, &[]);
    }

    /// A kernel launch: eight configuration values, then the kernel's arguments. Gives the error code.
    pub fn launch(&mut self, kernel: FuncId, args: &[Value]) -> Value {
        let site = self.site();
        let args = self.func.list(args);
        self.push1(InstData::Launch { kernel, args, site }, Type::I32)
    }

    /// A kernel launch through a pointer.
    pub fn launch_indirect(&mut self, sig: SigId, callee: Value, args: &[Value]) -> Value {
        let site = self.site();
        let args = self.func.list(args);
        self.push1(InstData::LaunchIndirect { sig, callee, args, site }, Type::I32)
    }

    /// `va_start`, `va_end` (one pointer) or `va_copy` (destination, source).
    pub fn va(&mut self, op: VaOp, lists: &[Value]) {
        let site = self.site();
        let args = self.func.list(lists);
        self.push(InstData::Va { op, args, site }, &[]);
    }

    /// `va_arg`.
    pub fn va_arg(&mut self, ty: Type, list: Value) -> Value {
        let site = self.site();
        self.push1(InstData::VaArg { ty, list, site }, ty)
    }

    /// A branch target.
    pub fn target(&mut self, block: Block, args: &[Value]) -> BlockCall {
        self.func.block_call(block, args)
    }

    /// Goes to a block.
    pub fn jump(&mut self, block: Block, args: &[Value]) {
        let dest = self.target(block, args);
        self.push(InstData::Jump { dest }, &[]);
    }

    /// Goes to one of two blocks without parameters.
    pub fn branch(&mut self, cond: Value, then: Block, other: Block) {
        let (then, other) = (self.target(then, &[]), self.target(other, &[]));
        self.push(InstData::Branch { cond, then, other }, &[]);
    }

    /// Goes to one of two blocks with arguments.
    pub fn branch_with(&mut self, cond: Value, then: BlockCall, other: BlockCall) {
        self.push(InstData::Branch { cond, then, other }, &[]);
    }

    /// A switch over blocks without parameters.
    pub fn switch(&mut self, arg: Value, default: Block, cases: &[(u128, Block)]) {
        let mask = self.ty(arg).bit_mask();
        let default = self.target(default, &[]);
        let cases = cases
            .iter()
            .map(|&(v, b)| (v & mask, BlockCall { block: b, args: crate::ValueList::default() }))
            .collect();
        let table = self.func.tables.push(SwitchData { default, cases });
        self.push(InstData::Switch { arg, table }, &[]);
    }

    /// Leaves the function.
    pub fn ret(&mut self, value: Option<Value>) {
        let args = self.func.list(value.as_slice());
        self.push(InstData::Return { args }, &[]);
    }

    /// Ends control flow.
    pub fn trap(&mut self, code: TrapCode) {
        self.push(InstData::Trap { code }, &[]);
    }
}
