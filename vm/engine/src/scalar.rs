//! The scalar operations: arithmetic, comparison and branches on the convergence group's own registers, written
//! once for the host's loop and the device's.

use super::regs::Words;
use cudair_bytecode::{Ext, S};
use cudair_lane::ptr::Ptr;

/// A `match` on an operation with the arms of all pure scalar operations, then those given.
///
/// `$s` are the scalar registers, `$device` says whose rules hold where C leaves a result open, `$ub!(kind)`
/// notes undefined behaviour, `$jump!(target)` goes to a target.
macro_rules! scalar_match {
    ($op:expr, $s:ident, $device:expr, $ub:ident, $jump:ident, { $($rest:tt)* }) => {
        match *$op {
            Op::Mov { d, a } => $s.set(d, $s.get(a)),
            Op::Mov2 { d, a } => $s.set2(d, $s.get2(a)),
            Op::Const { d, bits } => $s.set(d, bits),
            Op::Select { d, c, a, b } => $s.set(d, if $s.get(c) & 1 != 0 { $s.get(a) } else { $s.get(b) }),
            Op::And { d, a, b } => $s.set(d, $s.get(a) & $s.get(b)),
            Op::AndI { d, a, imm } => $s.set(d, $s.get(a) & u64::from(imm)),
            Op::Or { d, a, b } => $s.set(d, $s.get(a) | $s.get(b)),
            Op::OrI { d, a, imm } => $s.set(d, $s.get(a) | u64::from(imm)),
            Op::Xor { d, a, b } => $s.set(d, $s.get(a) ^ $s.get(b)),
            Op::XorI { d, a, imm } => $s.set(d, $s.get(a) ^ u64::from(imm)),
            Op::AddI32 { d, a, b } => $s.set(d, u64::from(($s.get(a) as u32).wrapping_add($s.get(b) as u32))),
            Op::AddNswI32 { d, a, b } => { let (r, o) = ($s.get(a) as i32).overflowing_add($s.get(b) as i32); if o { $ub!(Ub::Overflow); } $s.set(d, u64::from(r as u32)); }
            Op::AddI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u32).wrapping_add(i32::from(imm) as u32))),
            Op::AddNswI32I { d, a, imm } => { let (r, o) = ($s.get(a) as i32).overflowing_add(i32::from(imm)); if o { $ub!(Ub::Overflow); } $s.set(d, u64::from(r as u32)); }
            Op::SubI32 { d, a, b } => $s.set(d, u64::from(($s.get(a) as u32).wrapping_sub($s.get(b) as u32))),
            Op::SubNswI32 { d, a, b } => { let (r, o) = ($s.get(a) as i32).overflowing_sub($s.get(b) as i32); if o { $ub!(Ub::Overflow); } $s.set(d, u64::from(r as u32)); }
            Op::MulI32 { d, a, b } => $s.set(d, u64::from(($s.get(a) as u32).wrapping_mul($s.get(b) as u32))),
            Op::MulNswI32 { d, a, b } => { let (r, o) = ($s.get(a) as i32).overflowing_mul($s.get(b) as i32); if o { $ub!(Ub::Overflow); } $s.set(d, u64::from(r as u32)); }
            Op::MulI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u32).wrapping_mul(i32::from(imm) as u32))),
            Op::MulNswI32I { d, a, imm } => { let (r, o) = ($s.get(a) as i32).overflowing_mul(i32::from(imm)); if o { $ub!(Ub::Overflow); } $s.set(d, u64::from(r as u32)); }
            Op::SdivI32 { d, a, b } => { let (x, y) = ($s.get(a) as i32, $s.get(b) as i32); if y == 0 { $ub!(Ub::DivZero); } else if let Some(r) = x.checked_div(y) { $s.set(d, u64::from(r as u32)); } else { $ub!(Ub::DivOverflow); } }
            Op::SremI32 { d, a, b } => { let (x, y) = ($s.get(a) as i32, $s.get(b) as i32); if y == 0 { $ub!(Ub::DivZero); } else if let Some(r) = x.checked_rem(y) { $s.set(d, u64::from(r as u32)); } else { $ub!(Ub::DivOverflow); } }
            Op::UdivI32 { d, a, b } => { let (x, y) = ($s.get(a) as u32, $s.get(b) as u32); if y == 0 { $ub!(Ub::DivZero); } else { $s.set(d, u64::from(x / y)); } }
            Op::UremI32 { d, a, b } => { let (x, y) = ($s.get(a) as u32, $s.get(b) as u32); if y == 0 { $ub!(Ub::DivZero); } else { $s.set(d, u64::from(x % y)); } }
            Op::ShlI32 { d, a, b } => { let (x, n) = ($s.get(a), $s.get(b)); if n < 32 { $s.set(d, shl32(x, n as u32)); } else { let (r, ub) = eval::binary(BinaryOp::Shl, false, Type::I32, x.into(), n.into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::ShlI32I { d, a, imm } => $s.set(d, shl32($s.get(a), u32::from(imm))),
            Op::LshrI32 { d, a, b } => { let (x, n) = ($s.get(a), $s.get(b)); if n < 32 { $s.set(d, lshr32(x, n as u32)); } else { let (r, ub) = eval::binary(BinaryOp::Lshr, false, Type::I32, x.into(), n.into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::LshrI32I { d, a, imm } => $s.set(d, lshr32($s.get(a), u32::from(imm))),
            Op::AshrI32 { d, a, b } => { let (x, n) = ($s.get(a), $s.get(b)); if n < 32 { $s.set(d, ashr32(x, n as u32)); } else { let (r, ub) = eval::binary(BinaryOp::Ashr, false, Type::I32, x.into(), n.into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::AshrI32I { d, a, imm } => $s.set(d, ashr32($s.get(a), u32::from(imm))),
            Op::SminI32 { d, a, b } => $s.set(d, ($s.get(a) as i32).min($s.get(b) as i32) as u32 as u64),
            Op::SmaxI32 { d, a, b } => $s.set(d, ($s.get(a) as i32).max($s.get(b) as i32) as u32 as u64),
            Op::UminI32 { d, a, b } => $s.set(d, ($s.get(a) as u32).min($s.get(b) as u32) as u32 as u64),
            Op::UmaxI32 { d, a, b } => $s.set(d, ($s.get(a) as u32).max($s.get(b) as u32) as u32 as u64),
            Op::NegI32 { d, a } => $s.set(d, ($s.get(a) as i32).wrapping_neg() as u32 as u64),
            Op::NegNswI32 { d, a } => { let (r, o) = ($s.get(a) as i32).overflowing_neg(); if o { $ub!(Ub::Overflow); } $s.set(d, r as u32 as u64); }
            Op::NotI32 { d, a } => $s.set(d, !($s.get(a) as u32) as u64),
            Op::AddI64 { d, a, b } => $s.set(d, ($s.get(a)).wrapping_add($s.get(b))),
            Op::AddNswI64 { d, a, b } => { let (r, o) = ($s.get(a) as i64).overflowing_add($s.get(b) as i64); if o { $ub!(Ub::Overflow); } $s.set(d, r as u64); }
            Op::AddI64I { d, a, imm } => $s.set(d, ($s.get(a)).wrapping_add(i64::from(imm) as u64)),
            Op::AddNswI64I { d, a, imm } => { let (r, o) = ($s.get(a) as i64).overflowing_add(i64::from(imm)); if o { $ub!(Ub::Overflow); } $s.set(d, r as u64); }
            Op::SubI64 { d, a, b } => $s.set(d, ($s.get(a)).wrapping_sub($s.get(b))),
            Op::SubNswI64 { d, a, b } => { let (r, o) = ($s.get(a) as i64).overflowing_sub($s.get(b) as i64); if o { $ub!(Ub::Overflow); } $s.set(d, r as u64); }
            Op::MulI64 { d, a, b } => $s.set(d, ($s.get(a)).wrapping_mul($s.get(b))),
            Op::MulNswI64 { d, a, b } => { let (r, o) = ($s.get(a) as i64).overflowing_mul($s.get(b) as i64); if o { $ub!(Ub::Overflow); } $s.set(d, r as u64); }
            Op::MulI64I { d, a, imm } => $s.set(d, ($s.get(a)).wrapping_mul(i64::from(imm) as u64)),
            Op::MulNswI64I { d, a, imm } => { let (r, o) = ($s.get(a) as i64).overflowing_mul(i64::from(imm)); if o { $ub!(Ub::Overflow); } $s.set(d, r as u64); }
            Op::SdivI64 { d, a, b } => { let (x, y) = ($s.get(a) as i64, $s.get(b) as i64); if y == 0 { $ub!(Ub::DivZero); } else if let Some(r) = x.checked_div(y) { $s.set(d, r as u64); } else { $ub!(Ub::DivOverflow); } }
            Op::SremI64 { d, a, b } => { let (x, y) = ($s.get(a) as i64, $s.get(b) as i64); if y == 0 { $ub!(Ub::DivZero); } else if let Some(r) = x.checked_rem(y) { $s.set(d, r as u64); } else { $ub!(Ub::DivOverflow); } }
            Op::UdivI64 { d, a, b } => { let (x, y) = ($s.get(a), $s.get(b)); if y == 0 { $ub!(Ub::DivZero); } else { $s.set(d, x / y); } }
            Op::UremI64 { d, a, b } => { let (x, y) = ($s.get(a), $s.get(b)); if y == 0 { $ub!(Ub::DivZero); } else { $s.set(d, x % y); } }
            Op::ShlI64 { d, a, b } => { let (x, n) = ($s.get(a), $s.get(b)); if n < 64 { $s.set(d, shl64(x, n as u32)); } else { let (r, ub) = eval::binary(BinaryOp::Shl, false, Type::I64, x.into(), n.into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::ShlI64I { d, a, imm } => $s.set(d, shl64($s.get(a), u32::from(imm))),
            Op::LshrI64 { d, a, b } => { let (x, n) = ($s.get(a), $s.get(b)); if n < 64 { $s.set(d, lshr64(x, n as u32)); } else { let (r, ub) = eval::binary(BinaryOp::Lshr, false, Type::I64, x.into(), n.into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::LshrI64I { d, a, imm } => $s.set(d, lshr64($s.get(a), u32::from(imm))),
            Op::AshrI64 { d, a, b } => { let (x, n) = ($s.get(a), $s.get(b)); if n < 64 { $s.set(d, ashr64(x, n as u32)); } else { let (r, ub) = eval::binary(BinaryOp::Ashr, false, Type::I64, x.into(), n.into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::AshrI64I { d, a, imm } => $s.set(d, ashr64($s.get(a), u32::from(imm))),
            Op::SminI64 { d, a, b } => $s.set(d, ($s.get(a) as i64).min($s.get(b) as i64) as u64 as u64),
            Op::SmaxI64 { d, a, b } => $s.set(d, ($s.get(a) as i64).max($s.get(b) as i64) as u64 as u64),
            Op::UminI64 { d, a, b } => $s.set(d, ($s.get(a) as u64).min($s.get(b) as u64) as u64 as u64),
            Op::UmaxI64 { d, a, b } => $s.set(d, ($s.get(a) as u64).max($s.get(b) as u64) as u64 as u64),
            Op::NegI64 { d, a } => $s.set(d, ($s.get(a) as i64).wrapping_neg() as u64 as u64),
            Op::NegNswI64 { d, a } => { let (r, o) = ($s.get(a) as i64).overflowing_neg(); if o { $ub!(Ub::Overflow); } $s.set(d, r as u64 as u64); }
            Op::NotI64 { d, a } => $s.set(d, !($s.get(a) as u64) as u64),
            Op::SextI8I32 { d, a } => $s.set(d, i32::from($s.get(a) as i8) as u32 as u64),
            Op::SextI8I64 { d, a } => $s.set(d, i64::from($s.get(a) as i8) as u64 as u64),
            Op::SextI16I32 { d, a } => $s.set(d, i32::from($s.get(a) as i16) as u32 as u64),
            Op::SextI16I64 { d, a } => $s.set(d, i64::from($s.get(a) as i16) as u64 as u64),
            Op::SextI32I64 { d, a } => $s.set(d, i64::from($s.get(a) as i32) as u64 as u64),
            Op::TruncI32 { d, a } => $s.set(d, $s.get(a) & 0xffff_ffff),
            Op::AddF32 { d, a, b } => $s.set_f32(d, $s.get_f32(a) + $s.get_f32(b)),
            Op::SubF32 { d, a, b } => $s.set_f32(d, $s.get_f32(a) - $s.get_f32(b)),
            Op::MulF32 { d, a, b } => $s.set_f32(d, $s.get_f32(a) * $s.get_f32(b)),
            Op::DivF32 { d, a, b } => $s.set_f32(d, $s.get_f32(a) / $s.get_f32(b)),
            Op::FmaF32 { d, a, b, c } => $s.set_f32(d, $s.get_f32(a).mul_add($s.get_f32(b), $s.get_f32(c))),
            Op::MinF32 { d, a, b } => $s.set_f32(d, $s.get_f32(a).c_min($s.get_f32(b))),
            Op::MaxF32 { d, a, b } => $s.set_f32(d, $s.get_f32(a).c_max($s.get_f32(b))),
            Op::NegF32 { d, a } => $s.set(d, $s.get(a) ^ (1 << 31)),
            Op::NanF32 { d, a } => $s.set(d, u64::from(cudair_ir::eval::gpu_nan($s.get(a) as u32))),
            Op::AbsF32 { d, a } => $s.set(d, $s.get(a) & !(1 << 31)),
            Op::SqrtF32 { d, a } => $s.set_f32(d, $s.get_f32(a).sqrt()),
            Op::SitofpI32F32 { d, a } => $s.set_f32(d, $s.get(a) as i32 as f32),
            Op::FptosiF32I32 { d, a } => { let x = $s.get_f32(a); let r = x as i32; if x > -2147483648.0 && x < 2147483648.0 { $s.set(d, r as u32 as u64); } else { let (r, ub) = eval::cast(CastOp::Fptosi, Type::F32, Type::I32, $s.get(a).into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::SitofpI64F32 { d, a } => $s.set_f32(d, $s.get(a) as i64 as f32),
            Op::FptosiF32I64 { d, a } => { let x = $s.get_f32(a); let r = x as i64; if x > -9223372036854775808.0 && x < 9223372036854775808.0 { $s.set(d, r as u64 as u64); } else { let (r, ub) = eval::cast(CastOp::Fptosi, Type::F32, Type::I64, $s.get(a).into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::UitofpF32 { d, a } => $s.set_f32(d, $s.get(a) as f32),
            Op::AddF64 { d, a, b } => $s.set_f64(d, $s.get_f64(a) + $s.get_f64(b)),
            Op::SubF64 { d, a, b } => $s.set_f64(d, $s.get_f64(a) - $s.get_f64(b)),
            Op::MulF64 { d, a, b } => $s.set_f64(d, $s.get_f64(a) * $s.get_f64(b)),
            Op::DivF64 { d, a, b } => $s.set_f64(d, $s.get_f64(a) / $s.get_f64(b)),
            Op::FmaF64 { d, a, b, c } => $s.set_f64(d, $s.get_f64(a).mul_add($s.get_f64(b), $s.get_f64(c))),
            Op::MinF64 { d, a, b } => $s.set_f64(d, $s.get_f64(a).c_min($s.get_f64(b))),
            Op::MaxF64 { d, a, b } => $s.set_f64(d, $s.get_f64(a).c_max($s.get_f64(b))),
            Op::NegF64 { d, a } => $s.set(d, $s.get(a) ^ (1 << 63)),
            Op::AbsF64 { d, a } => $s.set(d, $s.get(a) & !(1 << 63)),
            Op::SqrtF64 { d, a } => $s.set_f64(d, $s.get_f64(a).sqrt()),
            Op::SitofpI32F64 { d, a } => $s.set_f64(d, $s.get(a) as i32 as f64),
            Op::FptosiF64I32 { d, a } => { let x = $s.get_f64(a); let r = x as i32; if x > -2147483648.0 && x < 2147483648.0 { $s.set(d, r as u32 as u64); } else { let (r, ub) = eval::cast(CastOp::Fptosi, Type::F64, Type::I32, $s.get(a).into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::SitofpI64F64 { d, a } => $s.set_f64(d, $s.get(a) as i64 as f64),
            Op::FptosiF64I64 { d, a } => { let x = $s.get_f64(a); let r = x as i64; if x > -9223372036854775808.0 && x < 9223372036854775808.0 { $s.set(d, r as u64 as u64); } else { let (r, ub) = eval::cast(CastOp::Fptosi, Type::F64, Type::I64, $s.get(a).into(), $device); if let Some(ub) = ub { $ub!(ub); } $s.set(d, r as u64); } }
            Op::UitofpF64 { d, a } => $s.set_f64(d, $s.get(a) as f64),
            Op::FpextF32F64 { d, a } => $s.set_f64(d, f64::from($s.get_f32(a))),
            Op::FptruncF64F32 { d, a } => $s.set_f32(d, $s.get_f64(a) as f32),
            Op::CmpEq { d, a, b } => $s.set(d, u64::from($s.get(a) == $s.get(b))),
            Op::CmpNe { d, a, b } => $s.set(d, u64::from($s.get(a) != $s.get(b))),
            Op::CmpUlt { d, a, b } => $s.set(d, u64::from($s.get(a) < $s.get(b))),
            Op::CmpUle { d, a, b } => $s.set(d, u64::from($s.get(a) <= $s.get(b))),
            Op::CmpSltI32 { d, a, b } => $s.set(d, u64::from(($s.get(a) as i32) < ($s.get(b) as i32))),
            Op::CmpSleI32 { d, a, b } => $s.set(d, u64::from(($s.get(a) as i32) <= ($s.get(b) as i32))),
            Op::CmpEqI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u32) == (i32::from(imm) as u32))),
            Op::CmpNeI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u32) != (i32::from(imm) as u32))),
            Op::CmpSltI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as i32) < (i32::from(imm)))),
            Op::CmpSleI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as i32) <= (i32::from(imm)))),
            Op::CmpSgtI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as i32) > (i32::from(imm)))),
            Op::CmpSgeI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as i32) >= (i32::from(imm)))),
            Op::CmpUltI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u32) < (i32::from(imm) as u32))),
            Op::CmpUleI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u32) <= (i32::from(imm) as u32))),
            Op::CmpUgtI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u32) > (i32::from(imm) as u32))),
            Op::CmpUgeI32I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u32) >= (i32::from(imm) as u32))),
            Op::CmpSltI64 { d, a, b } => $s.set(d, u64::from(($s.get(a) as i64) < ($s.get(b) as i64))),
            Op::CmpSleI64 { d, a, b } => $s.set(d, u64::from(($s.get(a) as i64) <= ($s.get(b) as i64))),
            Op::CmpEqI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u64) == (i64::from(imm) as u64))),
            Op::CmpNeI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u64) != (i64::from(imm) as u64))),
            Op::CmpSltI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as i64) < (i64::from(imm)))),
            Op::CmpSleI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as i64) <= (i64::from(imm)))),
            Op::CmpSgtI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as i64) > (i64::from(imm)))),
            Op::CmpSgeI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as i64) >= (i64::from(imm)))),
            Op::CmpUltI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u64) < (i64::from(imm) as u64))),
            Op::CmpUleI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u64) <= (i64::from(imm) as u64))),
            Op::CmpUgtI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u64) > (i64::from(imm) as u64))),
            Op::CmpUgeI64I { d, a, imm } => $s.set(d, u64::from(($s.get(a) as u64) >= (i64::from(imm) as u64))),
            Op::CmpOeqF32 { d, a, b } => $s.set(d, u64::from($s.get_f32(a) == $s.get_f32(b))),
            Op::CmpUneF32 { d, a, b } => $s.set(d, u64::from($s.get_f32(a) != $s.get_f32(b))),
            Op::CmpOltF32 { d, a, b } => $s.set(d, u64::from($s.get_f32(a) < $s.get_f32(b))),
            Op::CmpOleF32 { d, a, b } => $s.set(d, u64::from($s.get_f32(a) <= $s.get_f32(b))),
            Op::CmpOeqF64 { d, a, b } => $s.set(d, u64::from($s.get_f64(a) == $s.get_f64(b))),
            Op::CmpUneF64 { d, a, b } => $s.set(d, u64::from($s.get_f64(a) != $s.get_f64(b))),
            Op::CmpOltF64 { d, a, b } => $s.set(d, u64::from($s.get_f64(a) < $s.get_f64(b))),
            Op::CmpOleF64 { d, a, b } => $s.set(d, u64::from($s.get_f64(a) <= $s.get_f64(b))),
            Op::Jump { target } => $jump!(target),
            Op::BrNz { c, target } => if $s.get(c) != 0 { $jump!(target) },
            Op::BrZ { c, target } => if $s.get(c) == 0 { $jump!(target) },
            Op::BrEq { a, b, target } => if $s.get(a) == $s.get(b) { $jump!(target) },
            Op::BrNe { a, b, target } => if $s.get(a) != $s.get(b) { $jump!(target) },
            Op::BrUlt { a, b, target } => if $s.get(a) < $s.get(b) { $jump!(target) },
            Op::BrUle { a, b, target } => if $s.get(a) <= $s.get(b) { $jump!(target) },
            Op::BrSltI32 { a, b, target } => if ($s.get(a) as i32) < ($s.get(b) as i32) { $jump!(target) },
            Op::BrSleI32 { a, b, target } => if ($s.get(a) as i32) <= ($s.get(b) as i32) { $jump!(target) },
            Op::BrEqI32I { a, imm, target } => if ($s.get(a) as u32) == (i32::from(imm) as u32) { $jump!(target) },
            Op::BrNeI32I { a, imm, target } => if ($s.get(a) as u32) != (i32::from(imm) as u32) { $jump!(target) },
            Op::BrSltI32I { a, imm, target } => if ($s.get(a) as i32) < (i32::from(imm)) { $jump!(target) },
            Op::BrSleI32I { a, imm, target } => if ($s.get(a) as i32) <= (i32::from(imm)) { $jump!(target) },
            Op::BrSgtI32I { a, imm, target } => if ($s.get(a) as i32) > (i32::from(imm)) { $jump!(target) },
            Op::BrSgeI32I { a, imm, target } => if ($s.get(a) as i32) >= (i32::from(imm)) { $jump!(target) },
            Op::BrUltI32I { a, imm, target } => if ($s.get(a) as u32) < (i32::from(imm) as u32) { $jump!(target) },
            Op::BrUleI32I { a, imm, target } => if ($s.get(a) as u32) <= (i32::from(imm) as u32) { $jump!(target) },
            Op::BrUgtI32I { a, imm, target } => if ($s.get(a) as u32) > (i32::from(imm) as u32) { $jump!(target) },
            Op::BrUgeI32I { a, imm, target } => if ($s.get(a) as u32) >= (i32::from(imm) as u32) { $jump!(target) },
            Op::BrSltI64 { a, b, target } => if ($s.get(a) as i64) < ($s.get(b) as i64) { $jump!(target) },
            Op::BrSleI64 { a, b, target } => if ($s.get(a) as i64) <= ($s.get(b) as i64) { $jump!(target) },
            Op::BrEqI64I { a, imm, target } => if ($s.get(a) as u64) == (i64::from(imm) as u64) { $jump!(target) },
            Op::BrNeI64I { a, imm, target } => if ($s.get(a) as u64) != (i64::from(imm) as u64) { $jump!(target) },
            Op::BrSltI64I { a, imm, target } => if ($s.get(a) as i64) < (i64::from(imm)) { $jump!(target) },
            Op::BrSleI64I { a, imm, target } => if ($s.get(a) as i64) <= (i64::from(imm)) { $jump!(target) },
            Op::BrSgtI64I { a, imm, target } => if ($s.get(a) as i64) > (i64::from(imm)) { $jump!(target) },
            Op::BrSgeI64I { a, imm, target } => if ($s.get(a) as i64) >= (i64::from(imm)) { $jump!(target) },
            Op::BrUltI64I { a, imm, target } => if ($s.get(a) as u64) < (i64::from(imm) as u64) { $jump!(target) },
            Op::BrUleI64I { a, imm, target } => if ($s.get(a) as u64) <= (i64::from(imm) as u64) { $jump!(target) },
            Op::BrUgtI64I { a, imm, target } => if ($s.get(a) as u64) > (i64::from(imm) as u64) { $jump!(target) },
            Op::BrUgeI64I { a, imm, target } => if ($s.get(a) as u64) >= (i64::from(imm) as u64) { $jump!(target) },
            Op::PtrAdd { d, a, b } => $s.set(d, Ptr($s.get(a)).add($s.get(b) as i64).0),
            Op::PtrAddI { d, a, imm } => $s.set(d, Ptr($s.get(a)).add(i64::from(imm)).0),
            Op::PtrIdx { d, base, index, scale, disp, ext } => $s.set(d, indexed($s, base, index, scale, disp, ext).0),
            $($rest)*
        }
    };
}

pub(crate) use scalar_match;

#[inline(always)]
pub(crate) fn shl32(x: u64, n: u32) -> u64 {
    u64::from((x as u32).wrapping_shl(n))
}

#[inline(always)]
pub(crate) fn shl64(x: u64, n: u32) -> u64 {
    x.wrapping_shl(n)
}

#[inline(always)]
pub(crate) fn lshr32(x: u64, n: u32) -> u64 {
    u64::from((x as u32).wrapping_shr(n))
}

#[inline(always)]
pub(crate) fn lshr64(x: u64, n: u32) -> u64 {
    x.wrapping_shr(n)
}

#[inline(always)]
pub(crate) fn ashr32(x: u64, n: u32) -> u64 {
    u64::from((x as i32).wrapping_shr(n) as u32)
}

#[inline(always)]
pub(crate) fn ashr64(x: u64, n: u32) -> u64 {
    (x as i64).wrapping_shr(n) as u64
}

/// Bytes of `index * scale + disp`.
#[inline(always)]
pub(crate) fn offset(s: Words, index: S, scale: u16, disp: i32, ext: Ext) -> i64 {
    let i = match ext {
        Ext::Zero => s.get(index) as i64,
        Ext::Sign => i64::from(s.get(index) as i32),
    };
    match i.checked_mul(i64::from(scale)) {
        Some(bytes) => bytes.saturating_add(i64::from(disp)),
        None => far(i),
    }
}

/// An offset beyond every object, on the side of `index`.
#[cold]
fn far(index: i64) -> i64 {
    if index < 0 { i64::MIN } else { i64::MAX }
}

/// `base + index * scale + disp`.
#[inline(always)]
pub(crate) fn indexed(s: Words, base: S, index: S, scale: u16, disp: i32, ext: Ext) -> Ptr {
    Ptr(s.get(base)).add(offset(s, index, scale, disp, ext))
}
