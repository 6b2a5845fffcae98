//! The functions that `new` and `delete` call: a class's own, those that the program adds, or the library's.

use super::func::FnLower;
use super::types::{Kind, RecId, Ty};
use super::{Cx, R};
use crate::clang::{Cursor, CursorKind};
use cudair_ir::{FuncId, Param, Signature, Type, Value};

/// Whether a function takes memory or gives it back.
pub(super) fn is_allocation(name: &str) -> bool {
    matches!(name, "operator new" | "operator new[]" | "operator delete" | "operator delete[]")
}

impl<'tu> Cx<'tu, '_> {
    /// A class's own function of a name, or its base's, for arguments of these types behind the first.
    fn own_allocation(&mut self, id: RecId, name: &str, types: &[Ty]) -> Option<Cursor<'tu>> {
        let methods = self.methods(id);
        let named: Vec<_> = methods
            .into_iter()
            .filter(|m| m.kind() == CursorKind::CXXMethod && m.spelling() == name)
            .collect();
        if named.is_empty() {
            let bases = self.types.bases(id)?;
            return bases.iter().find_map(|b| {
                let base = self.types.as_record(b.ty)?;
                self.own_allocation(base, name, types)
            });
        }
        // Any one hides those of the bases.
        let fits = |m: &Cursor<'tu>| m.arguments().is_some_and(|a| a.len() == types.len() + 1);
        let fitting: Vec<_> = named.into_iter().filter(fits).collect();
        let exact = fitting.iter().copied().find(|m| self.takes(*m, types));
        exact.or(fitting.first().copied())
    }

    /// Whether a function takes just these types behind its first parameter.
    fn takes(&mut self, function: Cursor<'tu>, types: &[Ty]) -> bool {
        let parameters = function.arguments().unwrap_or_default();
        parameters.len() == types.len() + 1
            && parameters[1..].iter().zip(types).all(|(p, &ty)| {
                let q = self.types.of(p.ty());
                self.types.strip_reference(q).ty == ty
            })
    }

    /// Whether the program defines a function of the library's itself.
    pub fn replaces(&self, symbol: &str) -> bool {
        self.replaced.iter().any(|r| r == symbol)
    }

    /// The symbol of a function of the library's, which calls another where the program replaces that.
    pub fn allocation_symbol(&self, name: &str) -> &'static str {
        let replaced = |n: &str| self.replaced.iter().any(|r| r == n);
        match name {
            "_Znam" if replaced("_Znam") || !replaced("_Znwm") => "_Znam",
            "_ZdaPv" if replaced("_ZdaPv") || !replaced("_ZdlPv") => "_ZdaPv",
            "_Znam" | "_Znwm" => "_Znwm",
            _ => "_ZdlPv",
        }
    }

    /// The function that frees an object of a class, and whether it takes the size too.
    pub fn deallocation(&mut self, class: Ty, array: bool, device: bool) -> R<(FuncId, bool)> {
        let name = if array { "operator delete[]" } else { "operator delete" };
        if let Some(id) = self.types.as_record(class) {
            let size = self.types.ulong;
            for types in [&[][..], &[size]] {
                let own = self.own_allocation(id, name, types);
                if let Some(own) = own.filter(|&own| self.takes(own, types)) {
                    return Ok((self.func(own, device)?, !types.is_empty()));
                }
            }
        }
        let mut sig = Signature { params: vec![Param::new(Type::GENERIC_PTR)], ret: None, variadic: false };
        if !array
            && !device
            && self.replaced.iter().any(|r| r == "_ZdlPvm")
            && self.types.size(class).is_some()
        {
            sig.params.push(Param::new(Type::I64));
            return Ok((self.native("_ZdlPvm", sig, false), true));
        }
        let name = self.allocation_symbol(if array { "_ZdaPv" } else { "_ZdlPv" });
        Ok((self.native(name, sig, device), false))
    }

    /// The program's own `operator new` with placement arguments of these types.
    fn placement_allocation(&mut self, name: &str, types: &[Ty]) -> Option<Cursor<'tu>> {
        if self.placements.is_none() {
            let mut found = Vec::new();
            for top in self.unit.cursor().children() {
                let several = || top.arguments().is_some_and(|a| a.len() > 1);
                if top.kind() == CursorKind::FunctionDecl && is_allocation(&top.spelling()) && several() {
                    found.push(top);
                }
            }
            self.placements = Some(found);
        }
        let candidates = self.placements.clone().unwrap_or_default();
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
        placement: &[Cursor<'tu>],
    ) -> bool {
        self.own_function(elem, array, global, placement).is_some()
    }

    fn own_function(
        &mut self,
        elem: Ty,
        array: bool,
        global: bool,
        placement: &[Cursor<'tu>],
    ) -> Option<Cursor<'tu>> {
        let name = if array { "operator new[]" } else { "operator new" };
        let class = self.cx.types.as_record(elem).filter(|_| !global);
        let mut types: Vec<Ty> = Vec::new();
        for &p in placement {
            let q = self.cx.type_of(p);
            types.push(self.cx.types.decayed(q).ty);
        }
        let own = class.and_then(|id| self.cx.own_allocation(id, name, &types));
        if own.is_some() || placement.is_empty() {
            return own;
        }
        let standard = types.len() == 1
            && match self.cx.types.kind(types[0]) {
                Kind::Pointer(_) | Kind::NullPtr | Kind::Array { .. } => true,
                Kind::Record(id) => self.cx.types.record(*id).decl.spelling() == "nothrow_t",
                _ => false,
            };
        if standard { None } else { self.cx.placement_allocation(name, &types) }
    }

    /// The call of the program's own function for a `new`, if there is one: the memory, and whether null is an
    /// answer.
    pub(super) fn own_new(
        &mut self,
        elem: Ty,
        array: bool,
        global: bool,
        placement: &[Cursor<'tu>],
        bytes: impl FnOnce(&mut Self) -> Value,
        e: Cursor<'tu>,
    ) -> R<Option<(Value, bool)>> {
        let found = self.own_function(elem, array, global, placement);
        let Some(function) = found else { return Ok(None) };
        let ty = self.cx.types.of(function.ty()).ty;
        let params = self.cx.types.function(ty).map(|f| f.params.clone()).unwrap_or_default();
        let mut args = vec![bytes(self)];
        for (i, &arg) in placement.iter().enumerate() {
            args.push(self.argument(arg, params.get(i + 1).copied(), Some(function), i + 1)?);
        }
        let func = self.cx.func(function, self.device)?;
        let may_fail = self.cx.is_noexcept(function);
        self.enter(e);
        match self.call_func(func, &args) {
            Some(memory) => Ok(Some((self.generic(memory), may_fail))),
            None => self.internal("an allocation without a result", e),
        }
    }
}
