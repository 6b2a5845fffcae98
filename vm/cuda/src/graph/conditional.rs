//! Conditional nodes: graphs that run if a value is not zero, while it is not, or the one that it numbers. Kernels set
//! the value.
//!
//! A body's operations run one after the other, so that races between its branches are not looked for.

use super::{DeviceChange, Graph, Graphs, find, handle, make};
use crate::call::Call;
use crate::constants::{
    cudaGraphCondAssignDefault, cudaGraphCondTypeIf, cudaGraphCondTypeSwitch, cudaGraphCondTypeWhile,
};
use crate::queue::Work;
use crate::{Api, CudaError, Kept, RuntimeCall, queue};
use cudair_engine::guest::Host;
use cudair_engine::parts::HasFuel;
use cudair_engine::{Args, Machine};
use cudair_ir::Kind;
use cudair_lane::fault::{Fault, Stop};
use cudair_lane::ptr::Ptr;
use cudair_memory::ByteAccess;
use std::sync::Arc;

/// A value that conditional nodes depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub(super) graph: usize,
    /// What it is at the start of each launch of its graph, where that was asked for.
    default: Option<u32>,
    value: Option<u32>,
    /// A conditional node uses it or has used it.
    pub(super) used: bool,
    /// A conditional node uses it: only one can.
    pub(super) taken: bool,
}

/// `cudaGraphConditionalNodeType`
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Branch {
    If = cudaGraphCondTypeIf,
    While = cudaGraphCondTypeWhile,
    Switch = cudaGraphCondTypeSwitch,
}

impl Branch {
    pub(super) fn of(number: u32) -> Option<Branch> {
        [Branch::If, Branch::While, Branch::Switch].into_iter().find(|&k| k as u32 == number)
    }

    /// Whether a node of this kind can have so many bodies: a second one of an `if` is its `else`.
    pub(super) fn takes(self, bodies: u32) -> bool {
        match self {
            Branch::If => (1..=2).contains(&bodies),
            Branch::While => bodies == 1,
            Branch::Switch => (1..=1024).contains(&bodies),
        }
    }
}

/// A conditional node that can run.
#[derive(Clone, Debug)]
pub(crate) struct Conditional {
    pub(super) condition: usize,
    pub(super) kind: Branch,
    /// Each body's operations, in an order in which they can run.
    pub(super) bodies: Vec<Vec<(Work, ByteAccess)>>,
}

/// `cudaGraphConditionalHandleCreate(handle, graph, default, flags)`
pub(crate) fn create(h: &mut RuntimeCall<'_, '_>, a: &Args<'_>) -> Api {
    let graph = find(h, a.ptr(1))?;
    if a.ptr(0).is_null() || a.u32(3) > cudaGraphCondAssignDefault {
        return Err(CudaError::INVALID_VALUE.into());
    }
    let default = (a.u32(3) == cudaGraphCondAssignDefault).then(|| a.u32(2));
    let conditions = &mut h.m.cuda.get_mut().graphs.conditions;
    conditions.push(Condition { graph, default, value: default, used: false, taken: false });
    let number = conditions.len() as u64;
    h.give(a.ptr(0), number, 8)
}

/// Makes the graphs of a node's bodies and tells the program of them, in a list of the runtime's.
pub(super) fn make_bodies(h: &mut Host<'_>, count: u32, out: Ptr) -> Result<Vec<usize>, crate::Fail> {
    let (mut bodies, mut list) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (_, id) = h.with_runtime(|h| make(h, Graph { owned: true, ..Graph::default() }))?;
        bodies.push(id);
        list.extend(h.with_runtime(|h| handle(h, id))?.0.to_le_bytes());
    }
    let list = cudair_engine::guest::runtime_object(h.m, "bodies of a conditional node", &list, 8)?;
    h.give(out, list.0, 8)?;
    Ok(bodies)
}

impl Graphs {
    /// A graph is launched: its conditions have their defaults.
    pub(crate) fn begin(&mut self, conditions: &[usize]) {
        for &n in conditions {
            let condition = &mut self.conditions[n];
            condition.value = condition.default;
        }
    }
}

/// `cudaGraphSetConditional(handle, value)` by a thread of the device; whether there is such a handle.
pub(crate) fn set(m: &mut Machine, handle: u64, value: u32) -> bool {
    let n = (handle as usize).wrapping_sub(1);
    match m.cuda.get_mut().graphs.conditions.get_mut(n) {
        Some(condition) => {
            let before = condition.value.replace(value);
            m.cuda
                .get_mut()
                .note_graph(DeviceChange { condition: Some((n, before)), ..DeviceChange::default() });
            true
        }
        None => false,
    }
}

impl Condition {
    /// Sets the value to what it was.
    pub(super) fn set_value(&mut self, value: Option<u32>) {
        self.value = value;
    }
}

/// Runs a conditional node.
///
/// # Errors
/// What its bodies meet; running out of fuel.
pub(crate) fn perform(
    m: &mut Machine,
    node: &Arc<Conditional>,
    who: ByteAccess,
    end: u64,
) -> Result<(), Stop> {
    loop {
        m.spend(64)?;
        if m.cuda.get().errors.sticky.is_some() {
            return Ok(());
        }
        let value = m.cuda.get().graphs.conditions[node.condition].value;
        let Some(value) = value else {
            let message = "a conditional node reads a value that nothing in this launch of its graph has set";
            let help =
                "set it in a kernel before the node, or create the handle with `cudaGraphCondAssignDefault`";
            let fault = Fault::other(Kind::UninitializedRead, who.place, message.to_owned(), "added here")
                .with_help(help);
            m.findings.note(fault);
            return Ok(());
        };
        let body = match (node.kind, value) {
            (Branch::If, 0) => node.bodies.get(1),
            (Branch::While, 0) => None,
            (Branch::If | Branch::While, _) => node.bodies.first(),
            (Branch::Switch, n) => node.bodies.get(n as usize),
        };
        for (work, who) in body.into_iter().flatten() {
            let mut work = work.clone();
            super::number(m, &mut work);
            m.cuda.get_mut().graphs.body_time += queue::cost(m, &work);
            let outer = std::mem::replace(&mut m.cuda.get_mut().nested.in_body, true);
            let result = queue::perform(m, work, *who, end);
            m.cuda.get_mut().nested.in_body = outer;
            result?;
            if m.cuda.get().errors.sticky.is_some() {
                return Ok(());
            }
        }
        if node.kind != Branch::While || value == 0 {
            return Ok(());
        }
    }
}
