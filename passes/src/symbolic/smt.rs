//! Questions to an SMT solver, in SMT-LIB 2.6 over bit-vectors and uninterpreted functions (QF_UFBV).
//!
//! A term of width 1 is a `Bool`, every other a bit-vector. Each inner node of the graph is a definition of its own, so
//! that the text is as long as the graph. What SMT-LIB has no word for becomes an unknown constant: the answer *no* then
//! still is a proof.

use super::term::*;
use cudair_ir::verdict::Check;
use cudair_ir::{BinaryOp, IntCC, Span};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// What a question is about, for who writes questions down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The kernel, as a reader calls it.
    pub kernel: String,
    /// The check that asks.
    pub check: Check,
    /// What the solver is asked for: *sat* is yes.
    pub asks: &'static str,
    /// The places of the program that the question is about: that of thread 1 first.
    pub places: Vec<Span>,
}

/// Why there is no reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoReply {
    /// There is no solver, or it has ended, and why.
    Gone(String),
    /// The solver ran out of time, which depends on the machine.
    OutOfTime,
}

/// Somebody who answers a script.
pub trait Solver {
    /// Sends a script and gives what was written in return, and what that took in units of resources that do not depend
    /// on the machine.
    ///
    /// # Errors
    /// Why there is no answer.
    fn run(&mut self, script: &str) -> Result<(String, u64), NoReply>;

    /// Is told before each script what it is about. Who does not want to know does not call the function, which takes its
    /// time.
    fn about(&mut self, _about: &dyn Fn() -> About) {}
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub struct NoSolver;

impl Solver for NoSolver {
    fn run(&mut self, _: &str) -> Result<(String, u64), NoReply> {
        Err(NoReply::Gone("there is no solver to ask".to_owned()))
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Nothing satisfies the question.
    No,
    /// These values do, one for each term that was asked for.
    Yes(Vec<u128>),
    /// It is not known, and why.
    Unknown(String),
    /// The solver ran out of time: on a machine that is less busy it may know.
    Cut,
}

/// What a verdict says where the answer was [`Answer::Cut`].
pub const CUT: &str = "the solver ran out of time: on a machine that is less busy it may know";

/// What one question may take at most, in the solver's own units, which do not depend on the machine: about a second.
pub const QUESTION: u64 = 3_000_000;
/// The longest question, in bytes.
const MAX_SCRIPT: usize = 600_000;
/// What it takes a solver to read a question, in its own units a byte: those that it counts begin behind that.
const UNITS_A_BYTE: u64 = 5;

/// Asks whether all of `conditions` can hold at a time, and for the values of `wanted` then. The question may take so many
/// `units`, and no more than [`QUESTION`]. Adds to `spent` what it took.
pub fn ask(
    solver: &mut dyn Solver,
    terms: &Terms,
    conditions: &[Term],
    wanted: &[Term],
    units: u64,
    spent: &mut u64,
) -> Answer {
    if conditions.iter().any(|&c| terms.bits(c) == Some(0)) {
        return Answer::No;
    }
    debug_assert!(units > 0, "zero is no limit");
    let units = units.min(QUESTION);
    let text = script(terms, conditions, wanted, units);
    if text.len() > MAX_SCRIPT {
        return Answer::Unknown("the question is too long for the solver".to_owned());
    }
    *spent += UNITS_A_BYTE * text.len() as u64;
    let (reply, took) = match solver.run(&text) {
        Ok(reply) => reply,
        Err(NoReply::Gone(why)) => return Answer::Unknown(why),
        Err(NoReply::OutOfTime) => {
            *spent += units;
            return Answer::Cut;
        }
    };
    *spent += took;
    let mut lines = reply.trim_start().splitn(2, '\n');
    match lines.next().map(str::trim) {
        Some("unsat") => Answer::No,
        Some("sat") => match values(lines.next().unwrap_or_default(), wanted.len()) {
            Some(values) => Answer::Yes(values),
            None => Answer::Unknown("the solver's values cannot be read".to_owned()),
        },
        Some("unknown") => Answer::Unknown("the question is too hard for the solver".to_owned()),
        Some(other) => Answer::Unknown(format!("the solver says: {other}")),
        None => Answer::Unknown("the solver says nothing".to_owned()),
    }
}

/// The script of a question that may take so many units: a scope of its own. The solver is taken to have the limit of
/// [`QUESTION`] units.
pub fn script(terms: &Terms, conditions: &[Term], wanted: &[Term], units: u64) -> String {
    let mut p = Printer {
        terms,
        out: String::from("(push)\n"),
        done: FxHashSet::default(),
        funcs: FxHashSet::default(),
    };
    for &t in conditions.iter().chain(wanted) {
        p.define(t);
    }
    for &c in conditions {
        let name = p.name(c);
        let _ = writeln!(p.out, "(assert {name})");
    }
    if units < QUESTION {
        // For this alone: what is broken off in the middle of a scope leaves assertions behind.
        let _ = writeln!(p.out, "(set-option :rlimit {units})\n(check-sat)\n(set-option :rlimit {QUESTION})");
    } else {
        p.out.push_str("(check-sat)\n");
    }
    let names: Vec<String> = wanted.iter().map(|&w| p.name(w)).collect();
    if !names.is_empty() {
        let _ = writeln!(p.out, "(get-value ({}))", names.join(" "));
    }
    p.out.push_str("(pop)\n");
    p.out
}

/// The values in `((a #x1) (b true) …)`, in order.
fn values(text: &str, n: usize) -> Option<Vec<u128>> {
    let mut found = Vec::with_capacity(n);
    let mut words = text.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|w| !w.is_empty());
    while found.len() < n {
        // A name may be a constant itself: only what stands second counts.
        let _name = words.next()?;
        let word = words.next()?;
        found.push(match word {
            "true" => 1,
            "false" => 0,
            _ => match (word.strip_prefix("#x"), word.strip_prefix("#b")) {
                (Some(hex), _) => u128::from_str_radix(hex, 16).ok()?,
                (_, Some(binary)) => u128::from_str_radix(binary, 2).ok()?,
                _ => return None,
            },
        });
    }
    Some(found)
}

struct Printer<'a> {
    terms: &'a Terms,
    out: String,
    done: FxHashSet<Term>,
    funcs: FxHashSet<String>,
}

fn sort(width: u32) -> String {
    if width == 1 { "Bool".to_owned() } else { format!("(_ BitVec {width})") }
}

fn constant(bits: u128, width: u32) -> String {
    match width {
        1 => if bits == 0 { "false" } else { "true" }.to_owned(),
        w if w.is_multiple_of(4) => format!("#x{bits:0n$x}", n = w as usize / 4),
        w => format!("#b{bits:0n$b}", n = w as usize),
    }
}

impl Printer<'_> {
    fn name(&self, t: Term) -> String {
        match self.terms.node(t) {
            Node::Const(bits) => constant(*bits, self.terms.width(t)),
            // The reader of values takes a name for one word.
            Node::Sym { sym, copy } => format!("|{}|", sym_name(*sym, *copy).replace(' ', "_")),
            _ => t.to_string(),
        }
    }

    fn define(&mut self, t: Term) {
        for top in self.terms.pending(t, |p| self.done.contains(&p)) {
            self.done.insert(top);
            self.write(top);
        }
    }

    fn write(&mut self, t: Term) {
        let width = self.terms.width(t);
        let sort_of = sort(width);
        let body = match self.terms.node(t) {
            Node::Const(_) => return,
            Node::Sym { .. } => {
                let name = self.name(t);
                let _ = writeln!(self.out, "(declare-const {name} {sort_of})");
                return;
            }
            Node::App { func, copy, args, .. } => {
                let args = args.clone();
                self.application(*func, *copy, &args, width)
            }
            &Node::Not(a) => format!("({} {})", if width == 1 { "not" } else { "bvnot" }, self.name(a)),
            &Node::Binary(op, a, b) => match word(op, width) {
                Some(word) => format!("({word} {} {})", self.name(a), self.name(b)),
                None => {
                    let _ = writeln!(self.out, "(declare-const {t} {sort_of})");
                    return;
                }
            },
            &Node::Compare(cc, a, b) => {
                let (x, y) = (self.name(a), self.name(b));
                match (cc, self.terms.width(a)) {
                    (IntCC::Eq, _) => format!("(= {x} {y})"),
                    // Of truth values, as numbers of one bit; signed, 1 stands for -1.
                    (IntCC::Ult, 1) | (IntCC::Slt, 1) => {
                        let (x, y) = if cc == IntCC::Ult { (x, y) } else { (y, x) };
                        format!("(and (not {x}) {y})")
                    }
                    (_, 1) => {
                        let (x, y) = if cc == IntCC::Ule { (x, y) } else { (y, x) };
                        format!("(or (not {x}) {y})")
                    }
                    (IntCC::Slt, _) => format!("(bvslt {x} {y})"),
                    (IntCC::Sle, _) => format!("(bvsle {x} {y})"),
                    (IntCC::Ult, _) => format!("(bvult {x} {y})"),
                    _ => format!("(bvule {x} {y})"),
                }
            }
            &Node::Ite(c, a, b) => format!("(ite {} {} {})", self.name(c), self.name(a), self.name(b)),
            &Node::Zext(a) | &Node::Sext(a) if self.terms.width(a) == 1 => {
                let signed = matches!(self.terms.node(t), Node::Sext(_));
                let yes = if signed { u128::MAX >> (128 - width) } else { 1 };
                format!("(ite {} {} {})", self.name(a), constant(yes, width), constant(0, width))
            }
            &Node::Zext(a) => format!("((_ zero_extend {}) {})", width - self.terms.width(a), self.name(a)),
            &Node::Sext(a) => format!("((_ sign_extend {}) {})", width - self.terms.width(a), self.name(a)),
            &Node::Trunc(a) if width == 1 => format!("(= ((_ extract 0 0) {}) #b1)", self.name(a)),
            &Node::Trunc(a) => format!("((_ extract {} 0) {})", width - 1, self.name(a)),
        };
        let _ = writeln!(self.out, "(define-fun {t} () {sort_of} {body})");
    }

    fn application(&mut self, func: Func, copy: u8, args: &[Term], width: u32) -> String {
        let widths: Vec<u32> = args.iter().map(|&a| self.terms.width(a)).collect();
        let mut name = format!("|{}", func_name(func, copy));
        for w in widths.iter().chain([&width]) {
            let _ = write!(name, ":{w}");
        }
        name.push('|');
        if self.funcs.insert(name.clone()) {
            let sorts: Vec<String> = widths.iter().map(|&w| sort(w)).collect();
            let _ = writeln!(self.out, "(declare-fun {name} ({}) {})", sorts.join(" "), sort(width));
        }
        if args.is_empty() {
            return name;
        }
        let args: Vec<String> = args.iter().map(|&a| self.name(a)).collect();
        format!("({name} {})", args.join(" "))
    }
}

/// SMT-LIB's word for an operation, if it has one for that width.
fn word(op: BinaryOp, width: u32) -> Option<&'static str> {
    use BinaryOp::*;
    Some(match (op, width) {
        (And | Imul, 1) => "and",
        (Or, 1) => "or",
        (Xor | Iadd | Isub, 1) => "xor",
        (_, 1) => return None,
        (Iadd, _) => "bvadd",
        (Isub, _) => "bvsub",
        (Imul, _) => "bvmul",
        (Udiv, _) => "bvudiv",
        (Urem, _) => "bvurem",
        (Sdiv, _) => "bvsdiv",
        (Srem, _) => "bvsrem",
        (And, _) => "bvand",
        (Or, _) => "bvor",
        (Xor, _) => "bvxor",
        (Shl, _) => "bvshl",
        (Lshr, _) => "bvlshr",
        (Ashr, _) => "bvashr",
        _ => return None,
    })
}

/// A symbol's name; that of thread `copy` where it is not 0.
pub fn sym_name(sym: Sym, copy: u8) -> String {
    let dim = |d: u8| ["x", "y", "z"].get(d as usize).copied().unwrap_or("?");
    let name = match sym {
        Sym::Tid(d) => format!("threadIdx.{}", dim(d)),
        Sym::Bid(d) => format!("blockIdx.{}", dim(d)),
        Sym::BlockDim(d) => format!("blockDim.{}", dim(d)),
        Sym::GridDim(d) => format!("gridDim.{}", dim(d)),
        Sym::DynamicShared => "the size of dynamic shared memory".to_owned(),
        Sym::Param(n) => format!("parameter {}", n + 1),
        Sym::Counter(n) => format!("loop{n}"),
        Sym::Common(n) => format!("common{n}"),
        Sym::Fresh(n) => format!("fresh{n}"),
        Sym::Everywhere(n) => format!("everywhere{n}"),
    };
    if copy == 0 { name } else { format!("{name}'{copy}") }
}

fn func_name(func: Func, copy: u8) -> String {
    let name = match func {
        Func::Value(v) => v.to_string(),
        Func::Target(v) => format!("target{v}"),
        Func::Exit(n) => format!("exit{n}"),
        Func::Memory(base) => format!("{base:?}"),
        Func::Op(name) => name.to_owned(),
        Func::Native(f) => f.to_string(),
        Func::Host(n) => format!("host{n}"),
    };
    if copy == 0 { name } else { format!("{name}'{copy}") }
}
