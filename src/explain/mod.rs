//! What each kind of finding means: a text, a short wrong kernel and a corrected one.
//!
//! The texts are the Markdown files beside this one; their first line is `# kind: summary`, and they hold
//! two fenced programs, the wrong one first. Tests compile and run both.

use crate::cli::closest;
use cudair_ir::Kind;

/// The whole text of a kind, as Markdown.
pub fn page(kind: Kind) -> &'static str {
    match kind {
        Kind::SharedRace => include_str!("shared-race.md"),
        Kind::GlobalRace => include_str!("global-race.md"),
        Kind::BarrierDivergence => include_str!("barrier-divergence.md"),
        Kind::Deadlock => include_str!("deadlock.md"),
        Kind::SyncMask => include_str!("sync-mask.md"),
        Kind::OutOfBounds => include_str!("out-of-bounds.md"),
        Kind::UseAfterFree => include_str!("use-after-free.md"),
        Kind::NullDereference => include_str!("null-dereference.md"),
        Kind::MisalignedAccess => include_str!("misaligned-access.md"),
        Kind::WrongMemorySpace => include_str!("wrong-memory-space.md"),
        Kind::ReadOnlyWrite => include_str!("read-only-write.md"),
        Kind::UninitializedRead => include_str!("uninitialized-read.md"),
        Kind::InvalidFree => include_str!("invalid-free.md"),
        Kind::MemoryLeak => include_str!("memory-leak.md"),
        Kind::InvalidLaunch => include_str!("invalid-launch.md"),
        Kind::ApiError => include_str!("api-error.md"),
        Kind::AssertionFailed => include_str!("assertion-failed.md"),
        Kind::AssumptionFailed => include_str!("assumption-failed.md"),
        Kind::UndefinedBehavior => include_str!("undefined-behavior.md"),
        Kind::BankConflict => include_str!("bank-conflict.md"),
        Kind::UncoalescedAccess => include_str!("uncoalesced-access.md"),
        Kind::WarpDivergence => include_str!("warp-divergence.md"),
    }
}

/// One line on a kind.
pub fn summary(kind: Kind) -> &'static str {
    let head = page(kind).lines().next().unwrap_or("");
    head.split_once(": ").map_or("", |(_, text)| text)
}

/// Where the text of a kind lies.
pub fn address(kind: Kind) -> String {
    format!("{}/blob/main/src/explain/{kind}.md", env!("CARGO_PKG_REPOSITORY"))
}

/// The text of a kind by name, for a terminal. An error is a sentence for the user.
pub fn text(name: &str) -> Result<String, String> {
    let kind = Kind::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.iter().map(|k| k.name()).collect();
        let hint = match closest(name, &names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`cudair explain` lists them".to_owned(),
        };
        format!("there is no kind of finding `{name}`; {hint}")
    })?;
    let mut out = String::new();
    let mut code = false;
    for line in page(kind).lines() {
        if line.starts_with("```") {
            code = !code;
            continue;
        }
        if code && !line.is_empty() {
            out.push_str("    ");
        }
        out.push_str(line.strip_prefix("# ").unwrap_or(line));
        out.push('\n');
    }
    Ok(out)
}

/// All kinds with a line each.
pub fn list() -> String {
    let width = Kind::ALL.iter().map(|k| k.name().len()).max().unwrap_or(0);
    let lines: Vec<String> =
        Kind::ALL.iter().map(|&k| format!("{:width$}  {}", k.name(), summary(k))).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_page() {
        for &kind in Kind::ALL {
            let page = page(kind);
            assert!(page.starts_with(&format!("# {kind}: ")), "{kind}");
            assert_eq!(page.matches("```cuda\n").count(), 2, "{kind}");
            for line in page.lines() {
                assert!(line.chars().count() <= 96, "{kind}: {line}");
            }
        }
    }

    #[test]
    fn a_near_miss_is_recognised() {
        assert!(text("shared-rase").is_err_and(|e| e.contains("`shared-race`")));
        assert!(text("xyzzy").is_err_and(|e| e.contains("lists them")));
    }
}
