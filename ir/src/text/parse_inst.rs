//! Parsing the bodies of functions: slots, blocks, and the lines of instructions (`parse_op` parses what one does).

use super::lex::Tok;
use super::parse::{Cursor, Parse};
use super::parse_module::Places;
use super::parse_op::constant;
use super::source_type::opt_source_type;
use crate::entities::*;
use crate::function::{Function, SlotData, ValueData, ValueDef};
use crate::inst::{BlockCall, InstData};
use crate::module::Module;
use crate::types::{Space, Type};
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub(super) type Types = SmallVec<[Type; 2]>;

/// A value that the text names: its entity, where it is first named and whether it is defined yet.
struct Named {
    value: Value,
    at: usize,
    defined: bool,
}

pub(super) struct BodyParser<'m> {
    pub(super) module: &'m mut Module,
    places: &'m Places,
    pub(super) func: Function,
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
        // A temporary has no name.
        let name = c.opt_string()?.unwrap_or_default();
        let part = if c.eat_word("part") {
            let offset = c.number("an offset")?;
            c.expect_word("of")?;
            Some((offset, c.number("a size")?))
        } else {
            None
        };
        let ty = opt_source_type(c)?;
        let loc = self.places.opt_loc(c)?;
        let slot = self.func.slots.push(SlotData { size, align_log2, space, name, loc, part, ty });
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

    pub(super) fn value(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Value> {
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

    pub(super) fn values<const N: usize>(&mut self, c: &mut Cursor<'_, '_>) -> Parse<[Value; N]> {
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
    pub(super) fn value_list(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Vec<Value>> {
        let mut out = vec![self.value(c)?];
        while c.eat(",") {
            out.push(self.value(c)?);
        }
        Ok(out)
    }

    /// `(v1, v2)`.
    pub(super) fn args(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Vec<Value>> {
        c.expect("(")?;
        if c.eat(")") {
            return Ok(Vec::new());
        }
        let out = self.value_list(c)?;
        c.expect(")")?;
        Ok(out)
    }

    pub(super) fn block_call(&mut self, c: &mut Cursor<'_, '_>) -> Parse<BlockCall> {
        let at = c.at();
        let n = c.entity("block")?;
        let block = self.block_ref(n, at);
        let args = if matches!(c.peek(), Tok::Punct("(")) { self.args(c)? } else { Vec::new() };
        Ok(self.func.block_call(block, &args))
    }

    pub(super) fn slot_ref(&mut self, c: &mut Cursor<'_, '_>) -> Parse<Slot> {
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
        if let InstData::Switch { arg, table } = data {
            loc = self.places.opt_loc(c)?;
            self.cases(c, table, arg)?;
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

    fn cases(&mut self, c: &mut Cursor<'_, '_>, table: SwitchTable, arg: Value) -> Parse<()> {
        // The type stands in the instruction; the operand may be defined further down.
        let Some(&(_, ty, _)) = self.claims.iter().rev().find(|k| k.0 == arg) else {
            return c.error("the type of this switch is not known: a defect of cudair");
        };
        c.expect("{")?;
        while !c.eat("}") {
            let bits = constant(c, ty)?;
            c.expect(":")?;
            let call = self.block_call(c)?;
            self.func.tables[table].cases.push((bits, call));
        }
        Ok(())
    }

    pub(super) fn claim(&mut self, v: Value, ty: Type, at: usize) {
        self.claims.push((v, ty, at));
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
