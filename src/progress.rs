//! Progress of a long launch, for who sits before a terminal.

use crate::render::Look;
use cudair_ir::Module;
use cudair_vm::{LaunchView, Watch};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a launch takes before it is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long nothing is shown after the program has written.
const PAUSE: Duration = Duration::from_millis(500);
/// How often the line changes.
const REFRESH: Duration = Duration::from_millis(250);
/// Characters of a kernel's name that are shown.
const MAX_NAME: usize = 24;
const TEMPLATE: &str = "{prefix} [{wide_bar}] {msg}";

/// Shows the launch that runs on stderr. Dropped, it leaves the line as it was.
pub struct Progress {
    module: Arc<Module>,
    watch: Arc<Watch>,
    /// The number of the launch that runs, and when it was first seen.
    current: Option<((u64, bool), Instant)>,
    bar: Option<ProgressBar>,
    drawn: Instant,
    /// What the program wrote to the terminal ended a line.
    line_ended: bool,
    silent_until: Option<Instant>,
}

impl Progress {
    /// Nothing where stderr is no terminal, or one that cannot take a line back.
    pub fn new(module: Arc<Module>, watch: Arc<Watch>) -> Option<Progress> {
        let dumb = std::env::var_os("TERM").is_none_or(|t| t.is_empty() || t == "dumb");
        if dumb || !std::io::stderr().is_terminal() {
            return None;
        }
        Some(Progress {
            module,
            watch,
            current: None,
            bar: None,
            drawn: Instant::now(),
            line_ended: true,
            silent_until: None,
        })
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// The program has written to the terminal; whether the cursor stands at a line's start.
    pub fn line_ended(&mut self, ended: bool) {
        self.line_ended = ended;
        self.silent_until = Some(Instant::now() + PAUSE);
    }

    /// Shows how things stand.
    pub fn tick(&mut self) {
        let Some(view) = self.watch.launch() else {
            self.current = None;
            self.clear();
            return;
        };
        let now = Instant::now();
        let since = match self.current {
            Some((run, since)) if run == (view.number, view.again) => since,
            _ => {
                self.clear();
                self.current = Some(((view.number, view.again), now));
                now
            }
        };
        let wanted = now - since >= PATIENCE
            && self.line_ended
            && self.silent_until.is_none_or(|until| now >= until)
            && !self.watch.is_interrupted();
        if !wanted {
            return self.clear();
        }
        match &self.bar {
            Some(_) if now - self.drawn < REFRESH => {}
            Some(bar) => {
                self.drawn = now;
                bar.set_message(status(view, now - since));
                bar.set_position(view.done);
            }
            None => self.bar = Some(self.show(view, now - since)),
        }
    }

    fn show(&self, view: LaunchView, elapsed: Duration) -> ProgressBar {
        let name = self.module.funcs.get(view.kernel).map_or("", |f| f.display_name.as_str());
        let mut short: String = name.chars().take(MAX_NAME).collect();
        if short.len() < name.len() {
            short.push_str(if Look::of_file().ascii { "..." } else { "…" });
        }
        let again = if view.again { ", again for its races" } else { "" };
        let bar = ProgressBar::with_draw_target(Some(view.blocks), ProgressDrawTarget::stderr_with_hz(5))
            .with_prefix(format!("launch {}: `{short}`{again}", view.number))
            .with_message(status(view, elapsed));
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_position(view.done);
        bar
    }
}

/// Blocks done, blocks a second since the launch began, and the time that the others take at that rate.
fn status(view: LaunchView, elapsed: Duration) -> String {
    let LaunchView { blocks, done, .. } = view;
    let of = format!("{}/{} blocks", HumanCount(done), HumanCount(blocks));
    if done == 0 {
        return format!("{of}, {} so far", time(elapsed.as_secs_f64()));
    }
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-3);
    let left = time(blocks.saturating_sub(done) as f64 / rate);
    if rate < 10.0 {
        format!("{of}, {rate:.1}/s, {left} left")
    } else {
        format!("{of}, {}/s, {left} left", HumanCount(rate.round() as u64))
    }
}

/// A time in its two largest units.
fn time(seconds: f64) -> String {
    let s = seconds.ceil() as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {} s", s / 60, s % 60),
        _ => format!("{} h {} min", s / 3600, s / 60 % 60),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudair_ir::{EntityRef, FuncId};

    #[test]
    fn how_things_stand() {
        let view =
            |done, blocks| LaunchView { number: 0, kernel: FuncId::new(0), blocks, done, again: false };
        let after = Duration::from_secs_f64;
        assert_eq!(status(view(0, 1), after(61.5)), "0/1 blocks, 1 min 2 s so far");
        assert_eq!(status(view(3, 10), after(2.0)), "3/10 blocks, 1.5/s, 5 s left");
        assert_eq!(
            status(view(65_536, 1 << 20), after(16.0)),
            "65,536/1,048,576 blocks, 4,096/s, 4 min 0 s left"
        );
        assert_eq!(time(7260.0), "2 h 1 min");
    }
}
