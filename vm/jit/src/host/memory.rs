//! The host's accesses: the usual case inline, as the bytecode's loop has it.
//!
//! The usual case is an object of the object table or a local variable that is at hand, a natural alignment, and bytes
//! that are all initialised. Of all else a helper does what needs no report, and compiled code leaves before the rest.

use super::HostSlot;
use super::abi::{CENTRE, HostContext, HostHelper, Packed, object, pack};
use super::emit::{Emitter, register};
use super::flow::Kind;
use super::ops::{Access, Base};
use crate::Refusal;
use crate::branch::stay;
use cranelift_codegen::ir::condcodes::IntCC as Cc;
use cranelift_codegen::ir::types as ct;
use cranelift_codegen::ir::{self as cl, InstBuilder};
use cudair_bytecode::{Ext, S, SlotId};
use std::mem::offset_of;

/// Where an access of the usual case goes.
struct Place {
    /// The object's bytes.
    data: cl::Value,
    /// Its bits of initialisation.
    init: cl::Value,
    /// Whether it may lack them.
    may_lack: bool,
    /// The offset, but for what follows.
    offset: Option<cl::Value>,
    /// A part of the offset that is known, a multiple of the width.
    known: i32,
    /// The offset divided by the width, if that is at hand.
    pieces: Option<cl::Value>,
}

impl Emitter<'_, '_> {
    /// A load or a store.
    pub(super) fn access(&mut self, a: Access) -> Result<(), Refusal> {
        if !a.is_usual() {
            return self.unusual(a, None);
        }
        if a.acc.copy() {
            return self.copied(a);
        }
        let exit = self.exit()?;
        let place = self.place(a, exit)?;
        if let Base::Pointer(p) = a.base
            && let Some(object) = self.object(p)
        {
            self.found.permitted.push((object, right(a)));
            self.found.data.push((object, place.data));
        }
        if a.stores { self.store_at(a, &place) } else { self.load_at(a, &place, exit) }
    }

    /// A load or a store that takes bits of initialisation along. The usual case is that all are set.
    fn copied(&mut self, a: Access) -> Result<(), Refusal> {
        let (rare, done) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(rare);
        let all = self.b.ins().iconst(ct::I64, (1i64 << a.acc.bytes()) - 1);
        if a.stores {
            let bits = self.word(a.reg.0 + 1, Kind::Int);
            let bits = self.b.ins().band_imm_s(bits, 0xffff);
            let full = self.b.ins().icmp(Cc::Equal, bits, all);
            let next = self.b.create_block();
            self.b.ins().brif(full, next, &[], rare, &[]);
            self.go(next);
            let place = self.place(a, rare)?;
            self.store_at(a, &place)?;
            self.b.ins().jump(done, &[]);
            self.go(rare);
            self.unusual(a, None)?;
            self.b.ins().jump(done, &[]);
            self.go(done);
            return Ok(());
        }
        let value = self.b.append_block_param(done, ct::I64);
        let bits = self.b.append_block_param(done, ct::I64);
        let place = self.place(a, rare)?;
        self.check_initialised(a, &place, rare)?;
        let loaded = self.loaded(a, &place, Kind::Int);
        self.b.ins().jump(done, &[loaded.into(), all.into()]);
        self.go(rare);
        self.unusual(a, Some(done))?;
        self.go(done);
        self.set_loaded(a.reg, value, Kind::Int);
        self.set_nth(1, a.reg.0 + 1, bits, Kind::Int);
        Ok(())
    }

    /// An access by a helper. What is loaded goes to `done`, or to its registers.
    fn unusual(&mut self, a: Access, done: Option<cl::Block>) -> Result<(), Refusal> {
        let (slot, at) = match a.base {
            Base::Slot(slot) => {
                let disp = self.b.ins().iconst(ct::I64, i64::from(a.disp));
                (Some(slot.0), self.moved(disp, a)?)
            }
            Base::Pointer(p) => {
                let pointer = self.int(p);
                let moved = self.b.ins().iadd_imm_s(pointer, i64::from(a.disp));
                let moved = self.moved(moved, a)?;
                // It must not come to stand in another object.
                let differs = self.b.ins().bxor(moved, pointer);
                let differs = self.b.ins().ushr_imm_u(differs, 32);
                self.leave_if(differs)?;
                (None, moved)
            }
        };
        let (value, bits) = if a.stores {
            let value = self.int(a.reg);
            let bits = if a.acc.copy() { self.word(a.reg.0 + 1, Kind::Int) } else { value };
            (value, bits)
        } else {
            let zero = self.b.ins().iconst(ct::I64, 0);
            (zero, zero)
        };
        let what = pack(Packed {
            width: a.acc.bytes() as u8,
            align_log2: a.acc.align().trailing_zeros() as u8,
            copy: a.acc.copy(),
            stores: a.stores,
            slot,
        });
        let what = self.b.ins().iconst(ct::I64, what as i64);
        let fine = self.helper(HostHelper::Access, &[at, what, value, bits]);
        self.leave_unless(fine)?;
        if a.stores {
            return Ok(());
        }
        let (value, bits) = (self.given(0), self.given(1));
        if let Some(done) = done {
            self.b.ins().jump(done, &[value.into(), bits.into()]);
            return Ok(());
        }
        self.set_loaded(a.reg, value, Kind::Int);
        if a.acc.copy() {
            self.set_nth(1, a.reg.0 + 1, bits, Kind::Int);
        }
        Ok(())
    }

    /// `at`, moved by the access's index.
    fn moved(&mut self, at: cl::Value, a: Access) -> Result<cl::Value, Refusal> {
        Ok(match a.index {
            Some((index, scale)) => {
                let bytes = self.scaled(index, scale, a.acc.ext())?;
                self.b.ins().iadd(at, bytes)
            }
            None => at,
        })
    }

    /// Bytes of `index * scale`. Leaves where an index does not fit 32 bits with its sign.
    pub(super) fn scaled(&mut self, index: S, scale: u16, ext: Ext) -> Result<cl::Value, Refusal> {
        let low = self.int32(index);
        let signed = self.b.ins().sextend(ct::I64, low);
        if ext == Ext::Zero {
            let whole = self.int(index);
            let fits = self.b.ins().icmp(Cc::Equal, signed, whole);
            self.leave_unless(fits)?;
        }
        Ok(if scale.is_power_of_two() {
            self.b.ins().ishl_imm_u(signed, i64::from(scale.trailing_zeros()))
        } else {
            self.b.ins().imul_imm_s(signed, i64::from(scale))
        })
    }

    /// Goes to `rare` unless `fine`.
    fn go_on_if(&mut self, fine: cl::Value, rare: cl::Block) {
        let go_on = self.b.create_block();
        stay(&mut self.b, fine, go_on, rare);
        self.go(go_on);
    }

    /// Finds where an access goes, and tests its alignment, bounds and rights.
    fn place(&mut self, a: Access, rare: cl::Block) -> Result<Place, Refusal> {
        let width = a.acc.bytes();
        match a.base {
            Base::Slot(slot) => self.slot_place(a, slot, rare),
            Base::Pointer(p) => {
                let object = self.object(p).ok_or(Refusal("a pointer without an object"))?;
                let low = self.int32(p);
                let low = self.b.ins().uextend(ct::I64, low);
                // First what does not change where the pointer does not.
                let start = self.b.ins().iadd_imm_s(low, i64::from(a.disp) - CENTRE);
                let offset = self.moved(start, a)?;
                let limit = self.limit(a, p, object, rare);
                let pieces = self.check_offset(offset, width, limit, rare);
                let data = self.data(a, p, object);
                let init = self.b.ins().load(ct::I64, self.regions.views, object, object::INIT as i32);
                Ok(Place { data, init, may_lack: true, offset: Some(offset), known: 0, pieces: Some(pieces) })
            }
        }
    }

    /// The address of an object's bytes. The view has it; but where a chain of pointers is followed, each step would wait for
    /// memory twice, for the view and then for the bytes. So the address is guessed from the id. The processor foretells that
    /// the guess is right, and loads both at once (value speculation).
    fn data(&mut self, a: Access, pointer: S, object: cl::Value) -> cl::Value {
        let data = self.b.ins().load(ct::I64, self.regions.views, object, object::DATA as i32);
        if a.index.is_some() || !self.is_followed(pointer) {
            return data;
        }
        if let Some(&(_, data)) = self.found.data.iter().find(|g| g.0 == object) {
            return data;
        }
        let (other, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, ct::I64);
        let pointer = self.int(pointer);
        let id = self.b.ins().ushr_imm_u(pointer, 32);
        let at = self.b.ins().ishl_imm_u(id, object::SMALL_LOG2);
        let small = self.field(offset_of!(HostContext, small));
        let guess = self.b.ins().iadd(small, at);
        let right = self.b.ins().icmp(Cc::Equal, guess, data);
        self.b.ins().brif(right, done, &[guess.into()], other, &[]);
        self.go(other);
        self.b.ins().jump(done, &[data.into()]);
        self.go(done);
        self.b.block_params(done)[0]
    }

    fn slot_place(&mut self, a: Access, slot: SlotId, rare: cl::Block) -> Result<Place, Refusal> {
        let width = a.acc.bytes();
        let HostSlot { offset: start, size, marked } = self.slots[slot.index()];
        let start = start as i32;
        if marked {
            // It has no rights while it is dead.
            let slots = self.field(offset_of!(HostContext, slots));
            self.check_slot_right(a, slots, i64::from(slot.0) << object::BYTES_LOG2, rare);
        }
        let (offset, known) = match a.index {
            None => {
                let fits = a.disp >= 0
                    && a.disp as u32 & (width - 1) == 0
                    && u64::from(a.disp as u32) + u64::from(width) <= u64::from(size);
                if !fits {
                    self.b.ins().jump(rare, &[]);
                    let never = self.b.create_block();
                    self.go(never);
                }
                (None, if fits { start + a.disp } else { start })
            }
            Some((index, scale)) => {
                let bytes = self.scaled(index, scale, a.acc.ext())?;
                let offset = self.b.ins().iadd_imm_s(bytes, i64::from(a.disp));
                let size = self.b.ins().iconst(ct::I64, i64::from(size));
                if u32::from(scale) % width != 0 || a.disp as u32 & (width - 1) != 0 {
                    self.check_offset(offset, width, size, rare);
                } else {
                    self.check_bounds(offset, width, size, rare);
                }
                (Some(offset), start)
            }
        };
        let data = self.field(offset_of!(HostContext, slot_data));
        let init = self.field(offset_of!(HostContext, slot_init));
        Ok(Place { data, init, may_lack: false, offset, known, pieces: None })
    }

    /// The host must have the access's right to a local variable, whose view is at an offset from `views`.
    fn check_slot_right(&mut self, a: Access, views: cl::Value, view: i64, rare: cl::Block) {
        let at = view + object::RIGHTS as i64;
        let rights = self.b.ins().uload8(ct::I32, self.regions.rights, views, at as i32);
        let right = self.b.ins().band_imm_s(rights, right(a));
        self.go_on_if(right, rare);
    }

    /// How many bytes of an object the access may touch: all, or none where the host lacks the right.
    fn limit(&mut self, a: Access, pointer: S, object: cl::Value, rare: cl::Block) -> cl::Value {
        let size = self.b.ins().load(ct::I64, self.regions.views, object, object::SIZE as i32);
        if self.found.permitted.contains(&(object, right(a))) {
            return size;
        }
        let rights = self.b.ins().load(ct::I8, self.regions.views, object, object::RIGHTS as i32);
        let right = self.b.ins().band_imm_s(rights, right(a));
        // Where the pointer stays the same in a loop, both are made one before it. Elsewhere a branch is less work.
        if self.changes(pointer) {
            self.go_on_if(right, rare);
            return size;
        }
        let none = self.b.ins().iconst(ct::I64, 0);
        self.b.ins().select(right, size, none)
    }

    /// An offset must be a multiple of the width and lie below the limit with all of the access. Rotated by the width's logarithm
    /// it is a number of pieces of that width; what it is not a multiple by comes to stand in the highest bits, so that one
    /// comparison refuses it, as it refuses what is below 0. Gives that number.
    fn check_offset(
        &mut self,
        offset: cl::Value,
        width: u32,
        limit: cl::Value,
        rare: cl::Block,
    ) -> cl::Value {
        let log2 = i64::from(width.trailing_zeros());
        let (pieces, limit) = match log2 {
            0 => (offset, limit),
            _ => (self.b.ins().rotr_imm_u(offset, log2), self.b.ins().ushr_imm_u(limit, log2)),
        };
        let fine = self.b.ins().icmp(Cc::UnsignedLessThan, pieces, limit);
        self.go_on_if(fine, rare);
        pieces
    }

    /// An offset that is a multiple of the width must lie below the object's size with all of the access. Where it is below 0,
    /// so is its last byte's, which is beyond every size.
    fn check_bounds(&mut self, offset: cl::Value, width: u32, size: cl::Value, rare: cl::Block) {
        let last = self.b.ins().iadd_imm_s(offset, i64::from(width - 1));
        let fine = self.b.ins().icmp(Cc::UnsignedLessThan, last, size);
        self.go_on_if(fine, rare);
    }

    /// The byte with the access's bits of initialisation, and its address.
    fn init_byte(&mut self, a: Access, place: &Place) -> (cl::Value, cl::Value) {
        let at = self.init_base(a, place);
        // What is known of an offset beside one that is not is a multiple of eight.
        let disp = place.known >> 3;
        let byte = self.b.ins().load(ct::I8, self.regions.bits, at, disp);
        (byte, self.b.ins().iadd_imm_s(at, i64::from(disp)))
    }

    /// The address of that byte, but for what is known of the offset.
    fn init_base(&mut self, a: Access, place: &Place) -> cl::Value {
        let byte = match (place.offset, place.pieces) {
            (None, _) => return place.init,
            (Some(_), Some(pieces)) if a.acc.bytes() == 8 => pieces,
            (Some(offset), _) => self.b.ins().ushr_imm_u(offset, 3),
        };
        self.b.ins().iadd(place.init, byte)
    }

    /// The access's bits in that byte.
    fn bits(&mut self, a: Access, place: &Place) -> cl::Value {
        let all = (1i64 << a.acc.bytes()) - 1;
        match place.offset {
            None => self.b.ins().iconst(ct::I32, all << (place.known & 7)),
            Some(offset) => {
                let all = self.b.ins().iconst(ct::I32, all);
                let shift = self.b.ins().band_imm_s(offset, 7);
                self.b.ins().ishl(all, shift)
            }
        }
    }

    /// All bytes of an access must be initialised. In arrays mostly all of the eight are to which the byte of bits belongs: that
    /// is looked at first. Structs have padding.
    fn check_initialised(&mut self, a: Access, place: &Place, rare: cl::Block) -> Result<(), Refusal> {
        let done = self.b.create_block();
        if place.may_lack {
            let look = self.b.create_block();
            self.b.ins().brif(place.init, look, &[], done, &[]);
            self.go(look);
        }
        let (byte, _) = self.init_byte(a, place);
        if place.offset.is_some() && a.index.is_some() || a.acc.bytes() == 8 {
            let full = self.b.ins().icmp_imm_s(Cc::Equal, byte, -1);
            if a.acc.bytes() == 8 {
                stay(&mut self.b, full, done, rare);
                self.go(done);
                return Ok(());
            }
            let part = self.b.create_block();
            self.b.set_cold_block(part);
            self.b.ins().brif(full, done, &[], part, &[]);
            self.go(part);
        }
        let bits = self.bits(a, place);
        let byte = self.b.ins().uextend(ct::I32, byte);
        let lacks = self.b.ins().band_not(bits, byte);
        self.b.ins().brif(lacks, rare, &[], done, &[]);
        self.go(done);
        Ok(())
    }

    fn address(&mut self, place: &Place) -> cl::Value {
        match place.offset {
            Some(offset) => self.b.ins().iadd(place.data, offset),
            None => place.data,
        }
    }

    /// The value at a place, whose bytes may be read.
    fn loaded(&mut self, a: Access, place: &Place, kind: Kind) -> cl::Value {
        let at = self.address(place);
        let flags = self.regions.bytes;
        let known = place.known;
        match (a.acc.bytes(), kind) {
            (4, Kind::F32) | (8, _) => self.b.ins().load(register(kind), flags, at, known),
            (1, _) => self.b.ins().uload8(ct::I64, flags, at, known),
            (2, _) => self.b.ins().uload16(ct::I64, flags, at, known),
            _ => self.b.ins().uload32(flags, at, known),
        }
    }

    fn load_at(&mut self, a: Access, place: &Place, exit: cl::Block) -> Result<(), Refusal> {
        self.check_initialised(a, place, exit)?;
        let kind = match (a.acc.bytes(), self.wanted(0)) {
            (4, Kind::F32) => Kind::F32,
            (8, Kind::F64) => Kind::F64,
            _ => Kind::Int,
        };
        let value = self.loaded(a, place, kind);
        self.set_loaded(a.reg, value, kind);
        Ok(())
    }

    /// Writes what was loaded to its register.
    fn set_loaded(&mut self, d: S, value: cl::Value, kind: Kind) {
        let web = self.defined(0);
        self.set_nth(0, d.0, value, kind);
        if kind == Kind::Int {
            self.define_object(web, value);
        }
    }

    fn store_at(&mut self, a: Access, place: &Place) -> Result<(), Refusal> {
        let at = self.address(place);
        let flags = self.regions.bytes;
        let known = place.known;
        match a.acc.bytes() {
            4 if self.kind_of(a.reg) == Kind::F32 => {
                let value = self.word(a.reg.0, Kind::F32);
                self.b.ins().store(flags, value, at, known);
            }
            8 if self.kind_of(a.reg) == Kind::F64 => {
                let value = self.word(a.reg.0, Kind::F64);
                self.b.ins().store(flags, value, at, known);
            }
            width => {
                let value = self.int(a.reg);
                match width {
                    1 => self.b.ins().istore8(flags, value, at, known),
                    2 => self.b.ins().istore16(flags, value, at, known),
                    4 => self.b.ins().istore32(flags, value, at, known),
                    _ => self.b.ins().store(flags, value, at, known),
                };
            }
        }
        let done = self.b.create_block();
        if place.may_lack {
            let mark = self.b.create_block();
            self.b.ins().brif(place.init, mark, &[], done, &[]);
            self.go(mark);
        }
        if a.acc.bytes() == 8 {
            let (at, all) = self.whole_byte(a, place);
            self.b.ins().istore8(self.regions.bits, all, at, 0);
        } else {
            // Nothing is stored where all are initialised: else each store would wait for the one before it, to the same byte.
            let (byte, at) = self.init_byte(a, place);
            let full = self.b.ins().icmp_imm_s(Cc::Equal, byte, -1);
            let lacks = self.b.create_block();
            self.b.ins().brif(full, done, &[], lacks, &[]);
            self.go(lacks);
            let bits = self.bits(a, place);
            let byte = self.b.ins().uextend(ct::I32, byte);
            let bits = self.b.ins().bor(byte, bits);
            self.b.ins().istore8(self.regions.bits, bits, at, 0);
        }
        self.b.ins().jump(done, &[]);
        self.go(done);
        Ok(())
    }

    /// The address of the byte of an access of eight bytes, and that byte with all bits set.
    fn whole_byte(&mut self, a: Access, place: &Place) -> (cl::Value, cl::Value) {
        let at = self.init_base(a, place);
        let at = self.b.ins().iadd_imm_s(at, i64::from(place.known >> 3));
        let all = self.b.ins().iconst(ct::I32, 0xff);
        (at, all)
    }
}

/// The right that an access needs, as a bit.
fn right(a: Access) -> i64 {
    i64::from(if a.stores { object::HOST_WRITES } else { object::HOST_READS })
}
