//! Expressions of scalar type.
//!
//! libclang shows implicit conversions as nodes with one child, without their kind; the pair of types
//! tells it. It does not show whether an expression is an lvalue: who needs a place asks for one
//! ([`FnLower::place`]), who needs a value asks for that ([`FnLower::rv`]), and a node that says
//! nothing is passed through by both.

use super::R;
use super::call::CallResult;
use super::constant::{Constant, constant_bits};
use super::func::FnLower;
use super::types::{Kind, QTy, Ty};
use crate::clang::{Cursor, CursorKind, Evaluated};
use cudair_ir::{CastOp, MemFlags, Space, Type, UnaryOp, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// The value of an expression of scalar type.
    pub fn rv(&mut self, e: Cursor<'tu>) -> R<Value> {
        self.deeper(e)?;
        let old = self.enter(e);
        let result = self.rv_kind(e);
        self.b.set_loc(old);
        self.depth -= 1;
        result
    }

    /// The value of an expression, converted to `ty` as by assignment.
    pub fn rv_as(&mut self, e: Cursor<'tu>, ty: Ty) -> R<Value> {
        let written = self.cx.type_of(e);
        let from = written.ty;
        if from == ty || self.cx.types.is_aggregate(from) && self.cx.types.element(from).is_none() {
            return self.rv(e);
        }
        // A braced scalar (`int x = {3}`) or an array that decays.
        if e.kind() == CursorKind::InitListExpr {
            return match e.expressions().first() {
                Some(&inner) => self.rv_as(inner, ty),
                None => self.zero(ty, e),
            };
        }
        if self.cx.types.element(from).is_some() {
            let place = self.place(e)?;
            return Ok(self.pointer_for(place.ptr, ty));
        }
        // A function's name in an initialiser list, whose written form has no conversions.
        if let Kind::Function(_) = self.cx.types.kind(from) {
            let value = self.function_value(e)?;
            let pointer = self.cx.types.decayed(written).ty;
            return self.convert(value, pointer, ty, e);
        }
        let value = self.rv(e)?;
        let old = self.enter(e);
        let result = self.convert(value, from, ty, e);
        self.b.set_loc(old);
        result
    }

    pub fn rv_kind(&mut self, e: Cursor<'tu>) -> R<Value> {
        match e.kind() {
            CursorKind::IntegerLiteral
            | CursorKind::CharacterLiteral
            | CursorKind::CXXBoolLiteralExpr
            | CursorKind::FloatingLiteral
            | CursorKind::SizeOfPackExpr
            | CursorKind::ConceptSpecializationExpr
            | CursorKind::RequiresExpr => self.literal(e),
            CursorKind::CXXNullPtrLiteralExpr | CursorKind::GNUNullExpr => {
                let ty = self.cx.type_of(e).ty;
                self.zero(ty, e)
            }
            CursorKind::UnaryExpr => self.size_of(e),
            CursorKind::DeclRefExpr => self.decl_ref(e),
            CursorKind::ParenExpr => match e.expressions().first() {
                Some(&inner) => self.rv(inner),
                None => self.internal("empty parentheses", e),
            },
            CursorKind::UnexposedExpr => self.unexposed(e),
            CursorKind::MemberRefExpr => {
                if let Some(value) = self.special_member(e)? {
                    return Ok(value);
                }
                match e.referenced().map(Cursor::kind) {
                    Some(CursorKind::EnumConstantDecl) => self.named_constant(e),
                    _ => self.load_place(e),
                }
            }
            CursorKind::ArraySubscriptExpr => self.load_place(e),
            CursorKind::StringLiteral => {
                let place = self.place(e)?;
                Ok(self.generic(place.ptr))
            }
            CursorKind::CompoundLiteralExpr => self.load_place(e),
            CursorKind::UnaryOperator => self.unary(e),
            CursorKind::BinaryOperator => self.binary(e),
            CursorKind::CompoundAssignOperator => self.compound_assign(e).map(|(_, value)| value),
            CursorKind::ConditionalOperator => self.conditional(e),
            CursorKind::CStyleCastExpr
            | CursorKind::CXXStaticCastExpr
            | CursorKind::CXXReinterpretCastExpr
            | CursorKind::CXXConstCastExpr
            | CursorKind::CXXFunctionalCastExpr => self.cast(e),
            CursorKind::BuiltinBitCastExpr => self.bit_cast(e),
            CursorKind::CallExpr => self.call_value(e),
            CursorKind::StmtExpr => match self.statement_expression(e, None)? {
                Some(value) => Ok(value),
                None => self.internal("a statement expression without a value", e),
            },
            CursorKind::GenericSelectionExpr => {
                let chosen = self.generic_choice(e)?;
                let ty = self.cx.type_of(e).ty;
                self.rv_as(chosen, ty)
            }
            CursorKind::AddrLabelExpr => self.label_address(e),
            CursorKind::CXXThisExpr => {
                let place = self.this_place(e)?;
                Ok(self.generic(place.ptr))
            }
            CursorKind::CXXNewExpr => self.new_expression(e),
            CursorKind::InitListExpr => {
                let ty = self.cx.type_of(e).ty;
                match e.expressions().as_slice() {
                    [] => self.zero(ty, e),
                    [one] => self.rv_as(*one, ty),
                    _ => self.unsupported("an initialiser list here", e),
                }
            }
            CursorKind::CXXThrowExpr => {
                self.throw(e)?;
                let ty = self.cx.types.int;
                self.zero(ty, e)
            }
            CursorKind::CXXDynamicCastExpr => self.dynamic_cast(e),
            CursorKind::LambdaExpr => self.unsupported("a lambda as a scalar", e),
            CursorKind::BlockExpr => self.unsupported("a block", e),
            CursorKind::ImaginaryLiteral => self.unsupported("complex numbers", e),
            _ => self.unsupported("this expression", e),
        }
    }

    pub fn load_place(&mut self, e: Cursor<'tu>) -> R<Value> {
        let place = self.place(e)?;
        if self.cx.types.element(place.ty.ty).is_some()
            || matches!(self.cx.types.kind(place.ty.ty), Kind::Function(_))
        {
            return Ok(self.decay(place.ptr));
        }
        self.load(&place, e)
    }

    /// The address of an array or function as a value.
    pub fn decay(&mut self, ptr: Value) -> Value {
        match self.b.ty(ptr) {
            Type::Ptr(Space::Code) => ptr,
            _ => ptr,
        }
    }

    /// Zero, false or null.
    pub fn zero(&mut self, ty: Ty, at: Cursor<'tu>) -> R<Value> {
        match self.cx.types.ir(ty) {
            Some(ir) => {
                // A null pointer to member is -1.
                let bits = if matches!(self.cx.types.kind(ty), Kind::MemberData(_)) { u128::MAX } else { 0 };
                Ok(self.b.const_bits(ir, bits))
            }
            None => self.unsupported(format!("a zero of type {}", self.cx.types.name(ty)), at),
        }
    }

    pub fn literal(&mut self, e: Cursor<'tu>) -> R<Value> {
        let ty = self.cx.type_of(e).ty;
        let Some(ir) = self.cx.types.ir(ty) else {
            return self.unsupported(format!("a literal of type {}", self.cx.types.name(ty)), e);
        };
        if ir == Type::F80
            && let Some(bits) = self.cx.extended_literal(e)
        {
            return Ok(self.b.const_bits(ir, bits));
        }
        match e.evaluate() {
            Some(Evaluated::Int(v)) => Ok(self.b.const_bits(ir, constant_bits(Constant::Int(v), ir))),
            Some(Evaluated::Float(f)) => Ok(self.b.const_bits(ir, constant_bits(Constant::Float(f), ir))),
            None => self.unsupported("this literal", e),
        }
    }

    /// A name that stands for a constant: an enumerator, a template parameter.
    pub fn named_constant(&mut self, e: Cursor<'tu>) -> R<Value> {
        let ty = self.cx.type_of(e).ty;
        let Some(ir) = self.cx.types.ir(ty) else {
            return self.unsupported(format!("a constant of type {}", self.cx.types.name(ty)), e);
        };
        if let Some(decl) = e.referenced()
            && decl.kind() == CursorKind::EnumConstantDecl
        {
            let value = decl.enumerator_value(self.cx.types.is_signed(ty));
            return Ok(self.b.iconst(ir, value));
        }
        if self.cx.types.is_arithmetic(ty) {
            match e.evaluate() {
                Some(Evaluated::Int(v)) => {
                    return Ok(self.b.const_bits(ir, constant_bits(Constant::Int(v), ir)));
                }
                Some(Evaluated::Float(f)) => {
                    return Ok(self.b.const_bits(ir, constant_bits(Constant::Float(f), ir)));
                }
                None => {}
            }
        }
        // A template argument shows as a child.
        match e.expressions().last() {
            Some(&inner) => self.rv_as(inner, ty),
            None => self.unsupported(format!("the constant `{}`", e.spelling()), e),
        }
    }

    pub fn size_of(&mut self, e: Cursor<'tu>) -> R<Value> {
        if let Some(Evaluated::Int(v)) = e.evaluate() {
            let ty = self.cx.type_of(e).ty;
            let ir = self.cx.types.ir(ty).unwrap_or(Type::I64);
            return Ok(self.b.iconst(ir, v));
        }
        // `sizeof` of a variable length array: of an expression, of a typedef's name, or of a type
        // whose size expressions are the children (each shown twice, as they are evaluated here).
        let children = e.children();
        match children.as_slice() {
            [one] if one.kind().is_expression() => {
                let q = self.cx.type_of(*one);
                if self.contains_vla(q.ty) {
                    return self.size_value(q.ty, e);
                }
            }
            [one] if one.kind() == CursorKind::TypeRef => {
                if let Some(decl) = one.referenced() {
                    let q = self.cx.types.of(decl.typedef_underlying());
                    if self.contains_vla(q.ty) {
                        return self.size_value(q.ty, e);
                    }
                }
            }
            _ => {}
        }
        if let Some(value) = self.size_of_written_array(e)? {
            return Ok(value);
        }
        self.unsupported("sizeof of this type", e)
    }

    /// `sizeof(int[n][m])`: the type's name is in the text alone, the size expressions are children.
    pub fn size_of_written_array(&mut self, e: Cursor<'tu>) -> R<Option<Value>> {
        let tokens = e.tokens(self.cx.unit);
        let name: Vec<&str> = tokens
            .iter()
            .skip_while(|t| *t != "(")
            .skip(1)
            .take_while(|t| *t != "[")
            .map(String::as_str)
            .collect();
        let Some(ty) = self.named_type(&name.join(" "), e) else { return Ok(None) };
        let mut seen = Vec::new();
        let mut total = self.size_value(ty, e)?;
        for dim in e.expressions() {
            let range = dim.range();
            if seen.contains(&(range.start, range.end)) {
                continue;
            }
            seen.push((range.start, range.end));
            let from = self.cx.type_of(dim).ty;
            let count = self.rv(dim)?;
            let long = self.cx.types.long;
            let count = self.convert(count, from, long, dim)?;
            total = self.b.binary(cudair_ir::BinaryOp::Imul, total, count);
        }
        Ok(Some(total))
    }

    pub fn decl_ref(&mut self, e: Cursor<'tu>) -> R<Value> {
        let Some(decl) = e.referenced() else { return self.named_constant(e) };
        match decl.kind() {
            CursorKind::VarDecl | CursorKind::ParmDecl => {
                if self.device
                    && let Some(value) = self.special_value(decl)
                {
                    return Ok(value);
                }
                // A constant of static storage, where the device could not reach it.
                self.load_place(e)
            }
            CursorKind::FunctionDecl | CursorKind::CXXMethod => {
                let func = self.cx.func(decl, self.device)?;
                Ok(self.b.func_addr(func))
            }
            CursorKind::UnexposedDecl if self.is_binding(decl) => self.load_place(e),
            CursorKind::UnexposedDecl if self.is_static_binding(decl)? => self.load_place(e),
            // An instance of a variable template, a constant or a variable like any other.
            CursorKind::UnexposedDecl if decl.has_static_storage() && e.evaluate().is_none() => {
                self.load_place(e)
            }
            _ => self.named_constant(e),
        }
    }

    pub fn unexposed(&mut self, e: Cursor<'tu>) -> R<Value> {
        let exprs = e.expressions();
        let to = self.cx.type_of(e);
        if let Some(list) = self.va_arg_list(e) {
            return self.va_arg(e, list);
        }
        if exprs.len() > 1
            && let Some(CallResult::Value(value)) = self.atomic_expression(e)?
        {
            return Ok(value);
        }
        match *exprs.as_slice() {
            [] => self.childless(e),
            [inner] => {
                // A type trait has its operands as children; unlike a conversion it is wider than they.
                if self.cx.types.is_integer(to.ty)
                    && e.range().end != inner.range().end
                    && let Some(value) = self.folded(e, to)
                {
                    return Ok(value);
                }
                let from = self.cx.type_of(inner);
                if from.ty == to.ty {
                    return self.rv(inner);
                }
                if let Kind::Array { .. } | Kind::Vla { .. } = self.cx.types.kind(from.ty) {
                    let place = self.place(inner)?;
                    if self.cx.types.is_pointer(to.ty) {
                        return Ok(place.ptr);
                    }
                    let value = self.generic(place.ptr);
                    let pointer = self.cx.types.decayed(from).ty;
                    return self.convert(value, pointer, to.ty, e);
                }
                if let Kind::Function(_) = self.cx.types.kind(from.ty) {
                    return self.function_value(inner);
                }
                if self.cx.types.is_aggregate(from.ty) {
                    return self.convert_class(inner, from, to, e);
                }
                // A member of a vector type or the like reads from a temporary; everything else converts.
                let value = self.rv(inner)?;
                self.convert(value, from.ty, to.ty, e)
            }
            // `a ?: b`: the common operand, twice as placeholders, and the alternative.
            [common, _, _, other] => self.gnu_conditional(common, other, to),
            [condition, yes, no] => match condition.evaluate() {
                Some(Evaluated::Int(v)) => self.rv_as(if v != 0 { yes } else { no }, to.ty),
                _ => self.unsupported("this expression", e),
            },
            _ if self.is_callers_line(e) => {
                self.unsupported("`__builtin_LINE` for a caller that libclang does not show", e)
            }
            _ => match self.cx.types.is_integer(to.ty).then(|| self.folded(e, to)).flatten() {
                Some(value) => Ok(value),
                None => self.builtin_expression(e),
            },
        }
    }

    /// The value of an expression that folds.
    pub fn folded(&mut self, e: Cursor<'tu>, q: QTy) -> Option<Value> {
        let ir = self.cx.types.ir(q.ty)?;
        match e.evaluate()? {
            Evaluated::Int(v) => Some(self.b.const_bits(ir, constant_bits(Constant::Int(v), ir))),
            Evaluated::Float(f) => Some(self.b.const_bits(ir, constant_bits(Constant::Float(f), ir))),
        }
    }

    /// A node without children: `offsetof`, a type trait, a default argument.
    pub fn childless(&mut self, e: Cursor<'tu>) -> R<Value> {
        let ty = self.cx.type_of(e).ty;
        let Some(ir) = self.cx.types.ir(ty) else {
            return self.unsupported("this expression", e);
        };
        if self.is_callers_line(e) {
            return self.unsupported("`__builtin_LINE` for a caller that libclang does not show", e);
        }
        if self.cx.types.is_arithmetic(ty) {
            match e.evaluate() {
                Some(Evaluated::Int(v)) => {
                    return Ok(self.b.const_bits(ir, constant_bits(Constant::Int(v), ir)));
                }
                Some(Evaluated::Float(f)) => {
                    return Ok(self.b.const_bits(ir, constant_bits(Constant::Float(f), ir)));
                }
                None => {}
            }
        }
        // Value-initialisation has no place of its own in `member()`, and is `T()` elsewhere.
        if self.is_value_initialization(e) {
            return self.zero(ty, e);
        }
        match e.tokens(self.cx.unit).first() {
            Some(name) if name.starts_with("__builtin_") => {
                self.unsupported(format!("the builtin `{name}`"), e)
            }
            _ => self.unsupported("this expression", e),
        }
    }

    /// Whether a node is `__builtin_LINE()` or its like outside of the function being lowered: in a default argument or
    /// a member's initialiser, where it is the caller's.
    fn is_callers_line(&mut self, e: Cursor<'tu>) -> bool {
        let range = e.range().start;
        let Some(file) = range.file else { return false };
        let around = self.decl.definition().unwrap_or(self.decl).range();
        let inside = around.start.file == Some(file)
            && (around.start.offset..around.end.offset).contains(&range.offset);
        let own =
            inside && self.decl.arguments().is_none_or(|p| !p.iter().any(|p| is_within(*p, range.offset)));
        !own && e
            .tokens(self.cx.unit)
            .first()
            .is_some_and(|t| t == "__builtin_LINE" || t == "__builtin_COLUMN")
    }

    /// Whether a node without children value-initialises: an empty pair of parentheses or braces.
    pub fn is_value_initialization(&mut self, e: Cursor<'tu>) -> bool {
        if e.range().start.file.is_none() {
            return true;
        }
        let tokens = e.tokens(self.cx.unit);
        // `__builtin_FILE()` and kin, which stand for their caller's place, are no `T()`.
        if tokens.first().is_some_and(|t| t.starts_with("__builtin_")) {
            return false;
        }
        matches!(tokens.as_slice(), [.., open, close] if open == "(" && close == ")" || open == "{" && close == "}")
    }

    /// The address of a function that an expression names.
    pub fn function_value(&mut self, e: Cursor<'tu>) -> R<Value> {
        let place = self.place(e)?;
        Ok(self.as_pointer(place.ptr, Type::Ptr(Space::Code)))
    }

    pub fn gnu_conditional(&mut self, common: Cursor<'tu>, other: Cursor<'tu>, to: QTy) -> R<Value> {
        let Some(ir) = self.cx.types.ir(to.ty) else {
            return self.unsupported("`?:` without a middle operand on aggregates", common);
        };
        let from = self.cx.type_of(common).ty;
        self.before_arms();
        let value = self.rv(common)?;
        let condition = self.truth(value, from, common)?;
        let kept = self.convert(value, from, to.ty, common)?;
        let kept = if ir.is_ptr() { self.as_pointer(kept, ir) } else { kept };
        let (otherwise, end) = (self.b.make_block(), self.b.make_block());
        let result = self.b.func.append_block_param(end, ir);
        let then = self.b.target(end, &[kept]);
        let no = self.b.target(otherwise, &[]);
        self.b.branch_with(condition, then, no);
        self.b.switch_to(otherwise);
        self.begin_arms();
        self.conditional += 1;
        let value = self.rv_as(other, to.ty)?;
        let value = if ir.is_ptr() { self.as_pointer(value, ir) } else { value };
        self.conditional -= 1;
        self.end_arms();
        self.b.jump(end, &[value]);
        self.b.switch_to(end);
        Ok(result)
    }

    pub fn conditional(&mut self, e: Cursor<'tu>) -> R<Value> {
        let exprs = e.expressions();
        let &[condition, yes, no] = exprs.as_slice() else {
            return self.internal("a conditional of unknown shape", e);
        };
        let ty = self.cx.type_of(e).ty;
        if matches!(self.cx.types.kind(ty), Kind::Void) {
            return self.internal("a value of a void conditional", e);
        }
        if self.cx.types.element(ty).is_some() || matches!(self.cx.types.kind(ty), Kind::Function(_)) {
            let place = self.place(e)?;
            return Ok(place.ptr);
        }
        let Some(ir) = self.cx.types.ir(ty) else {
            return self.unsupported("a conditional of this type", e);
        };
        let (then, other, end) = (self.b.make_block(), self.b.make_block(), self.b.make_block());
        let result = self.b.func.append_block_param(end, ir);
        self.before_arms();
        self.branch_on(condition, then, other)?;
        self.begin_arms();
        self.conditional += 1;
        for (block, arm) in [(then, yes), (other, no)] {
            self.b.switch_to(block);
            let value = self.arm(arm, ty)?;
            if let Some(value) = value {
                let value = if ir.is_ptr() { self.as_pointer(value, ir) } else { value };
                self.b.jump(end, &[value]);
            }
        }
        self.conditional -= 1;
        self.end_arms();
        self.b.switch_to(end);
        Ok(result)
    }

    /// One arm of a conditional; `None` for one that throws.
    pub fn arm(&mut self, arm: Cursor<'tu>, ty: Ty) -> R<Option<Value>> {
        let from = self.cx.type_of(arm).ty;
        if matches!(self.cx.types.kind(from), Kind::Void) {
            if let Err(fault) = self.discard(arm) {
                self.fault(*fault);
            }
            if !self.b.is_unreachable() {
                self.b.trap(cudair_ir::TrapCode::Unreachable);
            }
            return Ok(None);
        }
        self.rv_as(arm, ty).map(Some)
    }

    /// The value of the last expression of `({ … })`, in `dst` where it is an aggregate.
    pub fn statement_expression(&mut self, e: Cursor<'tu>, dst: Option<Value>) -> R<Option<Value>> {
        let Some(body) = e.children().into_iter().find(|c| c.kind() == CursorKind::CompoundStmt) else {
            return self.internal("a statement expression without a body", e);
        };
        let q = self.cx.type_of(e);
        let keep = self.cleanups.len();
        self.path.push((body.id(), keep));
        let children = body.children();
        let is_void = matches!(self.cx.types.kind(q.ty), Kind::Void);
        let mut value = None;
        for (i, &child) in children.iter().enumerate() {
            if i + 1 < children.len() || is_void {
                self.stmt(child);
                continue;
            }
            // The last statement, under labels perhaps, is the value.
            let mut last = child;
            while last.kind() == CursorKind::LabelStmt {
                self.stmt_label_only(last)?;
                match last.children().last() {
                    Some(&inner) => last = inner,
                    None => break,
                }
            }
            if self.cx.types.is_aggregate(q.ty) {
                let align = self.cx.types.align(q.ty);
                match dst {
                    Some(dst) => self.init_object(dst, align, q, last)?,
                    None => self.discard(last)?,
                }
            } else {
                value = Some(self.rv_as(last, q.ty)?);
            }
        }
        self.path.pop();
        self.pop_cleanups(keep);
        Ok(value)
    }

    pub fn stmt_label_only(&mut self, s: Cursor<'tu>) -> R<()> {
        let block = self.label_block(s);
        if !self.b.is_unreachable() {
            self.b.jump(block, &[]);
        }
        self.b.switch_to(block);
        Ok(())
    }

    pub fn label_address(&mut self, e: Cursor<'tu>) -> R<Value> {
        let label = e
            .children()
            .into_iter()
            .find(|c| c.kind() == CursorKind::LabelRef)
            .and_then(|c| c.referenced())
            .and_then(|l| self.labels.get(&l.id()))
            .map(|l| l.block.as_u32());
        let Some(number) = label else {
            return self.unsupported("the address of this label", e);
        };
        let bits = self.b.iconst(Type::I64, i128::from(number));
        Ok(self.b.cast(CastOp::Inttoptr, Type::GENERIC_PTR, bits))
    }

    /// The argument list of a node that is `va_arg`. The type may bring expressions of its own.
    pub fn va_arg_list(&mut self, e: Cursor<'tu>) -> Option<Cursor<'tu>> {
        if e.kind() != CursorKind::UnexposedExpr {
            return None;
        }
        let last = e.expressions().last().copied()?;
        self.is_va_arg(e, last).then_some(last)
    }

    /// Whether an unexposed node is `va_arg`: its child is an argument list, its type something else.
    pub fn is_va_arg(&mut self, e: Cursor<'tu>, inner: Cursor<'tu>) -> bool {
        let from = self.cx.type_of(inner).ty;
        if !self.is_va_list(from) {
            return false;
        }
        let to = self.cx.type_of(e).ty;
        if self.is_va_list(to) {
            return false;
        }
        match self.cx.types.kind(to) {
            // An argument list converts to pointers and truth values only.
            Kind::Bool | Kind::Pointer(_) => {
                // An implicit cast has the extent of its operand; the macro call is wider than its
                // argument.
                let (whole, part) = (e.range(), inner.range());
                (whole.start, whole.end) != (part.start, part.end)
            }
            _ => true,
        }
    }

    pub fn is_va_list(&self, ty: Ty) -> bool {
        let record = match self.cx.types.kind(ty) {
            Kind::Record(id) => Some(*id),
            Kind::Pointer(q) => self.cx.types.as_record(q.ty),
            Kind::Array { elem, .. } => self.cx.types.as_record(elem.ty),
            _ => None,
        };
        record.is_some_and(|id| self.cx.types.record(id).decl.spelling() == "__va_list_tag")
    }

    pub fn va_arg(&mut self, e: Cursor<'tu>, list: Cursor<'tu>) -> R<Value> {
        let list = self.va_list_pointer(list)?;
        let ty = self.cx.type_of(e).ty;
        let Some(ir) = self.cx.types.ir(ty) else {
            return self.internal("va_arg of an aggregate as a scalar", e);
        };
        Ok(self.b.va_arg(ir, list))
    }

    /// The address of an argument list.
    pub fn va_list_pointer(&mut self, e: Cursor<'tu>) -> R<Value> {
        let ty = self.cx.type_of(e).ty;
        if self.cx.types.is_pointer(ty) {
            return self.rv(e);
        }
        self.place(e).map(|p| p.ptr)
    }

    /// The address of an aggregate that `va_arg` reads.
    pub fn va_arg_aggregate(&mut self, list: Cursor<'tu>) -> R<Value> {
        let list = self.va_list_pointer(list)?;
        Ok(self.b.va_arg(Type::GENERIC_PTR, list))
    }

    /// Logical not.
    pub fn not(&mut self, value: Value) -> Value {
        self.b.unary(UnaryOp::Inot, value)
    }

    /// The pointer that `this` is, as a place.
    pub fn this_place(&mut self, at: Cursor<'tu>) -> R<super::lvalue::Place> {
        if let Some(place) = self.captured_this(at)? {
            return Ok(place);
        }
        let (Some(slot), Some(class)) = (self.this, self.class) else {
            return self.internal("`this` outside a member function", at);
        };
        let address = self.b.slot_addr(slot);
        let ptr = self.b.load(Type::GENERIC_PTR, address, MemFlags::aligned(8));
        Ok(super::lvalue::Place::new(ptr, self.cx.types.align(class), QTy::plain(class)))
    }
}

/// Whether a place of a cursor's file lies in its text.
fn is_within(cursor: Cursor<'_>, offset: u32) -> bool {
    let range = cursor.range();
    (range.start.offset..range.end.offset).contains(&offset)
}
