//! The verifier: what makes unchecked register access sound.
//!
//! Rules:
//! 1. `places` is as long as `ops`; there is at least one operation.
//! 2. Every register lies in its file, with all of its words or planes.
//! 3. Every branch target is an operation of the function; the last operation does not fall through.
//! 4. Every side-table index and local variable exists, and so does what a descriptor names.
//! 5. The words of constants lie in the scalar file.
//! 6. Registers in descriptors fit the types beside them.
//! 7. A `W` starts at an even plane, an `X` at a multiple of four: two of a kind are equal or disjoint.
//! 8. Every access with an opcode of fixed width has that width.

use super::*;
use std::ops::Deref;

/// Code that has passed the verifier.
#[derive(Clone, Debug)]
pub struct VerifiedCode(Code);

impl Deref for VerifiedCode {
    type Target = Code;

    fn deref(&self) -> &Code {
        &self.0
    }
}

impl Code {
    /// Checks the rules at the head of this module.
    ///
    /// # Errors
    /// A message that names what is wrong and where.
    pub fn verify(self) -> Result<VerifiedCode, String> {
        let name = self.name.clone();
        Verifier { code: &self }.run().map_err(|e| format!("bytecode of `{name}`: {e}"))?;
        Ok(VerifiedCode(self))
    }
}

struct Verifier<'a> {
    code: &'a Code,
}

impl Verifier<'_> {
    fn run(&self) -> Result<(), String> {
        let code = self.code;
        if code.places.len() != code.ops.len() {
            return Err(format!("{} operations but {} places", code.ops.len(), code.places.len()));
        }
        match code.ops.last() {
            None => return Err("no operations".into()),
            Some(
                Op::Jump { .. }
                | Op::Ret {}
                | Op::RetS { .. }
                | Op::RetR { .. }
                | Op::Trap { .. }
                | Op::Resume { .. },
            ) => {}
            Some(Op::SwitchS { .. } | Op::SwitchV { .. } | Op::SwitchW { .. }) => {}
            Some(op) => return Err(format!("the last operation, {}, falls through", op.mnemonic())),
        }
        if code.files.counters.end > code.files.scalars {
            return Err("counters of iterations outside the scalar registers".into());
        }
        if code.files.consts_at.index() + code.files.consts.len() > usize::from(code.files.scalars) {
            return Err("constants outside the scalar registers".into());
        }
        for (pc, op) in code.ops.iter().enumerate() {
            self.op(op).map_err(|e| format!("@{pc} {}: {e}", op.mnemonic()))?;
        }
        for p in &code.params {
            self.typed(*p)?;
        }
        self.tables()
    }

    fn op(&self, op: &Op) -> Result<(), String> {
        let mut result = Ok(());
        let mut acc = None;
        let mut wide = None;
        op.operands(|_, operand| {
            let one = match operand {
                Operand::Reg(r) => self.reg(r),
                Operand::Vw(r) => {
                    wide = Some(r);
                    Ok(())
                }
                Operand::Acc(a) => {
                    acc = Some(a);
                    Ok(())
                }
                Operand::Target(t) => self.target(t),
                Operand::Slot(s) => self.slot(s),
                Operand::Row(table, i) => self.row(table, i),
                Operand::Imm(_)
                | Operand::Bits(_)
                | Operand::Ext(_)
                | Operand::Cc(_)
                | Operand::Special(_)
                | Operand::Global(_) => Ok(()),
            };
            if result.is_ok() {
                result = one;
            }
        });
        result?;
        if let Some(acc) = acc {
            self.access(op, acc, wide)?;
        }
        Ok(())
    }

    /// Rule 8, and the registers whose width the access says.
    fn access(&self, op: &Op, acc: MemAcc, wide: Option<Vw>) -> Result<(), String> {
        let bytes = acc.bytes();
        let copy = usize::from(acc.copy());
        if let Some(r) = wide {
            if bytes > 8 {
                return Err(format!("{bytes} bytes in {r}"));
            }
            let planes = if bytes == 8 { 2 } else { 1 } + copy;
            if bytes == 8 && r.0 % 2 != 0 {
                return Err(format!("an odd plane for 8 bytes in {r}"));
            }
            return self.planes(r.0, planes);
        }
        let word = |r: S, width: u32| {
            if bytes != width { Err(format!("{bytes} bytes")) } else { self.words(r.0, 1 + copy) }
        };
        let pair =
            |r: S2| if bytes != 16 { Err(format!("{bytes} bytes")) } else { self.words(r.0, 2 + copy) };
        let lane = |r: S| match bytes {
            0..=8 => self.words(r.0, 1 + copy),
            _ => Err(format!("{bytes} bytes in {r}")),
        };
        let quad =
            |r: X| if bytes != 16 { Err(format!("{bytes} bytes")) } else { self.planes(r.0, 4 + copy) };
        use Op::*;
        families! {
            match *op {
                @for (N r) in [(Ld d) (St v)] {
                    @for (B Bytes) in [(8 1) (16 2) (32 4) (64 8)] {
                        @for A in [N N~x N~Sl N~xSl N~Q N~xQ N~xL N~SlQ N~xSlQ N~xSlL] { A~B { r, .. } => word(r, Bytes), }
                    }
                    @for A in [N N~x N~Sl N~xSl] { A~128 { r, .. } => pair(r), }
                    V~N~X { r, .. } => quad(r),
                }
                @for (First Bytes Seconds) in [
                    (LdQ8 1 (Br)) (LdQ32 4 (LdQ32)) (LdQ64 8 (LdxQ32 LdQ64 Br))
                    (LdxQ8 1 (Br LdxL32)) (LdxQ32 4 (LdxQ32 MulF32 AddF32 SubF32 Br)) (LdxQ64 8 (LdxQ64 MulF64 AddF64))
                ] {
                    @for Second in [Seconds] { First~Then~Second { d, .. } => word(d, Bytes), }
                }
                @for (B Bytes) in [(8 1) (32 4) (64 8)] { StxQ~B~ThenInc { v, .. } => word(v, Bytes), }
                VStUs { v, .. } | VStBs { v, .. } | VStPs { v, .. } => lane(v),
                // An operation that is not named above does not pass, so that none goes unseen.
                _ => Err("an access that has no rule".into()),
            }
        }
    }

    fn words(&self, first: u16, n: usize) -> Result<(), String> {
        if usize::from(first) + n <= usize::from(self.code.files.scalars) {
            return Ok(());
        }
        Err(format!("scalar {first} of {}", self.code.files.scalars))
    }

    fn planes(&self, first: u16, n: usize) -> Result<(), String> {
        if usize::from(first) + n <= usize::from(self.code.files.planes) {
            return Ok(());
        }
        Err(format!("plane {first} of {}", self.code.files.planes))
    }

    fn reg(&self, r: Reg) -> Result<(), String> {
        match r {
            Reg::S(r) => self.words(r.0, 1),
            Reg::S2(r) => self.words(r.0, 2),
            Reg::V(r) => self.planes(r.0, 1),
            Reg::W(W(n)) if n % 2 != 0 => Err(format!("an odd plane for {r}")),
            Reg::X(X(n)) if n % 4 != 0 => Err(format!("plane {n} for {r}")),
            Reg::W(r) => self.planes(r.0, 2),
            Reg::X(r) => self.planes(r.0, 4),
            Reg::P(r) if r.0 < self.code.files.preds => Ok(()),
            Reg::P(r) => Err(format!("predicate {} of {}", r.0, self.code.files.preds)),
        }
    }

    fn typed(&self, r: TypedReg) -> Result<(), String> {
        if !r.reg.fits(r.ty) {
            return Err(format!("a value of type {} in {}", r.ty, r.reg));
        }
        self.reg(r.reg)
    }

    fn target(&self, t: Target) -> Result<(), String> {
        if t.index() < self.code.ops.len() { Ok(()) } else { Err(format!("target {t}")) }
    }

    fn slot(&self, s: SlotId) -> Result<(), String> {
        if s.index() < self.code.slots.len() { Ok(()) } else { Err(format!("{s}")) }
    }

    fn row(&self, table: Table, i: u32) -> Result<(), String> {
        let len = self.code.tables.rows(table);
        if (i as usize) < len { Ok(()) } else { Err(format!("row {i} of {table:?}")) }
    }

    /// Rules 4 and 6 inside the side tables.
    fn tables(&self) -> Result<(), String> {
        let c = &self.code.tables;
        for s in &c.switches {
            self.target(s.default)?;
            for t in s.cases.iter().map(|c| c.1).chain(s.dense.iter().flat_map(|d| d.1.iter().copied())) {
                self.target(t)?;
            }
        }
        for &s in c.joins.iter().flat_map(|j| &j.live) {
            self.reg(Reg::S(s))?;
        }
        for call in &c.calls {
            if let Callee::Indirect { ptr, .. } = call.callee {
                self.reg(ptr)?;
            }
            call.args.iter().chain(&call.ret).try_for_each(|&r| self.typed(r))?;
        }
        for l in &self.code.landings {
            self.target(l.target)?;
            l.exception.iter().try_for_each(|&r| self.reg(r))?;
        }
        c.regs.iter().try_for_each(|&r| self.typed(r))?;
        for g in &c.gens {
            g.args.iter().chain([&g.d]).try_for_each(|&r| self.typed(r))?;
            if g.d.reg.is_scalar() && g.args.iter().any(|a| !a.reg.is_scalar()) {
                return Err(format!("{} computed from vectors", g.d.reg));
            }
        }
        for m in &c.maths {
            m.args.iter().chain([&m.d]).try_for_each(|&r| self.typed(r))?;
            if m.d.reg.is_scalar() && m.args.iter().any(|a| !a.reg.is_scalar()) {
                return Err(format!("{} computed from vectors", m.d.reg));
            }
        }
        for x in &c.copies {
            [x.dst, x.src, x.len].into_iter().try_for_each(|r| self.reg(r))?;
        }
        for x in &c.fills {
            [x.dst, x.byte, x.len].into_iter().try_for_each(|r| self.reg(r))?;
        }
        for x in &c.allocas {
            [x.d, x.size].into_iter().try_for_each(|r| self.reg(r))?;
        }
        for x in &c.atomics {
            self.reg(x.ptr)?;
            for r in [x.value, x.expected, x.d].into_iter().flatten() {
                self.typed(TypedReg { reg: r, ty: x.ty })?;
            }
        }
        for x in &c.barriers {
            x.pred.iter().chain(&x.d).try_for_each(|&r| self.typed(TypedReg { reg: r, ty: Type::I32 }))?;
        }
        for x in &c.warps {
            x.mask.iter().try_for_each(|&r| self.typed(TypedReg { reg: r, ty: Type::I32 }))?;
            x.args.iter().chain(x.d.iter().flatten()).try_for_each(|&r| self.typed(r))?;
        }
        for x in &c.launches {
            x.args.iter().try_for_each(|&r| self.typed(r))?;
            if let Callee::Indirect { ptr, .. } = x.kernel {
                self.reg(ptr)?;
            }
            if x.args.len() < 8 {
                return Err("a launch takes eight values and the arguments".into());
            }
            x.d.iter().try_for_each(|&reg| self.typed(TypedReg { reg, ty: Type::I32 }))?;
        }
        for x in c.lates.iter().flat_map(|l| &l.uses) {
            x.when.iter().try_for_each(|&(reg, _)| self.typed(TypedReg { reg, ty: Type::I1 }))?;
        }
        c.facts.iter().try_for_each(|x| self.typed(x.reg))?;
        for x in &c.vas {
            match *x {
                VaDesc::Start { list } | VaDesc::End { list } => self.reg(Reg::S(list))?,
                VaDesc::Copy { dst, src } => {
                    self.reg(Reg::S(dst))?;
                    self.reg(Reg::S(src))?;
                }
                VaDesc::Arg { list, d } => {
                    self.reg(Reg::S(list))?;
                    self.typed(d)?;
                }
            }
        }
        Ok(())
    }
}
