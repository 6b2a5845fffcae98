//! `--device`: a built-in profile by name, or a file that changes one.

use crate::cli;
use cudair_ir::{Diagnostic, DiagnosticClass};
use cudair_vm::DeviceProfile;
use std::path::Path;
use std::sync::Arc;
use toml::{Table, Value};

/// The key that says which built-in profile a file changes.
const BASE: &str = "base";

/// What a program divides by or needs one of.
const POSITIVE: [&str; 9] = [
    "major",
    "total_global_mem",
    "max_threads_per_block",
    "max_threads_dim",
    "max_grid_size",
    "clock_rate",
    "memory_clock_rate",
    "memory_bus_width",
    "multiprocessor_count",
];

/// The device of a `--device` argument; the default without one.
///
/// # Errors
/// No such device; a file that cannot be read, or that does not describe a device.
pub fn find(name: Option<&str>) -> Result<Arc<DeviceProfile>, Box<Diagnostic>> {
    let Some(name) = name else { return Ok(Arc::new(DeviceProfile::default())) };
    if let Some(profile) = DeviceProfile::from_name(name) {
        return Ok(Arc::new(profile.clone()));
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml")) {
        let text = std::fs::read_to_string(path)
            .map_err(|e| usage(format!("cannot read the device profile {name}: {e}"), None))?;
        return from_toml(&text).map(Arc::new).map_err(|wrong| {
            let place = wrong.line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"));
            usage(format!("{place}: {}", wrong.message), wrong.help)
        });
    }
    let message = format!("there is no device `{name}`");
    Err(usage(message, Some(format!("{}; a profile of your own is a file `NAME.toml`", known(name)))))
}

fn usage(message: String, help: Option<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic { help, ..Diagnostic::new(DiagnosticClass::Usage, message) })
}

fn known(name: &str) -> String {
    let names: Vec<&str> = DeviceProfile::ALL.iter().map(|p| &*p.profile).collect();
    match cli::closest(name, &names) {
        Some(near) => format!("did you mean `{near}`? There are {}", names.join(", ")),
        None => format!("there are {}", names.join(", ")),
    }
}

/// What is wrong with a file.
#[derive(Debug, PartialEq)]
struct Wrong {
    /// From 1.
    line: Option<usize>,
    message: String,
    help: Option<String>,
}

/// A profile from its text: what is not said is as in the profile that `base` names, else the default's.
fn from_toml(text: &str) -> Result<DeviceProfile, Wrong> {
    let line_at = |offset: usize| 1 + text[..offset].matches('\n').count();
    let told: Table = toml::from_str(text).map_err(|e| Wrong {
        line: e.span().map(|s| line_at(s.start)),
        message: e.message().to_owned(),
        help: None,
    })?;
    let wrong = |key: &str, message: String, help: Option<String>| {
        let names = |line: &str| line.split('=').next().is_some_and(|k| k.trim().trim_matches('"') == key);
        Wrong { line: text.lines().position(names).map(|n| n + 1), message, help }
    };
    let base = match told.get(BASE) {
        None => DeviceProfile::default(),
        Some(Value::String(name)) => DeviceProfile::from_name(name).cloned().ok_or_else(|| {
            wrong(BASE, format!("there is no device `{name}` to start from"), Some(known(name)))
        })?,
        Some(_) => {
            return Err(wrong(
                BASE,
                "`base` must be the name of a device, in quotes".to_owned(),
                Some(known("")),
            ));
        }
    };
    let mut whole = Table::try_from(&base).expect("a profile is a table");
    for (key, value) in told.iter().filter(|(key, _)| *key != BASE) {
        let Some(old) = whole.get_mut(key) else {
            let names: Vec<&str> = whole.keys().map(String::as_str).collect();
            let help = match cli::closest(key, &names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {BASE}, {}", names.join(", ")),
            };
            return Err(wrong(key, format!("a device has no property `{key}`"), Some(help)));
        };
        check(key, old, value).map_err(|message| wrong(key, message, None))?;
        *old = value.clone();
    }
    if !told.contains_key("profile") {
        whole.insert("profile".to_owned(), Value::String("file".to_owned()));
    }
    whole.try_into().map_err(|e: toml::de::Error| Wrong {
        line: None,
        message: e.message().to_owned(),
        help: None,
    })
}

/// Whether a value can stand where the base's one does.
fn check(key: &str, old: &Value, new: &Value) -> Result<(), String> {
    match (old, new) {
        (Value::Array(old), Value::Array(new)) => {
            if old.len() != new.len() {
                return Err(format!("`{key}` needs {} numbers, not {}", old.len(), new.len()));
            }
            old.iter().zip(new).try_for_each(|(old, new)| check(key, old, new))
        }
        (Value::Integer(_), &Value::Integer(n)) => {
            let least = i64::from(POSITIVE.contains(&key));
            let most = match key {
                "warp_size" if n != 32 => {
                    return Err(format!("warps of {n} lanes are not supported, only warps of 32"));
                }
                "max_threads_per_block" | "max_threads_dim" => 1024,
                "minor" => 9,
                "major" => 20,
                "total_global_mem" | "mem_pitch" => 1 << 46,
                // What the VM can tell apart within a block.
                _ if key.starts_with("shared_mem") => 1 << 24,
                _ => i64::from(i32::MAX),
            };
            if (least..=most).contains(&n) {
                Ok(())
            } else {
                Err(format!("`{key}` must be between {least} and {most}, not {n}"))
            }
        }
        (old, new) if old.same_type(new) => Ok(()),
        (old, _) => Err(format!(
            "`{key}` must be {}",
            match old {
                Value::String(_) => "a text in quotes",
                Value::Boolean(_) => "true or false",
                Value::Array(_) => "a list of numbers",
                _ => "a whole number",
            }
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> (Option<usize>, String) {
        let wrong = from_toml(text).expect_err("a fault");
        (wrong.line, wrong.message)
    }

    #[test]
    fn a_file_changes_its_base() {
        let p = from_toml(
            "base = \"t4\"\nname = \"My card\"\nmultiprocessor_count = 7\nmax_threads_dim = [8, 8, 8]\n",
        )
        .expect("a profile");
        assert_eq!(
            (&*p.name, p.multiprocessor.multiprocessor_count, p.block.max_threads_dim),
            ("My card", 7, [8, 8, 8])
        );
        assert_eq!(p.capability(), 75, "as the base");
        assert_eq!(from_toml("").expect("a profile").capability(), 90, "the default's");
    }

    #[test]
    fn every_profile_survives_its_text() {
        for p in DeviceProfile::ALL {
            let text = toml::to_string(p).expect("text");
            assert_eq!(from_toml(&text).as_ref(), Ok(p));
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        assert_eq!(message("major = 8\nminr = 1"), (Some(2), "a device has no property `minr`".to_owned()));
        assert_eq!(message("warp_size = 64").1, "warps of 64 lanes are not supported, only warps of 32");
        assert_eq!(message("base = \"x\"").1, "there is no device `x` to start from");
        assert_eq!(message("name = 3").1, "`name` must be a text in quotes");
        assert_eq!(message("clock_rate = 0").1, "`clock_rate` must be between 1 and 2147483647, not 0");
        assert_eq!(message("max_grid_size = [1, 2]").1, "`max_grid_size` needs 3 numbers, not 2");
        assert_eq!(message("major = 1\nmajor = 2").0, Some(2));
        assert_eq!(message("a b").0, Some(1));
    }
}
