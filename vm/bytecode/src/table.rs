//! The table of operations.
//!
//! [`for_each_op!`] hands every row to a macro: name, mnemonic, operands with their types, meaning. The
//! operation enumeration, the verifier's and the disassembler's view of the operands and this page are
//! all made from it. An operand named `d` is written; all others are read.
//!
//! Rows stand in sections, and a section is what one part of the engine handles: the pattern `ops!(Section | …)`
//! stands for its operations. A dispatcher names the sections that it leaves to others, and so an operation without a
//! handler does not compile.
//!
//! What differs by width, by condition or by the kind of an operand is a family, and stands here once: `@for` and `~`
//! are those of [`families!`](crate::families!). Names are made alike: `I32` and `I64`, `F32` and `F64` are widths of
//! scalars, `V` and `W` those of vectors; `I` at the end is an immediate on the right, `Vs` a scalar there, `Sv` one on
//! the left. [`select`](crate::select) finds the member of a family.

/// Calls the macro named with all sections, each `Section "meaning" { rows }`, of rows
/// `Name "mnemonic" { operand: Type, … } "meaning";`.
macro_rules! for_each_op {
    ($callback:ident) => { $crate::families! { $callback! {
        ScalarMove "Scalar moves. Narrow values stand zero-extended in their word." {
            Mov "mov" { d: S, a: S } "d = a";
            Mov2 "mov2" { d: S2, a: S2 } "d = a, two words";
            Const "const" { d: S, bits: u64 } "d = bits";
            Select "select" { d: S, c: S, a: S, b: S } "d = c ? a : b";
        }
        ScalarInt "Scalar integers. `And`, `Or`, `Xor` and unsigned comparisons serve every width up to 64." {
            @for (N n op) in [(And and "&") (Or or "|") (Xor xor "^")] {
                N ""~n { d: S, a: S, b: S } "d = a "~op~" b, any width";
                N~I ""~n~".i" { d: S, a: S, imm: u32 } "d = a "~op~" imm, imm zero-extended";
            }
            @for (T t) in [(I32 i32) (I64 i64)] {
                @for (N n op) in [(Add add "+") (Sub sub "-") (Mul mul "*")] {
                    N~T ""~n~"."~t { d: S, a: S, b: S } "d = a "~op~" b, wrapping";
                    N~Nsw~T ""~n~".nsw."~t { d: S, a: S, b: S } "d = a "~op~" b; signed overflow is reported";
                }
                @for (N n op) in [(Add add "+") (Mul mul "*")] {
                    N~T~I ""~n~"."~t~".i" { d: S, a: S, imm: i32 } "d = a "~op~" imm, wrapping";
                    N~Nsw~T~I ""~n~".nsw."~t~".i" { d: S, a: S, imm: i32 } "d = a "~op~" imm; signed overflow is reported";
                }
                @for (N n op) in [(Sdiv sdiv "/") (Udiv udiv "/") (Srem srem "%") (Urem urem "%")] {
                    N~T ""~n~"."~t { d: S, a: S, b: S } "d = a "~op~" b; a zero divisor and signed overflow are faults";
                }
                @for (N n op) in [(Shl shl "<<") (Lshr lshr ">>") (Ashr ashr ">>")] {
                    N~T ""~n~"."~t { d: S, a: S, b: S } "d = a "~op~" b; an amount out of range is reported";
                    N~T~I ""~n~"."~t~".i" { d: S, a: S, imm: u8 } "d = a "~op~" imm, which is in range";
                }
                @for (N n) in [(Smin smin) (Smax smax) (Umin umin) (Umax umax)] {
                    N~T ""~n~"."~t { d: S, a: S, b: S } "d = "~n~"(a, b)";
                }
                Neg~T "neg."~t { d: S, a: S } "d = -a, wrapping";
                NegNsw~T "neg.nsw."~t { d: S, a: S } "d = -a; overflow is reported";
                Not~T "not."~t { d: S, a: S } "d = !a, bitwise";
            }
            @for (F f T t) in [(I8 i8 I32 i32) (I8 i8 I64 i64) (I16 i16 I32 i32) (I16 i16 I64 i64) (I32 i32 I64 i64)] {
                Sext~F~T "sext."~f~"."~t { d: S, a: S } "sign extension";
            }
            TruncI32 "trunc.i32" { d: S, a: S } "d = the low 32 bits of a (narrower: `AndI`)";
        }
        ScalarFloat "Scalar floating point." {
            @for (T t) in [(F32 f32) (F64 f64)] {
                @for (N n op) in [(Add add "+") (Sub sub "-") (Mul mul "*") (Div div "/")] {
                    N~T ""~n~"."~t { d: S, a: S, b: S } "d = a "~op~" b";
                }
                Fma~T "fma."~t { d: S, a: S, b: S, c: S } "d = a * b + c with one rounding";
                Min~T "min."~t { d: S, a: S, b: S } "C's fmin";
                Max~T "max."~t { d: S, a: S, b: S } "C's fmax";
                Neg~T "neg."~t { d: S, a: S } "flips the sign";
                Abs~T "abs."~t { d: S, a: S } "clears the sign";
                Sqrt~T "sqrt."~t { d: S, a: S } "square root";
                @for (F f) in [(I32 i32) (I64 i64)] {
                    Sitofp~F~T "sitofp."~f~"."~t { d: S, a: S } "signed integer to float";
                    Fptosi~T~F "fptosi."~t~"."~f { d: S, a: S } "towards zero; out of range: the host reports, the device saturates";
                }
                Uitofp~T "uitofp."~t { d: S, a: S } "unsigned integer of any width up to 64 to float";
            }
            NanF32 "nan.f32" { d: S, a: S } "the GPU's NaN in place of any other";
            FpextF32F64 "fpext.f32.f64" { d: S, a: S } "widens";
            FptruncF64F32 "fptrunc.f64.f32" { d: S, a: S } "narrows, to nearest even";
        }
        ScalarCompare "Scalar comparisons; the result is 0 or 1. The missing ones are these with exchanged operands." {
            @for (N n op) in [(Eq eq "==") (Ne ne "!=") (Ult ult "< unsigned") (Ule ule "<= unsigned")] {
                Cmp~N "cmp."~n { d: S, a: S, b: S } "d = a "~op~" b, any width";
            }
            @for (T t) in [(I32 i32) (I64 i64)] {
                CmpSlt~T "cmp.slt."~t { d: S, a: S, b: S } "d = a < signed b";
                CmpSle~T "cmp.sle."~t { d: S, a: S, b: S } "d = a <= signed b";
                @for (N n op) in [
                    (Eq eq "==") (Ne ne "!=")
                    (Slt slt "< signed") (Sle sle "<= signed") (Sgt sgt "> signed") (Sge sge ">= signed")
                    (Ult ult "< unsigned") (Ule ule "<= unsigned") (Ugt ugt "> unsigned") (Uge uge ">= unsigned")
                ] {
                    Cmp~N~T~I "cmp."~n~"."~t~".i" { d: S, a: S, imm: i32 } "d = a "~op~" imm, sign-extended to the width";
                }
            }
            @for (T t) in [(F32 f32) (F64 f64)] {
                @for (N n) in [(Oeq oeq) (Une une) (Olt olt) (Ole ole)] {
                    Cmp~N~T "cmp."~n~"."~t { d: S, a: S, b: S } "as the IR's condition of that name";
                }
            }
        }
        ScalarBranch "Branches on scalars. A target is an index into the function's operations. Branches fall through where they do not jump." {
            Jump "jump" { target: Target } "goes to target; a back edge (target not after this) spends fuel";
            BrNz "br.nz" { c: S, target: Target } "jumps if c is not 0";
            BrZ "br.z" { c: S, target: Target } "jumps if c is 0";
            @for (N n op) in [(Eq eq "==") (Ne ne "!=") (Ult ult "< unsigned") (Ule ule "<= unsigned")] {
                Br~N "br."~n { a: S, b: S, target: Target } "jumps if a "~op~" b, any width";
            }
            @for (T t) in [(I32 i32) (I64 i64)] {
                BrSlt~T "br.slt."~t { a: S, b: S, target: Target } "jumps if a < signed b";
                BrSle~T "br.sle."~t { a: S, b: S, target: Target } "jumps if a <= signed b";
                @for (N n op) in [
                    (Eq eq "==") (Ne ne "!=")
                    (Slt slt "< signed") (Sle sle "<= signed") (Sgt sgt "> signed") (Sge sge ">= signed")
                    (Ult ult "< unsigned") (Ule ule "<= unsigned") (Ugt ugt "> unsigned") (Uge uge ">= unsigned")
                ] {
                    Br~N~T~I "br."~n~"."~t~".i" { a: S, imm: i32, target: Target } "jumps if a "~op~" imm, sign-extended to the width";
                }
            }
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
            @for (B R) in [(8 S) (16 S) (32 S) (64 S) (128 S2)] {
                Ld~B "ld."~B { d: R, base: S, disp: i32, acc: MemAcc } "load";
                Ldx~B "ldx."~B { d: R, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "load, indexed";
                LdSl~B "ld.slot."~B { d: R, slot: SlotId, disp: i32, acc: MemAcc } "load from a local variable";
                LdxSl~B "ldx.slot."~B { d: R, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "load from a local array";
            }
        }
        ScalarStore "Scalar stores on the host." {
            @for (B R) in [(8 S) (16 S) (32 S) (64 S) (128 S2)] {
                St~B "st."~B { v: R, base: S, disp: i32, acc: MemAcc } "store (host only)";
                Stx~B "stx."~B { v: R, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store, indexed (host only)";
                StSl~B "st.slot."~B { v: R, slot: SlotId, disp: i32, acc: MemAcc } "store to a local variable (host only)";
                StxSl~B "stx.slot."~B { v: R, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } "store to a local array (host only)";
            }
        }
        HostMemory "Scalar memory on the host, the usual case: aligned to its width, in an object below 2 GiB. `.q`: an index of 32 bits with sign; `.l`: an index of 64 bits. What they do not settle goes to the operations above." {
            @for B in [8 16 32 64] {
                @for (N n r do from) in [(Ld ld d load from) (St st v store to)] {
                    N~Q~B ""~n~".q."~B { r: S, base: S, disp: i32, acc: MemAcc } ""~do;
                    N~SlQ~B ""~n~".slot.q."~B { r: S, slot: SlotId, disp: i32, acc: MemAcc } ""~do~" "~from~" a local variable";
                    @for (Q q) in [(Q q) (L l)] {
                        N~x~Q~B ""~n~"x."~q~"."~B { r: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } ""~do~", indexed";
                        N~xSl~Q~B ""~n~"x.slot."~q~"."~B { r: S, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } ""~do~" "~from~" a local array";
                    }
                }
            }
        }
        HostPair "Pairs on the host: the operation of the first name, and at once the one behind it where that is of the second. It stands there as itself, so that a jump to it, or anything that is not as usual, needs no care." {
            @for (First Second first second) in [
                (AddNswI32I BrSltI32I "add.nsw.i32.i" "br.slt.i32.i")
                (AddNswI32I BrSltI32 "add.nsw.i32.i" "br.slt.i32")
                (AddI64I BrUlt "add.i64.i" "br.ult")
                (AddI32I StxL32 "add.i32.i" "stx.l.32")
                (PtrAddI LdQ8 "ptr.add.i" "ld.q.8")
            ] {
                First~Then~Second first~"+"~second { d: S, a: S, imm: i32 } "`"~first~"`, then `"~second~"`";
            }
            @for (First Second first second) in [
                (MulF32 AddF32 "mul.f32" "add.f32")
                (MulF64 AddF64 "mul.f64" "add.f64")
                (MulNswI32 AddNswI32 "mul.nsw.i32" "add.nsw.i32")
                (AddNswI32 Ldx "add.nsw.i32" "ldx")
                (SubNswI32 Ldx "sub.nsw.i32" "ldx")
                (CmpOltF32 Br "cmp.olt.f32" "br")
                (CmpOltF64 Br "cmp.olt.f64" "br")
                (CmpOleF32 Br "cmp.ole.f32" "br")
                (CmpOleF64 Br "cmp.ole.f64" "br")
            ] {
                First~Then~Second first~"+"~second { d: S, a: S, b: S } "`"~first~"`, then `"~second~"`";
            }
            AndIThenBr "and.i+br" { d: S, a: S, imm: u32 } "`and.i`, then `br`";
        }
        HostMemoryPair "Pairs on the host whose first operation is a load or a store." {
            @for (First Second first second) in [
                (LdxQ32 LdxQ32 "ldx.q.32" "ldx.q.32")
                (LdxQ32 MulF32 "ldx.q.32" "mul.f32")
                (LdxQ32 AddF32 "ldx.q.32" "add.f32")
                (LdxQ32 SubF32 "ldx.q.32" "sub.f32")
                (LdxQ32 Br "ldx.q.32" "br")
                (LdxQ64 LdxQ64 "ldx.q.64" "ldx.q.64")
                (LdxQ64 MulF64 "ldx.q.64" "mul.f64")
                (LdxQ64 AddF64 "ldx.q.64" "add.f64")
                (LdxQ8 Br "ldx.q.8" "br")
                (LdxQ8 LdxL32 "ldx.q.8" "ldx.l.32")
            ] {
                First~Then~Second first~"+"~second { d: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`"~first~"`, then `"~second~"`";
            }
            @for B in [8 32 64] {
                StxQ~B~ThenInc "stx.q."~B~"+inc" { v: S, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "`stx.q."~B~"`, then `inc`";
            }
            @for (First Second first second) in [
                (LdQ64 LdxQ32 "ld.q.64" "ldx.q.32")
                (LdQ64 LdQ64 "ld.q.64" "ld.q.64")
                (LdQ64 Br "ld.q.64" "br")
                (LdQ32 LdQ32 "ld.q.32" "ld.q.32")
                (LdQ8 Br "ld.q.8" "br")
            ] {
                First~Then~Second first~"+"~second { d: S, base: S, disp: i32, acc: MemAcc } "`"~first~"`, then `"~second~"`";
            }
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
            Count "count" { counter: u32 } "the threads that come here are counted";
            Launch "launch" { id: LaunchId } "kernel launch";
            UseLate "use.late" { id: LateId } "loaded values are used here: bytes of them that were not written are reported";
            Va "va" { id: VaId } "va_start, va_end, va_copy, va_arg";
        }
        Claim "What analyses proved, where that is tested." {
            Fact "fact" { id: FactId } "a fact must hold for the lanes that run: see `FactDesc`";
        }
        VectorMove "Vector moves." {
            @for (L l) in [(V v) (W w)] {
                L~Mov ""~l~".mov" { d: L, a: L } "d = a";
                L~Splat ""~l~".splat" { d: L, a: S } "all lanes = a";
                @for (Form form A B) in [(() "" L L) (Vs ".vs" L S) (Sv ".sv" S L) (Ss ".ss" S S)] {
                    L~Sel~Form ""~l~".sel"~form { d: L, c: P, a: A, b: B } "d = c ? a : b";
                }
            }
        }
        VectorInt "Vector integers: V is 32 bits a lane, W 64; `Vs` takes a scalar on the right, `Sv` on the left." {
            @for (L l) in [(V v) (W w)] {
                @for (Form form A B) in [(() "" L L) (Vs ".vs" L S)] {
                    @for (N n op) in [(Add add "+") (Sub sub "-") (Mul mul "*")] {
                        L~N~Form ""~l~"."~n~form { d: L, a: A, b: B } "d = a "~op~" b, wrapping";
                        L~N~Nsw~Form ""~l~"."~n~".nsw"~form { d: L, a: A, b: B } "d = a "~op~" b; signed overflow is reported";
                    }
                    @for (N n op) in [(And and "&") (Or or "|") (Xor xor "^")] {
                        L~N~Form ""~l~"."~n~form { d: L, a: A, b: B } "d = a "~op~" b";
                    }
                    @for (N n) in [(Smin smin) (Smax smax) (Umin umin) (Umax umax)] {
                        L~N~Form ""~l~"."~n~form { d: L, a: A, b: B } ""~n~"(a, b)";
                    }
                }
                L~SubSv ""~l~".sub.sv" { d: L, a: S, b: L } "d = a - b, wrapping";
                L~SubNswSv ""~l~".sub.nsw.sv" { d: L, a: S, b: L } "d = a - b; signed overflow is reported";
                @for (Form form A B) in [(() "" L L) (Vs ".vs" L S) (Sv ".sv" S L)] {
                    @for (N n) in [(Shl shl) (Lshr lshr) (Ashr ashr)] {
                        L~N~Form ""~l~"."~n~form { d: L, a: A, b: B } "shift; an amount out of range is reported";
                    }
                    @for (N n) in [(Sdiv sdiv) (Udiv udiv) (Srem srem) (Urem urem)] {
                        L~N~Form ""~l~"."~n~form { d: L, a: A, b: B } "a zero divisor and signed overflow are faults";
                    }
                }
            }
            VSext8 "v.sext.8" { d: V, a: V } "i8 to i32, signed";
            VSext16 "v.sext.16" { d: V, a: V } "i16 to i32, signed";
            WSextV "w.sext.v" { d: W, a: V } "i32 to i64, signed";
            WZextV "w.zext.v" { d: W, a: V } "i32 (or f32 bits) to i64, unsigned";
            VTruncW "v.trunc.w" { d: V, a: W } "the low 32 bits";
        }
        VectorFloat "Vector floating point." {
            @for (L l t) in [(V v f32) (W w f64)] {
                @for (Form form A B) in [(() "" L L) (Vs ".vs" L S)] {
                    @for n in [add sub mul div min max] {
                        L~F~n~Form ""~l~".f"~n~form { d: L, a: A, b: B } ""~t~": "~n;
                    }
                }
                L~FsubSv ""~l~".fsub.sv" { d: L, a: S, b: L } ""~t~": sub";
                L~FdivSv ""~l~".fdiv.sv" { d: L, a: S, b: L } ""~t~": div";
                @for (Form form B C) in [(() "" L L) (Vsv ".vsv" S L) (Vvs ".vvs" L S)] {
                    L~Ffma~Form ""~l~".ffma"~form { d: L, a: L, b: B, c: C } ""~t~": a * b + c, one rounding";
                }
                @for n in [neg abs sqrt floor ceil trunc nearest] {
                    L~F~n ""~l~".f"~n { d: L, a: L } ""~t~": "~n;
                }
            }
            VFnan "v.fnan" { d: V, a: V } "f32: the GPU's NaN in place of any other";
            VHnan "v.hnan" { d: V, a: V } "f16: the GPU's NaN in place of any other";
            VSitofp "v.sitofp" { d: V, a: V } "i32 to f32";
            VUitofp "v.uitofp" { d: V, a: V } "u32 to f32";
            WSitofpV "w.sitofp.v" { d: W, a: V } "i32 to f64";
            WUitofpV "w.uitofp.v" { d: W, a: V } "u32 to f64";
            WSitofp "w.sitofp" { d: W, a: W } "i64 to f64";
            WUitofp "w.uitofp" { d: W, a: W } "u64 to f64";
            VFptosi "v.fptosi" { d: V, a: V } "f32 to i32, saturating, NaN is 0";
            VFptoui "v.fptoui" { d: V, a: V } "f32 to u32, saturating, NaN is 0";
            VFptosiW "v.fptosi.w" { d: V, a: W } "f64 to i32, saturating, NaN is the least";
            VFptouiW "v.fptoui.w" { d: V, a: W } "f64 to u32, saturating, NaN is the upper bit";
            WFptosi "w.fptosi" { d: W, a: W } "f64 to i64, saturating, NaN is the least";
            WFptoui "w.fptoui" { d: W, a: W } "f64 to u64, saturating, NaN is the upper bit";
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
            @for (L l) in [(V v) (W w)] {
                PFrom~L "p.from."~l { d: P, a: L } "d = low bit of a";
                L~FromP ""~l~".from.p" { d: L, a: P } "d = a ? 1 : 0";
                @for (N n op) in [
                    (Eq eq "==") (Ne ne "!=")
                    (Slt slt "< signed") (Sle sle "<= signed") (Ult ult "< unsigned") (Ule ule "<= unsigned")
                ] {
                    L~Cmp~N ""~l~".cmp."~n { d: P, a: L, b: L } "d = a "~op~" b";
                }
                @for (N n op) in [
                    (Eq eq "==") (Ne ne "!=")
                    (Slt slt "< signed") (Sle sle "<= signed") (Sgt sgt "> signed") (Sge sge ">= signed")
                    (Ult ult "< unsigned") (Ule ule "<= unsigned") (Ugt ugt "> unsigned") (Uge uge ">= unsigned")
                ] {
                    L~Cmp~N~Vs ""~l~".cmp."~n~".vs" { d: P, a: L, b: S } "d = a "~op~" b";
                }
                @for (N n) in [(Oeq oeq) (Une une) (Olt olt) (Ole ole)] {
                    L~Fcmp~N ""~l~".fcmp."~n { d: P, a: L, b: L } "as the IR's condition of that name";
                }
                @for (N n) in [(Oeq oeq) (Une une) (Olt olt) (Ole ole) (Ogt ogt) (Oge oge)] {
                    L~Fcmp~N~Vs ""~l~".fcmp."~n~".vs" { d: P, a: L, b: S } "as the IR's condition of that name";
                }
            }
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
            @for (N n r do from) in [(Ld ld d load from) (St st v store to)] {
                V~N~B "v."~n~".b" { r: Vw, base: S, index: V, scale: u16, disp: i32, acc: MemAcc } ""~do~", one object";
                V~N~Bw "v."~n~".bw" { r: Vw, base: S, index: W, scale: u16, disp: i32, acc: MemAcc } ""~do~", one object, 64-bit index";
                V~N~P "v."~n~".p" { r: Vw, ptr: W, disp: i32, acc: MemAcc } ""~do~" through each lane's pointer";
                V~N~Sl "v."~n~".sl" { r: Vw, slot: SlotId, disp: i32, acc: MemAcc } ""~do~" "~from~" each lane's local variable";
                V~N~SlS "v."~n~".sl.s" { r: Vw, slot: SlotId, index: S, scale: u16, disp: i32, acc: MemAcc } ""~do~" "~from~" each lane's local array, one index";
                V~N~SlV "v."~n~".sl.v" { r: Vw, slot: SlotId, index: V, scale: u16, disp: i32, acc: MemAcc } ""~do~" "~from~" each lane's local array";
                V~N~X "v."~n~".x" { r: X, ptr: W, disp: i32, acc: MemAcc } ""~do~" of 16 bytes through each lane's pointer";
            }
            VStU "v.st.u" { v: Vw, base: S, disp: i32, acc: MemAcc } "store of every lane to one address, in lane order";
            VStUs "v.st.us" { v: S, base: S, disp: i32, acc: MemAcc } "store of one value by every lane to one address";
            VStUx "v.st.ux" { v: Vw, base: S, index: S, scale: u16, disp: i32, acc: MemAcc } "store of every lane to one indexed address";
            VStBs "v.st.bs" { v: S, base: S, index: V, scale: u16, disp: i32, acc: MemAcc } "store of one value, one object";
            VStPs "v.st.ps" { v: S, ptr: W, disp: i32, acc: MemAcc } "store of one value through each lane's pointer";
        }
    } } };
}

pub(crate) use for_each_op;
