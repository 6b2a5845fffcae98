//! The functions that `new` and `delete` call: a class's own, those that the program adds, or the library's.

use super::func::FnLower;
use super::func::cleanups::Action;
use super::{Cx, R};
use crate::ast::{Ex, ExprKind};
use crate::clang::{Type as ClangType, TypeKind};
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, RecId, Ty};
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

    /// A class's own function of a name, or its base's, that takes this behind its first parameter; `aligned`: and an
    /// alignment, behind the size. Functions of a class hide those of its bases.
    fn own_allocation(
        &mut self,
        id: RecId,
        name: &str,
        wanted: &[Wanted<'tu>],
        aligned: bool,
    ) -> Choice<Decl<'tu>> {
        let named = self.own_allocations(id, name);
        let deletes = name.starts_with("operator delete");
        // The parameters behind the first, without the alignment.
        let others = |m: &Decl<'tu>| {
            let mut types: Vec<_> = m.parameters()?.iter().skip(1).map(|p| p.ty()).collect();
            let place = if deletes { types.len().checked_sub(1) } else { Some(0) };
            match place.filter(|&p| types.get(p).is_some_and(|&ty| is_alignment(ty))) {
                Some(place) if aligned => drop(types.remove(place)),
                None if !aligned => {}
                _ => return None,
            }
            (types.len() == wanted.len()).then_some(types)
        };
        let fitting: Vec<_> = named.into_iter().filter_map(|m| Some((m, others(&m)?))).collect();
        match choose(&fitting, wanted) {
            // The arguments of a `new` are shown as the parameters take them, but for those that are classes.
            Choice::None if fitting.len() == 1 && !deletes => Choice::One(fitting[0].0),
            choice => choice,
        }
    }

    /// Whether memory of a type is asked for with its alignment.
    pub fn is_over_aligned(&self, ty: Ty) -> bool {
        self.ast.types.align(ty) > 16
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
        let class = self.object_type(class);
        if let Some(id) = self.ast.types.as_record(class) {
            let destroys = |f: &Decl<'tu>| {
                let second = f.parameters().and_then(|p| p.get(1).copied());
                second.is_some_and(|p| {
                    is_std(Decl::new(p.ty().canonical().declaration()), "destroying_delete_t")
                })
            };
            if let Some(&own) = self.own_allocations(id, name).iter().find(|f| destroys(f)) {
                return self.unsupported("an `operator delete` that destroys the object itself", &own);
            }
            if let Some((own, aligned, sized)) = self.usual_deallocation(id, class, name) {
                let func = self.func(own, device)?;
                let align = self.ast.types.align(class);
                let func = if aligned { self.with_alignment(func, align) } else { func };
                return Ok((func, sized));
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

    /// The function of a class that `delete` calls, and whether it takes the alignment and the size.
    fn usual_deallocation(&mut self, id: RecId, class: Ty, name: &str) -> Option<(Decl<'tu>, bool, bool)> {
        let first = self.is_over_aligned(class);
        for aligned in [first, !first] {
            for wanted in [&[][..], &[Wanted::Size]] {
                if let Choice::One(own) = self.own_allocation(id, name, wanted, aligned) {
                    return Some((own, aligned, !wanted.is_empty()));
                }
            }
        }
        None
    }

    /// The type of the objects in an array of arrays, or the type itself.
    fn object_type(&self, ty: Ty) -> Ty {
        let mut object = ty;
        while let Kind::Array { elem, .. } = *self.ast.types.kind(object) {
            object = elem.ty;
        }
        object
    }

    /// Whether `delete[]` of objects of a type, or of arrays of them, tells the class's own function their size.
    pub fn own_array_delete_takes_size(&mut self, ty: Ty) -> bool {
        let object = self.object_type(ty);
        let Some(id) = self.ast.types.as_record(object) else { return false };
        self.usual_deallocation(id, object, "operator delete[]").is_some_and(|(_, _, sized)| sized)
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

    /// The program's own function for memory with placement arguments. A precompiled header has none but those of the
    /// standard, which are not asked for.
    fn placement_allocation(&mut self, name: &str, wanted: &[Wanted<'tu>]) -> Choice<Decl<'tu>> {
        let Cx { memory, ast, .. } = self;
        let find = || {
            ast.functions_at_file_scope(|d| {
                is_allocation(&d.spelling()) && d.parameters().is_some_and(|a| a.len() > 1)
            })
        };
        let mut named: Vec<(Decl<'tu>, Vec<ClangType<'tu>>)> = Vec::new();
        for &f in memory.placements(find) {
            let types = f.parameters().into_iter().flatten().skip(1).map(|p| p.ty());
            if f.spelling() == name && !named.iter().any(|(n, _)| n.is_same_entity(f)) {
                named.push((f, types.collect()));
            }
        }
        choose(&named, wanted)
    }
}

/// What an allocation or deallocation function has to take behind its first parameter.
#[derive(Clone, Copy)]
enum Wanted<'tu> {
    /// An argument, as libclang shows it: converted to the parameter's type.
    Argument { ty: ClangType<'tu>, is_lvalue: Option<bool> },
    /// What another function takes there.
    Parameter(ClangType<'tu>),
    /// The size of what is deleted.
    Size,
}

/// How well a parameter fits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    /// But for the qualifiers of what it refers to, or for the kind of reference.
    Nearly,
    Yes,
}

impl<'tu> Wanted<'tu> {
    fn of(argument: Ex<'tu>) -> Wanted<'tu> {
        Wanted::Argument { ty: argument.written_type(), is_lvalue: is_lvalue(argument) }
    }

    fn fit(self, parameter: ClangType<'tu>) -> Fit {
        let parameter = parameter.canonical();
        let same = |a: ClangType<'tu>, b: ClangType<'tu>| a.canonical().id() == b.canonical().id();
        match self {
            Wanted::Size if parameter.kind() == TypeKind::ULong => Fit::Yes,
            // Qualifiers of a parameter itself are not part of the function's type.
            Wanted::Parameter(ty) if same(parameter.unqualified(), ty.canonical().unqualified()) => Fit::Yes,
            Wanted::Size | Wanted::Parameter(_) => Fit::No,
            Wanted::Argument { ty, is_lvalue } => {
                let binds_lvalues = match parameter.kind() {
                    TypeKind::LValueReference => Some(true),
                    TypeKind::RValueReference => Some(false),
                    _ => None,
                };
                let object = if binds_lvalues.is_some() { parameter.pointee() } else { parameter };
                if !same(object.canonical().unqualified(), ty.canonical().unqualified()) {
                    return Fit::No;
                }
                match binds_lvalues.zip(is_lvalue) {
                    // A reference to what is constant takes an object about to end, if no other does.
                    Some((true, false)) if object.is_const() => Fit::Nearly,
                    Some((binds, is)) if binds != is => Fit::No,
                    _ if binds_lvalues.is_some() && !same(object, ty) => Fit::Nearly,
                    _ => Fit::Yes,
                }
            }
        }
    }
}

/// Whether an argument names an object that does not end with the expression, where its form tells.
fn is_lvalue(argument: Ex<'_>) -> Option<bool> {
    let plain = |e: Ex<'_>| e.written_type().canonical().unqualified().id();
    match argument.kind {
        ExprKind::Paren(inner) => is_lvalue(inner),
        ExprKind::Implicit(inner) if plain(inner) == plain(argument) => is_lvalue(inner),
        ExprKind::Name(name) => {
            let names_object = |d: &Decl<'_>| matches!(d.kind(), DeclKind::Variable | DeclKind::Parameter);
            name.decl.filter(names_object).map(|_| true)
        }
        ExprKind::List(_) | ExprKind::ValueInit => Some(false),
        ExprKind::Cast(cast) => cast.operand.is_list().then_some(false),
        ExprKind::Call(call) => {
            let result = call.target?.ty().canonical().result();
            Some(result.kind() == TypeKind::LValueReference)
        }
        _ => None,
    }
}

/// Which function is called.
enum Choice<T> {
    None,
    One(T),
    /// What libclang shows leaves several.
    Several,
}

/// The function that fits best, of those with the types of the parameters behind their first.
fn choose<'tu>(candidates: &[(Decl<'tu>, Vec<ClangType<'tu>>)], wanted: &[Wanted<'tu>]) -> Choice<Decl<'tu>> {
    let (mut best, mut chosen) = (Fit::Nearly, Choice::None);
    for (function, types) in candidates.iter().filter(|(_, types)| types.len() == wanted.len()) {
        let fit = wanted.iter().zip(types).fold(Fit::Yes, |least, (w, &ty)| least.min(w.fit(ty)));
        chosen = match chosen {
            _ if fit > best || fit == best && matches!(chosen, Choice::None) => Choice::One(*function),
            _ if fit == best => Choice::Several,
            chosen => chosen,
        };
        best = best.max(fit);
    }
    chosen
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
        let elem = self.cx.object_type(elem);
        let class = self.cx.ast.types.as_record(elem).filter(|_| !global);
        let wanted: Vec<Wanted<'tu>> = placement.iter().map(|&p| Wanted::of(p)).collect();
        let not_told = "a `new` that libclang does not tell which function it calls";
        if let Some(id) = class {
            let first = self.cx.is_over_aligned(elem);
            for aligned in [first, !first] {
                match self.cx.own_allocation(id, name, &wanted, aligned) {
                    Choice::One(own) => return Ok(Some(own)),
                    Choice::Several => return self.unsupported(not_told, e),
                    Choice::None => {}
                }
            }
            // The class's functions hide all others.
            if !self.cx.own_allocations(id, name).is_empty() {
                return self.unsupported(not_told, e);
            }
        }
        if placement.is_empty() {
            return Ok(None);
        }
        // Those of the library the program cannot replace, or replaces under their own symbols.
        let standard = match *placement {
            [only] => match *self.cx.ast.types.kind(only.q.ty) {
                Kind::Pointer(to) => {
                    matches!(self.cx.ast.types.kind(to.ty), Kind::Void) && !to.is_const && !to.volatile
                }
                Kind::NullPtr => true,
                Kind::Record(id) => is_std(self.cx.ast.types.record(id).decl, "nothrow_t"),
                _ => false,
            },
            _ => false,
        };
        if standard {
            return Ok(None);
        }
        match self.cx.placement_allocation(name, &wanted) {
            Choice::One(function) => Ok(Some(function)),
            Choice::None => Ok(None),
            Choice::Several => self.unsupported(not_told, e),
        }
    }

    /// The function that frees what a `new` with placement arguments got, should the initialiser throw.
    fn placement_free(
        &mut self,
        elem: Ty,
        array: bool,
        global: bool,
        params: &[Decl<'tu>],
    ) -> R<Option<FuncId>> {
        let name = if array { "operator delete[]" } else { "operator delete" };
        let wanted: Vec<Wanted<'tu>> = params.iter().map(|p| Wanted::Parameter(p.ty())).collect();
        let elem = self.cx.object_type(elem);
        let class = self.cx.ast.types.as_record(elem).filter(|_| !global);
        if let Some(Choice::One(own)) = class.map(|id| self.cx.own_allocation(id, name, &wanted, false)) {
            return self.cx.func(own, self.frame.device()).map(Some);
        }
        match self.cx.placement_allocation(name, &wanted) {
            Choice::One(function) => self.cx.func(function, self.frame.device()).map(Some),
            Choice::None | Choice::Several => Ok(None),
        }
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
            free = self.placement_free(elem, array, global, &declared[first..])?;
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
