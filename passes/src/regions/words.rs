//! Terms in words: infix, with a name for each larger part that occurs more than once, so that the text is about as long as
//! the graph of terms.

use crate::symbolic::report::{object, parameter};
use crate::symbolic::smt::sym_name;
use crate::symbolic::summary::{Base, Summary};
use crate::symbolic::term::{Func, MemoryBase, Node, Sym, Term};
use cudair_ir::{BinaryOp, IntCC, Uniformity};
use rustc_hash::FxHashMap;

/// Parts of more nodes than this get a name where they occur more than once.
const SHORT: u32 = 6;
/// Parts that are deeper than this get a name in any case.
const DEEP: u32 = 24;

/// How a part is written.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: u32,
    depth: u32,
}

/// Writes terms.
pub struct Words<'a, 'b> {
    s: &'b Summary<'a>,
    /// How often each term is a part of another one, or a root.
    uses: FxHashMap<Term, u32>,
    sizes: FxHashMap<Term, Size>,
    names: FxHashMap<Term, usize>,
    /// Terms with a name, in the order of names.
    named: Vec<Term>,
}

impl<'a, 'b> Words<'a, 'b> {
    /// For terms that are parts of these.
    pub fn new(s: &'b Summary<'a>, roots: &[Term]) -> Words<'a, 'b> {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &t in roots {
            *uses.entry(t).or_default() += 1;
        }
        for t in s.terms.subterms(roots.iter().copied()) {
            for p in s.terms.parts(t) {
                *uses.entry(p).or_default() += 1;
            }
        }
        let mut out =
            Words { s, uses, sizes: FxHashMap::default(), names: FxHashMap::default(), named: Vec::new() };
        for &t in roots {
            out.measure(t);
        }
        out
    }

    fn measure(&mut self, t: Term) {
        for top in self.s.terms.pending(t, |p| self.sizes.contains_key(&p)) {
            let mut size = Size { nodes: 1, depth: 1 };
            for p in self.s.terms.parts(top) {
                if !self.has_name(p) {
                    let part = self.sizes.get(&p).copied().unwrap_or_default();
                    size.nodes = size.nodes.saturating_add(part.nodes);
                    size.depth = size.depth.max(part.depth + 1);
                }
            }
            self.sizes.insert(top, size);
        }
    }

    fn has_name(&self, t: Term) -> bool {
        let size = self.sizes.get(&t).copied().unwrap_or_default();
        size.depth > DEEP || (size.nodes > SHORT && self.uses.get(&t).is_some_and(|&n| n > 1))
    }

    /// A term, with the names of parts that have one.
    pub fn show(&mut self, t: Term) -> String {
        if !self.has_name(t) {
            return self.spell(t);
        }
        let n = *self.names.entry(t).or_insert_with(|| {
            self.named.push(t);
            self.named.len() - 1
        });
        format!("${n}")
    }

    /// The names that were used, and what they stand for.
    pub fn definitions(mut self) -> Vec<(String, String)> {
        let mut out = Vec::new();
        // A definition may use further names.
        while let Some(&t) = self.named.get(out.len()) {
            let text = self.spell(t);
            out.push((format!("${}", out.len()), text));
        }
        out
    }

    /// An operand: in parentheses where it is more than one word.
    fn operand(&mut self, t: Term) -> String {
        let text = self.show(t);
        let infix = matches!(self.s.terms.node(t), Node::Binary(op, ..) if infix(*op).is_some())
            || matches!(self.s.terms.node(t), Node::Compare(..) | Node::Ite(..));
        if infix && !self.has_name(t) { format!("({text})") } else { text }
    }

    fn list(&mut self, args: &[Term]) -> String {
        let args: Vec<String> = args.iter().map(|&a| self.show(a)).collect();
        args.join(", ")
    }

    fn spell(&mut self, t: Term) -> String {
        let terms = &self.s.terms;
        let width = terms.width(t);
        match terms.node(t).clone() {
            Node::Const(bits) if width == 1 => (bits != 0).to_string(),
            Node::Const(bits) => terms.signed(t).map_or(bits.to_string(), |n| n.to_string()),
            Node::Sym { sym: Sym::Param(n), copy: 0 } => parameter(self.s.cx.func, n).replace('`', ""),
            Node::Sym { sym: Sym::DynamicShared, .. } => "dynamicShared".to_owned(),
            Node::Sym { sym, copy } => sym_name(sym, copy),
            Node::App { func, scope, args, .. } => self.application(func, scope, &args),
            Node::Binary(op, a, b) => {
                // A sum of a negative constant is a difference.
                if op == BinaryOp::Iadd
                    && width > 1
                    && let Some(n) = terms.signed(b).filter(|n| *n < 0)
                {
                    return format!("{} - {}", self.operand(a), n.unsigned_abs());
                }
                match infix(op) {
                    Some(word) => {
                        let word = match (word, width) {
                            ("&", 1) => "&&",
                            ("|", 1) => "||",
                            (word, _) => word,
                        };
                        // Sums of sums, and so on, need no parentheses on the left.
                        let same = matches!(self.s.terms.node(a), Node::Binary(o, ..) if *o == op && op.is_commutative());
                        let left = if same { self.show(a) } else { self.operand(a) };
                        format!("{left} {word} {}", self.operand(b))
                    }
                    None => format!("{}({})", op.name(), self.list(&[a, b])),
                }
            }
            Node::Not(a) => format!("{}{}", if width == 1 { "!" } else { "~" }, self.operand(a)),
            Node::Compare(cc, a, b) => {
                let word = match cc {
                    IntCC::Eq => "==",
                    IntCC::Slt => "<",
                    IntCC::Sle => "<=",
                    IntCC::Ult => "<u",
                    _ => "<=u",
                };
                format!("{} {word} {}", self.operand(a), self.operand(b))
            }
            Node::Ite(c, a, b) => format!("{} ? {} : {}", self.operand(c), self.operand(a), self.operand(b)),
            Node::Zext(a) => format!("zext{width}({})", self.show(a)),
            Node::Sext(a) => format!("sext{width}({})", self.show(a)),
            Node::Trunc(a) => format!("trunc{width}({})", self.show(a)),
        }
    }

    /// What nothing is known of but who agrees in it.
    fn application(&mut self, func: Func, scope: Uniformity, args: &[Term]) -> String {
        let agree = match scope {
            Uniformity::Divergent => "",
            Uniformity::Warp => "@warp",
            Uniformity::Block => "@block",
            Uniformity::Grid => "@grid",
        };
        let args = self.list(args);
        match func {
            Func::Memory(base) => {
                let base = match base {
                    MemoryBase::Global(g) => Base::Global(g),
                    MemoryBase::Param(n) => Base::Param(n),
                    MemoryBase::Member(n, at) => Base::Member(n, at),
                };
                format!("load({}, {args})", object(self.s, base).replace('`', ""))
            }
            Func::Op(name) => format!("{name}({args})"),
            Func::Native(f) => format!("{}({args})", self.s.cx.module.funcs[f].display_name),
            Func::Target(v) => format!("target of {v}{agree}({args})"),
            Func::Value(v) if args.is_empty() => format!("{v}{agree}"),
            Func::Value(v) => format!("{v}{agree}({args})"),
            Func::Exit(n) if args.is_empty() => format!("exit{n}{agree}"),
            Func::Exit(n) => format!("exit{n}{agree}({args})"),
            Func::Host(n) => format!("host{n}"),
        }
    }
}

/// The sign of an operation that is written between its operands.
fn infix(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Iadd => "+",
        BinaryOp::Isub => "-",
        BinaryOp::Imul => "*",
        BinaryOp::Udiv => "/u",
        BinaryOp::Sdiv => "/",
        BinaryOp::Urem => "%u",
        BinaryOp::Srem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Lshr => ">>u",
        BinaryOp::Ashr => ">>",
        _ => return None,
    })
}
