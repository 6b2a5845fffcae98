//! Expressions from cursors.

use super::stmt::label_of;
use crate::ast::{
    Ast, BinaryOp, Broken, Cast, CastKind, Delete, Designated, Designator, Ex, Expr, ExprKind, Lambda,
    Member, Name, SizeOf, Typeid, UnaryOp,
};
use crate::clang::{Children, Cursor, CursorKind, Evaluated};
use crate::recover::{self, Begins};
use crate::types::{Decl, Kind, QTy};
use cudair_ir::Type;

/// How deep expressions and statements may nest before the lowering gives up on them. It runs on a stack that holds
/// this many frames with room to spare.
const MAX_DEPTH: u32 = 20_000;

impl<'tu> Ast<'tu> {
    /// The tree of an expression.
    pub(in crate::ast) fn expr(&mut self, e: Cursor<'tu>) -> Ex<'tu> {
        let q = self.type_of(e);
        let kind = if self.too_deep() {
            ExprKind::Fault(self.nested_too_deep())
        } else {
            self.expr_kind(e, q).unwrap_or_else(|broken| ExprKind::Fault(self.arena.alloc(broken)))
        };
        self.depth -= 1;
        self.node(e, q, kind)
    }

    /// Every node of an expression is made here.
    pub(super) fn node(&mut self, e: Cursor<'tu>, q: QTy, kind: ExprKind<'tu>) -> Ex<'tu> {
        let made = self.arena.alloc(Expr::new(e, q, kind));
        if self.tokens.are_asked_for() {
            self.tokens.begins(made.start());
        }
        made
    }

    pub(super) fn exprs(&mut self, list: &[Cursor<'tu>]) -> &'tu [Ex<'tu>] {
        let made: Vec<Ex<'tu>> = list.iter().map(|&e| self.expr(e)).collect();
        self.arena.alloc_slice_copy(&made)
    }

    /// Counts nesting: whether there is too much of it.
    pub(super) fn too_deep(&mut self) -> bool {
        self.depth += 1;
        self.depth > MAX_DEPTH
    }

    pub(super) fn nested_too_deep(&self) -> &'tu Broken {
        self.arena.alloc(Broken::unsupported("code nested this deep"))
    }

    fn text(&self, text: &str) -> &'tu str {
        self.arena.alloc_str(text)
    }

    fn expr_kind(&mut self, e: Cursor<'tu>, q: QTy) -> Result<ExprKind<'tu>, Broken> {
        Ok(match e.kind() {
            CursorKind::UnexposedExpr => return self.unexposed(e, q),
            CursorKind::DeclRefExpr => self.name(e),
            CursorKind::MemberRefExpr => self.member(e),
            CursorKind::CallExpr => return self.call(e),
            CursorKind::FloatingLiteral if matches!(self.types.kind(q.ty), Kind::Float(Type::F80)) => {
                ExprKind::Extended(self.long_double(e)?)
            }
            CursorKind::IntegerLiteral
            | CursorKind::CharacterLiteral
            | CursorKind::CXXBoolLiteralExpr
            | CursorKind::FloatingLiteral
            | CursorKind::SizeOfPackExpr
            | CursorKind::ConceptSpecializationExpr
            | CursorKind::RequiresExpr => ExprKind::Literal,
            CursorKind::CXXNullPtrLiteralExpr | CursorKind::GNUNullExpr => ExprKind::Null,
            CursorKind::UnaryExpr => self.size_of(e)?,
            CursorKind::ParenExpr => ExprKind::Paren(self.first(e, "empty parentheses")?),
            CursorKind::ArraySubscriptExpr => self.subscript(e)?,
            CursorKind::StringLiteral => ExprKind::String(self.text(&e.spelling())),
            CursorKind::CompoundLiteralExpr => {
                ExprKind::CompoundLiteral(self.last(e, "a compound literal without an initialiser")?)
            }
            CursorKind::UnaryOperator => {
                let operand = self.first(e, "a unary operator without an operand")?;
                ExprKind::Unary(UnaryOp::new(e.unary_operator()), operand)
            }
            CursorKind::BinaryOperator | CursorKind::CompoundAssignOperator => {
                let &[left, right] = e.expressions().as_slice() else {
                    return Err(Broken::internal("a binary operator of unknown shape"));
                };
                let (op, left, right) =
                    (BinaryOp::new(e.binary_operator()), self.expr(left), self.expr(right));
                if e.kind() == CursorKind::BinaryOperator {
                    ExprKind::Binary(op, left, right)
                } else {
                    ExprKind::CompoundAssign(op, left, right)
                }
            }
            CursorKind::ConditionalOperator => {
                let &[condition, yes, no] = e.expressions().as_slice() else {
                    return Err(Broken::internal("a conditional of unknown shape"));
                };
                ExprKind::Conditional {
                    condition: self.expr(condition),
                    yes: self.expr(yes),
                    no: self.expr(no),
                }
            }
            CursorKind::CStyleCastExpr => self.cast(e, CastKind::C)?,
            CursorKind::CXXFunctionalCastExpr => self.cast(e, CastKind::Functional)?,
            CursorKind::CXXStaticCastExpr => self.cast(e, CastKind::Static)?,
            CursorKind::CXXReinterpretCastExpr => self.cast(e, CastKind::Reinterpret)?,
            CursorKind::CXXConstCastExpr => self.cast(e, CastKind::Const)?,
            CursorKind::CXXDynamicCastExpr => {
                ExprKind::DynamicCast(self.last(e, "a cast without an operand")?)
            }
            CursorKind::BuiltinBitCastExpr => ExprKind::BitCast(self.last(e, "a cast without an operand")?),
            CursorKind::StmtExpr => {
                let Some(body) = e.children().into_iter().find(|c| c.kind() == CursorKind::CompoundStmt)
                else {
                    return Err(Broken::internal("a statement expression without a body"));
                };
                ExprKind::Statement(self.stmt(body))
            }
            CursorKind::GenericSelectionExpr => {
                let chosen = self.generic_choice(e)?;
                ExprKind::Chosen(self.expr(chosen))
            }
            CursorKind::AddrLabelExpr => ExprKind::LabelAddress(label_of(e)),
            CursorKind::CXXThisExpr => ExprKind::This,
            CursorKind::CXXNewExpr => self.new_expression(e, q)?,
            CursorKind::CXXDeleteExpr => {
                let operand = self.last(e, "a delete expression without an operand")?;
                let recover::DeleteParts { array, global } = self.delete_parts(e)?;
                ExprKind::Delete(self.arena.alloc(Delete { operand, array, global }))
            }
            CursorKind::InitListExpr => ExprKind::List(self.list(e)?),
            CursorKind::CXXThrowExpr => {
                let operand = e.expressions().first().copied();
                ExprKind::Throw(operand.map(|e| self.expr(e)))
            }
            CursorKind::LambdaExpr => ExprKind::Lambda(Lambda(e)),
            CursorKind::CXXTypeidExpr => ExprKind::Typeid(self.typeid(e)?),
            CursorKind::ImaginaryLiteral => {
                ExprKind::Imaginary(self.first(e, "an imaginary literal without a number")?)
            }
            CursorKind::BlockExpr => return Err(Broken::unsupported("a block")),
            _ => return Err(Broken::unsupported("this expression")),
        })
    }

    fn typeid(&mut self, e: Cursor<'tu>) -> Result<Typeid<'tu>, Broken> {
        let operand = e.children().first().copied().filter(|c| c.kind().is_expression());
        Ok(match operand {
            Some(operand) => Typeid::Object(self.expr(operand)),
            None => {
                let written = self.typeid_type(e)?;
                Typeid::Type(self.arena.alloc(written))
            }
        })
    }

    fn first(&mut self, e: Cursor<'tu>, otherwise: &str) -> Result<Ex<'tu>, Broken> {
        match e.expressions().first() {
            Some(&inner) => Ok(self.expr(inner)),
            None => Err(Broken::internal(otherwise)),
        }
    }

    fn last(&mut self, e: Cursor<'tu>, otherwise: &str) -> Result<Ex<'tu>, Broken> {
        match e.expressions().last() {
            Some(&inner) => Ok(self.expr(inner)),
            None => Err(Broken::internal(otherwise)),
        }
    }

    fn name(&mut self, e: Cursor<'tu>) -> ExprKind<'tu> {
        let decl = e.referenced().map(Decl::new);
        // A template argument shows as a child.
        let argument = e.expressions().last().map(|&inner| self.expr(inner));
        let text = match decl {
            Some(_) => "",
            None => self.text(&e.spelling()),
        };
        ExprKind::Name(Name { decl, argument, text })
    }

    fn member(&mut self, e: Cursor<'tu>) -> ExprKind<'tu> {
        let children = e.children();
        // Template arguments that stand behind the member's name are children too.
        let member = e.referenced().map(Decl::new);
        let object = children.iter().copied().find(|c| c.kind().is_expression());
        let object = object.filter(|o| !e.location().is_before(o.start()));
        // What is no object of a class has no members but a destructor that does nothing.
        let object = object.filter(|&o| {
            let q = self.type_of(o);
            let class = self.types.pointee(q.ty).map_or(q.ty, |p| p.ty);
            member.is_none() || self.types.as_record(class).is_some()
        });
        let made = Member {
            object: object.map(|o| self.expr(o)),
            decl: member,
            name: self.text(&e.spelling()),
            qualified: children.iter().any(|c| c.kind() == CursorKind::TypeRef),
        };
        ExprKind::Member(self.arena.alloc(made))
    }

    fn subscript(&mut self, e: Cursor<'tu>) -> Result<ExprKind<'tu>, Broken> {
        let &[a, b] = e.expressions().as_slice() else {
            return Err(Broken::internal("a subscript of unknown shape"));
        };
        let (a, b) = (self.expr(a), self.expr(b));
        let (base, index) = if self.types.is_integer(a.q.ty) { (b, a) } else { (a, b) };
        Ok(ExprKind::Subscript { base, index })
    }

    fn cast(&mut self, e: Cursor<'tu>, kind: CastKind) -> Result<ExprKind<'tu>, Broken> {
        let Some(&inner) = e.expressions().last() else {
            return Err(Broken::internal("a cast without an operand"));
        };
        Ok(ExprKind::Cast(Cast { kind, operand: self.expr(inner) }))
    }

    /// The elements of a list, each with its designators.
    fn list(&mut self, e: Cursor<'tu>) -> Result<&'tu [Ex<'tu>], Broken> {
        let written = if e.is_list_in_parentheses() { self.in_parentheses(e)? } else { e.expressions() };
        let mut made = Vec::with_capacity(written.len());
        for item in written {
            let designated = item.kind() == CursorKind::UnexposedExpr && {
                let q = self.types.of(item.ty());
                q.ty == self.types.void
            };
            made.push(if designated {
                self.designated(item)
            } else if recover::is_embedded(self.unit, item) {
                self.embedded(item)
            } else {
                self.expr(item)
            });
        }
        Ok(self.arena.alloc_slice_copy(&made))
    }

    /// What `#embed` puts into a list.
    fn embedded(&mut self, item: Cursor<'tu>) -> Ex<'tu> {
        let what = "`#embed` in a list that is more than a string: libclang does not show its bytes";
        let kind = ExprKind::Fault(self.arena.alloc(Broken::unsupported(what)));
        let q = self.type_of(item);
        let made = self.node(item, q, kind);
        made.has_no_value();
        made
    }

    /// The elements of an aggregate's list in parentheses that are written.
    fn in_parentheses(&mut self, e: Cursor<'tu>) -> Result<Children<'tu>, Broken> {
        let mut elements = e.expressions();
        for n in 0..elements.len() {
            if self.is_left_out(e, elements[n], n)? {
                elements.truncate(n);
                break;
            }
        }
        Ok(elements)
    }

    /// Whether a list in parentheses leaves out what its `n`th element stands for. A member without a default initialiser
    /// gets the same either way.
    fn is_left_out(&mut self, list: Cursor<'tu>, element: Cursor<'tu>, n: usize) -> Result<bool, Broken> {
        match recover::begins(self.unit, list, element) {
            Begins::AtEnd => return Ok(true),
            Begins::Inside => return Ok(false),
            Begins::Unclear => {}
        }
        // A default initialiser stands there as a node without parts.
        if element.kind() != CursorKind::UnexposedExpr || !element.children().is_empty() {
            return Ok(false);
        }
        let class = self.type_of(list).ty;
        let Some(class) = self.types.as_record(class) else { return Ok(false) };
        let Some(bases) = self.types.bases(class) else {
            return Err(Broken::internal("an aggregate whose bases are not known"));
        };
        let fields = self.types.fields(class);
        let mut named = fields.iter().filter(|f| f.width.is_none() || !f.name.is_empty());
        let Some(field) = n.checked_sub(bases.len()).and_then(|n| named.nth(n)) else { return Ok(false) };
        if !self.has_field_initializer(field) {
            return Ok(false);
        }
        if matches!(self.types.kind(field.ty.ty), Kind::Record(_) | Kind::Array { .. }) {
            return Ok(true);
        }
        // What is written is `T()`, or another node without parts: its value is all that there is to it.
        let constant = |e: Cursor<'tu>| e.evaluate().filter(|_| recover::has_no_effects(e));
        let default = self.field_initializer_cursor(field).and_then(in_braces);
        match default.filter(|_| self.types.is_arithmetic(field.ty.ty)).and_then(constant) {
            Some(default) if element.evaluate().is_some() => Ok(element.evaluate() == Some(default)),
            _ => Err(Broken::unsupported("a list in parentheses from a macro that may leave members out")),
        }
    }

    fn designated(&mut self, e: Cursor<'tu>) -> Ex<'tu> {
        let q = self.type_of(e);
        let kind = match self.designated_kind(e) {
            Ok(made) => ExprKind::Designated(self.arena.alloc(made)),
            Err(broken) => ExprKind::Fault(self.arena.alloc(broken)),
        };
        self.node(e, q, kind)
    }

    fn designated_kind(&mut self, e: Cursor<'tu>) -> Result<Designated<'tu>, Broken> {
        let children = e.children();
        let Some((&value, parts)) = children.split_last() else {
            return Err(Broken::internal("a designated initialiser without a value"));
        };
        let mut ranges = std::collections::VecDeque::new();
        if parts.iter().filter(|p| p.kind().is_expression()).count() > 1 {
            ranges = self.bracket_ranges(e)?.into();
        }
        let mut designators = Vec::new();
        let mut parts = parts.iter();
        while let Some(&part) = parts.next() {
            if part.kind() == CursorKind::MemberRef {
                match part.referenced() {
                    Some(field) => designators.push(Designator::Field(Decl::new(field))),
                    None => return Err(Broken::internal("a designator without a field")),
                }
            } else if part.kind().is_expression() {
                let first = self.expr(part);
                designators.push(match ranges.pop_front() {
                    Some(true) => match parts.next() {
                        Some(&end) => Designator::Range(first, self.expr(end)),
                        None => return Err(Broken::internal("a range designator without an end")),
                    },
                    _ => Designator::Index(first),
                });
            }
        }
        Ok(Designated { designators, value: self.expr(value) })
    }

    fn size_of(&mut self, e: Cursor<'tu>) -> Result<ExprKind<'tu>, Broken> {
        if let Some(Evaluated::Int(v)) = e.evaluate() {
            return Ok(ExprKind::SizeOf(SizeOf::Known(v)));
        }
        // `sizeof` of a variable length array: of an expression, of a typedef's name, or of a type
        // whose bounds are the children: all from the last to the first, then those up to the last that is no constant.
        match e.children().as_slice() {
            [one] if one.kind().is_expression() => {
                let q = self.type_of(*one);
                if self.types.contains_vla(q.ty) {
                    return Ok(ExprKind::SizeOf(SizeOf::Declared(q.ty)));
                }
            }
            [one] if one.kind() == CursorKind::TypeRef => {
                if let Some(decl) = one.referenced() {
                    let q = self.types.of(decl.typedef_underlying());
                    if self.types.contains_vla(q.ty) {
                        return Ok(ExprKind::SizeOf(SizeOf::Declared(q.ty)));
                    }
                }
            }
            _ => {}
        }
        let unknown = || Broken::unsupported("sizeof of this type");
        let (ty, bounds) = self.written_element(e).ok_or_else(unknown)?;
        let mut shown: Vec<_> = e.expressions().into_iter().collect();
        let again = shown.split_off(bounds.min(shown.len()));
        shown.reverse();
        let is_again = again.len() <= bounds && again.iter().zip(&shown).all(|(a, b)| a.start() == b.start());
        if shown.len() != bounds || again.is_empty() || !is_again {
            return Err(unknown());
        }
        let bounds = self.exprs(&shown);
        Ok(ExprKind::SizeOf(SizeOf::Written(ty, bounds)))
    }
}

/// The value in a pair of braces, or the initialiser itself.
fn in_braces(init: Cursor<'_>) -> Option<Cursor<'_>> {
    match (init.kind(), init.expressions().as_slice()) {
        (CursorKind::InitListExpr, [one]) if one.kind() != CursorKind::InitListExpr => Some(*one),
        (CursorKind::InitListExpr, _) => None,
        _ => Some(init),
    }
}
