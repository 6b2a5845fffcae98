//! CUDA's built-in variables.

use super::R;
use super::func::FnLower;
use super::lvalue::Place;
use super::types::QTy;
use crate::clang::{Cursor, CursorKind};
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
fn builtin_name(decl: Cursor<'_>) -> Option<String> {
    if decl.kind() != CursorKind::VarDecl || decl.initializer().is_some() || !decl.in_system_header() {
        return None;
    }
    let name = decl.spelling();
    (registers(&name).is_some() || name == "warpSize").then_some(name)
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of a built-in variable of scalar type.
    pub fn special_value(&mut self, decl: Cursor<'tu>) -> Option<Value> {
        (builtin_name(decl)? == "warpSize").then(|| self.b.special(SpecialReg::Warpsize))
    }

    /// `threadIdx.x` and kin.
    pub fn special_member(&mut self, e: Cursor<'tu>) -> R<Option<Value>> {
        if !self.device {
            return Ok(None);
        }
        let Some(&object) = e.expressions().first() else { return Ok(None) };
        let mut object = object;
        while matches!(object.kind(), CursorKind::ParenExpr | CursorKind::UnexposedExpr) {
            match object.expressions().as_slice() {
                [one] => object = *one,
                _ => return Ok(None),
            }
        }
        if object.kind() != CursorKind::DeclRefExpr {
            return Ok(None);
        }
        let Some(registers) = object.referenced().and_then(builtin_name).and_then(|n| registers(&n)) else {
            return Ok(None);
        };
        let component = match e.spelling().as_str() {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return Ok(None),
        };
        Ok(Some(self.b.special(registers[component])))
    }

    /// A built-in variable where its address is asked for: a copy.
    pub fn special_variable(&mut self, decl: Cursor<'tu>, at: Cursor<'tu>) -> R<Option<Place>> {
        let Some(name) = builtin_name(decl) else { return Ok(None) };
        let q = self.cx.types.of(decl.ty());
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
