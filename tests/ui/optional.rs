//! Tools that a test needs and a machine may lack. In CI none may be missing: there a test that did not run
//! would pass for nothing.

/// Must everything be there? `CUDAIR_REQUIRE_ALL` says so, and `CI`, which the usual services set.
pub fn all_required() -> bool {
    ["CUDAIR_REQUIRE_ALL", "CI"]
        .iter()
        .any(|name| std::env::var(name).is_ok_and(|v| !matches!(v.as_str(), "" | "0" | "false")))
}

/// Says that a test is left out, and why; fails it where everything must be there.
pub fn left_out(why: &str) {
    assert!(!all_required(), "{why}, and it is required here");
    println!("left out: {why}");
}
