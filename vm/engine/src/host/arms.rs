//! The arms of the host's loop for memory in the usual case and for pairs.

/// A `match` on an operation with the arms of [`scalar_match!`](crate::scalar::scalar_match), of the sections
/// `HostMemory`, `HostPair` and `HostMemoryPair`, and then those given.
///
/// `$s` are the scalar registers. What the arms do is said by the macros of the loop: `load!`, `store!`, `then!`, …
macro_rules! host_match {
    ($op:expr, $s:ident, { $($rest:tt)* }) => {
        $crate::scalar::scalar_match!($op, $s, false, ub, jump, {
            @for (B Bytes) in [(8 1) (16 2) (32 4) (64 8)] {
                Op::LdQ~B { d, base, disp, acc } => { load!(d, acc, Bytes, base, i64::from(disp)); }
                Op::StQ~B { v, base, disp, acc } => store!(v, acc, Bytes, base, i64::from(disp)),
                Op::LdSlQ~B { d, slot, disp, acc } => { load_slot!(d, acc, Bytes, slot, i64::from(disp)); }
                Op::StSlQ~B { v, slot, disp, acc } => store_slot!(v, acc, Bytes, slot, i64::from(disp)),
                @for (Q offset) in [(Q short) (L long)] {
                    Op::Ldx~Q~B { d, base, index, scale, disp, acc } => {
                        load!(d, acc, Bytes, base, offset!(index, scale, disp));
                    }
                    Op::Stx~Q~B { v, base, index, scale, disp, acc } => {
                        store!(v, acc, Bytes, base, offset!(index, scale, disp));
                    }
                    Op::LdxSl~Q~B { d, slot, index, scale, disp, acc } => {
                        load_slot!(d, acc, Bytes, slot, offset!(index, scale, disp));
                    }
                    Op::StxSl~Q~B { v, slot, index, scale, disp, acc } => {
                        store_slot!(v, acc, Bytes, slot, offset!(index, scale, disp));
                    }
                }
            }
            // Pairs. The second operation takes the result of the first from here, and not from its register.
            Op::AddNswI32IThenBrSltI32I { d, a, imm } => {
                let i = add_nsw!(d, a, imm);
                then!(Op::BrSltI32I { imm, target, .. } => if i < imm { jump!(target) });
            }
            Op::AddNswI32IThenBrSltI32 { d, a, imm } => {
                let i = add_nsw!(d, a, imm);
                then!(Op::BrSltI32 { b, target, .. } => if i < $s.get(b) as i32 { jump!(target) });
            }
            Op::AddI64IThenBrUlt { d, a, imm } => {
                let i = $s.get(a).wrapping_add(i64::from(imm) as u64);
                $s.set(d, i);
                then!(Op::BrUlt { b, target, .. } => if i < $s.get(b) { jump!(target) });
            }
            Op::MulNswI32ThenAddNswI32 { d, a, b } => {
                let (r, o) = ($s.get(a) as i32).overflowing_mul($s.get(b) as i32);
                if o {
                    ub!(Ub::Overflow);
                }
                $s.set(d, u64::from(r as u32));
                then!(Op::AddNswI32 { d, b, .. } => {
                    let (i, o) = r.overflowing_add($s.get(b) as i32);
                    if o {
                        ub!(Ub::Overflow);
                    }
                    $s.set(d, u64::from(i as u32));
                    then_ldx!(i);
                });
            }
            @for (N does) in [(Add overflowing_add) (Sub overflowing_sub)] {
                Op::N~NswI32ThenLdx { d, a, b } => {
                    let (i, o) = ($s.get(a) as i32).does($s.get(b) as i32);
                    if o {
                        ub!(Ub::Overflow);
                    }
                    $s.set(d, u64::from(i as u32));
                    then_ldx!(i);
                }
            }
            @for (T F B Bytes Uint) in [(F32 f32 32 4 u32) (F64 f64 64 8 u64)] {
                Op::Mul~T~ThenAdd~T { d, a, b } => {
                    let x = $s.get_~F(a).times($s.get_~F(b));
                    $s.set_~F(d, x);
                    then!(Op::Add~T { d, a, .. } => $s.set_~F(d, $s.get_~F(a).plus(x)));
                }
                Op::LdxQ~B~ThenLdxQ~B { d, base, index, scale, disp, acc } => {
                    load!(d, acc, Bytes, base, short!(index, scale, disp));
                    then!(Op::LdxQ~B { d, base, index, scale, disp, acc } => {
                        load!(d, acc, Bytes, base, short!(index, scale, disp))
                    });
                }
                Op::LdxQ~B~ThenMul~T { d, base, index, scale, disp, acc } => {
                    let x = F::from_bits(load!(d, acc, Bytes, base, short!(index, scale, disp)) as Uint);
                    then!(Op::Mul~T { d, a, .. } => {
                        let x = $s.get_~F(a).times(x);
                        $s.set_~F(d, x);
                        then!(Op::Add~T { d, a, .. } => $s.set_~F(d, $s.get_~F(a).plus(x)));
                    });
                }
                Op::LdxQ~B~ThenAdd~T { d, base, index, scale, disp, acc } => {
                    let x = F::from_bits(load!(d, acc, Bytes, base, short!(index, scale, disp)) as Uint);
                    then!(Op::Add~T { d, a, .. } => $s.set_~F(d, $s.get_~F(a).plus(x)));
                }
                @for (N sign) in [(Olt (<)) (Ole (<=))] {
                    Op::Cmp~N~T~ThenBr { d, a, b } => {
                        let x = u64::from($s.get_~F(a) sign $s.get_~F(b));
                        $s.set(d, x);
                        then_br!(x);
                    }
                }
            }
            Op::LdxQ32ThenSubF32 { d, base, index, scale, disp, acc } => {
                let x = f32::from_bits(load!(d, acc, 4, base, short!(index, scale, disp)) as u32);
                then!(Op::SubF32 { d, a, .. } => $s.set_f32(d, $s.get_f32(a) - x));
            }
            Op::LdxQ32ThenBr { d, base, index, scale, disp, acc } => {
                load!(d, acc, 4, base, short!(index, scale, disp));
                then!(
                    Op::BrSltI32 { a, b, target } => {
                        if ($s.get(a) as i32) < $s.get(b) as i32 { jump!(target) }
                    },
                    Op::BrSleI32 { a, b, target } => {
                        if $s.get(a) as i32 <= $s.get(b) as i32 { jump!(target) }
                    },
                    Op::BrNe { a, b, target } => if $s.get(a) != $s.get(b) { jump!(target) }
                );
            }
            Op::LdxQ8ThenBr { d, base, index, scale, disp, acc } => {
                let x = load!(d, acc, 1, base, short!(index, scale, disp));
                then_br!(x);
            }
            Op::LdxQ8ThenLdxL32 { d, base, index, scale, disp, acc } => {
                let i = load!(d, acc, 1, base, short!(index, scale, disp)) as i64;
                then!(
                    Op::LdxL32 { d, base, scale, disp, acc, .. } => {
                        load!(d, acc, 4, base, i * i64::from(scale) + i64::from(disp))
                    },
                    Op::LdxSlL32 { d, slot, scale, disp, acc, .. } => {
                        load_slot!(d, acc, 4, slot, i * i64::from(scale) + i64::from(disp))
                    }
                );
            }
            @for (B Bytes) in [(8 1) (32 4) (64 8)] {
                Op::StxQ~B~ThenInc { v, base, index, scale, disp, acc } => {
                    store!(v, acc, Bytes, base, short!(index, scale, disp));
                    then_inc!();
                }
            }
            Op::LdQ64ThenLdxQ32 { d, base, disp, acc } => {
                let p = load!(d, acc, 8, base, i64::from(disp));
                then!(Op::LdxQ32 { d, index, scale, disp, acc, .. } => {
                    let delta = short!(index, scale, disp);
                    load_at!(d, acc, 4, p, delta)
                });
            }
            @for (B Bytes) in [(32 4) (64 8)] {
                Op::LdQ~B~ThenLdQ~B { d, base, disp, acc } => {
                    load!(d, acc, Bytes, base, i64::from(disp));
                    then!(Op::LdQ~B { d, base, disp, acc } => load!(d, acc, Bytes, base, i64::from(disp)));
                }
            }
            @for (B Bytes) in [(8 1) (64 8)] {
                Op::LdQ~B~ThenBr { d, base, disp, acc } => {
                    let x = load!(d, acc, Bytes, base, i64::from(disp));
                    then_br!(x);
                }
            }
            Op::PtrAddIThenLdQ8 { d, a, imm } => {
                let p = Ptr($s.get(a)).add(i64::from(imm)).0;
                $s.set(d, p);
                then!(Op::LdQ8 { d, disp, acc, .. } => {
                    let x = load_at!(d, acc, 1, p, i64::from(disp));
                    then_br!(x);
                });
            }
            Op::AddI32IThenStxL32 { d, a, imm } => {
                $s.set(d, u64::from(($s.get(a) as u32).wrapping_add(imm as u32)));
                then!(
                    Op::StxL32 { v, base, index, scale, disp, acc } => {
                        store!(v, acc, 4, base, long!(index, scale, disp));
                    },
                    Op::StxSlL32 { v, slot, index, scale, disp, acc } => {
                        store_slot!(v, acc, 4, slot, long!(index, scale, disp));
                    }
                );
            }
            Op::AndIThenBr { d, a, imm } => {
                let x = $s.get(a) & u64::from(imm);
                $s.set(d, x);
                then_br!(x);
            }
            $($rest)*
        })
    };
}

pub(super) use host_match;
