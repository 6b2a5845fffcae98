//! Bytecode as text: `lower --emit bytecode`.

use super::*;
use cudair_ir::Uniformity;
use std::fmt::{self, Display, Write};

impl Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "code {} {} scalars={} planes={} preds={}",
            self.side.name(),
            self.name,
            self.files.scalars,
            self.files.planes,
            self.files.preds
        )?;
        for (i, p) in self.params.iter().enumerate() {
            writeln!(f, "    param {i}: {} {}", p.reg, p.ty)?;
        }
        for (i, c) in self.files.consts.iter().enumerate() {
            writeln!(f, "    const s{}: {c:#x}", self.files.consts_at.index() + i)?;
        }
        for (i, s) in self.slots.iter().enumerate() {
            writeln!(f, "    slot{i}: {} bytes, align {} ; {}", s.size, 1u32 << s.align_log2, s.name)?;
        }
        for (pc, op) in self.ops.iter().enumerate() {
            writeln!(f, "{pc:5}: {}", self.op_text(op))?;
        }
        Ok(())
    }
}

impl Code {
    /// One operation with its operands and, where it has one, its descriptor.
    pub(crate) fn op_text(&self, op: &Op) -> String {
        let mut out = String::from(op.mnemonic());
        let mut sep = " ";
        let mut detail = String::new();
        op.operands(|name, operand| {
            out.push_str(sep);
            sep = ", ";
            let _ = match operand {
                Operand::Reg(r) => write!(out, "{r}"),
                Operand::Vw(r) => write!(out, "{r}"),
                Operand::Target(t) => write!(out, "{t}"),
                Operand::Imm(v) if matches!(name, "imm" | "live") => write!(out, "{v}"),
                Operand::Imm(v) => write!(out, "{name}={v}"),
                Operand::Bits(v) => write!(out, "{v:#x}"),
                Operand::Acc(a) => write!(out, "[{a}]"),
                Operand::Ext(Ext::Zero) => write!(out, "zext"),
                Operand::Ext(Ext::Sign) => write!(out, "sext"),
                Operand::Cc(c) => write!(out, "{c}"),
                Operand::Special(r) => write!(out, "{r}"),
                Operand::Global(g) => write!(out, "{g}"),
                Operand::Slot(s) => write!(out, "{s}"),
                Operand::Row(table, i) => {
                    detail = self.row_text(table, i as usize);
                    write!(out, "#{i}")
                }
            };
        });
        if !detail.is_empty() {
            out.push_str(" ; ");
            out.push_str(&detail);
        }
        out
    }

    fn row_text(&self, table: Table, i: usize) -> String {
        match table {
            Table::Switches => self.tables.switches.get(i).map(switch_text),
            Table::Joins => self.tables.joins.get(i).map(|j| format!("live {}", list(&j.live))),
            Table::Calls => self.tables.calls.get(i).map(|c| {
                let ret = c.ret.map(|r| format!("{} = ", r.reg)).unwrap_or_default();
                format!("{ret}{}({})", callee(c.callee), regs(&c.args))
            }),
            Table::Regs => self.tables.regs.get(i).map(|r| format!("{} {}", r.reg, r.ty)),
            Table::Traps => self.tables.traps.get(i).map(|t| format!("{t:?}")),
            Table::Gens => self.tables.gens.get(i).map(|g| {
                let op = match g.kind {
                    GenKind::Unary { op, .. } => op.name(),
                    GenKind::Binary { op, .. } => op.name(),
                    GenKind::Cast(op) => op.name(),
                    GenKind::Icmp(cc) => cc.name(),
                    GenKind::Fcmp(cc) => cc.name(),
                    GenKind::Ternary(op) => op.name(),
                    GenKind::Copy => "copy",
                };
                format!("{} {} = {op} {}", g.d.reg, g.d.ty, regs(&g.args))
            }),
            Table::Maths => {
                self.tables.maths.get(i).map(|m| format!("{} = {}({})", m.d.reg, m.func, regs(&m.args)))
            }
            Table::Copies => {
                self.tables.copies.get(i).map(|c| format!("{} <- {}, {} bytes", c.dst, c.src, c.len))
            }
            Table::Fills => {
                self.tables.fills.get(i).map(|c| format!("{} <- {}, {} bytes", c.dst, c.byte, c.len))
            }
            Table::Allocas => self.tables.allocas.get(i).map(|a| format!("{} = {} bytes", a.d, a.size)),
            Table::Atomics => self.tables.atomics.get(i).map(atomic_text),
            Table::Fences => self.tables.fences.get(i).map(|x| format!("{} {}", x.order, x.scope)),
            Table::Barriers => self.tables.barriers.get(i).map(|b| match (b.pred, b.d) {
                (Some(p), Some(d)) => format!("{d} = {} {p}", b.kind),
                (Some(p), None) => format!("{} {p}", b.kind),
                _ => b.kind.to_string(),
            }),
            Table::Warps => self.tables.warps.get(i).map(warp_text),
            Table::Launches => {
                self.tables.launches.get(i).map(|l| format!("{}({})", callee(l.kernel), regs(&l.args)))
            }
            Table::Lates => self.tables.lates.get(i).map(|l| {
                let text = |u: &LateUse| match u.when {
                    None => u.site.to_string(),
                    Some((reg, true)) => format!("{} if {reg}", u.site),
                    Some((reg, false)) => format!("{} unless {reg}", u.site),
                };
                l.uses.iter().map(text).collect::<Vec<_>>().join(", ")
            }),
            Table::Vas => self.tables.vas.get(i).map(|v| match v {
                VaDesc::Start { list } => format!("start {list}"),
                VaDesc::End { list } => format!("end {list}"),
                VaDesc::Copy { dst, src } => format!("copy {dst}, {src}"),
                VaDesc::Arg { list, d } => format!("{} {} = arg {list}", d.reg, d.ty),
            }),
            Table::Facts => self.tables.facts.get(i).map(|f| {
                let claim = match f.claim {
                    Claim::Uniform(Uniformity::Warp) => "alike in a warp".to_owned(),
                    Claim::Uniform(_) => "alike in a block".to_owned(),
                    Claim::Decided => "decided alike in a block".to_owned(),
                    Claim::Range(least, greatest) => format!("{least}..={greatest}"),
                };
                format!("{} {} {}: {claim}", f.value, f.reg.reg, f.reg.ty)
            }),
        }
        .unwrap_or_default()
    }
}

fn list<T: Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn regs(items: &[TypedReg]) -> String {
    items.iter().map(|r| format!("{} {}", r.reg, r.ty)).collect::<Vec<_>>().join(", ")
}

fn callee(c: Callee) -> String {
    match c {
        Callee::Direct(f) => f.to_string(),
        Callee::Indirect { ptr, sig } => format!("*{ptr}:{sig}"),
    }
}

fn switch_text(s: &SwitchDesc) -> String {
    let cases: Vec<String> = s.cases.iter().map(|(v, t)| format!("{v}: {t}")).collect();
    format!("{} default: {}", cases.join(" "), s.default)
}

fn atomic_text(a: &AtomicDesc) -> String {
    let kind = match a.kind {
        AtomicKind::Load => "load",
        AtomicKind::Store => "store",
        AtomicKind::Rmw(op) => op.name(),
        AtomicKind::Cas => "cas",
    };
    let mut out = String::new();
    if let Some(d) = a.d {
        let _ = write!(out, "{d} = ");
    }
    let _ = write!(out, "{kind}.{} {} {} [{}]", a.ty, a.order, a.scope, a.ptr);
    for r in [a.expected, a.value].into_iter().flatten() {
        let _ = write!(out, " {r}");
    }
    out
}

fn warp_text(w: &WarpDesc) -> String {
    let op = match w.op {
        WarpOp::Sync => "sync".to_owned(),
        WarpOp::Shfl(m) => format!("shfl.{m}"),
        WarpOp::Vote(m) => format!("vote.{m}"),
        WarpOp::Match(m) => format!("match.{m}"),
        WarpOp::Reduce(m) => format!("reduce.{m}"),
        WarpOp::ActiveMask => "activemask".to_owned(),
    };
    let ds: Vec<String> = w.d.iter().map(|d| d.map_or("_".into(), |d| d.reg.to_string())).collect();
    let mask = w.mask.map(|m| format!(" {m}")).unwrap_or_default();
    format!("{} = {op}{mask} {}", ds.join(", "), regs(&w.args))
}
