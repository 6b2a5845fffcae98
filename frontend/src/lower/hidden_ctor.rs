//! Constructions that initialiser lists hide.
//!
//! libclang shows lists as they are written, so that in `T list[] = {7, {3, 4}};` the constructors that make
//! the elements are not named. Which one it is, is found here by the rules of overload resolution
//! (C++17 §16.3), as far as lists need them; where two constructors would do, that is an error by name.

use super::func::FnLower;
use super::func::cleanups::CleanupPlace;
use super::init::{peel_init, string_literal};
use super::{At, Cx, R};
use crate::ast::{Cast, CastKind, Ex, ExprKind, UnaryOp};
use crate::clang::{Type as ClangType, TypeKind};
use crate::recover::{self, Conversion};
use crate::types::{Decl, DeclKind};
use crate::types::{Kind, QTy, RecId, Ty};
use cudair_ir::{Type, Value};

/// How well an argument fits a parameter; lower is better.
pub(super) type Rank = u32;

const EXACT: Rank = 0;
/// A temporary bound to a reference to const, where one to an rvalue would do too, or a qualification.
const ADJUSTED: Rank = 1;
const PROMOTION: Rank = 4;
const CONVERSION: Rank = 8;
/// What each step up to a base class adds to a conversion.
const STEP: Rank = 2;
/// A conversion of a pointer to `void*` is worse than one to any base class.
const TO_VOID: Rank = 1 << 12;
/// One to `bool` is worse than any other of a pointer.
const TO_BOOL: Rank = 1 << 13;
const USER: Rank = 1 << 16;
/// An argument for `...`.
const ELLIPSIS: Rank = 1 << 20;
/// A string literal as a pointer to what is not const: C++11 has no such conversion, and clang takes it where nothing else fits.
const DEPRECATED: Rank = 1 << 21;

/// A constructor that takes a list, the type of its parameter, and that of the list's elements.
type TakesList<'tu> = (Decl<'tu>, QTy, Ty);

/// Several functions fit alike.
struct Tied;

impl<'tu> Cx<'tu, '_> {
    /// Whether a list for the class calls a constructor instead of setting its members.
    pub fn is_constructed(&mut self, class: RecId) -> bool {
        if !self.ast.cxx || self.ast.types.record(class).is_union {
            return false;
        }
        let name = self.ast.types.record(class).decl.spelling();
        self.is_dynamic(class)
            || self.ast.methods(class).iter().any(|m| match m.kind() {
                DeclKind::Constructor => !m.is_defaulted(),
                DeclKind::FunctionTemplate => m.spelling() == name,
                _ => false,
            })
            // A class that is itself an instance shows what was made of its constructor templates alone.
            || self.ast.constructors(class).iter().any(|c| !c.is_defaulted())
    }

    /// Whether `e`, an element of a list as it is written, becomes an object of class type `ty` by a
    /// constructor that is not shown.
    pub fn is_hidden_construction(&mut self, ty: Ty, e: Ex<'tu>) -> bool {
        let Some(class) = self.ast.types.as_record(ty).filter(|_| self.ast.cxx) else { return false };
        let inner = peel_init(e);
        if inner.is_list() {
            return self.is_constructed(class);
        }
        let from = e.q;
        let from = self.ast.types.strip_reference(from).ty;
        from != ty && !self.is_base(from, class) && self.is_constructed(class)
    }

    /// Is the class `base` one of the bases of the class `derived`?
    pub fn is_base(&mut self, derived: Ty, base: RecId) -> bool {
        self.ast.types.as_record(derived).is_some_and(|d| self.base_path(d, base).is_some())
    }

    /// The constructor of `class` that these arguments call; `None` where there is none or more than one.
    fn constructor_for(&mut self, class: RecId, args: &[Ex<'tu>], nested: bool) -> Option<Decl<'tu>> {
        let mut best: Option<(Vec<Rank>, Decl<'tu>)> = None;
        let mut tied = false;
        // The elements of a list are copies of what initialises them, which explicit constructors do not make.
        for ctor in self.ast.constructors(class).into_iter().filter(|c| !c.is_explicit()) {
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
        let (ranks, ctor) = best.filter(|_| !tied)?;
        // Conversion functions of classes are not looked at: what is worse than one of these may be the wrong choice.
        let unclear = ranks.iter().zip(args).any(|(rank, arg)| *rank >= USER && self.converts(arg.q));
        (!unclear).then_some(ctor)
    }

    /// Whether a class or a base of it has conversion functions.
    fn converts(&mut self, q: QTy) -> bool {
        let ty = self.ast.types.strip_reference(q).ty;
        let Some(id) = self.ast.types.as_record(ty) else { return false };
        self.ast.methods(id).iter().any(|m| m.kind() == DeclKind::Conversion)
            || self.ast.types.bases(id).is_some_and(|b| b.iter().any(|b| self.converts(QTy::plain(b.ty))))
    }

    /// Whether these parameters have defaults.
    pub(super) fn may_be_left_out(&mut self, ctor: Decl<'tu>, indices: std::ops::Range<usize>) -> bool {
        let template = ctor.specialized_template();
        indices.into_iter().all(|index| {
            let has = |c: Decl<'tu>| self.ast.has_default(c, index);
            has(ctor) || has(ctor.canonical()) || template.is_some_and(has)
        })
    }

    /// How each argument fits; `None` where the constructor cannot be called with them.
    fn ranks(&mut self, ctor: Decl<'tu>, args: &[Ex<'tu>], nested: bool) -> Option<Vec<Rank>> {
        let q = self.ast.types.of(ctor.ty());
        let params = self.ast.types.function(q.ty)?.params.clone();
        let declared = ctor.parameters()?;
        if args.len() > params.len() && !ctor.ty().is_variadic() {
            return None;
        }
        if !self.may_be_left_out(ctor, args.len()..params.len()) {
            return None;
        }
        let mut ranks = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            let Some(&param) = params.get(index) else {
                ranks.push(ELLIPSIS);
                continue;
            };
            // Nothing is converted for a constructor that copies: that would take another one first.
            let target = self.ast.types.strip_reference(param).ty;
            let copies = args.len() == 1
                && self.ast.types.as_record(target).is_some_and(|class| {
                    let decl = self.ast.types.record(class).decl.canonical().id();
                    ctor.semantic_parent().is_some_and(|p| p.canonical().id() == decl)
                });
            if copies && !peel_list(arg).is_list() {
                let from = arg.q;
                let from = self.ast.types.strip_reference(from).ty;
                if from != target && !self.reaches_base(from, target) {
                    return None;
                }
            }
            if is_deduced(ctor, index) && !self.gives(arg, target) {
                return None;
            }
            let written = declared.get(index).map(|p| p.ty().canonical());
            let rvalue_reference = written.is_some_and(|ty| ty.kind() == TypeKind::RValueReference);
            ranks.push(self.rank(param, written, rvalue_reference, arg, nested)?);
        }
        Some(ranks)
    }

    /// Whether a parameter's type of a template is deduced from an argument as `target`.
    fn gives(&mut self, arg: Ex<'tu>, target: Ty) -> bool {
        if peel_list(arg).is_list() {
            return false;
        }
        let from = self.ast.types.strip_reference(arg.q);
        let decayed = self.ast.types.decayed(from).ty;
        let (to, is) = (self.ast.types.kind(target).clone(), self.ast.types.kind(decayed).clone());
        let pointers = match (to, is) {
            (Kind::Pointer(to), Kind::Pointer(is)) => to.ty == is.ty,
            _ => false,
        };
        from.ty == target || decayed == target || pointers
    }

    /// How an argument fits a parameter. `nested`: the argument is itself converted by a constructor's
    /// list, so that another conversion of the user's is not looked for.
    /// `written`: the parameter's type, where enumerations and types of one size are told apart.
    fn rank(
        &mut self,
        param: QTy,
        written: Option<ClangType<'tu>>,
        rvalue: bool,
        arg: Ex<'tu>,
        nested: bool,
    ) -> Option<Rank> {
        let inner = peel_list(arg);
        let reference = matches!(self.ast.types.kind(param.ty), Kind::Reference(_));
        let target = self.ast.types.strip_reference(param);
        if inner.is_list() {
            if reference && !rvalue && !target.is_const {
                return None;
            }
            return self.rank_list(target.ty, written, inner, nested);
        }
        let from = arg.q;
        let from = self.ast.types.strip_reference(from);
        let object = names_object(arg);
        if reference {
            if rvalue && object && (from.ty == target.ty || self.reaches_base(from.ty, target.ty)) {
                return None;
            }
            let related = from.ty == target.ty || self.reaches_base(from.ty, target.ty);
            if !rvalue && !target.is_const && (!object || !related || from.is_const) {
                return None;
            }
        }
        let binding = if reference && !rvalue && target.is_const && (!object || !from.is_const) {
            ADJUSTED
        } else {
            EXACT
        };
        if let Some(written) = written
            && let Some(rank) = recover::arithmetic_conversion(arg.written_type(), written)
        {
            return match rank {
                Conversion::None => Some(binding),
                Conversion::Promotion => Some(PROMOTION + binding),
                Conversion::Other => Some(CONVERSION + binding),
                Conversion::Impossible => None,
            };
        }
        if from.ty == target.ty {
            return Some(binding);
        }
        if let Some(steps) = self.steps_to_base(from.ty, target.ty) {
            return Some(CONVERSION + STEP * steps + binding);
        }
        if let Some(class) = self.ast.types.as_record(target.ty) {
            if nested {
                return None;
            }
            return self.constructor_for(class, &[arg], true).map(|_| USER);
        }
        self.rank_scalar(target.ty, from, arg).map(|rank| rank + binding)
    }

    /// How many classes lie between a class and its nearest base of a type.
    fn steps_to_base(&mut self, derived: Ty, base: Ty) -> Option<Rank> {
        if derived == base {
            return Some(0);
        }
        let derived = self.ast.types.as_record(derived)?;
        let bases = self.ast.types.bases(derived)?;
        let mut least = None;
        for direct in bases.iter() {
            if let Some(steps) = self.steps_to_base(direct.ty, base) {
                least = Some(least.map_or(steps + 1, |known: Rank| known.min(steps + 1)));
            }
        }
        least
    }

    fn reaches_base(&mut self, derived: Ty, base: Ty) -> bool {
        self.ast.types.as_record(base).is_some_and(|b| self.is_base(derived, b))
    }

    pub(super) fn rank_scalar(&mut self, target: Ty, from: QTy, arg: Ex<'tu>) -> Option<Rank> {
        let decayed = self.ast.types.decayed(from).ty;
        let (to, is) = (self.ast.types.kind(target).clone(), self.ast.types.kind(decayed).clone());
        Some(match (to, is) {
            _ if decayed == target => EXACT,
            (Kind::Int { bits: 32, .. }, Kind::Bool | Kind::Int { bits: ..32, .. }) => PROMOTION,
            (Kind::Float(Type::F64), Kind::Float(Type::F32)) => PROMOTION,
            (Kind::Bool, Kind::Int { .. } | Kind::Float(_)) => CONVERSION,
            (Kind::Bool, Kind::Pointer(_)) => TO_BOOL,
            (Kind::Int { .. } | Kind::Float(_), Kind::Bool | Kind::Int { .. } | Kind::Float(_)) => CONVERSION,
            (Kind::Pointer(to), Kind::Pointer(from)) => {
                // Compilers still take a string literal as a pointer to what is not const, with a warning.
                let is_text = to.ty == from.ty && !to.is_const && string_literal(arg).is_some();
                // Qualifiers may be added and not be taken away.
                if is_text {
                    return Some(DEPRECATED);
                }
                if from.is_const && !to.is_const || from.volatile && !to.volatile {
                    return None;
                }
                let adds = to.is_const && !from.is_const || to.volatile && !from.volatile;
                let added = if adds { ADJUSTED } else { EXACT };
                if to.ty == from.ty {
                    added
                } else if let Some(steps) = self.steps_to_base(from.ty, to.ty) {
                    CONVERSION + STEP * steps + added
                } else if matches!(self.ast.types.kind(to.ty), Kind::Void) {
                    TO_VOID + added
                } else {
                    return None;
                }
            }
            (Kind::Pointer(_), Kind::NullPtr) => CONVERSION,
            (Kind::Pointer(_), Kind::Int { .. }) if is_zero(arg) => CONVERSION,
            _ => return None,
        })
    }

    fn rank_list(
        &mut self,
        target: Ty,
        written: Option<ClangType<'tu>>,
        list: Ex<'tu>,
        nested: bool,
    ) -> Option<Rank> {
        let ExprKind::List(args) = list.kind else { return None };
        let Some(class) = self.ast.types.as_record(target) else {
            return match args {
                [] => Some(EXACT),
                [one] => self.rank(QTy::plain(target), written, false, one, nested),
                _ => None,
            };
        };
        if let Some(elem) = self.list_element(class) {
            let mut worst = EXACT;
            for &arg in args {
                worst = worst.max(self.rank(QTy::plain(elem), None, false, arg, false)?);
            }
            return Some(worst);
        }
        if !self.is_constructed(class) {
            // Members and bases; where a brace is left out there are more elements than members.
            let bases = self.ast.types.bases(class);
            let mut members: Vec<Ty> = bases.iter().flat_map(|b| b.iter()).map(|b| b.ty).collect();
            members.extend(self.ast.types.fields(class).iter().map(|f| f.ty.ty));
            if args.len() > members.len() {
                return None;
            }
            for (member, arg) in members.into_iter().zip(args) {
                self.rank(QTy::plain(member), None, false, arg, false)?;
            }
            return Some(USER);
        }
        if args.is_empty() && self.ast.constructors(class).iter().any(|c| c.is_default_constructor()) {
            return Some(USER);
        }
        if !matches!(self.list_constructor(class, args), Ok(None)) {
            return Some(USER);
        }
        self.constructor_for(class, args, false).map(|_| USER)
    }

    /// `T` of `std::initializer_list<T>`.
    pub fn list_element(&mut self, class: RecId) -> Option<Ty> {
        let record = self.ast.types.record(class);
        if record.decl.spelling() != "initializer_list" || !record.decl.is_in_std() {
            return None;
        }
        let fields = self.ast.types.fields(class);
        let first = fields.first()?.ty.ty;
        self.ast.types.pointee(first).map(|q| q.ty)
    }

    /// The constructor that takes all of the list as a `std::initializer_list`, with the type of its elements; an error where
    /// several take it alike.
    fn list_constructor(&mut self, class: RecId, args: &[Ex<'tu>]) -> Result<Option<TakesList<'tu>>, Tied> {
        let mut best: Option<(Rank, TakesList<'tu>)> = None;
        let mut tied = false;
        for ctor in self.ast.constructors(class).into_iter().filter(|c| !c.is_explicit()) {
            let q = self.ast.types.of(ctor.ty());
            let Some(params) = self.ast.types.function(q.ty).map(|f| f.params.clone()) else { continue };
            let Some(&first) = params.first() else { continue };
            if !self.may_be_left_out(ctor, 1..params.len()) {
                continue;
            }
            let view = self.ast.types.strip_reference(first);
            let Some(elem) = self.ast.types.as_record(view.ty).and_then(|c| self.list_element(c)) else {
                continue;
            };
            // The type that all elements have is the template's argument.
            let deduced = is_deduced(ctor, 0);
            let mut worst = Some(EXACT);
            for &arg in args {
                let from = self.ast.types.strip_reference(arg.q);
                let same = !peel_list(arg).is_list() && self.ast.types.decayed(from).ty == elem;
                let rank = self.rank(QTy::plain(elem), None, false, arg, false);
                let rank = rank.filter(|_| same || !deduced);
                worst = worst.zip(rank).map(|(a, b)| a.max(b));
            }
            let Some(rank) = worst else { continue };
            let made = |c: Decl<'tu>| c.specialized_template().is_some();
            match &best {
                Some((old, _)) if *old < rank => {}
                Some((old, (known, ..))) if *old == rank => match (made(*known), made(ctor)) {
                    (false, true) => {}
                    (true, false) => best = Some((rank, (ctor, view, elem))),
                    _ => tied = true,
                },
                _ => {
                    best = Some((rank, (ctor, view, elem)));
                    tied = false;
                }
            }
        }
        if tied { Err(Tied) } else { Ok(best.map(|(_, found)| found)) }
    }
}

/// Whether a parameter's type says what an argument of the constructor's template is: `T`, `const T&`, `T*`,
/// `std::initializer_list<T>`. Then an argument of another type is for another instance, and is not converted for this one.
fn is_deduced(ctor: Decl<'_>, index: usize) -> bool {
    let Some(template) = ctor.specialized_template() else { return false };
    let parameters = template.written_parameters();
    let Some(written) = parameters.get(index) else { return false };
    let text = written.ty().canonical().spelling();
    // In a class template its own parameters come first; within an instance they have their values.
    let of_class = template.semantic_parent().is_some_and(|p| p.kind() == DeclKind::ClassTemplate);
    let own = if of_class { "type-parameter-1-" } else { "type-parameter-0-" };
    let plain = text.replace("const ", "").replace("std::initializer_list<", "").replace(" const", "");
    let plain = plain.trim_end_matches([' ', '*', '&', '>']);
    plain.strip_prefix(own).is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()))
}

/// As [`peel_init`], but that `T{…}` is an object of its type, no list.
fn peel_list(e: Ex<'_>) -> Ex<'_> {
    let mut at = e;
    loop {
        match at.kind {
            ExprKind::Cast(Cast { kind: CastKind::Functional, .. }) => return e,
            ExprKind::Paren(one) | ExprKind::Implicit(one) | ExprKind::View(one) => at = one,
            _ => return peel_init(e),
        }
    }
}

/// Whether an expression is an lvalue: it names an object that goes on existing.
pub(super) fn names_object(mut e: Ex<'_>) -> bool {
    loop {
        match e.kind {
            ExprKind::Name(name) => return name.decl.is_none_or(|d| d.kind() != DeclKind::Enumerator),
            ExprKind::Member(_) | ExprKind::Subscript { .. } | ExprKind::String(_) => return true,
            ExprKind::Unary(op, _) => return op == UnaryOp::Deref,
            ExprKind::Call(call) => {
                return call.target.is_some_and(|f| {
                    f.ty().canonical().result().canonical().kind() == TypeKind::LValueReference
                });
            }
            _ => match e.operand() {
                Some(inner) => e = inner,
                None => return false,
            },
        }
    }
}

fn is_zero(e: Ex<'_>) -> bool {
    matches!(e.kind, ExprKind::Literal)
        && matches!(e.value(), Some(crate::clang::Evaluated::Int(0)))
        && e.is_integer_literal()
}

impl<'tu> FnLower<'_, 'tu, '_> {
    /// Makes the object of class type `q` at `dst` from `e`, an element of a list as it is written.
    pub fn hidden_construct(&mut self, dst: Value, q: QTy, e: Ex<'tu>) -> R<()> {
        let Some(class) = self.cx.ast.types.as_record(q.ty) else {
            return self.internal("a list for a type that is not a class", e);
        };
        let same = e.q.ty == q.ty;
        let inner = if same { peel_init(e) } else { peel_list(e) };
        let (braced, args) = match inner.kind {
            ExprKind::List(list) => (true, list.to_vec()),
            _ => (false, vec![e]),
        };
        if braced && let Some(elem) = self.cx.list_element(class) {
            let lives = self.temporaries.lives_on(inner);
            return self.std_list_of(dst, q, QTy::plain(elem), &args, lives, inner);
        }
        if args.is_empty() && self.cx.ast.constructors(class).iter().any(|c| c.is_default_constructor()) {
            return self.value_construct(dst, q, class, e);
        }
        let by_list = if braced { self.cx.list_constructor(class, &args) } else { Ok(None) };
        let Ok(by_list) = by_list else {
            let name = self.cx.ast.types.name(q.ty);
            return self
                .unsupported(format!("this list for {name}, whose constructor libclang does not show"), e);
        };
        if let Some((ctor, view, elem)) = by_list {
            let object = self.generic(dst);
            let slot = self.temp_slot(view.ty, e)?;
            let place = self.b.slot_addr(slot);
            self.std_list_of(place, view, QTy::plain(elem), &args, false, e)?;
            let view = self.b.slot_addr(slot);
            return self.call_constructor(dst, q, ctor, vec![object, view], e);
        }
        let Some(ctor) = self.cx.constructor_for(class, &args, false) else {
            let name = self.cx.ast.types.name(q.ty);
            return self
                .unsupported(format!("this list for {name}, whose constructor libclang does not show"), e);
        };
        #[cfg(test)]
        self.cx.ast.note_constructor(e, ctor);
        let copies = ctor.is_copy_constructor() || ctor.is_move_constructor();
        if let ([one], true) = (args.as_slice(), copies) {
            return self.construct(dst, q, ctor, &[*one], false, e);
        }
        let params = self.cx.function_type(ctor, e)?.params.clone();
        let mut values = vec![self.generic(dst)];
        for (n, &arg) in args.iter().enumerate() {
            values.push(match params.get(n) {
                Some(&param) => self.hidden_argument(arg, param)?,
                None => {
                    // The tree of a list has no conversions: an array is passed as a pointer to its first element.
                    if self.cx.ast.types.as_record(arg.q.ty).is_some() {
                        return self
                            .unsupported("an object for the variable part of a hidden constructor", arg);
                    }
                    self.argument(arg, None)?
                }
            });
        }
        self.call_constructor(dst, q, ctor, values, e)
    }

    /// `T{}`: zeros where no constructor of the user's runs, then the default constructor.
    fn value_construct(&mut self, dst: Value, q: QTy, class: RecId, e: At<'_>) -> R<()> {
        let provided =
            self.cx.ast.constructors(class).iter().any(|c| c.is_default_constructor() && !c.is_defaulted());
        if !provided {
            let align = self.cx.ast.types.align(q.ty);
            self.zero_object(dst, align, q, e)?;
        }
        self.default_construct(dst, q.ty, true, e)
    }

    /// An argument whose conversion to the parameter's type is not shown.
    fn hidden_argument(&mut self, arg: Ex<'tu>, param: QTy) -> R<Value> {
        let target = self.cx.ast.types.strip_reference(param);
        let from = arg.q;
        let from = self.cx.ast.types.strip_reference(from);
        let listed = peel_list(arg).is_list();
        let derived = self.cx.reaches_base(from.ty, target.ty);
        if target.ty == param.ty && matches!(self.cx.ast.types.kind(target.ty), Kind::Bool) {
            // An array or function becomes a pointer first.
            let pointer = self.cx.ast.types.decayed(from).ty;
            let value = match self.cx.ast.types.kind(from.ty) {
                Kind::Array { .. } => Some(self.place(arg)?.ptr),
                Kind::Function(_) => Some(self.function_value(arg)?),
                _ => None,
            };
            if let Some(value) = value {
                return self.convert(value, pointer, target.ty, arg);
            }
        }
        if !listed && (from.ty == target.ty || derived) || target.ty == param.ty {
            return self.argument(arg, Some(param));
        }
        // A reference to a temporary of the parameter's type.
        let slot = self.temp_slot(target.ty, arg)?;
        let ptr = self.b.slot_addr(slot);
        let align = self.cx.ast.types.align(target.ty);
        self.init_object(ptr, align, QTy::plain(target.ty), arg)?;
        self.register_destructor(target.ty, CleanupPlace::Slot(slot), arg)?;
        let ptr = self.b.slot_addr(slot);
        self.pointer_for(ptr, param.ty)
    }
}
