//! The programs under another standard of C++.
//!
//! With `CUDAIR_TEST_STD=c++11` in the environment every CUDA program runs under that standard, and all that is expected of
//! it holds as ever. Two sorts of programs are told apart:
//!
//! - one that sets a standard in its own `// flags:` runs as it is, in the usual run alone;
//! - one that says `// std: c++17` does not parse under an older standard, and that is what is checked there: a line that
//!   asks for more than the program needs is wrong.

use std::fmt;

/// A standard of C++, by its year.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Standard(u16);

impl Standard {
    /// `c++11`, `gnu++14`.
    pub fn read(name: &str) -> Result<Standard, String> {
        let year = name.strip_prefix("c++").or_else(|| name.strip_prefix("gnu++"));
        match year.and_then(|year| year.parse().ok()) {
            Some(year @ (11 | 14 | 17 | 20 | 23 | 26)) => Ok(Standard(year)),
            _ => Err(format!("`{name}` is no standard of C++ that programs are tested under")),
        }
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c++{}", self.0)
    }
}

/// What the environment asks for: the option's value and the standard.
pub fn asked() -> Result<Option<(String, Standard)>, String> {
    match std::env::var("CUDAIR_TEST_STD") {
        Ok(name) => Standard::read(&name).map(|standard| Some((name, standard))),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(error) => Err(format!("CUDAIR_TEST_STD: {error}")),
    }
}
