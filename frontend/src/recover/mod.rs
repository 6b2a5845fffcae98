//! What libclang's C interface hides, recovered.
//!
//! One file for each construct. A recovery is a function over cursors; it gives a fact, or nothing where the fact cannot
//! be known, which the caller has to report at the construct's place. It decides from the tree and from types, from
//! constant evaluation where the tree has no side effect, and last of all from clang's own print of the tree
//! ([`mod@print`]), which counts only where it agrees with the cursors. Source text decides nothing.

mod alignment;
mod attributes;
mod consteval;
mod conversion;
mod designator;
mod effects;
mod initializer;
mod new;
mod parentheses;
mod place;
mod print;
mod statement;
mod token;
mod written;

pub(crate) use alignment::alignments;
pub(crate) use attributes::{Attribute, attribute_names, attributes};
pub(crate) use consteval::{constants_by_consteval, is_constexpr, mentions_consteval};
pub(crate) use conversion::{Conversion, arithmetic_conversion};
pub(crate) use designator::bracket_ranges;
pub(crate) use effects::{has_no_effects, value_without_effects};
pub(crate) use initializer::is_plainly_declared;
pub(crate) use new::{DeleteParts, NewParts, delete_parts, new_parts};
pub(crate) use parentheses::{Begins, begins};
pub(crate) use place::{Childless, childless, is_callers_line, is_embedded};
pub(crate) use print::Prints;
pub(crate) use statement::{
    Condition, ForParts, HiddenInit, HiddenVariables, If, chosen_branch, for_parts, hidden_init, if_parts,
};
pub(crate) use written::{
    FieldDefault, assembly_text, atomic_name, bit_cast_type, bit_field_default, capture_list, generic_labels,
    long_double, operand,
};
