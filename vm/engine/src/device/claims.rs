//! Tests of what analyses proved of a launch's values ([`cudair_ir::FuncFacts`]): each fact where the value is defined,
//! against what the lanes that run hold. A fact that does not hold is a defect of cudair.
//!
//! The code that tests facts makes no use of them ([`crate::VmConfig::check_facts`]), so that each lane computes its own
//! value. Lanes that run together are in the same iteration of each loop: the code counts those. Not compared are lanes
//! that execute the same instance apart from each other, in another strip or at another time.

use super::exec::Exec;
use super::strip::ConvergenceGroup;
use super::values::View;
use cudair_bytecode::{Claim, Code, FactDesc};
use cudair_ir::{Diagnostic, DiagnosticClass, Span, Type, Uniformity};
use cudair_lane::fault::Stop;
use std::sync::atomic::Ordering::Relaxed;

/// Lanes of a warp.
const WARP: u32 = 32;

/// A fact that does not hold.
struct Contradiction {
    /// What was proved.
    proved: String,
    /// A lane that shows it, and with another one where it takes two.
    lanes: (usize, Option<usize>),
}

impl Exec<'_> {
    /// Tests a fact for the lanes of a convergence group.
    pub(crate) fn test_fact(
        &self,
        f: &ConvergenceGroup,
        code: &Code,
        fact: &FactDesc,
        view: View,
    ) -> Result<(), Stop> {
        self.grid.tested.fetch_add(1, Relaxed);
        match self.contradiction(f, fact, view) {
            None => Ok(()),
            Some(found) => Err(self.tell_contradiction(code, fact, view, &found)),
        }
    }

    fn contradiction(&self, f: &ConvergenceGroup, fact: &FactDesc, view: View) -> Option<Contradiction> {
        let first = f.mask.lowest()?;
        let reg = fact.reg.reg;
        let value = |lane: usize| view.get(reg, lane);
        let (proved, lanes) = match fact.claim {
            Claim::Range(least, greatest) => {
                let outside = |&l: &usize| {
                    let n = signed(value(l), fact.reg.ty);
                    n < least.into() || n > greatest.into()
                };
                // A scalar is each lane's.
                let lane =
                    if reg.is_scalar() { Some(first).filter(outside) } else { f.mask.iter().find(outside) };
                (format!("in {least}..={greatest}"), (lane?, None))
            }
            Claim::Uniform(Uniformity::Divergent) => return None,
            Claim::Uniform(Uniformity::Warp) => {
                let warp = |lane: usize| (self.strip.shape.first_thread + lane as u32) / WARP;
                let mut of_warp = first;
                let other = f.mask.iter().find(|&l| {
                    if warp(l) != warp(of_warp) {
                        of_warp = l;
                    }
                    value(l) != value(of_warp)
                });
                ("the same in all threads of a warp".to_owned(), (of_warp, Some(other?)))
            }
            Claim::Uniform(Uniformity::Block | Uniformity::Grid) | Claim::Decided => {
                let bits = value(first);
                let other = f.mask.iter().find(|&l| value(l) != bits);
                let what = match fact.claim {
                    Claim::Decided => "the same in all threads of a block that decide a branch by it",
                    _ => "the same in all threads of a block",
                };
                (what.to_owned(), (first, Some(other?)))
            }
        };
        Some(Contradiction { proved, lanes })
    }

    #[cold]
    fn tell_contradiction(&self, code: &Code, fact: &FactDesc, view: View, found: &Contradiction) -> Stop {
        let ty = fact.reg.ty;
        let seen = |lane: usize| {
            let bits = view.get(fact.reg.reg, lane);
            let thread = self.strip.shape.thread(lane).thread;
            let value = if ty.is_int() && ty != Type::I1 {
                signed(bits, ty).to_string()
            } else {
                format!("{bits:#x}")
            };
            format!("{value} in thread {thread:?}")
        };
        let (one, other) = found.lanes;
        let seen = match other {
            Some(other) => format!("{} and {}", seen(one), seen(other)),
            None => seen(one),
        };
        let mut d = Diagnostic::new(
            DiagnosticClass::Internal,
            format!(
                "launch {}: {} of `{}` is proved to be {}, and is {seen} of block {:?}",
                self.grid.launch_ref.number,
                fact.value,
                code.name,
                found.proved,
                self.strip.shape.block_index
            ),
        );
        let source = &self.grid.program.module.source;
        if let Some(loc) = fact.loc.expand() {
            d.primary = Some(Span::new(source, loc, "here"));
            d.related = Span::call_path(source, loc);
        }
        Stop::Internal(Box::new(d))
    }
}

/// An integer's bits as a number with sign.
fn signed(bits: u128, ty: Type) -> i128 {
    let unused = 128 - ty.bits().clamp(1, 128);
    (bits << unused) as i128 >> unused
}

#[cfg(test)]
mod tests;
