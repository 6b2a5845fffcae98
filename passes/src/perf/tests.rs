//! Sums against the machine's arithmetic, and warps of shapes.

use super::affine::{Lane, Value, value};
use super::warp::warps;
use crate::analysis::shape::Shape;
use crate::symbolic::term::{Sym, Term, Terms};
use cudair_ir::{BinaryOp, IntCC};

/// Two lanes with these indices along x.
fn lanes(x: [i128; 2]) -> Vec<Lane> {
    x.iter().enumerate().map(|(n, &x)| Lane::new(n, [(0, x), (0, 0), (0, 0)], [None; 3])).collect()
}

fn constants(terms: &Terms, t: Term, x: [i128; 2]) -> [Option<i128>; 2] {
    let mut warp = lanes(x);
    [0, 1].map(|n| match value(&mut warp, n, terms, t) {
        Value::Sum(s) => s.as_constant(),
        Value::Varies => None,
    })
}

#[test]
fn what_is_known_is_the_machines() {
    let mut terms = Terms::default();
    let t = &mut terms;
    let x = t.sym(Sym::Tid(0), 32);
    let one = t.constant(1, 32);
    let less = t.sub(x, one);
    let wide = t.zext(less, 64);
    let signed = t.sext(less, 64);
    let big = t.constant(0x9e37_79b9, 32);
    let hash = t.mul(x, big);
    let above = t.compare(IntCC::Ult, x, less);
    assert_eq!(constants(&terms, wide, [0, 5]), [Some(0xffff_ffff), Some(4)]);
    assert_eq!(constants(&terms, signed, [0, 5]), [Some(-1), Some(4)]);
    assert_eq!(constants(&terms, above, [0, 5]), [Some(1), Some(0)]);
    let wrapped = i128::from(3u32.wrapping_mul(0x9e37_79b9) as i32);
    assert_eq!(constants(&terms, hash, [1, 3])[1], Some(wrapped));
}

#[test]
fn unknowns_are_shared_where_their_parts_are() {
    let mut terms = Terms::default();
    let t = &mut terms;
    let (x, n) = (t.sym(Sym::Tid(0), 32), t.sym(Sym::Param(0), 32));
    let (seven, size) = (t.constant(7, 32), t.constant(32, 32));
    // n & 7 is one unknown; (x & 7) of an unknown stride is another for each lane.
    let masked = t.binary(BinaryOp::And, n, seven);
    let strided = t.mul(x, n);
    let divided = t.binary(BinaryOp::Udiv, strided, seven);
    let row = t.binary(BinaryOp::Udiv, x, size);
    let sum = t.add(masked, row);
    let mut warp = lanes([1, 2]);
    let all = |warp: &mut Vec<Lane>, t: Term| [value(warp, 0, &terms, t), value(warp, 1, &terms, t)];
    let [a, b] = all(&mut warp, sum);
    assert!(a == b && a != Value::Varies, "{a:?} {b:?}");
    let [a, b] = all(&mut warp, strided);
    assert!(a != b && b != Value::Varies, "{a:?} {b:?}");
    let [a, b] = all(&mut warp, divided);
    assert!(a != Value::Varies && b == Value::Varies, "{a:?} {b:?}");
}

#[test]
fn multiples_of_unknowns_leave_remainders() {
    let mut terms = Terms::default();
    let t = &mut terms;
    let (x, n) = (t.sym(Sym::Tid(0), 32), t.sym(Sym::Param(0), 32));
    let (size, mask) = (t.constant(64, 32), t.constant(31, 32));
    let scaled = t.mul(n, size);
    let index = t.add(scaled, x);
    let low = t.binary(BinaryOp::And, index, mask);
    let rest = t.binary(BinaryOp::Urem, index, size);
    assert_eq!(constants(&terms, low, [3, 40]), [Some(3), Some(8)]);
    assert_eq!(constants(&terms, rest, [3, 40]), [Some(3), Some(40)]);
}

#[test]
fn warps_of_shapes() {
    let block = |x: Option<u32>, y: Option<u32>| Shape { block: [x, y, Some(1)], ..Shape::default() };
    let of = |shape: &Shape| warps(shape, [None; 3]).map(|(w, all)| (w.len(), w[0].len(), all));
    assert_eq!(of(&block(Some(16), Some(16))), Some((8, 32, true)));
    assert_eq!(of(&block(Some(40), Some(1))), Some((2, 32, true)));
    assert_eq!(of(&block(None, Some(1))), Some((1, 32, false)));
    // Rows of 16: two of them are a warp, however many there are. Rows of 24 lie across warps.
    let (w, _) = warps(&block(Some(16), None), [None; 3]).expect("two rows");
    assert_eq!((w[0][17].thread[0], w[0][17].thread[1]), ((0, 1), (2, 1)));
    assert_eq!(of(&block(Some(24), None)), None);
}
