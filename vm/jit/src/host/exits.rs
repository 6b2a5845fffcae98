//! Side exits: where compiled code leaves to the bytecode, and what it writes to the frame then.

use super::abi::HostContext;
use super::emit::Emitter;
use super::flow::Kind;
use super::ops;
use crate::Refusal;
use crate::branch::stay;
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_bytecode::Op;
use std::mem::offset_of;

/// A value that is not in the frame yet.
#[derive(Clone, Copy)]
pub(super) struct Unsaved {
    pub(super) word: u16,
    pub(super) web: u32,
    pub(super) until: u32,
}

/// A side exit.
pub(super) struct Exit {
    block: cl::Block,
    /// The operation with which the bytecode goes on.
    pc: usize,
    /// What has to be written to the frame.
    unsaved: Vec<Unsaved>,
}

impl Emitter<'_, '_> {
    /// Writes the side exits, and where they come together.
    pub(super) fn write_exits(&mut self) {
        for Exit { block, pc, unsaved } in std::mem::take(&mut self.exits) {
            self.go(block);
            self.unsaved = unsaved;
            self.leave(pc);
        }
        self.write_ends();
    }

    /// Gives the operation at which the bytecode goes on.
    pub(crate) fn leave(&mut self, pc: usize) {
        for unsaved in self.unsaved.clone() {
            if unsaved.until as usize >= pc {
                self.save(unsaved);
            }
        }
        let budget = self.b.use_var(self.budget);
        let budget = self.b.ins().uextend(ct::I64, budget);
        let budget = self.b.ins().ishl_imm_u(budget, 32);
        let both = self.b.ins().iadd_imm_s(budget, pc as i64);
        self.b.ins().jump(self.ends[0], &[both.into()]);
    }

    /// Ends compiled code, which has left in another activation.
    pub(crate) fn leave_after(&mut self, place: cl::Value) {
        self.b.ins().jump(self.ends[1], &[place.into()]);
    }

    /// Where all that leaves comes together.
    fn write_ends(&mut self) {
        let [own, any] = self.ends;
        self.go(own);
        let place = self.b.block_params(own)[0];
        self.b.ins().store(self.regions.value, self.top, self.cx, offset_of!(HostContext, frames) as i32);
        self.b.ins().jump(any, &[place.into()]);
        self.go(any);
        let place = self.b.block_params(any)[0];
        self.write_constants();
        let none = self.b.ins().iconst(ct::I64, 0);
        self.b.ins().return_(&[place, none]);
    }

    /// Writes the function's constants to the frame.
    pub(super) fn write_constants(&mut self) {
        let first = self.code.files.consts_at.0;
        for (n, &bits) in self.code.files.consts.iter().enumerate() {
            let bits = self.b.ins().iconst(ct::I64, bits as i64);
            self.put(self.words, first + n as u16, bits);
        }
    }

    /// Whether compiled code called the function.
    pub(crate) fn called(&mut self) -> cl::Value {
        self.b.ins().icmp_imm_s(Cc::SignedLessThan, self.entry, 0)
    }

    /// Writes a value to the frame.
    fn save(&mut self, Unsaved { word, web, .. }: Unsaved) {
        let value = self.b.use_var(self.variables[web as usize]);
        self.write(word, value, self.flow.kinds[web as usize]);
    }

    pub(super) fn write(&mut self, w: u16, value: cl::Value, kind: Kind) {
        let at = 8 * i32::from(w);
        self.b.ins().store(self.regions.words, value, self.words, at);
        if kind == Kind::F32 {
            let zero = self.b.ins().iconst(ct::I32, 0);
            self.b.ins().store(self.regions.words, zero, self.words, at + 4);
        }
    }

    /// Writes to the frame what a helper reads there.
    pub(crate) fn save_read(&mut self, op: Op) {
        let mut read = Vec::new();
        ops::words(self.code, op, |w, writes| {
            if !writes {
                read.push(w);
            }
        });
        for unsaved in self.unsaved.clone() {
            if read.contains(&unsaved.word) {
                self.save(unsaved);
            }
        }
    }

    /// Where compiled code leaves before the operation whose code is written.
    pub(crate) fn exit(&mut self) -> Result<cl::Block, Refusal> {
        if !ops::may_leave(ops::first(self.code.ops[self.pc]), self.pc) {
            return Err(Refusal("a side exit where none was expected"));
        }
        if let Some(exit) = self.exits.last()
            && exit.pc == self.pc
        {
            return Ok(exit.block);
        }
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        self.exits.push(Exit { block, pc: self.pc, unsaved: self.unsaved.clone() });
        Ok(block)
    }

    /// Leaves before the operation if `c` is 0.
    pub(crate) fn leave_unless(&mut self, c: cl::Value) -> Result<(), Refusal> {
        let exit = self.exit()?;
        let go_on = self.b.create_block();
        stay(&mut self.b, c, go_on, exit);
        self.go(go_on);
        Ok(())
    }

    /// Leaves before the operation if `c` is not 0.
    pub(crate) fn leave_if(&mut self, c: cl::Value) -> Result<(), Refusal> {
        let exit = self.exit()?;
        let go_on = self.b.create_block();
        self.b.ins().brif(c, exit, &[], go_on, &[]);
        self.go(go_on);
        Ok(())
    }
}
