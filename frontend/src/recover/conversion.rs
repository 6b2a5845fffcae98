//! How one arithmetic type or enumeration converts to another, as overload resolution ranks it.
//!
//! Beside the layout of a type its name counts: `long` and `long long` are two types, and so are `char`, `signed char`
//! and an enumeration of one byte.

use super::print::Prints;
use crate::clang::{Cursor, CursorKind, Type, TypeKind};

/// How good a conversion is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conversion {
    /// The same type.
    None,
    Promotion,
    /// Another standard conversion.
    Other,
    /// There is none.
    Impossible,
}

/// The conversion between two types, of which references and qualifiers do not count; `None` where one of them is
/// neither arithmetic nor an enumeration.
pub(crate) fn arithmetic_conversion(from: Type<'_>, to: Type<'_>) -> Option<Conversion> {
    let (from, to) = (plain(from), plain(to));
    let (is, wanted) = (from.kind(), to.kind());
    if !is_scalar(is) || !is_scalar(wanted) {
        return None;
    }
    if wanted == TypeKind::Enum {
        let same =
            is == TypeKind::Enum && from.declaration().canonical().id() == to.declaration().canonical().id();
        return Some(if same { Conversion::None } else { Conversion::Impossible });
    }
    if is == TypeKind::Enum {
        let decl = from.declaration();
        let (scoped, fixed) = Prints::declaration(decl, |tokens| {
            let head = || tokens.iter().take_while(|t| t.text != "{");
            (head().any(|t| matches!(t.text, "class" | "struct")), head().any(|t| t.text == ":"))
        });
        if scoped {
            return Some(Conversion::Impossible);
        }
        let own = decl.enum_integer_type().canonical().kind();
        let promotes = if fixed {
            own == wanted || is_promotion(own, wanted)
        } else if own == TypeKind::UInt && fits_int(decl) {
            wanted == TypeKind::Int
        } else {
            own == wanted
        };
        return Some(if promotes { Conversion::Promotion } else { Conversion::Other });
    }
    Some(if is == wanted {
        Conversion::None
    } else if is_promotion(is, wanted) {
        Conversion::Promotion
    } else {
        Conversion::Other
    })
}

/// Whether an `int` holds every value of an enumeration without negative ones.
fn fits_int(decl: Cursor<'_>) -> bool {
    let decl = decl.definition().unwrap_or(decl);
    let mut values = decl.children();
    values.retain(|c| c.kind() == CursorKind::EnumConstantDecl);
    values.iter().all(|c| c.enumerator_value(false) <= i128::from(i32::MAX))
}

fn plain(ty: Type<'_>) -> Type<'_> {
    let mut ty = ty.canonical();
    if matches!(ty.kind(), TypeKind::LValueReference | TypeKind::RValueReference) {
        ty = ty.pointee().canonical();
    }
    ty.unqualified().canonical()
}

fn is_scalar(kind: TypeKind) -> bool {
    (TypeKind::Bool.0..=TypeKind::LongDouble.0).contains(&kind.0) || kind == TypeKind::Enum
}

fn is_promotion(from: TypeKind, to: TypeKind) -> bool {
    match to {
        TypeKind::Int => matches!(
            from,
            TypeKind::Bool
                | TypeKind::CharS
                | TypeKind::CharU
                | TypeKind::SChar
                | TypeKind::UChar
                | TypeKind::Short
                | TypeKind::UShort
                | TypeKind::Char8
                | TypeKind::Char16
                | TypeKind::WChar
        ),
        TypeKind::UInt => from == TypeKind::Char32,
        TypeKind::Double => from == TypeKind::Float,
        _ => false,
    }
}
