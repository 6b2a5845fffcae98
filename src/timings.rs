//! `CUDAIR_TIMINGS=1`: where the time of a command goes, a line a stage on stderr when it ends.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::Instant;

static STAGES: Mutex<Vec<(&'static str, Instant)>> = Mutex::new(Vec::new());

/// A stage begins, and with it ends the one before.
pub fn stage(name: &'static str) {
    if let Ok(mut stages) = STAGES.lock() {
        stages.push((name, Instant::now()));
    }
}

/// Prints what was asked for. Stages of one name are one line.
pub fn print() {
    if std::env::var_os("CUDAIR_TIMINGS").is_none_or(|v| v.is_empty() || v == "0") {
        return;
    }
    stage("end");
    let Ok(stages) = STAGES.lock() else { return };
    let mut sums: Vec<(&str, f64)> = Vec::new();
    for pair in stages.windows(2) {
        let (name, time) = (pair[0].0, (pair[1].1 - pair[0].1).as_secs_f64() * 1e3);
        match sums.iter_mut().find(|s| s.0 == name) {
            Some(sum) => sum.1 += time,
            None => sums.push((name, time)),
        }
    }
    let mut text = String::new();
    for (name, time) in &sums {
        let _ = writeln!(text, "{time:9.2} ms  {name}");
    }
    let _ = writeln!(text, "{:9.2} ms  in all", sums.iter().map(|s| s.1).sum::<f64>());
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
}
