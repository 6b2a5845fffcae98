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

    fn flags(&mut self, flags: MemFlags, natural: Option<Type>) {
        if flags.volatile {
            self.text(" volatile");
        }
        if flags.partial {
            self.text(" partial");
        }
        if natural.is_none_or(|ty| MemFlags::natural(ty).align_log2 != flags.align_log2) {
            self.fmt(format_args!(" align {}", 1u64 << flags.align_log2.min(63)));
        }
        self.text(" ");
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

    fn inst(&mut self, data: &InstData) {
        use InstData::*;
        match data {
            Const { ty, bits } => {
                self.fmt(format_args!("const.{ty} "));
                self.out.push_str(&const_text(*ty, *bits));
            }
            GlobalAddr { global } => {
                self.fmt(format_args!("global_addr {}", GlobalName(self.module, *global)));
            }
            FuncAddr { func } => self.fmt(format_args!("func_addr {}", FuncName(self.module, *func))),
            SlotAddr { slot } => self.fmt(format_args!("slot_addr {slot}")),
            Special { reg } => self.fmt(format_args!("special {reg}")),
            Unary { op, nsw, arg } => {
                let nsw = if *nsw { ".nsw" } else { "" };
                self.fmt(format_args!("{op}{nsw}.{} ", self.ty(*arg)));
                self.value(*arg);
            }
            Cast { op, ty, arg } => {
                self.fmt(format_args!("{op}.{ty} "));
                self.value(*arg);
            }
            Binary { op, nsw, args } => {
                let nsw = if *nsw { ".nsw" } else { "" };
                self.fmt(format_args!("{op}{nsw}.{} ", self.ty(args[0])));
                self.values(args);
            }
            Icmp { cc, args } => {
                self.fmt(format_args!("icmp.{cc} "));
                self.values(args);
            }
            Fcmp { cc, args } => {
                self.fmt(format_args!("fcmp.{cc} "));
                self.values(args);
            }
            Ternary { op, args } => {
                self.fmt(format_args!("{op}.{} ", self.ty(args[2])));
                self.values(args);
            }
            PtrAdd { ptr, offset } => {
                self.fmt(format_args!("ptradd.{} ", space_name(self.ty(*ptr))));
                self.values(&[*ptr, *offset]);
            }
            PtrDiff { args } => {
                self.text("ptrdiff ");
                self.values(args);
            }
            Load { ty, flags, ptr, site: _ } => {
                self.fmt(format_args!("load.{ty}"));
                self.flags(*flags, Some(*ty));
                self.value(*ptr);
            }
            Store { flags, value, ptr, site: _ } => {
                let ty = self.ty(*value);
                self.fmt(format_args!("store.{ty}"));
                self.flags(*flags, Some(ty));
                self.values(&[*value, *ptr]);
            }
            MemCopy { flags, dst, src, len, dst_site: _, src_site: _ } => {
                self.text("memcopy");
                self.flags(*flags, None);
                self.values(&[*dst, *src, *len]);
            }
            MemFill { flags, dst, byte, len, site: _ } => {
                self.text("memfill");
                self.flags(*flags, None);
                self.values(&[*dst, *byte, *len]);
            }
            Bounds { index, len } => {
                self.text("bounds ");
                self.value(*index);
                self.fmt(format_args!(", {len}"));
            }
            Lifetime { op, slot } => self.fmt(format_args!("lifetime.{op} {slot}")),
            Alloca { ty, scoped, size, align_log2 } => {
                let align = 1u64 << (*align_log2).min(63);
                let scoped = if *scoped { " scoped" } else { "" };
                self.fmt(format_args!("alloca.{}{scoped} align {align} ", space_name(*ty)));
                self.value(*size);
            }
            AtomicLoad { ty, order, scope, ptr, site: _ } => {
                self.fmt(format_args!("atomic_load.{ty} {order} {scope} "));
                self.value(*ptr);
            }
            AtomicStore { order, scope, value, ptr, site: _ } => {
                self.fmt(format_args!("atomic_store.{} {order} {scope} ", self.ty(*value)));
                self.values(&[*value, *ptr]);
            }
            AtomicRmw { op, order, scope, ptr, value, site: _ } => {
                self.fmt(format_args!("atomic.{op}.{} {order} {scope} ", self.ty(*value)));
                self.values(&[*ptr, *value]);
            }
            AtomicCas { order, scope, ptr, expected, new, site: _ } => {
                self.fmt(format_args!("atomic_cas.{} {order} {scope} ", self.ty(*new)));
                self.values(&[*ptr, *expected, *new]);
            }
            Fence { order, scope, site: _ } => self.fmt(format_args!("fence {order} {scope}")),
            Barrier { kind, args, site: _ } => {
                self.fmt(format_args!("barrier.{kind}"));
                if !args.is_empty() {
                    self.text(" ");
                    self.values(args.as_slice(&self.func.pool));
                }
            }
            WarpSync { mask, site: _ } => {
                self.text("warp_sync ");
                self.value(*mask);
            }
            Shfl { mode, mask, value, lane, width, site: _ } => {
                self.fmt(format_args!("shfl.{mode}.{} ", self.ty(*value)));
                self.values(&[*mask, *value, *lane, *width]);
            }
            Vote { mode, mask, pred, site: _ } => {
                self.fmt(format_args!("vote.{mode} "));
                self.values(&[*mask, *pred]);
            }
            Match { mode, mask, value, site: _ } => {
                self.fmt(format_args!("match.{mode} "));
                self.values(&[*mask, *value]);
            }
            Reduce { op, mask, value, site: _ } => {
                self.fmt(format_args!("reduce.{op} "));
                self.values(&[*mask, *value]);
            }
            ActiveMask { implied, site: _ } => {
                self.text(if *implied { "active_mask.implied" } else { "active_mask" });
            }
            Call { func, args, site: _ } => {
                self.fmt(format_args!("call {}", FuncName(self.module, *func)));
                self.args(args);
            }
            CallIndirect { sig, callee, args, site: _ } => {
                self.text("call_indirect ");
                self.sig(*sig);
                self.value(*callee);
                self.args(args);
            }
            Invoke { func, args, normal, unwind, site: _ } => {
                self.fmt(format_args!("invoke {}", FuncName(self.module, *func)));
                self.args(args);
                self.continuations(normal, unwind);
            }
            InvokeIndirect { sig, callee, args, normal, unwind, site: _ } => {
                self.text("invoke_indirect ");
                self.sig(*sig);
                self.value(*callee);
                self.args(args);
                self.continuations(normal, unwind);
            }
            Launch { kernel, args, site: _ } => {
                self.fmt(format_args!("launch {}", FuncName(self.module, *kernel)));
                self.launch(args);
            }
            LaunchIndirect { sig, callee, args, site: _ } => {
                self.text("launch_indirect ");
                self.sig(*sig);
                self.value(*callee);
                self.launch(args);
            }
            Va { op, args, site: _ } => {
                self.fmt(format_args!("va.{op} "));
                self.values(args.as_slice(&self.func.pool));
            }
            VaArg { ty, list, site: _ } => {
                self.fmt(format_args!("va_arg.{ty} "));
                self.value(*list);
            }
            Jump { dest } => {
                self.text("jump ");
                self.call(dest);
            }
            Branch { cond, then, other } => {
                self.text("branch ");
                self.value(*cond);
                self.text(", ");
                self.call(then);
                self.text(", ");
                self.call(other);
            }
            Switch { arg, table } => {
                let ty = self.ty(*arg);
                self.fmt(format_args!("switch.{ty} "));
                self.value(*arg);
                self.text(", ");
                let table = &self.func.tables[*table];
                self.call(&table.default);
                self.text(" {\n");
                for (bits, call) in &table.cases {
                    self.text("    ");
                    self.out.push_str(&const_text(ty, *bits));
                    self.text(": ");
                    self.call(call);
                    self.text("\n");
                }
                self.text("  }");
            }
            Return { args } => {
                self.text("return");
                if !args.is_empty() {
                    self.text(" ");
                    self.values(args.as_slice(&self.func.pool));
                }
            }
            Resume { exception } => {
                self.text("resume ");
                self.value(*exception);
            }
            Trap { code } => match code {
                TrapCode::Unreachable => self.text("trap unreachable"),
                TrapCode::MissingReturn => self.text("trap missing_return"),
                TrapCode::Trap => self.text("trap trap"),
                TrapCode::Unsupported(msg) => {
                    let text = self.module.messages.get(*msg).map_or("", String::as_str);
                    self.fmt(format_args!("trap unsupported {}", Quoted(text.as_bytes())));
                }
            },
        }
    }

    fn sig(&mut self, sig: SigId) {
        match self.module.sigs.get(sig) {
            Some(s) => self.fmt(format_args!("{}, ", Sig(s))),
            None => self.fmt(format_args!("<no {sig}>, ")),
        }
    }

    fn continuations(&mut self, normal: &BlockCall, unwind: &BlockCall) {
        self.text(" to ");
        self.call(normal);
        self.text(" unwind ");
        self.call(unwind);
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
