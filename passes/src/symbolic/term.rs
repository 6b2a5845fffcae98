//! Terms: what a value is in terms of thread and block indices, parameters, loop counters and loaded data, as a
//! hash-consed graph of bit-vector operations.
//!
//! A term has a width in bits and means exactly what the machine computes: arithmetic wraps, shifts by too much shift
//! all bits out (as on the device, and as in SMT-LIB). Floating-point operations are uninterpreted functions: all that
//! is known is that equal operands give equal results.
//!
//! A symbol or application carries a *copy*. Terms of a kernel's summary have copy 0; a query about two threads takes
//! an instance of a term for each ([`Terms::instance`]), in which what belongs to the thread has copy 1 or 2.

use cranelift_entity::{PrimaryMap, entity_impl};
use cudair_ir::eval::{self, defined};
use cudair_ir::{BinaryOp, FuncId, GlobalId, IntCC, Side, Type, Uniformity, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

mod contents;

use contents::{Has, Rewritten};

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);
entity_impl!(Term, "t");

/// A list of terms.
pub type Args = SmallVec<[Term; 3]>;

/// A symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sym {
    /// `threadIdx`, by dimension.
    Tid(u8),
    /// `blockIdx`.
    Bid(u8),
    /// `blockDim`.
    BlockDim(u8),
    /// `gridDim`.
    GridDim(u8),
    /// The bytes of dynamic shared memory.
    DynamicShared,
    /// A scalar parameter of the kernel.
    Param(u32),
    /// The iteration, from 0, in which a loop is.
    Counter(u32),
    /// The iteration in which all threads of the block are that last met at a barrier inside the loop.
    Common(u32),
    /// The iteration in which all threads of the grid are that last met at a barrier of the grid inside the loop.
    Everywhere(u32),
    /// What stands for a term in a weaker question.
    Fresh(u32),
}

impl Sym {
    /// Who agrees in it.
    pub fn scope(self) -> Uniformity {
        match self {
            Sym::Tid(_) | Sym::Counter(_) | Sym::Fresh(_) => Uniformity::Divergent,
            Sym::Bid(_) | Sym::Common(_) => Uniformity::Block,
            Sym::BlockDim(_) | Sym::GridDim(_) | Sym::DynamicShared | Sym::Param(_) | Sym::Everywhere(_) => {
                Uniformity::Grid
            }
        }
    }
}

/// A function of which nothing is known but that equal arguments give equal results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Func {
    /// What an instruction gives in an iteration of the loops around it, whose counters are the arguments.
    Value(Value),
    /// Which of several objects the pointer points into that an instruction gives, by number.
    Target(Value),
    /// The iteration in which a loop is left. The arguments are the counters of the loops around it.
    Exit(u32),
    /// What memory holds that the kernel never writes, as so many bits. The arguments are the object's number and the
    /// offset.
    Memory(MemoryBase),
    /// A floating-point operation, by name.
    Op(&'static str),
    /// A native function.
    Native(FuncId),
    /// A value of the host's code, by number.
    Host(u32),
}

/// Memory that a kernel never writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryBase {
    /// A variable.
    Global(GlobalId),
    /// What a parameter points to, or the aggregate that is passed.
    Param(u32),
    /// What a pointer member of an aggregate parameter points to: parameter, byte offset of the member.
    Member(u32, u32),
}

/// What a term is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant: the low bits count, the others are zero.
    Const(u128),
    /// A symbol.
    Sym {
        /// Which.
        sym: Sym,
        /// Whose.
        copy: u8,
    },
    /// An application.
    App {
        /// The function.
        func: Func,
        /// Who agrees in it.
        scope: Uniformity,
        /// Whose.
        copy: u8,
        /// The arguments.
        args: Args,
    },
    /// An integer operation on two operands of the result's width.
    Binary(BinaryOp, Term, Term),
    /// All bits flipped.
    Not(Term),
    /// Equality, or an order; of width 1. `Ne`, `Sgt`, `Sge`, `Ugt`, `Uge` are not used.
    Compare(IntCC, Term, Term),
    /// The second where the first, of width 1, holds, else the third.
    Ite(Term, Term, Term),
    /// Zero extension.
    Zext(Term),
    /// Sign extension.
    Sext(Term),
    /// The low bits.
    Trunc(Term),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Data {
    node: Node,
    width: u32,
}

/// The terms of one summary.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    data: PrimaryMap<Term, Data>,
    known: FxHashMap<Data, Term>,
    /// What is in each term.
    has: PrimaryMap<Term, Has>,
    rewritten: Rewritten,
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

impl Terms {
    /// What a term is made of.
    pub fn node(&self, t: Term) -> &Node {
        &self.data[t].node
    }

    /// A term's width in bits.
    pub fn width(&self, t: Term) -> u32 {
        self.data[t].width
    }

    /// A constant's bits.
    pub fn bits(&self, t: Term) -> Option<u128> {
        match self.data[t].node {
            Node::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// A constant as a signed number.
    pub fn signed(&self, t: Term) -> Option<i128> {
        let (bits, width) = (self.bits(t)?, self.width(t));
        let shift = 128 - width;
        Some(((bits << shift) as i128) >> shift)
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    fn make(&mut self, node: Node, width: u32) -> Term {
        let data = Data { node, width };
        if let Some(&t) = self.known.get(&data) {
            return t;
        }
        let t = self.data.push(data.clone());
        self.known.insert(data, t);
        let has = self.parts(t).into_iter().fold(Has::leaf(t, self.node(t)), |has, p| has.and(self.has[p]));
        self.has.push(has);
        t
    }

    /// A constant.
    pub fn constant(&mut self, bits: u128, width: u32) -> Term {
        self.make(Node::Const(bits & mask(width)), width)
    }

    /// A truth value.
    pub fn truth(&mut self, holds: bool) -> Term {
        self.constant(holds.into(), 1)
    }

    /// A symbol of copy 0.
    pub fn sym(&mut self, sym: Sym, width: u32) -> Term {
        self.make(Node::Sym { sym, copy: 0 }, width)
    }

    /// A symbol of a thread.
    pub fn sym_of(&mut self, sym: Sym, copy: u8, width: u32) -> Term {
        self.make(Node::Sym { sym, copy }, width)
    }

    /// An application of copy 0.
    pub fn app(&mut self, func: Func, scope: Uniformity, args: Args, width: u32) -> Term {
        self.make(Node::App { func, scope, copy: 0, args }, width)
    }

    /// An integer operation; `None` where the operation is none on integers.
    pub fn binary(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        use BinaryOp::*;
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        if let (Some(x), Some(y)) = (self.bits(a), self.bits(b))
            && let Some(bits) = fold(op, width, x, y)
        {
            return self.constant(bits, width);
        }
        // Constants stand on the right.
        let (a, b) = if op.is_commutative() && (self.bits(a).is_some() || (self.bits(b).is_none() && b < a)) {
            (b, a)
        } else {
            (a, b)
        };
        let zero = self.bits(b) == Some(0);
        let all = self.bits(b) == Some(mask(width));
        match op {
            Iadd | Or | Xor | Shl | Lshr | Ashr | Isub if zero => return a,
            Imul | And if zero => return b,
            Imul | Sdiv | Udiv if self.bits(b) == Some(1) => return a,
            And if all => return a,
            Or if all => return b,
            And | Or if a == b => return a,
            Xor | Isub if a == b => return self.constant(0, width),
            And if width == 1 && self.is_negation(a, b) => return self.truth(false),
            Or if width == 1 && self.is_negation(a, b) => return self.truth(true),
            Isub => {
                if let Some(y) = self.bits(b) {
                    let minus = self.constant(y.wrapping_neg(), width);
                    return self.binary(Iadd, a, minus);
                }
            }
            Shl => {
                // So that one form serves sums and products.
                if let Some(n) = self.bits(b)
                    && n < u128::from(width)
                {
                    let factor = self.constant(1 << n, width);
                    return self.binary(Imul, a, factor);
                }
            }
            Iadd | Imul => {
                if let (Node::Binary(inner, x, y), Some(_)) = (self.node(a).clone(), self.bits(b))
                    && inner == op
                    && self.bits(y).is_some()
                {
                    let both = self.binary(op, y, b);
                    return self.binary(op, x, both);
                }
            }
            _ => {}
        }
        self.make(Node::Binary(op, a, b), width)
    }

    fn is_negation(&self, a: Term, b: Term) -> bool {
        *self.node(a) == Node::Not(b) || *self.node(b) == Node::Not(a)
    }

    /// All bits flipped; of a truth value its negation.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match *self.node(a) {
            Node::Const(bits) => self.constant(!bits, width),
            Node::Not(inner) => inner,
            // An order's negation is the order of exchanged operands.
            Node::Compare(IntCC::Slt, x, y) => self.compare(IntCC::Sle, y, x),
            Node::Compare(IntCC::Sle, x, y) => self.compare(IntCC::Slt, y, x),
            Node::Compare(IntCC::Ult, x, y) => self.compare(IntCC::Ule, y, x),
            Node::Compare(IntCC::Ule, x, y) => self.compare(IntCC::Ult, y, x),
            _ => self.make(Node::Not(a), width),
        }
    }

    /// Both hold.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::And, a, b)
    }

    /// One of them holds.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::Or, a, b)
    }

    /// Wrapping sum.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::Iadd, a, b)
    }

    /// Wrapping difference.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::Isub, a, b)
    }

    /// Wrapping product.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinaryOp::Imul, a, b)
    }

    /// A comparison.
    pub fn compare(&mut self, cc: IntCC, a: Term, b: Term) -> Term {
        use IntCC::*;
        debug_assert_eq!(self.width(a), self.width(b));
        match cc {
            Ne => {
                let equal = self.compare(Eq, a, b);
                return self.not(equal);
            }
            Sgt | Sge | Ugt | Uge => return self.compare(cc.swapped(), b, a),
            Eq | Slt | Sle | Ult | Ule => {}
        }
        if let (Some(x), Some(y), Some(ty)) = (self.bits(a), self.bits(b), Type::int(self.width(a))) {
            return self.truth(eval::icmp(cc, ty, x, y));
        }
        if a == b {
            return self.truth(matches!(cc, Eq | Sle | Ule));
        }
        if cc == Ult && self.bits(b) == Some(0) {
            return self.truth(false);
        }
        if cc == Ule && self.bits(a) == Some(0) {
            return self.truth(true);
        }
        if cc == Eq {
            let (a, b) =
                if self.bits(a).is_some() || (self.bits(b).is_none() && b < a) { (b, a) } else { (a, b) };
            if self.width(a) == 1
                && let Some(bits) = self.bits(b)
            {
                return if bits == 1 { a } else { self.not(a) };
            }
            // Extensions are one to one.
            match (self.node(a).clone(), self.node(b).clone()) {
                (Node::Zext(x), Node::Zext(y)) | (Node::Sext(x), Node::Sext(y))
                    if self.width(x) == self.width(y) =>
                {
                    return self.compare(Eq, x, y);
                }
                _ => {}
            }
            if let Some((x, y)) = self.cancel(a, b) {
                return self.compare(Eq, x, y);
            }
            return self.make(Node::Compare(Eq, a, b), 1);
        }
        self.make(Node::Compare(cc, a, b), 1)
    }

    /// Two terms that are equal just where `a` and `b` are, with what these have in common taken away.
    fn cancel(&self, a: Term, b: Term) -> Option<(Term, Term)> {
        let (&Node::Binary(op, p, q), &Node::Binary(other, r, s)) = (self.node(a), self.node(b)) else {
            return None;
        };
        if op != other {
            return None;
        }
        match op {
            BinaryOp::Iadd | BinaryOp::Xor => {
                let pairs = [(p, r, q, s), (p, s, q, r), (q, r, p, s), (q, s, p, r)];
                pairs.into_iter().find(|&(x, y, ..)| x == y).map(|(.., x, y)| (x, y))
            }
            // An odd factor has an inverse; another one is undone where the product cannot wrap around.
            BinaryOp::Imul if q == s => {
                let factor = self.bits(q)?;
                let narrow = |t: Term| match self.node(t) {
                    Node::Zext(x) | Node::Sext(x) => {
                        self.width(*x) + 128 - factor.leading_zeros() <= self.width(t)
                    }
                    _ => false,
                };
                (factor & 1 == 1 || (factor != 0 && narrow(p) && narrow(r))).then_some((p, r))
            }
            _ => None,
        }
    }

    /// A choice.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(a), self.width(b));
        match self.bits(c) {
            Some(0) => return b,
            Some(_) => return a,
            None => {}
        }
        if a == b {
            return a;
        }
        if self.width(a) == 1 {
            match (self.bits(a), self.bits(b)) {
                (Some(1), Some(0)) => return c,
                (Some(0), Some(1)) => return self.not(c),
                (Some(1), None) => return self.or(c, b),
                (Some(0), None) => {
                    let n = self.not(c);
                    return self.and(n, b);
                }
                (None, Some(0)) => return self.and(c, a),
                (None, Some(1)) => {
                    let n = self.not(c);
                    return self.or(n, a);
                }
                _ => {}
            }
        }
        let width = self.width(a);
        self.make(Node::Ite(c, a, b), width)
    }

    /// Zero extension to `width`, or the same.
    pub fn zext(&mut self, a: Term, width: u32) -> Term {
        match *self.node(a) {
            _ if self.width(a) == width => a,
            Node::Const(bits) => self.constant(bits, width),
            Node::Zext(inner) => self.zext(inner, width),
            _ => self.make(Node::Zext(a), width),
        }
    }

    /// Sign extension to `width`, or the same.
    pub fn sext(&mut self, a: Term, width: u32) -> Term {
        match *self.node(a) {
            _ if self.width(a) == width => a,
            Node::Const(_) => {
                let bits = self.signed(a).unwrap_or_default() as u128;
                self.constant(bits, width)
            }
            Node::Sext(inner) => self.sext(inner, width),
            Node::Zext(inner) => self.zext(inner, width),
            _ => self.make(Node::Sext(a), width),
        }
    }

    /// The low `width` bits, or the same.
    pub fn trunc(&mut self, a: Term, width: u32) -> Term {
        match *self.node(a) {
            _ if self.width(a) == width => a,
            Node::Const(bits) => self.constant(bits, width),
            Node::Trunc(inner) => self.trunc(inner, width),
            Node::Zext(inner) | Node::Sext(inner) if self.width(inner) >= width => self.trunc(inner, width),
            Node::Zext(inner) => self.zext(inner, width),
            Node::Sext(inner) => self.sext(inner, width),
            _ => self.make(Node::Trunc(a), width),
        }
    }

    /// A number of low bits that are zero for certain.
    pub fn trailing_zeros(&self, t: Term) -> u32 {
        let width = self.width(t);
        let zeros = match *self.node(t) {
            Node::Const(0) => width,
            Node::Const(bits) => bits.trailing_zeros(),
            Node::Binary(BinaryOp::Imul, a, b) => self.trailing_zeros(a) + self.trailing_zeros(b),
            Node::Binary(BinaryOp::Iadd | BinaryOp::Isub | BinaryOp::Or | BinaryOp::Xor, a, b)
            | Node::Ite(_, a, b) => self.trailing_zeros(a).min(self.trailing_zeros(b)),
            Node::Binary(BinaryOp::And, a, b) => self.trailing_zeros(a).max(self.trailing_zeros(b)),
            Node::Zext(a) | Node::Sext(a) | Node::Trunc(a) => self.trailing_zeros(a),
            _ => 0,
        };
        zeros.min(width)
    }

    /// The parts of a term, in order.
    pub fn parts(&self, t: Term) -> Args {
        match self.node(t) {
            Node::Const(_) | Node::Sym { .. } => Args::new(),
            Node::App { args, .. } => args.clone(),
            &Node::Binary(_, a, b) | &Node::Compare(_, a, b) => Args::from_slice(&[a, b]),
            &Node::Not(a) | &Node::Zext(a) | &Node::Sext(a) | &Node::Trunc(a) => Args::from_slice(&[a]),
            &Node::Ite(c, a, b) => Args::from_slice(&[c, a, b]),
        }
    }

    /// The same term with other parts, simplified again.
    fn with_parts(&mut self, t: Term, parts: &Args) -> Term {
        let (node, width) = (self.node(t).clone(), self.width(t));
        self.made_of(&node, parts, width)
    }

    /// A node with these parts, simplified.
    fn made_of(&mut self, node: &Node, parts: &Args, width: u32) -> Term {
        match *node {
            Node::Const(bits) => self.constant(bits, width),
            Node::Sym { .. } => self.make(node.clone(), width),
            Node::App { func, scope, copy, .. } => {
                self.make(Node::App { func, scope, copy, args: parts.clone() }, width)
            }
            Node::Binary(op, ..) => self.binary(op, parts[0], parts[1]),
            Node::Not(_) => self.not(parts[0]),
            Node::Compare(cc, ..) => self.compare(cc, parts[0], parts[1]),
            Node::Ite(..) => self.ite(parts[0], parts[1], parts[2]),
            Node::Zext(_) => self.zext(parts[0], width),
            Node::Sext(_) => self.sext(parts[0], width),
            Node::Trunc(_) => self.trunc(parts[0], width),
        }
    }

    /// The terms in `t`, itself included, that are not done: parts before what they are parts of.
    pub fn pending(&self, t: Term, done: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut out = Vec::new();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let open = |p: &Term, seen: &FxHashSet<Term>| !seen.contains(p) && !done(*p);
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            let missing: Args = self.parts(top).into_iter().filter(|p| open(p, &seen)).collect();
            if open(&top, &seen) && !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            stack.pop();
            if open(&top, &seen) {
                seen.insert(top);
                out.push(top);
            }
        }
        out
    }

    /// The terms in some others, these included, each once.
    pub fn subterms(&self, roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let mut out = Vec::new();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work: Vec<Term> = roots.into_iter().collect();
        while let Some(t) = work.pop() {
            if seen.insert(t) {
                out.push(t);
                work.extend(self.parts(t));
            }
        }
        out
    }

    /// Rewrites a term from its leaves up. `leaf` may replace symbols and applications, whose arguments have been
    /// rewritten. `done` keeps what is known between calls with one `leaf`.
    pub fn rewrite(
        &mut self,
        t: Term,
        done: &mut FxHashMap<Term, Term>,
        leaf: &mut impl FnMut(&mut Terms, Term) -> Option<Term>,
    ) -> Term {
        self.rewrite_where(t, done, |_| true, leaf)
    }

    /// The same, of which it is known that terms stay as they are that do not hold what is `wanted`.
    fn rewrite_where(
        &mut self,
        t: Term,
        done: &mut FxHashMap<Term, Term>,
        wanted: impl Fn(Has) -> bool,
        leaf: &mut impl FnMut(&mut Terms, Term) -> Option<Term>,
    ) -> Term {
        for top in self.pending(t, |p| done.contains_key(&p) || !wanted(self.has[p])) {
            let parts = self.parts(top);
            let new: Args = parts.iter().map(|&p| done.get(&p).copied().unwrap_or(p)).collect();
            let mut made = if new == parts { top } else { self.with_parts(top, &new) };
            if matches!(self.node(made), Node::Sym { .. } | Node::App { .. })
                && let Some(other) = leaf(self, made)
            {
                made = other;
            }
            done.insert(top, made);
        }
        done.get(&t).copied().unwrap_or(t)
    }

    /// A term of another graph in this one. `leaf` gives what stands for a symbol or an application there, whose
    /// arguments are in this graph already. `done` keeps what is known between calls with one `leaf`.
    pub fn import(
        &mut self,
        from: &Terms,
        t: Term,
        done: &mut FxHashMap<Term, Term>,
        leaf: &mut impl FnMut(&mut Terms, &Node, Args, u32) -> Term,
    ) -> Term {
        for top in from.pending(t, |p| done.contains_key(&p)) {
            let parts = from.parts(top);
            let new: Args = parts.iter().map(|p| done[p]).collect();
            let width = from.width(top);
            let made = match from.node(top) {
                node @ (Node::Sym { .. } | Node::App { .. }) => leaf(self, node, new, width),
                &Node::Const(bits) => self.constant(bits, width),
                node => self.made_of(node, &new, width),
            };
            done.insert(top, made);
        }
        done[&t]
    }

    /// A term with symbols and applications replaced by terms of their width.
    pub fn replace(&mut self, t: Term, with: &[(Term, Term)]) -> Term {
        let leaves = self.leaves_of(with);
        if self.has[t].may_have(leaves) { self.replace_all(&[t], with)[0] } else { t }
    }

    /// The same for several terms.
    pub fn replace_all(&mut self, terms: &[Term], with: &[(Term, Term)]) -> Vec<Term> {
        let leaves = self.leaves_of(with);
        let mut done = self.rewritten.replaced(with);
        let mut leaf = |_: &mut Terms, at: Term| with.iter().find(|w| w.0 == at).map(|w| w.1);
        let mut one = |&t: &Term| self.rewrite_where(t, &mut done, |has| has.may_have(leaves), &mut leaf);
        let made = terms.iter().map(&mut one).collect();
        self.rewritten.keep_replaced(with, done);
        made
    }

    /// What is replaced.
    fn leaves_of(&self, with: &[(Term, Term)]) -> Has {
        with.iter().fold(Has::default(), |has, &(t, _)| has.and(Has::leaf(t, self.node(t))))
    }

    /// What a choice may come to, through choices in it.
    pub fn leaves(&self, t: Term) -> Vec<Term> {
        let mut out = Vec::new();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if seen.insert(t) {
                match *self.node(t) {
                    Node::Ite(_, a, b) => work.extend([b, a]),
                    _ => out.push(t),
                }
            }
        }
        out
    }

    /// Whether `part` occurs in a term.
    pub fn mentions(&self, t: Term, mut part: impl FnMut(&Node) -> bool) -> bool {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if seen.insert(t) {
                if part(self.node(t)) {
                    return true;
                }
                work.extend(self.parts(t));
            }
        }
        false
    }

    /// The term as thread `copy` has it, which shares with the other thread of a query what has at least the scope
    /// `shared`.
    pub fn instance(&mut self, t: Term, copy: u8, shared: Uniformity) -> Term {
        let differs = |has: Has| has.scope.is_some_and(|scope| scope < shared);
        if !differs(self.has[t]) {
            return t;
        }
        let mut done = self.rewritten.instances.remove(&(copy, shared)).unwrap_or_default();
        let made = self.rewrite_where(t, &mut done, differs, &mut |terms, at| {
            let width = terms.width(at);
            match terms.node(at).clone() {
                Node::Sym { sym, copy: 0 } if sym.scope() < shared => {
                    Some(terms.make(Node::Sym { sym, copy }, width))
                }
                Node::App { func, scope, copy: 0, args } if scope < shared => {
                    Some(terms.make(Node::App { func, scope, copy, args }, width))
                }
                _ => None,
            }
        });
        self.rewritten.instances.insert((copy, shared), done);
        made
    }

    /// Visits the iterations in which loops are left that a term speaks of. What is `seen` is passed over.
    pub fn for_each_exit(&self, t: Term, seen: &mut FxHashSet<Term>, mut f: impl FnMut(Term, u32, &Args)) {
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if self.has[t].exit && seen.insert(t) {
                if let Node::App { func: Func::Exit(cycle), args, .. } = self.node(t) {
                    f(t, *cycle, args);
                }
                work.extend(self.parts(t));
            }
        }
    }
}

/// A constant result, where it is defined.
pub(crate) fn fold(op: BinaryOp, width: u32, a: u128, b: u128) -> Option<u128> {
    // Too large an amount shifts all bits out.
    let b = match op {
        BinaryOp::Shl | BinaryOp::Lshr if b >= u128::from(width) => return Some(0),
        BinaryOp::Ashr => b.min(u128::from(width) - 1),
        _ => b,
    };
    defined(eval::binary(op, false, Type::int(width)?, a, b, Side::Kernel))
}

#[cfg(test)]
mod tests;
