//! Macros that make text of their arguments, or paste them: what stands in such an argument must stay as it is spelled.
//!
//! Most such macros tell of a call and make it (`#define SAY(call) printf("%s", #call, call)`). These get the text as an
//! argument of its own before anything is rewritten, so that the call may be: `SAY(f(1))` becomes `MMT_SAY("f(1)", f(1))`.

use crate::text::Edit;
use crate::token::{Kind, Token};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Which tokens must stay as they are spelled: arguments of macros that apply `#` or `##` to their parameter, directly or
/// through another such macro, and the neighbours of `##`.
pub fn spelled(tokens: &[Token]) -> Vec<bool> {
    let macros = spelling_macros(tokens);
    let mut spelled = vec![false; tokens.len()];
    for index in 0..tokens.len() {
        if is_paste(&tokens[index]) {
            spelled[index.saturating_sub(1)] = true;
            if let Some(next) = spelled.get_mut(index + 1) {
                *next = true;
            }
        }
        // The macro's own definition is no call.
        let defined = index > 0 && tokens[index - 1].is("define") && tokens[index].directive.is_some();
        if defined {
            continue;
        }
        for (argument, is_spelled) in calls(tokens, index, &macros) {
            if is_spelled {
                spelled[argument].fill(true);
            }
        }
    }
    spelled
}

/// The macros that make text of arguments, each with the numbers of these; the last number stands for all that follow.
type Spelling = HashMap<String, HashSet<usize>>;

/// The arguments of a macro's call at a token, each with whether it is made text of.
fn calls(tokens: &[Token], index: usize, macros: &Spelling) -> Vec<(Range<usize>, bool)> {
    let Some(spelling) = macros.get(&tokens[index].text).filter(|_| tokens[index].kind == Kind::Name) else {
        return Vec::new();
    };
    if !tokens.get(index + 1).is_some_and(|t| t.is("(") && t.directive == tokens[index].directive) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let (mut depth, mut start) = (0, index + 2);
    for at in index + 1..tokens.len() {
        let token = &tokens[at];
        if token.directive != tokens[index].directive {
            break;
        }
        depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        if depth == 0 || (depth == 1 && token.is(",")) {
            let number = found.len();
            let is_rest = spelling.contains(&REST) && spelling.iter().any(|n| *n != REST && *n <= number);
            // Whether a blank is at an argument's end does not matter, but whether it has the same tokens.
            found.push((start..at, spelling.contains(&number) || is_rest));
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// With this number, a macro makes text of its variable arguments.
const REST: usize = usize::MAX;

fn is_paste(token: &Token) -> bool {
    token.is("##") || token.is("%:%:")
}

fn is_hash(token: &Token) -> bool {
    token.is("#") || token.is("%:")
}

/// A macro with parameters, as the file defines it.
struct Definition<'a> {
    name: &'a str,
    parameters: Vec<&'a str>,
    /// The tokens of the body.
    body: Range<usize>,
}

/// The definitions of macros with parameters.
fn definitions(tokens: &[Token]) -> Vec<Definition<'_>> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let is_definition = token.is("define")
            && token.directive.is_some()
            && index > 0
            && is_hash(&tokens[index - 1])
            && tokens
                .get(index + 2)
                .is_some_and(|t| t.is("(") && t.adjoins && t.directive == token.directive);
        if !is_definition {
            continue;
        }
        let end = tokens[index..]
            .iter()
            .position(|t| t.directive != token.directive)
            .map_or(tokens.len(), |n| index + n);
        let close = (index..end).find(|i| tokens[*i].is(")")).unwrap_or(end - 1);
        let parameters =
            tokens[index + 3..close].iter().filter(|t| !t.is(",")).map(|t| t.text.as_str()).collect();
        found.push(Definition { name: &tokens[index + 1].text, parameters, body: close + 1..end });
    }
    found
}

/// The macros of the file that make text of arguments, and `assert`.
fn spelling_macros(tokens: &[Token]) -> Spelling {
    let mut macros: Spelling = [("assert".to_owned(), HashSet::from([0]))].into();
    let defined = definitions(tokens);
    loop {
        let mut changed = false;
        for Definition { name, parameters, body } in &defined {
            // The tokens of the body that are made text of; those among them that are parameters count.
            let mut texts: Vec<&Token> = Vec::new();
            for at in body.clone() {
                if is_hash(&tokens[at]) || is_paste(&tokens[at]) {
                    texts.extend(tokens[..body.end].get(at + 1));
                }
                if is_paste(&tokens[at]) {
                    texts.push(&tokens[at - 1]);
                }
                for (argument, _) in
                    calls(tokens, at, &macros).into_iter().filter(|(_, is_spelled)| *is_spelled)
                {
                    texts.extend(&tokens[argument]);
                }
            }
            for token in texts {
                let is_rest = token.text == "__VA_ARGS__" || token.text == "__VA_OPT__";
                let is_it = |parameter: &str| parameter == token.text || (is_rest && parameter == "...");
                if let Some(number) = parameters.iter().position(|p| is_it(p)) {
                    let known = macros.entry((*name).to_owned()).or_default();
                    changed |= known.insert(number);
                    changed |= is_rest && known.insert(REST);
                }
            }
        }
        if !changed {
            return macros;
        }
    }
}

/// The start of the names of macros that are told their arguments' text.
const TOLD: &str = "MMT_";

/// The edits that tell macros the text of their arguments, so that they need not make it. A macro that is defined twice,
/// takes variable arguments, pastes or hands arguments on to one that makes text of them stays as it is, and so does a
/// call inside the arguments of another macro, which may be told of what its arguments stand for.
pub fn told(tokens: &[Token]) -> Vec<Edit> {
    let (defined, macros) = (definitions(tokens), spelling_macros(tokens));
    let every: Spelling = defined.iter().map(|d| (d.name.to_owned(), HashSet::new())).collect();
    let mut inside = vec![false; tokens.len()];
    let outside_directives = (0..tokens.len()).filter(|i| tokens[*i].directive.is_none());
    for (argument, _) in outside_directives.flat_map(|i| calls(tokens, i, &every)) {
        inside[argument].fill(true);
    }
    let mut edits = Vec::new();
    for definition in &defined {
        let Definition { name, parameters, body } = definition;
        let once = tokens.iter().enumerate().filter(|(i, t)| t.is(name) && is_named(tokens, *i)).count() == 1;
        let whole = &tokens[body.clone()];
        let pastes = whole.iter().any(is_paste) || parameters.contains(&"...");
        let hands_on = body.clone().any(|i| calls(tokens, i, &macros).iter().any(|(_, spelled)| *spelled));
        let texts: Vec<usize> = (0..parameters.len())
            .filter(|n| whole.windows(2).any(|pair| is_hash(&pair[0]) && pair[1].text == parameters[*n]))
            .collect();
        if !once || pastes || hands_on || texts.is_empty() {
            continue;
        }
        let told: Vec<Edit> = (0..tokens.len())
            .filter(|i| !inside[*i] && tokens[*i].directive.is_none() && tokens[*i].is(name))
            .filter_map(|i| told_call(tokens, i, definition, &texts, &every))
            .collect();
        if !told.is_empty() {
            edits.push(Edit::insert(tokens[body.end - 1].range.end, told_macro(tokens, definition, &texts)));
            edits.extend(told);
        }
    }
    edits
}

/// Whether a directive defines this name or takes its definition back.
fn is_named(tokens: &[Token], index: usize) -> bool {
    index >= 2
        && (tokens[index - 1].is("define") || tokens[index - 1].is("undef"))
        && is_hash(&tokens[index - 2])
        && tokens[index].directive.is_some()
}

/// A macro's twin: for each parameter that the macro makes text of it has one more, which is that text.
fn told_macro(tokens: &[Token], definition: &Definition<'_>, texts: &[usize]) -> String {
    let Definition { name, parameters, body } = definition;
    let more = texts.iter().map(|n| format!("{TOLD}{}", parameters[*n]));
    let all: Vec<String> = more.chain(parameters.iter().map(|p| (*p).to_owned())).collect();
    let mut line = format!("\n#define {TOLD}{name}({})", all.join(", "));
    for i in body.clone() {
        let is_text = is_hash(&tokens[i - 1]) && texts.iter().any(|n| parameters[*n] == tokens[i].text);
        if is_hash(&tokens[i]) {
            continue;
        }
        // A blank between two tokens changes nothing: nothing makes text of the body.
        line.push_str(if is_text { " MMT_" } else { " " });
        line.push_str(&tokens[i].text);
    }
    line
}

/// The edit that makes a call one of the twin.
fn told_call(
    tokens: &[Token],
    index: usize,
    definition: &Definition<'_>,
    texts: &[usize],
    every: &Spelling,
) -> Option<Edit> {
    let arguments = calls(tokens, index, every);
    let last = &arguments.last()?.0;
    let closed = tokens.get(last.end).is_some_and(|t| t.is(")"));
    if arguments.len() != definition.parameters.len() || !closed {
        return None;
    }
    let mut text = format!("{TOLD}{}(", definition.name);
    for n in texts {
        text.push_str(&format!("{}, ", text_of(&tokens[arguments[*n].0.clone()])?));
    }
    Some(Edit::replace(tokens[index].range.start..tokens[index + 1].range.end, text))
}

/// What `#` makes of an argument.
fn text_of(argument: &[Token]) -> Option<String> {
    let mut text = String::new();
    for (number, token) in argument.iter().enumerate() {
        if token.text.contains('\n') {
            return None;
        }
        if number > 0 && !token.adjoins {
            text.push(' ');
        }
        let is_literal = matches!(token.kind, Kind::Text | Kind::Raw | Kind::Character);
        for c in token.text.chars() {
            if is_literal && (c == '"' || c == '\\') {
                text.push('\\');
            }
            text.push(c);
        }
    }
    Some(format!("\"{text}\""))
}
