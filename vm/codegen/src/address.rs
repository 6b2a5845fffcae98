//! Addresses: pointer arithmetic as a sum that loads and stores take apart.
//!
//! Every pointer is a base, at most one index with a scale, and a displacement. What a memory operation
//! takes as such is never computed into a register of its own. Where more terms meet, the parts that
//! several accesses may share get registers at the place of the addition: the scalar part of the base,
//! or the vector part of the index, so that a pointer whose object is the same for all lanes stays a
//! scalar base with a vector of offsets.
//!
//! Splitting is exact: additions of 64-bit integers wrap alike however they are grouped, and a
//! sign-extended 32-bit sum is split only where its overflow is undefined behaviour. (An overflow that is
//! only seen in an address is then reported as the far access that it is, and not as the overflow.)

use super::plan::{Operand, Plan};
use super::vreg::{Class, File, VReg};
use cudair_bytecode::Ext;
use cudair_ir::{BinaryOp, CastOp, Inst, InstData, Slot, Type, UnaryOp, Value};
use smallvec::SmallVec;

/// How deep index expressions are followed.
const DEPTH: u32 = 8;
/// Terms of one pointer addition.
const TERMS: usize = 6;

/// What an address starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// A pointer, scalar or per lane.
    Reg(VReg),
    /// A constant pointer.
    Const(u64),
    /// A local variable.
    Slot(Slot),
}

/// A register times a factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Term {
    /// The register.
    pub reg: VReg,
    /// How it becomes 64 bits; `None` where it has them.
    pub ext: Option<Ext>,
    /// The factor.
    pub scale: i64,
}

impl Term {
    /// Whether the scale can stand in an operation.
    pub fn fits(&self) -> bool {
        (1..=i64::from(u16::MAX)).contains(&self.scale)
    }
}

/// An address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    /// Where it starts.
    pub base: Base,
    /// What is added.
    pub index: Option<Term>,
    /// Bytes.
    pub disp: i32,
}

impl Address {
    /// A pointer in a register.
    pub fn reg(reg: VReg) -> Address {
        Address { base: Base::Reg(reg), index: None, disp: 0 }
    }

    /// The registers that it reads.
    pub fn regs(&self) -> impl Iterator<Item = VReg> {
        let base = match self.base {
            Base::Reg(r) => Some(r),
            Base::Const(_) | Base::Slot(_) => None,
        };
        base.into_iter().chain(self.index.map(|t| t.reg))
    }
}

/// A pointer addition taken apart.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    /// What is added to: a pointer of which no shared parts remain open.
    pub from: Address,
    /// What is added.
    pub terms: SmallVec<[Term; 2]>,
    /// Bytes added.
    pub disp: i64,
    /// The register of the scalar part of the base, with what it is the sum of.
    pub(crate) base_part: Option<(VReg, SmallVec<[Term; 2]>)>,
    /// The register of the vector part of the index, in bytes.
    pub(crate) index_part: Option<(VReg, SmallVec<[Term; 2]>)>,
}

/// An offset being taken apart.
#[derive(Default)]
struct Parts {
    terms: SmallVec<[Term; 2]>,
    disp: i64,
}

impl Plan<'_> {
    /// Takes the pointer addition `inst` apart and notes its result's address.
    pub(super) fn add_pointer(&mut self, inst: Inst, ptr: Value, offset: Value, result: Value) {
        let own = VReg::from(result);
        let mut parts = Parts::default();
        if !self.split(offset, 1, &mut parts, DEPTH) {
            parts = Parts::default();
            match self.operand(offset) {
                Operand::Const(bits) => parts.disp = bits as i64,
                Operand::Reg(reg) => parts.terms.push(Term { reg, ext: None, scale: 1 }),
            }
        }
        let from = self.address(ptr);
        let mut sum = Sum { from, terms: parts.terms, disp: parts.disp, base_part: None, index_part: None };
        let address = self.combine(ptr, &mut sum).unwrap_or(Address::reg(own));
        self.sums[inst] = Some(Box::new(sum));
        self.addresses[result] = Some(address);
    }

    /// The address of a sum, unless it must be computed into a register of its own.
    fn combine(&mut self, ptr: Value, sum: &mut Sum) -> Option<Address> {
        if sum.terms.is_empty() {
            let disp = i32::try_from(i64::from(sum.from.disp).checked_add(sum.disp)?).ok()?;
            return Some(Address { disp, ..sum.from });
        }
        if let Base::Reg(r) = sum.from.base
            && !self.regs[r].is_scalar()
        {
            return None;
        }
        let scalar_file = |plan: &Plan<'_>, t: &Term| plan.regs[t.reg].is_scalar();
        if let Base::Slot(_) = sum.from.base {
            let disp = i32::try_from(i64::from(sum.from.disp).checked_add(sum.disp)?).ok()?;
            let [term] = sum.terms[..] else { return None };
            let narrow = scalar_file(self, &term) || term.ext.is_some();
            if sum.from.index.is_some() || !term.fits() || !narrow {
                return None;
            }
            return Some(Address { index: Some(term), disp, ..sum.from });
        }
        // A scalar index that is already there stays with the old pointer, which is computed where it
        // was: the new terms may change more often.
        if sum.from.index.is_some_and(|t| scalar_file(self, &t)) {
            match self.operand(ptr) {
                Operand::Reg(r) => sum.from = Address::reg(r),
                Operand::Const(_) => return None,
            }
        }
        let disp = i32::try_from(i64::from(sum.from.disp).checked_add(sum.disp)?).ok()?;
        let mut base = sum.from.base;
        let (mut scalars, vectors): (SmallVec<[Term; 2]>, SmallVec<[Term; 2]>) =
            sum.from.index.iter().chain(&sum.terms).copied().partition(|t| scalar_file(self, t));
        let index = match vectors[..] {
            [] => scalars.iter().rposition(Term::fits).map(|at| scalars.remove(at)),
            [term] if term.fits() => Some(term),
            _ => {
                let reg = self.regs.push(Class::W);
                sum.index_part = Some((reg, vectors));
                Some(Term { reg, ext: None, scale: 1 })
            }
        };
        if !scalars.is_empty() {
            let reg = self.regs.push(Class::S);
            sum.base_part = Some((reg, scalars));
            base = Base::Reg(reg);
        }
        Some(Address { base, index, disp })
    }

    /// Adds `scale` times the 64-bit integer `v` to `out`. Where it fails, `out` is spoilt.
    fn split(&self, v: Value, scale: i64, out: &mut Parts, depth: u32) -> bool {
        if let Some(c) = self.func.const_int(v) {
            return out.add_disp(c, scale);
        }
        if depth > 0
            && out.terms.len() < TERMS
            && let Some(inst) = self.func.def_inst(v)
        {
            match self.func.insts[inst] {
                InstData::Binary { op: BinaryOp::Imul, args: [a, b], .. } => {
                    for (x, c) in [(a, b), (b, a)] {
                        if let Some(s) = self.func.const_int(c).and_then(|c| scale.checked_mul(c)) {
                            return self.split(x, s, out, depth - 1);
                        }
                    }
                }
                InstData::Binary { op: BinaryOp::Shl, args: [a, b], .. } => {
                    if let Some(s) = self.shifted(scale, b, 63) {
                        return self.split(a, s, out, depth - 1);
                    }
                }
                InstData::Binary { op: BinaryOp::Iadd, args: [a, b], .. } if self.splits_sum(v, a, b) => {
                    return self.split(a, scale, out, depth - 1) && self.split(b, scale, out, depth - 1);
                }
                InstData::Binary { op: BinaryOp::Isub, args: [a, b], .. } => {
                    if let Some(c) = self.func.const_int(b).and_then(i64::checked_neg) {
                        return self.split(a, scale, out, depth - 1) && out.add_disp(c, scale);
                    }
                }
                InstData::Unary { op: UnaryOp::Ineg, arg, .. } if scale != i64::MIN => {
                    return self.split(arg, -scale, out, depth - 1);
                }
                InstData::Cast { op: CastOp::Sext, arg, .. } if self.func.value_type(arg) == Type::I32 => {
                    return self.split32(arg, scale, out, depth - 1);
                }
                InstData::Cast { op: CastOp::Zext, arg, .. } => {
                    if let Operand::Reg(reg) = self.operand(arg)
                        && self.regs[reg].file() != File::P
                    {
                        return out.add_term(Term { reg, ext: Some(Ext::Zero), scale });
                    }
                }
                _ => {}
            }
        }
        match self.operand(v) {
            Operand::Const(bits) => out.add_disp(bits as i64, scale),
            Operand::Reg(reg) => out.add_term(Term { reg, ext: None, scale }),
        }
    }

    /// The same for the sign extension of the 32-bit integer `v`.
    fn split32(&self, v: Value, scale: i64, out: &mut Parts, depth: u32) -> bool {
        if let Some(c) = self.func.const_int(v) {
            return out.add_disp(c, scale);
        }
        if depth > 0
            && out.terms.len() < TERMS
            && let Some(inst) = self.func.def_inst(v)
        {
            match self.func.insts[inst] {
                InstData::Binary { op: BinaryOp::Imul, nsw: true, args: [a, b] } => {
                    for (x, c) in [(a, b), (b, a)] {
                        if let Some(s) = self.func.const_int(c).and_then(|c| scale.checked_mul(c)) {
                            return self.split32(x, s, out, depth - 1);
                        }
                    }
                }
                InstData::Binary { op: BinaryOp::Shl, nsw: true, args: [a, b] } => {
                    if let Some(s) = self.shifted(scale, b, 31) {
                        return self.split32(a, s, out, depth - 1);
                    }
                }
                InstData::Binary { op: BinaryOp::Iadd, nsw: true, args: [a, b] }
                    if self.splits_sum(v, a, b) =>
                {
                    return self.split32(a, scale, out, depth - 1) && self.split32(b, scale, out, depth - 1);
                }
                InstData::Binary { op: BinaryOp::Isub, nsw: true, args: [a, b] } => {
                    if let Some(c) = self.func.const_int(b).and_then(i64::checked_neg) {
                        return self.split32(a, scale, out, depth - 1) && out.add_disp(c, scale);
                    }
                }
                _ => {}
            }
        }
        match self.operand(v) {
            Operand::Const(bits) => out.add_disp(i64::from(bits as i32), scale),
            Operand::Reg(reg) => out.add_term(Term { reg, ext: Some(Ext::Sign), scale }),
        }
    }

    /// The scale of `x << amount`, if the amount is a constant of at most `max` bits.
    fn shifted(&self, scale: i64, amount: Value, max: i64) -> Option<i64> {
        let amount = self.func.const_int(amount).filter(|n| (0..max).contains(n))?;
        scale.checked_mul(1i64.checked_shl(amount as u32)?)
    }

    /// Whether the addends of `sum` are better added in the address: a constant always, a scalar and a
    /// vector where nothing else needs their sum.
    fn splits_sum(&self, sum: Value, a: Value, b: Value) -> bool {
        if self.func.const_int(a).is_some() || self.func.const_int(b).is_some() {
            return true;
        }
        let scalar = |v: Value| match self.operand(v) {
            Operand::Const(_) => true,
            Operand::Reg(r) => self.regs[r].is_scalar(),
        };
        self.use_count[sum] == 1 && scalar(a) != scalar(b)
    }
}

impl Parts {
    fn add_disp(&mut self, value: i64, scale: i64) -> bool {
        match value.checked_mul(scale).and_then(|d| self.disp.checked_add(d)) {
            Some(d) => {
                self.disp = d;
                true
            }
            None => false,
        }
    }

    fn add_term(&mut self, term: Term) -> bool {
        if let Some(same) = self.terms.iter_mut().find(|t| t.reg == term.reg && t.ext == term.ext) {
            let Some(scale) = same.scale.checked_add(term.scale) else { return false };
            same.scale = scale;
        } else {
            self.terms.push(term);
        }
        self.terms.retain(|t| t.scale != 0);
        true
    }
}
