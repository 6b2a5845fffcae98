//! Contraction of device code: a multiplication and the addition that takes its result become one fused
//! multiply-add, rounded once, as nvcc makes of them unless it is told `--fmad=false`.
//!
//! Which of them nvcc fuses was found by reading what it makes of generated kernels. It decides in two steps,
//! and both are followed here, since a result's last bit hangs on each choice.
//!
//! 1. The compiler proper, within a block (arms of a choice that only compute count as the block before): an addition (no subtraction) takes in a multiplication whose at
//!    most four uses are all such additions. Additions are visited from the last to the first; of two
//!    multiplications the one goes first whose operands were there earlier, as reassociation orders them.
//! 2. The assembler: a multiplication disappears into all its uses, if these are additions and subtractions
//!    that it can be fused with, negations in between left aside. Where two meet, the one with fewer uses
//!    does, or else the left one. Uses may be in other blocks only where that keeps no register alive for
//!    longer: one factor is a constant, a parameter of the kernel or in constant memory, or the product
//!    could move down to all its uses.
//!
//! A multiplication with any other use is needed by itself, and then nothing is fused. Operations with a
//! rounding of their own (`__fmul_rn`, `__fadd_rn`) never take part: the frontend writes them as fused
//! operations with a neutral operand.

use super::util::{insert_before, is_pure};
use cudair_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How many uses the first step puts up with.
const MOST_USES: usize = 4;

/// How many operations of an arm the compiler computes whether it is taken or not.
const SPECULATED: usize = 2;

/// An operand of an addition: the value under the negations, and whether these change its sign.
#[derive(Clone, Copy)]
struct Term {
    value: Value,
    neg: bool,
}

/// An addition or a subtraction, as a sum of two terms.
struct Sum {
    block: Block,
    terms: [Term; 2],
    /// Which term is the product that is fused with the other.
    fused: Option<usize>,
}

impl Sum {
    /// Whether it is written as an addition once negations are folded into it.
    fn adds(&self) -> bool {
        !self.terms[0].neg && !self.terms[1].neg
    }
}

/// A multiplication.
struct Product {
    block: Block,
    /// The sums that use it, each with the term that it is; none where anything else needs it.
    uses: Option<SmallVec<[(usize, usize); 4]>>,
}

struct Contraction<'a> {
    func: &'a mut Function,
    /// The sums in the order of the layout, and where each instruction stands among them.
    sums: Vec<Sum>,
    by_inst: FxHashMap<Inst, usize>,
    products: FxHashMap<Value, Product>,
    ranks: SecondaryMap<Value, u64>,
    /// The block as part of which the compiler sees each block.
    groups: SecondaryMap<Block, PackedOption<Block>>,
}

/// Contracts the functions of the device.
pub fn run(func: &mut Function) {
    if !func.side.on_device() {
        return;
    }
    let mut c = Contraction {
        func,
        sums: Vec::new(),
        by_inst: FxHashMap::default(),
        products: FxHashMap::default(),
        ranks: SecondaryMap::new(),
        groups: SecondaryMap::new(),
    };
    c.collect();
    if c.products.is_empty() || c.sums.is_empty() {
        return;
    }
    let cfg = Cfg::new(c.func);
    c.rank(&cfg);
    c.group(&cfg);
    c.sink(&cfg);
    c.fuse_in_blocks();
    c.fuse_in_function();
    c.rewrite();
}

impl Contraction<'_> {
    fn product(&self, v: Value) -> Option<[Value; 2]> {
        match self.func.insts[self.func.def_inst(v)?] {
            InstData::Binary { op: BinaryOp::Fmul, args, .. } => Some(args),
            _ => None,
        }
    }

    /// The value under the negations of `v`.
    fn term(&self, v: Value, neg: bool) -> Term {
        let mut term = Term { value: v, neg };
        while let Some(inst) = self.func.def_inst(term.value)
            && let InstData::Unary { op: UnaryOp::Fneg, arg, .. } = self.func.insts[inst]
        {
            term = Term { value: arg, neg: !term.neg };
        }
        term
    }

    /// Finds the sums, the products and their uses.
    fn collect(&mut self) {
        let func = &*self.func;
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                let InstData::Binary { op, args: [a, b], .. } = func.insts[inst] else { continue };
                let Some(result) = func.result(inst) else { continue };
                if !matches!(func.value_type(result), Type::F32 | Type::F64) {
                    continue;
                }
                match op {
                    BinaryOp::Fmul => {
                        self.products.insert(result, Product { block, uses: Some(SmallVec::new()) });
                    }
                    BinaryOp::Fadd | BinaryOp::Fsub => {
                        let terms = [self.term(a, false), self.term(b, op == BinaryOp::Fsub)];
                        self.by_inst.insert(inst, self.sums.len());
                        self.sums.push(Sum { block, terms, fused: None });
                    }
                    _ => {}
                }
            }
        }
        for (n, sum) in self.sums.iter().enumerate() {
            for (which, term) in sum.terms.iter().enumerate() {
                if let Some(uses) = self.products.get_mut(&term.value).and_then(|p| p.uses.as_mut()) {
                    uses.push((n, which));
                }
            }
        }
        // Uses by anything that is no sum, through negations too.
        let mut needed = Vec::new();
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                let folded = self.by_inst.contains_key(&inst)
                    || matches!(func.insts[inst], InstData::Unary { op: UnaryOp::Fneg, .. });
                if !folded {
                    func.for_each_arg(inst, |v| needed.push(self.term(v, false).value));
                }
            }
        }
        for v in needed {
            if let Some(product) = self.products.get_mut(&v) {
                product.uses = None;
            }
        }
    }

    /// Numbers values as reassociation does: parameters and what depends on more than its operands in their
    /// order, an operation one above its highest operand.
    fn rank(&mut self, cfg: &Cfg) {
        let func = &*self.func;
        let mut next = 2;
        for (n, &block) in cfg.rpo().iter().enumerate() {
            if n > 0 {
                next = ((next >> 16) + 1) << 16;
            }
            for &p in func.block_params(block) {
                next += 1;
                self.ranks[p] = next;
            }
            for &inst in func.block_insts(block) {
                let Some(result) = func.result(inst) else { continue };
                self.ranks[result] = match func.insts[inst] {
                    InstData::Const { .. } | InstData::GlobalAddr { .. } | InstData::SlotAddr { .. } => 0,
                    ref data if data.is_pure() => {
                        let mut highest = 0;
                        func.for_each_arg(inst, |v| highest = highest.max(self.ranks[v]));
                        highest + u64::from(!matches!(data, InstData::Unary { op: UnaryOp::Fneg, .. }))
                    }
                    _ => {
                        next += 1;
                        next
                    }
                };
            }
        }
    }

    /// Finds the choices that the compiler turns into selections.
    fn group(&mut self, cfg: &Cfg) {
        let func = &*self.func;
        for &block in cfg.rpo() {
            let preds = cfg.preds(block);
            let of = |p: &Block| self.groups[*p].expand();
            let before = preds.first().and_then(of).filter(|g| preds.iter().all(|p| of(p) == Some(*g)));
            let work =
                func.block_insts(block).iter().filter(|&&i| !matches!(func.insts[i], InstData::Const { .. }));
            // An arm is entered from one place, computes little and goes on.
            let arm = func.block_params(block).is_empty()
                && preds.len() == 1
                && work.clone().count() <= SPECULATED + 1
                && work.clone().all(|&i| is_pure(func, i) || matches!(func.insts[i], InstData::Jump { .. }));
            let joined = preds.len() > 1;
            self.groups[block] = before.filter(|_| arm || joined).unwrap_or(block).into();
        }
    }

    /// Moves products down, in thought, to the block where all their uses are, if that is left at once or only
    /// this one leads there.
    fn sink(&mut self, cfg: &Cfg) {
        for product in self.products.values_mut() {
            let Some(uses) = &product.uses else { continue };
            let mut blocks = uses.iter().map(|&(n, _)| self.sums[n].block);
            let Some(first) = blocks.next() else { continue };
            let [here, there] = [product.block, first].map(|b| self.groups[b]);
            if here == there || blocks.any(|b| self.groups[b] != there) {
                continue;
            }
            let only = matches!(cfg.preds(first), [p] if self.groups[*p] == here);
            if only || self.func.successors(first).is_empty() {
                product.block = first;
            }
        }
    }

    /// Whether the assembler has the value without a register of its own.
    fn is_at_hand(&self, v: Value) -> bool {
        match self.func.values[v].def {
            ValueDef::Param(block, _) => self.func.side == Side::Kernel && self.func.entry() == Some(block),
            ValueDef::Result(inst, _) => match self.func.insts[inst] {
                InstData::Const { .. } => true,
                InstData::Load { ptr, .. } => {
                    matches!(self.func.value_type(ptr), Type::Ptr(Space::Const))
                }
                _ => false,
            },
        }
    }

    /// A sum's terms in the order in which they are considered.
    fn order(&self, sum: &Sum) -> [usize; 2] {
        let [a, b] = sum.terms;
        let swapped = if sum.adds() { self.ranks[b.value] < self.ranks[a.value] } else { a.neg && !b.neg };
        if swapped { [1, 0] } else { [0, 1] }
    }

    fn fuse_in_blocks(&mut self) {
        for n in (0..self.sums.len()).rev() {
            let sum = &self.sums[n];
            if !sum.adds() {
                continue;
            }
            let chosen = self.order(sum).into_iter().find(|&which| {
                let Some(product) = self.products.get(&sum.terms[which].value) else { return false };
                let Some(uses) = &product.uses else { return false };
                let mut count = 0;
                let group = self.groups[sum.block];
                self.groups[product.block] == group
                    && uses.iter().all(|&(m, w)| {
                        let user = &self.sums[m];
                        count += usize::from(user.fused != Some(w));
                        match user.fused {
                            Some(fused) => fused == w,
                            None => user.adds() && self.groups[user.block] == group,
                        }
                    })
                    && count <= MOST_USES
            });
            self.sums[n].fused = chosen;
        }
    }

    fn fuse_in_function(&mut self) {
        // Products all of whose remaining uses could take them in.
        let mut ready: FxHashMap<Value, usize> = FxHashMap::default();
        for (&value, product) in &self.products {
            let Some(uses) = &product.uses else { continue };
            let anywhere = self.product(value).is_some_and(|f| f.into_iter().any(|v| self.is_at_hand(v)));
            let group = self.groups[product.block];
            let mut open = 0;
            let all = uses.iter().all(|&(n, w)| {
                let sum = &self.sums[n];
                open += usize::from(sum.fused.is_none());
                match sum.fused {
                    Some(fused) => fused == w,
                    None => {
                        sum.terms[0].value != sum.terms[1].value
                            && (anywhere || self.groups[sum.block] == group)
                    }
                }
            });
            if all && open > 0 {
                ready.insert(value, open);
            }
        }
        for sum in self.sums.iter().filter(|s| s.fused.is_none()) {
            let [a, b] = self.order(sum).map(|which| sum.terms[which].value);
            if let (Some(&uses_a), Some(&uses_b)) = (ready.get(&a), ready.get(&b)) {
                ready.remove(if uses_a <= uses_b { &b } else { &a });
            }
        }
        for sum in self.sums.iter_mut().filter(|s| s.fused.is_none()) {
            sum.fused = (0..2).find(|&which| ready.contains_key(&sum.terms[which].value));
        }
    }

    /// Writes the fused operations. Products that nothing uses any more are left to the clean-up.
    fn rewrite(&mut self) {
        for at in 0..self.func.layout.len() {
            let block = self.func.layout[at];
            let mut i = 0;
            while i < self.func.blocks[block].insts.len() {
                let inst = self.func.blocks[block].insts[i];
                i += 1;
                let Some(sum) = self.by_inst.get(&inst).map(|&n| &self.sums[n]) else { continue };
                let Some(which) = sum.fused else { continue };
                let (factor, addend) = (sum.terms[which], sum.terms[1 - which]);
                let Some([a, b]) = self.product(factor.value) else { continue };
                let loc = self.func.locs[inst].expand();
                let mut negated = |func: &mut Function, v: Value, neg: bool| {
                    if !neg {
                        return v;
                    }
                    let ty = func.value_type(v);
                    let data = InstData::Unary { op: UnaryOp::Fneg, nsw: false, arg: v };
                    let v = insert_before(func, block, i - 1, data, ty, loc);
                    i += 1;
                    v
                };
                let a = negated(self.func, a, factor.neg);
                let c = negated(self.func, addend.value, addend.neg);
                self.func.insts[inst] = InstData::Ternary { op: TernaryOp::Fma, args: [a, b, c] };
            }
        }
    }
}
