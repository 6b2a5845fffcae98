//! Modifications that nothing orders with another use of the variable, such as `i = i++ + i`: the frontend sees
//! them and has a function called where one runs, whose name says all.

use crate::finding::Severity;
use crate::module::DEVICE_SUFFIX;

/// What the names of these functions begin with.
const PREFIX: &str = "__cudair_unsequenced.";

/// What is wrong with a modification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsequenced {
    /// The variable is modified a second time.
    Twice,
    /// The variable is used elsewhere.
    Used,
    /// The other place is in another argument of a call, before or after which this is done.
    Argument,
    /// The other place is in another item of a list in braces, before or after which this is done.
    Item,
}

impl Unsequenced {
    const ALL: [(Unsequenced, &'static str); 4] = [
        (Unsequenced::Twice, "twice"),
        (Unsequenced::Used, "used"),
        (Unsequenced::Argument, "argument"),
        (Unsequenced::Item, "item"),
    ];

    /// The name of the function that tells of a modification of a variable.
    pub fn func_name(self, variable: &str) -> String {
        let word = Unsequenced::ALL.iter().find(|(how, _)| *how == self).map_or("", |(_, word)| word);
        format!("{PREFIX}{word}.{variable}")
    }

    /// The inverse: what a function's name tells, and of which variable.
    pub fn of_func(name: &str) -> Option<(Unsequenced, &str)> {
        let rest = name.strip_prefix(PREFIX)?;
        let rest = rest.strip_suffix(DEVICE_SUFFIX).unwrap_or(rest);
        let (word, variable) = rest.split_once('.')?;
        let (how, _) = Unsequenced::ALL.iter().find(|(_, w)| *w == word)?;
        Some((*how, variable))
    }

    /// How bad it is: the order of arguments and items is only open, and each order is one of the language's.
    pub fn severity(self) -> Severity {
        match self {
            Unsequenced::Argument | Unsequenced::Item => Severity::Warning,
            Unsequenced::Twice | Unsequenced::Used => Severity::Error,
        }
    }

    /// One sentence.
    pub fn message(self, variable: &str) -> String {
        match self {
            Unsequenced::Twice => format!("`{variable}` is modified twice with nothing to order the two"),
            Unsequenced::Used => format!("`{variable}` is modified and used with nothing to order the two"),
            Unsequenced::Argument => {
                format!("`{variable}` is modified in one argument and used in another, in either order")
            }
            Unsequenced::Item => {
                format!("`{variable}` is modified in one item of a list and used in another, in either order")
            }
        }
    }

    /// What is said at the place.
    pub fn label(self) -> &'static str {
        match self {
            Unsequenced::Twice => "modified here, and once more in the same expression",
            Unsequenced::Used => "modified here, and used elsewhere in the same expression",
            Unsequenced::Argument => "modified here, and used in another argument",
            Unsequenced::Item => "modified here, and used in another item",
        }
    }

    /// What would mend it.
    pub fn help(self) -> &'static str {
        "write two statements, and put the modification into one of its own"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_they_were_made_from() {
        for (how, _) in Unsequenced::ALL {
            let name = how.func_name("i");
            assert_eq!(Unsequenced::of_func(&name), Some((how, "i")));
            assert_eq!(Unsequenced::of_func(&format!("{name}{DEVICE_SUFFIX}")), Some((how, "i")));
        }
        assert_eq!(Unsequenced::of_func("printf"), None);
    }
}
