//! Bit-fields: loads and stores of the bytes that hold them.

use super::func::FnLower;
use super::lvalue::Place;
use super::{At, R};
use crate::types::{Field, Kind};
use cudair_ir::{BinaryOp, IntCC, MemFlags, Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value that a bit-field is initialised with where nothing else is said.
    pub fn bit_field_value(&mut self, f: &Field<'tu>, value: Result<i128, ()>, at: At<'_>) -> R<Value> {
        let number = match value {
            Ok(number) => number,
            Err(()) => {
                let what = format!("the initialiser of the bit-field `{}`, which is not constant", f.name);
                return self.unsupported(what, at);
            }
        };
        let Some(ir) = self.cx.ast.types.ir(f.ty.ty) else {
            return self.internal("a bit-field whose type is not scalar", at);
        };
        let number = match self.cx.ast.types.kind(f.ty.ty) {
            Kind::Bool => i128::from(number != 0),
            _ => number,
        };
        Ok(self.b.iconst(ir, number))
    }

    /// The pieces in which the bytes of a bit-field are accessed: offset in bytes and type.
    fn bit_pieces(first: u32, width: u32) -> Vec<(u32, Type)> {
        let bytes = (first + width).div_ceil(8);
        let mut pieces = Vec::new();
        let mut at = 0;
        for (size, ty) in [(8, Type::I64), (4, Type::I32), (2, Type::I16), (1, Type::I8)] {
            while bytes - at >= size {
                pieces.push((at, ty));
                at += size;
            }
        }
        pieces
    }

    /// Refuses a bit-field whose bytes fit into no integer.
    fn check_unit(&mut self, first: u32, width: u32, at: At<'_>) -> R<()> {
        if first + width > 128 {
            return self.unsupported("a bit-field over more than 16 bytes", at);
        }
        Ok(())
    }

    /// The integer in which a bit-field's bytes are assembled.
    fn bit_unit(first: u32, width: u32) -> Type {
        match first + width {
            0..=8 => Type::I8,
            9..=16 => Type::I16,
            17..=32 => Type::I32,
            33..=64 => Type::I64,
            _ => Type::I128,
        }
    }

    fn load_unit(&mut self, place: &Place, first: u32, width: u32, partial: bool) -> Value {
        let unit = Self::bit_unit(first, width);
        let mut whole = None;
        for (offset, ty) in Self::bit_pieces(first, width) {
            let ptr = self.b.ptr_offset(place.ptr, i64::from(offset));
            let align = if offset == 0 { place.align } else { place.align.min(1 << offset.trailing_zeros()) };
            let flags = MemFlags::aligned(align.min(ty.align()))
                .with_volatile(place.ty.volatile)
                .with_partial(partial);
            let piece = self.b.load(ty, ptr, flags);
            let piece = self.widen(piece, false, unit);
            let piece = if offset == 0 {
                piece
            } else {
                let amount = self.b.iconst(unit, i128::from(offset * 8));
                self.b.binary(BinaryOp::Shl, piece, amount)
            };
            whole = Some(match whole {
                None => piece,
                Some(w) => self.b.binary(BinaryOp::Or, w, piece),
            });
        }
        match whole {
            Some(w) => w,
            None => self.b.iconst(unit, 0),
        }
    }

    pub fn load_bits(&mut self, place: &Place, first: u32, width: u32, at: At<'_>) -> R<Value> {
        let Some(ir) = self.cx.ast.types.ir(place.ty.ty) else {
            return self.internal("a bit-field whose type is not an integer", at);
        };
        self.check_unit(first, width, at)?;
        let unit = self.load_unit(place, first, width, false);
        let unit_ty = self.b.ty(unit);
        let signed = self.cx.ast.types.is_signed(place.ty.ty);
        // Move the field to the top, then down again, which extends it by its sign.
        let up = unit_ty.bits() - first - width;
        let mut value = unit;
        if up > 0 {
            let amount = self.b.iconst(unit_ty, i128::from(up));
            value = self.b.binary(BinaryOp::Shl, value, amount);
        }
        if up + first > 0 {
            let amount = self.b.iconst(unit_ty, i128::from(up + first));
            let op = if signed { BinaryOp::Ashr } else { BinaryOp::Lshr };
            value = self.b.binary(op, value, amount);
        }
        if ir == Type::I1 {
            let zero = self.b.iconst(unit_ty, 0);
            return Ok(self.b.icmp(IntCC::Ne, value, zero));
        }
        Ok(self.widen(value, signed, ir))
    }

    pub fn store_bits(
        &mut self,
        place: &Place,
        first: u32,
        width: u32,
        value: Value,
        at: At<'_>,
    ) -> R<Value> {
        let Some(ir) = self.cx.ast.types.ir(place.ty.ty) else {
            return self.internal("a bit-field whose type is not an integer", at);
        };
        self.check_unit(first, width, at)?;
        let unit_ty = Self::bit_unit(first, width);
        let whole_bytes = first == 0 && width.is_multiple_of(8);
        let mask = (1u128 << width) - 1;
        let narrowed = self.widen(value, false, unit_ty);
        let field_mask = self.b.const_bits(unit_ty, mask);
        let field = self.b.binary(BinaryOp::And, narrowed, field_mask);
        let shifted = if first > 0 {
            let amount = self.b.iconst(unit_ty, i128::from(first));
            self.b.binary(BinaryOp::Shl, field, amount)
        } else {
            field
        };
        let combined = if whole_bytes {
            shifted
        } else {
            let old = self.load_unit(place, first, width, true);
            let keep = self.b.const_bits(unit_ty, !(mask << first));
            let kept = self.b.binary(BinaryOp::And, old, keep);
            self.b.binary(BinaryOp::Or, kept, shifted)
        };
        for (offset, ty) in Self::bit_pieces(first, width) {
            let ptr = self.b.ptr_offset(place.ptr, i64::from(offset));
            let align = if offset == 0 { place.align } else { place.align.min(1 << offset.trailing_zeros()) };
            let flags = MemFlags::aligned(align.min(ty.align())).with_volatile(place.ty.volatile);
            let piece = if offset == 0 {
                combined
            } else {
                let amount = self.b.iconst(unit_ty, i128::from(offset * 8));
                self.b.binary(BinaryOp::Lshr, combined, amount)
            };
            let piece = self.widen(piece, false, ty);
            self.b.store(piece, ptr, flags);
        }
        // The value of the assignment is that of the field.
        if ir == Type::I1 {
            return Ok(value);
        }
        let bits = ir.bits();
        if width >= bits {
            return Ok(value);
        }
        let amount = self.b.iconst(ir, i128::from(bits - width));
        let up = self.b.binary(BinaryOp::Shl, value, amount);
        let op = if self.cx.ast.types.is_signed(place.ty.ty) { BinaryOp::Ashr } else { BinaryOp::Lshr };
        Ok(self.b.binary(op, up, amount))
    }
}
