//! The way back: which event of a run is the last one that the user wants.

use super::control::{Arrival, Stood, first, owns};
use super::points::Point;
use super::{Focus, Scope, Why};
use cudair_vm::debug::{DeviceThread, Here};

/// What the user wants to go back to.
#[derive(Clone, Debug)]
pub enum Want {
    /// The line before, of whoever is in focus; with a depth, only one that is not deeper.
    Line {
        /// Who.
        focus: Focus,
        /// Of the thread alone, or of its warp or block.
        scope: Scope,
        /// How many calls deep at most.
        depth: Option<usize>,
        /// How many lines further back still.
        more: u32,
    },
    /// The call of the function.
    Caller {
        /// Whose.
        focus: Focus,
        /// How many calls deep the function is.
        depth: usize,
    },
    /// A breakpoint, a fault, or a finding.
    Stop,
    /// Where a thread, or the host, comes to a line.
    Place {
        /// The thread; none of the host.
        thread: Option<DeviceThread>,
        /// The file's path.
        file: String,
        /// The line.
        line: u32,
    },
}

/// A run that looks for it.
#[derive(Debug)]
pub struct Search {
    want: Want,
    /// The event at which the user stood, and what all events up to it come to.
    pub until: u64,
    /// See there.
    pub trace: u64,
    /// The same where the user is.
    from: (u64, u64),
    /// It looks only at the launch that the user is in.
    pub is_near: bool,
    stood: Option<Stood>,
    /// The last ones so far, the latest last, no more of them than are wanted.
    found: Vec<Arrival>,
    /// The last one of the host, behind which a thread of the device had not begun.
    host: Option<Arrival>,
    host_stood: Option<Stood>,
}

impl Search {
    /// For what is wanted before an event, `(number, trace)`, by a user who is at another.
    pub fn new(want: Want, (until, trace): (u64, u64), from: (u64, u64)) -> Search {
        Search {
            want,
            until,
            trace,
            from,
            is_near: false,
            stood: None,
            found: Vec::new(),
            host: None,
            host_stood: None,
        }
    }

    /// Whether it looks for where a run that goes forward would stand still.
    pub fn wants_stops(&self) -> bool {
        matches!(self.want, Want::Stop)
    }

    /// Looks at an event, `(number, trace)`. `stop` says who would be in focus there and why, where a run that goes forward
    /// would stand still.
    pub fn look(
        &mut self,
        here: &Here<'_>,
        point: Option<&Point>,
        (event, trace): (u64, u64),
        stop: Option<(Focus, Why)>,
    ) {
        let arrival = |focus, why| Arrival { event, trace: Some(trace), focus: Some(focus), why };
        let (want, depth) = (&self.want, here.depth());
        let found = match (want, point) {
            (Want::Stop, _) => {
                let Some((focus, why)) = stop else { return };
                arrival(focus, why)
            }
            (_, None) => return,
            (_, Some(point)) if point.entry => return,
            (Want::Place { thread, file, line }, Some(point)) => {
                let is = thread.map_or_else(|| here.on_host(), |t| here.has(t));
                if !is || point.line != *line || point.path.as_ref() != file {
                    return;
                }
                arrival(thread.map_or_else(|| first(here), Focus::Device), Why::Back)
            }
            (Want::Line { focus, .. } | Want::Caller { focus, .. }, Some(point)) => {
                let scope = if let Want::Line { scope, .. } = want { *scope } else { Scope::Thread };
                let at = (point.file, point.line, depth);
                let Some(who) = owns(*focus, scope, here) else {
                    if here.on_host() && self.host_stood != Some(at) {
                        (self.host, self.host_stood) = (Some(arrival(first(here), Why::Back)), Some(at));
                    }
                    return;
                };
                match want {
                    Want::Caller { depth: function, .. } if depth >= *function => return,
                    Want::Line { depth: Some(most), .. } if depth > *most => return,
                    Want::Line { .. } if self.stood == Some(at) => return,
                    _ => self.stood = Some(at),
                }
                arrival(who, Why::Back)
            }
        };
        if self.is_found() {
            self.found.remove(0);
        }
        self.found.push(found);
    }

    /// Memory that is watched is changed behind an event, `(number, trace)`.
    pub fn changed(&mut self, (event, trace): (u64, u64), focus: Focus, number: u32) {
        if matches!(self.want, Want::Stop) {
            let why = Why::Changed { number, values: None, by: None };
            // What was found at the event itself is as good.
            if self.found.last().is_none_or(|f| f.event < event) {
                self.found = vec![Arrival { event, trace: Some(trace), focus: Some(focus), why }];
            }
        }
    }

    /// The same search from the start.
    pub fn anew(&self) -> Search {
        Search::new(self.want.clone(), (self.until, self.trace), self.from)
    }

    /// Whether as many were found as are wanted.
    pub fn is_found(&self) -> bool {
        let wanted = match &self.want {
            Want::Line { more, .. } => 1 + *more as usize,
            Want::Caller { .. } | Want::Stop | Want::Place { .. } => 1,
        };
        self.found.len() == wanted
    }

    /// What was found; the program's start where there is nothing.
    pub fn found(&self) -> Arrival {
        let found = self.found.first().filter(|_| self.is_found());
        let of_device = match &self.want {
            Want::Line { focus, .. } | Want::Caller { focus, .. } => matches!(focus, Focus::Device(_)),
            Want::Stop | Want::Place { .. } => false,
        };
        let before = self.host.as_ref().filter(|_| of_device);
        found.or(before).cloned().unwrap_or_else(|| match &self.want {
            Want::Place { .. } => {
                let (event, trace) = self.from;
                Arrival { event, trace: Some(trace), focus: None, why: Why::Nowhere }
            }
            _ => Arrival { event: 1, trace: None, focus: None, why: Why::First },
        })
    }
}
