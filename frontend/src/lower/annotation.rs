//! Annotations that state what holds: `__builtin_assume`, `__cudair_assume`, `__cudair_assert`, and those of the header
//! `cudair/verify.h`.
//!
//! Each is a branch, as `assert` is: where the condition is false, a native function that does not return reports it.

use super::call::CallResult;
use super::func::FnLower;
use super::{Cx, R};
use crate::ast::{BinaryOp, Call, Ex, ExprKind};
use crate::types::{Decl, DeclKind};
use cudair_ir::{Param, Signature, TrapCode, Type, Value};

/// What an annotation states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claim {
    /// The rest of the program rests on it.
    Assumption,
    /// It has to hold.
    Assertion,
    /// What cannot be said of one thread at one place. It is not evaluated.
    Hint,
}

/// What the function of a header of ours states.
fn claim(name: &str) -> Option<Claim> {
    Some(match name {
        "__cudair_assume" | "__requires" | "__global_requires" | "__assume" => Claim::Assumption,
        "__cudair_assert" | "__assert" | "__global_assert" | "__invariant" | "__global_invariant" => {
            Claim::Assertion
        }
        "__ensures"
        | "__global_ensures"
        | "__function_wide_invariant"
        | "__candidate_invariant"
        | "__candidate_global_invariant"
        | "__function_wide_candidate_invariant"
        | "__candidate_assert"
        | "__candidate_global_assert"
        | "__requires_fresh_array"
        | "__reads_from"
        | "__writes_to" => Claim::Hint,
        _ => return None,
    })
}

/// The native function of a false assumption.
const ASSUME_FAIL: &str = "__cudair_assume_fail";

/// That of a false assertion, which is the one of `assert`.
const ASSERT_FAIL: &str = "__assert_fail";

/// What the names of the functions begin with that `__axiom` makes.
const AXIOM: &str = "__cudair_axiom_";

impl<'tu> Cx<'tu, '_> {
    /// Notes the function of an axiom.
    pub(super) fn note_axiom(&mut self, decl: Decl<'tu>) {
        if decl.kind() == DeclKind::Function && decl.spelling().starts_with(AXIOM) {
            self.axioms.push(decl);
        }
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// A kernel begins: the axioms hold.
    pub fn axioms(&mut self) -> R<()> {
        for decl in self.cx.axioms.clone() {
            let func = self.cx.func(decl, true)?;
            self.b.call(self.cx.module, func, &[]);
        }
        Ok(())
    }

    /// A call of an annotation's function; `None` for all others.
    pub fn annotation(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        decl: Decl<'tu>,
        name: &str,
    ) -> R<Option<CallResult>> {
        let Some(claim) = claim(name).filter(|_| self.cx.ast.in_own_header(decl)) else { return Ok(None) };
        let &[condition] = call.args else {
            return self.internal("an annotation without a condition", e);
        };
        // What speaks of more than this thread here and now has a type of its own, and is not evaluated.
        match claim {
            Claim::Hint => {}
            _ if self.cx.ast.types.is_aggregate(condition.q.ty) => {}
            Claim::Assumption => self.state(ASSUME_FAIL, condition, e)?,
            Claim::Assertion => self.state(ASSERT_FAIL, condition, e)?,
        }
        Ok(Some(CallResult::None))
    }

    /// `__builtin_assume(condition)`: a condition that may have a side effect is not evaluated.
    pub fn builtin_assume(&mut self, call: &'tu Call<'tu>, e: Ex<'tu>) -> R<()> {
        let &[condition] = call.args else {
            return self.internal("a builtin without an argument", e);
        };
        if may_do_more(condition) { Ok(()) } else { self.state(ASSUME_FAIL, condition, e) }
    }

    /// A branch to `native` where the condition is false.
    fn state(&mut self, native: &str, condition: Ex<'tu>, e: Ex<'tu>) -> R<()> {
        let (holds, fails) = (self.b.make_block(), self.b.make_block());
        self.before_arms();
        self.branch_on(condition, holds, fails)?;
        self.begin_arms();
        self.b.switch_to(fails);
        let old = self.enter(e);
        let device = self.frame.device();
        let (text, file, line) = self.written(condition, e);
        let mut args = vec![self.text(text, device), self.text(file, device)];
        args.push(self.b.iconst(Type::I32, line.into()));
        if native == ASSERT_FAIL {
            let function = self.b.func.display_name.clone();
            args.push(self.text(function, device));
        }
        let params = args.iter().map(|&a| Param::new(self.b.ty(a))).collect();
        let sig = Signature { params, ret: None, variadic: false };
        let func = self.cx.native(native, sig.clone(), device);
        if self.cx.module.funcs[func].sig != sig {
            return self.unsupported(format!("an annotation in a program with its own `{native}`"), e);
        }
        self.b.call(self.cx.module, func, &args);
        self.b.trap(TrapCode::Unreachable);
        self.reach.escape();
        self.b.set_loc(old);
        self.end_arms();
        self.b.switch_to(holds);
        Ok(())
    }

    /// A text that a native function gets.
    fn text(&mut self, text: String, device: bool) -> Value {
        let mut bytes = text.into_bytes();
        bytes.push(0);
        let id = self.cx.constant_bytes(bytes, 1, device);
        let ptr = self.b.global_addr(self.cx.module, id);
        self.generic(ptr)
    }

    /// A condition as it is written, and the file and line of the annotation.
    fn written(&mut self, condition: Ex<'tu>, e: Ex<'tu>) -> (String, String, u32) {
        let place = self.cx.loc(e).map(|loc| self.cx.module.source.locs[loc]);
        let (file, line) = place.map_or_else(Default::default, |data| {
            (self.cx.module.source.files[data.file].path.clone(), data.start.line)
        });
        let mut inner = condition;
        while let ExprKind::Paren(operand) = inner.kind {
            inner = operand;
        }
        let loc = self.cx.loc(inner);
        let text = loc.and_then(|loc| self.cx.module.source.text(loc));
        (text.unwrap_or_else(|| "…".to_owned()), file, line)
    }
}

/// Whether evaluating a condition may do more than give its value. A call may, unless its function is known.
fn may_do_more(e: Ex<'_>) -> bool {
    match e.kind {
        ExprKind::Call(call) => {
            let known = call.target.is_some_and(|f| is_pure_builtin(&f.spelling()));
            !known || call.args.iter().any(|&a| may_do_more(a))
        }
        ExprKind::CompoundAssign(..)
        | ExprKind::Statement(_)
        | ExprKind::New(_)
        | ExprKind::Delete(_)
        | ExprKind::Throw(_)
        | ExprKind::Binary(BinaryOp::Assign, ..) => true,
        ExprKind::Unary(op, _) if op.is_step() => true,
        _ => e.q.volatile || e.parts().into_iter().any(may_do_more),
    }
}

/// Whether the compiler's function gives a value that hangs on its arguments alone.
fn is_pure_builtin(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").map(|n| n.trim_end_matches('l'));
    plain.is_some_and(|n| {
        matches!(
            n,
            "popcount"
                | "parity"
                | "clz"
                | "ctz"
                | "ffs"
                | "clrsb"
                | "bswap16"
                | "bswap32"
                | "bswap64"
                | "abs"
                | "isnan"
                | "isinf"
                | "isfinite"
                | "fabs"
                | "fabsf"
                | "expect"
        )
    })
}
