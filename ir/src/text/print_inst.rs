//! Printing instructions.

use super::number::{FuncNumbers, LocNumbers};
use super::print::{FuncName, GlobalName, Quoted, Sig, write_loc};
use crate::entities::*;
use crate::function::Function;
use crate::inst::{BlockCall, InstData, MemFlags, TrapCode, ValueList};
use crate::module::Module;
use crate::types::Type;
use std::fmt::{self, Write};

/// The column at which site and place stand.
const TRAILER_COLUMN: usize = 50;

/// Number of launch arguments that are its configuration.
pub(super) const LAUNCH_CONFIG: usize = 8;

struct InstPrinter<'a> {
    out: String,
    module: &'a Module,
    func: &'a Function,
    numbers: &'a FuncNumbers,
}

/// Writes an instruction; with `locs` also its sites and its place.
pub(super) fn write_inst(
    f: &mut dyn Write,
    module: &Module,
    func: &Function,
    numbers: &FuncNumbers,
    locs: Option<&LocNumbers>,
    inst: Inst,
) -> fmt::Result {
    let mut p = InstPrinter { out: String::new(), module, func, numbers };
    for (n, &v) in func.inst_results(inst).iter().enumerate() {
        if n > 0 {
            p.text(", ");
        }
        p.value(v);
    }
    if !p.out.is_empty() {
        p.text(" = ");
    }
    p.inst(&func.insts[inst]);
    if let (Some(locs), InstData::Switch { .. }) = (locs, &func.insts[inst]) {
        // The cases stand on lines of their own: the place goes before them.
        let (head, cases) = p.out.split_once('{').unwrap_or((&p.out, ""));
        f.write_str(head.trim_end())?;
        write_loc(f, locs, func.locs[inst])?;
        return write!(f, " {{{cases}");
    }
    f.write_str(&p.out)?;
    let Some(locs) = locs else { return Ok(()) };
    let mut trailer = String::new();
    for site in func.insts[inst].sites().into_iter().flatten() {
        let sep = if trailer.is_empty() { "" } else { " " };
        write!(trailer, "{sep}{}", numbers.sites[site].expand().unwrap_or(site))?;
        let loc = func.sites.get(site).map_or(func.locs[inst], |s| s.loc);
        if loc != func.locs[inst] {
            match loc.expand().and_then(|l| locs.locs[l].expand()) {
                Some(l) => write!(trailer, "[{l}]")?,
                None => trailer.push_str("[none]"),
            }
        }
    }
    write_loc(&mut trailer, locs, func.locs[inst])?;
    let trailer = trailer.trim_start();
    if !trailer.is_empty() {
        // Two columns of indentation stand before the instruction.
        let width = (TRAILER_COLUMN - 2).saturating_sub(p.out.chars().count()).max(1);
        write!(f, "{:width$}{trailer}", "")?;
    }
    Ok(())
}

impl InstPrinter<'_> {
    fn text(&mut self, s: &str) {
        self.out.push_str(s);
    }

    fn fmt(&mut self, args: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(args);
    }

    fn value(&mut self, v: Value) {
        match self.numbers.values[v].expand() {
            Some(n) => self.fmt(format_args!("{n}")),
            // Not defined in any block: the verifier reports it, the parser does not take it.
            None => self.fmt(format_args!("<undefined {v}>")),
        }
    }

    fn values(&mut self, values: &[Value]) {
        for (n, &v) in values.iter().enumerate() {
            if n > 0 {
                self.text(", ");
            }
            self.value(v);
        }
    }

    fn args(&mut self, list: &ValueList) {
        self.text("(");
        self.values(list.as_slice(&self.func.pool));
        self.text(")");
    }

    fn call(&mut self, call: &BlockCall) {
        match self.numbers.blocks[call.block].expand() {
            Some(b) => self.fmt(format_args!("{b}")),
            None => self.fmt(format_args!("<unplaced {}>", call.block)),
        }
        if !call.args.is_empty() {
            self.args(&call.args);
        }
    }

    fn ty(&self, v: Value) -> Type {
        self.func.values.get(v).map_or(Type::I32, |d| d.ty)
    }

    /// What follows the mnemonic, a space, and operands.
    fn op(&mut self, suffix: fmt::Arguments<'_>, operands: &[Value]) {
        self.fmt(suffix);
        if !operands.is_empty() {
            self.text(" ");
            self.values(operands);
        }
    }

    /// Operands that vary in number.
    fn list(&mut self, suffix: fmt::Arguments<'_>, operands: &ValueList) {
        self.op(suffix, operands.as_slice(&self.func.pool));
    }

    fn inst(&mut self, data: &InstData) {
        use InstData::*;
        self.text(data.mnemonic());
        match data {
            Const { ty, bits } => self.op(format_args!(".{ty} {}", const_text(*ty, *bits)), &[]),
            GlobalAddr { global } => self.op(format_args!(" {}", GlobalName(self.module, *global)), &[]),
            FuncAddr { func } => self.op(format_args!(" {}", FuncName(self.module, *func)), &[]),
            SlotAddr { slot } => self.op(format_args!(" {slot}"), &[]),
            Special { reg } => self.op(format_args!(" {reg}"), &[]),
            Unary { op: _, nsw, arg } => self.op(format_args!("{}.{}", Nsw(*nsw), self.ty(*arg)), &[*arg]),
            Cast { op: _, ty, arg } => self.op(format_args!(".{ty}"), &[*arg]),
            Binary { op: _, nsw, args } => self.op(format_args!("{}.{}", Nsw(*nsw), self.ty(args[0])), args),
            Icmp { cc, args } => self.op(format_args!(".{cc}"), args),
            Fcmp { cc, args } => self.op(format_args!(".{cc}"), args),
            Ternary { op: _, args } => self.op(format_args!(".{}", self.ty(args[2])), args),
            PtrAdd { ptr, offset } => {
                self.op(format_args!(".{}", space_name(self.ty(*ptr))), &[*ptr, *offset]);
            }
            PtrDiff { args } => self.op(format_args!(""), args),
            Load { ty, flags, ptr, site: _ } => {
                self.op(format_args!(".{ty}{}", Flags(*flags, Some(*ty))), &[*ptr]);
            }
            Store { flags, value, ptr, site: _ } => self.store(*flags, *value, *ptr),
            MemCopy { flags, dst, src, len, dst_site: _, src_site: _ } => {
                self.op(format_args!("{}", Flags(*flags, None)), &[*dst, *src, *len]);
            }
            MemFill { flags, dst, byte, len, site: _ } => {
                self.op(format_args!("{}", Flags(*flags, None)), &[*dst, *byte, *len]);
            }
            Bounds { index, len } => {
                self.op(format_args!(""), &[*index]);
                self.op(format_args!(", {len}"), &[]);
            }
            Lifetime { op, slot } => self.op(format_args!(".{op} {slot}"), &[]),
            Alloca { ty, scoped, size, align_log2 } => {
                let scoped = if *scoped { " scoped" } else { "" };
                self.op(format_args!(".{}{scoped}{}", space_name(*ty), Align(*align_log2)), &[*size]);
            }
            AtomicLoad { ty, order, scope, ptr, site: _ } => {
                self.op(format_args!(".{ty} {order} {scope}"), &[*ptr]);
            }
            AtomicStore { order, scope, value, ptr, site: _ } => {
                self.op(format_args!(".{} {order} {scope}", self.ty(*value)), &[*value, *ptr]);
            }
            AtomicRmw { op, order, scope, ptr, value, site: _ } => {
                self.op(format_args!(".{op}.{} {order} {scope}", self.ty(*value)), &[*ptr, *value]);
            }
            AtomicCas { order, scope, ptr, expected, new, site: _ } => {
                self.op(format_args!(".{} {order} {scope}", self.ty(*new)), &[*ptr, *expected, *new]);
            }
            Count { counter } => self.op(format_args!(" {counter}"), &[]),
            Fence { order, scope, site: _ } => self.op(format_args!(" {order} {scope}"), &[]),
            Barrier { kind, args, site: _ } => self.list(format_args!(".{kind}"), args),
            WarpSync { mask, site: _ } => self.op(format_args!(""), &[*mask]),
            Shfl { mode, mask, value, lane, width, site: _ } => {
                self.op(format_args!(".{mode}.{}", self.ty(*value)), &[*mask, *value, *lane, *width]);
            }
            Vote { mode, mask, pred, site: _ } => self.op(format_args!(".{mode}"), &[*mask, *pred]),
            Match { mode, mask, value, site: _ } => self.op(format_args!(".{mode}"), &[*mask, *value]),
            Reduce { op, mask, value, site: _ } => self.op(format_args!(".{op}"), &[*mask, *value]),
            ActiveMask { implied, site: _ } => self.text(if *implied { ".implied" } else { "" }),
            Call { func, args, site: _ } => {
                self.direct(*func);
                self.args(args);
            }
            CallIndirect { sig, callee, args, site: _ } => {
                self.indirect(*sig, *callee);
                self.args(args);
            }
            Invoke { func, args, normal, unwind, site: _ } => {
                self.direct(*func);
                self.args(args);
                self.continuations(normal, unwind);
            }
            InvokeIndirect { sig, callee, args, normal, unwind, site: _ } => {
                self.indirect(*sig, *callee);
                self.args(args);
                self.continuations(normal, unwind);
            }
            Launch { kernel, args, site: _ } => {
                self.direct(*kernel);
                self.launch(args);
            }
            LaunchIndirect { sig, callee, args, site: _ } => {
                self.indirect(*sig, *callee);
                self.launch(args);
            }
            Va { op, args, site: _ } => self.list(format_args!(".{op}"), args),
            VaArg { ty, list, site: _ } => self.op(format_args!(".{ty}"), &[*list]),
            Jump { dest } => self.targets(" ", &[dest]),
            Branch { cond, then, other } => {
                self.op(format_args!(""), &[*cond]);
                self.targets(", ", &[then, other]);
            }
            Switch { arg, table } => self.switch(*arg, *table),
            Return { args } => self.list(format_args!(""), args),
            Resume { exception } => self.op(format_args!(""), &[*exception]),
            Trap { code } => self.trap(*code),
        }
    }

    fn store(&mut self, flags: MemFlags, value: Value, ptr: Value) {
        let ty = self.ty(value);
        self.op(format_args!(".{ty}{}", Flags(flags, Some(ty))), &[value, ptr]);
    }

    fn direct(&mut self, callee: FuncId) {
        self.fmt(format_args!(" {}", FuncName(self.module, callee)));
    }

    fn indirect(&mut self, sig: SigId, callee: Value) {
        match self.module.sigs.get(sig) {
            Some(s) => self.fmt(format_args!(" {}, ", Sig(s))),
            None => self.fmt(format_args!(" <no {sig}>, ")),
        }
        self.value(callee);
    }

    fn launch(&mut self, list: &ValueList) {
        let all = list.as_slice(&self.func.pool);
        let (config, args) = all.split_at(LAUNCH_CONFIG.min(all.len()));
        self.text("<<<");
        self.values(config);
        self.text(">>>(");
        self.values(args);
        self.text(")");
    }

    fn continuations(&mut self, normal: &BlockCall, unwind: &BlockCall) {
        self.targets(" to ", &[normal]);
        self.targets(" unwind ", &[unwind]);
    }

    /// Targets, each behind a word or a sign.
    fn targets(&mut self, before: &str, targets: &[&BlockCall]) {
        for call in targets {
            self.text(before);
            self.call(call);
        }
    }

    fn switch(&mut self, arg: Value, table: SwitchTable) {
        let ty = self.ty(arg);
        let table = &self.func.tables[table];
        self.op(format_args!(".{ty}"), &[arg]);
        self.targets(", ", &[&table.default]);
        self.text(" {\n");
        for (bits, call) in &table.cases {
            self.fmt(format_args!("    {}", const_text(ty, *bits)));
            self.targets(": ", &[call]);
            self.text("\n");
        }
        self.text("  }");
    }

    fn trap(&mut self, code: TrapCode) {
        match code {
            TrapCode::Unreachable => self.text(" unreachable"),
            TrapCode::MissingReturn => self.text(" missing_return"),
            TrapCode::Trap => self.text(" trap"),
            TrapCode::Unsupported(msg) => {
                let text = self.module.messages.get(msg).map_or("", String::as_str);
                self.fmt(format_args!(" unsupported {}", Quoted(text.as_bytes())));
            }
        }
    }
}

/// The flag of an operation whose signed overflow is undefined behaviour.
struct Nsw(bool);

impl fmt::Display for Nsw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { ".nsw" } else { "" })
    }
}

/// An alignment as a power of two.
struct Align(u8);

impl fmt::Display for Align {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " align {}", 1u64 << self.0.min(63))
    }
}

/// What is said of an access, and the type whose natural alignment is not written.
struct Flags(MemFlags, Option<Type>);

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Flags(flags, natural) = *self;
        if flags.volatile {
            f.write_str(" volatile")?;
        }
        if flags.partial {
            f.write_str(" partial")?;
        }
        if natural.is_none_or(|ty| MemFlags::natural(ty).align_log2 != flags.align_log2) {
            Align(flags.align_log2).fmt(f)?;
        }
        Ok(())
    }
}

fn space_name(ty: Type) -> &'static str {
    ty.space().map_or("generic", crate::types::Space::name)
}

/// A constant so that it reads well and parses to the same bits: integers signed (`i1` as 0 or 1),
/// `f32` and `f64` in the shortest decimal form that rounds to them, everything else in hexadecimal.
pub(crate) fn const_text(ty: Type, bits: u128) -> String {
    match ty {
        Type::I1 => (bits & 1).to_string(),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => {
            let shift = 128 - ty.bits();
            (((bits << shift) as i128) >> shift).to_string()
        }
        Type::F32 => {
            let x = f32::from_bits(bits as u32);
            if x.is_nan() { format!("{bits:#010x}") } else { format!("{x:?}") }
        }
        Type::F64 => {
            let x = f64::from_bits(bits as u64);
            if x.is_nan() { format!("{bits:#018x}") } else { format!("{x:?}") }
        }
        Type::F16 | Type::BF16 | Type::F80 => format!("{bits:#x}"),
        Type::Ptr(_) if bits == 0 => "null".to_owned(),
        Type::Ptr(_) => format!("{bits:#x}"),
    }
}
