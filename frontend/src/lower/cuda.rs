//! CUDA's built-in variables.

use super::func::FnLower;
use super::lvalue::Place;
use super::{At, R};
use crate::ast::{ExprKind, Member};
use crate::types::QTy;
use crate::types::{Decl, DeclKind};
use cudair_ir::{MemFlags, SpecialReg, Type, Value};

/// The registers behind a built-in variable of three components.
fn registers(name: &str) -> Option<[SpecialReg; 3]> {
    Some(match name {
        "threadIdx" => [SpecialReg::TidX, SpecialReg::TidY, SpecialReg::TidZ],
        "blockIdx" => [SpecialReg::CtaidX, SpecialReg::CtaidY, SpecialReg::CtaidZ],
        "blockDim" => [SpecialReg::NtidX, SpecialReg::NtidY, SpecialReg::NtidZ],
        "gridDim" => [SpecialReg::NctaidX, SpecialReg::NctaidY, SpecialReg::NctaidZ],
        _ => return None,
    })
}

/// The name of a built-in variable, where the declaration is that of the CUDA headers.
fn builtin_name(decl: Decl<'_>) -> Option<String> {
    if decl.kind() != DeclKind::Variable || decl.is_initialized() || !decl.in_system_header() {
        return None;
    }
    let name = decl.spelling();
    (registers(&name).is_some() || name == "warpSize").then_some(name)
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of a built-in variable of scalar type.
    pub fn special_value(&mut self, decl: Decl<'tu>) -> Option<Value> {
        (builtin_name(decl)? == "warpSize").then(|| self.b.special(SpecialReg::Warpsize))
    }

    /// `threadIdx.x` and kin.
    pub fn special_member(&mut self, member: &'tu Member<'tu>) -> R<Option<Value>> {
        if !self.frame.device() {
            return Ok(None);
        }
        let Some(mut object) = member.object else { return Ok(None) };
        while let Some(inner) = object.operand() {
            object = inner;
        }
        let ExprKind::Name(object) = object.kind else { return Ok(None) };
        let Some(registers) = object.decl.and_then(builtin_name).and_then(|n| registers(&n)) else {
            return Ok(None);
        };
        let component = match member.name {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return Ok(None),
        };
        Ok(Some(self.b.special(registers[component])))
    }

    /// A built-in variable where its address is asked for: a copy.
    pub fn special_variable(&mut self, decl: Decl<'tu>, at: At<'_>) -> R<Option<Place>> {
        let Some(name) = builtin_name(decl) else { return Ok(None) };
        let q = self.cx.ast.types.of(decl.ty());
        let slot = self.temp_slot(q.ty, at)?;
        let ptr = self.b.slot_addr(slot);
        match registers(&name) {
            Some(registers) => {
                for (i, register) in registers.into_iter().enumerate() {
                    let value = self.b.special(register);
                    let component = self.b.ptr_offset(ptr, 4 * i as i64);
                    self.b.store(value, component, MemFlags::natural(Type::I32));
                }
            }
            None => {
                let value = self.b.special(SpecialReg::Warpsize);
                self.b.store(value, ptr, MemFlags::natural(Type::I32));
            }
        }
        Ok(Some(Place::new(ptr, 4, QTy { is_const: true, ..q })))
    }
}
