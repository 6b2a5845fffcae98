//! Functions: signature, data-flow graph, layout and source places.
//!
//! What a function contains ([`Function::insts`], [`Function::values`]), in which order
//! ([`Function::layout`], [`BlockData::insts`]) and where it came from ([`Function::locs`]) are
//! separate structures. A function without blocks is a declaration: a native function.

use crate::entities::*;
use crate::inst::{BlockCall, InstData, Operand, Part, SwitchData, ValueList, ValuePool};
use crate::source_type::SourceType;
use crate::types::{Space, Type};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ParamAttr {
    /// As the value itself.
    #[default]
    None,
    /// An aggregate by value: the caller passes a pointer to a copy of `size` bytes that it made for
    /// this call. For a kernel the copy lies in the launch's parameter memory (space `const`).
    ByVal {
        /// Bytes.
        size: u32,
        /// Alignment as a power of two.
        align_log2: u8,
    },
    /// The first parameter of a function that returns an aggregate: where to write it.
    SRet {
        /// Bytes.
        size: u32,
        /// Alignment as a power of two.
        align_log2: u8,
    },
}

/// A parameter of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// The type of the value passed.
    pub ty: Type,
    /// How it is passed.
    pub attr: ParamAttr,
}

impl Param {
    /// A parameter passed as the value itself.
    pub fn new(ty: Type) -> Param {
        Param { ty, attr: ParamAttr::None }
    }
}

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// The parameters.
    pub params: Vec<Param>,
    /// The result.
    pub ret: Option<Type>,
    /// Whether further arguments may follow.
    pub variadic: bool,
}

/// Where a function runs. A `__host__ __device__` function is two functions of the module, one for
/// each side (the device copy's name ends in [`crate::DEVICE_SUFFIX`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// On the host.
    Host,
    /// On the device, called from device code.
    Device,
    /// On the device, launched.
    Kernel,
}

impl Side {
    /// The name in the textual IR.
    pub fn name(self) -> &'static str {
        match self {
            Side::Host => "host",
            Side::Device => "device",
            Side::Kernel => "kernel",
        }
    }

    /// Whether this runs on the device.
    pub fn on_device(self) -> bool {
        self != Side::Host
    }

    /// The space of local variables on this side.
    pub fn local_space(self) -> Space {
        if self.on_device() { Space::Local } else { Space::Host }
    }
}

/// What is visible to other translation units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Only this translation unit; the linker renames on a clash.
    Internal,
    /// All; one definition.
    External,
    /// All; equal definitions are merged (inline functions, template instances).
    Weak,
}

impl Linkage {
    /// The name in the textual IR.
    pub fn name(self) -> &'static str {
        match self {
            Linkage::Internal => "internal",
            Linkage::External => "external",
            Linkage::Weak => "weak",
        }
    }
}

/// What a function of the texture header does to texels, which lie in arrays of their own. Of its parameters one of type
/// `i64`, the last, is the object; the coordinates follow it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Texels {
    /// Reads through a texture.
    Texture,
    /// Reads through a surface. The first coordinate counts bytes, and the boundary mode comes last.
    SurfaceRead,
    /// Writes through a surface, with coordinates as for reads.
    SurfaceWrite,
}

impl Texels {
    /// All of them.
    pub const ALL: [Texels; 3] = [Texels::Texture, Texels::SurfaceRead, Texels::SurfaceWrite];

    /// Which of a function's parameters is the texture or surface. None where the function is none of the header's.
    pub fn object(sig: &Signature) -> Option<usize> {
        sig.params.iter().rposition(|p| p.ty == Type::I64)
    }

    /// Its name in text.
    pub fn name(self) -> &'static str {
        match self {
            Texels::Texture => "texture",
            Texels::SurfaceRead => "surface_read",
            Texels::SurfaceWrite => "surface_write",
        }
    }
}

/// A barrier of a block that has a number, and a count of threads of its own: what a function does whose first parameter
/// is the number, and whose second one, if it has one, the count. Without a count all threads of the block meet. Both are
/// of type `i32`, and there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NumberedBarrier {
    /// Arrives, and waits for the others.
    Sync,
    /// Arrives, and goes on.
    Arrive,
}

impl NumberedBarrier {
    /// All of them.
    pub const ALL: [NumberedBarrier; 2] = [NumberedBarrier::Sync, NumberedBarrier::Arrive];

    /// Its name in text.
    pub fn name(self) -> &'static str {
        match self {
            NumberedBarrier::Sync => "barrier_sync",
            NumberedBarrier::Arrive => "barrier_arrive",
        }
    }

    /// Whether a function of this signature may be one.
    pub fn fits(self, sig: &Signature) -> bool {
        let counts = match self {
            NumberedBarrier::Sync => [1, 2].contains(&sig.params.len()),
            NumberedBarrier::Arrive => sig.params.len() == 2,
        };
        let plain = |p: &Param| p.ty == Type::I32 && p.attr == ParamAttr::None;
        counts && sig.params.iter().all(plain) && sig.ret.is_none() && !sig.variadic
    }
}

/// Properties of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FuncAttrs {
    /// `__noinline__`
    pub noinline: bool,
    /// `__forceinline__`
    pub always_inline: bool,
    /// Does not return.
    pub noreturn: bool,
    /// No exception leaves it: one that would ends the program.
    pub noexcept: bool,
    /// Nobody knows whether an exception may leave it: one that would is not supported. `noexcept` outweighs it.
    pub noexcept_unknown: bool,
    /// Calls `setjmp`: no variable is promoted.
    pub returns_twice: bool,
    /// `__launch_bounds__`: maximum threads per block, minimum blocks per multiprocessor; 0 is unset.
    pub launch_bounds: [u32; 2],
    /// The third of them: maximum blocks per cluster; 0 is unset.
    pub max_cluster: u32,
    /// `__cluster_dims__`: blocks of a cluster; 0 is unset.
    pub cluster_dims: [u32; 3],
    /// It reads or writes texels. Such a function stays a call.
    pub texels: Option<Texels>,
    /// It is a barrier with a number. Such a function stays a call, too.
    pub barrier: Option<NumberedBarrier>,
}

/// A local variable in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SlotData {
    /// Bytes.
    pub size: u32,
    /// Alignment as a power of two.
    pub align_log2: u8,
    /// `host` or `local`.
    pub space: Space,
    /// The source name; empty for temporaries.
    pub name: String,
    /// Where it is declared.
    pub loc: PackedOption<Loc>,
    /// For a piece of a variable that was taken apart: the piece's offset in it, and its size.
    pub part: Option<(u32, u32)>,
    /// The source type of the variable, taken apart or not; none for temporaries and variables of libraries.
    pub ty: Option<SourceType>,
}

/// A place that touches memory or synchronises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SiteData {
    /// The source place.
    pub loc: PackedOption<Loc>,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The n-th result of an instruction.
    Result(Inst, u32),
    /// The n-th parameter of a block.
    Param(Block, u32),
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// Its definition.
    pub def: ValueDef,
}

/// A block: its parameters and its instructions in order, the last a terminator.
#[derive(Clone, Debug, Default)]
pub struct BlockData {
    /// The parameters.
    pub params: ValueList,
    /// The instructions.
    pub insts: Vec<Inst>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The symbol: mangled name, unique in the module.
    pub name: String,
    /// What a reader calls it (`sum`, `scale<float>`).
    pub display_name: String,
    /// Where it runs.
    pub side: Side,
    /// Its visibility.
    pub linkage: Linkage,
    /// Parameters and result.
    pub sig: Signature,
    /// What the source calls the parameters of a kernel; empty where there are no names.
    pub param_names: Vec<String>,
    /// Properties.
    pub attrs: FuncAttrs,
    /// Where it is declared.
    pub loc: PackedOption<Loc>,
    /// The blocks in order; the first is the entry, whose parameters are those of the function.
    pub layout: Vec<Block>,
    /// The blocks.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The instructions.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Each instruction's results.
    pub results: SecondaryMap<Inst, ValueList>,
    /// The values.
    pub values: PrimaryMap<Value, ValueData>,
    /// The pool of value lists.
    pub pool: ValuePool,
    /// The case tables.
    pub tables: PrimaryMap<SwitchTable, SwitchData>,
    /// The local variables in memory.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// The sites.
    pub sites: PrimaryMap<Site, SiteData>,
    /// Each instruction's source place.
    pub locs: SecondaryMap<Inst, PackedOption<Loc>>,
}

impl Function {
    /// A declaration; it becomes a definition with its first block.
    pub fn new(name: impl Into<String>, side: Side, sig: Signature) -> Function {
        let name = name.into();
        Function {
            display_name: name.clone(),
            name,
            side,
            param_names: Vec::new(),
            linkage: Linkage::External,
            sig,
            attrs: FuncAttrs::default(),
            loc: None.into(),
            layout: Vec::new(),
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            results: SecondaryMap::new(),
            values: PrimaryMap::new(),
            pool: ValuePool::new(),
            tables: PrimaryMap::new(),
            slots: PrimaryMap::new(),
            sites: PrimaryMap::new(),
            locs: SecondaryMap::new(),
        }
    }

    /// Whether this has no body.
    pub fn is_declaration(&self) -> bool {
        self.layout.is_empty()
    }

    /// The entry block, absent in a declaration.
    pub fn entry(&self) -> Option<Block> {
        self.layout.first().copied()
    }

    /// A new block, not yet in the layout.
    pub fn make_block(&mut self) -> Block {
        self.blocks.push(BlockData::default())
    }

    /// Adds a parameter to a block.
    pub fn append_block_param(&mut self, block: Block, ty: Type) -> Value {
        let n = self.blocks[block].params.len(&self.pool) as u32;
        let v = self.values.push(ValueData { ty, def: ValueDef::Param(block, n) });
        self.blocks[block].params.push(v, &mut self.pool);
        v
    }

    /// Removes parameter `n` of a block; the predecessors' arguments are the caller's concern.
    pub fn remove_block_param(&mut self, block: Block, n: usize) {
        self.blocks[block].params.remove(n, &mut self.pool);
        for (i, &v) in self.blocks[block].params.as_slice(&self.pool).iter().enumerate() {
            self.values[v].def = ValueDef::Param(block, i as u32);
        }
    }

    /// The parameters of a block.
    pub fn block_params(&self, block: Block) -> &[Value] {
        self.blocks[block].params.as_slice(&self.pool)
    }

    /// The instructions of a block in order.
    pub fn block_insts(&self, block: Block) -> &[Inst] {
        &self.blocks[block].insts
    }

    /// The terminator of a block, if it has one.
    pub fn terminator(&self, block: Block) -> Option<Inst> {
        self.blocks[block].insts.last().copied().filter(|&i| self.insts[i].is_terminator())
    }

    /// A new instruction with its results, in no block yet. `sigs` resolves indirect calls, `ret`
    /// direct ones: see [`crate::Module::result_types`].
    pub fn make_inst(&mut self, data: InstData, results: &[Type], loc: Option<Loc>) -> Inst {
        let inst = self.insts.push(data);
        for (n, &ty) in results.iter().enumerate() {
            let v = self.values.push(ValueData { ty, def: ValueDef::Result(inst, n as u32) });
            self.results[inst].push(v, &mut self.pool);
        }
        self.locs[inst] = loc.into();
        inst
    }

    /// The results of an instruction.
    pub fn inst_results(&self, inst: Inst) -> &[Value] {
        self.results[inst].as_slice(&self.pool)
    }

    /// The only result of an instruction, if it has exactly one.
    pub fn result(&self, inst: Inst) -> Option<Value> {
        match self.inst_results(inst) {
            [v] => Some(*v),
            _ => None,
        }
    }

    /// The type of a value.
    pub fn value_type(&self, v: Value) -> Type {
        self.values[v].ty
    }

    /// What the language demands of the address of an access, in bytes; 1 of any other instruction.
    pub fn stated_alignment(&self, inst: Inst) -> u32 {
        match self.insts[inst] {
            InstData::Load { flags, .. }
            | InstData::Store { flags, .. }
            | InstData::MemCopy { flags, .. }
            | InstData::MemFill { flags, .. } => flags.align(),
            InstData::AtomicLoad { ty, .. } => ty.align(),
            InstData::AtomicStore { value, .. }
            | InstData::AtomicRmw { value, .. }
            | InstData::AtomicCas { new: value, .. } => self.value_type(value).align(),
            _ => 1,
        }
    }

    /// The instruction that defines `v`, unless it is a block parameter.
    pub fn def_inst(&self, v: Value) -> Option<Inst> {
        match self.values[v].def {
            ValueDef::Result(inst, _) => Some(inst),
            ValueDef::Param(..) => None,
        }
    }

    /// The bits of `v` if it is a constant.
    pub fn const_bits(&self, v: Value) -> Option<u128> {
        match self.insts[self.def_inst(v)?] {
            InstData::Const { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// `v` as a sign-extended integer if it is an integer constant of at most 64 bits.
    pub fn const_int(&self, v: Value) -> Option<i64> {
        let ty = self.value_type(v);
        let bits = self.const_bits(v)?;
        if !ty.is_int() || ty.bits() > 64 {
            return None;
        }
        let shift = 64 - ty.bits();
        Some(((bits as u64) << shift) as i64 >> shift)
    }

    /// The pointer that another one is computed from, and how many bytes behind it that one points, if that is a constant.
    pub fn pointer_start(&self, mut ptr: Value) -> (Value, Option<i64>) {
        let mut offset = Some(0i64);
        while let Some(inst) = self.def_inst(ptr) {
            match self.insts[inst] {
                InstData::PtrAdd { ptr: from, offset: by } => {
                    offset = offset.zip(self.const_int(by)).and_then(|(a, b)| a.checked_add(b));
                    ptr = from;
                }
                InstData::Cast { arg, .. } if self.value_type(arg).is_ptr() => ptr = arg,
                _ => break,
            }
        }
        (ptr, offset)
    }

    /// A list of values in the pool.
    pub fn list(&mut self, values: &[Value]) -> ValueList {
        ValueList::from_slice(values, &mut self.pool)
    }

    /// A branch target.
    pub fn block_call(&mut self, block: Block, args: &[Value]) -> BlockCall {
        BlockCall { block, args: ValueList::from_slice(args, &mut self.pool) }
    }

    /// A new site at a place.
    pub fn make_site(&mut self, loc: Option<Loc>) -> Site {
        self.sites.push(SiteData { loc: loc.into() })
    }

    /// Calls `f` with each operand of `inst`, the arguments of all its targets included.
    pub fn for_each_arg(&self, inst: Inst, mut f: impl FnMut(Value)) {
        let mut data = self.insts[inst].clone();
        data.visit_operands(|op| match op {
            Operand::One(v) => f(*v),
            Operand::List(l) => l.as_slice(&self.pool).iter().copied().for_each(&mut f),
        });
        if let InstData::Switch { table, .. } = data {
            let table = &self.tables[table];
            for call in table.cases.iter().map(|c| &c.1).chain([&table.default]) {
                call.args.as_slice(&self.pool).iter().copied().for_each(&mut f);
            }
        }
    }

    /// Replaces each operand of `inst`, the arguments of all its targets included.
    pub fn map_args(&mut self, inst: Inst, mut f: impl FnMut(Value) -> Value) {
        let Function { insts, pool, tables, .. } = self;
        let data = &mut insts[inst];
        data.visit_operands(|op| match op {
            Operand::One(v) => *v = f(*v),
            Operand::List(l) => l.as_mut_slice(pool).iter_mut().for_each(|v| *v = f(*v)),
        });
        if let InstData::Switch { table, .. } = *data {
            let table = &mut tables[table];
            for call in table.cases.iter_mut().map(|c| &mut c.1).chain([&mut table.default]) {
                call.args.as_mut_slice(pool).iter_mut().for_each(|v| *v = f(*v));
            }
        }
    }

    /// Calls `f` with each target of a terminator, in order: `then` before `other`, `normal` before
    /// `unwind`, cases before the default.
    pub fn for_each_target(&self, inst: Inst, mut f: impl FnMut(&BlockCall)) {
        let data = &self.insts[inst];
        if !data.is_terminator() {
            return;
        }
        data.clone().visit(|part| match part {
            Part::Target(call) => f(call),
            Part::Table(table) => {
                let table = &self.tables[*table];
                table.cases.iter().map(|c| &c.1).chain([&table.default]).for_each(&mut f);
            }
            _ => {}
        });
    }

    /// Calls `f` with each target of a terminator, for changing it; the pool comes along.
    pub fn for_each_target_mut(&mut self, inst: Inst, mut f: impl FnMut(&mut BlockCall, &mut ValuePool)) {
        let Function { insts, pool, tables, .. } = self;
        insts[inst].visit(|part| match part {
            Part::Target(call) => f(call, pool),
            Part::Table(table) => {
                let table = &mut tables[*table];
                for call in table.cases.iter_mut().map(|c| &mut c.1).chain([&mut table.default]) {
                    f(call, pool);
                }
            }
            _ => {}
        });
    }

    /// The successors of a block, in the order of its terminator's targets, with repetitions.
    pub fn successors(&self, block: Block) -> smallvec::SmallVec<[Block; 4]> {
        let mut out = smallvec::SmallVec::new();
        if let Some(t) = self.terminator(block) {
            self.for_each_target(t, |c| out.push(c.block));
        }
        out
    }

    /// Replaces every use of a value that `map` names, in all instructions of the layout. Chains in the
    /// map are followed.
    pub fn replace_uses(&mut self, map: &SecondaryMap<Value, PackedOption<Value>>) {
        let resolve = |mut v: Value| {
            while let Some(w) = map[v].expand() {
                v = w;
            }
            v
        };
        for b in 0..self.layout.len() {
            let block = self.layout[b];
            for i in 0..self.blocks[block].insts.len() {
                let inst = self.blocks[block].insts[i];
                self.map_args(inst, resolve);
            }
        }
    }
}
