//! Pointer arithmetic that is not folded into an access.

use super::Emitter;
use crate::address::{Address, Base, Term};
use crate::vreg::VReg;
use cudair_bytecode::{Ext, Op, Reg, S, W};
use cudair_ir::Inst;

impl Emitter<'_> {
    /// A pointer addition: the parts of it that are needed, and the pointer itself where it is.
    pub(super) fn pointer_add(&mut self, inst: Inst) {
        let plan = self.plan;
        let (Some(sum), Some(result)) = (&plan.sums[inst], plan.func.result(inst)) else { return };
        if let Some((reg, terms)) = &sum.base_part
            && plan.needed[*reg]
            && let Reg::S(d) = self.machine_reg(*reg)
        {
            let from = Address { index: None, disp: 0, ..sum.from };
            self.scalar_chain(d, from, terms, 0);
        }
        if let Some((reg, terms)) = &sum.index_part
            && plan.needed[*reg]
            && let Reg::W(d) = self.machine_reg(*reg)
        {
            self.index_chain(d, terms);
        }
        let own = VReg::from(result);
        if !plan.needed[own] {
            return;
        }
        let address = plan.address(result);
        if address != Address::reg(own) {
            self.address_into(self.machine_reg(own), address);
            return;
        }
        // Whatever the address forms do not hold.
        match self.machine_reg(own) {
            Reg::S(d) => self.scalar_chain(d, sum.from, &sum.terms, sum.disp),
            Reg::W(d) => self.vector_chain(d, sum.from, &sum.terms, sum.disp),
            _ => {}
        }
    }

    /// The scalar register of a term.
    fn term_s(&self, term: &Term) -> S {
        match self.machine_reg(term.reg) {
            Reg::S(r) => r,
            _ => S(u16::MAX),
        }
    }

    /// How a scalar index is extended: where it is 64 bits wide it stands whole in its word.
    pub(super) fn scalar_ext(term: &Term) -> Ext {
        term.ext.unwrap_or(Ext::Zero)
    }

    /// The scalar pointer that an address starts from.
    pub(super) fn base_s(&mut self, base: Base) -> S {
        match base {
            Base::Reg(r) => match self.machine_reg(r) {
                Reg::S(r) => r,
                _ => S(u16::MAX),
            },
            Base::Const(bits) => self.const_s(bits),
            Base::Slot(slot) => {
                let d = self.temp_s();
                if let Some(slot) = self.slots[slot] {
                    self.op(Op::SlotAddr { d, slot });
                }
                d
            }
        }
    }

    /// Whether an address starts from a scalar pointer.
    pub(super) fn scalar_base(&self, base: Base) -> bool {
        match base {
            Base::Reg(r) => self.plan.regs[r].is_scalar(),
            Base::Const(_) => true,
            Base::Slot(_) => !self.on_device(),
        }
    }

    /// A scalar pointer of a scalar address, with a displacement left over.
    pub(super) fn scalar_pointer(&mut self, address: Address) -> (S, i32) {
        if address.index.is_none() && !matches!(address.base, Base::Slot(_)) {
            return (self.base_s(address.base), address.disp);
        }
        let d = self.temp_s();
        self.address_into(Reg::S(d), address);
        (d, 0)
    }

    /// The pointer of each lane, with a displacement left over.
    pub(super) fn vector_pointer(&mut self, address: Address) -> (W, i32) {
        if address.index.is_none()
            && let Base::Reg(r) = address.base
            && let Reg::W(r) = self.machine_reg(r)
        {
            return (r, address.disp);
        }
        let d = self.temp_w();
        self.address_into(Reg::W(d), address);
        (d, 0)
    }

    /// Computes an address into a register.
    pub(super) fn address_into(&mut self, d: Reg, address: Address) {
        match d {
            Reg::S(d) => self.address_into_s(d, address),
            Reg::W(d) => self.address_into_w(d, address),
            _ => {}
        }
    }

    fn address_into_s(&mut self, d: S, Address { base, index, disp }: Address) {
        let slot = match base {
            Base::Slot(slot) => self.slots[slot],
            _ => None,
        };
        match (index, slot) {
            (None, Some(slot)) if disp == 0 => self.op(Op::SlotAddr { d, slot }),
            (None, _) => {
                let a = self.base_s(base);
                self.op(if disp == 0 { Op::Mov { d, a } } else { Op::PtrAddI { d, a, imm: disp } });
            }
            (Some(term), _) => {
                let base = self.base_s(base);
                let index = self.term_s(&term);
                let ext = Self::scalar_ext(&term);
                self.op(Op::PtrIdx { d, base, index, scale: term.scale as u16, disp, ext });
            }
        }
    }

    fn address_into_w(&mut self, d: W, address: Address) {
        let Address { base, index, disp } = address;
        if self.scalar_base(base) {
            let base_s = self.base_s(base);
            match index.map(|t| (t, self.machine_reg(t.reg))) {
                Some((t, Reg::V(index))) => {
                    let ext = t.ext.unwrap_or(Ext::Zero);
                    self.op(Op::WPtrIdx { d, base: base_s, index, scale: t.scale as u16, disp, ext });
                }
                Some((t, Reg::W(index))) => {
                    self.op(Op::WPtrIdxW { d, base: base_s, index, scale: t.scale as u16, disp });
                }
                _ => {
                    let t = self.temp_s();
                    self.address_into_s(t, address);
                    self.op(Op::WSplat { d, a: t });
                }
            }
            return;
        }
        if index.is_none()
            && disp == 0
            && let Base::Slot(slot) = base
            && let Some(slot) = self.slots[slot]
        {
            self.op(Op::WSlotAddr { d, slot });
            return;
        }
        let base_w = self.base_w(base);
        match index.map(|t| (t, self.machine_reg(t.reg))) {
            None if disp == 0 => self.op(Op::WMov { d, a: base_w }),
            None => self.op(Op::WPtrAddI { d, a: base_w, imm: disp }),
            Some((t, Reg::V(index))) => {
                let ext = t.ext.unwrap_or(Ext::Zero);
                self.op(Op::WPtrIdxP { d, base: base_w, index, scale: t.scale as u16, disp, ext });
            }
            Some((t, Reg::W(index))) => {
                self.op(Op::WPtrIdxPw { d, base: base_w, index, scale: t.scale as u16, disp });
            }
            Some((t, _)) => {
                let index = self.scaled_s(&t);
                if disp == 0 {
                    self.op(Op::WPtrIdxPs { d, base: base_w, index });
                } else {
                    let moved = self.temp_w();
                    self.op(Op::WPtrIdxPs { d: moved, base: base_w, index });
                    self.op(Op::WPtrAddI { d, a: moved, imm: disp });
                }
            }
        }
    }

    /// The pointer of each lane that an address starts from.
    fn base_w(&mut self, base: Base) -> W {
        match base {
            Base::Reg(r) => match self.machine_reg(r) {
                Reg::W(r) => r,
                Reg::S(a) => {
                    let d = self.temp_w();
                    self.op(Op::WSplat { d, a });
                    d
                }
                _ => W(u16::MAX),
            },
            Base::Const(bits) => {
                let (d, a) = (self.temp_w(), self.const_s(bits));
                self.op(Op::WSplat { d, a });
                d
            }
            Base::Slot(slot) => {
                let d = self.temp_w();
                if let Some(slot) = self.slots[slot] {
                    self.op(Op::WSlotAddr { d, slot });
                }
                d
            }
        }
    }

    /// A scalar term in bytes.
    fn scaled_s(&mut self, term: &Term) -> S {
        let mut a = self.term_s(term);
        if term.ext == Some(Ext::Sign) {
            let d = self.temp_s();
            self.op(Op::SextI32I64 { d, a });
            a = d;
        }
        if term.scale == 1 {
            return a;
        }
        let d = self.temp_s();
        match i32::try_from(term.scale) {
            Ok(imm) => self.op(Op::MulI64I { d, a, imm }),
            Err(_) => {
                let b = self.const_s(term.scale as u64);
                self.op(Op::MulI64 { d, a, b });
            }
        }
        d
    }

    /// A vector term in bytes, into `d` where it is given and anything is to be done.
    fn scaled_w(&mut self, term: &Term, d: Option<W>) -> W {
        let mut a = match self.machine_reg(term.reg) {
            Reg::W(a) => a,
            Reg::V(a) => {
                let w = match d {
                    Some(d) if term.scale == 1 => d,
                    _ => self.temp_w(),
                };
                self.op(match term.ext {
                    Some(Ext::Sign) => Op::WSextV { d: w, a },
                    _ => Op::WZextV { d: w, a },
                });
                w
            }
            Reg::S(_) => {
                let a = self.scaled_s(term);
                let w = d.unwrap_or_else(|| self.temp_w());
                self.op(Op::WSplat { d: w, a });
                return w;
            }
            _ => W(u16::MAX),
        };
        if term.scale != 1 {
            let w = d.unwrap_or_else(|| self.temp_w());
            let b = self.const_s(term.scale as u64);
            self.op(Op::WMulVs { d: w, a, b });
            a = w;
        }
        a
    }

    /// The sum of vector terms in bytes.
    fn index_chain(&mut self, d: W, terms: &[Term]) {
        if let [term] = terms {
            let w = self.scaled_w(term, Some(d));
            if w != d {
                self.op(Op::WMov { d, a: w });
            }
            return;
        }
        let Some((first, rest)) = terms.split_first() else { return };
        let mut sum = self.scaled_w(first, None);
        for (n, term) in rest.iter().enumerate() {
            let b = self.scaled_w(term, None);
            let to = if n + 1 == rest.len() { d } else { self.temp_w() };
            self.op(Op::WAdd { d: to, a: sum, b });
            sum = to;
        }
    }

    /// A scalar pointer plus scalar terms plus bytes.
    fn scalar_chain(&mut self, d: S, from: Address, terms: &[Term], disp: i64) {
        let (mut at, left) = self.scalar_pointer(from);
        let disp = disp.saturating_add(left.into());
        for (n, term) in terms.iter().enumerate() {
            let last = n + 1 == terms.len();
            // The last step takes the displacement along where it fits.
            let fits = i32::try_from(disp).ok().filter(|_| last);
            let to = if last && (fits.is_some() || disp == 0) { d } else { self.temp_s() };
            if term.fits() {
                let (index, ext) = (self.term_s(term), Self::scalar_ext(term));
                let disp = fits.unwrap_or(0);
                self.op(Op::PtrIdx { d: to, base: at, index, scale: term.scale as u16, disp, ext });
                at = to;
                if fits.is_some() {
                    return;
                }
            } else {
                let b = self.scaled_s(term);
                let to = if last && disp == 0 { d } else { self.temp_s() };
                self.op(Op::PtrAdd { d: to, a: at, b });
                at = to;
                if last && disp == 0 {
                    return;
                }
            }
        }
        if let Ok(imm) = i32::try_from(disp) {
            self.op(if imm == 0 { Op::Mov { d, a: at } } else { Op::PtrAddI { d, a: at, imm } });
        } else {
            let b = self.const_s(disp as u64);
            self.op(Op::PtrAdd { d, a: at, b });
        }
    }

    /// The pointer of each lane plus terms plus bytes.
    fn vector_chain(&mut self, d: W, from: Address, terms: &[Term], disp: i64) {
        let (mut at, left) = self.vector_pointer(from);
        let disp = disp.saturating_add(left.into());
        let small = i32::try_from(disp).ok();
        for (n, term) in terms.iter().enumerate() {
            let last = n + 1 == terms.len();
            let to = if last && disp == 0 { d } else { self.temp_w() };
            match self.machine_reg(term.reg) {
                Reg::S(_) => {
                    let index = self.scaled_s(term);
                    self.op(Op::WPtrIdxPs { d: to, base: at, index });
                }
                Reg::V(index) if term.fits() => {
                    let ext = term.ext.unwrap_or(Ext::Zero);
                    let (to, disp) = match small {
                        Some(disp) if last => (d, disp),
                        _ => (to, 0),
                    };
                    self.op(Op::WPtrIdxP { d: to, base: at, index, scale: term.scale as u16, disp, ext });
                    if last && small.is_some() {
                        return;
                    }
                }
                Reg::W(index) if term.fits() => {
                    let (to, disp) = match small {
                        Some(disp) if last => (d, disp),
                        _ => (to, 0),
                    };
                    self.op(Op::WPtrIdxPw { d: to, base: at, index, scale: term.scale as u16, disp });
                    if last && small.is_some() {
                        return;
                    }
                }
                _ => {
                    let index = self.scaled_w(term, None);
                    self.op(Op::WPtrIdxPw { d: to, base: at, index, scale: 1, disp: 0 });
                }
            }
            if last && disp == 0 {
                return;
            }
            at = to;
        }
        match small {
            Some(0) => self.op(Op::WMov { d, a: at }),
            Some(imm) => self.op(Op::WPtrAddI { d, a: at, imm }),
            None => {
                let index = self.const_s(disp as u64);
                self.op(Op::WPtrIdxPs { d, base: at, index });
            }
        }
    }
}
