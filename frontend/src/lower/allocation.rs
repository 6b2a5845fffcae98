//! The functions that `new` and `delete` call: a class's own, those that the program adds, or the library's.

use super::func::FnLower;
use super::func::cleanups::Action;
use super::{Cx, R};
use crate::ast::Ex;
use crate::clang::Type as ClangType;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, RecId, Ty};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{FuncId, Function, Linkage, Param, Signature, Type, Value};

/// Whether it is the library's class or enumeration of a name.
pub(super) fn is_std(decl: Decl<'_>, name: &str) -> bool {
    decl.spelling() == name && decl.is_in_std()
}

/// Whether a type is `std::align_val_t`.
pub(super) fn is_alignment(ty: ClangType<'_>) -> bool {
    is_std(Decl::new(ty.canonical().declaration()), "align_val_t")
}

/// Whether a function takes memory or gives it back.
pub(super) fn is_allocation(name: &str) -> bool {
    matches!(name, "operator new" | "operator new[]" | "operator delete" | "operator delete[]")
}

impl<'tu> Cx<'tu, '_> {
    /// A class's functions of a name, or its base's, instances of templates among them.
    fn own_allocations(&mut self, id: RecId, name: &str) -> Vec<Decl<'tu>> {
        let class = self.ast.types.record(id).decl;
        let declared = self.ast.methods(id);
        let made = self.ast.instances(name, None);
        let made = made.into_iter().filter(|m| m.semantic_parent().is_some_and(|p| p.is_same_entity(class)));
        let mut named: Vec<Decl<'tu>> = Vec::new();
        for m in declared.into_iter().chain(made) {
            let new = m.kind() == DeclKind::Method && m.spelling() == name;
            if new && !named.iter().any(|n| n.is_same_entity(m)) {
                named.push(m);
            }
        }
        if !named.is_empty() && !self.ast.uses(class, name) {
            return named;
        }
        let bases: Vec<_> = self.ast.types.bases(id).iter().flat_map(|b| b.iter()).map(|b| b.ty).collect();
        let inherited = |b| {
            let base = self.ast.types.as_record(b)?;
            Some(self.own_allocations(base, name)).filter(|found| !found.is_empty())
        };
        named.extend(bases.into_iter().find_map(inherited).into_iter().flatten());
        named
    }

    /// A class's own function of a name, or its base's, for arguments of these types behind the first; `aligned`: and an
    /// alignment, behind the size.
    fn own_allocation(&mut self, id: RecId, name: &str, types: &[Ty], aligned: bool) -> Option<Decl<'tu>> {
        let named = self.own_allocations(id, name);
        // Any one hides those of the bases.
        let deletes = name.starts_with("operator delete");
        let fits = |m: &Decl<'tu>| {
            m.parameters().is_some_and(|a| {
                let place = if deletes { a.len().saturating_sub(1) } else { 1 };
                a.len() == types.len() + 1 + usize::from(aligned)
                    && a.get(place).is_some_and(|p| is_alignment(p.ty())) == aligned
            })
        };
        let fitting: Vec<_> = named.into_iter().filter(fits).collect();
        let mut all = types.to_vec();
        if aligned {
            let place = if deletes { all.len() } else { 0 };
            all.insert(place, self.ast.types.ulong);
        }
        let exact = fitting.iter().copied().find(|m| self.takes(*m, &all));
        // The arguments of a `new` are shown as the parameters take them, but for those that are classes.
        let only = (fitting.len() == 1 && !deletes).then(|| fitting[0]);
        exact.or(only)
    }

    /// Whether memory of a type is asked for with its alignment.
    pub fn is_over_aligned(&self, ty: Ty) -> bool {
        self.ast.types.align(ty) > 16
    }

    /// Whether a function takes just these types behind its first parameter.
    fn takes(&mut self, function: Decl<'tu>, types: &[Ty]) -> bool {
        let Some(parameters) = function.parameters() else { return false };
        parameters.len() == types.len() + 1
            && parameters[1..].iter().zip(types).all(|(p, &ty)| {
                let q = self.ast.types.of(p.ty());
                self.ast.types.strip_reference(q).ty == ty
            })
    }

    /// Whether the program defines a function of the library's itself.
    pub fn replaces(&self, symbol: &str) -> bool {
        self.memory.replaces(symbol)
    }

    /// The symbol of a function of the library's, which calls another where the program replaces that.
    pub fn allocation_symbol(&self, name: &str) -> &'static str {
        let replaced = |n: &str| self.memory.replaces(n);
        match name {
            "_Znam" if replaced("_Znam") || !replaced("_Znwm") => "_Znam",
            "_ZdaPv" if replaced("_ZdaPv") || !replaced("_ZdlPv") => "_ZdaPv",
            "_Znam" | "_Znwm" => "_Znwm",
            _ => "_ZdlPv",
        }
    }

    /// The function that frees an object of a class, and whether it takes the size too. Where it takes the alignment as
    /// well, what is called stands in between and passes it.
    pub fn deallocation(&mut self, class: Ty, array: bool, device: bool) -> R<(FuncId, bool)> {
        let name = if array { "operator delete[]" } else { "operator delete" };
        if let Some(id) = self.ast.types.as_record(class) {
            let size = self.ast.types.ulong;
            let first = self.is_over_aligned(class);
            for aligned in [first, !first] {
                for types in [&[][..], &[size]] {
                    let Some(own) = self.own_allocation(id, name, types, aligned) else { continue };
                    let func = self.func(own, device)?;
                    let sized = !types.is_empty();
                    let align = self.ast.types.align(class);
                    let func = if aligned { self.with_alignment(func, align) } else { func };
                    return Ok((func, sized));
                }
            }
        }
        let mut sig = Signature { params: vec![Param::new(Type::GENERIC_PTR)], ret: None, variadic: false };
        if !array && !device && self.replaces("_ZdlPvm") && self.ast.types.size(class).is_some() {
            sig.params.push(Param::new(Type::I64));
            return Ok((self.native("_ZdlPvm", sig, false), true));
        }
        let name = self.allocation_symbol(if array { "_ZdaPv" } else { "_ZdlPv" });
        Ok((self.native(name, sig, device), false))
    }

    /// A function that calls one that frees memory with an alignment behind its parameters.
    fn with_alignment(&mut self, func: FuncId, align: u32) -> FuncId {
        let callee = &self.module.funcs[func];
        let (mut sig, side) = (callee.sig.clone(), callee.side);
        let (name, display) = (format!("{}$align{align}", callee.name), callee.display_name.clone());
        if let Some(known) = self.module.func_by_name(&name) {
            return known;
        }
        sig.params.pop();
        let mut function = Function::new(name, side, sig);
        function.display_name = display;
        function.linkage = Linkage::Internal;
        let id = self.module.add_func(function.clone());
        let mut b = FuncBuilder::new(function);
        let entry = b.make_entry();
        let mut args = b.func.block_params(entry).to_vec();
        args.push(b.iconst(Type::I64, i128::from(align)));
        b.call(self.module, func, &args);
        b.ret(None);
        self.module.funcs[id] = b.finish();
        id
    }

    /// The program's own function for memory with placement arguments of these types. A precompiled header has none but
    /// those of the standard, which are not asked for.
    fn placement_allocation(&mut self, name: &str, types: &[Ty]) -> Option<Decl<'tu>> {
        let Cx { memory, ast, .. } = self;
        let find = || {
            ast.functions_at_file_scope(|d| {
                is_allocation(&d.spelling()) && d.parameters().is_some_and(|a| a.len() > 1)
            })
        };
        let candidates = memory.placements(find).to_vec();
        candidates.into_iter().find(|f| f.spelling() == name && self.takes(*f, types))
    }
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Whether a `new` calls a function of the program's own.
    pub(super) fn own_allocates(
        &mut self,
        elem: Ty,
        array: bool,
        global: bool,
        placement: &[Ex<'tu>],
        e: Ex<'tu>,
    ) -> R<bool> {
        Ok(self.own_function(elem, array, global, placement, e)?.is_some())
    }

    fn own_function(
        &mut self,
        elem: Ty,
        array: bool,
        global: bool,
        placement: &[Ex<'tu>],
        e: Ex<'tu>,
    ) -> R<Option<Decl<'tu>>> {
        let name = if array { "operator new[]" } else { "operator new" };
        let class = self.cx.ast.types.as_record(elem).filter(|_| !global);
        let mut types: Vec<Ty> = Vec::new();
        for &p in placement {
            let q = p.q;
            types.push(self.cx.ast.types.decayed(q).ty);
        }
        if let Some(id) = class {
            let first = self.cx.is_over_aligned(elem);
            for aligned in [first, !first] {
                if let Some(own) = self.cx.own_allocation(id, name, &types, aligned) {
                    return Ok(Some(own));
                }
            }
            // The class's functions hide all others.
            if !self.cx.own_allocations(id, name).is_empty() {
                return self.unsupported("a `new` that libclang does not tell which function it calls", e);
            }
        }
        if placement.is_empty() {
            return Ok(None);
        }
        // Those of the library the program cannot replace, or replaces under their own symbols.
        let standard = match *types {
            [ty] => match *self.cx.ast.types.kind(ty) {
                Kind::Pointer(to) => matches!(self.cx.ast.types.kind(to.ty), Kind::Void),
                Kind::NullPtr => true,
                Kind::Record(id) => is_std(self.cx.ast.types.record(id).decl, "nothrow_t"),
                _ => false,
            },
            _ => false,
        };
        Ok(if standard { None } else { self.cx.placement_allocation(name, &types) })
    }

    /// The function that frees what a `new` with placement arguments got, should the initialiser throw.
    fn placement_free(&mut self, elem: Ty, array: bool, global: bool, params: &[QTy]) -> R<Option<FuncId>> {
        let name = if array { "operator delete[]" } else { "operator delete" };
        let types: Vec<Ty> = params.iter().map(|&q| self.cx.ast.types.strip_reference(q).ty).collect();
        let class = self.cx.ast.types.as_record(elem).filter(|_| !global);
        let own = class.and_then(|id| self.cx.own_allocation(id, name, &types, false));
        let found = match own {
            Some(own) => Some(own),
            None => self.cx.placement_allocation(name, &types),
        };
        found.map(|f| self.cx.func(f, self.frame.device())).transpose()
    }

    /// The call of the program's own function for a `new`, if there is one: the memory, whether null is an
    /// answer, and what frees the memory should the initialiser throw, where it was asked for with placement arguments.
    pub(super) fn own_new(
        &mut self,
        elem: Ty,
        array: bool,
        global: bool,
        placement: &[Ex<'tu>],
        bytes: impl FnOnce(&mut Self) -> Value,
        e: Ex<'tu>,
    ) -> R<Option<(Value, bool, Option<Action>)>> {
        let found = self.own_function(elem, array, global, placement, e)?;
        let Some(function) = found else { return Ok(None) };
        let params = self.cx.function_type(function, e)?.params.clone();
        let mut args = vec![bytes(self)];
        let declared = self.cx.parameters_of(function, e)?;
        let aligned = declared.len() > placement.len() + 1 && is_alignment(declared[1].ty());
        if aligned {
            let align = self.cx.ast.types.align(elem);
            args.push(self.b.iconst(Type::I64, i128::from(align)));
        }
        let first = args.len();
        for (i, &arg) in placement.iter().enumerate() {
            let i = i + first;
            args.push(self.argument(arg, params.get(i).copied())?);
        }
        let func = self.cx.func(function, self.frame.device())?;
        let Some(may_fail) = self.cx.is_noexcept(function) else {
            return self.unsupported("a `new` whose function has a computed `noexcept(…)`, before C++17", e);
        };
        let mut free = None;
        if !placement.is_empty() && !self.frame.device() {
            let params: Vec<QTy> = params.iter().skip(first).copied().collect();
            free = self.placement_free(elem, array, global, &params)?;
        }
        self.enter(e);
        match self.call_func(func, &args) {
            Some(memory) => {
                let memory = self.generic(memory);
                let arguments = self.cleanups.keep_placement(args.split_off(first));
                let action = free.map(|func| Action::FreePlaced { memory, func, arguments });
                Ok(Some((memory, may_fail, action)))
            }
            None => self.internal("an allocation without a result", e),
        }
    }
}
