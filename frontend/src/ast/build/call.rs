//! Calls, launches of kernels and `new`.

use crate::ast::{Ast, Broken, Call, Ex, ExprKind, Launch, New};
use crate::clang::{Cursor, CursorKind};
use crate::recover;
use crate::types::{Decl, QTy};

impl<'tu> Ast<'tu> {
    pub(super) fn call(&mut self, e: Cursor<'tu>) -> Result<ExprKind<'tu>, Broken> {
        let here = unchecked_call(e).map(|meant| self.expr(meant));
        let target = direct_callee(e);
        if here.is_some() {
            let made = Call { here, target: target.map(Decl::new), ..Call::empty() };
            return Ok(ExprKind::Call(self.arena.alloc(made)));
        }
        if let Some(configuration) = launch_configuration(e) {
            return self.launch(e, configuration);
        }
        let constructor = target.filter(|d| d.kind() == CursorKind::Constructor);
        let callee = match constructor {
            Some(_) => None,
            None => e.expressions().first().copied(),
        };
        // A method call's callee is the member expression, with the object below it. An operator
        // call has the object as its first argument instead.
        let names_method = |m: &Cursor<'tu>| match target {
            Some(decl) => m.referenced().is_some_and(|r| r.canonical().id() == decl.canonical().id()),
            None => true,
        };
        let is_member = callee.and_then(peel_to_member).as_ref().is_some_and(names_method);
        // What only names the function that is called needs no tree.
        let callee = callee.filter(|_| target.is_none() || is_member).map(|c| self.expr(c));
        let Some(written) = e.arguments() else {
            return Err(Broken::internal("a call without a list of arguments"));
        };
        // The first argument of an operator that is a member is its object.
        let object = usize::from(
            target.is_some_and(|t| Decl::new(t).has_this()) && constructor.is_none() && !is_member,
        );
        let mut args = Vec::with_capacity(written.len());
        for (i, &arg) in written.iter().enumerate() {
            let index = i.checked_sub(object);
            args.push(match index {
                Some(index) => self.argument(arg, target, index),
                None => self.expr(arg),
            });
        }
        let made = Call {
            callee,
            target: target.map(Decl::new),
            args: self.arena.alloc_slice_copy(&args),
            member: callee.filter(|_| is_member).and_then(|c| c.peel_to_member()),
            // In parentheses libclang does not see that the callee is a virtual function.
            dynamic: e.is_dynamic_call()
                || e.referenced().is_none() && target.is_some_and(|t| t.is_virtual_method()),
            parenthesized: constructor.is_some() && args.is_empty() && !self.plain.contains(&e.id()),
            launch: None,
            here: None,
        };
        Ok(ExprKind::Call(self.arena.alloc(made)))
    }

    /// An argument; one that is left out is the default of the parameter with that index.
    fn argument(&mut self, arg: Cursor<'tu>, target: Option<Cursor<'tu>>, index: usize) -> Ex<'tu> {
        if arg.kind() != CursorKind::UnexposedExpr
            || !arg.expressions().is_empty()
            || arg.range().start.file.is_some()
        {
            return self.expr(arg);
        }
        let Some(decl) = target else { return self.expr(arg) };
        let q = self.type_of(arg);
        let folds = self.types.is_arithmetic(q.ty) && arg.evaluate().is_some();
        match self.default_argument(decl, index) {
            Some(value) if !(folds && recover::has_no_effects(value)) => self.root(value),
            _ if folds => self.expr(arg),
            Some(value) => self.root(value),
            None => {
                let broken = self.arena.alloc(Broken::unsupported("this default argument"));
                self.node(arg, q, ExprKind::Fault(broken))
            }
        }
    }

    fn default_argument(&mut self, decl: Cursor<'tu>, index: usize) -> Option<Cursor<'tu>> {
        let mut candidates = vec![decl, decl.canonical()];
        candidates.extend(decl.definition());
        candidates.extend(decl.specialized_template());
        let constructor = Decl::new(decl);
        if decl.kind() == CursorKind::Constructor
            && self.is_inherited_constructor(constructor)
            && let Some(original) = self.inherited_from(constructor)
        {
            candidates.push(original.cursor());
            candidates.extend(original.cursor().specialized_template());
        }
        candidates.into_iter().find_map(|candidate| {
            let params = match candidate.arguments() {
                Some(params) if !params.is_empty() => params,
                _ => candidate.children().into_iter().filter(|c| c.kind() == CursorKind::ParmDecl).collect(),
            };
            params.get(index).and_then(|p| p.initializer().or_else(|| p.expressions().last().copied()))
        })
    }

    /// `kernel<<<grid, block, shared, stream>>>(arguments)`
    fn launch(&mut self, e: Cursor<'tu>, configuration: Cursor<'tu>) -> Result<ExprKind<'tu>, Broken> {
        let declared = configuration.referenced();
        let Some(shape) = configuration.arguments() else {
            return Err(Broken::internal("a launch whose configuration is not a call"));
        };
        // Launches from device code name the kernel and its parameters first, which is all null.
        let first = shape.len().saturating_sub(4);
        let &[grid, block, shared, stream] = &shape[first..] else {
            return Err(Broken::internal("a launch without a configuration"));
        };
        let Some(callee) = e.expressions().first().copied() else {
            return Err(Broken::internal("a launch without a kernel"));
        };
        let kernel = peel_to_decl(callee).filter(|d| d.kind() == CursorKind::FunctionDecl);
        let launch = Launch {
            grid: self.argument(grid, declared, first),
            block: self.argument(block, declared, first + 1),
            shared: self.argument(shared, declared, first + 2),
            stream: self.argument(stream, declared, first + 3),
            kernel: kernel.map(Decl::new),
        };
        let mut args = Vec::new();
        let Some(written) = e.arguments() else {
            return Err(Broken::internal("a launch without a list of arguments"));
        };
        for (i, &arg) in written.iter().enumerate() {
            args.push(self.argument(arg, kernel, i));
        }
        let made = Call {
            callee: Some(self.expr(callee)),
            target: direct_callee(e).map(Decl::new),
            args: self.arena.alloc_slice_copy(&args),
            launch: Some(self.arena.alloc(launch)),
            ..Call::empty()
        };
        Ok(ExprKind::Call(self.arena.alloc(made)))
    }

    pub(super) fn new_expression(&mut self, e: Cursor<'tu>, q: QTy) -> Result<ExprKind<'tu>, Broken> {
        if self.types.pointee(q.ty).is_none() {
            return Err(Broken::internal("a new expression whose result is not a pointer"));
        }
        let form = self.new_parts(e)?;
        let exprs = e.expressions();
        if form.placement > exprs.len() {
            return Err(Broken::unsupported("this placement new"));
        }
        let (placement, mut rest) = exprs.split_at(form.placement);
        let placement = self.exprs(placement);
        let mut count = None;
        if form.array {
            let Some((&n, tail)) = rest.split_first() else {
                return Err(Broken::internal("an array without a length"));
            };
            count = Some(self.expr(n));
            rest = tail;
        }
        if !form.initialized {
            self.plain.extend(rest.last().map(|init| init.id()));
        }
        let init = rest.last().map(|&init| self.expr(init));
        let made = New { placement, global: form.global, count, init, value_init: form.value_init };
        Ok(ExprKind::New(self.arena.alloc(made)))
    }
}

impl Call<'_> {
    fn empty() -> Self {
        Call {
            callee: None,
            target: None,
            args: &[],
            member: None,
            dynamic: false,
            parenthesized: false,
            launch: None,
            here: None,
        }
    }
}

/// The function that a call names. libclang also reports one where the callee is itself a call, so what
/// it reports is looked for.
pub(in crate::ast) fn direct_callee(e: Cursor<'_>) -> Option<Cursor<'_>> {
    let is_function = |d: &Cursor<'_>| Decl::new(*d).kind().is_function();
    // `(std::min)(a, b)`: the parentheses keep a macro off.
    let decl = match e.referenced() {
        Some(decl) => Some(decl).filter(is_function),
        None => e.expressions().first().copied().and_then(in_parentheses),
    }?;
    if decl.kind() == CursorKind::Constructor {
        return Some(decl);
    }
    let id = decl.canonical().id();
    let names = |c: &Cursor<'_>| {
        let named = peel_to_member(*c).and_then(|m| m.referenced()).or_else(|| peel_to_decl(*c));
        named.is_some_and(|d| d.canonical().id() == id)
    };
    let children = e.expressions();
    let found = if decl.spelling().starts_with("operator") {
        // The children of an overloaded operator are in source order.
        children.iter().any(names) || children.is_empty()
    } else {
        children.first().is_some_and(names)
    };
    found.then_some(decl)
}

/// The function that parentheses name.
fn in_parentheses(e: Cursor<'_>) -> Option<Cursor<'_>> {
    let inner = e.expressions();
    match (e.kind(), inner.as_slice()) {
        (CursorKind::UnexposedExpr | CursorKind::ParenExpr, [one]) => in_parentheses(*one),
        (CursorKind::DeclRefExpr, _) => e.referenced().filter(|d| d.kind() == CursorKind::FunctionDecl),
        (CursorKind::MemberRefExpr, _) => e.referenced().filter(|d| Decl::new(*d).kind().is_function()),
        _ => None,
    }
}

/// The declaration that an expression names, conversions and parentheses aside.
fn peel_to_decl(mut e: Cursor<'_>) -> Option<Cursor<'_>> {
    loop {
        match e.kind() {
            CursorKind::DeclRefExpr => return e.referenced(),
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match e.expressions().as_slice() {
                [one] => e = *one,
                _ => return None,
            },
            CursorKind::UnaryOperator
                if matches!(
                    e.unary_operator(),
                    clang_sys::CXUnaryOperator_AddrOf | clang_sys::CXUnaryOperator_Deref
                ) =>
            {
                // `(*kernel)<<<…>>>` and `(&kernel)<<<…>>>` name the kernel too, a pointer variable is none.
                match e.expressions().first() {
                    Some(inner) => e = *inner,
                    None => return None,
                }
            }
            _ => return None,
        }
    }
}

fn peel_to_member(mut e: Cursor<'_>) -> Option<Cursor<'_>> {
    loop {
        match e.kind() {
            CursorKind::MemberRefExpr => return Some(e),
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match e.expressions().as_slice() {
                [one] => e = *one,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// The configuration of a launch, if the call is one.
fn launch_configuration(e: Cursor<'_>) -> Option<Cursor<'_>> {
    let children = e.children();
    let &configuration = children.get(1)?;
    if configuration.kind() != CursorKind::CallExpr
        || !matches!(configuration.spelling().as_str(), "cudaConfigureCall" | "cudaLaunchDevice")
    {
        return None;
    }
    let is_argument = e.arguments().is_some_and(|a| a.iter().any(|a| a.id() == configuration.id()));
    (!is_argument).then_some(configuration)
}

/// The call that `__cudair_here<R>(noexcept(call))` stands for: one that the parser does not check, since code that
/// runs on both sides may make it on the device alone.
fn unchecked_call(e: Cursor<'_>) -> Option<Cursor<'_>> {
    if e.referenced()?.spelling() != "__cudair_here" {
        return None;
    }
    let mut at = *e.arguments()?.first()?;
    while at.kind() != CursorKind::CallExpr {
        at = match at.expressions().as_slice() {
            [one] => *one,
            _ => return None,
        };
    }
    Some(at)
}
