//! Every two operations in a row, with constants at the ends of their ranges, mean the same before and after simplification, whatever
//! the number is that they are applied to; and each number lies in the ranges that the passes and the code generator know.

#[path = "metamorphic/random.rs"]
#[allow(dead_code, reason = "lists are put into no order here")]
mod random;

use cudair_codegen::{Ranges, Shape};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::cfg::Cfg;
use cudair_ir::dom::DomTree;
use cudair_ir::eval::{self, Ub, extremes};
use cudair_ir::*;
use cudair_passes::transform::range::range;
use cudair_passes::transform::{Pass, Pipeline, run_pipeline};
use random::Random;

/// An operation on a number.
#[derive(Clone, Copy, Debug)]
enum Step {
    Unary(UnaryOp, bool),
    /// With a constant on the right, on the left, and with the number itself.
    Binary(BinaryOp, bool, Form),
    Icmp(IntCC, Form),
    Fcmp(FloatCC, Form),
    Cast(CastOp, Type),
    Ternary(TernaryOp),
    /// Of two constants, by a condition.
    Select(Type),
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Right,
    Left,
    Both,
    /// With the number that the whole begins with, if that has the type.
    First,
}

const FORMS: [Form; 4] = [Form::Right, Form::Left, Form::Both, Form::First];
const TYPES: [Type; 7] = [Type::I1, Type::I8, Type::I32, Type::I64, Type::I128, Type::F32, Type::F64];

/// All operations on a type.
fn steps(ty: Type) -> Vec<Step> {
    let float = ty.is_float();
    let mut all = Vec::new();
    for &op in UnaryOp::ALL.iter().filter(|op| op.name().starts_with('f') == float) {
        if ty != Type::I1 || op == UnaryOp::Inot {
            all.push(Step::Unary(op, false));
        }
    }
    for &op in BinaryOp::ALL.iter().filter(|op| op.is_float() == float) {
        use BinaryOp::*;
        if ty == Type::I1 && !matches!(op, And | Or | Xor) {
            continue;
        }
        for form in FORMS {
            all.push(Step::Binary(op, false, form));
            if op.takes_nsw() && ty != Type::I1 {
                all.push(Step::Binary(op, true, form));
            }
        }
    }
    if float {
        all.extend(FloatCC::ALL.iter().flat_map(|&cc| FORMS.map(|form| Step::Fcmp(cc, form))));
        all.push(Step::Ternary(TernaryOp::Fma));
    } else {
        all.extend(IntCC::ALL.iter().flat_map(|&cc| FORMS.map(|form| Step::Icmp(cc, form))));
        if ty != Type::I1 {
            all.extend([TernaryOp::Fshl, TernaryOp::Fshr].map(Step::Ternary));
            all.push(Step::Unary(UnaryOp::Ineg, true));
        }
    }
    for to in TYPES {
        use CastOp::*;
        let ops: &[CastOp] = match (float, to.is_float()) {
            (true, true) if ty.bits() < to.bits() => &[Fpext],
            (true, true) if ty.bits() > to.bits() => &[Fptrunc],
            (true, false) if to != Type::I1 => &[Fptosi, Fptoui],
            (false, true) if ty != Type::I1 => &[Sitofp, Uitofp],
            (false, false) if ty.bits() > to.bits() => &[Trunc],
            (false, false) if ty.bits() < to.bits() => &[Zext, Sext],
            _ => &[],
        };
        all.extend(ops.iter().map(|&op| Step::Cast(op, to)));
        if ty != to && ty.bits() == to.bits() {
            all.push(Step::Cast(Bitcast, to));
        }
    }
    if ty == Type::I1 {
        all.extend(TYPES.map(Step::Select));
    }
    all
}

/// The type of a step's result.
fn result(step: Step, ty: Type) -> Type {
    match step {
        Step::Icmp(..) | Step::Fcmp(..) => Type::I1,
        Step::Cast(_, to) | Step::Select(to) => to,
        _ => ty,
    }
}

/// Writes a step on `x`; `first` is what the whole begins with.
fn write(b: &mut FuncBuilder, step: Step, first: Value, x: Value, choices: &mut Random) -> Value {
    let ty = b.ty(x);
    let constant = |b: &mut FuncBuilder, choices: &mut Random, ty: Type| {
        let bits = *choices.pick(&extremes(ty));
        b.const_bits(ty, bits)
    };
    let pair = |b: &mut FuncBuilder, form: Form, choices: &mut Random| match form {
        Form::Left => [constant(b, choices, ty), x],
        Form::Both => [x, x],
        Form::First if b.ty(first) == ty => [x, first],
        _ => [x, constant(b, choices, ty)],
    };
    match step {
        Step::Unary(op, false) => b.unary(op, x),
        Step::Unary(_, true) => b.ineg_nsw(x),
        Step::Binary(op, nsw, form) => {
            let [x, y] = pair(b, form, choices);
            if nsw { b.binary_nsw(op, x, y) } else { b.binary(op, x, y) }
        }
        Step::Icmp(cc, form) => {
            let [x, y] = pair(b, form, choices);
            b.icmp(cc, x, y)
        }
        Step::Fcmp(cc, form) => {
            let [x, y] = pair(b, form, choices);
            b.fcmp(cc, x, y)
        }
        Step::Cast(op, to) => b.cast(op, to, x),
        Step::Ternary(op) => {
            let [y, z] = [constant(b, choices, ty), constant(b, choices, ty)];
            b.ternary(op, x, y, z)
        }
        Step::Select(to) => {
            let [y, z] = [constant(b, choices, to), constant(b, choices, to)];
            b.select(x, y, z)
        }
    }
}

/// What a run of a function without cycles gives.
struct Run {
    /// The bits of each value that was computed.
    values: SecondaryMap<Value, Option<u128>>,
    /// The block in which it ends.
    last: Block,
    /// The result, of which a NaN is any NaN.
    result: u128,
    /// What is undefined first.
    ub: Option<Ub>,
}

impl Run {
    fn outcome(&self) -> Result<u128, Ub> {
        self.ub.map_or(Ok(self.result), Err)
    }
}

/// Runs a function for a number.
fn run(func: &Function, x: u128) -> Run {
    let side = func.side;
    let mut block = func.entry().expect("a body");
    let mut values = SecondaryMap::new();
    values[func.block_params(block)[0]] = Some(x);
    let mut ub = None;
    loop {
        let mut next = None;
        for &inst in func.block_insts(block) {
            let ty = |v: Value| func.value_type(v);
            let bits = |v: Value| -> u128 { values[v].expect("it was computed") };
            let (result, undefined) = match func.insts[inst] {
                InstData::Const { .. } => {
                    (func.const_bits(func.result(inst).expect("a result")).expect("a constant"), None)
                }
                InstData::Unary { op, nsw, arg } => eval::unary(op, nsw, ty(arg), bits(arg)),
                InstData::Binary { op, nsw, args: [a, b] } => {
                    eval::binary(op, nsw, ty(a), bits(a), bits(b), side)
                }
                InstData::Ternary { op, args: [a, b, c] } => {
                    (eval::ternary(op, ty(b), bits(a), bits(b), bits(c)), None)
                }
                InstData::Icmp { cc, args: [a, b] } => (eval::icmp(cc, ty(a), bits(a), bits(b)).into(), None),
                InstData::Fcmp { cc, args: [a, b] } => (eval::fcmp(cc, ty(a), bits(a), bits(b)).into(), None),
                InstData::Cast { op, ty: to, arg } => eval::cast(op, ty(arg), to, bits(arg), side),
                InstData::Branch { cond, then, other } => {
                    next = Some(if bits(cond) == 1 { then.block } else { other.block });
                    continue;
                }
                InstData::Return { ref args } => {
                    let v = args.as_slice(&func.pool)[0];
                    let is_nan = ty(v).is_float() && eval::fcmp(FloatCC::Uno, ty(v), bits(v), bits(v));
                    let result = if is_nan { u128::MAX } else { bits(v) };
                    return Run { values, last: block, result, ub };
                }
                ref other => panic!("{other:?} is not a step"),
            };
            ub = ub.or(undefined);
            values[func.result(inst).expect("a result")] = Some(result);
        }
        block = next.expect("a block ends");
    }
}

/// Says which integer of a defined run does not lie in the range that is known of it.
fn outside(func: &Function, ranges: &Ranges<'_>, run: &Run) -> Option<String> {
    if run.ub.is_some() {
        return None;
    }
    func.values.keys().find_map(|v| {
        let ty = func.value_type(v);
        let bits = run.values[v].filter(|_| ty.is_int() && ty.bits() <= 64)?;
        // Truth values are 0 and 1 here, and 0 and -1 there.
        let number = if ty == Type::I1 { bits as i128 } else { eval::signed(ty, bits) };
        // Where the function ends, branches have said more.
        let known = [ranges.at(v, run.last), if ty == Type::I1 { (0, 1) } else { range(func, v) }];
        let lies = |(low, high): (i128, i128)| low <= number && number <= high;
        let wrong = known.iter().position(|&r| !lies(r))?;
        let of = ["code generator", "passes"][wrong];
        Some(format!("{v} is {number}, and the {of} know {:?}", known[wrong]))
    })
}

/// A module of one function, which obeys the rules.
fn module_of(b: FuncBuilder) -> (Module, FuncId) {
    let mut module = Module::new();
    let id = module.add_func(b.finish());
    verify_module(&module).unwrap_or_else(|e| panic!("{}\n{module}", e[0]));
    (module, id)
}

/// Fails if something of what was tried is wrong.
fn report(wrong: &[String], tried: u64) {
    assert!(tried > 1000, "{tried} functions");
    let some: Vec<&str> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {tried} differ:\n{}", wrong.len(), some.join("\n"));
}

/// Tries pairs of steps that begin with a number of a type, each with so many choices of constants.
fn check(ty: Type, side: Side, times: u64) {
    let pipeline = Pipeline { passes: vec![Pass::Simplify, Pass::Simplify, Pass::Compact] };
    let (mut wrong, mut tried) = (Vec::new(), 0u64);
    for &one in &steps(ty) {
        let then = result(one, ty);
        for &two in &steps(then) {
            for time in 0..times {
                let mut choices = Random::new(time, &format!("{one:?} {two:?}"));
                let last = result(two, then);
                let sig = Signature { params: vec![Param::new(ty)], ret: Some(last), variadic: false };
                let mut b = FuncBuilder::new(Function::new("f", side, sig));
                let entry = b.make_entry();
                let x = b.func.block_params(entry)[0];
                let y = write(&mut b, one, x, x, &mut choices);
                let z = write(&mut b, two, x, y, &mut choices);
                b.ret(Some(z));
                let (module, id) = module_of(b);
                let mut after = module.clone();
                run_pipeline(&mut after, &pipeline).unwrap_or_else(|e| panic!("{e}\n{module}"));
                tried += 1;
                let func = &module.funcs[id];
                let (cfg, shape) = (Cfg::new(func), Shape::default());
                let dom = DomTree::new(&cfg);
                let ranges = Ranges::new(func, &cfg, &dom, &shape);
                for x in extremes(ty) {
                    let [before, then] = [&module, &after].map(|m| run(&m.funcs[id], x));
                    let outside = outside(func, &ranges, &before);
                    let (a, b) = (before.outcome(), then.outcome());
                    if a != b || outside.is_some() {
                        let outside = outside.unwrap_or_default();
                        wrong.push(format!("{ty} {x:#x}: {a:x?}, then {b:x?}; {outside}\n{module}{after}"));
                        break;
                    }
                }
            }
        }
    }
    report(&wrong, tried);
}

/// Ranges behind branches: one on a comparison, or on two of which both hold or one does, and then a step.
fn check_branches(ty: Type, side: Side, times: u64) {
    let comparisons: Vec<Step> = IntCC::ALL
        .iter()
        .flat_map(|&cc| [Form::Right, Form::Left].map(|form| Step::Icmp(cc, form)))
        .collect();
    let (mut wrong, mut tried) = (Vec::new(), 0u64);
    for &step in &steps(ty) {
        for time in 0..20 * times {
            let mut choices = Random::new(time, &format!("{step:?}"));
            let last = result(step, ty);
            let sig = Signature { params: vec![Param::new(ty)], ret: Some(last), variadic: false };
            let mut b = FuncBuilder::new(Function::new("f", side, sig));
            let entry = b.make_entry();
            let x = b.func.block_params(entry)[0];
            // What is compared is the number, or what a step makes of it.
            let own = *choices.pick(&[Step::Binary(BinaryOp::Iadd, true, Form::Right), step]);
            let y = if choices.chance(50) && result(own, ty) == ty {
                write(&mut b, own, x, x, &mut choices)
            } else {
                x
            };
            let conds = [0; 2].map(|_| {
                let comparison = *choices.pick(&comparisons);
                write(&mut b, comparison, x, y, &mut choices)
            });
            let cond = match choices.below(3) {
                0 => conds[0],
                1 => b.binary(BinaryOp::And, conds[0], conds[1]),
                _ => b.binary(BinaryOp::Or, conds[0], conds[1]),
            };
            let [yes, no] = [b.make_block(), b.make_block()];
            b.branch(cond, yes, no);
            for block in [yes, no] {
                b.switch_to(block);
                let z = write(&mut b, step, x, y, &mut choices);
                b.ret(Some(z));
            }
            let (module, id) = module_of(b);
            tried += 1;
            let func = &module.funcs[id];
            let (cfg, shape) = (Cfg::new(func), Shape::default());
            let dom = DomTree::new(&cfg);
            let ranges = Ranges::new(func, &cfg, &dom, &shape);
            let why = extremes(ty).into_iter().find_map(|x| {
                outside(func, &ranges, &run(func, x)).map(|why| format!("{x:#x}: {why}\n{module}"))
            });
            wrong.extend(why);
        }
    }
    report(&wrong, tried);
}

/// So many constants for each pair, or as many as `RULE_TIMES` says.
fn times() -> u64 {
    std::env::var("RULE_TIMES").ok().and_then(|s| s.parse().ok()).unwrap_or(2)
}

macro_rules! rules {
    ($($name:ident $ty:ident,)*) => {
        $(#[test]
        fn $name() {
            check(Type::$ty, Side::Host, times());
            check(Type::$ty, Side::Device, times());
        })*
    };
}

rules! {
    of_conditions I1,
    of_bytes I8,
    of_integers I32,
    of_long_integers I64,
    of_wide_integers I128,
    of_floats F32,
    of_doubles F64,
}

#[test]
fn behind_branches() {
    for ty in [Type::I8, Type::I32, Type::I64] {
        check_branches(ty, Side::Host, times());
        check_branches(ty, Side::Device, times());
    }
}
