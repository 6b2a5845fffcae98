//! What `alignas` and the attribute `aligned` ask for: libclang shows that they are there, and the print their operands.

use super::print::{Prints, closing};
use super::token::Token;
use super::written::{Words, words};
use crate::clang::{Cursor, CursorKind};

/// The operands of a declaration's attributes of alignment, as many as there are; no words of one that has none and asks for the
/// most that a type of the target wants. `None` where the print does not show as many.
pub(crate) fn alignments(decl: Cursor<'_>) -> Option<Vec<Words>> {
    let count = decl.children().iter().filter(|c| c.kind() == CursorKind::AlignedAttr).count();
    if count == 0 {
        return Some(Vec::new());
    }
    Prints::declaration(decl, |tokens| {
        let found = (0..tokens.len()).filter_map(|at| operand(tokens, at)).take(count).collect::<Vec<_>>();
        (found.len() == count).then_some(found)
    })
}

/// The operand of the attribute whose keyword stands at a position, if one does.
fn operand(tokens: &[Token<'_>], at: usize) -> Option<Words> {
    let before = |n: usize| at.checked_sub(n).map(|n| tokens[n].text);
    match tokens[at].text {
        "alignas" | "_Alignas" => {}
        "aligned" if before(3) == Some("__attribute__") => {}
        "align" if before(2) == Some("__declspec") => {}
        _ => return None,
    }
    let open = at + 1;
    if tokens.get(open).is_none_or(|t| t.text != "(") {
        return Some(Words::new());
    }
    Some(words(&tokens[open + 1..closing(tokens, open)?]))
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn operands_stand_in_front_of_and_behind_a_name() {
        let all = |text| {
            let tokens = tokens(text);
            let found = (0..tokens.len()).filter_map(|at| operand(&tokens, at));
            found.map(|w| if w.is_empty() { "-".to_owned() } else { w.join(" ") }).collect::<Vec<_>>()
        };
        assert_eq!(all("alignas(16) alignas(2 * sizeof(int)) char g"), ["16", "2 * sizeof ( int )"]);
        assert_eq!(all("char c[5] __attribute__((aligned(32))) = {1}"), ["32"]);
        assert_eq!(all("__attribute__((aligned)) char f"), ["-"]);
        assert_eq!(all("_Alignas(double) char f"), ["double"]);
        assert_eq!(all("int aligned = align(3)"), [""; 0]);
    }
}
