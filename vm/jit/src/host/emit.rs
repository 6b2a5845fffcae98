//! Writes the machine code of a function of the host: its shape, and control.

use super::abi::{HELPERS, HostCache, HostContext, HostHelper, RECENT, object};
use super::exits::{Exit, Unsaved};
use super::flow::{Flow, Keep, Kind, constants};
use super::ops::{self, Way};
use super::{HostProgram, HostSlot};
use crate::Refusal;
use crate::branch::stay;
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, AbiParam, InstBuilder, MemFlagsData};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Switch, Variable};
use cudair_bytecode::{Code, Op, S, SwitchId, Target, families};
use std::mem::offset_of;

/// Kinds of memory that do not overlap.
#[derive(Clone, Copy)]
pub(crate) struct Regions {
    /// The frame's words.
    pub(crate) words: MemFlagsData,
    /// Views of objects. While compiled code runs they change in the rights to a local variable alone, and then who points into
    /// it is looked up again: what is loaded through one such result is always the same.
    pub(crate) views: MemFlagsData,
    /// The rights to local variables.
    pub(crate) rights: MemFlagsData,
    /// Bytes of objects.
    pub(crate) bytes: MemFlagsData,
    /// Their bits of initialisation.
    pub(crate) bits: MemFlagsData,
    /// Fields of the context that do not change.
    pub(crate) context: MemFlagsData,
    /// The others.
    pub(crate) value: MemFlagsData,
}

/// What accesses have found out of objects, by their views.
#[derive(Clone, Default)]
pub(crate) struct Found {
    /// That the host has a right.
    pub(super) permitted: Vec<(cl::Value, i64)>,
    /// The addresses of their bytes.
    pub(super) data: Vec<(cl::Value, cl::Value)>,
}

/// The state while the code of a function is written.
pub(crate) struct Emitter<'a, 'b> {
    pub(crate) b: FunctionBuilder<'b>,
    pub(crate) code: &'a Code,
    pub(crate) flow: &'a Flow,
    pub(crate) slots: &'a [HostSlot],
    pub(crate) program: &'a HostProgram<'a>,
    pub(crate) regions: Regions,
    pub(crate) cx: cl::Value,
    pub(crate) words: cl::Value,
    /// The end of the function's frame on the stack of calls.
    pub(crate) top: cl::Value,
    pub(crate) budget: Variable,
    /// The entry that was taken.
    pub(crate) entry: cl::Value,
    /// The signature of compiled functions.
    pub(crate) function: cl::SigRef,
    blocks: Vec<cl::Block>,
    /// By block, of those that are the head of a loop: the block through which the loop is entered (a preheader), so that
    /// what does not change in the loop is computed there.
    ways_in: Vec<Option<cl::Block>>,
    /// By web.
    pub(super) variables: Vec<Variable>,
    /// By web: the object that a pointer points into, if memory is accessed through it.
    objects: Vec<Option<Variable>>,
    /// By word of the frame: the web of its value.
    now: Vec<u32>,
    /// Values of the block that are not in the frame yet: the word, the web, and the last operation before which compiled code
    /// has to write it there if it leaves.
    pub(super) unsaved: Vec<Unsaved>,
    /// What accesses have found out, on every way to here.
    pub(super) found: Found,
    /// The same at the end of blocks, by block.
    found_in: Vec<Found>,
    /// Side exits.
    pub(super) exits: Vec<Exit>,
    /// Where compiled code ends, with the operation and the budget: as the innermost activation, and as any.
    pub(super) ends: [cl::Block; 2],
    /// For each call through a pointer: what it called before.
    pub(crate) caches: &'a [HostCache],
    helpers: [cl::SigRef; HELPERS],
    /// The operation whose code is written.
    pub(crate) pc: usize,
}

impl<'a, 'b> Emitter<'a, 'b> {
    /// Writes a function.
    ///
    /// # Errors
    /// What the tier does not do.
    pub(crate) fn emit(
        code: &'a Code,
        flow: &'a Flow,
        slots: &'a [HostSlot],
        program: &'a HostProgram<'a>,
        caches: &'a [HostCache],
        mut b: FunctionBuilder<'b>,
        target: TargetFrontendConfig,
    ) -> Result<(), Refusal> {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let params = b.block_params(entry).to_vec();
        let budget = b.declare_var(ct::I32);
        b.def_var(budget, params[4]);
        let mut region = |n: u32, name: &'static str| {
            let data = cl::AliasRegionData { user_id: n, description: name.into() };
            let region = b.func.dfg.alias_regions.insert(data);
            MemFlagsData::new().with_notrap().with_alias_region(region.into())
        };
        let regions = Regions {
            words: region(0, "words"),
            views: region(1, "views").with_readonly().with_can_move(),
            rights: region(6, "rights"),
            bytes: region(2, "bytes"),
            bits: region(3, "bits"),
            context: region(4, "context").with_readonly().with_can_move(),
            value: region(5, "value"),
        };
        let signature = |args: usize| {
            let mut sig = cl::Signature::new(target.default_call_conv);
            sig.params = vec![AbiParam::new(ct::I64); args + 1];
            sig.returns = vec![AbiParam::new(ct::I32)];
            sig
        };
        let helpers = [3, 1, 4, 4, 1, 0, 1].map(|args| b.import_signature(signature(args)));
        let function = b.func.signature.clone();
        let function = b.import_signature(function);
        let blocks = flow.blocks.iter().map(|_| b.create_block()).collect();
        let ways_in =
            flow.blocks.iter().map(|block| block.last_back_edge.map(|_| b.create_block())).collect();
        let ends = [b.create_block(), b.create_block()];
        for end in ends {
            b.append_block_param(end, ct::I64);
            b.set_cold_block(end);
        }
        let variables = flow.kinds.iter().map(|&kind| b.declare_var(register(kind))).collect();
        let objects = flow.bases.iter().map(|&base| base.then(|| b.declare_var(ct::I64))).collect();
        let mut e = Emitter {
            b,
            code,
            flow,
            slots,
            program,
            regions,
            cx: params[0],
            words: params[1],
            top: params[2],
            budget,
            entry: params[3],
            function,
            blocks,
            ways_in,
            variables,
            objects,
            now: vec![u32::MAX; usize::from(code.files.scalars)],
            unsaved: Vec::new(),
            found: Found::default(),
            found_in: vec![Found::default(); flow.blocks.len()],
            exits: Vec::new(),
            ends,
            caches,
            helpers,
            pc: 0,
        };
        e.entries(params[3]);
        for n in 0..flow.blocks.len() {
            e.block(n)?;
            for (head, _) in flow.blocks.iter().enumerate().filter(|(_, b)| b.last_back_edge == Some(n)) {
                e.b.seal_block(e.blocks[head]);
            }
        }
        e.write_exits();
        e.b.seal_all_blocks();
        e.b.finalize(target);
        Ok(())
    }

    /// The ways in: by the entry's number, with the live registers from the frame.
    fn entries(&mut self, number: cl::Value) {
        let flow = self.flow;
        let ways: Vec<cl::Block> = flow.entries.iter().map(|_| self.b.create_block()).collect();
        if let [only] = ways[..] {
            self.b.ins().jump(only, &[]);
        } else {
            // Calls first, which have the number of no entry.
            let (first, others) = (self.called(), self.b.create_block());
            self.b.ins().brif(first, ways[0], &[], others, &[]);
            self.go(others);
            let mut switch = Switch::new();
            for (n, &way) in ways.iter().enumerate().skip(1) {
                switch.set_entry(n as u128, way);
            }
            switch.emit(&mut self.b, number, ways[0]);
        }
        for (k, (&way, &n)) in ways.iter().zip(&flow.entries).enumerate() {
            self.go(way);
            // Helpers that look at the frame find its constants there; so does the bytecode, where compiled code has left.
            if k == 0 && self.code.ops.iter().any(|&op| ops::is_helped(ops::first(op))) {
                self.write_constants();
            }
            for &(w, web) in &flow.blocks[n].webs {
                let at = 8 * i32::from(w);
                let ty = register(flow.kinds[web as usize]);
                let value = self.b.ins().load(ty, self.regions.words, self.words, at);
                self.b.def_var(self.variables[web as usize], value);
                if let Some(v) = self.objects[web as usize] {
                    // Calls take the first way in, and have most of the others' work less often.
                    let object = if k == 0 { self.look_up(value) } else { self.look_up_shortly(value) };
                    self.b.def_var(v, object);
                }
            }
            let to = self.way_in(n);
            self.b.ins().jump(to, &[]);
        }
    }

    /// Goes on in a block to which all ways are written. As soon as they are it is sealed, so that a value that all of them agree
    /// on is no new one there: the compiler would not find that out later.
    pub(crate) fn go(&mut self, block: cl::Block) {
        self.b.switch_to_block(block);
        self.b.seal_block(block);
    }

    /// Where control comes to a block by anything but a back edge.
    fn way_in(&self, n: usize) -> cl::Block {
        self.ways_in[n].unwrap_or(self.blocks[n])
    }

    fn block(&mut self, n: usize) -> Result<(), Refusal> {
        self.block_code(n)?;
        self.found_in[n] = std::mem::take(&mut self.found);
        Ok(())
    }

    fn block_code(&mut self, n: usize) -> Result<(), Refusal> {
        let flow = self.flow;
        let block = &flow.blocks[n];
        if let Some(way_in) = self.ways_in[n] {
            self.go(way_in);
            self.b.ins().jump(self.blocks[n], &[]);
        }
        if block.last_back_edge.is_some() {
            // It is sealed behind the last back edge.
            self.b.switch_to_block(self.blocks[n]);
        } else {
            self.go(self.blocks[n]);
        }
        self.now.fill(u32::MAX);
        self.unsaved.clear();
        self.found = block.only_from.map(|from| self.found_in[from].clone()).unwrap_or_default();
        for &(w, web) in &block.webs {
            self.now[usize::from(w)] = web;
        }
        for pc in block.first..block.end {
            self.pc = pc;
            let op = ops::first(self.code.ops[pc]);
            match op {
                Op::Call { call } => {
                    if self.call(call)? {
                        break;
                    }
                    self.leave(pc);
                    return Ok(());
                }
                Op::Ret {} => {
                    self.return_to_caller(None);
                    return Ok(());
                }
                Op::RetS { a } => {
                    self.return_to_caller(Some(a));
                    return Ok(());
                }
                _ if ops::way(op) != Way::Compiled => {
                    self.leave(pc);
                    return Ok(());
                }
                _ => {}
            }
            if self.control(op)? {
                return Ok(());
            }
        }
        let next = flow.begins.get(block.end).copied().flatten();
        let next = next.ok_or(Refusal("control leaves the function"))?;
        let to = self.way_in(next as usize);
        self.b.ins().jump(to, &[]);
        Ok(())
    }

    /// Writes an operation. Whether it ends its block.
    fn control(&mut self, op: Op) -> Result<bool, Refusal> {
        families! {
            match op {
                Op::Jump { target } => {
                    let to = self.edge(target)?;
                    self.b.ins().jump(to, &[]);
                }
                Op::BrNz { c, target } => {
                    let c = self.int(c);
                    self.branch(c, target)?;
                }
                Op::BrZ { c, target } => {
                    let c = self.int(c);
                    let c = self.b.ins().icmp_imm_s(Cc::Equal, c, 0);
                    self.branch(c, target)?;
                }
                @for (N Cond) in [
                    (Eq Equal) (Ne NotEqual) (Ult UnsignedLessThan) (Ule UnsignedLessThanOrEqual)
                ] {
                    Op::Br~N { a, b, target } => {
                        let (a, b) = (self.int(a), self.int(b));
                        let c = self.b.ins().icmp(Cc::Cond, a, b);
                        self.branch(c, target)?;
                    }
                }
                @for (T int) in [(I32 int32) (I64 int)] {
                    @for (N Cond) in [(Slt SignedLessThan) (Sle SignedLessThanOrEqual)] {
                        Op::Br~N~T { a, b, target } => {
                            let (a, b) = (self.int(a), self.int(b));
                            let c = self.b.ins().icmp(Cc::Cond, a, b);
                            self.branch(c, target)?;
                        }
                    }
                    @for (N Cond) in [
                        (Eq Equal) (Ne NotEqual)
                        (Slt SignedLessThan) (Sle SignedLessThanOrEqual)
                        (Sgt SignedGreaterThan) (Sge SignedGreaterThanOrEqual)
                        (Ult UnsignedLessThan) (Ule UnsignedLessThanOrEqual)
                        (Ugt UnsignedGreaterThan) (Uge UnsignedGreaterThanOrEqual)
                    ] {
                        Op::Br~N~T~I { a, imm, target } => {
                            let a = self.int(a);
                            let c = self.b.ins().icmp_imm_s(Cc::Cond, a, i64::from(imm));
                            self.branch(c, target)?;
                        }
                    }
                }
                Op::SwitchS { a, table } => self.switch(a, table)?,
                _ => {
                    self.operation(op)?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Goes to `target` if `c` is not 0, and to the next operation otherwise.
    fn branch(&mut self, c: cl::Value, target: Target) -> Result<(), Refusal> {
        let next = self.flow.begins.get(self.pc + 1).copied().flatten();
        let next = self.way_in(next.ok_or(Refusal("control leaves the function"))? as usize);
        if target.index() > self.pc {
            let to = self.edge(target)?;
            self.b.ins().brif(c, to, &[], next, &[]);
            return Ok(());
        }
        let back = self.b.create_block();
        stay(&mut self.b, c, back, next);
        self.go(back);
        let to = self.tick(target)?;
        self.b.ins().jump(to, &[]);
        Ok(())
    }

    /// The block at a target; of a back edge, one that first takes from the budget.
    fn edge(&mut self, target: Target) -> Result<cl::Block, Refusal> {
        if target.index() <= self.pc {
            return self.tick(target);
        }
        self.at(target)
    }

    fn at(&self, target: Target) -> Result<cl::Block, Refusal> {
        let n = self.flow.begins.get(target.index()).copied().flatten();
        let n = n.ok_or(Refusal("a target inside a block"))? as usize;
        Ok(if target.index() <= self.pc { self.blocks[n] } else { self.way_in(n) })
    }

    /// Takes a back edge from the budget. The last one is the bytecode's, which looks at the limits then.
    fn tick(&mut self, target: Target) -> Result<cl::Block, Refusal> {
        let budget = self.b.use_var(self.budget);
        let less = self.b.ins().iadd_imm_s(budget, -1);
        self.leave_unless(less)?;
        self.b.def_var(self.budget, less);
        self.at(target)
    }

    fn switch(&mut self, a: S, table: SwitchId) -> Result<(), Refusal> {
        let table = &self.code.tables.switches[table];
        let value = self.int(a);
        let mut switch = Switch::new();
        let mut backs: Vec<(cl::Block, Target)> = Vec::new();
        let mut to = |e: &mut Self, target: Target| {
            if target.index() > e.pc {
                return e.at(target);
            }
            let block = e.b.create_block();
            backs.push((block, target));
            Ok(block)
        };
        for &(case, target) in &table.cases {
            let block = to(self, target)?;
            switch.set_entry(u128::from(case), block);
        }
        let default = to(self, table.default)?;
        switch.emit(&mut self.b, value, default);
        for (block, target) in backs {
            self.go(block);
            let at = self.tick(target)?;
            self.b.ins().jump(at, &[]);
        }
        Ok(())
    }

    /// The constant in a word, if it holds one.
    fn constant(&self, w: u16) -> Option<u64> {
        let range = constants(self.code);
        range.contains(&w).then(|| self.code.files.consts[usize::from(w - range.start)])
    }

    /// The value of a register as bits of a word.
    pub(crate) fn int(&mut self, r: S) -> cl::Value {
        self.word(r.0, Kind::Int)
    }

    /// The low 32 bits of a register.
    pub(crate) fn int32(&mut self, r: S) -> cl::Value {
        let x = self.int(r);
        self.b.ins().ireduce(ct::I32, x)
    }

    /// The value of a word of the frame.
    pub(crate) fn word(&mut self, w: u16, kind: Kind) -> cl::Value {
        if let Some(bits) = self.constant(w) {
            return match kind {
                Kind::Int => self.b.ins().iconst(ct::I64, bits as i64),
                Kind::F32 => self.b.ins().f32const(cl::immediates::Ieee32::with_bits(bits as u32)),
                Kind::F64 => self.b.ins().f64const(cl::immediates::Ieee64::with_bits(bits)),
            };
        }
        let web = self.now[usize::from(w)];
        if web == u32::MAX {
            // Nobody has written it: what stands there is not used, or the frame has it.
            let ty = register(kind);
            return self.b.ins().load(ty, self.regions.words, self.words, 8 * i32::from(w));
        }
        let value = self.b.use_var(self.variables[web as usize]);
        self.convert(value, self.flow.kinds[web as usize], kind)
    }

    /// A value's bits as another kind.
    fn convert(&mut self, x: cl::Value, from: Kind, to: Kind) -> cl::Value {
        let none = MemFlagsData::new();
        let bits = match from {
            _ if from == to => return x,
            Kind::Int => x,
            Kind::F32 => {
                let bits = self.b.ins().bitcast(ct::I32, none, x);
                self.b.ins().uextend(ct::I64, bits)
            }
            Kind::F64 => self.b.ins().bitcast(ct::I64, none, x),
        };
        match to {
            Kind::Int => bits,
            Kind::F32 => {
                let low = self.b.ins().ireduce(ct::I32, bits);
                self.b.ins().bitcast(ct::F32, none, low)
            }
            Kind::F64 => self.b.ins().bitcast(ct::F64, none, bits),
        }
    }

    /// The web of the `k`th word that the operation writes.
    pub(crate) fn defined(&self, k: usize) -> u32 {
        self.flow.defined[self.pc][k]
    }

    /// The kind of the `k`th word that the operation writes.
    pub(crate) fn wanted(&self, k: usize) -> Kind {
        self.flow.kinds[self.defined(k) as usize]
    }

    /// Writes the operation's only result.
    pub(crate) fn set(&mut self, d: S, x: cl::Value, kind: Kind) {
        self.set_nth(0, d.0, x, kind);
    }

    /// Writes the low 32 bits of the operation's only result; the others are 0.
    pub(crate) fn set32(&mut self, d: S, x: cl::Value) {
        let x = self.b.ins().uextend(ct::I64, x);
        self.set(d, x, Kind::Int);
    }

    /// Writes a condition.
    pub(crate) fn set_flag(&mut self, d: S, x: cl::Value) {
        let x = self.b.ins().uextend(ct::I64, x);
        self.set(d, x, Kind::Int);
    }

    /// Writes the `k`th word that the operation writes.
    pub(crate) fn set_nth(&mut self, k: usize, w: u16, x: cl::Value, kind: Kind) {
        let web = self.defined(k);
        let has = self.flow.kinds[web as usize];
        let value = self.convert(x, kind, has);
        self.b.def_var(self.variables[web as usize], value);
        self.now[usize::from(w)] = web;
        self.unsaved.retain(|u| u.word != w);
        match self.flow.kept[self.pc][k] {
            Keep::Never => {}
            Keep::AtOnce => self.write(w, value, has),
            Keep::AtExits(until) => self.unsaved.push(Unsaved { word: w, web, until }),
        }
    }

    /// Takes the `k`th word that the operation writes from the frame, where a helper has written it.
    fn take(&mut self, k: usize, w: u16) {
        let web = self.defined(k);
        let ty = register(self.flow.kinds[web as usize]);
        let value = self.b.ins().load(ty, self.regions.words, self.words, 8 * i32::from(w));
        self.b.def_var(self.variables[web as usize], value);
        self.unsaved.retain(|u| u.word != w);
        self.now[usize::from(w)] = web;
        self.define_object(web, value);
    }

    /// The object that the pointer in a register points into. Its web is a base.
    pub(crate) fn object(&mut self, r: S) -> Option<cl::Value> {
        let web = self.now[usize::from(r.0)];
        let variable = self.objects.get(web as usize).copied().flatten()?;
        Some(self.b.use_var(variable))
    }

    /// Whether the pointer in a register is not the same all through the innermost loop.
    pub(crate) fn changes(&self, r: S) -> bool {
        let web = self.now[usize::from(r.0)];
        web == u32::MAX || self.flow.changes(web, self.pc) != Some(false)
    }

    /// Whether a loop goes on with another pointer in a register each time.
    pub(crate) fn is_followed(&self, r: S) -> bool {
        let web = self.now[usize::from(r.0)];
        web != u32::MAX && self.flow.changes(web, self.pc) == Some(true)
    }

    /// Whether memory is accessed through the pointers of a web.
    pub(crate) fn has_object(&self, web: u32) -> bool {
        self.objects[web as usize].is_some()
    }

    /// The kind in which a register's value is kept.
    pub(crate) fn kind_of(&self, r: S) -> Kind {
        match self.now[usize::from(r.0)] {
            u32::MAX => Kind::Int,
            web => self.flow.kinds[web as usize],
        }
    }

    /// Looks up the object that a new pointer points into, where its web is a base.
    pub(crate) fn define_object(&mut self, web: u32, pointer: cl::Value) {
        if let Some(v) = self.objects[web as usize] {
            let object = self.look_up(pointer);
            self.b.def_var(v, object);
        }
    }

    /// A new pointer points into the object of the one in another register, where its web is a base.
    pub(crate) fn same_object(&mut self, web: u32, pointer: cl::Value, from: Option<cl::Value>) {
        match (self.objects[web as usize], from) {
            (Some(v), Some(object)) => self.b.def_var(v, object),
            (Some(_), None) => self.define_object(web, pointer),
            (None, _) => {}
        }
    }

    /// Looks a pointer's id up in the object table. Goes on where it is none of its ids; the block to go to from there has the
    /// view as its parameter.
    fn look_up_in_table(&mut self, pointer: cl::Value) -> (cl::Value, cl::Block) {
        let (local, done) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(local);
        self.b.append_block_param(done, ct::I64);
        let id = self.b.ins().ushr_imm_u(pointer, 32);
        let len = self.field(offset_of!(HostContext, table_len));
        let known = self.b.ins().icmp(Cc::UnsignedLessThan, id, len);
        let table = self.field(offset_of!(HostContext, table));
        let at = self.b.ins().ishl_imm_u(id, object::BYTES_LOG2);
        let in_table = self.b.ins().iadd(table, at);
        self.b.ins().brif(known, done, &[in_table.into()], local, &[]);
        self.go(local);
        (id, done)
    }

    /// [`Emitter::look_up`] in little code, by a helper where the object is a local variable.
    fn look_up_shortly(&mut self, pointer: cl::Value) -> cl::Value {
        let (_, done) = self.look_up_in_table(pointer);
        self.helper(HostHelper::LookUp, &[pointer]);
        let found = self.given(0);
        self.b.ins().jump(done, &[found.into()]);
        self.go(done);
        self.b.block_params(done)[0]
    }

    /// The view of the object of a pointer; one that refuses where it is not at hand.
    pub(crate) fn look_up(&mut self, pointer: cl::Value) -> cl::Value {
        let (id, done) = self.look_up_in_table(pointer);
        let recent = self.rarely(offset_of!(HostContext, recent));
        let n = self.b.ins().band_imm_s(id, RECENT - 1);
        let n = self.b.ins().ishl_imm_u(n, 3);
        let at = self.b.ins().iadd(recent, n);
        let both = self.b.ins().load(ct::I64, self.regions.value, at, 0);
        let low = self.b.ins().ireduce(ct::I32, both);
        let wanted = self.b.ins().ireduce(ct::I32, id);
        let same = self.b.ins().icmp(Cc::Equal, low, wanted);
        let number = self.b.ins().ushr_imm_u(both, 32);
        let len = self.rarely(offset_of!(HostContext, locals_len));
        let there = self.b.ins().icmp(Cc::UnsignedLessThan, number, len);
        let fine = self.b.ins().band(same, there);
        let locals = self.rarely(offset_of!(HostContext, locals));
        let at = self.b.ins().ishl_imm_u(number, object::BYTES_LOG2);
        let found = self.b.ins().iadd(locals, at);
        let refuses = self.rarely(offset_of!(HostContext, refuses));
        let found = self.b.ins().select(fine, found, refuses);
        self.b.ins().jump(done, &[found.into()]);
        self.go(done);
        self.b.block_params(done)[0]
    }

    /// A field of the context that is used rarely: it is loaded where it is, and holds no register before.
    fn rarely(&mut self, at: usize) -> cl::Value {
        self.b.ins().load(ct::I64, self.regions.value, self.cx, at as i32)
    }

    /// A field of the context that does not change.
    pub(crate) fn field(&mut self, at: usize) -> cl::Value {
        self.b.ins().load(ct::I64, self.regions.context, self.cx, at as i32)
    }

    /// What a helper gave.
    pub(crate) fn given(&mut self, n: usize) -> cl::Value {
        let at = offset_of!(HostContext, value) + 8 * n;
        self.b.ins().load(ct::I64, self.regions.value, self.cx, at as i32)
    }

    /// Calls a helper. Gives 0 where compiled code is to leave.
    pub(crate) fn helper(&mut self, helper: HostHelper, args: &[cl::Value]) -> cl::Value {
        let function = self.field(offset_of!(HostContext, helpers) + 8 * helper as usize);
        let mut all = vec![self.cx];
        all.extend(args);
        let call = self.b.ins().call_indirect(self.helpers[helper as usize], function, &all);
        self.b.inst_results(call)[0]
    }

    /// Has a helper do the operation on the frame's words.
    pub(crate) fn help(&mut self, op: Op) -> Result<(), Refusal> {
        self.save_read(op);
        let pc = self.b.ins().iconst(ct::I64, self.pc as i64);
        let function = self.b.ins().iconst(ct::I64, self.program.function as i64);
        let fine = self.helper(HostHelper::Do, &[pc, self.words, function]);
        self.leave_unless(fine)?;
        let mut written = Vec::new();
        ops::words(self.code, op, |w, writes| {
            if writes {
                written.push(w);
            }
        });
        if written.len() > 3 {
            return Err(Refusal("an operation with many results"));
        }
        for (k, w) in written.into_iter().enumerate() {
            self.take(k, w);
        }
        if let Op::Lifetime { .. } = op {
            self.look_up_again();
        }
        Ok(())
    }

    /// Objects have ended, or begun: which one a pointer points into is looked up again.
    fn look_up_again(&mut self) {
        let flow = self.flow;
        let Some((_, live)) = flow.live_behind.iter().find(|(pc, _)| *pc == self.pc) else { return };
        for w in live.iter() {
            let web = self.now[usize::from(w)];
            if web != u32::MAX && self.objects[web as usize].is_some() {
                let pointer = self.word(w, Kind::Int);
                self.define_object(web, pointer);
            }
        }
    }
}

/// The type of a kind's variables.
pub(crate) fn register(kind: Kind) -> cl::Type {
    match kind {
        Kind::Int => ct::I64,
        Kind::F32 => ct::F32,
        Kind::F64 => ct::F64,
    }
}
