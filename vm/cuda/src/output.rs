//! What kernels leave to be shown: printed text, and the messages of failed assertions.

use crate::Kept;
use cudair_engine::parts::HasProcess;
use cudair_engine::{Machine, Printed};
use cudair_libc::stdio;
use std::collections::VecDeque;

/// What is to be shown at the next synchronisation.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// Text printed by kernels, with the bytes that each record takes of the buffer.
    text: VecDeque<(Vec<u8>, u64)>,
    size: u64,
    /// Messages of failed assertions.
    asserts: Vec<Vec<u8>>,
    /// The running launch failed an assertion.
    pub(crate) asserted: bool,
}

impl Output {
    /// What a launch has left, now that it stands; the buffer has room for so many bytes.
    pub(crate) fn take_in(&mut self, printed: Printed, room: u64) {
        self.asserted |= !printed.asserts.is_empty();
        self.asserts.extend(printed.asserts);
        for (text, size) in printed.text {
            self.size += size;
            self.text.push_back((text, size));
        }
        cut(&mut self.text, &mut self.size, room);
    }

    /// The text is lost.
    pub(crate) fn drop_text(&mut self) {
        self.text.clear();
        self.size = 0;
    }
}

/// Drops the oldest records where there are more bytes than the buffer has.
pub(crate) fn cut(text: &mut VecDeque<(Vec<u8>, u64)>, size: &mut u64, room: u64) {
    while *size > room
        && let Some((_, first)) = text.pop_front()
    {
        *size -= first;
    }
}

/// Passes on what kernels printed, and the messages of their assertions: done wherever CUDA does it, at
/// each synchronisation.
pub(crate) fn flush(m: &mut Machine) {
    let output = &mut m.cuda.get_mut().output;
    if output.text.is_empty() && output.asserts.is_empty() {
        return;
    }
    output.size = 0;
    for (text, _) in std::mem::take(&mut output.text) {
        stdio::write_stdout(&mut m.process(), &text);
    }
    show_asserts(m);
}

/// Passes on the messages of failed assertions.
pub(crate) fn show_asserts(m: &mut Machine) {
    for message in std::mem::take(&mut m.cuda.get_mut().output.asserts) {
        stdio::write_stderr(&mut m.process(), &message);
    }
}
