//! Inline assembly: the PTX that kernels use, by a table; anything else is an error that names it.
//!
//! Semantics follow NVIDIA's "Parallel Thread Execution ISA", version 8.8. Straight-line code only: registers
//! are values, a guard chooses between an instruction's result and the register's former value. Addresses into
//! shared memory are those of the window that the device has for it, and become pointers where they are used.

mod arithmetic;
mod memory;
mod parse;

use super::R;
use super::func::FnLower;
use crate::ast::{Asm, Ex, St};
use crate::types::QTy;
use cudair_ir::{CastOp, SpecialReg, Type, Value};
use parse::{Class, Instruction, Operand, Suffix};
use rustc_hash::FxHashMap;

/// A statement being lowered.
struct Statement {
    /// The operands `%0`, `%1` …: outputs first. An output has a value once it is written.
    numbers: Vec<Option<Value>>,
    outputs: usize,
    registers: FxHashMap<String, Value>,
    /// The carry flag.
    carry: Option<Value>,
}

/// How an instruction failed.
enum Fault {
    /// It is not in the table.
    Unknown,
    Other(Box<super::Fault>),
}

impl From<Box<super::Fault>> for Fault {
    fn from(fault: Box<super::Fault>) -> Fault {
        Fault::Other(fault)
    }
}

/// What one instruction does.
type Done<T> = Result<T, Fault>;

impl<'tu> FnLower<'_, 'tu, '_> {
    /// An assembly statement.
    pub fn asm_stmt(&mut self, assembly: Option<&'tu Asm<'tu>>, s: St<'tu>) -> R<()> {
        let Some(assembly) = assembly else {
            return self.unsupported("inline assembly with these operands", s);
        };
        let text = assembly.template.trim();
        // The compiler is told something, the machine nothing; or a hint to the host's processor.
        if text.is_empty() || !self.frame.device() && matches!(text, "pause" | "nop" | "rep; nop" | "mfence")
        {
            return self.asm_tied(assembly, s);
        }
        let unsupported = |f: &mut Self, what: &str| {
            let what = what.trim().replace("%%", "%");
            f.unsupported(format!("inline assembly `{what}`"), s)
        };
        if !self.frame.device() {
            return unsupported(self, text);
        }
        let instructions = match parse::instructions(text) {
            Ok(instructions) => instructions,
            Err(what) => return unsupported(self, &what),
        };
        let mut numbers = Vec::new();
        for (constraint, output) in &assembly.outputs {
            let ty = output.q.ty;
            if self.cx.ast.types.is_aggregate(ty) {
                return self.unsupported("inline assembly with these operands", s);
            }
            let read = constraint.contains('+');
            numbers.push(if read { Some(self.rv_of(output)?) } else { None });
        }
        for (constraint, input) in &assembly.inputs {
            let value = self.rv_of(input)?;
            // An input tied to an output is in its register.
            if let Ok(tied) = constraint.trim_matches(['"', '%']).parse::<usize>()
                && let Some(slot) = numbers.get_mut(tied)
            {
                *slot = Some(value);
            }
            numbers.push(Some(value));
        }
        self.enter(s);
        let mut statement = Statement {
            numbers,
            outputs: assembly.outputs.len(),
            registers: FxHashMap::default(),
            carry: None,
        };
        for instruction in &instructions {
            match self.asm_instruction(&mut statement, instruction) {
                Ok(()) => {}
                Err(Fault::Unknown) => return unsupported(self, &instruction.name.join(".")),
                Err(Fault::Other(fault)) => return Err(fault),
            }
        }
        for (i, (_, output)) in assembly.outputs.iter().enumerate() {
            let Some(value) = statement.numbers[i] else { continue };
            let place = self.place(output)?;
            let Some(ir) = self.cx.ast.types.ir(place.ty.ty) else {
                return self.unsupported("inline assembly with these operands", s);
            };
            let value = self.asm_as(value, ir);
            self.store(&place, value, s)?;
        }
        Ok(())
    }

    fn rv_of(&mut self, e: Ex<'tu>) -> R<Value> {
        let from = e.q;
        let from = self.cx.ast.types.decayed(QTy::plain(from.ty)).ty;
        self.rv_as(e, from)
    }

    /// An empty text: an output tied to an input is the input.
    fn asm_tied(&mut self, assembly: &Asm<'tu>, s: St<'tu>) -> R<()> {
        for (constraint, input) in &assembly.inputs {
            let Ok(output) = constraint.trim_matches(['"', '%']).parse::<usize>() else {
                self.discard(input)?;
                continue;
            };
            let Some(&(_, target)) = assembly.outputs.get(output) else {
                return self.internal("an operand tied to an output that does not exist", s);
            };
            let q = target.q;
            if self.cx.ast.types.is_aggregate(q.ty) {
                return self.unsupported("inline assembly with these operands", s);
            }
            let from = input.q.ty;
            let from = self.cx.ast.types.decayed(QTy::plain(from)).ty;
            let value = self.rv_as(input, from)?;
            let value = self.convert(value, from, q.ty, s)?;
            let place = self.place(target)?;
            self.store(&place, value, s)?;
        }
        for (_, output) in assembly.outputs.iter().filter(|(constraint, _)| constraint.contains('+')) {
            self.place(output)?;
        }
        Ok(())
    }

    fn asm_instruction(&mut self, s: &mut Statement, i: &Instruction) -> Done<()> {
        let Some((register, negated)) = &i.guard else { return self.asm_unguarded(s, i) };
        let Some(&flag) = s.registers.get(register) else { return Err(Fault::Unknown) };
        let mut condition = self.asm_predicate(flag);
        if *negated {
            condition = self.b.unary(cudair_ir::UnaryOp::Inot, condition);
        }
        let (run, end) = (self.b.make_block(), self.b.make_block());
        let before = self.b.current_block();
        let old = s.numbers.clone();
        let old_registers = s.registers.clone();
        self.b.switch_to(run);
        self.asm_unguarded(s, i)?;
        let (mut made, mut kept, mut merged) = (Vec::new(), Vec::new(), Vec::new());
        for target in i.operands.first().into_iter().flat_map(flat) {
            let (new, old) = match target {
                Operand::Number(n) => (s.numbers.get(*n), old.get(*n).copied().flatten()),
                Operand::Name(name, _) => {
                    (Some(&s.registers.get(name).copied()), old_registers.get(name).copied())
                }
                _ => continue,
            };
            let Some(new) = new.copied().flatten().filter(|new| Some(*new) != old) else { continue };
            merged.push((target.clone(), self.b.ty(new), old));
            made.push(new);
        }
        let after = self.b.current_block();
        self.b.set_current(before);
        for (_, ty, old) in &merged {
            // What nothing was put into yet may be anything: zero.
            kept.push(match old {
                Some(old) => self.asm_as(*old, *ty),
                None => self.b.const_bits(*ty, 0),
            });
        }
        let (then, other) = (self.b.target(run, &[]), self.b.target(end, &kept));
        self.b.branch_with(condition, then, other);
        self.b.set_current(after);
        if !self.b.is_unreachable() {
            self.b.jump(end, &made);
        }
        self.b.switch_to(end);
        for (target, ty, _) in merged {
            let value = self.b.func.append_block_param(end, ty);
            self.asm_write(s, &target, value)?;
        }
        Ok(())
    }

    fn asm_unguarded(&mut self, s: &mut Statement, i: &Instruction) -> Done<()> {
        let name: Vec<&str> = i.name.iter().map(String::as_str).collect();
        match self.asm_memory(s, i, &name) {
            Err(Fault::Unknown) => self.asm_arithmetic(s, i, &name),
            done => done,
        }
    }

    /// A value as another type of the machine's: registers are bits.
    fn asm_as(&mut self, value: Value, ty: Type) -> Value {
        let from = self.b.ty(value);
        if from == ty {
            return value;
        }
        if from.is_ptr() && ty.is_ptr() {
            return self.as_pointer(value, ty);
        }
        let bits = if from.is_ptr() {
            self.b.cast(CastOp::Ptrtoint, Type::I64, value)
        } else if from.is_float() {
            let int = int_type(from.bits());
            self.b.cast(CastOp::Bitcast, int, value)
        } else {
            value
        };
        let wide = if ty.is_ptr() { Type::I64 } else { int_type(ty.bits()) };
        let bits = self.widen(bits, false, wide);
        if ty.is_ptr() {
            let pointer = self.b.cast(CastOp::Inttoptr, Type::GENERIC_PTR, bits);
            return self.as_pointer(pointer, ty);
        }
        if ty.is_float() { self.b.cast(CastOp::Bitcast, ty, bits) } else { bits }
    }

    fn asm_predicate(&mut self, value: Value) -> Value {
        let ty = self.b.ty(value);
        if ty == Type::I1 {
            return value;
        }
        let zero = self.b.iconst(ty, 0);
        self.b.icmp(cudair_ir::IntCC::Ne, value, zero)
    }

    /// Reads an operand as the type that its instruction says.
    fn asm_read(&mut self, s: &Statement, operand: &Operand, suffix: Suffix) -> Done<Value> {
        let ty = ir_type(suffix).ok_or(Fault::Unknown)?;
        let value = match operand {
            Operand::Number(n) => s.numbers.get(*n).copied().flatten().ok_or(Fault::Unknown)?,
            Operand::Name(name, negated) => {
                let value = if name == "WARP_SZ" {
                    self.b.iconst(Type::I32, 32)
                } else {
                    *s.registers.get(name).ok_or(Fault::Unknown)?
                };
                if *negated {
                    let flag = self.asm_predicate(value);
                    self.b.unary(cudair_ir::UnaryOp::Inot, flag)
                } else {
                    value
                }
            }
            Operand::Int(value) if !suffix.is_float() => return Ok(self.b.iconst(ty, *value)),
            Operand::Bits(bits, _) => self.b.const_bits(int_type(suffix.bits), u128::from(*bits)),
            Operand::Special(name) => self.asm_special(name)?,
            _ => return Err(Fault::Unknown),
        };
        if suffix.class == Class::Predicate {
            return Ok(self.asm_predicate(value));
        }
        Ok(self.asm_as(value, ty))
    }

    fn asm_write(&mut self, s: &mut Statement, operand: &Operand, value: Value) -> Done<()> {
        match operand {
            Operand::Number(n) if *n < s.outputs => s.numbers[*n] = Some(value),
            Operand::Name(name, false) => {
                s.registers.insert(name.clone(), value);
            }
            Operand::Nothing => {}
            _ => return Err(Fault::Unknown),
        }
        Ok(())
    }

    fn asm_special(&mut self, name: &str) -> Done<Value> {
        use SpecialReg::*;
        let reg = match name {
            "tid.x" => TidX,
            "tid.y" => TidY,
            "tid.z" => TidZ,
            "ctaid.x" => CtaidX,
            "ctaid.y" => CtaidY,
            "ctaid.z" => CtaidZ,
            "ntid.x" => NtidX,
            "ntid.y" => NtidY,
            "ntid.z" => NtidZ,
            "nctaid.x" => NctaidX,
            "nctaid.y" => NctaidY,
            "nctaid.z" => NctaidZ,
            "laneid" => Laneid,
            "warpid" => Warpid,
            "smid" => Smid,
            "dynamic_smem_size" => DynSmemSize,
            "clock" | "clock64" => Clock,
            "globaltimer" => Globaltimer,
            "globaltimer_lo" => {
                let timer = self.b.special(Globaltimer);
                return Ok(self.widen(timer, false, Type::I32));
            }
            "cluster_nctaid.x" => ClusterNctaidX,
            "cluster_nctaid.y" => ClusterNctaidY,
            "cluster_nctaid.z" => ClusterNctaidZ,
            "is_explicit_cluster" => {
                let given = self.b.special(IsExplicitCluster);
                return Ok(self.asm_predicate(given));
            }
            _ => return self.asm_cluster(name),
        };
        let value = self.b.special(reg);
        Ok(if name == "clock" { self.widen(value, false, Type::I32) } else { value })
    }

    /// A block's place in its cluster and a cluster's in the grid, which follow from the shape of the cluster.
    fn asm_cluster(&mut self, name: &str) -> Done<Value> {
        use SpecialReg::*;
        use cudair_ir::BinaryOp;
        let of = |axis: &str| match axis {
            "x" => Some((CtaidX, NctaidX, ClusterNctaidX)),
            "y" => Some((CtaidY, NctaidY, ClusterNctaidY)),
            "z" => Some((CtaidZ, NctaidZ, ClusterNctaidZ)),
            _ => None,
        };
        let dims = [ClusterNctaidX, ClusterNctaidY, ClusterNctaidZ];
        match name {
            "cluster_nctarank" => {
                let [x, y, z] = dims.map(|d| self.b.special(d));
                let rows = self.b.binary(BinaryOp::Imul, y, z);
                return Ok(self.b.binary(BinaryOp::Imul, x, rows));
            }
            "cluster_ctarank" => {
                let [x, y, z] = [
                    self.asm_cluster("cluster_ctaid.x")?,
                    self.asm_cluster("cluster_ctaid.y")?,
                    self.asm_cluster("cluster_ctaid.z")?,
                ];
                let [nx, ny, _] = dims.map(|d| self.b.special(d));
                let planes = self.b.binary(BinaryOp::Imul, z, ny);
                let rows = self.b.binary(BinaryOp::Iadd, planes, y);
                let before = self.b.binary(BinaryOp::Imul, rows, nx);
                return Ok(self.b.binary(BinaryOp::Iadd, before, x));
            }
            _ => {}
        }
        let Some((what, (at, all, dim))) = name.split_once('.').and_then(|(w, axis)| Some((w, of(axis)?)))
        else {
            return self.asm_lanemask(name);
        };
        let (op, of) = match what {
            "cluster_ctaid" => (BinaryOp::Urem, at),
            "clusterid" => (BinaryOp::Udiv, at),
            "nclusterid" => (BinaryOp::Udiv, all),
            _ => return self.asm_lanemask(name),
        };
        let (of, dim) = (self.b.special(of), self.b.special(dim));
        Ok(self.b.binary(op, of, dim))
    }

    /// `lanemask_lt` and kin: bits of the lanes below, up to, from and above the own one.
    fn asm_lanemask(&mut self, name: &str) -> Done<Value> {
        use cudair_ir::{BinaryOp, UnaryOp};
        let kind = name.strip_prefix("lanemask_").ok_or(Fault::Unknown)?;
        let lane = self.b.special(SpecialReg::Laneid);
        let one = self.b.iconst(Type::I32, 1);
        let own = self.b.binary(BinaryOp::Shl, one, lane);
        let below = self.b.binary(BinaryOp::Isub, own, one);
        Ok(match kind {
            "eq" => own,
            "lt" => below,
            "le" => self.b.binary(BinaryOp::Or, below, own),
            "ge" => self.b.unary(UnaryOp::Inot, below),
            "gt" => {
                let upto = self.b.binary(BinaryOp::Or, below, own);
                self.b.unary(UnaryOp::Inot, upto)
            }
            _ => return Err(Fault::Unknown),
        })
    }
}

/// The registers among an operand.
fn flat(operand: &Operand) -> Vec<&Operand> {
    match operand {
        Operand::Vector(all) => all.iter().collect(),
        other => vec![other],
    }
}

fn int_type(bits: u32) -> Type {
    match bits {
        1 => Type::I1,
        8 => Type::I8,
        16 => Type::I16,
        32 => Type::I32,
        64 => Type::I64,
        // What is wider has no other integer; the verifier refuses one that is not as wide.
        _ => Type::I128,
    }
}

fn ir_type(suffix: Suffix) -> Option<Type> {
    Some(match (suffix.class, suffix.bits) {
        (Class::Predicate, _) => Type::I1,
        (Class::Float, 16) => Type::F16,
        (Class::Float, 32) => Type::F32,
        (Class::Float, 64) => Type::F64,
        (Class::Float, _) => return None,
        (_, bits) => int_type(bits),
    })
}
