//! Constructions that initialiser lists hide.
//!
//! libclang shows lists as they are written, so that in `T list[] = {7, {3, 4}};` the constructors that make
//! the elements are not named. Which one it is, is found here by the rules of overload resolution
//! (C++17 §16.3), as far as lists need them; where two constructors would do, that is an error by name.

use super::cleanup::CleanupPlace;
use super::func::FnLower;
use super::types::{Kind, QTy, RecId, Ty};
use super::{Cx, R};
use crate::clang::{Cursor, CursorKind, TypeKind};
use cudair_ir::{Type, Value};

/// How well an argument fits a parameter; lower is better.
type Rank = u32;

const EXACT: Rank = 0;
/// A temporary bound to a reference to const, where one to an rvalue would do too, or a qualification.
const ADJUSTED: Rank = 1;
const PROMOTION: Rank = 4;
const CONVERSION: Rank = 8;
/// A conversion to `bool` or to a base class further up is worse than others of its kind.
const WORSE_CONVERSION: Rank = 9;
const USER: Rank = 32;

impl<'tu> Cx<'tu, '_> {
    /// Whether a list for the class calls a constructor instead of setting its members.
    pub fn is_constructed(&mut self, class: RecId) -> bool {
        if !self.cxx || self.types.record(class).is_union {
            return false;
        }
        let name = self.types.record(class).decl.spelling();
        self.is_dynamic(class)
            || self.methods(class).iter().any(|m| match m.kind() {
                CursorKind::Constructor => !m.is_defaulted(),
                CursorKind::FunctionTemplate => m.spelling() == name,
                _ => false,
            })
            // A class that is itself an instance shows what was made of its constructor templates alone.
            || self.constructors(class).iter().any(|c| !c.is_defaulted())
    }

    /// Whether `e`, an element of a list as it is written, becomes an object of class type `ty` by a
    /// constructor that is not shown.
    pub fn is_hidden_construction(&mut self, ty: Ty, e: Cursor<'tu>) -> bool {
        let Some(class) = self.types.as_record(ty).filter(|_| self.cxx) else { return false };
        let inner = self.peel_init(e);
        if inner.kind() == CursorKind::InitListExpr {
            return self.is_constructed(class);
        }
        let from = self.type_of(e);
        let from = self.types.strip_reference(from).ty;
        from != ty && !self.is_base(from, class) && self.is_constructed(class)
    }

    /// Is the class `base` one of the bases of the class `derived`?
    pub fn is_base(&mut self, derived: Ty, base: RecId) -> bool {
        self.types.as_record(derived).is_some_and(|d| self.base_path(d, base).is_some())
    }

    /// The constructor of `class` that these arguments call; `None` where there is none or more than one.
    fn constructor_for(&mut self, class: RecId, args: &[Cursor<'tu>], nested: bool) -> Option<Cursor<'tu>> {
        let mut best: Option<(Vec<Rank>, Cursor<'tu>)> = None;
        let mut tied = false;
        for ctor in self.constructors(class) {
            let Some(ranks) = self.ranks(ctor, args, nested) else { continue };
            match &best {
                None => best = Some((ranks, ctor)),
                Some((old, _)) => {
                    let better = ranks.iter().zip(old).any(|(a, b)| a < b);
                    let worse = ranks.iter().zip(old).any(|(a, b)| a > b);
                    match (better, worse) {
                        (true, false) => {
                            best = Some((ranks, ctor));
                            tied = false;
                        }
                        (false, true) => {}
                        _ => {
                            // A function that is no template goes first.
                            let (old_made, new_made) = (
                                best.as_ref().is_some_and(|(_, c)| c.specialized_template().is_some()),
                                ctor.specialized_template().is_some(),
                            );
                            match (old_made, new_made, better) {
                                (true, false, false) => best = Some((ranks, ctor)),
                                (false, true, false) => {}
                                _ => tied = true,
                            }
                        }
                    }
                }
            }
        }
        best.filter(|_| !tied).map(|(_, ctor)| ctor)
    }

    /// The constructors that can be called.
    fn constructors(&mut self, class: RecId) -> Vec<Cursor<'tu>> {
        let mut all = self.methods(class);
        // Those made from templates are not among the class's members.
        let record = self.types.record(class);
        let (decl, name) = (record.decl, record.decl.spelling());
        all.extend(
            self.instances(&name)
                .into_iter()
                .filter(|c| c.semantic_parent().is_some_and(|p| p.canonical().id() == decl.canonical().id())),
        );
        // Those of a template's instance may be among both.
        let mut known = rustc_hash::FxHashSet::default();
        all.retain(|m| {
            m.kind() == CursorKind::Constructor && !m.is_deleted() && known.insert(m.canonical().id())
        });
        all
    }

    /// How each argument fits; `None` where the constructor cannot be called with them.
    fn ranks(&mut self, ctor: Cursor<'tu>, args: &[Cursor<'tu>], nested: bool) -> Option<Vec<Rank>> {
        let q = self.types.of(ctor.ty());
        let params = self.types.function(q.ty)?.params.clone();
        let declared = ctor.arguments().unwrap_or_default();
        if args.len() > params.len() {
            return None;
        }
        // The rest must have defaults.
        let template = ctor.specialized_template();
        for index in args.len()..params.len() {
            let has =
                |c: Cursor<'tu>| c.arguments().is_some_and(|a| a.get(index).is_some_and(|p| has_default(*p)));
            if !has(ctor) && !has(ctor.canonical()) && !template.is_some_and(has) {
                return None;
            }
        }
        let mut ranks = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            let rvalue_reference =
                declared.get(index).is_some_and(|p| p.ty().canonical().kind() == TypeKind::RValueReference);
            ranks.push(self.rank(params[index], rvalue_reference, arg, nested)?);
        }
        Some(ranks)
    }

    /// As [`Cx::peel_init`], but that `T{…}` is an object of its type, no list.
    fn peel_list(&self, e: Cursor<'tu>) -> Cursor<'tu> {
        let mut at = e;
        loop {
            match (at.kind(), at.expressions().as_slice()) {
                (CursorKind::CXXFunctionalCastExpr, _) => return e,
                (CursorKind::ParenExpr | CursorKind::UnexposedExpr, [one]) => at = *one,
                _ => return self.peel_init(e),
            }
        }
    }

    /// How an argument fits a parameter. `nested`: the argument is itself converted by a constructor's
    /// list, so that another conversion of the user's is not looked for.
    fn rank(&mut self, param: QTy, rvalue: bool, arg: Cursor<'tu>, nested: bool) -> Option<Rank> {
        let inner = self.peel_list(arg);
        let reference = matches!(self.types.kind(param.ty), Kind::Reference(_));
        let target = self.types.strip_reference(param);
        if inner.kind() == CursorKind::InitListExpr {
            if reference && !rvalue && !target.is_const {
                return None;
            }
            return self.rank_list(target.ty, inner, nested);
        }
        let from = self.type_of(arg);
        let from = self.types.strip_reference(from);
        let object = names_object(arg);
        if reference {
            if rvalue && object && (from.ty == target.ty || self.reaches_base(from.ty, target.ty)) {
                return None;
            }
            if !rvalue && !target.is_const && (!object || from.ty != target.ty) {
                return None;
            }
        }
        let binding = if reference && !rvalue && target.is_const && (!object || !from.is_const) {
            ADJUSTED
        } else {
            EXACT
        };
        if from.ty == target.ty {
            return Some(binding);
        }
        if self.reaches_base(from.ty, target.ty) {
            return Some(CONVERSION + binding);
        }
        if let Some(class) = self.types.as_record(target.ty) {
            if nested {
                return None;
            }
            return self.constructor_for(class, &[arg], true).map(|_| USER);
        }
        self.rank_scalar(target.ty, from, arg).map(|rank| rank + binding)
    }

    fn reaches_base(&mut self, derived: Ty, base: Ty) -> bool {
        self.types.as_record(base).is_some_and(|b| self.is_base(derived, b))
    }

    fn rank_scalar(&mut self, target: Ty, from: QTy, arg: Cursor<'tu>) -> Option<Rank> {
        let decayed = self.types.decayed(from).ty;
        let (to, is) = (self.types.kind(target).clone(), self.types.kind(decayed).clone());
        Some(match (to, is) {
            _ if decayed == target => EXACT,
            (Kind::Int { bits: 32, .. }, Kind::Bool | Kind::Int { bits: ..32, .. }) => PROMOTION,
            (Kind::Float(Type::F64), Kind::Float(Type::F32)) => PROMOTION,
            (Kind::Bool, Kind::Int { .. } | Kind::Float(_)) => CONVERSION,
            (Kind::Bool, Kind::Pointer(_)) => WORSE_CONVERSION,
            (Kind::Int { .. } | Kind::Float(_), Kind::Bool | Kind::Int { .. } | Kind::Float(_)) => CONVERSION,
            (Kind::Pointer(to), Kind::Pointer(from)) => {
                let base = self.reaches_base(from.ty, to.ty);
                if to.ty == from.ty {
                    if to.is_const || !from.is_const { ADJUSTED } else { return None }
                } else if base {
                    CONVERSION
                } else if matches!(self.types.kind(to.ty), Kind::Void) {
                    WORSE_CONVERSION
                } else {
                    return None;
                }
            }
            (Kind::Pointer(_), Kind::NullPtr) => CONVERSION,
            (Kind::Pointer(_), Kind::Int { .. }) if is_zero(arg) => CONVERSION,
            _ => return None,
        })
    }

    fn rank_list(&mut self, target: Ty, list: Cursor<'tu>, nested: bool) -> Option<Rank> {
        let args = list.expressions();
        let Some(class) = self.types.as_record(target) else {
            return match args.as_slice() {
                [] => Some(EXACT),
                [one] => self.rank(QTy::plain(target), false, *one, nested),
                _ => None,
            };
        };
        if let Some(elem) = self.list_element(class) {
            let mut worst = EXACT;
            for arg in args {
                worst = worst.max(self.rank(QTy::plain(elem), false, arg, false)?);
            }
            return Some(worst);
        }
        if !self.is_constructed(class) {
            // Members and bases; where a brace is left out there are more elements than members.
            let bases = self.types.bases(class);
            let mut members: Vec<Ty> = bases.iter().flat_map(|b| b.iter()).map(|b| b.ty).collect();
            members.extend(self.types.fields(class).iter().map(|f| f.ty.ty));
            if args.len() > members.len() {
                return None;
            }
            for (member, arg) in members.into_iter().zip(args) {
                self.rank(QTy::plain(member), false, arg, false)?;
            }
            return Some(USER);
        }
        if args.is_empty() && self.constructors(class).iter().any(|c| c.is_default_constructor()) {
            return Some(USER);
        }
        if self.list_constructor(class, &args).is_some() {
            return Some(USER);
        }
        self.constructor_for(class, &args, false).map(|_| USER)
    }

    /// `T` of `std::initializer_list<T>`.
    pub fn list_element(&mut self, class: RecId) -> Option<Ty> {
        let record = self.types.record(class);
        if record.decl.spelling() != "initializer_list" {
            return None;
        }
        let fields = self.types.fields(class);
        let first = fields.first()?.ty.ty;
        self.types.pointee(first).map(|q| q.ty)
    }

    /// The constructor that takes all of the list as a `std::initializer_list`, with the type of its elements.
    fn list_constructor(&mut self, class: RecId, args: &[Cursor<'tu>]) -> Option<(Cursor<'tu>, QTy, Ty)> {
        for ctor in self.constructors(class) {
            let q = self.types.of(ctor.ty());
            let Some(&first) = self.types.function(q.ty).and_then(|f| f.params.first().copied()).as_ref()
            else {
                continue;
            };
            let view = self.types.strip_reference(first);
            let Some(elem) = self.types.as_record(view.ty).and_then(|c| self.list_element(c)) else {
                continue;
            };
            let mut fits = true;
            for &arg in args {
                fits = fits && self.rank(QTy::plain(elem), false, arg, false).is_some();
            }
            if fits {
                return Some((ctor, view, elem));
            }
        }
        None
    }
}

fn has_default(param: Cursor<'_>) -> bool {
    !param.expressions().is_empty()
}

/// Whether an expression is an lvalue: it names an object that goes on existing.
fn names_object(mut e: Cursor<'_>) -> bool {
    loop {
        match e.kind() {
            CursorKind::DeclRefExpr => {
                return e.referenced().is_none_or(|d| d.kind() != CursorKind::EnumConstantDecl);
            }
            CursorKind::MemberRefExpr | CursorKind::ArraySubscriptExpr | CursorKind::StringLiteral => {
                return true;
            }
            CursorKind::UnaryOperator => {
                return e.unary_operator() == clang_sys::CXUnaryOperator_Deref;
            }
            CursorKind::CallExpr => {
                return e.referenced().is_some_and(|f| {
                    f.ty().canonical().result().canonical().kind() == TypeKind::LValueReference
                });
            }
            CursorKind::ParenExpr | CursorKind::UnexposedExpr => match e.expressions().as_slice() {
                [one] => e = *one,
                _ => return false,
            },
            _ => return false,
        }
    }
}

fn is_zero(e: Cursor<'_>) -> bool {
    e.kind() == CursorKind::IntegerLiteral && matches!(e.evaluate(), Some(crate::clang::Evaluated::Int(0)))
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Makes the object of class type `q` at `dst` from `e`, an element of a list as it is written.
    pub fn hidden_construct(&mut self, dst: Value, q: QTy, e: Cursor<'tu>) -> R<()> {
        let Some(class) = self.cx.types.as_record(q.ty) else {
            return self.internal("a list's constructor of no class", e);
        };
        let same = self.cx.type_of(e).ty == q.ty;
        let inner = if same { self.cx.peel_init(e) } else { self.cx.peel_list(e) };
        let braced = inner.kind() == CursorKind::InitListExpr;
        let args: Vec<_> = if braced { inner.expressions().into_iter().collect() } else { vec![e] };
        if braced && let Some(elem) = self.cx.list_element(class) {
            let lives = self.extended.contains(&inner.id());
            return self.std_list_of(dst, q, QTy::plain(elem), &args, lives, inner);
        }
        if args.is_empty() && self.cx.constructors(class).iter().any(|c| c.is_default_constructor()) {
            return self.value_construct(dst, q, class, e);
        }
        if braced && let Some((ctor, view, elem)) = self.cx.list_constructor(class, &args) {
            let object = self.generic(dst);
            let slot = self.temp_slot(view.ty, e)?;
            let place = self.b.slot_addr(slot);
            self.std_list_of(place, view, QTy::plain(elem), &args, false, e)?;
            let view = self.b.slot_addr(slot);
            return self.call_constructor(dst, q, ctor, vec![object, view], e);
        }
        let Some(ctor) = self.cx.constructor_for(class, &args, false) else {
            let name = self.cx.types.name(q.ty);
            return self
                .unsupported(format!("this list for {name}, whose constructor libclang does not show"), e);
        };
        let copies = ctor.is_copy_constructor() || ctor.is_move_constructor();
        if let ([one], true) = (args.as_slice(), copies) {
            return self.construct(dst, q, ctor, &[*one], e);
        }
        let fn_q = self.cx.types.of(ctor.ty());
        let params = self.cx.types.function(fn_q.ty).map(|f| f.params.clone()).unwrap_or_default();
        let mut values = vec![self.generic(dst)];
        for (&arg, &param) in args.iter().zip(&params) {
            values.push(self.hidden_argument(arg, param)?);
        }
        self.call_constructor(dst, q, ctor, values, e)
    }

    /// `T{}`: zeros where no constructor of the user's runs, then the default constructor.
    fn value_construct(&mut self, dst: Value, q: QTy, class: RecId, e: Cursor<'tu>) -> R<()> {
        let provided =
            self.cx.constructors(class).iter().any(|c| c.is_default_constructor() && !c.is_defaulted());
        if !provided {
            let align = self.cx.types.align(q.ty);
            self.zero_object(dst, align, q, e)?;
        }
        self.default_construct(dst, q.ty, e)
    }

    /// An argument whose conversion to the parameter's type is not shown.
    fn hidden_argument(&mut self, arg: Cursor<'tu>, param: QTy) -> R<Value> {
        let target = self.cx.types.strip_reference(param);
        let from = self.cx.type_of(arg);
        let from = self.cx.types.strip_reference(from);
        let listed = self.cx.peel_list(arg).kind() == CursorKind::InitListExpr;
        let derived = self.cx.reaches_base(from.ty, target.ty);
        if !listed && (from.ty == target.ty || derived) || target.ty == param.ty {
            return self.argument(arg, Some(param), None, 0);
        }
        // A reference to a temporary of the parameter's type.
        let slot = self.temp_slot(target.ty, arg)?;
        let ptr = self.b.slot_addr(slot);
        let align = self.cx.types.align(target.ty);
        self.init_object(ptr, align, QTy::plain(target.ty), arg)?;
        self.register_destructor(target.ty, CleanupPlace::Slot(slot), arg)?;
        let ptr = self.b.slot_addr(slot);
        Ok(self.pointer_for(ptr, param.ty))
    }
}
