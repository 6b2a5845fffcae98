//! `typeid`, `dynamic_cast`, and pointers to member functions.
//!
//! A pointer to a member function is 16 bytes, as the Itanium C++ ABI has it: the function, or an odd number that
//! tells the entry of the object's virtual table, and what `this` is to be moved by.

use super::R;
use super::func::FnLower;
use super::lvalue::Place;
use super::types::{FnTy, Kind, RecId, Ty};
use super::virtuals::{ENTRY, HEAD};
use crate::clang::{Cursor, CursorKind, Type as ClangType};
use cudair_ir::{
    BinaryOp, CastOp, GlobalId, IntCC, MemFlags, Param, Signature, Space, TrapCode, Type, Value,
};
use std::rc::Rc;

impl<'tu> FnLower<'_, 'tu, '_> {
    // `typeid`

    /// The `std::type_info` that a `typeid` names.
    pub(super) fn typeid_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        if self.device {
            return self.unsupported("typeid in device code", e);
        }
        let q = self.cx.type_of(e);
        let operand = e.children().first().copied().filter(|c| c.kind().is_expression());
        let Some(operand) = operand else {
            let info = self.written_type_info(e)?;
            let ptr = self.b.global_addr(self.cx.module, info);
            return Ok(Place::new(ptr, 8, q));
        };
        let of = self.cx.type_of(operand);
        let dynamic = self.cx.types.as_record(of.ty).filter(|&id| self.cx.is_dynamic(id));
        if dynamic.is_none() || !self.is_glvalue(operand) {
            // The operand is not evaluated.
            let info = self.cx.type_info(operand.ty(), e)?;
            let ptr = self.b.global_addr(self.cx.module, info);
            return Ok(Place::new(ptr, 8, q));
        }
        let object = self.place(operand)?.ptr;
        let object = self.generic(object);
        if dereferences(operand) {
            let (bad, good) = (self.b.make_block(), self.b.make_block());
            let null = self.b.null(Type::GENERIC_PTR);
            let is_null = self.b.icmp(IntCC::Eq, object, null);
            self.b.branch(is_null, bad, good);
            self.b.switch_to(bad);
            self.throw_of_library("__cxa_bad_typeid");
            self.b.switch_to(good);
        }
        let table = self.b.load(Type::GENERIC_PTR, object, MemFlags::aligned(8));
        let info = self.b.ptr_offset(table, -8);
        let info = self.b.load(Type::GENERIC_PTR, info, MemFlags::aligned(8));
        Ok(Place::new(info, 8, q))
    }

    /// Whether an expression names an object, as far as it matters for classes.
    fn is_glvalue(&mut self, e: Cursor<'tu>) -> bool {
        let exprs = e.expressions();
        match e.kind() {
            CursorKind::ParenExpr | CursorKind::UnexposedExpr if exprs.len() == 1 => {
                self.is_glvalue(exprs[0])
            }
            CursorKind::CXXThisExpr | CursorKind::CXXFunctionalCastExpr => false,
            CursorKind::CXXDynamicCastExpr
            | CursorKind::CXXStaticCastExpr
            | CursorKind::CStyleCastExpr
            | CursorKind::CXXConstCastExpr
            | CursorKind::CXXReinterpretCastExpr => true,
            _ => self.is_lvalue(e),
        }
    }

    /// The description of the type that stands in a `typeid`. libclang shows named types of it only, so that the text
    /// has to tell the rest.
    fn written_type_info(&mut self, e: Cursor<'tu>) -> R<GlobalId> {
        let tokens = e.tokens(self.cx.unit);
        let open = tokens.iter().position(|t| t == "(").map_or(0, |n| n + 1);
        let mut words: Vec<&str> = tokens[open..].iter().map(String::as_str).collect();
        if words.last() == Some(&")") {
            words.pop();
        }
        // References and outer qualifiers do not count.
        while let Some("&" | "&&" | "const" | "volatile") = words.last().copied() {
            words.pop();
        }
        let mut levels: Vec<(bool, bool)> = Vec::new();
        let (mut is_const, mut is_volatile) = (false, false);
        loop {
            match words.last().copied() {
                Some("const") => is_const = true,
                Some("volatile") => is_volatile = true,
                Some("*") => {
                    levels.push((is_const, is_volatile));
                    (is_const, is_volatile) = (false, false);
                }
                _ => break,
            }
            words.pop();
        }
        let base_const = is_const || words.contains(&"const");
        let base_volatile = is_volatile || words.contains(&"volatile");
        words.retain(|w| {
            !matches!(*w, "const" | "volatile" | "struct" | "class" | "enum" | "union" | "typename")
        });
        let named = e.children().into_iter().rfind(|c| c.kind() == CursorKind::TypeRef);
        let base = match builtin(&words) {
            Some(mangled) => self.cx.simple_type_info(mangled, &words.join(" ")),
            None => {
                let ty = match self.template_argument(&words) {
                    Some(ty) => ty,
                    None => match named {
                        Some(named) if words.last().is_some_and(|w| named.spelling().ends_with(w)) => {
                            named.ty()
                        }
                        // Of an instance of a template only the parts of its name are shown.
                        _ => match self.cx.class_written(&words.join(" ")) {
                            Some(ty) => ty,
                            None => return self.unsupported(format!("typeid of `{}`", words.join(" ")), e),
                        },
                    },
                };
                if levels.is_empty() {
                    return self.cx.type_info(ty, e);
                }
                let ty = ty.canonical();
                let inner = self.cx.exact_type_info(ty.unqualified().canonical(), e)?;
                return Ok(self.pointers_to(inner, base_const || ty.is_const(), base_volatile, &levels));
            }
        };
        Ok(self.pointers_to(base, base_const, base_volatile, &levels))
    }

    /// The description of pointers to a type, the outermost level first.
    fn pointers_to(
        &mut self,
        base: GlobalId,
        mut is_const: bool,
        mut is_volatile: bool,
        levels: &[(bool, bool)],
    ) -> GlobalId {
        let mut info = base;
        for &(outer_const, outer_volatile) in levels.iter().rev() {
            info = self.cx.pointer_type_info(info, is_const, is_volatile);
            (is_const, is_volatile) = (outer_const, outer_volatile);
        }
        info
    }

    /// What a name of a template's parameter stands for here.
    fn template_argument(&mut self, words: &[&str]) -> Option<ClangType<'tu>> {
        let [name] = words else { return None };
        let mut around = Some(self.decl);
        while let Some(scope) = around {
            if let Some(template) = scope.specialized_template() {
                let parameters: Vec<_> = template
                    .children()
                    .into_iter()
                    .filter(|c| c.kind() == CursorKind::TemplateTypeParameter)
                    .collect();
                let place = parameters.iter().position(|p| p.spelling() == *name);
                if let Some(n) = place
                    && let Some(ty) = scope.type_arguments().get(n).copied()
                {
                    return Some(ty);
                }
            }
            around = scope.semantic_parent();
        }
        None
    }

    /// Throws what a function of the run-time library throws.
    pub(super) fn throw_of_library(&mut self, name: &str) {
        let func = self.cx.native(name, Signature::default(), self.device);
        self.call_func(func, &[]);
        self.b.trap(TrapCode::Unreachable);
    }

    // `dynamic_cast`

    /// `dynamic_cast` to a pointer.
    pub(super) fn dynamic_cast(&mut self, e: Cursor<'tu>) -> R<Value> {
        let Some(&operand) = e.expressions().last() else {
            return self.internal("a cast without an operand", e);
        };
        let (from, to) = (self.cx.type_of(operand), self.cx.type_of(e));
        let (Some(source), Some(target)) = (self.cx.types.pointee(from.ty), self.cx.types.pointee(to.ty))
        else {
            return self.unsupported("this dynamic_cast", e);
        };
        let value = self.rv(operand)?;
        if let Some(value) = self.static_upcast(value, source.ty, target.ty, e)? {
            return Ok(value);
        }
        let value = self.generic(value);
        if matches!(self.cx.types.kind(target.ty), Kind::Void) {
            return self.most_derived(value);
        }
        self.checked_cast(value, source.ty, target.ty, e)
    }

    /// `dynamic_cast` to a reference.
    pub(super) fn dynamic_cast_place(&mut self, e: Cursor<'tu>) -> R<Place> {
        let Some(&operand) = e.expressions().last() else {
            return self.internal("a cast without an operand", e);
        };
        let (from, to) = (self.cx.type_of(operand), self.cx.type_of(e));
        let object = self.place(operand)?.ptr;
        let align = self.cx.types.align(to.ty);
        if let Some(ptr) = self.static_upcast(object, from.ty, to.ty, e)? {
            return Ok(Place::new(ptr, align, to));
        }
        let object = self.generic(object);
        let result = self.checked_cast(object, from.ty, to.ty, e)?;
        let (bad, good) = (self.b.make_block(), self.b.make_block());
        let null = self.b.null(Type::GENERIC_PTR);
        let failed = self.b.icmp(IntCC::Eq, result, null);
        self.b.branch(failed, bad, good);
        self.b.switch_to(bad);
        self.throw_of_library("__cxa_bad_cast");
        self.b.switch_to(good);
        Ok(Place::new(result, align, to))
    }

    /// A cast that needs no look at the object: to the same class or a base.
    fn static_upcast(&mut self, value: Value, from: Ty, to: Ty, e: Cursor<'tu>) -> R<Option<Value>> {
        if from == to {
            return Ok(Some(value));
        }
        let (Some(derived), Some(base)) = (self.cx.types.as_record(from), self.cx.types.as_record(to)) else {
            return Ok(None);
        };
        match self.cx.base_path(derived, base) {
            Some(path) => self.pointer_to_base(value, derived, path, e).map(Some),
            None => Ok(None),
        }
    }

    /// The start of the whole object, null for null.
    fn most_derived(&mut self, value: Value) -> R<Value> {
        let (look, end) = (self.b.make_block(), self.b.make_block());
        let result = self.b.func.append_block_param(end, Type::GENERIC_PTR);
        let null = self.b.null(Type::GENERIC_PTR);
        let some = self.b.icmp(IntCC::Ne, value, null);
        let (then, other) = (self.b.target(look, &[]), self.b.target(end, &[null]));
        self.b.branch_with(some, then, other);
        self.b.switch_to(look);
        let table = self.b.load(Type::GENERIC_PTR, value, MemFlags::aligned(8));
        let offset = self.b.ptr_offset(table, -(HEAD as i64));
        let offset = self.b.load(Type::I64, offset, MemFlags::aligned(8));
        let whole = self.b.ptr_add(value, offset);
        self.b.jump(end, &[whole]);
        self.b.switch_to(end);
        Ok(result)
    }

    fn checked_cast(&mut self, value: Value, from: Ty, to: Ty, e: Cursor<'tu>) -> R<Value> {
        if self.device {
            return self.unsupported("dynamic_cast in device code", e);
        }
        let mut infos = Vec::new();
        for ty in [from, to] {
            let Some(id) = self.cx.types.as_record(ty) else {
                return self.unsupported("this dynamic_cast", e);
            };
            let class = self.cx.types.record(id).clang.canonical().unqualified();
            let info = self.cx.exact_type_info(class, e)?;
            let info = self.b.global_addr(self.cx.module, info);
            infos.push(self.generic(info));
        }
        let params = [Type::GENERIC_PTR; 3].map(Param::new).to_vec();
        let sig = Signature { params, ret: Some(Type::GENERIC_PTR), variadic: false };
        let func = self.cx.native("__cudair_dynamic_cast", sig, false);
        self.enter(e);
        match self.b.call(self.cx.module, func, &[value, infos[0], infos[1]]) {
            Some(result) => Ok(result),
            None => self.internal("a cast without a result", e),
        }
    }

    // Pointers to member functions.

    /// `&Class::function`
    pub(super) fn member_function_pointer(&mut self, function: Cursor<'tu>, e: Cursor<'tu>) -> R<Value> {
        if function.is_virtual_method() {
            let class = function.semantic_parent().map(|p| self.cx.types.of(p.ty()).ty);
            let Some(id) = class.and_then(|c| self.cx.types.as_record(c)) else {
                return self.internal("a virtual function outside a class", e);
            };
            let n = self.table_entry(id, function, e)?;
            return Ok(self.b.iconst(Type::I128, 1 + 2 * n as i128));
        }
        let func = self.cx.func(function, self.device)?;
        let address = self.b.func_addr(func);
        let bits = self.b.cast(CastOp::Ptrtoint, Type::I64, address);
        Ok(self.b.cast(CastOp::Zext, Type::I128, bits))
    }

    /// Which entry of a class's table a virtual function has.
    fn table_entry(&mut self, id: RecId, function: Cursor<'tu>, e: Cursor<'tu>) -> R<usize> {
        let found = self.cx.table_entry(id, function);
        match found {
            Some(n) => Ok(n),
            None => self.unsupported(format!("a pointer to `{}`", function.spelling()), e),
        }
    }

    /// The function type behind `object.*pointer` or `pointer->*pointer`, if an expression is that.
    pub(super) fn bound_member_type(&mut self, e: Cursor<'tu>) -> Option<Rc<FnTy>> {
        let [_, pointer] = bound_member(e)?.expressions()[..] else { return None };
        let ty = self.cx.type_of(pointer).ty;
        match self.cx.types.kind(ty) {
            Kind::MemberFunction(_, f) => Some(f.clone()),
            _ => None,
        }
    }

    /// The function that `object.*pointer` calls, and the object.
    pub(super) fn bound_member_callee(&mut self, e: Cursor<'tu>) -> R<(Value, Value)> {
        let Some(e) = bound_member(e) else { return self.internal("a bound member of unknown shape", e) };
        let &[left, right] = e.expressions().as_slice() else {
            return self.internal("a bound member of unknown shape", e);
        };
        let object = if e.binary_operator() == clang_sys::CXBinaryOperator_PtrMemI {
            self.rv(left)?
        } else {
            self.place(left)?.ptr
        };
        let object = self.generic(object);
        let pointer = self.rv(right)?;
        self.enter(e);
        let function = self.b.cast(CastOp::Trunc, Type::I64, pointer);
        let amount = self.b.iconst(Type::I128, 64);
        let high = self.b.binary(BinaryOp::Lshr, pointer, amount);
        let by = self.b.cast(CastOp::Trunc, Type::I64, high);
        let object = self.b.ptr_add(object, by);
        let (looked_up, direct, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let code = Type::Ptr(Space::Code);
        let callee = self.b.func.append_block_param(end, code);
        let one = self.b.iconst(Type::I64, 1);
        let low = self.b.binary(BinaryOp::And, function, one);
        let zero = self.b.iconst(Type::I64, 0);
        let is_virtual = self.b.icmp(IntCC::Ne, low, zero);
        self.b.branch(is_virtual, looked_up, direct);
        self.b.switch_to(looked_up);
        let table = self.b.load(Type::GENERIC_PTR, object, MemFlags::aligned(8));
        let entry = self.b.binary(BinaryOp::Isub, function, one);
        let half = self.b.iconst(Type::I64, i128::from(ENTRY / 2));
        let offset = self.b.binary(BinaryOp::Imul, entry, half);
        let entry = self.b.ptr_add(table, offset);
        let found = self.b.load(code, entry, MemFlags::aligned(8));
        self.b.jump(end, &[found]);
        self.b.switch_to(direct);
        let pointer = self.b.cast(CastOp::Inttoptr, Type::GENERIC_PTR, function);
        let pointer = self.as_pointer(pointer, code);
        self.b.jump(end, &[pointer]);
        self.b.switch_to(end);
        Ok((callee, object))
    }

    /// A pointer to a member of class `from` as one of class `to`.
    pub(super) fn convert_member_pointer(&mut self, value: Value, from: Ty, to: Ty) -> Value {
        let by = match self.class_adjustment(to, from) {
            Some(by) if by != 0 => by,
            _ => return value,
        };
        let ty = self.b.ty(value);
        let (null, by) = match ty {
            Type::I128 => (0, i128::from(by) << 64),
            _ => (-1, i128::from(by)),
        };
        let null = self.b.iconst(ty, null);
        let is_null = self.b.icmp(IntCC::Eq, value, null);
        let by = self.b.iconst(ty, by);
        let moved = self.b.binary(BinaryOp::Iadd, value, by);
        self.b.select(is_null, null, moved)
    }
}

/// `object.*pointer` or `pointer->*pointer`, parentheses aside.
fn bound_member(mut e: Cursor<'_>) -> Option<Cursor<'_>> {
    loop {
        match e.kind() {
            CursorKind::BinaryOperator => {
                let operator = e.binary_operator();
                let bound = operator == clang_sys::CXBinaryOperator_PtrMemD
                    || operator == clang_sys::CXBinaryOperator_PtrMemI;
                return bound.then_some(e);
            }
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match e.expressions()[..] {
                [one] => e = one,
                _ => return None,
            },
            _ => return None,
        }
    }
}

/// Whether an expression is `*p`, which may be null.
fn dereferences(mut e: Cursor<'_>) -> bool {
    loop {
        match e.kind() {
            CursorKind::UnaryOperator => return e.unary_operator() == clang_sys::CXUnaryOperator_Deref,
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match e.expressions()[..] {
                [one] => e = one,
                _ => return false,
            },
            _ => return false,
        }
    }
}

/// The mangled name of a type written in the language's own words.
fn builtin(words: &[&str]) -> Option<&'static str> {
    let count = |w: &str| words.iter().filter(|x| **x == w).count();
    let known = |w: &&str| {
        matches!(
            *w,
            "void"
                | "bool"
                | "char"
                | "short"
                | "int"
                | "long"
                | "float"
                | "double"
                | "signed"
                | "unsigned"
                | "wchar_t"
                | "char16_t"
                | "char32_t"
                | "__int128"
        )
    };
    if words.is_empty() || !words.iter().all(known) {
        return None;
    }
    let unsigned = count("unsigned") > 0;
    let pick = |signed: &'static str, other: &'static str| if unsigned { other } else { signed };
    Some(match () {
        () if count("void") > 0 => "v",
        () if count("bool") > 0 => "b",
        () if count("wchar_t") > 0 => "w",
        () if count("char16_t") > 0 => "Ds",
        () if count("char32_t") > 0 => "Di",
        () if count("char") > 0 && count("signed") > 0 => "a",
        () if count("char") > 0 => pick("c", "h"),
        () if count("short") > 0 => pick("s", "t"),
        () if count("float") > 0 => "f",
        () if count("double") > 0 && count("long") > 0 => "e",
        () if count("double") > 0 => "d",
        () if count("__int128") > 0 => pick("n", "o"),
        () if count("long") > 1 => pick("x", "y"),
        () if count("long") > 0 => pick("l", "m"),
        () => pick("i", "j"),
    })
}
