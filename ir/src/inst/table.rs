//! The table of instructions.
//!
//! [`for_each_inst!`] hands every row to a macro. From the rows come the enumerations [`super::InstData`] and
//! [`super::Opcode`], the walks over an instruction's parts, its properties, its name in the text, and the patterns of
//! [`insts!`](crate::insts). A row is
//!
//! ```text
//! Name MNEMONIC, FLOW, results RESULTS, memory MEMORY [, pure { CONDITION }] => { fields }
//! ```
//!
//! - *Mnemonic*: the word that the text begins with, or `op: Operation` where each operation has its own.
//! - *Flow*: `terminator` ends a block. `convergent` acts on several threads, and so no pass may copy it or change what
//!   its execution depends on. All others are `plain`.
//! - *Results*: `none`, `one`, or `varies` (with an operand or a signature). Their types: `Module::result_types`.
//! - *Memory*: what it does to the contents of memory: `reads`, `writes`, `updates` (both), `calls` (whatever the callee
//!   does), or `none`. An instruction that only orders or ends something touches no contents.
//! - *Pure*: a condition on the fields. Where it holds, executing the instruction does nothing but compute its
//!   results, whatever its operands. Without a condition it never holds.
//!
//! What a field is (an operand, a site, a target) follows from its type: see [`super::parts`]. Walks visit the fields in
//! the order in which they stand here.

/// Calls the macro named with all rows.
macro_rules! for_each_inst {
    ($callback:ident) => {
        $callback! {
            /// A constant: the low bits of `bits`, as many as `ty` has (two's complement, IEEE, x87, or a
            /// pointer's bits, 0 being the null pointer).
            Const "const", plain, results one, memory none, pure { true } => {
                /// Result type.
                ty: Type,
                /// The bits; those above the type's width are zero.
                bits: u128,
            }
            /// The address of a variable of static storage; type `ptr` of the variable's space.
            GlobalAddr "global_addr", plain, results one, memory none, pure { true } => {
                /// The variable.
                global: GlobalId,
            }
            /// The address of a function; type `ptr.code`.
            FuncAddr "func_addr", plain, results one, memory none, pure { true } => {
                /// The function.
                func: FuncId,
            }
            /// The address of a local variable; type `ptr` of the slot's space.
            SlotAddr "slot_addr", plain, results one, memory none, pure { true } => {
                /// The variable.
                slot: Slot,
            }
            /// A special register; `i32`, the counters `i64`.
            Special "special", plain, results one, memory none, pure { !reg.is_counter() } => {
                /// Which.
                reg: SpecialReg,
            }
            /// One operand, result of the same type.
            Unary op: UnaryOp, plain, results one, memory none, pure { !nsw } => {
                /// The operation.
                op: UnaryOp,
                /// `ineg` only: overflow is undefined behaviour.
                nsw: bool,
                /// The operand.
                arg: Value,
            }
            /// A conversion to `ty`.
            Cast op: CastOp, plain, results one, memory none, pure { !op.can_trap() } => {
                /// The conversion.
                op: CastOp,
                /// Result type.
                ty: Type,
                /// The operand.
                arg: Value,
            }
            /// Two operands and a result of one type.
            Binary op: BinaryOp, plain, results one, memory none, pure { !nsw && !op.can_trap() } => {
                /// The operation.
                op: BinaryOp,
                /// Signed overflow is undefined behaviour; see [`BinaryOp::takes_nsw`].
                nsw: bool,
                /// Left and right operand.
                args: [Value; 2],
            }
            /// Integer or pointer comparison; `i1`.
            Icmp "icmp", plain, results one, memory none, pure { cc.is_total() } => {
                /// The condition.
                cc: IntCC,
                /// Left and right operand.
                args: [Value; 2],
            }
            /// Floating comparison; `i1`.
            Fcmp "fcmp", plain, results one, memory none, pure { true } => {
                /// The condition.
                cc: FloatCC,
                /// Left and right operand.
                args: [Value; 2],
            }
            /// Three operands; the result has the type of the last.
            Ternary op: TernaryOp, plain, results one, memory none, pure { true } => {
                /// The operation.
                op: TernaryOp,
                /// The operands.
                args: [Value; 3],
            }
            /// A pointer moved by an `i64` number of bytes. Saturates at the range of its object.
            PtrAdd "ptradd", plain, results one, memory none, pure { true } => {
                /// The pointer.
                ptr: Value,
                /// Bytes, signed.
                offset: Value,
            }
            /// Distance in bytes, `i64`, between two pointers into one object (`args[0] - args[1]`).
            PtrDiff "ptrdiff", plain, results one, memory none => {
                /// Left and right pointer.
                args: [Value; 2],
            }
            /// A load.
            Load "load", plain, results one, memory reads => {
                /// Result type.
                ty: Type,
                /// Volatility and alignment.
                flags: MemFlags,
                /// The address.
                ptr: Value,
                /// The site.
                site: Site,
            }
            /// A store.
            Store "store", plain, results none, memory writes => {
                /// Volatility and alignment.
                flags: MemFlags,
                /// The value.
                value: Value,
                /// The address.
                ptr: Value,
                /// The site.
                site: Site,
            }
            /// Copies `len` bytes with their initialisation state: aggregate assignment, `memcpy` with a
            /// known meaning. The ranges may be identical; where they overlap otherwise the bytes are moved
            /// as by `memmove`.
            MemCopy "memcopy", plain, results none, memory updates => {
                /// Alignment of both addresses, volatility.
                flags: MemFlags,
                /// Where to.
                dst: Value,
                /// Where from.
                src: Value,
                /// Bytes, `i64`.
                len: Value,
                /// The site of the write.
                dst_site: Site,
                /// The site of the read.
                src_site: Site,
            }
            /// Fills `len` bytes.
            MemFill "memfill", plain, results none, memory writes => {
                /// Alignment, volatility.
                flags: MemFlags,
                /// Where to.
                dst: Value,
                /// The byte, `i8`.
                byte: Value,
                /// Bytes, `i64`.
                len: Value,
                /// The site.
                site: Site,
            }
            /// A lifetime marker of a local variable. A slot without markers lives as long as its frame.
            Lifetime "lifetime", plain, results none, memory none => {
                /// Begin or end.
                op: LifetimeOp,
                /// The variable.
                slot: Slot,
            }
            /// A check that an index lies in its array, `0..len`, where the enclosing object is larger than the array: a row,
            /// a member.
            Bounds "bounds", plain, results none, memory none => {
                /// `i32` or `i64`, below `len` as an unsigned number.
                index: Value,
                /// Elements.
                len: u64,
            }
            /// Memory of the current frame of `size` bytes (`alloca`, variable length arrays); pointer in
            /// space `host` or `local`.
            Alloca "alloca", plain, results one, memory none => {
                /// Result type, a pointer.
                ty: Type,
                /// A variable length array: executed again in its frame, what it gave before has left its scope.
                scoped: bool,
                /// Bytes, `i64`.
                size: Value,
                /// Alignment as a power of two.
                align_log2: u8,
            }
            /// An atomic load.
            AtomicLoad "atomic_load", plain, results one, memory reads => {
                /// Result type.
                ty: Type,
                /// Order.
                order: MemOrder,
                /// Scope.
                scope: Scope,
                /// The address.
                ptr: Value,
                /// The site.
                site: Site,
            }
            /// An atomic store.
            AtomicStore "atomic_store", plain, results none, memory writes => {
                /// Order.
                order: MemOrder,
                /// Scope.
                scope: Scope,
                /// The value.
                value: Value,
                /// The address.
                ptr: Value,
                /// The site.
                site: Site,
            }
            /// An atomic read-modify-write; the result is the old value.
            AtomicRmw "atomic", plain, results one, memory updates => {
                /// The operation.
                op: AtomicOp,
                /// Order.
                order: MemOrder,
                /// Scope.
                scope: Scope,
                /// The address.
                ptr: Value,
                /// The operand; its type is the type in memory.
                value: Value,
                /// The site.
                site: Site,
            }
            /// Atomic compare and swap; the result is the old value.
            AtomicCas "atomic_cas", plain, results one, memory updates => {
                /// Order.
                order: MemOrder,
                /// Scope.
                scope: Scope,
                /// The address.
                ptr: Value,
                /// The value compared with.
                expected: Value,
                /// The value stored when equal.
                new: Value,
                /// The site.
                site: Site,
            }
            /// Counts a thread that comes here, for a report of what a run executed.
            Count "count", plain, results none, memory none => {
                /// The number of the counter.
                counter: u32,
            }
            /// A memory fence.
            Fence "fence", plain, results none, memory none => {
                /// Order.
                order: MemOrder,
                /// Scope.
                scope: Scope,
                /// The site.
                site: Site,
            }
            /// A barrier of the block, or of its cluster. Convergent. `count`, `and` and `or` take an `i32` and give an `i32`.
            Barrier "barrier", convergent, results varies, memory none => {
                /// Which.
                kind: BarrierKind,
                /// The predicate, where the kind has one.
                args: ValueList,
                /// The site.
                site: Site,
            }
            /// `__syncwarp(mask)`. Convergent.
            WarpSync "warp_sync", convergent, results none, memory none => {
                /// The mask, `i32`.
                mask: Value,
                /// The site.
                site: Site,
            }
            /// A warp shuffle. Convergent. Result of the type of `value`.
            Shfl "shfl", convergent, results one, memory none => {
                /// How the source lane is found.
                mode: ShflMode,
                /// The mask, `i32`.
                mask: Value,
                /// The value offered.
                value: Value,
                /// Lane or distance, `i32`.
                lane: Value,
                /// Width of the sub-warp, `i32`.
                width: Value,
                /// The site.
                site: Site,
            }
            /// A warp vote; `i32`. Convergent.
            Vote "vote", convergent, results one, memory none => {
                /// Which.
                mode: VoteMode,
                /// The mask, `i32`.
                mask: Value,
                /// The predicate, `i32`; non-zero holds.
                pred: Value,
                /// The site.
                site: Site,
            }
            /// A warp match; a mask `i32`, for `all` also the predicate, `i32`. Convergent.
            Match "match", convergent, results varies, memory none => {
                /// Which.
                mode: MatchMode,
                /// The mask, `i32`.
                mask: Value,
                /// The value, `i32` or `i64`.
                value: Value,
                /// The site.
                site: Site,
            }
            /// A warp reduction; `i32`. Convergent.
            Reduce "reduce", convergent, results one, memory none => {
                /// The operation.
                op: ReduceOp,
                /// The mask, `i32`.
                mask: Value,
                /// The value, `i32`.
                value: Value,
                /// The site.
                site: Site,
            }
            /// The mask of active lanes; `i32`. Convergent.
            ActiveMask "active_mask", convergent, results one, memory none => {
                /// It stands for the mask that an old warp function does not take (`__shfl`, `__any`).
                implied: bool,
                /// The site.
                site: Site,
            }
            /// A direct call. A callee without a body is a native function, found by its name.
            Call "call", plain, results varies, memory calls => {
                /// The callee.
                func: FuncId,
                /// Arguments, more than parameters where the callee is variadic.
                args: ValueList,
                /// The site.
                site: Site,
            }
            /// A call through a pointer.
            CallIndirect "call_indirect", plain, results varies, memory calls => {
                /// What the caller believes the callee to be.
                sig: SigId,
                /// The function pointer.
                callee: Value,
                /// Arguments.
                args: ValueList,
                /// The site.
                site: Site,
            }
            /// A direct call that may throw: control goes on at `normal`, whose block's *first* parameter
            /// is the result if there is one, or at `unwind`, whose block's first parameter is the exception
            /// object. Ends the block.
            Invoke "invoke", terminator, results none, memory calls => {
                /// The callee.
                func: FuncId,
                /// Arguments.
                args: ValueList,
                /// Where to go on. Its arguments exclude the result.
                normal: BlockCall,
                /// Where to go on when an exception passes. Its arguments exclude the exception.
                unwind: BlockCall,
                /// The site.
                site: Site,
            }
            /// [`InstData::Invoke`] through a pointer.
            InvokeIndirect "invoke_indirect", terminator, results none, memory calls => {
                /// What the caller believes the callee to be.
                sig: SigId,
                /// The function pointer.
                callee: Value,
                /// Arguments.
                args: ValueList,
                /// As in `invoke`.
                normal: BlockCall,
                /// As in `invoke`.
                unwind: BlockCall,
                /// The site.
                site: Site,
            }
            /// A kernel launch. The first eight arguments are the configuration: grid x, y, z and block x, y,
            /// z (`i32`), dynamic shared memory in bytes (`i64`), stream (a pointer); then the kernel's
            /// arguments. The result is the error code, `i32`.
            Launch "launch", plain, results one, memory calls => {
                /// The kernel.
                kernel: FuncId,
                /// Configuration and arguments.
                args: ValueList,
                /// The site.
                site: Site,
            }
            /// A launch through a pointer.
            LaunchIndirect "launch_indirect", plain, results one, memory calls => {
                /// The kernel's signature.
                sig: SigId,
                /// The kernel.
                callee: Value,
                /// Configuration and arguments.
                args: ValueList,
                /// The site.
                site: Site,
            }
            /// `va_start`, `va_end`, `va_copy`.
            Va "va", plain, results none, memory updates => {
                /// Which.
                op: VaOp,
                /// Pointer to the list; for `copy` also to the source.
                args: ValueList,
                /// The site.
                site: Site,
            }
            /// `va_arg`: the next argument, read as `ty`.
            VaArg "va_arg", plain, results one, memory updates => {
                /// Result type.
                ty: Type,
                /// Pointer to the list.
                list: Value,
                /// The site.
                site: Site,
            }
            /// Goes to a block.
            Jump "jump", terminator, results none, memory none => {
                /// The target.
                dest: BlockCall,
            }
            /// Goes to one of two blocks.
            Branch "branch", terminator, results none, memory none => {
                /// The condition, `i1`.
                cond: Value,
                /// Where to go if it is 1.
                then: BlockCall,
                /// Where to go if it is 0.
                other: BlockCall,
            }
            /// Goes to the block whose case equals the operand.
            Switch "switch", terminator, results none, memory none => {
                /// The operand, an integer.
                arg: Value,
                /// The cases.
                table: SwitchTable,
            }
            /// Leaves the function.
            Return "return", terminator, results none, memory none => {
                /// The result, if the function has one.
                args: ValueList,
            }
            /// Passes an exception on to the caller.
            Resume "resume", terminator, results none, memory none => {
                /// The exception object.
                exception: Value,
            }
            /// Control cannot go on.
            Trap "trap", terminator, results none, memory none => {
                /// Why.
                code: TrapCode,
            }
        }
    };
}

pub(super) use for_each_inst;
