//! The table of operations.
//!
//! [`for_each_op!`] hands every row to a macro: name, mnemonic, operands with their types, meaning. The
//! operation enumeration, the verifier's and the disassembler's view of the operands and this page are
//! all made from it. An operand named `d` is written; all others are read.
//!
//! Rows stand in sections, and a section is what one part of the engine handles: the pattern `ops!(Section | …)`
//! stands for its operations. A dispatcher names the sections that it leaves to others, and so an operation without a
//! handler does not compile.

/// Calls the macro named with all sections, each `Section "meaning" { rows }`, of rows
/// `Name "mnemonic" { operand: Type, … } "meaning";`.
macro_rules! for_each_op {
    ($callback:ident) => {
        $callback! {
            ScalarMove "Scalar moves. Narrow values stand zero-extended in their word." {
                Mov "mov" { d: S, a: S } "d = a";
                Mov2 "mov2" { d: S2, a: S2 } "d = a, two words";
                Const "const" { d: S, bits: u64 } "d = bits";
                Select "select" { d: S, c: S, a: S, b: S } "d = c ? a : b";
            }
            ScalarInt "Scalar integers. `And`, `Or`, `Xor` and unsigned comparisons serve every width up to 64." {
                And "and" { d: S, a: S, b: S } "d = a & b, any width";
                AndI "and.i" { d: S, a: S, imm: u32 } "d = a & imm, imm zero-extended";
                Or "or" { d: S, a: S, b: S } "d = a | b, any width";
                OrI "or.i" { d: S, a: S, imm: u32 } "d = a | imm, imm zero-extended";
                Xor "xor" { d: S, a: S, b: S } "d = a ^ b, any width";
                XorI "xor.i" { d: S, a: S, imm: u32 } "d = a ^ imm, imm zero-extended";
                AddI32 "add.i32" { d: S, a: S, b: S } "d = a + b, wrapping";
                AddNswI32 "add.nsw.i32" { d: S, a: S, b: S } "d = a + b; signed overflow is reported";
                AddI32I "add.i32.i" { d: S, a: S, imm: i32 } "d = a + imm, wrapping";
                AddNswI32I "add.nsw.i32.i" { d: S, a: S, imm: i32 } "d = a + imm; signed overflow is reported";
                SubI32 "sub.i32" { d: S, a: S, b: S } "d = a - b, wrapping";
                SubNswI32 "sub.nsw.i32" { d: S, a: S, b: S } "d = a - b; signed overflow is reported";
                MulI32 "mul.i32" { d: S, a: S, b: S } "d = a * b, wrapping";
                MulNswI32 "mul.nsw.i32" { d: S, a: S, b: S } "d = a * b; signed overflow is reported";
                MulI32I "mul.i32.i" { d: S, a: S, imm: i32 } "d = a * imm, wrapping";
                MulNswI32I "mul.nsw.i32.i" { d: S, a: S, imm: i32 } "d = a * imm; signed overflow is reported";
                SdivI32 "sdiv.i32" { d: S, a: S, b: S } "d = a / b; a zero divisor and signed overflow are faults";
                UdivI32 "udiv.i32" { d: S, a: S, b: S } "d = a / b; a zero divisor and signed overflow are faults";
                SremI32 "srem.i32" { d: S, a: S, b: S } "d = a % b; a zero divisor and signed overflow are faults";
                UremI32 "urem.i32" { d: S, a: S, b: S } "d = a % b; a zero divisor and signed overflow are faults";
                ShlI32 "shl.i32" { d: S, a: S, b: S } "d = a << b; an amount out of range is reported";
                ShlI32I "shl.i32.i" { d: S, a: S, imm: u8 } "d = a << imm, which is in range";
                LshrI32 "lshr.i32" { d: S, a: S, b: S } "d = a >> b; an amount out of range is reported";
                LshrI32I "lshr.i32.i" { d: S, a: S, imm: u8 } "d = a >> imm, which is in range";
                AshrI32 "ashr.i32" { d: S, a: S, b: S } "d = a >> b; an amount out of range is reported";
                AshrI32I "ashr.i32.i" { d: S, a: S, imm: u8 } "d = a >> imm, which is in range";
                SminI32 "smin.i32" { d: S, a: S, b: S } "d = smin(a, b)";
                SmaxI32 "smax.i32" { d: S, a: S, b: S } "d = smax(a, b)";
                UminI32 "umin.i32" { d: S, a: S, b: S } "d = umin(a, b)";
                UmaxI32 "umax.i32" { d: S, a: S, b: S } "d = umax(a, b)";
                NegI32 "neg.i32" { d: S, a: S } "d = -a, wrapping";
                NegNswI32 "neg.nsw.i32" { d: S, a: S } "d = -a; overflow is reported";
                NotI32 "not.i32" { d: S, a: S } "d = !a, bitwise";
                AddI64 "add.i64" { d: S, a: S, b: S } "d = a + b, wrapping";
                AddNswI64 "add.nsw.i64" { d: S, a: S, b: S } "d = a + b; signed overflow is reported";
                AddI64I "add.i64.i" { d: S, a: S, imm: i32 } "d = a + imm, wrapping";
                AddNswI64I "add.nsw.i64.i" { d: S, a: S, imm: i32 } "d = a + imm; signed overflow is reported";
                SubI64 "sub.i64" { d: S, a: S, b: S } "d = a - b, wrapping";
                SubNswI64 "sub.nsw.i64" { d: S, a: S, b: S } "d = a - b; signed overflow is reported";
                MulI64 "mul.i64" { d: S, a: S, b: S } "d = a * b, wrapping";
                MulNswI64 "mul.nsw.i64" { d: S, a: S, b: S } "d = a * b; signed overflow is reported";
                MulI64I "mul.i64.i" { d: S, a: S, imm: i32 } "d = a * imm, wrapping";
                MulNswI64I "mul.nsw.i64.i" { d: S, a: S, imm: i32 } "d = a * imm; signed overflow is reported";
                SdivI64 "sdiv.i64" { d: S, a: S, b: S } "d = a / b; a zero divisor and signed overflow are faults";
                UdivI64 "udiv.i64" { d: S, a: S, b: S } "d = a / b; a zero divisor and signed overflow are faults";
                SremI64 "srem.i64" { d: S, a: S, b: S } "d = a % b; a zero divisor and signed overflow are faults";
                UremI64 "urem.i64" { d: S, a: S, b: S } "d = a % b; a zero divisor and signed overflow are faults";
                ShlI64 "shl.i64" { d: S, a: S, b: S } "d = a << b; an amount out of range is reported";
                ShlI64I "shl.i64.i" { d: S, a: S, imm: u8 } "d = a << imm, which is in range";
                LshrI64 "lshr.i64" { d: S, a: S, b: S } "d = a >> b; an amount out of range is reported";
                LshrI64I "lshr.i64.i" { d: S, a: S, imm: u8 } "d = a >> imm, which is in range";
                AshrI64 "ashr.i64" { d: S, a: S, b: S } "d = a >> b; an amount out of range is reported";
                AshrI64I "ashr.i64.i" { d: S, a: S, imm: u8 } "d = a >> imm, which is in range";
                SminI64 "smin.i64" { d: S, a: S, b: S } "d = smin(a, b)";
                SmaxI64 "smax.i64" { d: S, a: S, b: S } "d = smax(a, b)";
                UminI64 "umin.i64" { d: S, a: S, b: S } "d = umin(a, b)";
                UmaxI64 "umax.i64" { d: S, a: S, b: S } "d = umax(a, b)";
                NegI64 "neg.i64" { d: S, a: S } "d = -a, wrapping";
                NegNswI64 "neg.nsw.i64" { d: S, a: S } "d = -a; overflow is reported";
                NotI64 "not.i64" { d: S, a: S } "d = !a, bitwise";
                SextI8I32 "sext.i8.i32" { d: S, a: S } "sign extension";
                SextI8I64 "sext.i8.i64" { d: S, a: S } "sign extension";
                SextI16I32 "sext.i16.i32" { d: S, a: S } "sign extension";
                SextI16I64 "sext.i16.i64" { d: S, a: S } "sign extension";
                SextI32I64 "sext.i32.i64" { d: S, a: S } "sign extension";
                TruncI32 "trunc.i32" { d: S, a: S } "d = the low 32 bits of a (narrower: `AndI`)";
            }
            ScalarFloat "Scalar floating point." {
                AddF32 "add.f32" { d: S, a: S, b: S } "d = a + b";
                SubF32 "sub.f32" { d: S, a: S, b: S } "d = a - b";
                MulF32 "mul.f32" { d: S, a: S, b: S } "d = a * b";
                DivF32 "div.f32" { d: S, a: S, b: S } "d = a / b";
                FmaF32 "fma.f32" { d: S, a: S, b: S, c: S } "d = a * b + c with one rounding";
                MinF32 "min.f32" { d: S, a: S, b: S } "C's fmin";
                MaxF32 "max.f32" { d: S, a: S, b: S } "C's fmax";
                NegF32 "neg.f32" { d: S, a: S } "flips the sign";
                AbsF32 "abs.f32" { d: S, a: S } "clears the sign";
                NanF32 "nan.f32" { d: S, a: S } "the GPU's NaN in place of any other";
                SqrtF32 "sqrt.f32" { d: S, a: S } "square root";
                SitofpI32F32 "sitofp.i32.f32" { d: S, a: S } "signed integer to float";
                FptosiF32I32 "fptosi.f32.i32" { d: S, a: S } "towards zero; out of range: the host reports, the device saturates";
                SitofpI64F32 "sitofp.i64.f32" { d: S, a: S } "signed integer to float";
                FptosiF32I64 "fptosi.f32.i64" { d: S, a: S } "towards zero; out of range: the host reports, the device saturates";
                UitofpF32 "uitofp.f32" { d: S, a: S } "unsigned integer of any width up to 64 to float";
                AddF64 "add.f64" { d: S, a: S, b: S } "d = a + b";
                SubF64 "sub.f64" { d: S, a: S, b: S } "d = a - b";
                MulF64 "mul.f64" { d: S, a: S, b: S } "d = a * b";
                DivF64 "div.f64" { d: S, a: S, b: S } "d = a / b";
                FmaF64 "fma.f64" { d: S, a: S, b: S, c: S } "d = a * b + c with one rounding";
                MinF64 "min.f64" { d: S, a: S, b: S } "C's fmin";
                MaxF64 "max.f64" { d: S, a: S, b: S } "C's fmax";
                NegF64 "neg.f64" { d: S, a: S } "flips the sign";
                AbsF64 "abs.f64" { d: S, a: S } "clears the sign";
                SqrtF64 "sqrt.f64" { d: S, a: S } "square root";
                SitofpI32F64 "sitofp.i32.f64" { d: S, a: S } "signed integer to float";
                FptosiF64I32 "fptosi.f64.i32" { d: S, a: S } "towards zero; out of range: the host reports, the device saturates";
                SitofpI64F64 "sitofp.i64.f64" { d: S, a: S } "signed integer to float";
                FptosiF64I64 "fptosi.f64.i64" { d: S, a: S } "towards zero; out of range: the host reports, the device saturates";
                UitofpF64 "uitofp.f64" { d: S, a: S } "unsigned integer of any width up to 64 to float";
                FpextF32F64 "fpext.f32.f64" { d: S, a: S } "widens";
                FptruncF64F32 "fptrunc.f64.f32" { d: S, a: S } "narrows, to nearest even";
            }
            ScalarCompare "Scalar comparisons; the result is 0 or 1. The missing ones are these with exchanged operands." {
                CmpEq "cmp.eq" { d: S, a: S, b: S } "d = a == b, any width";
                CmpNe "cmp.ne" { d: S, a: S, b: S } "d = a != b, any width";
                CmpUlt "cmp.ult" { d: S, a: S, b: S } "d = a < unsigned b, any width";
                CmpUle "cmp.ule" { d: S, a: S, b: S } "d = a <= unsigned b, any width";
                CmpSltI32 "cmp.slt.i32" { d: S, a: S, b: S } "d = a < signed b";
                CmpSleI32 "cmp.sle.i32" { d: S, a: S, b: S } "d = a <= signed b";
                CmpEqI32I "cmp.eq.i32.i" { d: S, a: S, imm: i32 } "d = a == imm, sign-extended to the width";
                CmpNeI32I "cmp.ne.i32.i" { d: S, a: S, imm: i32 } "d = a != imm, sign-extended to the width";
                CmpSltI32I "cmp.slt.i32.i" { d: S, a: S, imm: i32 } "d = a < signed imm, sign-extended to the width";
                CmpSleI32I "cmp.sle.i32.i" { d: S, a: S, imm: i32 } "d = a <= signed imm, sign-extended to the width";
                CmpSgtI32I "cmp.sgt.i32.i" { d: S, a: S, imm: i32 } "d = a > signed imm, sign-extended to the width";
                CmpSgeI32I "cmp.sge.i32.i" { d: S, a: S, imm: i32 } "d = a >= signed imm, sign-extended to the width";
                CmpUltI32I "cmp.ult.i32.i" { d: S, a: S, imm: i32 } "d = a < unsigned imm, sign-extended to the width";
                CmpUleI32I "cmp.ule.i32.i" { d: S, a: S, imm: i32 } "d = a <= unsigned imm, sign-extended to the width";
                CmpUgtI32I "cmp.ugt.i32.i" { d: S, a: S, imm: i32 } "d = a > unsigned imm, sign-extended to the width";
                CmpUgeI32I "cmp.uge.i32.i" { d: S, a: S, imm: i32 } "d = a >= unsigned imm, sign-extended to the width";
                CmpSltI64 "cmp.slt.i64" { d: S, a: S, b: S } "d = a < signed b";
                CmpSleI64 "cmp.sle.i64" { d: S, a: S, b: S } "d = a <= signed b";
                CmpEqI64I "cmp.eq.i64.i" { d: S, a: S, imm: i32 } "d = a == imm, sign-extended to the width";
                CmpNeI64I "cmp.ne.i64.i" { d: S, a: S, imm: i32 } "d = a != imm, sign-extended to the width";
                CmpSltI64I "cmp.slt.i64.i" { d: S, a: S, imm: i32 } "d = a < signed imm, sign-extended to the width";
                CmpSleI64I "cmp.sle.i64.i" { d: S, a: S, imm: i32 } "d = a <= signed imm, sign-extended to the width";
                CmpSgtI64I "cmp.sgt.i64.i" { d: S, a: S, imm: i32 } "d = a > signed imm, sign-extended to the width";
                CmpSgeI64I "cmp.sge.i64.i" { d: S, a: S, imm: i32 } "d = a >= signed imm, sign-extended to the width";
                CmpUltI64I "cmp.ult.i64.i" { d: S, a: S, imm: i32 } "d = a < unsigned imm, sign-extended to the width";
                CmpUleI64I "cmp.ule.i64.i" { d: S, a: S, imm: i32 } "d = a <= unsigned imm, sign-extended to the width";
                CmpUgtI64I "cmp.ugt.i64.i" { d: S, a: S, imm: i32 } "d = a > unsigned imm, sign-extended to the width";
                CmpUgeI64I "cmp.uge.i64.i" { d: S, a: S, imm: i32 } "d = a >= unsigned imm, sign-extended to the width";
                CmpOeqF32 "cmp.oeq.f32" { d: S, a: S, b: S } "as the IR's condition of that name";
                CmpUneF32 "cmp.une.f32" { d: S, a: S, b: S } "as the IR's condition of that name";
                CmpOltF32 "cmp.olt.f32" { d: S, a: S, b: S } "as the IR's condition of that name";
                CmpOleF32 "cmp.ole.f32" { d: S, a: S, b: S } "as the IR's condition of that name";
                CmpOeqF64 "cmp.oeq.f64" { d: S, a: S, b: S } "as the IR's condition of that name";
                CmpUneF64 "cmp.une.f64" { d: S, a: S, b: S } "as the IR's condition of that name";
                CmpOltF64 "cmp.olt.f64" { d: S, a: S, b: S } "as the IR's condition of that name";
                CmpOleF64 "cmp.ole.f64" { d: S, a: S, b: S } "as the IR's condition of that name";
            }
            ScalarBranch "Branches on scalars. A target is an index into the function's operations. Branches fall through where they do not jump." {
                Jump "jump" { target: Target } "goes to target; a back edge (target not after this) spends fuel";
                BrNz "br.nz" { c: S, target: Target } "jumps if c is not 0";
                BrZ "br.z" { c: S, target: Target } "jumps if c is 0";
                BrEq "br.eq" { a: S, b: S, target: Target } "jumps if a == b, any width";
                BrNe "br.ne" { a: S, b: S, target: Target } "jumps if a != b, any width";
                BrUlt "br.ult" { a: S, b: S, target: Target } "jumps if a < unsigned b, any width";
                BrUle "br.ule" { a: S, b: S, target: Target } "jumps if a <= unsigned b, any width";
                BrSltI32 "br.slt.i32" { a: S, b: S, target: Target } "jumps if a < signed b";
                BrSleI32 "br.sle.i32" { a: S, b: S, target: Target } "jumps if a <= signed b";
                BrEqI32I "br.eq.i32.i" { a: S, imm: i32, target: Target } "jumps if a == imm, sign-extended to the width";
                BrNeI32I "br.ne.i32.i" { a: S, imm: i32, target: Target } "jumps if a != imm, sign-extended to the width";
                BrSltI32I "br.slt.i32.i" { a: S, imm: i32, target: Target } "jumps if a < signed imm, sign-extended to the width";
                BrSleI32I "br.sle.i32.i" { a: S, imm: i32, target: Target } "jumps if a <= signed imm, sign-extended to the width";
                BrSgtI32I "br.sgt.i32.i" { a: S, imm: i32, target: Target } "jumps if a > signed imm, sign-extended to the width";
                BrSgeI32I "br.sge.i32.i" { a: S, imm: i32, target: Target } "jumps if a >= signed imm, sign-extended to the width";
                BrUltI32I "br.ult.i32.i" { a: S, imm: i32, target: Target } "jumps if a < unsigned imm, sign-extended to the width";
                BrUleI32I "br.ule.i32.i" { a: S, imm: i32, target: Target } "jumps if a <= unsigned imm, sign-extended to the width";
                BrUgtI32I "br.ugt.i32.i" { a: S, imm: i32, target: Target } "jumps if a > unsigned imm, sign-extended to the width";
                BrUgeI32I "br.uge.i32.i" { a: S, imm: i32, target: Target } "jumps if a >= unsigned imm, sign-extended to the width";
                BrSltI64 "br.slt.i64" { a: S, b: S, target: Target } "jumps if a < signed b";
                BrSleI64 "br.sle.i64" { a: S, b: S, target: Target } "jumps if a <= signed b";
                BrEqI64I "br.eq.i64.i" { a: S, imm: i32, target: Target } "jumps if a == imm, sign-extended to the width";
                BrNeI64I "br.ne.i64.i" { a: S, imm: i32, target: Target } "jumps if a != imm, sign-extended to the width";
                BrSltI64I "br.slt.i64.i" { a: S, imm: i32, target: Target } "jumps if a < signed imm, sign-extended to the width";
                BrSleI64I "br.sle.i64.i" { a: S, imm: i32, target: Target } "jumps if a <= signed imm, sign-extended to the width";
                BrSgtI64I "br.sgt.i64.i" { a: S, imm: i32, target: Target } "jumps if a > signed imm, sign-extended to the width";
                BrSgeI64I "br.sge.i64.i" { a: S, imm: i32, target: Target } "jumps if a >= signed imm, sign-extended to the width";
                BrUltI64I "br.ult.i64.i" { a: S, imm: i32, target: Target } "jumps if a < unsigned imm, sign-extended to the width";
                BrUleI64I "br.ule.i64.i" { a: S, imm: i32, target: Target } "jumps if a <= unsigned imm, sign-extended to the width";
                BrUgtI64I "br.ugt.i64.i" { a: S, imm: i32, target: Target } "jumps if a > unsigned imm, sign-extended to the width";
                BrUgeI64I "br.uge.i64.i" { a: S, imm: i32, target: Target } "jumps if a >= unsigned imm, sign-extended to the width";
            }
            LaneBranch "Branches that lanes may take differently." {
                BrP "br.p" { c: P, target: Target } "lanes with c jump, the others fall through; may split the convergence group";
                BrNotP "br.not.p" { c: P, target: Target } "lanes without c jump";
                SwitchV "switch.v" { a: V, table: SwitchId } "jumps by each lane's value";
                SwitchW "switch.w" { a: W, table: SwitchId } "jumps by each lane's 64-bit value";
            }
            Flow "Switches on scalars, joins, calls and returns." {
                SwitchS "switch.s" { a: S, table: SwitchId } "jumps by a scalar";
                Join "join" { live: JoinId } "head of a block where convergence groups may meet again";
                Call "call" { call: CallId } "a call: see `CallDesc`";
                Ret "ret" {} "leaves the function without a result";
                RetS "ret.s" { a: S } "leaves the function with a scalar";
                RetR "ret.r" { a: RegId } "leaves the function with the register that a side table names";
            }
            Leave "Control does not go on." {
                Trap "trap" { trap: TrapId } "control cannot go on";
                Resume "resume" { a: S } "an exception passes on to the caller; host only";
            }
            ScalarLoad "Scalar loads, `[base + disp]` and `[base + index * scale + disp]`. On the device a load is a read by every active lane." {
                Ld8 "ld.8" { d: S, base: S, disp: i32, acc: MemAcc } "load";
                Ldx8 "ldx.8" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                LdSl8 "ld.slot.8" { d: S, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                LdxSl8 "ldx.slot.8" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                Ld16 "ld.16" { d: S, base: S, disp: i32, acc: MemAcc } "load";
                Ldx16 "ldx.16" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                LdSl16 "ld.slot.16" { d: S, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                LdxSl16 "ldx.slot.16" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                Ld32 "ld.32" { d: S, base: S, disp: i32, acc: MemAcc } "load";
                Ldx32 "ldx.32" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                LdSl32 "ld.slot.32" { d: S, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                LdxSl32 "ldx.slot.32" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                Ld64 "ld.64" { d: S, base: S, disp: i32, acc: MemAcc } "load";
                Ldx64 "ldx.64" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                LdSl64 "ld.slot.64" { d: S, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                LdxSl64 "ldx.slot.64" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                Ld128 "ld.128" { d: S2, base: S, disp: i32, acc: MemAcc } "load";
                Ldx128 "ldx.128" { d: S2, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                LdSl128 "ld.slot.128" { d: S2, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                LdxSl128 "ldx.slot.128" { d: S2, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
            }
            ScalarStore "Scalar stores on the host." {
                St8 "st.8" { v: S, base: S, disp: i32, acc: MemAcc } "store (host only)";
                Stx8 "stx.8" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed (host only)";
                StSl8 "st.slot.8" { v: S, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable (host only)";
                StxSl8 "stx.slot.8" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array (host only)";
                St16 "st.16" { v: S, base: S, disp: i32, acc: MemAcc } "store (host only)";
                Stx16 "stx.16" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed (host only)";
                StSl16 "st.slot.16" { v: S, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable (host only)";
                StxSl16 "stx.slot.16" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array (host only)";
                St32 "st.32" { v: S, base: S, disp: i32, acc: MemAcc } "store (host only)";
                Stx32 "stx.32" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed (host only)";
                StSl32 "st.slot.32" { v: S, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable (host only)";
                StxSl32 "stx.slot.32" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array (host only)";
                St64 "st.64" { v: S, base: S, disp: i32, acc: MemAcc } "store (host only)";
                Stx64 "stx.64" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed (host only)";
                StSl64 "st.slot.64" { v: S, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable (host only)";
                StxSl64 "stx.slot.64" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array (host only)";
                St128 "st.128" { v: S2, base: S, disp: i32, acc: MemAcc } "store (host only)";
                Stx128 "stx.128" { v: S2, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed (host only)";
                StSl128 "st.slot.128" { v: S2, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable (host only)";
                StxSl128 "stx.slot.128" { v: S2, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array (host only)";
            }
            HostMemory "Scalar memory on the host, the usual case: aligned to its width, in an object below 2 GiB. `.q`: an index of 32 bits with sign; `.l`: an index of 64 bits. What they do not settle goes to the operations above." {
                LdQ8 "ld.q.8" { d: S, base: S, disp: i32, acc: MemAcc } "load";
                StQ8 "st.q.8" { v: S, base: S, disp: i32, acc: MemAcc } "store";
                LdxQ8 "ldx.q.8" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                StxQ8 "stx.q.8" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed";
                LdxL8 "ldx.l.8" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                StxL8 "stx.l.8" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed";
                LdSlQ8 "ld.slot.q.8" { d: S, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                StSlQ8 "st.slot.q.8" { v: S, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable";
                LdxSlQ8 "ldx.slot.q.8" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                StxSlQ8 "stx.slot.q.8" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array";
                LdxSlL8 "ldx.slot.l.8" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                StxSlL8 "stx.slot.l.8" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array";
                LdQ16 "ld.q.16" { d: S, base: S, disp: i32, acc: MemAcc } "load";
                StQ16 "st.q.16" { v: S, base: S, disp: i32, acc: MemAcc } "store";
                LdxQ16 "ldx.q.16" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                StxQ16 "stx.q.16" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed";
                LdxL16 "ldx.l.16" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                StxL16 "stx.l.16" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed";
                LdSlQ16 "ld.slot.q.16" { d: S, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                StSlQ16 "st.slot.q.16" { v: S, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable";
                LdxSlQ16 "ldx.slot.q.16" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                StxSlQ16 "stx.slot.q.16" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array";
                LdxSlL16 "ldx.slot.l.16" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                StxSlL16 "stx.slot.l.16" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array";
                LdQ32 "ld.q.32" { d: S, base: S, disp: i32, acc: MemAcc } "load";
                StQ32 "st.q.32" { v: S, base: S, disp: i32, acc: MemAcc } "store";
                LdxQ32 "ldx.q.32" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                StxQ32 "stx.q.32" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed";
                LdxL32 "ldx.l.32" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                StxL32 "stx.l.32" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed";
                LdSlQ32 "ld.slot.q.32" { d: S, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                StSlQ32 "st.slot.q.32" { v: S, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable";
                LdxSlQ32 "ldx.slot.q.32" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                StxSlQ32 "stx.slot.q.32" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array";
                LdxSlL32 "ldx.slot.l.32" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                StxSlL32 "stx.slot.l.32" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array";
                LdQ64 "ld.q.64" { d: S, base: S, disp: i32, acc: MemAcc } "load";
                StQ64 "st.q.64" { v: S, base: S, disp: i32, acc: MemAcc } "store";
                LdxQ64 "ldx.q.64" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                StxQ64 "stx.q.64" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed";
                LdxL64 "ldx.l.64" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                StxL64 "stx.l.64" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed";
                LdSlQ64 "ld.slot.q.64" { d: S, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                StSlQ64 "st.slot.q.64" { v: S, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable";
                LdxSlQ64 "ldx.slot.q.64" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                StxSlQ64 "stx.slot.q.64" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array";
                LdxSlL64 "ldx.slot.l.64" { d: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
                StxSlL64 "stx.slot.l.64" { v: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array";
            }
            HostPair "Pairs on the host: the operation of the first name, and at once the one behind it where that is of the second. It stands there as itself, so that a jump to it, or anything that is not as usual, needs no care." {
                AddNswI32IThenBrSltI32I "add.nsw.i32.i+br.slt.i32.i" { d: S, a: S, imm: i32 } "`add.nsw.i32.i`, then `br.slt.i32.i`";
                AddNswI32IThenBrSltI32 "add.nsw.i32.i+br.slt.i32" { d: S, a: S, imm: i32 } "`add.nsw.i32.i`, then `br.slt.i32`";
                AddI64IThenBrUlt "add.i64.i+br.ult" { d: S, a: S, imm: i32 } "`add.i64.i`, then `br.ult`";
                MulF32ThenAddF32 "mul.f32+add.f32" { d: S, a: S, b: S } "`mul.f32`, then `add.f32`";
                MulF64ThenAddF64 "mul.f64+add.f64" { d: S, a: S, b: S } "`mul.f64`, then `add.f64`";
                MulNswI32ThenAddNswI32 "mul.nsw.i32+add.nsw.i32" { d: S, a: S, b: S } "`mul.nsw.i32`, then `add.nsw.i32`";
                AddNswI32ThenLdx "add.nsw.i32+ldx" { d: S, a: S, b: S } "`add.nsw.i32`, then `ldx`";
                SubNswI32ThenLdx "sub.nsw.i32+ldx" { d: S, a: S, b: S } "`sub.nsw.i32`, then `ldx`";
                PtrAddIThenLdQ8 "ptr.add.i+ld.q.8" { d: S, a: S, imm: i32 } "`ptr.add.i`, then `ld.q.8`";
                AddI32IThenStxL32 "add.i32.i+stx.l.32" { d: S, a: S, imm: i32 } "`add.i32.i`, then `stx.l.32`";
                CmpOltF32ThenBr "cmp.olt.f32+br" { d: S, a: S, b: S } "`cmp.olt.f32`, then `br`";
                CmpOltF64ThenBr "cmp.olt.f64+br" { d: S, a: S, b: S } "`cmp.olt.f64`, then `br`";
                CmpOleF32ThenBr "cmp.ole.f32+br" { d: S, a: S, b: S } "`cmp.ole.f32`, then `br`";
                CmpOleF64ThenBr "cmp.ole.f64+br" { d: S, a: S, b: S } "`cmp.ole.f64`, then `br`";
                AndIThenBr "and.i+br" { d: S, a: S, imm: u32 } "`and.i`, then `br`";
            }
            HostMemoryPair "Pairs on the host whose first operation is a load or a store." {
                LdxQ32ThenLdxQ32 "ldx.q.32+ldx.q.32" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.32`, then `ldx.q.32`";
                LdxQ32ThenMulF32 "ldx.q.32+mul.f32" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.32`, then `mul.f32`";
                LdxQ32ThenAddF32 "ldx.q.32+add.f32" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.32`, then `add.f32`";
                LdxQ32ThenSubF32 "ldx.q.32+sub.f32" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.32`, then `sub.f32`";
                LdxQ32ThenBr "ldx.q.32+br" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.32`, then `br`";
                LdxQ64ThenLdxQ64 "ldx.q.64+ldx.q.64" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.64`, then `ldx.q.64`";
                LdxQ64ThenMulF64 "ldx.q.64+mul.f64" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.64`, then `mul.f64`";
                LdxQ64ThenAddF64 "ldx.q.64+add.f64" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.64`, then `add.f64`";
                LdxQ8ThenBr "ldx.q.8+br" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.8`, then `br`";
                LdxQ8ThenLdxL32 "ldx.q.8+ldx.l.32" { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`ldx.q.8`, then `ldx.l.32`";
                StxQ32ThenInc "stx.q.32+inc" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`stx.q.32`, then `inc`";
                StxQ64ThenInc "stx.q.64+inc" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`stx.q.64`, then `inc`";
                StxQ8ThenInc "stx.q.8+inc" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`stx.q.8`, then `inc`";
                LdQ64ThenLdxQ32 "ld.q.64+ldx.q.32" { d: S, base: S, disp: i32, acc: MemAcc } "`ld.q.64`, then `ldx.q.32`";
                LdQ64ThenLdQ64 "ld.q.64+ld.q.64" { d: S, base: S, disp: i32, acc: MemAcc } "`ld.q.64`, then `ld.q.64`";
                LdQ64ThenBr "ld.q.64+br" { d: S, base: S, disp: i32, acc: MemAcc } "`ld.q.64`, then `br`";
                LdQ32ThenLdQ32 "ld.q.32+ld.q.32" { d: S, base: S, disp: i32, acc: MemAcc } "`ld.q.32`, then `ld.q.32`";
                LdQ8ThenBr "ld.q.8+br" { d: S, base: S, disp: i32, acc: MemAcc } "`ld.q.8`, then `br`";
            }
            ScalarAddress "Scalar addresses." {
                PtrAdd "ptr.add" { d: S, a: S, b: S } "d = a + b bytes, saturating in the object";
                PtrAddI "ptr.add.i" { d: S, a: S, imm: i32 } "d = a + imm bytes, saturating in the object";
                PtrIdx "ptr.idx" { d: S, base: S, index: S, scale: u16, disp: i32, ext: Ext } "d = base + index * scale + disp, saturating in the object";
            }
            Variable "Addresses of variables." {
                SlotAddr "slot.addr" { d: S, slot: SlotId } "the address of a local variable (host)";
                GlobalAddr "global.addr" { d: S, global: GlobalId } "the address of a variable of static storage";
            }
            Address "Differences and orders of pointers, and values that all lanes have alike." {
                PtrPair "ptr.pair" { a: RegId, b: RegId, order: u8 } "pointers of lanes that are subtracted, or ordered (1): different objects are reported";
                PtrDiff "ptr.diff" { d: S, a: S, b: S } "d = a - b; different objects are reported";
                PtrCmp "ptr.cmp" { d: S, a: S, b: S, cc: IntCC } "orders two pointers; different objects are reported";
                Special "special" { d: S, reg: SpecialReg } "a special register that is the same for the block";
            }
            Generic "Pure operations of any type, scalar or per lane as their registers say." {
                Gen "gen" { id: GenId } "pure operation of any type: see `GenDesc`";
            }
            Check "Checks of scalar indices." {
                Bounds "bounds" { a: S, len: i32 } "an index a must be below len; reported";
            }
            VectorCheck "Checks of the lanes' indices." {
                VBounds "v.bounds" { a: V, len: i32 } "the indices a must be below len; reported";
                WBounds "w.bounds" { a: W, len: i32 } "the indices a must be below len; reported";
            }
            Group "Operations that convergence groups do together." {
                Barrier "barrier" { id: BarrierId } "barrier of the block, with or without a reduction";
                Warp "warp" { id: WarpId } "warp synchronisation, shuffle, vote, match, reduction, active mask";
            }
            Rare "Everything rare: one descriptor each, scalar or per lane as its registers say." {
                Math "math" { id: MathId } "call of a pure mathematical function";
                MemCopy "mem.copy" { id: CopyId } "copies bytes with their initialisation state";
                MemFill "mem.fill" { id: FillId } "fills bytes";
                Lifetime "lifetime" { slot: SlotId, live: bool } "a local variable's lifetime begins or ends";
                Alloca "alloca" { id: AllocaId } "memory of the current frame";
                Atomic "atomic" { id: AtomicId } "atomic load, store, read-modify-write, compare and swap";
                Fence "fence" { id: FenceId } "memory fence";
                Launch "launch" { id: LaunchId } "kernel launch";
                UseLate "use.late" { id: LateId } "loaded values are used here: bytes of them that were not written are reported";
                Va "va" { id: VaId } "va_start, va_end, va_copy, va_arg";
            }
            VectorMove "Vector moves." {
                VMov "v.mov" { d: V, a: V } "d = a";
                WMov "w.mov" { d: W, a: W } "d = a";
                VSplat "v.splat" { d: V, a: S } "all lanes = a";
                WSplat "w.splat" { d: W, a: S } "all lanes = a";
                VSel "v.sel" { d: V, c: P, a: V, b: V } "d = c ? a : b";
                VSelVs "v.sel.vs" { d: V, c: P, a: V, b: S } "d = c ? a : b";
                VSelSv "v.sel.sv" { d: V, c: P, a: S, b: V } "d = c ? a : b";
                VSelSs "v.sel.ss" { d: V, c: P, a: S, b: S } "d = c ? a : b";
                WSel "w.sel" { d: W, c: P, a: W, b: W } "d = c ? a : b";
                WSelVs "w.sel.vs" { d: W, c: P, a: W, b: S } "d = c ? a : b";
                WSelSv "w.sel.sv" { d: W, c: P, a: S, b: W } "d = c ? a : b";
                WSelSs "w.sel.ss" { d: W, c: P, a: S, b: S } "d = c ? a : b";
            }
            VectorInt "Vector integers: V is 32 bits a lane, W 64; `Vs` takes a scalar on the right, `Sv` on the left." {
                VAdd "v.add" { d: V, a: V, b: V } "d = a + b, wrapping";
                VAddVs "v.add.vs" { d: V, a: V, b: S } "d = a + b, wrapping";
                VSub "v.sub" { d: V, a: V, b: V } "d = a - b, wrapping";
                VSubVs "v.sub.vs" { d: V, a: V, b: S } "d = a - b, wrapping";
                VSubSv "v.sub.sv" { d: V, a: S, b: V } "d = a - b, wrapping";
                VMul "v.mul" { d: V, a: V, b: V } "d = a * b, wrapping";
                VMulVs "v.mul.vs" { d: V, a: V, b: S } "d = a * b, wrapping";
                VAddNsw "v.add.nsw" { d: V, a: V, b: V } "d = a + b; signed overflow is reported";
                VAddNswVs "v.add.nsw.vs" { d: V, a: V, b: S } "d = a + b; signed overflow is reported";
                VSubNsw "v.sub.nsw" { d: V, a: V, b: V } "d = a - b; signed overflow is reported";
                VSubNswVs "v.sub.nsw.vs" { d: V, a: V, b: S } "d = a - b; signed overflow is reported";
                VSubNswSv "v.sub.nsw.sv" { d: V, a: S, b: V } "d = a - b; signed overflow is reported";
                VMulNsw "v.mul.nsw" { d: V, a: V, b: V } "d = a * b; signed overflow is reported";
                VMulNswVs "v.mul.nsw.vs" { d: V, a: V, b: S } "d = a * b; signed overflow is reported";
                VAnd "v.and" { d: V, a: V, b: V } "d = a & b";
                VAndVs "v.and.vs" { d: V, a: V, b: S } "d = a & b";
                VOr "v.or" { d: V, a: V, b: V } "d = a | b";
                VOrVs "v.or.vs" { d: V, a: V, b: S } "d = a | b";
                VXor "v.xor" { d: V, a: V, b: V } "d = a ^ b";
                VXorVs "v.xor.vs" { d: V, a: V, b: S } "d = a ^ b";
                VShl "v.shl" { d: V, a: V, b: V } "shift; an amount out of range is reported";
                VShlVs "v.shl.vs" { d: V, a: V, b: S } "shift; an amount out of range is reported";
                VShlSv "v.shl.sv" { d: V, a: S, b: V } "shift; an amount out of range is reported";
                VLshr "v.lshr" { d: V, a: V, b: V } "shift; an amount out of range is reported";
                VLshrVs "v.lshr.vs" { d: V, a: V, b: S } "shift; an amount out of range is reported";
                VLshrSv "v.lshr.sv" { d: V, a: S, b: V } "shift; an amount out of range is reported";
                VAshr "v.ashr" { d: V, a: V, b: V } "shift; an amount out of range is reported";
                VAshrVs "v.ashr.vs" { d: V, a: V, b: S } "shift; an amount out of range is reported";
                VAshrSv "v.ashr.sv" { d: V, a: S, b: V } "shift; an amount out of range is reported";
                VSmin "v.smin" { d: V, a: V, b: V } "smin(a, b)";
                VSminVs "v.smin.vs" { d: V, a: V, b: S } "smin(a, b)";
                VSmax "v.smax" { d: V, a: V, b: V } "smax(a, b)";
                VSmaxVs "v.smax.vs" { d: V, a: V, b: S } "smax(a, b)";
                VUmin "v.umin" { d: V, a: V, b: V } "umin(a, b)";
                VUminVs "v.umin.vs" { d: V, a: V, b: S } "umin(a, b)";
                VUmax "v.umax" { d: V, a: V, b: V } "umax(a, b)";
                VUmaxVs "v.umax.vs" { d: V, a: V, b: S } "umax(a, b)";
                VSdiv "v.sdiv" { d: V, a: V, b: V } "a zero divisor and signed overflow are faults";
                VSdivVs "v.sdiv.vs" { d: V, a: V, b: S } "a zero divisor and signed overflow are faults";
                VSdivSv "v.sdiv.sv" { d: V, a: S, b: V } "a zero divisor and signed overflow are faults";
                VUdiv "v.udiv" { d: V, a: V, b: V } "a zero divisor and signed overflow are faults";
                VUdivVs "v.udiv.vs" { d: V, a: V, b: S } "a zero divisor and signed overflow are faults";
                VUdivSv "v.udiv.sv" { d: V, a: S, b: V } "a zero divisor and signed overflow are faults";
                VSrem "v.srem" { d: V, a: V, b: V } "a zero divisor and signed overflow are faults";
                VSremVs "v.srem.vs" { d: V, a: V, b: S } "a zero divisor and signed overflow are faults";
                VSremSv "v.srem.sv" { d: V, a: S, b: V } "a zero divisor and signed overflow are faults";
                VUrem "v.urem" { d: V, a: V, b: V } "a zero divisor and signed overflow are faults";
                VUremVs "v.urem.vs" { d: V, a: V, b: S } "a zero divisor and signed overflow are faults";
                VUremSv "v.urem.sv" { d: V, a: S, b: V } "a zero divisor and signed overflow are faults";
                WAdd "w.add" { d: W, a: W, b: W } "d = a + b, wrapping";
                WAddVs "w.add.vs" { d: W, a: W, b: S } "d = a + b, wrapping";
                WSub "w.sub" { d: W, a: W, b: W } "d = a - b, wrapping";
                WSubVs "w.sub.vs" { d: W, a: W, b: S } "d = a - b, wrapping";
                WSubSv "w.sub.sv" { d: W, a: S, b: W } "d = a - b, wrapping";
                WMul "w.mul" { d: W, a: W, b: W } "d = a * b, wrapping";
                WMulVs "w.mul.vs" { d: W, a: W, b: S } "d = a * b, wrapping";
                WAddNsw "w.add.nsw" { d: W, a: W, b: W } "d = a + b; signed overflow is reported";
                WAddNswVs "w.add.nsw.vs" { d: W, a: W, b: S } "d = a + b; signed overflow is reported";
                WSubNsw "w.sub.nsw" { d: W, a: W, b: W } "d = a - b; signed overflow is reported";
                WSubNswVs "w.sub.nsw.vs" { d: W, a: W, b: S } "d = a - b; signed overflow is reported";
                WSubNswSv "w.sub.nsw.sv" { d: W, a: S, b: W } "d = a - b; signed overflow is reported";
                WMulNsw "w.mul.nsw" { d: W, a: W, b: W } "d = a * b; signed overflow is reported";
                WMulNswVs "w.mul.nsw.vs" { d: W, a: W, b: S } "d = a * b; signed overflow is reported";
                WAnd "w.and" { d: W, a: W, b: W } "d = a & b";
                WAndVs "w.and.vs" { d: W, a: W, b: S } "d = a & b";
                WOr "w.or" { d: W, a: W, b: W } "d = a | b";
                WOrVs "w.or.vs" { d: W, a: W, b: S } "d = a | b";
                WXor "w.xor" { d: W, a: W, b: W } "d = a ^ b";
                WXorVs "w.xor.vs" { d: W, a: W, b: S } "d = a ^ b";
                WShl "w.shl" { d: W, a: W, b: W } "shift; an amount out of range is reported";
                WShlVs "w.shl.vs" { d: W, a: W, b: S } "shift; an amount out of range is reported";
                WShlSv "w.shl.sv" { d: W, a: S, b: W } "shift; an amount out of range is reported";
                WLshr "w.lshr" { d: W, a: W, b: W } "shift; an amount out of range is reported";
                WLshrVs "w.lshr.vs" { d: W, a: W, b: S } "shift; an amount out of range is reported";
                WLshrSv "w.lshr.sv" { d: W, a: S, b: W } "shift; an amount out of range is reported";
                WAshr "w.ashr" { d: W, a: W, b: W } "shift; an amount out of range is reported";
                WAshrVs "w.ashr.vs" { d: W, a: W, b: S } "shift; an amount out of range is reported";
                WAshrSv "w.ashr.sv" { d: W, a: S, b: W } "shift; an amount out of range is reported";
                WSmin "w.smin" { d: W, a: W, b: W } "smin(a, b)";
                WSminVs "w.smin.vs" { d: W, a: W, b: S } "smin(a, b)";
                WSmax "w.smax" { d: W, a: W, b: W } "smax(a, b)";
                WSmaxVs "w.smax.vs" { d: W, a: W, b: S } "smax(a, b)";
                WUmin "w.umin" { d: W, a: W, b: W } "umin(a, b)";
                WUminVs "w.umin.vs" { d: W, a: W, b: S } "umin(a, b)";
                WUmax "w.umax" { d: W, a: W, b: W } "umax(a, b)";
                WUmaxVs "w.umax.vs" { d: W, a: W, b: S } "umax(a, b)";
                WSdiv "w.sdiv" { d: W, a: W, b: W } "a zero divisor and signed overflow are faults";
                WSdivVs "w.sdiv.vs" { d: W, a: W, b: S } "a zero divisor and signed overflow are faults";
                WSdivSv "w.sdiv.sv" { d: W, a: S, b: W } "a zero divisor and signed overflow are faults";
                WUdiv "w.udiv" { d: W, a: W, b: W } "a zero divisor and signed overflow are faults";
                WUdivVs "w.udiv.vs" { d: W, a: W, b: S } "a zero divisor and signed overflow are faults";
                WUdivSv "w.udiv.sv" { d: W, a: S, b: W } "a zero divisor and signed overflow are faults";
                WSrem "w.srem" { d: W, a: W, b: W } "a zero divisor and signed overflow are faults";
                WSremVs "w.srem.vs" { d: W, a: W, b: S } "a zero divisor and signed overflow are faults";
                WSremSv "w.srem.sv" { d: W, a: S, b: W } "a zero divisor and signed overflow are faults";
                WUrem "w.urem" { d: W, a: W, b: W } "a zero divisor and signed overflow are faults";
                WUremVs "w.urem.vs" { d: W, a: W, b: S } "a zero divisor and signed overflow are faults";
                WUremSv "w.urem.sv" { d: W, a: S, b: W } "a zero divisor and signed overflow are faults";
                VSext8 "v.sext.8" { d: V, a: V } "i8 to i32, signed";
                VSext16 "v.sext.16" { d: V, a: V } "i16 to i32, signed";
                WSextV "w.sext.v" { d: W, a: V } "i32 to i64, signed";
                WZextV "w.zext.v" { d: W, a: V } "i32 (or f32 bits) to i64, unsigned";
                VTruncW "v.trunc.w" { d: V, a: W } "the low 32 bits";
            }
            VectorFloat "Vector floating point." {
                VFadd "v.fadd" { d: V, a: V, b: V } "f32: add";
                VFaddVs "v.fadd.vs" { d: V, a: V, b: S } "f32: add";
                VFsub "v.fsub" { d: V, a: V, b: V } "f32: sub";
                VFsubVs "v.fsub.vs" { d: V, a: V, b: S } "f32: sub";
                VFsubSv "v.fsub.sv" { d: V, a: S, b: V } "f32: sub";
                VFmul "v.fmul" { d: V, a: V, b: V } "f32: mul";
                VFmulVs "v.fmul.vs" { d: V, a: V, b: S } "f32: mul";
                VFdiv "v.fdiv" { d: V, a: V, b: V } "f32: div";
                VFdivVs "v.fdiv.vs" { d: V, a: V, b: S } "f32: div";
                VFdivSv "v.fdiv.sv" { d: V, a: S, b: V } "f32: div";
                VFmin "v.fmin" { d: V, a: V, b: V } "f32: min";
                VFminVs "v.fmin.vs" { d: V, a: V, b: S } "f32: min";
                VFmax "v.fmax" { d: V, a: V, b: V } "f32: max";
                VFmaxVs "v.fmax.vs" { d: V, a: V, b: S } "f32: max";
                VFfma "v.ffma" { d: V, a: V, b: V, c: V } "f32: a * b + c, one rounding";
                VFfmaVsv "v.ffma.vsv" { d: V, a: V, b: S, c: V } "f32: a * b + c, one rounding";
                VFfmaVvs "v.ffma.vvs" { d: V, a: V, b: V, c: S } "f32: a * b + c, one rounding";
                VFneg "v.fneg" { d: V, a: V } "f32: neg";
                VFabs "v.fabs" { d: V, a: V } "f32: abs";
                VFnan "v.fnan" { d: V, a: V } "f32: the GPU's NaN in place of any other";
                VFsqrt "v.fsqrt" { d: V, a: V } "f32: sqrt";
                VFfloor "v.ffloor" { d: V, a: V } "f32: floor";
                VFceil "v.fceil" { d: V, a: V } "f32: ceil";
                VFtrunc "v.ftrunc" { d: V, a: V } "f32: trunc";
                VFnearest "v.fnearest" { d: V, a: V } "f32: nearest";
                WFadd "w.fadd" { d: W, a: W, b: W } "f64: add";
                WFaddVs "w.fadd.vs" { d: W, a: W, b: S } "f64: add";
                WFsub "w.fsub" { d: W, a: W, b: W } "f64: sub";
                WFsubVs "w.fsub.vs" { d: W, a: W, b: S } "f64: sub";
                WFsubSv "w.fsub.sv" { d: W, a: S, b: W } "f64: sub";
                WFmul "w.fmul" { d: W, a: W, b: W } "f64: mul";
                WFmulVs "w.fmul.vs" { d: W, a: W, b: S } "f64: mul";
                WFdiv "w.fdiv" { d: W, a: W, b: W } "f64: div";
                WFdivVs "w.fdiv.vs" { d: W, a: W, b: S } "f64: div";
                WFdivSv "w.fdiv.sv" { d: W, a: S, b: W } "f64: div";
                WFmin "w.fmin" { d: W, a: W, b: W } "f64: min";
                WFminVs "w.fmin.vs" { d: W, a: W, b: S } "f64: min";
                WFmax "w.fmax" { d: W, a: W, b: W } "f64: max";
                WFmaxVs "w.fmax.vs" { d: W, a: W, b: S } "f64: max";
                WFfma "w.ffma" { d: W, a: W, b: W, c: W } "f64: a * b + c, one rounding";
                WFfmaVsv "w.ffma.vsv" { d: W, a: W, b: S, c: W } "f64: a * b + c, one rounding";
                WFfmaVvs "w.ffma.vvs" { d: W, a: W, b: W, c: S } "f64: a * b + c, one rounding";
                WFneg "w.fneg" { d: W, a: W } "f64: neg";
                WFabs "w.fabs" { d: W, a: W } "f64: abs";
                WFsqrt "w.fsqrt" { d: W, a: W } "f64: sqrt";
                WFfloor "w.ffloor" { d: W, a: W } "f64: floor";
                WFceil "w.fceil" { d: W, a: W } "f64: ceil";
                WFtrunc "w.ftrunc" { d: W, a: W } "f64: trunc";
                WFnearest "w.fnearest" { d: W, a: W } "f64: nearest";
                VSitofp "v.sitofp" { d: V, a: V } "i32 to f32";
                VUitofp "v.uitofp" { d: V, a: V } "u32 to f32";
                WSitofpV "w.sitofp.v" { d: W, a: V } "i32 to f64";
                WUitofpV "w.uitofp.v" { d: W, a: V } "u32 to f64";
                WSitofp "w.sitofp" { d: W, a: W } "i64 to f64";
                VFptosi "v.fptosi" { d: V, a: V } "f32 to i32, saturating, NaN is 0";
                VFptoui "v.fptoui" { d: V, a: V } "f32 to u32, saturating, NaN is 0";
                VFptosiW "v.fptosi.w" { d: V, a: W } "f64 to i32, saturating, NaN is 0";
                WFpextV "w.fpext.v" { d: W, a: V } "f32 to f64";
                VFptruncW "v.fptrunc.w" { d: V, a: W } "f64 to f32, to nearest even";
            }
            Predicate "Predicates: one bit a lane." {
                PMov "p.mov" { d: P, a: P } "d = a";
                PSplat "p.splat" { d: P, a: S } "all lanes = a's low bit";
                PAnd "p.and" { d: P, a: P, b: P } "d = a and b";
                POr "p.or" { d: P, a: P, b: P } "d = a or b";
                PXor "p.xor" { d: P, a: P, b: P } "d = a xor b";
                PAndNot "p.and.not" { d: P, a: P, b: P } "d = a and not b";
                PNot "p.not" { d: P, a: P } "d = not a";
                PFromV "p.from.v" { d: P, a: V } "d = low bit of a";
                PFromW "p.from.w" { d: P, a: W } "d = low bit of a";
                VFromP "v.from.p" { d: V, a: P } "d = a ? 1 : 0";
                WFromP "w.from.p" { d: W, a: P } "d = a ? 1 : 0";
                VCmpEq "v.cmp.eq" { d: P, a: V, b: V } "d = a == b";
                VCmpNe "v.cmp.ne" { d: P, a: V, b: V } "d = a != b";
                VCmpSlt "v.cmp.slt" { d: P, a: V, b: V } "d = a < signed b";
                VCmpSle "v.cmp.sle" { d: P, a: V, b: V } "d = a <= signed b";
                VCmpUlt "v.cmp.ult" { d: P, a: V, b: V } "d = a < unsigned b";
                VCmpUle "v.cmp.ule" { d: P, a: V, b: V } "d = a <= unsigned b";
                VCmpEqVs "v.cmp.eq.vs" { d: P, a: V, b: S } "d = a == b";
                VCmpNeVs "v.cmp.ne.vs" { d: P, a: V, b: S } "d = a != b";
                VCmpSltVs "v.cmp.slt.vs" { d: P, a: V, b: S } "d = a < signed b";
                VCmpSleVs "v.cmp.sle.vs" { d: P, a: V, b: S } "d = a <= signed b";
                VCmpSgtVs "v.cmp.sgt.vs" { d: P, a: V, b: S } "d = a > signed b";
                VCmpSgeVs "v.cmp.sge.vs" { d: P, a: V, b: S } "d = a >= signed b";
                VCmpUltVs "v.cmp.ult.vs" { d: P, a: V, b: S } "d = a < unsigned b";
                VCmpUleVs "v.cmp.ule.vs" { d: P, a: V, b: S } "d = a <= unsigned b";
                VCmpUgtVs "v.cmp.ugt.vs" { d: P, a: V, b: S } "d = a > unsigned b";
                VCmpUgeVs "v.cmp.uge.vs" { d: P, a: V, b: S } "d = a >= unsigned b";
                VFcmpOeq "v.fcmp.oeq" { d: P, a: V, b: V } "as the IR's condition of that name";
                VFcmpUne "v.fcmp.une" { d: P, a: V, b: V } "as the IR's condition of that name";
                VFcmpOlt "v.fcmp.olt" { d: P, a: V, b: V } "as the IR's condition of that name";
                VFcmpOle "v.fcmp.ole" { d: P, a: V, b: V } "as the IR's condition of that name";
                VFcmpOeqVs "v.fcmp.oeq.vs" { d: P, a: V, b: S } "as the IR's condition of that name";
                VFcmpUneVs "v.fcmp.une.vs" { d: P, a: V, b: S } "as the IR's condition of that name";
                VFcmpOltVs "v.fcmp.olt.vs" { d: P, a: V, b: S } "as the IR's condition of that name";
                VFcmpOleVs "v.fcmp.ole.vs" { d: P, a: V, b: S } "as the IR's condition of that name";
                VFcmpOgtVs "v.fcmp.ogt.vs" { d: P, a: V, b: S } "as the IR's condition of that name";
                VFcmpOgeVs "v.fcmp.oge.vs" { d: P, a: V, b: S } "as the IR's condition of that name";
                WCmpEq "w.cmp.eq" { d: P, a: W, b: W } "d = a == b";
                WCmpNe "w.cmp.ne" { d: P, a: W, b: W } "d = a != b";
                WCmpSlt "w.cmp.slt" { d: P, a: W, b: W } "d = a < signed b";
                WCmpSle "w.cmp.sle" { d: P, a: W, b: W } "d = a <= signed b";
                WCmpUlt "w.cmp.ult" { d: P, a: W, b: W } "d = a < unsigned b";
                WCmpUle "w.cmp.ule" { d: P, a: W, b: W } "d = a <= unsigned b";
                WCmpEqVs "w.cmp.eq.vs" { d: P, a: W, b: S } "d = a == b";
                WCmpNeVs "w.cmp.ne.vs" { d: P, a: W, b: S } "d = a != b";
                WCmpSltVs "w.cmp.slt.vs" { d: P, a: W, b: S } "d = a < signed b";
                WCmpSleVs "w.cmp.sle.vs" { d: P, a: W, b: S } "d = a <= signed b";
                WCmpSgtVs "w.cmp.sgt.vs" { d: P, a: W, b: S } "d = a > signed b";
                WCmpSgeVs "w.cmp.sge.vs" { d: P, a: W, b: S } "d = a >= signed b";
                WCmpUltVs "w.cmp.ult.vs" { d: P, a: W, b: S } "d = a < unsigned b";
                WCmpUleVs "w.cmp.ule.vs" { d: P, a: W, b: S } "d = a <= unsigned b";
                WCmpUgtVs "w.cmp.ugt.vs" { d: P, a: W, b: S } "d = a > unsigned b";
                WCmpUgeVs "w.cmp.uge.vs" { d: P, a: W, b: S } "d = a >= unsigned b";
                WFcmpOeq "w.fcmp.oeq" { d: P, a: W, b: W } "as the IR's condition of that name";
                WFcmpUne "w.fcmp.une" { d: P, a: W, b: W } "as the IR's condition of that name";
                WFcmpOlt "w.fcmp.olt" { d: P, a: W, b: W } "as the IR's condition of that name";
                WFcmpOle "w.fcmp.ole" { d: P, a: W, b: W } "as the IR's condition of that name";
                WFcmpOeqVs "w.fcmp.oeq.vs" { d: P, a: W, b: S } "as the IR's condition of that name";
                WFcmpUneVs "w.fcmp.une.vs" { d: P, a: W, b: S } "as the IR's condition of that name";
                WFcmpOltVs "w.fcmp.olt.vs" { d: P, a: W, b: S } "as the IR's condition of that name";
                WFcmpOleVs "w.fcmp.ole.vs" { d: P, a: W, b: S } "as the IR's condition of that name";
                WFcmpOgtVs "w.fcmp.ogt.vs" { d: P, a: W, b: S } "as the IR's condition of that name";
                WFcmpOgeVs "w.fcmp.oge.vs" { d: P, a: W, b: S } "as the IR's condition of that name";
            }
            VectorAddress "Vector addresses; they saturate in their object." {
                WPtrIdx "w.ptr.idx" { d: W, base: S, index: V, scale: u16, disp: i32, ext: Ext } "d = base + index * scale + disp, one object";
                WPtrIdxW "w.ptr.idx.w" { d: W, base: S, index: W, scale: u16, disp: i32 } "d = base + index * scale + disp, one object";
                WPtrIdxP "w.ptr.idx.p" { d: W, base: W, index: V, scale: u16, disp: i32, ext: Ext } "d = base + index * scale + disp per lane";
                WPtrIdxPw "w.ptr.idx.pw" { d: W, base: W, index: W, scale: u16, disp: i32 } "d = base + index * scale + disp per lane";
                WPtrIdxPs "w.ptr.idx.ps" { d: W, base: W, index: S } "d = base + index bytes per lane";
                WPtrAddI "w.ptr.add.i" { d: W, a: W, imm: i32 } "d = a + imm per lane";
            }
            LaneValue "What each lane has of its own: special registers, addresses of local variables." {
                VSpecial "v.special" { d: V, reg: SpecialReg } "a special register that differs between lanes";
                WSlotAddr "w.slot.addr" { d: W, slot: SlotId } "each lane's address of its local variable";
            }
            VectorMemory "Vector memory. The access's width says whether the value is a V (up to 4 bytes) or a W (8): `Vw` holds either. 16 bytes go through `Gather` and `Scatter`." {
                VLdB "v.ld.b" { d: Vw, base: S, index: V, scale: u16, disp: i32, acc: MemAcc } "load, one object: base + index * scale + disp";
                VLdBw "v.ld.bw" { d: Vw, base: S, index: W, scale: u16, disp: i32, acc: MemAcc } "load, one object, 64-bit index";
                VLdP "v.ld.p" { d: Vw, ptr: W, disp: i32, acc: MemAcc } "load through each lane's pointer";
                VLdSl "v.ld.sl" { d: Vw, slot: SlotId, disp: i32, acc: MemAcc } "load from each lane's local variable";
                VLdSlS "v.ld.sl.s" { d: Vw, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from each lane's local array, one index";
                VLdSlV "v.ld.sl.v" { d: Vw, slot: SlotId, index: V, scale: u16, disp: i32, acc: MemAcc } "load from each lane's local array";
                VStB "v.st.b" { v: Vw, base: S, index: V, scale: u16, disp: i32, acc: MemAcc } "store, one object";
                VStBw "v.st.bw" { v: Vw, base: S, index: W, scale: u16, disp: i32, acc: MemAcc } "store, one object, 64-bit index";
                VStP "v.st.p" { v: Vw, ptr: W, disp: i32, acc: MemAcc } "store through each lane's pointer";
                VStU "v.st.u" { v: Vw, base: S, disp: i32, acc: MemAcc } "store of every lane to one address, in lane order";
                VStUs "v.st.us" { v: S, base: S, disp: i32, acc: MemAcc } "store of one value by every lane to one address";
                VStUx "v.st.ux" { v: Vw, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store of every lane to one indexed address";
                VStBs "v.st.bs" { v: S, base: S, index: V, scale: u16, disp: i32, acc: MemAcc } "store of one value, one object";
                VStPs "v.st.ps" { v: S, ptr: W, disp: i32, acc: MemAcc } "store of one value through each lane's pointer";
                VStSl "v.st.sl" { v: Vw, slot: SlotId, disp: i32, acc: MemAcc } "store to each lane's local variable";
                VStSlS "v.st.sl.s" { v: Vw, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to each lane's local array, one index";
                VStSlV "v.st.sl.v" { v: Vw, slot: SlotId, index: V, scale: u16, disp: i32, acc: MemAcc } "store to each lane's local array";
                VLdX "v.ld.x" { d: X, ptr: W, disp: i32, acc: MemAcc } "load of 16 bytes through each lane's pointer";
                VStX "v.st.x" { v: X, ptr: W, disp: i32, acc: MemAcc } "store of 16 bytes through each lane's pointer";
            }
        }
    };
}

pub(crate) use for_each_op;
