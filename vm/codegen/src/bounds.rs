//! Checks of array indices that need not run: what the function itself and the launch's shape prove, and what
//! was checked before on every path.
//!
//! A range follows a value's definition, a loop's counter by its start and its step, and is narrowed by
//! the branches that lead to the place.

use cranelift_entity::SecondaryMap;
use cudair_ir::cfg::Cfg;
use cudair_ir::dom::DomTree;
use cudair_ir::*;
use rustc_hash::FxHashMap;

/// How many definitions and branches a range is followed through.
const DEPTH: u32 = 6;
/// Branches above a place that are looked at.
const BRANCHES: usize = 24;
/// Blocks before one place that were checked for the same.
const KNOWN: usize = 16;

type Range = (i128, i128);

/// The checks of a function that cannot fail. `block_dim` is the launch's; zeros where it is not known.
pub(super) fn proved(func: &Function, block_dim: [u32; 3]) -> EntitySet<Inst> {
    let mut out = EntitySet::new();
    if !func.insts.values().any(|i| matches!(i, InstData::Bounds { .. })) {
        return out;
    }
    let cfg = Cfg::new(func);
    let dom = DomTree::new(&cfg);
    let shape = Shape { block_dim, ..Shape::default() };
    let ranges = Ranges::new(func, &cfg, &dom, &shape);
    let mut before: FxHashMap<(Value, u64), Vec<Block>> = FxHashMap::default();
    // Dominators come first in this order.
    for &block in cfg.rpo() {
        for &inst in func.block_insts(block) {
            let InstData::Bounds { index, len } = func.insts[inst] else { continue };
            let checked = before.entry((index, len)).or_default();
            let (low, high) = ranges.within(index, block, DEPTH);
            if low >= 0 && high < i128::from(len) || checked.iter().any(|&b| dom.dominates(b, block)) {
                out.insert(inst);
            } else if checked.len() < KNOWN {
                checked.push(block);
            }
        }
    }
    out
}

/// What a launch says of its kernel's values: extents are zero, and arguments absent, where it says nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape {
    /// Threads of a block.
    pub block_dim: [u32; 3],
    /// Blocks of the grid, at most.
    pub grid_dim: [u32; 3],
    /// By parameter of the kernel: the least and the greatest number that an integer is.
    pub args: Vec<Option<(i64, i64)>>,
}

/// The ranges of a function's integers.
pub struct Ranges<'a> {
    func: &'a Function,
    cfg: &'a Cfg,
    dom: &'a DomTree,
    shape: &'a Shape,
}

/// All values of an integer type, as signed numbers.
fn full(ty: Type) -> Range {
    match ty.bits() {
        n @ 2..=64 => (-(1i128 << (n - 1)), (1i128 << (n - 1)) - 1),
        1 => (0, 1),
        _ => (i128::MIN / 4, i128::MAX / 4),
    }
}

fn within(ty: Type, r: Range) -> Range {
    let all = full(ty);
    if all.0 <= r.0 && r.1 <= all.1 { r } else { all }
}

impl<'a> Ranges<'a> {
    /// Those of `func` in a launch.
    pub fn new(func: &'a Function, cfg: &'a Cfg, dom: &'a DomTree, shape: &'a Shape) -> Ranges<'a> {
        Ranges { func, cfg, dom, shape }
    }

    /// The least and the greatest signed value that `v` can have in `block`.
    pub fn at(&self, v: Value, block: Block) -> (i128, i128) {
        self.within(v, block, DEPTH)
    }

    /// [`Ranges::at`], following so many definitions and branches.
    fn within(&self, v: Value, block: Block, depth: u32) -> Range {
        let ty = self.func.value_type(v);
        if !ty.is_int() || ty.bits() > 64 {
            return (i128::MIN / 4, i128::MAX / 4);
        }
        let mut r = self.defined(v, ty, block, depth);
        if depth > 0 && r.0 != r.1 {
            self.narrow(v, ty, block, depth - 1, &mut r);
        }
        r
    }

    /// What the branches that lead to `block` say of `v`.
    fn narrow(&self, v: Value, ty: Type, block: Block, depth: u32, r: &mut Range) {
        let mut here = block;
        for _ in 0..BRANCHES {
            let Some(above) = self.dom.idom(here) else { return };
            if let (Some(t), [only]) = (self.func.terminator(above), self.cfg.preds(here))
                && *only == above
                && let InstData::Branch { cond, then, other } = &self.func.insts[t]
                && then.block != other.block
            {
                self.holds(*cond, then.block == here, v, ty, above, depth, r);
            }
            here = above;
        }
    }

    /// What it says of `v` that a condition is true, or false.
    #[allow(clippy::too_many_arguments, reason = "one step of `narrow`, which keeps all of this")]
    fn holds(&self, cond: Value, truth: bool, v: Value, ty: Type, block: Block, depth: u32, r: &mut Range) {
        let Some(inst) = self.func.def_inst(cond) else { return };
        match self.func.insts[inst] {
            InstData::Icmp { cc, args: [a, b] } if a == v || b == v => {
                let (cc, o) = if a == v { (cc, b) } else { (cc.swapped(), a) };
                let cc = if truth { cc } else { cc.inverse() };
                let o = self.within(o, block, depth);
                let (low, high) = match cc {
                    IntCC::Eq => o,
                    IntCC::Ne => full(ty),
                    IntCC::Slt => (full(ty).0, o.1 - 1),
                    IntCC::Sle => (full(ty).0, o.1),
                    IntCC::Sgt => (o.0 + 1, full(ty).1),
                    IntCC::Sge => (o.0, full(ty).1),
                    // Below what is not negative as a signed number, both orders agree.
                    IntCC::Ult if o.0 >= 0 => (0, o.1 - 1),
                    IntCC::Ule if o.0 >= 0 => (0, o.1),
                    _ => full(ty),
                };
                (r.0, r.1) = (r.0.max(low), r.1.min(high));
            }
            InstData::Binary { op: BinaryOp::And, args, .. } if truth && depth > 0 => {
                for c in args {
                    self.holds(c, true, v, ty, block, depth - 1, r);
                }
            }
            InstData::Binary { op: BinaryOp::Or, args, .. } if !truth && depth > 0 => {
                for c in args {
                    self.holds(c, false, v, ty, block, depth - 1, r);
                }
            }
            _ => {}
        }
    }

    fn defined(&self, v: Value, ty: Type, block: Block, depth: u32) -> Range {
        let all = full(ty);
        let inst = match self.func.values[v].def {
            ValueDef::Result(inst, _) => inst,
            ValueDef::Param(of, n) if depth > 0 => return self.param(v, ty, of, n as usize, depth - 1),
            ValueDef::Param(..) => return all,
        };
        if let InstData::Const { bits, .. } = self.func.insts[inst] {
            let shift = 128 - ty.bits();
            let x = if ty.bits() == 1 { bits as i128 } else { ((bits << shift) as i128) >> shift };
            return (x, x);
        }
        let of = |v: Value| {
            if depth == 0 { full(self.func.value_type(v)) } else { self.within(v, block, depth - 1) }
        };
        let exact = |low: Option<i128>, high: Option<i128>| low.zip(high).map_or(all, |r| within(ty, r));
        match self.func.insts[inst] {
            InstData::Special { reg } => self.special(reg).unwrap_or(all),
            InstData::Cast { op: CastOp::Zext, arg, .. } => match of(arg) {
                r if r.0 >= 0 => r,
                _ => (0, (1i128 << self.func.value_type(arg).bits().min(64)) - 1),
            },
            // The sign of a condition is the condition.
            InstData::Cast { op: CastOp::Sext, arg, .. } if self.func.value_type(arg) == Type::I1 => {
                let (low, high) = of(arg);
                (-high, -low)
            }
            InstData::Cast { op: CastOp::Sext, arg, .. } => of(arg),
            InstData::Cast { op: CastOp::Trunc, arg, .. } => within(ty, of(arg)),
            InstData::Ternary { op: TernaryOp::Select, args: [_, a, b] } => {
                let (x, y) = (of(a), of(b));
                (x.0.min(y.0), x.1.max(y.1))
            }
            InstData::Binary { op, args: [a, b], .. } => {
                let (x, y) = (of(a), of(b));
                match op {
                    BinaryOp::Iadd => exact(x.0.checked_add(y.0), x.1.checked_add(y.1)),
                    BinaryOp::Isub => exact(x.0.checked_sub(y.1), x.1.checked_sub(y.0)),
                    BinaryOp::Imul if x.0 >= 0 && y.0 >= 0 => {
                        exact(x.0.checked_mul(y.0), x.1.checked_mul(y.1))
                    }
                    BinaryOp::Shl if x.0 >= 0 && y.0 == y.1 && (0..32).contains(&y.0) => {
                        exact(x.0.checked_mul(1 << y.0), x.1.checked_mul(1 << y.0))
                    }
                    BinaryOp::And if y.0 >= 0 => (0, if x.0 >= 0 { y.1.min(x.1) } else { y.1 }),
                    BinaryOp::And if x.0 >= 0 => (0, x.1),
                    BinaryOp::Urem if y.0 > 0 => (0, if x.0 >= 0 { x.1.min(y.1 - 1) } else { y.1 - 1 }),
                    BinaryOp::Srem if y.0 > 0 && x.0 >= 0 => (0, x.1.min(y.1 - 1)),
                    BinaryOp::Srem if y.0 > 0 => (1 - y.1, y.1 - 1),
                    BinaryOp::Udiv | BinaryOp::Sdiv if x.0 >= 0 && y.0 > 0 => (x.0 / y.1, x.1 / y.0),
                    BinaryOp::Lshr | BinaryOp::Ashr if x.0 >= 0 && y.0 >= 0 && y.1 < 64 => {
                        (x.0 >> y.1, x.1 >> y.0)
                    }
                    BinaryOp::Lshr if y.0 > 0 && y.1 < ty.bits().into() => {
                        (0, ((1i128 << ty.bits()) - 1) >> y.0)
                    }
                    BinaryOp::Smin => (x.0.min(y.0), x.1.min(y.1)),
                    BinaryOp::Smax => (x.0.max(y.0), x.1.max(y.1)),
                    BinaryOp::Umin if y.0 >= 0 => (0, if x.0 >= 0 { x.1.min(y.1) } else { y.1 }),
                    BinaryOp::Umin if x.0 >= 0 => (0, x.1),
                    _ => all,
                }
            }
            _ => all,
        }
    }

    /// A block's parameter: what comes in, where steps of a counter (which do not overflow unseen) leave the
    /// side open that they lead to.
    fn param(&self, v: Value, ty: Type, block: Block, n: usize, depth: u32) -> Range {
        let all = full(ty);
        if self.func.entry() == Some(block) {
            let stated = self.shape.args.get(n).copied().flatten();
            return stated.map_or(all, |(low, high)| (low.into(), high.into()));
        }
        let mut r: Option<Range> = None;
        let (mut up, mut down) = (false, false);
        for &pred in self.cfg.preds(block) {
            let Some(t) = self.func.terminator(pred) else { return all };
            // The results of an `invoke` are parameters without an argument.
            if !matches!(
                self.func.insts[t],
                InstData::Jump { .. } | InstData::Branch { .. } | InstData::Switch { .. }
            ) {
                return all;
            }
            let mut args: smallvec::SmallVec<[Option<Value>; 2]> = smallvec::SmallVec::new();
            self.func.for_each_target(t, |call| {
                if call.block == block {
                    args.push(call.args.as_slice(&self.func.pool).get(n).copied());
                }
            });
            for arg in args {
                let Some(arg) = arg else { return all };
                if arg == v {
                    continue;
                }
                if let Some(step) = self.step(v, arg, pred, depth) {
                    up |= step.1 > 0;
                    down |= step.0 < 0;
                    continue;
                }
                let x = self.within(arg, pred, depth);
                r = Some(r.map_or(x, |r| (r.0.min(x.0), r.1.max(x.1))));
            }
        }
        let Some(r) = r else { return all };
        (if down { all.0 } else { r.0 }, if up { all.1 } else { r.1 })
    }

    /// What is added to `v` to make `next`.
    fn step(&self, v: Value, next: Value, block: Block, depth: u32) -> Option<Range> {
        let inst = self.func.def_inst(next)?;
        match self.func.insts[inst] {
            InstData::Binary { op: BinaryOp::Iadd, nsw: true, args: [a, b] } if a == v || b == v => {
                Some(self.within(if a == v { b } else { a }, block, depth))
            }
            InstData::Binary { op: BinaryOp::Isub, nsw: true, args: [a, b] } if a == v => {
                let r = self.within(b, block, depth);
                Some((-r.1, -r.0))
            }
            _ => None,
        }
    }

    fn special(&self, reg: SpecialReg) -> Option<Range> {
        let known = |extent: u32| (extent != 0).then_some(i128::from(extent));
        let dim = |n: usize| known(self.shape.block_dim[n]);
        let blocks = |n: usize, most: i128| known(self.shape.grid_dim[n]).unwrap_or(most);
        let most = [1024, 1024, 64];
        Some(match reg {
            SpecialReg::TidX => (0, dim(0).unwrap_or(most[0]) - 1),
            SpecialReg::TidY => (0, dim(1).unwrap_or(most[1]) - 1),
            SpecialReg::TidZ => (0, dim(2).unwrap_or(most[2]) - 1),
            SpecialReg::NtidX => (dim(0).unwrap_or(1), dim(0).unwrap_or(most[0])),
            SpecialReg::NtidY => (dim(1).unwrap_or(1), dim(1).unwrap_or(most[1])),
            SpecialReg::NtidZ => (dim(2).unwrap_or(1), dim(2).unwrap_or(most[2])),
            SpecialReg::CtaidX => (0, blocks(0, (1 << 31) - 1) - 1),
            SpecialReg::CtaidY => (0, blocks(1, 65535) - 1),
            SpecialReg::CtaidZ => (0, blocks(2, 65535) - 1),
            SpecialReg::NctaidX => (0, blocks(0, (1 << 31) - 1)),
            SpecialReg::NctaidY => (0, blocks(1, 65535)),
            SpecialReg::NctaidZ => (0, blocks(2, 65535)),
            SpecialReg::Laneid | SpecialReg::Warpid => (0, 31),
            SpecialReg::Warpsize => (32, 32),
            _ => return None,
        })
    }
}

/// Flags by instruction.
pub(super) fn skipped(func: &Function, block_dim: [u32; 3]) -> SecondaryMap<Inst, bool> {
    let proved = proved(func, block_dim);
    let mut map = SecondaryMap::new();
    for inst in func.insts.keys().filter(|&i| proved.contains(i)) {
        map[inst] = true;
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many checks of a function with blocks of this shape remain.
    fn left(text: &str, block_dim: [u32; 3]) -> usize {
        let m = text::parse_module(text, "test.cir").expect("the text parses");
        verify_module(&m).expect("it obeys the rules");
        let func = &m.funcs[m.func_by_name("k").expect("it is there")];
        let all = func.insts.values().filter(|i| matches!(i, InstData::Bounds { .. })).count();
        all - func.insts.keys().filter(|&i| proved(func, block_dim).contains(i)).count()
    }

    #[test]
    fn shapes_prove_threads_indices() {
        let text = r#"
func kernel external @k "k" () {
block0:
  v0 = special tid.x
  v1 = const.i32 2
  v2 = iadd.nsw.i32 v0, v1
  bounds v0, 16
  bounds v2, 18
  bounds v2, 17
  return
}
"#;
        assert_eq!(left(text, [16, 1, 1]), 1);
        assert_eq!(left(text, [15, 1, 1]), 0);
        assert_eq!(left(text, [0, 0, 0]), 3);
        assert_eq!(left(text, [17, 1, 1]), 3);
    }

    #[test]
    fn loops_and_branches_prove_counters() {
        let text = |start: i32, cc: &str, limit: u32, len: u32| {
            format!(
                r#"
func kernel external @k "k" () {{
block0:
  v0 = const.i32 {start}
  v1 = const.i32 1
  v2 = const.i32 {limit}
  jump block1(v0)
block1(v3: i32):
  v4 = icmp.{cc} v3, v2
  branch v4, block2, block3
block2:
  bounds v3, {len}
  v5 = iadd.nsw.i32 v3, v1
  jump block1(v5)
block3:
  return
}}
"#
            )
        };
        assert_eq!(left(&text(0, "slt", 9, 9), [0; 3]), 0);
        assert_eq!(left(&text(0, "sle", 9, 9), [0; 3]), 1);
        assert_eq!(left(&text(-1, "slt", 9, 9), [0; 3]), 1);
        assert_eq!(left(&text(0, "slt", 10, 9), [0; 3]), 1);
        // As an unsigned number, -1 is not below.
        assert_eq!(left(&text(-1, "ult", 9, 9), [0; 3]), 0);
        // Other branches say nothing of what is above.
        assert_eq!(left(&text(0, "ne", 9, 9), [0; 3]), 1);
    }

    #[test]
    fn a_check_is_made_once() {
        let text = r#"
func kernel external @k "k" (i32, i1) {
block0(v0: i32, v1: i1):
  branch v1, block1, block2
block1:
  bounds v0, 9
  bounds v0, 9
  bounds v0, 8
  jump block2
block2:
  bounds v0, 9
  return
}
"#;
        assert_eq!(left(text, [0; 3]), 3);
    }
}
