//! Every two operations in a row, with constants at the ends of their ranges, mean the same before and after simplification, whatever
//! the number is that they are applied to.

use cudair_ir::builder::FuncBuilder;
use cudair_ir::eval::{self, Ub, extremes};
use cudair_ir::*;
use cudair_passes::transform::{Pass, Pipeline, run_pipeline};

/// A stream of choices (splitmix64).
struct Choices(u64);

impl Choices {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.bits() % of.len() as u64) as usize]
    }
}

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

/// Writes a step on `x`; `first` is what the whole begins with.
fn write(b: &mut FuncBuilder, step: Step, first: Value, x: Value, choices: &mut Choices) -> Value {
    let ty = b.ty(x);
    let constant = |b: &mut FuncBuilder, choices: &mut Choices, ty: Type| {
        let bits = choices.pick(&extremes(ty));
        b.const_bits(ty, bits)
    };
    let pair = |b: &mut FuncBuilder, form: Form, choices: &mut Choices| match form {
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

/// What a function of one block gives for a number: bits, or the first thing that is undefined.
fn value(func: &Function, x: u128) -> Result<u128, Ub> {
    let side = func.side;
    let entry = func.entry().expect("a body");
    let mut values: SecondaryMap<Value, u128> = SecondaryMap::new();
    values[func.block_params(entry)[0]] = x;
    let mut first = None;
    for &inst in func.block_insts(entry) {
        let ty = |v: Value| func.value_type(v);
        let bits = match func.insts[inst] {
            InstData::Const { .. } => {
                (func.const_bits(func.result(inst).expect("a result")).expect("a constant"), None)
            }
            InstData::Unary { op, nsw, arg } => eval::unary(op, nsw, ty(arg), values[arg]),
            InstData::Binary { op, nsw, args: [a, b] } => {
                eval::binary(op, nsw, ty(a), values[a], values[b], side)
            }
            InstData::Ternary { op, args: [a, b, c] } => {
                (eval::ternary(op, ty(b), values[a], values[b], values[c]), None)
            }
            InstData::Icmp { cc, args: [a, b] } => (eval::icmp(cc, ty(a), values[a], values[b]).into(), None),
            InstData::Fcmp { cc, args: [a, b] } => (eval::fcmp(cc, ty(a), values[a], values[b]).into(), None),
            InstData::Cast { op, ty: to, arg } => eval::cast(op, ty(arg), to, values[arg], side),
            InstData::Return { ref args } => {
                let v = args.as_slice(&func.pool)[0];
                let (ty, bits) = (ty(v), values[v]);
                let is_nan = ty.is_float() && eval::fcmp(FloatCC::Uno, ty, bits, bits);
                // A NaN is any NaN.
                return first.map_or(Ok(if is_nan { u128::MAX } else { bits }), Err);
            }
            ref other => panic!("{other:?} is not a step"),
        };
        first = first.or(bits.1);
        values[func.result(inst).expect("a result")] = bits.0;
    }
    panic!("no end")
}

/// Tries pairs of steps that begin with a number of a type, each with so many choices of constants.
fn check(ty: Type, side: Side, times: u64) {
    let pipeline = Pipeline { passes: vec![Pass::Simplify, Pass::Simplify, Pass::Compact] };
    let (mut wrong, mut tried) = (Vec::new(), 0u64);
    for (n, &one) in steps(ty).iter().enumerate() {
        let then = match one {
            Step::Icmp(..) | Step::Fcmp(..) => Type::I1,
            Step::Cast(_, to) | Step::Select(to) => to,
            _ => ty,
        };
        for (m, &two) in steps(then).iter().enumerate() {
            for time in 0..times {
                let mut choices = Choices((n as u64) << 40 | (m as u64) << 20 | time);
                let last = match two {
                    Step::Icmp(..) | Step::Fcmp(..) => Type::I1,
                    Step::Cast(_, to) | Step::Select(to) => to,
                    _ => then,
                };
                let sig = Signature { params: vec![Param::new(ty)], ret: Some(last), variadic: false };
                let mut b = FuncBuilder::new(Function::new("f", side, sig));
                let entry = b.make_entry();
                let x = b.func.block_params(entry)[0];
                let y = write(&mut b, one, x, x, &mut choices);
                let z = write(&mut b, two, x, y, &mut choices);
                b.ret(Some(z));
                let mut module = Module::new();
                let id = module.add_func(b.finish());
                verify_module(&module).unwrap_or_else(|e| panic!("{}\n{module}", e[0]));
                let mut after = module.clone();
                run_pipeline(&mut after, &pipeline).unwrap_or_else(|e| panic!("{e}\n{module}"));
                tried += 1;
                let differ = extremes(ty).into_iter().find(|&x| {
                    let [a, b] = [&module, &after].map(|m| value(&m.funcs[id], x));
                    a != b
                });
                if let Some(x) = differ {
                    let [a, b] = [&module, &after].map(|m| value(&m.funcs[id], x));
                    wrong.push(format!("{ty} {x:#x}: {a:x?}, then {b:x?}\n{module}{after}"));
                    break;
                }
            }
        }
    }
    assert!(tried > 1000, "{tried} pairs");
    let some: Vec<&str> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {tried} differ:\n{}", wrong.len(), some.join("\n"));
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
