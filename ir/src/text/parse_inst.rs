//! Parsing the bodies of functions.

use super::lex::Tok;
use super::parse::{Cursor, Parse, integer};
use super::parse_module::{Places, func_ref, global_ref};
use super::print_inst::LAUNCH_CONFIG;
use crate::entities::*;
use crate::function::{Function, SlotData, ValueData, ValueDef};
use crate::inst::{BlockCall, InstData, MemFlags, SwitchData, TrapCode};
use crate::module::Module;
use crate::ops::*;
use crate::types::{Space, Type};
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

type Types = SmallVec<[Type; 2]>;

/// A value that the text names: its entity, where it is first named and whether it is defined yet.
struct Named {
    value: Value,
    at: usize,
    defined: bool,
}

struct BodyParser<'m> {
    module: &'m mut Module,
    places: &'m Places,
    func: Function,
    values: FxHashMap<u32, Named>,
    blocks: FxHashMap<u32, (Block, usize, bool)>,
    slots: FxHashMap<u32, Slot>,
    sites: FxHashMap<u32, Site>,
    /// Types that the text states of operands, to be checked when all are defined.
    claims: Vec<(Value, Type, usize)>,
}

/// Parses from behind `{` to behind `}` and gives the function with canonical numbers.
pub(super) fn parse_body(
    c: &mut Cursor<'_, '_>,
    module: &mut Module,
    places: &Places,
    id: FuncId,
) -> Parse<Function> {
    let func = module.funcs[id].clone();
    let mut p = BodyParser {
        module,
        places,
        func,
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        slots: FxHashMap::default(),
        sites: FxHashMap::default(),
        claims: Vec::new(),
    };
    while c.peek_entity("slot").is_some() {
        p.slot(c)?;
    }
    while !c.eat("}") {
        p.block(c)?;
    }
    p.finish(c)
}

impl BodyParser<'_> {
    fn finish(mut self, c: &Cursor<'_, '_>) -> Parse<Function> {
        if self.func.layout.is_empty() {
            return c.error("a body without a block");
        }
        if let Some((n, v)) = self.values.iter().filter(|(_, v)| !v.defined).min_by_key(|(_, v)| v.at) {
            return Err((v.at, format!("`v{n}` is not defined in this function")));
        }
        if let Some((n, b)) = self.blocks.iter().filter(|(_, b)| !b.2).min_by_key(|(_, b)| b.1) {
            return Err((b.1, format!("there is no `block{n}` in this function")));
        }
        for (value, ty, at) in self.claims {
            let is = self.func.value_type(value);
            if is != ty {
                return Err((at, format!("an operand is {is}, the instruction says {ty}")));
            }
        }
        self.func.compact();
        Ok(self.func)
    }

    fn slot(&mut self, c: &mut Cursor<'_, '_>) -> Parse<()> {
        let at = c.at();
        let n = c.entity("slot")?;
        c.expect(":")?;
        let space = c.keyword("a memory space", Space::from_name)?;
        let size = c.number("a size")?;
        let align_log2 = c.align()?;
        let name = c.opt_string()?.unwrap_or_default();
        let part = if c.eat_word("part") {
            let offset = c.number("an offset")?;
            c.expect_word("of")?;
            Some((offset, c.number("a size")?))
        } else {
            None
        };
        let loc = self.places.opt_loc(c)?;
        let slot = self.func.slots.push(SlotData { size, align_log2, space, name, loc, part });
        if self.slots.insert(n, slot).is_some() {
            return Err((at, format!("`slot{n}` is defined twice")));
        }
        line_end(c)
    }

    fn block(&mut self, c: &mut Cursor<'_, '_>) -> Parse<()> {
        let at = c.at();
        if !c.at_line_start() || c.peek_entity("block").is_none() {
            return c.expected("a block such as `block0:`, or `}`");
        }
        let n = c.entity("block")?;
        let block = self.block_ref(n, at);
        match self.blocks.get_mut(&n) {
            Some(entry) if !entry.2 => entry.2 = true,
            _ => return Err((at, format!("`block{n}` is defined twice"))),
        }
        self.func.layout.push(block);
        if c.eat("(") && !c.eat(")") {
            let mut index = 0;
            loop {
                let at = c.at();
                let v = c.entity("v")?;
                c.expect(":")?;
                let ty = c.ty()?;
                let value = self.define(v, at, ty, ValueDef::Param(block, index))?;
                self.func.blocks[block].params.push(value, &mut self.func.pool);
                index += 1;
                if c.eat(")") {
                    break;
                }
                c.expect(",")?;
            }
        }
        c.expect(":")?;
        line_end(c)?;
        while c.peek_entity("block").is_none() && !matches!(c.peek(), Tok::Punct("}") | Tok::End) {
            self.inst(c, block)?;
        }
        Ok(())
    }

    fn block_ref(&mut self, n: u32, at: usize) -> Block {
        if let Some(&(b, ..)) = self.blocks.get(&n) {
            return b;
        }
        let b = self.func.make_block();
        self.blocks.insert(n, (b, at, false));
        b
    }

    fn define(&mut self, n: u32, at: usize, ty: Type, def: ValueDef) -> Parse<Value> {
        let data = ValueData { ty, def };
        match self.values.get_mut(&n) {
            Some(named) if named.defined => Err((at, format!("`v{n}` is defined twice"))),
            Some(named) => {
                named.defined = true;
                self.func.values[named.value] = data;
                Ok(named.value)
            }
            None => {
                let value = self.func.values.push(data);
                self.values.insert(n, Named { value, at, defined: true });
                Ok(value)
            }
        }
    }

    fn value(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Value> {
        let at = c.at();
        if c.at_line_start() {
            return c.error("expected a value on this line");
        }
        let n = c.entity("v")?;
        if let Some(named) = self.values.get(&n) {
            return Ok(named.value);
        }
        // The definition, with type and origin, follows further down.
        let unknown = ValueData { ty: Type::I1, def: ValueDef::Param(Block::from_u32(0), 0) };
        let value = self.func.values.push(unknown);
        self.values.insert(n, Named { value, at, defined: false });
        Ok(value)
    }

    fn values<const N: usize>(&mut self, c: &mut Cursor<'_, '_>) -> Parse<[Value; N]> {
        let mut out = [Value::from_u32(0); N];
        for (i, v) in out.iter_mut().enumerate() {
            if i > 0 {
                c.expect(",")?;
            }
            *v = self.value(c)?;
        }
        Ok(out)
    }

    /// Values with commas between them, at least one.
    fn value_list(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Vec<Value>> {
        let mut out = vec![self.value(c)?];
        while c.eat(",") {
            out.push(self.value(c)?);
        }
        Ok(out)
    }

    /// `(v1, v2)`.
    fn args(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Vec<Value>> {
        c.expect("(")?;
        if c.eat(")") {
            return Ok(Vec::new());
        }
        let out = self.value_list(c)?;
        c.expect(")")?;
        Ok(out)
    }

    fn block_call(&mut self, c: &mut Cursor<'_, '_>) -> Parse<BlockCall> {
        let at = c.at();
        let n = c.entity("block")?;
        let block = self.block_ref(n, at);
        let args = if matches!(c.peek(), Tok::Punct("(")) { self.args(c)? } else { Vec::new() };
        Ok(self.func.block_call(block, &args))
    }

    fn slot_ref(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Slot> {
        let at = c.at();
        let n = c.entity("slot")?;
        self.slots.get(&n).copied().ok_or_else(|| (at, format!("there is no `slot{n}`")))
    }

    /// An instruction with its results, sites and place.
    fn inst(&mut self, c: &mut Cursor<'_, '_>, block: Block) -> Parse<()> {
        let mut results: SmallVec<[(u32, usize); 2]> = SmallVec::new();
        let start = c.at();
        if c.peek_entity("v").is_some() && matches!(c.peek_second(), Tok::Punct("," | "=")) {
            loop {
                let at = c.at();
                results.push((c.entity("v")?, at));
                if c.eat("=") {
                    break;
                }
                c.expect(",")?;
            }
        }
        let op_at = c.at();
        let word = c.word("an instruction")?;
        let (mut data, types) = self.operation(c, word, op_at)?;
        if types.len() != results.len() {
            let message = format!("`{word}` has {} results, not {}", types.len(), results.len());
            return Err((start, message));
        }
        // A switch has its place before its cases, which `operation` has therefore read already.
        let loc;
        let mut stated: SmallVec<[Stated; 2]> = SmallVec::new();
        if let InstData::Switch { table, .. } = data {
            loc = self.places.opt_loc(c)?;
            self.cases(c, table, &data)?;
        } else {
            while let Some(n) = c.peek_entity("site").filter(|_| !c.at_line_start()) {
                let at = c.at();
                c.bump();
                stated.push(Stated { n, at, loc: self.site_loc(c)? });
            }
            loc = self.places.opt_loc(c)?;
        }
        let sites = self.resolve_sites(&stated, loc)?;
        let mut given = sites.into_iter();
        let mut missing = false;
        data.map_sites(|s| {
            given.next().unwrap_or_else(|| {
                missing = true;
                s
            })
        });
        if missing {
            return c.expected("a site such as `site0`");
        }
        if let Some(extra) = given.next() {
            let at = stated.iter().find(|s| self.sites.get(&s.n) == Some(&extra)).map_or(start, |s| s.at);
            return Err((at, format!("`{word}` has fewer sites")));
        }
        line_end(c)?;
        let inst = self.func.insts.push(data);
        self.func.locs[inst] = loc;
        self.func.blocks[block].insts.push(inst);
        for (i, ((n, at), ty)) in results.into_iter().zip(types).enumerate() {
            let v = self.define(n, at, ty, ValueDef::Result(inst, i as u32))?;
            self.func.results[inst].push(v, &mut self.func.pool);
        }
        Ok(())
    }

    /// `[locN]` or `[none]` behind a site.
    fn site_loc(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Option<PackedOption<Loc>>> {
        if !c.eat("[") {
            return Ok(None);
        }
        let loc = if c.eat_word("none") { None.into() } else { self.places.loc(c)?.0.into() };
        c.expect("]")?;
        Ok(Some(loc))
    }

    fn resolve_sites(&mut self, stated: &[Stated], loc: PackedOption<Loc>) -> Parse<SmallVec<[Site; 2]>> {
        let mut out = SmallVec::new();
        for s in stated {
            let loc = s.loc.unwrap_or(loc);
            let site = match self.sites.get(&s.n) {
                Some(&site) if self.func.sites[site].loc == loc => site,
                Some(_) => return Err((s.at, format!("`site{}` was at another place before", s.n))),
                None => {
                    let site = self.func.make_site(loc.expand());
                    self.sites.insert(s.n, site);
                    site
                }
            };
            out.push(site);
        }
        Ok(out)
    }

    fn cases(&mut self, c: &mut Cursor<'_, '_>, table: SwitchTable, data: &InstData) -> Parse<()> {
        let InstData::Switch { arg, .. } = *data else { return Ok(()) };
        // The type stands in the instruction; the operand may be defined further down.
        let ty = self.claims.iter().rev().find(|k| k.0 == arg).map_or(Type::I32, |k| k.1);
        c.expect("{")?;
        while !c.eat("}") {
            let bits = constant(c, ty)?;
            c.expect(":")?;
            let call = self.block_call(c)?;
            self.func.tables[table].cases.push((bits, call));
        }
        Ok(())
    }

    fn claim(&mut self, v: Value, ty: Type, at: usize) {
        self.claims.push((v, ty, at));
    }

    fn operation(&mut self, c: &mut Cursor<'_, '_>, word: &str, at: usize) -> Parse<(InstData, Types)> {
        let (head, suffix) = word.split_once('.').unwrap_or((word, ""));
        let bad = |what: &str| (at, format!("`{word}` does not name {what}"));
        let ty_of = |s: &str| s.parse::<Type>().map_err(|()| bad("a type after the `.`"));
        let ptr_of = |s: &str| Space::from_name(s).map(Type::Ptr).ok_or_else(|| bad("a space after the `.`"));
        if let Some(r) = self.arithmetic(c, head, suffix, at)? {
            return Ok(r);
        }
        // Sites follow the operands; `inst` fills them in.
        let site = Site::from_u32(0);
        Ok(match head {
            "const" => {
                let ty = ty_of(suffix)?;
                (InstData::Const { ty, bits: constant(c, ty)? }, smallvec![ty])
            }
            "global_addr" => {
                let global = global_ref(c, self.module)?;
                let ty = Type::Ptr(self.module.globals[global].space);
                (InstData::GlobalAddr { global }, smallvec![ty])
            }
            "func_addr" => {
                let func = func_ref(c, self.module)?;
                (InstData::FuncAddr { func }, smallvec![Type::Ptr(Space::Code)])
            }
            "slot_addr" => {
                let slot = self.slot_ref(c)?;
                (InstData::SlotAddr { slot }, smallvec![Type::Ptr(self.func.slots[slot].space)])
            }
            "special" => {
                let reg = c.keyword("a special register", SpecialReg::from_name)?;
                let data = InstData::Special { reg };
                let types = self.module.result_types(&self.func, &data);
                (data, types)
            }
            "icmp" => {
                let cc = IntCC::from_name(suffix).ok_or_else(|| bad("a condition"))?;
                (InstData::Icmp { cc, args: self.values(c)? }, smallvec![Type::I1])
            }
            "fcmp" => {
                let cc = FloatCC::from_name(suffix).ok_or_else(|| bad("a condition"))?;
                (InstData::Fcmp { cc, args: self.values(c)? }, smallvec![Type::I1])
            }
            "ptradd" => {
                let ty = ptr_of(suffix)?;
                let [ptr, offset] = self.values(c)?;
                self.claim(ptr, ty, at);
                (InstData::PtrAdd { ptr, offset }, smallvec![ty])
            }
            "ptrdiff" => (InstData::PtrDiff { args: self.values(c)? }, smallvec![Type::I64]),
            "load" => {
                let ty = ty_of(suffix)?;
                let flags = flags(c, Some(ty))?;
                (InstData::Load { ty, flags, ptr: self.value(c)?, site }, smallvec![ty])
            }
            "store" => {
                let ty = ty_of(suffix)?;
                let flags = flags(c, Some(ty))?;
                let [value, ptr] = self.values(c)?;
                self.claim(value, ty, at);
                (InstData::Store { flags, value, ptr, site }, smallvec![])
            }
            "memcopy" => {
                let flags = flags(c, None)?;
                let [dst, src, len] = self.values(c)?;
                (InstData::MemCopy { flags, dst, src, len, dst_site: site, src_site: site }, smallvec![])
            }
            "memfill" => {
                let flags = flags(c, None)?;
                let [dst, byte, len] = self.values(c)?;
                (InstData::MemFill { flags, dst, byte, len, site }, smallvec![])
            }
            "bounds" => {
                let index = self.value(c)?;
                c.expect(",")?;
                (InstData::Bounds { index, len: c.number("a length")? }, smallvec![])
            }
            "lifetime" => {
                let op = LifetimeOp::from_name(suffix).ok_or_else(|| bad("a marker"))?;
                (InstData::Lifetime { op, slot: self.slot_ref(c)? }, smallvec![])
            }
            "alloca" => {
                let ty = ptr_of(suffix)?;
                let scoped = c.eat_word("scoped");
                let align_log2 = c.align()?;
                (InstData::Alloca { ty, scoped, size: self.value(c)?, align_log2 }, smallvec![ty])
            }
            "atomic_load" => {
                let ty = ty_of(suffix)?;
                let (order, scope) = order_scope(c)?;
                (InstData::AtomicLoad { ty, order, scope, ptr: self.value(c)?, site }, smallvec![ty])
            }
            "atomic_store" => {
                let ty = ty_of(suffix)?;
                let (order, scope) = order_scope(c)?;
                let [value, ptr] = self.values(c)?;
                self.claim(value, ty, at);
                (InstData::AtomicStore { order, scope, value, ptr, site }, smallvec![])
            }
            "atomic" => {
                let (op, ty) = suffix.split_once('.').ok_or_else(|| bad("an operation and a type"))?;
                let op = AtomicOp::from_name(op).ok_or_else(|| bad("an atomic operation"))?;
                let ty = ty_of(ty)?;
                let (order, scope) = order_scope(c)?;
                let [ptr, value] = self.values(c)?;
                self.claim(value, ty, at);
                (InstData::AtomicRmw { op, order, scope, ptr, value, site }, smallvec![ty])
            }
            "atomic_cas" => {
                let ty = ty_of(suffix)?;
                let (order, scope) = order_scope(c)?;
                let [ptr, expected, new] = self.values(c)?;
                self.claim(new, ty, at);
                (InstData::AtomicCas { order, scope, ptr, expected, new, site }, smallvec![ty])
            }
            "fence" => {
                let (order, scope) = order_scope(c)?;
                (InstData::Fence { order, scope, site }, smallvec![])
            }
            "barrier" => {
                let kind = BarrierKind::from_name(suffix).ok_or_else(|| bad("a barrier"))?;
                let has_arg = c.peek_entity("v").is_some() && !c.at_line_start();
                let pred = if has_arg { Some(self.value(c)?) } else { None };
                let types: Types = if has_arg { smallvec![Type::I32] } else { smallvec![] };
                let args = self.func.list(pred.as_slice());
                (InstData::Barrier { kind, args, site }, types)
            }
            "warp_sync" => (InstData::WarpSync { mask: self.value(c)?, site }, smallvec![]),
            "shfl" => {
                let (mode, ty) = suffix.split_once('.').ok_or_else(|| bad("a mode and a type"))?;
                let mode = ShflMode::from_name(mode).ok_or_else(|| bad("a shuffle"))?;
                let ty = ty_of(ty)?;
                let [mask, value, lane, width] = self.values(c)?;
                self.claim(value, ty, at);
                (InstData::Shfl { mode, mask, value, lane, width, site }, smallvec![ty])
            }
            "vote" => {
                let mode = VoteMode::from_name(suffix).ok_or_else(|| bad("a vote"))?;
                let [mask, pred] = self.values(c)?;
                (InstData::Vote { mode, mask, pred, site }, smallvec![Type::I32])
            }
            "match" => {
                let mode = MatchMode::from_name(suffix).ok_or_else(|| bad("a match"))?;
                let [mask, value] = self.values(c)?;
                let n = if mode == MatchMode::All { 2 } else { 1 };
                (InstData::Match { mode, mask, value, site }, smallvec![Type::I32; n])
            }
            "reduce" => {
                let op = ReduceOp::from_name(suffix).ok_or_else(|| bad("a reduction"))?;
                let [mask, value] = self.values(c)?;
                (InstData::Reduce { op, mask, value, site }, smallvec![Type::I32])
            }
            "active_mask" => {
                let implied = match suffix {
                    "" => false,
                    "implied" => true,
                    _ => return Err(bad("a mask of active lanes")),
                };
                (InstData::ActiveMask { implied, site }, smallvec![Type::I32])
            }
            "call" | "invoke" => {
                let func = func_ref(c, self.module)?;
                let args = self.args(c)?;
                let args = self.func.list(&args);
                if head == "invoke" {
                    let (normal, unwind) = self.continuations(c)?;
                    (InstData::Invoke { func, args, normal, unwind, site }, smallvec![])
                } else {
                    let types = self.module.funcs[func].sig.ret.into_iter().collect();
                    (InstData::Call { func, args, site }, types)
                }
            }
            "call_indirect" | "invoke_indirect" => {
                let (sig, ret) = self.sig(c)?;
                let callee = self.value(c)?;
                let args = self.args(c)?;
                let args = self.func.list(&args);
                if head == "invoke_indirect" {
                    let (normal, unwind) = self.continuations(c)?;
                    (InstData::InvokeIndirect { sig, callee, args, normal, unwind, site }, smallvec![])
                } else {
                    (InstData::CallIndirect { sig, callee, args, site }, ret.into_iter().collect())
                }
            }
            "launch" => {
                let kernel = func_ref(c, self.module)?;
                let args = self.launch(c)?;
                let args = self.func.list(&args);
                (InstData::Launch { kernel, args, site }, smallvec![Type::I32])
            }
            "launch_indirect" => {
                let (sig, _) = self.sig(c)?;
                let callee = self.value(c)?;
                let args = self.launch(c)?;
                let args = self.func.list(&args);
                (InstData::LaunchIndirect { sig, callee, args, site }, smallvec![Type::I32])
            }
            "va" => {
                let op = VaOp::from_name(suffix).ok_or_else(|| bad("an operation"))?;
                let args = self.value_list(c)?;
                let args = self.func.list(&args);
                (InstData::Va { op, args, site }, smallvec![])
            }
            "va_arg" => {
                let ty = ty_of(suffix)?;
                (InstData::VaArg { ty, list: self.value(c)?, site }, smallvec![ty])
            }
            "jump" => (InstData::Jump { dest: self.block_call(c)? }, smallvec![]),
            "branch" => {
                let cond = self.value(c)?;
                c.expect(",")?;
                let then = self.block_call(c)?;
                c.expect(",")?;
                let other = self.block_call(c)?;
                (InstData::Branch { cond, then, other }, smallvec![])
            }
            "switch" => {
                let ty = ty_of(suffix)?;
                if !ty.is_int() {
                    return Err(bad("an integer type"));
                }
                let arg = self.value(c)?;
                self.claim(arg, ty, at);
                c.expect(",")?;
                let default = self.block_call(c)?;
                let table = self.func.tables.push(SwitchData { default, cases: Vec::new() });
                (InstData::Switch { arg, table }, smallvec![])
            }
            "return" => {
                let has_arg = c.peek_entity("v").is_some() && !c.at_line_start();
                let args = if has_arg { self.value_list(c)? } else { Vec::new() };
                (InstData::Return { args: self.func.list(&args) }, smallvec![])
            }
            "resume" => (InstData::Resume { exception: self.value(c)? }, smallvec![]),
            "trap" => {
                let code_at = c.at();
                let code = match c.word("the reason of the trap")? {
                    "unreachable" => TrapCode::Unreachable,
                    "missing_return" => TrapCode::MissingReturn,
                    "trap" => TrapCode::Trap,
                    "unsupported" => {
                        let text = c.string()?;
                        TrapCode::Unsupported(self.module.message(text))
                    }
                    _ => return Err((code_at, "expected the reason of the trap".to_owned())),
                };
                (InstData::Trap { code }, smallvec![])
            }
            _ => return Err((at, format!("there is no instruction `{head}`"))),
        })
    }

    /// The operations whose names the enumerations in [`crate::ops`] list.
    fn arithmetic(
        &mut self,
        c: &mut Cursor<'_, '_>,
        head: &str,
        suffix: &str,
        at: usize,
    ) -> Parse<Option<(InstData, Types)>> {
        let (nsw, ty_text) = match suffix.strip_prefix("nsw.") {
            Some(rest) => (true, rest),
            None => (false, suffix),
        };
        let ty = || match ty_text.parse::<Type>() {
            Ok(ty) => Ok(ty),
            Err(()) => Err((at, format!("`{head}` needs a type, as in `{head}.i32`"))),
        };
        let (data, ty) = if let Some(op) = UnaryOp::from_name(head) {
            let ty = ty()?;
            let arg = self.value(c)?;
            self.claim(arg, ty, at);
            (InstData::Unary { op, nsw, arg }, ty)
        } else if let Some(op) = BinaryOp::from_name(head) {
            let ty = ty()?;
            let args = self.values(c)?;
            self.claim(args[0], ty, at);
            (InstData::Binary { op, nsw, args }, ty)
        } else if nsw {
            return if CastOp::from_name(head).is_some() || TernaryOp::from_name(head).is_some() {
                Err((at, format!("`{head}` does not take `nsw`")))
            } else {
                Ok(None)
            };
        } else if let Some(op) = CastOp::from_name(head) {
            let ty = ty()?;
            (InstData::Cast { op, ty, arg: self.value(c)? }, ty)
        } else if let Some(op) = TernaryOp::from_name(head) {
            let ty = ty()?;
            let args: [Value; 3] = self.values(c)?;
            self.claim(args[2], ty, at);
            (InstData::Ternary { op, args }, ty)
        } else {
            return Ok(None);
        };
        Ok(Some((data, smallvec![ty])))
    }

    fn sig(&mut self, c: &mut Cursor<'_, '_>) -> Parse<(SigId, Option<Type>)> {
        let sig = c.signature()?;
        c.expect(",")?;
        Ok((self.module.sig(&sig), sig.ret))
    }

    fn continuations(&mut self, c: &mut Cursor<'_, '_>) -> Parse<(BlockCall, BlockCall)> {
        c.expect_word("to")?;
        let normal = self.block_call(c)?;
        c.expect_word("unwind")?;
        Ok((normal, self.block_call(c)?))
    }

    /// `<<<v1, …, v8>>>(v9, …)`.
    fn launch(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Vec<Value>> {
        c.expect("<<<")?;
        let mut all = self.value_list(c)?;
        if all.len() != LAUNCH_CONFIG {
            return c
                .error(format!("a launch has {LAUNCH_CONFIG} values of configuration, not {}", all.len()));
        }
        c.expect(">>>")?;
        all.extend(self.args(c)?);
        Ok(all)
    }
}

/// A site as the text names it.
struct Stated {
    n: u32,
    at: usize,
    /// Its place, where that is not the instruction's.
    loc: Option<PackedOption<Loc>>,
}

fn line_end(c: &Cursor<'_, '_>) -> Parse<()> {
    if c.at_line_start() { Ok(()) } else { c.expected("the end of the line") }
}

fn flags(c: &mut Cursor<'_, '_>, natural: Option<Type>) -> Parse<MemFlags> {
    let volatile = c.eat_word("volatile");
    let partial = c.eat_word("partial");
    let stated = matches!(c.peek(), Tok::Word("align"));
    let align_log2 = match natural {
        Some(ty) if !stated => MemFlags::natural(ty).align_log2,
        _ => c.align()?,
    };
    Ok(MemFlags { volatile, partial, align_log2 })
}

fn order_scope(c: &mut Cursor<'_, '_>) -> Parse<(MemOrder, Scope)> {
    let order = c.keyword("a memory order", MemOrder::from_name)?;
    Ok((order, c.keyword("a scope", Scope::from_name)?))
}

/// The bits of a constant of type `ty`.
fn constant(c: &mut Cursor<'_, '_>, ty: Type) -> Parse<u128> {
    let what = match ty {
        Type::F32 | Type::F64 => "a number",
        Type::F16 | Type::BF16 | Type::F80 => "the bits in hexadecimal",
        Type::Ptr(_) => "`null` or the bits of a pointer",
        _ => "an integer",
    };
    let text = match c.peek() {
        Tok::Num(n) => *n,
        Tok::Word("null") if ty.is_ptr() => "0",
        Tok::Word("inf") if matches!(ty, Type::F32 | Type::F64) => "inf",
        _ => return c.expected(what),
    };
    let bits = match ty {
        Type::F32 | Type::F64 if !text.starts_with("0x") => match ty {
            Type::F32 => text.parse::<f32>().ok().map(|x| u128::from(x.to_bits())),
            _ => text.parse::<f64>().ok().map(|x| u128::from(x.to_bits())),
        },
        _ => integer(text).and_then(|(neg, x)| {
            let mask = ty.bit_mask();
            if !neg {
                return (x <= mask).then_some(x);
            }
            // The least number that the type holds.
            let least = if ty.is_int() && ty != Type::I1 { 1u128 << (ty.bits() - 1) } else { 0 };
            (x <= least).then(|| x.wrapping_neg() & mask)
        }),
    };
    match bits {
        Some(bits) => {
            c.bump();
            Ok(bits)
        }
        None => c.error(format!("expected {what}; {} is not one of type {ty}", c.peek().describe())),
    }
}
