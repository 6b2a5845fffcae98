//! Nodes without parts that libclang names no kind of: `T()`, and the compiler's functions that give the place of their
//! caller.

use super::print::Prints;
use crate::clang::{Cursor, CursorKind, Evaluated, TranslationUnit};
use clang_sys as cs;

/// What a node without parts is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Childless {
    /// `T()`, or the zero that a list leaves out.
    ValueInit,
    /// `__builtin_FILE()` and kin.
    SourcePlace,
    Unknown,
}

/// What a node without parts is whose value libclang does not compute. Of a pointer's, an enumeration's or a member
/// pointer's type there is nothing but `T()`, save what the compiler's functions point to.
pub(crate) fn childless(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
    cxx: bool,
) -> Childless {
    if e.range().start.file.is_none() {
        return Childless::ValueInit;
    }
    let ty = e.ty().canonical();
    match ty.kind().0 {
        // In C nothing else is such a node; its characters are not const there.
        cs::CXType_Pointer if !cxx => Childless::SourcePlace,
        cs::CXType_Pointer if ty.spelling() == "const char *" => {
            match prints.read(unit, decl, e, |p| Some(p.tokens().first()?.text == "*")) {
                Some(true) => Childless::ValueInit,
                Some(false) => Childless::SourcePlace,
                None => Childless::Unknown,
            }
        }
        cs::CXType_Pointer if is_source_location(ty.pointee().canonical().declaration()) => {
            Childless::Unknown
        }
        cs::CXType_Pointer
        | cs::CXType_Enum
        | cs::CXType_MemberPointer
        | cs::CXType_NullPtr
        | cs::CXType_Complex
        | cs::CXType_Void
        | cs::CXType_Bool..=cs::CXType_LongDouble
        | cs::CXType_Float16
        | cs::CXType_Float128 => Childless::ValueInit,
        _ => Childless::Unknown,
    }
}

/// Whether a class is the one that `__builtin_source_location()` points to: `std::source_location::__impl`.
fn is_source_location(class: Cursor<'_>) -> bool {
    let location = class.semantic_parent().filter(|p| p.spelling() == "source_location" && p.is_in_std());
    class.spelling() == "__impl" && location.is_some()
}

/// Whether a node is the line or column of its caller: it stands in a default argument or a member's initialiser, whose
/// place is not the one that counts. `decl` is the function or variable whose tree is made.
pub(crate) fn is_callers_line(
    prints: &mut Prints,
    unit: &TranslationUnit,
    decl: Option<Cursor<'_>>,
    e: Cursor<'_>,
) -> bool {
    // A default argument at a call has no place of its own, and libclang computes it for that call.
    let is_placed = e.range().start.file.is_some();
    if !is_placed
        || e.ty().canonical().kind().0 != cs::CXType_UInt
        || decl.is_some_and(|d| prints.holds(d, e))
    {
        return false;
    }
    // What the print does not tell, as `T()` where `T` is another name of the type, may be one. But no line is 0.
    let told = prints.read(unit, decl, e, |p| Some(p.tokens().first()?.text != "int"));
    told.unwrap_or_else(|| !matches!(e.evaluate(), Some(Evaluated::Int(0))))
}

/// Whether an item of a list is what `#embed` puts there: libclang shows a node without parts, whose value is the first byte
/// alone, at the directive's place. Conversions may be around it.
pub(crate) fn is_embedded(unit: &TranslationUnit, mut item: Cursor<'_>) -> bool {
    loop {
        if item.kind() != CursorKind::UnexposedExpr {
            return false;
        }
        match item.children().as_slice() {
            [] => break,
            [inner] => item = *inner,
            _ => return false,
        }
    }
    let Some((front, text)) = unit.text_around(item.place()) else { return false };
    let hash = [b"#".as_slice(), b"%:"];
    let rest = text.strip_prefix(b"embed");
    let is_word = rest.is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric));
    let front = front.trim_ascii_end();
    hash.iter().any(|h| text.starts_with(h)) || is_word && hash.iter().any(|h| front.ends_with(h))
}
