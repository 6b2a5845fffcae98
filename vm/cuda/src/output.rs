//! What kernels leave to be shown: printed text, and the messages of failed assertions.

use crate::Kept;
use cudair_engine::parts::HasProcess;
use cudair_engine::{Machine, Printed};
use cudair_ir::{Kind, Severity};
use cudair_lane::fault::{Fault, Place};
use cudair_libc::stdio;
use std::collections::VecDeque;

/// What is to be shown at the next synchronisation.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// Text printed by kernels, with the bytes that each record takes of the buffer.
    text: VecDeque<(Vec<u8>, u64)>,
    size: u64,
    /// How many records found no room in the buffer.
    lost: u64,
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
        self.lost += printed.lost + cut(&mut self.text, &mut self.size, room);
    }

    /// The program ends, and what nobody has waited for is lost, as CUDA loses it. Tells what of that the program should
    /// know; the buffer has room for so many bytes.
    pub(crate) fn end(&mut self, room: u64) -> Vec<Fault> {
        let records = |n: u64| if n == 1 { "1 record".to_owned() } else { format!("{n} records") };
        let told = |message: String, help: &str| {
            Fault::other(Kind::ApiError, Place::Unknown, message, "")
                .with_help(help)
                .with_severity(Severity::Note)
        };
        let mut faults = Vec::new();
        if self.lost > 0 {
            let message = format!(
                "{} of the kernels' `printf` were lost: the buffer holds {room} bytes",
                records(self.lost)
            );
            let help = "wait for the device before the buffer is full, or make it larger: \
                        `cudaDeviceSetLimit(cudaLimitPrintfFifoSize, …)`";
            faults.push(told(message, help));
        }
        if !self.text.is_empty() {
            let n = records(self.text.len() as u64);
            let message = format!(
                "{n} of the kernels' `printf` were never shown: nothing waits for the device before the program ends"
            );
            faults.push(told(message, "call `cudaDeviceSynchronize()` before `main` returns"));
        }
        self.drop_text();
        faults
    }

    /// The text is lost.
    pub(crate) fn drop_text(&mut self) {
        self.text.clear();
        self.size = 0;
    }
}

/// Drops the oldest records where there are more bytes than the buffer has; how many they are.
pub(crate) fn cut(text: &mut VecDeque<(Vec<u8>, u64)>, size: &mut u64, room: u64) -> u64 {
    let mut lost = 0;
    while *size > room
        && let Some((_, first)) = text.pop_front()
    {
        *size -= first;
        lost += 1;
    }
    lost
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
