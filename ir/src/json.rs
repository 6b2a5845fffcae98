//! The IR as JSON, for tools: the structure of the text with every name spelled out. `.cir` is the form
//! that is read back; this one is written only.

use crate::entities::*;
use crate::function::{Function, NumberedBarrier, Param, ParamAttr, Signature, Texels};
use crate::inst::BlockCall;
use crate::module::{Global, GlobalInit, Module, RelocTarget};
use crate::source_type::{NamedType, SourceType};
use crate::text::number::FuncNumbers;
use crate::text::print_inst_with;
use cranelift_entity::packed_option::PackedOption;
use serde_json::{Map, Value as Json, json};

/// The module as one object: `schema`, `globals`, `types`, `ctors`, `functions`.
pub fn module_to_json(module: &Module) -> Json {
    module_to_json_of(module, module.funcs.keys())
}

/// [`module_to_json`] with only the functions in `funcs`.
pub fn module_to_json_of(module: &Module, funcs: impl IntoIterator<Item = FuncId>) -> Json {
    json!({
        "schema": 1,
        "globals": module.globals.values().map(|g| global(module, g)).collect::<Vec<_>>(),
        "types": module.types.iter().map(|(name, ty)| named_type(name, ty)).collect::<Vec<_>>(),
        "ctors": module.ctors.iter().map(|&f| module.funcs[f].name.clone()).collect::<Vec<_>>(),
        "functions": funcs.into_iter().map(|f| function(module, &module.funcs[f])).collect::<Vec<_>>(),
    })
}

fn place(module: &Module, loc: PackedOption<Loc>) -> Json {
    let Some(loc) = loc.expand() else { return Json::Null };
    let mut chain = Vec::new();
    for l in std::iter::once(loc).chain(module.source.call_path(loc)) {
        let d = &module.source.locs[l];
        chain.push(json!({
            "file": module.source.files[d.file].path,
            "line": d.start.line,
            "column": d.start.col,
            "end_line": d.end.line,
            "end_column": d.end.col,
        }));
    }
    let mut first = chain.remove(0);
    if !chain.is_empty() {
        first["inlined_at"] = Json::Array(chain);
    }
    first
}

fn global(module: &Module, g: &Global) -> Json {
    let Global { name, display_name, space, size, align_log2, linkage, constant, dynamic, init, loc, ty } = g;
    let (contents, addresses) = match init {
        GlobalInit::Extern => ("extern".into(), Vec::new()),
        GlobalInit::Uninit => ("uninit".into(), Vec::new()),
        GlobalInit::Zero => ("zero".into(), Vec::new()),
        GlobalInit::Data { bytes, relocs } => {
            let mut hex = String::with_capacity(2 + bytes.len() * 2);
            hex.push_str("0x");
            for b in bytes {
                hex.push_str(&format!("{b:02x}"));
            }
            let target = |t: RelocTarget| match t {
                RelocTarget::Global(g) => &module.globals[g].name,
                RelocTarget::Func(f) => &module.funcs[f].name,
            };
            let list = relocs
                .iter()
                .map(|r| json!({"offset": r.offset, "target": target(r.target), "addend": r.addend}))
                .collect();
            (hex, list)
        }
    };
    json!({
        "name": name,
        "display_name": display_name,
        "space": space.name(),
        "size": size,
        "align": 1u64 << (*align_log2).min(63),
        "linkage": linkage.name(),
        "constant": constant,
        "dynamic": dynamic,
        "init": contents,
        "addresses": addresses,
        "type": ty.as_ref().map(SourceType::to_string),
        "place": place(module, *loc),
    })
}

/// A structure, union or enumeration of the source.
fn named_type(name: &str, ty: &NamedType) -> Json {
    match ty {
        NamedType::Record(r) => {
            let fields: Vec<Json> = r
                .fields
                .iter()
                .map(|f| json!({"name": &*f.name, "at_bits": f.at, "width": f.width, "type": f.ty.to_string()}))
                .collect();
            json!({"name": name, "kind": if r.is_union { "union" } else { "struct" }, "size": r.size, "fields": fields})
        }
        NamedType::Enum(e) => {
            let values: Map<String, Json> =
                e.values.iter().map(|(name, value)| (name.to_string(), value.to_string().into())).collect();
            json!({"name": name, "kind": "enum", "size": e.encoding.bytes(), "values": values})
        }
    }
}

fn signature(sig: &Signature) -> Json {
    let Signature { params, ret, variadic } = sig;
    let params: Vec<Json> = params
        .iter()
        .map(|&Param { ty, attr }| match attr {
            ParamAttr::None => json!({"type": ty.to_string()}),
            ParamAttr::ByVal { size, align_log2 } => {
                json!({"type": ty.to_string(), "byval": size, "align": 1u64 << align_log2.min(63)})
            }
            ParamAttr::SRet { size, align_log2 } => {
                json!({"type": ty.to_string(), "sret": size, "align": 1u64 << align_log2.min(63)})
            }
        })
        .collect();
    json!({"params": params, "result": ret.map(|t| t.to_string()), "variadic": variadic})
}

fn function(module: &Module, func: &Function) -> Json {
    let numbers = FuncNumbers::new(func);
    let name_of = |v: Value| numbers.values[v].expand().unwrap_or(v).to_string();
    let typed = |v: Value| json!({"value": name_of(v), "type": func.value_type(v).to_string()});
    let call = |c: &BlockCall| {
        let args: Vec<String> = c.args.as_slice(&func.pool).iter().map(|&v| name_of(v)).collect();
        json!({"block": numbers.blocks[c.block].expand().unwrap_or(c.block).to_string(), "args": args})
    };
    let mut blocks = Vec::new();
    for (n, &block) in func.layout.iter().enumerate() {
        let mut insts = Vec::new();
        for &inst in func.block_insts(block) {
            let text = print_inst_with(module, func, &numbers, inst);
            let op = match func.inst_results(inst) {
                [] => text.as_str(),
                _ => text.split_once(" = ").map_or(text.as_str(), |(_, op)| op),
            };
            let op = op.split([' ', '.']).next().unwrap_or(op).to_owned();
            let mut args = Vec::new();
            func.for_each_arg(inst, |v| args.push(name_of(v)));
            let mut targets = Vec::new();
            func.for_each_target(inst, |t| targets.push(call(t)));
            let sites: Vec<String> = func.insts[inst]
                .sites()
                .into_iter()
                .flatten()
                .map(|s| numbers.sites[s].expand().unwrap_or(s).to_string())
                .collect();
            let mut o = Map::new();
            o.insert("op".into(), op.into());
            o.insert("text".into(), text.into());
            let results: Vec<Json> = func.inst_results(inst).iter().map(|&v| typed(v)).collect();
            o.insert("results".into(), results.into());
            o.insert("args".into(), args.into());
            if !targets.is_empty() {
                o.insert("targets".into(), targets.into());
            }
            if !sites.is_empty() {
                o.insert("sites".into(), sites.into());
            }
            o.insert("place".into(), place(module, func.locs[inst]));
            insts.push(Json::Object(o));
        }
        let params: Vec<Json> = func.block_params(block).iter().map(|&v| typed(v)).collect();
        blocks.push(json!({"name": format!("block{n}"), "params": params, "insts": insts}));
    }
    let slots: Vec<Json> = func
        .slots
        .iter()
        .map(|(slot, s)| {
            json!({
                "slot": slot.to_string(),
                "name": s.name,
                "space": s.space.name(),
                "size": s.size,
                "align": 1u64 << s.align_log2.min(63),
                "part": s.part,
                "type": s.ty.as_ref().map(SourceType::to_string),
                "place": place(module, s.loc),
            })
        })
        .collect();
    let a = func.attrs;
    json!({
        "name": func.name,
        "display_name": func.display_name,
        "side": func.side.name(),
        "linkage": func.linkage.name(),
        "signature": signature(&func.sig),
        "params": func.param_names,
        "noinline": a.noinline,
        "always_inline": a.always_inline,
        "noreturn": a.noreturn,
        "noexcept": a.noexcept,
        "noexcept_unknown": a.noexcept_unknown,
        "returns_twice": a.returns_twice,
        "launch_bounds": a.launch_bounds,
        "max_cluster": a.max_cluster,
        "cluster_dims": a.cluster_dims,
        "texels": a.texels.map(Texels::name),
        "barrier": a.barrier.map(NumberedBarrier::name),
        "place": place(module, func.loc),
        "slots": slots,
        "blocks": blocks,
    })
}
