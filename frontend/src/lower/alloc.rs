//! `new` and `delete`.

use super::R;
use super::allocation::{is_alignment, is_std};
use super::call::CallResult;
use super::func::FnLower;
use super::func::cleanups::Action;
use super::init::peel_init;
use crate::ast::{Call, Delete, Ex, ExprKind, New};
use crate::types::{Kind, QTy, Ty, own_elements};
use cudair_ir::{BinaryOp, DEVICE_SUFFIX, IntCC, MemFlags, Param, Signature, Type, Value};

impl<'tu> FnLower<'_, 'tu, '_> {
    /// `__builtin_operator_new` and `__builtin_operator_delete`: the replaceable functions.
    pub fn allocation_builtin(
        &mut self,
        call: &'tu Call<'tu>,
        e: Ex<'tu>,
        operator: &str,
    ) -> R<Option<CallResult>> {
        let mut args = Vec::new();
        let mut name = if operator == "new" { "_Znwm" } else { "_ZdlPv" }.to_owned();
        let ulong = self.cx.ast.types.ulong;
        for (i, &arg) in call.args.iter().enumerate() {
            let q = arg.q;
            if let Some(record) = self.cx.ast.types.as_record(q.ty) {
                if !is_std(self.cx.ast.types.record(record).decl, "nothrow_t") {
                    return self.unsupported(format!("the builtin `__builtin_operator_{operator}`"), e);
                }
                name += "RKSt9nothrow_t";
                let place = self.place(arg)?;
                args.push(self.generic(place.ptr));
                continue;
            }
            if i > 0 {
                let aligned = is_alignment(arg.written_type());
                name += if aligned { "St11align_val_t" } else { "m" };
            }
            let pointer = i == 0 && operator != "new";
            let value = if pointer { self.rv(arg)? } else { self.rv_as(arg, ulong)? };
            args.push(if pointer { self.generic(value) } else { value });
        }
        self.enter(e);
        let sig = Signature {
            params: args.iter().map(|a| Param::new(self.b.ty(*a))).collect(),
            ret: (operator == "new").then_some(Type::GENERIC_PTR),
            variadic: false,
        };
        let func = self.cx.native(&name, sig, self.frame.device());
        let result = self.call_func(func, &args);
        Ok(Some(result.map_or(CallResult::None, CallResult::Value)))
    }

    /// Bytes in front of an array made by `new[]` that hold its length, where `delete[]` needs it (Itanium C++ ABI, 2.7).
    pub fn cookie(&mut self, elem: Ty) -> u64 {
        let counted = self.cx.needs_destruction(elem) || self.cx.own_array_delete_takes_size(elem);
        if counted { u64::from(self.cx.ast.types.align(elem).max(8)) } else { 0 }
    }

    /// Whether an argument of a `new` says where the object is to be.
    fn is_address(&mut self, ty: Ty) -> bool {
        matches!(self.cx.ast.types.kind(ty), Kind::Pointer(_) | Kind::NullPtr | Kind::Array { .. })
    }

    /// What the arguments of a `new` of the library say: where the object is to be, the tag that null is an answer, and
    /// the alignment.
    fn placement_arguments(
        &mut self,
        placement: &[Ex<'tu>],
        e: Ex<'tu>,
    ) -> R<(Option<Value>, Option<Value>, Option<Value>)> {
        let (mut address, mut nothrow, mut alignment) = (None, None, None);
        for &argument in placement {
            let ty = argument.q.ty;
            match self.cx.ast.types.as_record(ty) {
                Some(class) if is_std(self.cx.ast.types.record(class).decl, "nothrow_t") => {
                    let place = self.place(argument)?;
                    nothrow = Some(self.generic(place.ptr));
                }
                None if is_alignment(argument.written_type()) => {
                    let ulong = self.cx.ast.types.ulong;
                    alignment = Some(self.rv_as(argument, ulong)?);
                }
                _ if placement.len() == 1 && self.is_address(ty) => address = Some(self.rv(argument)?),
                _ => return self.unsupported("this placement new", e),
            }
        }
        Ok((address, nothrow, alignment))
    }

    /// Memory from the library's operator, which takes an alignment, and a tag where null is an answer.
    fn library_new(
        &mut self,
        bytes: Value,
        array: bool,
        alignment: Option<Value>,
        nothrow: Option<Value>,
        e: Ex<'tu>,
    ) -> R<Value> {
        let name = if array { "_Znam" } else { "_Znwm" };
        let mut name = self.cx.allocation_symbol(name).to_owned();
        let mut args = vec![bytes];
        // The library's function calls the program's where that is replaced.
        let replaced = self.cx.replaces(&name);
        if let Some(alignment) = alignment {
            name += "St11align_val_t";
            args.push(alignment);
        }
        if let Some(tag) = nothrow.filter(|_| !replaced) {
            name += "RKSt9nothrow_t";
            args.push(tag);
        }
        let sig = Signature {
            params: args.iter().map(|a| Param::new(self.b.ty(*a))).collect(),
            ret: Some(Type::GENERIC_PTR),
            variadic: false,
        };
        let func = self.cx.native(&name, sig, self.frame.device());
        match self.call_func(func, &args) {
            Some(p) => Ok(p),
            None => self.internal("an allocation without a result", e),
        }
    }

    /// `new T(…)`, `new T[n]`.
    pub fn new_expression(&mut self, new: &'tu New<'tu>, e: Ex<'tu>) -> R<Value> {
        let q = e.q;
        let Some(elem) = self.cx.ast.types.pointee(q.ty) else {
            return self.internal("a new expression whose result is not a pointer", e);
        };
        let &New { placement, global, init, .. } = new;
        let array = new.count.is_some();
        let (mut address, mut nothrow, mut alignment) = (None, None, None);
        let own = self.own_allocates(elem.ty, array, global, placement, e)?;
        if !own {
            (address, nothrow, alignment) = self.placement_arguments(placement, e)?;
        }
        let mut count = None;
        if let Some(n) = new.count {
            let from = n.q.ty;
            let value = self.rv(n)?;
            let signed = self.cx.ast.types.is_signed(from);
            count = Some(self.widen(value, signed, Type::I64));
        }
        let Some(size) = self.cx.ast.types.size(elem.ty) else {
            return self.unsupported("new of this type", e);
        };
        let cookie = if count.is_some() && address.is_none() { self.cookie(elem.ty) } else { 0 };
        let mut bytes = self.b.iconst(Type::I64, i128::from(size.max(1)));
        if let Some(count) = count {
            self.check_length(count, size, cookie);
            bytes = self.b.binary(BinaryOp::Imul, bytes, count);
        }
        if cookie > 0 {
            let extra = self.b.iconst(Type::I64, i128::from(cookie));
            bytes = self.b.binary(BinaryOp::Iadd, bytes, extra);
        }
        let allocates = address.is_none();
        let mut may_fail = nothrow.is_some();
        let mut placed = None;
        let ptr = match address {
            Some(address) => self.generic(address),
            None if own => match self.own_new(elem.ty, array, global, placement, |_| bytes, e)? {
                Some((memory, null, free)) => {
                    may_fail = null;
                    placed = free;
                    memory
                }
                None => return self.internal("an allocation without a function", e),
            },
            None => self.library_new(bytes, count.is_some(), alignment, nothrow, e)?,
        };
        let allocated =
            Some(ptr).filter(|_| allocates && !self.frame.device() && (!own || placement.is_empty()));
        // Where null is an answer, nothing is made there.
        let mut failed = None;
        if may_fail {
            let (made, end) = (self.b.make_block(), self.b.make_block());
            let result = self.b.func.append_block_param(end, Type::GENERIC_PTR);
            let null = self.b.null(Type::GENERIC_PTR);
            let some = self.b.icmp(IntCC::Ne, ptr, null);
            let (then, other) = (self.b.target(made, &[]), self.b.target(end, &[null]));
            self.b.branch_with(some, then, other);
            self.b.switch_to(made);
            self.before_arms();
            self.cleanups.begin_arms();
            failed = Some((end, result));
        }
        let ptr = match count {
            Some(count) if cookie > 0 => {
                let at = self.b.ptr_offset(ptr, cookie as i64 - 8);
                self.b.store(count, at, MemFlags::aligned(8));
                self.b.ptr_offset(ptr, cookie as i64)
            }
            _ => ptr,
        };
        let align = self.cx.ast.types.align(elem.ty);
        let elem = QTy::plain(elem.ty);
        let mark = self.cleanups.mark();
        if let Some(memory) = allocated {
            // Should the initialiser throw, the memory is freed.
            let (func, sized) = self.cx.deallocation(elem.ty, array, false)?;
            self.push_unwinding(Action::Free { memory, func, size: sized.then_some(bytes) });
        }
        if let Some(free) = placed {
            self.push_unwinding(free);
        }
        self.init_allocated(ptr, align, elem, count, init, new.value_init, e)?;
        if allocated.is_some() || placed.is_some() {
            self.cleanups.remove_unwinding(mark);
        }
        if let Some((end, result)) = failed {
            self.cleanups.end_arms();
            if !self.b.is_unreachable() {
                self.b.jump(end, &[ptr]);
            }
            self.b.switch_to(end);
            return Ok(result);
        }
        Ok(ptr)
    }

    /// An array whose size in bytes does not fit is none: an exception tells.
    fn check_length(&mut self, count: Value, size: u64, cookie: u64) {
        if self.frame.device() || self.b.func.const_bits(count).is_some() {
            return;
        }
        let most = (i64::MAX as u64 - cookie) / size.max(1);
        let most = self.b.iconst(Type::I64, i128::from(most));
        self.throw_unless(IntCC::Ule, count, most);
    }

    /// `std::bad_array_new_length` unless a comparison of the length holds.
    fn throw_unless(&mut self, how: IntCC, count: Value, with: Value) {
        let (bad, good) = (self.b.make_block(), self.b.make_block());
        let fits = self.b.icmp(how, count, with);
        self.b.branch(fits, good, bad);
        self.b.switch_to(bad);
        self.throw_of_library("__cxa_throw_bad_array_new_length");
        self.b.switch_to(good);
    }

    fn init_allocated(
        &mut self,
        ptr: Value,
        align: u32,
        elem: QTy,
        count: Option<Value>,
        init: Option<Ex<'tu>>,
        value_init: bool,
        e: Ex<'tu>,
    ) -> R<()> {
        let size = self.object_size(elem.ty, e)?;
        match (count, init) {
            (None, Some(init)) => self.init_object(ptr, align, elem, init)?,
            (None, None) if value_init => {
                let len = self.b.iconst(Type::I64, i128::from(size));
                let zero = self.b.iconst(Type::I8, 0);
                self.b.mem_fill(ptr, zero, len, MemFlags::aligned(align));
            }
            (None, None) => self.default_construct(ptr, elem.ty, false, e)?,
            (Some(count), init) => self.init_new_array(ptr, elem, count, init, value_init, e)?,
        }
        Ok(())
    }

    pub fn init_new_array(
        &mut self,
        ptr: Value,
        elem: QTy,
        count: Value,
        init: Option<Ex<'tu>>,
        zeroed: bool,
        e: Ex<'tu>,
    ) -> R<()> {
        let size = self.object_size(elem.ty, e)?;
        let align = self.cx.ast.types.align(elem.ty);
        let list = init.and_then(|i| match peel_init(i).kind {
            ExprKind::List(items) => Some(items),
            _ => None,
        });
        if zeroed || list.is_some() {
            let width = self.b.iconst(Type::I64, i128::from(size));
            let len = self.b.binary(BinaryOp::Imul, count, width);
            let zero = self.b.iconst(Type::I8, 0);
            self.b.mem_fill(ptr, zero, len, MemFlags::aligned(align));
        }
        if let Some(items) = list {
            let mark = self.cleanups.mark();
            let given = self.b.iconst(Type::I64, items.len() as i128);
            if !self.frame.device() && self.b.func.const_bits(count).is_none() {
                // A list longer than the array is no initialiser of it.
                self.throw_unless(IntCC::Uge, count, given);
            }
            let first_left = items.len() as i64 * size as i64;
            for (i, &item) in items.iter().enumerate() {
                let at = self.b.ptr_offset(ptr, i as i64 * size as i64);
                self.init_object(at, align, elem, item)?;
                self.register_part(elem.ty, at, e)?;
            }
            if self.cx.needs_construction(elem.ty) {
                let left = self.b.binary(BinaryOp::Isub, count, given);
                let at = self.b.ptr_offset(ptr, first_left);
                self.for_each_forwards(at, left, elem.ty, e, |f, p| {
                    f.default_construct(p, elem.ty, true, e)
                })?;
            }
            self.cleanups.drop_parts(mark);
            return Ok(());
        }
        if self.cx.needs_construction(elem.ty) {
            return self.for_each_forwards(ptr, count, elem.ty, e, |f, p| {
                f.default_construct(p, elem.ty, zeroed, e)
            });
        }
        Ok(())
    }

    /// `delete p`, `delete[] p`.
    pub fn delete_expression(&mut self, delete: &'tu Delete<'tu>, e: Ex<'tu>) -> R<()> {
        let &Delete { operand, array, global } = delete;
        let q = operand.q;
        let Some(elem) = self.cx.ast.types.pointee(q.ty) else {
            return self.unsupported("delete of this type", e);
        };
        let ptr = self.rv(operand)?;
        let ptr = self.generic(ptr);
        self.enter(e);
        let from = if global { self.cx.ast.types.void } else { elem.ty };
        let (free, sized) = self.cx.deallocation(from, array, self.frame.device())?;
        if let Some(id) = self.cx.ast.types.as_record(elem.ty)
            && !array
            && self.virtual_delete(ptr, id)?
        {
            return Ok(());
        }
        let symbol = &self.cx.module.funcs[free].name;
        let symbol = symbol.trim_end_matches(DEVICE_SUFFIX);
        let library = ["_ZdlPv", "_ZdaPv"].contains(&symbol) && !self.cx.replaces(symbol);
        let cookie = if array { self.cookie(elem.ty) } else { 0 };
        if library && !array && !self.frame.device() && self.cx.ast.types.as_record(elem.ty).is_some() {
            self.check_deleted_size(ptr, elem.ty, e)?;
        }
        if library && cookie == 0 && !self.cx.needs_destruction(elem.ty) {
            self.b.call(self.cx.module, free, &[ptr]);
            return Ok(());
        }
        // Of arrays of arrays, the objects in them are destroyed.
        let (mut object, mut in_each) = (elem.ty, 1);
        while let Kind::Array { elem: inner, len } = *self.cx.ast.types.kind(object) {
            in_each *= own_elements(len);
            object = inner.ty;
        }
        let dtor = self.destructor(object, e)?.filter(|_| self.cx.needs_destruction(object));
        let (run, end) = (self.b.make_block(), self.b.make_block());
        let null = self.b.null(Type::GENERIC_PTR);
        let some = self.b.icmp(IntCC::Ne, ptr, null);
        self.b.branch(some, run, end);
        self.b.switch_to(run);
        let size = self.object_size(elem.ty, e)?;
        let mut bytes = self.b.iconst(Type::I64, i128::from(size));
        let mut start = ptr;
        if cookie > 0 {
            let at = self.b.ptr_offset(ptr, -8);
            let count = self.b.load(Type::I64, at, MemFlags::aligned(8));
            bytes = self.b.binary(BinaryOp::Imul, bytes, count);
            let extra = self.b.iconst(Type::I64, i128::from(cookie));
            bytes = self.b.binary(BinaryOp::Iadd, bytes, extra);
            if let Some(dtor) = dtor {
                let all = self.b.iconst(Type::I64, i128::from(in_each));
                let all = self.b.binary(BinaryOp::Imul, count, all);
                let size = self.object_size(object, e)?;
                self.for_each_backwards_dynamic(ptr, all, size, |f, p| {
                    f.call_func(dtor, &[p]);
                });
            }
            start = self.b.ptr_offset(ptr, -(cookie as i64));
        } else if let Some(dtor) = dtor {
            self.call_func(dtor, &[ptr]);
        }
        self.free(free, start, sized.then_some(bytes));
        self.b.jump(end, &[]);
        self.b.switch_to(end);
        Ok(())
    }

    /// Before `delete` of an object whose class has no virtual destructor: it may be the base of what was allocated.
    fn check_deleted_size(&mut self, ptr: Value, class: Ty, e: Ex<'tu>) -> R<()> {
        let size = self.object_size(class, e)?;
        let size = self.b.iconst(Type::I64, i128::from(size));
        let sig = Signature {
            params: vec![Param::new(Type::GENERIC_PTR), Param::new(Type::I64)],
            ret: None,
            variadic: false,
        };
        let check = self.cx.native("__cudair_deleted_size", sig, false);
        self.b.call(self.cx.module, check, &[ptr, size]);
        Ok(())
    }

    /// Gives memory back.
    pub fn free(&mut self, func: cudair_ir::FuncId, memory: Value, size: Option<Value>) {
        let args: Vec<Value> = std::iter::once(memory).chain(size).collect();
        self.b.call(self.cx.module, func, &args);
    }
}
