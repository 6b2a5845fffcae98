//! The functions that `new` and `delete` call: a class's own, those that the program adds, or the library's.

use super::func::FnLower;
use super::func::cleanups::Action;
use super::{Cx, R};
use crate::ast::Ex;
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, RecId, Ty};
use cudair_ir::builder::FuncBuilder;
use cudair_ir::{FuncId, Function, Linkage, Param, Signature, Type, Value};

/// Whether a parameter takes an alignment.
fn is_alignment(param: Decl<'_>) -> bool {
    param.ty().canonical().spelling().ends_with("std::align_val_t")
}

/// Whether a function takes memory or gives it back.
pub(super) fn is_allocation(name: &str) -> bool {
    matches!(name, "operator new" | "operator new[]" | "operator delete" | "operator delete[]")
}

impl<'tu> Cx<'tu, '_> {
    /// A class's own function of a name, or its base's, for arguments of these types behind the first; `aligned`: and an
    /// alignment, behind the size.
    fn own_allocation(&mut self, id: RecId, name: &str, types: &[Ty], aligned: bool) -> Option<Decl<'tu>> {
        let methods = self.ast.methods(id);
        let named: Vec<_> =
            methods.into_iter().filter(|m| m.kind() == DeclKind::Method && m.spelling() == name).collect();
        if named.is_empty() {
            let bases = self.ast.types.bases(id)?;
            return bases.iter().find_map(|b| {
                let base = self.ast.types.as_record(b.ty)?;
                self.own_allocation(base, name, types, aligned)
            });
        }
        // Any one hides those of the bases.
        let deletes = name.starts_with("operator delete");
        let fits = |m: &Decl<'tu>| {
            m.parameters().is_some_and(|a| {
                let place = if deletes { a.len().saturating_sub(1) } else { 1 };
                a.len() == types.len() + 1 + usize::from(aligned)
                    && a.get(place).is_some_and(|p| is_alignment(*p)) == aligned
            })
        };
        let fitting: Vec<_> = named.into_iter().filter(fits).collect();
        let mut all = types.to_vec();
        if aligned {
            let place = if deletes { all.len() } else { 0 };
            all.insert(place, self.ast.types.ulong);
        }
        let exact = fitting.iter().copied().find(|m| self.takes(*m, &all));
        exact.or(fitting.first().copied().filter(|_| !deletes))
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

    /// The program's own function for memory with placement arguments of these types.
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
    ) -> bool {
        self.own_function(elem, array, global, placement).is_some()
    }

    fn own_function(
        &mut self,
        elem: Ty,
        array: bool,
        global: bool,
        placement: &[Ex<'tu>],
    ) -> Option<Decl<'tu>> {
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
                    return Some(own);
                }
            }
        }
        if placement.is_empty() {
            return None;
        }
        let standard = types.len() == 1
            && match self.cx.ast.types.kind(types[0]) {
                Kind::Pointer(_) | Kind::NullPtr | Kind::Array { .. } => true,
                Kind::Record(id) => self.cx.ast.types.record(*id).decl.spelling() == "nothrow_t",
                _ => false,
            };
        if standard { None } else { self.cx.placement_allocation(name, &types) }
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
        let found = self.own_function(elem, array, global, placement);
        let Some(function) = found else { return Ok(None) };
        let params = self.cx.function_type(function, e)?.params.clone();
        let mut args = vec![bytes(self)];
        let declared = self.cx.parameters_of(function, e)?;
        let aligned = declared.len() > placement.len() + 1 && is_alignment(declared[1]);
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
        let may_fail = self.cx.is_noexcept(function);
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
