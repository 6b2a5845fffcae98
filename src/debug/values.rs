//! Values as a debugger shows them.

use super::expression::{self, Scope, Value};
use cudair_ir::{NamedTypes, SourceType, consecutive};
use cudair_vm::debug::{Byte, DeviceThread, Here, Named};
use std::sync::Arc;

/// Numbers with those that follow each other as ranges.
pub fn ranges(numbers: &[u32]) -> String {
    let part = |[from, to]: [u32; 2]| if from == to { from.to_string() } else { format!("{from}-{to}") };
    let word = if numbers.len() == 1 { "thread" } else { "threads" };
    let parts = consecutive(numbers.iter().copied()).into_iter().map(part);
    format!("{word} {}", parts.collect::<Vec<_>>().join(", "))
}

/// A byte in two digits.
pub fn byte(b: &Byte) -> String {
    b.map_or_else(|| "??".to_owned(), |b| format!("{b:02x}"))
}

/// A value behind its name.
pub fn shown(here: &Here<'_>, value: &Value) -> String {
    match expression::extents(value) {
        // `threadIdx` and the like, of which the program has no type.
        Some([x, y, z]) => format!(" {{x = {x}, y = {y}, z = {z}}}"),
        None => here.show(Some(&value.ty), &value.bytes, "  "),
    }
}

/// The variables that a thread sees in a frame.
pub struct InFrame<'a> {
    /// Where.
    pub here: &'a Here<'a>,
    /// The frame, from the innermost.
    pub frame: usize,
    /// The thread, of the device.
    pub thread: Option<DeviceThread>,
}

impl InFrame<'_> {
    /// `threadIdx` and the like, as a vector.
    fn built_in(&self, name: &str) -> Option<Value> {
        let t = self.thread?;
        let (grid, block) = self.here.extents()?;
        let [x, y] = [block[0].max(1), block[1].max(1)];
        let of = match name {
            "threadIdx" => [t.thread % x, t.thread / x % y, t.thread / x / y],
            "blockIdx" => t.block,
            "blockDim" => block,
            "gridDim" => grid,
            _ => return None,
        };
        let bytes = of.into_iter().flat_map(|n| n.to_le_bytes().map(Some)).collect();
        Some(Value { ty: SourceType::Named("dim3".into()), bytes })
    }
}

impl Scope for InFrame<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        let thread = self.thread.map_or(0, |t| t.thread);
        let whole = |v: Named| Some(Value { ty: v.ty?, bytes: v.bytes? });
        // The innermost of a name comes last.
        let local = self
            .here
            .variables(self.frame, thread)
            .into_iter()
            .rev()
            .find(|v| v.name == name && v.bytes.is_some());
        let shared = || self.here.shared().into_iter().find(|v| v.name == name);
        local.or_else(shared).and_then(whole).or_else(|| self.built_in(name))
    }

    fn memory(&self, address: u64, bytes: u64) -> Option<Vec<Byte>> {
        self.here.memory(address, bytes)
    }

    fn types(&self) -> &NamedTypes {
        self.here.types()
    }
}

/// What memory an address is in, in words.
pub fn allocation(here: &Here<'_>, address: u64) -> String {
    let pointer = SourceType::Pointer(Arc::new(SourceType::Named("void".into())));
    here.show(Some(&pointer), &address.to_le_bytes().map(Some), "").trim().to_owned()
}
