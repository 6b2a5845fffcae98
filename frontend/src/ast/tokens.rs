//! Tokens within expressions that begin no expression, such as an operator between its operands.
//!
//! libclang has no place for an operator. But the operator stands behind the last expression that begins before it, and
//! where expressions begin is known exactly, in macros too.

use super::Ast;
use crate::clang::Location;

/// A token that was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenId(usize);

/// A token, and the start of the last expression that begins there or before.
struct Token<'tu> {
    at: Location<'tu>,
    behind: Option<Location<'tu>>,
}

/// The tokens that were asked for.
#[derive(Default)]
pub(super) struct Tokens<'tu>(Vec<Token<'tu>>);

impl<'tu> Tokens<'tu> {
    /// Whether there are any.
    pub fn are_asked_for(&self) -> bool {
        !self.0.is_empty()
    }

    /// An expression begins here.
    pub fn begins(&mut self, start: Location<'tu>) {
        for token in &mut self.0 {
            let is_later = token.behind.is_none_or(|behind| behind.is_before(start));
            if is_later && (start == token.at || start.is_before(token.at)) {
                token.behind = Some(start);
            }
        }
    }
}

impl<'tu> Ast<'tu> {
    /// Asks for a token, before the expressions around it are made.
    pub fn ask_for_token(&mut self, at: Location<'tu>) -> TokenId {
        self.tokens.0.push(Token { at, behind: None });
        TokenId(self.tokens.0.len() - 1)
    }

    /// Whether the token is this one.
    pub fn is_token(&self, token: TokenId, at: Location<'tu>) -> bool {
        self.tokens.0[token.0].at == at
    }

    /// The start of the last expression made so far that begins with the token or before it.
    pub fn begun_before(&self, token: TokenId) -> Option<Location<'tu>> {
        self.tokens.0[token.0].behind
    }
}
