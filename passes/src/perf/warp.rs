//! Warps of a block: which lanes come to a place, and what they do there.

use super::affine::{Lane, Sum, Value, value};
use crate::analysis::shape::Shape;
use crate::symbolic::term::{Term, Terms};
use cudair_ir::cost::WARP;
use cudair_ir::volume;

/// The lanes of a warp that there are.
pub(super) type Warp = Vec<Lane>;

/// The warps of one block, and whether these are all there are. Where extents are open it is one full warp that stands for
/// all; none where lanes cannot be told without them.
pub(super) fn warps(shape: &Shape, block: [Option<u32>; 3]) -> Option<(Vec<Warp>, bool)> {
    let fixed = |n: u32| (0, i128::from(n));
    if let [Some(x), Some(y), Some(z)] = shape.block {
        let threads = volume([x, y, z]).min(1 << 16) as u32;
        let lane = |n: u32| {
            let thread = [fixed(n % x), fixed(n / x % y), fixed(n / x / y)];
            Lane::new(n as usize % WARP, thread, block)
        };
        let all: Vec<Lane> = (0..threads).map(lane).collect();
        return Some((all.chunks(WARP).map(<[Lane]>::to_vec).collect(), true));
    }
    // All lanes of a warp agree in it.
    let any = (1, 0);
    let of = |d: usize| if shape.block[d] == Some(1) { fixed(0) } else { any };
    let lane = |l: usize| -> Option<Lane> {
        let thread = match shape.block[0] {
            Some(x) if !(x as usize).is_multiple_of(WARP) => {
                // A warp is several rows.
                let rows = Some(x as usize).filter(|&x| x > 0 && WARP.is_multiple_of(x)).map(|x| WARP / x)?;
                let x = x as usize;
                let y = match shape.block[1] {
                    None => (rows as i128, (l / x) as i128),
                    Some(y) if (y as usize).is_multiple_of(rows) => (rows as i128, (l / x) as i128),
                    Some(_) => return None,
                };
                [fixed((l % x) as u32), y, of(2)]
            }
            // Rows are whole warps, or there is one row.
            _ => [(WARP as i128, l as i128), of(1), of(2)],
        };
        Some(Lane::new(l, thread, block))
    };
    let warp: Option<Warp> = (0..WARP).map(lane).collect();
    Some((vec![warp?], false))
}

/// Which lanes of a warp come to a place.
pub(super) struct Coming {
    /// Their numbers in the list of lanes.
    pub lanes: Vec<usize>,
    /// Whether this is certain: they come, or, where `sometimes`, none does.
    pub certain: bool,
    /// Whether it hangs on something that the warp shares that they come.
    pub sometimes: bool,
    /// On what, where that is one sum.
    pub condition: Option<Sum>,
}

/// Which lanes meet a condition, of those that are `alive`.
pub(super) fn coming(warp: &mut Warp, terms: &Terms, guard: Term, alive: &[bool]) -> Coming {
    let mut out = Coming { lanes: Vec::new(), certain: true, sometimes: false, condition: None };
    for n in (0..warp.len()).filter(|&n| alive[n]) {
        match value(warp, n, terms, guard) {
            Value::Sum(s) if s.as_constant() == Some(0) => {}
            Value::Sum(s) => {
                out.lanes.push(n);
                let sure = s.as_constant().is_some();
                out.sometimes |= !sure;
                match &out.condition {
                    None => out.condition = Some(s),
                    // Lanes that come on different conditions may come apart.
                    Some(known) => out.certain &= *known == s,
                }
            }
            Value::Varies => {
                out.lanes.push(n);
                (out.certain, out.sometimes) = (false, true);
            }
        }
    }
    out
}
