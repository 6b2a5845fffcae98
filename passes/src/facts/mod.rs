//! What the analyses know of each value and block, as text beside the IR and as JSON.
//!
//! Facts hold in every launch of the shape that is asked about, whatever memory contains. They are made by the analyses of
//! the [`registry`]; those that are of no other use stand here, a file each.

mod barriers;
mod control;
mod pointers;
mod ranges;
mod uniformities;

pub use barriers::Barriers;
pub use control::Control;
pub use pointers::Pointers;
pub use ranges::Ranges;
pub use uniformities::Uniformities;

use crate::analysis::Prepared;
use crate::analysis::engine::Cx;
use crate::analysis::memory::{FuncMemory, RootMemory};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::{FuncUniformity, RootUniformity};
use crate::registry::{self, Analysis};
use cudair_ir::text::print_inst;
use cudair_ir::{Block, FuncId, Function, Inst, Module, Side, Value};
use rustc_hash::FxHashSet;
use serde_json::{Value as Json, json};
use std::fmt::{self, Display, Write};

/// A function below a kernel, as [`Analysis::facts`] sees it.
pub struct FuncView<'a> {
    /// The function, its module and its control structure.
    pub cx: Cx<'a>,
    /// What is known of launches.
    pub shape: &'a Shape,
    /// What it does to memory.
    pub memory: &'a FuncMemory,
    /// What all functions below the kernel do to memory.
    pub root_memory: &'a RootMemory,
    /// Which threads agree in its values.
    pub uniformity: &'a FuncUniformity,
}

impl FuncView<'_> {
    /// The function.
    pub fn func(&self) -> &Function {
        self.cx.func
    }

    /// Its instructions that are reached, in the order of the text.
    pub fn insts(&self) -> impl Iterator<Item = Inst> + '_ {
        let reached = |b: &&Block| self.cx.control.node(**b).is_some();
        self.cx.func.layout.iter().filter(reached).flat_map(|&b| self.cx.func.block_insts(b)).copied()
    }

    /// Its values that are defined in blocks that are reached, in the order of the text.
    pub fn values(&self) -> Vec<Value> {
        let func = self.cx.func;
        let mut out = Vec::new();
        for &b in func.layout.iter().filter(|b| self.cx.control.node(**b).is_some()) {
            out.extend_from_slice(func.block_params(b));
            for &i in func.block_insts(b) {
                out.extend_from_slice(func.inst_results(i));
            }
        }
        out
    }
}

/// What a fact is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A value.
    Value(Value),
    /// An instruction, or its execution.
    Inst(Inst),
    /// A block.
    Block(Block),
    /// The function.
    Function,
}

/// A fact.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The analysis that knows it.
    pub analysis: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// It in words.
    pub text: String,
    /// It as data; a string where words say it all.
    pub data: Json,
}

/// The facts of one function.
#[derive(Clone, Debug, Default)]
pub struct FactList {
    analysis: &'static str,
    facts: Vec<Fact>,
}

impl FactList {
    /// Adds a fact in words.
    pub fn add(&mut self, subject: Subject, text: impl Into<String>) {
        let text = text.into();
        self.add_data(subject, text.clone(), Json::String(text));
    }

    /// Adds a fact in words and as data.
    pub fn add_data(&mut self, subject: Subject, text: impl Into<String>, data: Json) {
        self.facts.push(Fact { analysis: self.analysis, subject, text: text.into(), data });
    }

    /// The facts, in the order in which they were added.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    fn of(&self, subject: Subject) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(move |f| f.subject == subject)
    }
}

/// What is known of one function below a kernel.
#[derive(Clone, Debug)]
pub struct FuncFactList<'a> {
    module: &'a Module,
    /// The function's name in the module.
    pub id: FuncId,
    func: &'a Function,
    /// The facts.
    pub list: FactList,
}

/// What is known below one kernel. Its `Display` is the text of `lower --emit facts`.
#[derive(Clone, Debug)]
pub struct KernelFacts<'a> {
    /// The kernel, as a reader calls it.
    pub kernel: &'a str,
    /// The launches in which the facts hold, in words.
    pub launches: String,
    /// The functions below it, the kernel first.
    pub funcs: Vec<FuncFactList<'a>>,
}

/// What every analysis of the registry knows of each kernel of a module. Values are named as their entities; they are the
/// names of the module's text where its functions are [compact](Function::compact).
pub fn facts<'a>(module: &'a Module, shape: &Shape, wanted: &dyn Fn(FuncId) -> bool) -> Vec<KernelFacts<'a>> {
    facts_with(module, shape, wanted, registry::ALL)
}

/// What these analyses know of each kernel. Functions that are not `wanted` are left out.
pub fn facts_with<'a>(
    module: &'a Module,
    shape: &Shape,
    wanted: &dyn Fn(FuncId) -> bool,
    analyses: &[&dyn Analysis],
) -> Vec<KernelFacts<'a>> {
    let (taken, none) = (cudair_ir::address_taken(module), FxHashSet::default());
    let mut out = Vec::new();
    for (id, kernel) in module.funcs.iter().filter(|(_, f)| f.side == Side::Kernel && !f.layout.is_empty()) {
        let prepared = Prepared::with(module, &taken, &none, id);
        let root = prepared.root(module, shape, false);
        let uniformity = RootUniformity::new(&root);
        let mut funcs = Vec::new();
        // The kernel comes last among the components.
        for id in root.graph.functions().collect::<Vec<_>>().into_iter().rev() {
            let func = &module.funcs[id];
            if !wanted(id) || func.layout.is_empty() {
                continue;
            }
            let view = FuncView {
                cx: root.cx(id),
                shape,
                memory: &root.memory.funcs[&id],
                root_memory: root.memory,
                uniformity: &uniformity.funcs[&id],
            };
            let mut list = FactList::default();
            for analysis in analyses {
                list.analysis = analysis.name();
                analysis.facts(&view, &mut list);
            }
            funcs.push(FuncFactList { module, id, func, list });
        }
        if !funcs.is_empty() {
            let launches = crate::check::in_words(shape);
            out.push(KernelFacts { kernel: &kernel.display_name, launches, funcs });
        }
    }
    out
}

/// The column at which facts stand behind the IR.
const COLUMN: usize = 48;

impl Display for KernelFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "; below kernel {}, {}", self.kernel, self.launches)?;
        self.funcs.iter().try_for_each(|func| write!(f, "{func}"))
    }
}

impl Display for FuncFactList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let func = self.func;
        let line = |f: &mut fmt::Formatter<'_>, text: &str, subjects: &[Subject]| {
            let facts = subjects.iter().flat_map(|&s| self.list.of(s));
            let mut told = String::new();
            for fact in facts {
                let separator = if told.is_empty() { "" } else { " | " };
                let _ = write!(told, "{separator}{}: {}", fact.analysis, fact.text);
            }
            if told.is_empty() { writeln!(f, "{text}") } else { writeln!(f, "{text:<COLUMN$} ; {told}") }
        };
        line(f, &format!("func {} {}", func.side.name(), func.display_name), &[Subject::Function])?;
        for &block in &func.layout {
            line(f, &format!("{block}:"), &[Subject::Block(block)])?;
            for &p in func.block_params(block) {
                line(f, &format!("  {p}: {}", func.value_type(p)), &[Subject::Value(p)])?;
            }
            for &inst in func.block_insts(block) {
                let mut subjects = vec![Subject::Inst(inst)];
                subjects.extend(func.inst_results(inst).iter().map(|&v| Subject::Value(v)));
                line(f, &format!("  {}", print_inst(self.module, func, inst).trim()), &subjects)?;
            }
        }
        Ok(())
    }
}

impl KernelFacts<'_> {
    /// The facts as one object: `schema`, `type`, `kernel`, `launches`, and `functions`, each with its blocks in order.
    pub fn to_json(&self) -> Json {
        json!({
            "schema": 1,
            "type": "facts",
            "kernel": self.kernel,
            "launches": self.launches,
            "functions": self.funcs.iter().map(FuncFactList::to_json).collect::<Vec<_>>(),
        })
    }
}

impl FuncFactList<'_> {
    fn json_of(&self, subject: Subject) -> Json {
        let mut out = serde_json::Map::new();
        for fact in self.list.of(subject) {
            // An analysis may know several things.
            match out.get_mut(fact.analysis) {
                None => {
                    out.insert(fact.analysis.to_owned(), fact.data.clone());
                }
                Some(Json::Array(known)) => known.push(fact.data.clone()),
                Some(known) => *known = Json::Array(vec![known.take(), fact.data.clone()]),
            }
        }
        Json::Object(out)
    }

    fn to_json(&self) -> Json {
        let func = self.func;
        let value = |&v: &Value| {
            json!({
                "value": v.to_string(),
                "type": func.value_type(v).to_string(),
                "facts": self.json_of(Subject::Value(v)),
            })
        };
        let inst = |&i: &Inst| {
            let place = func.locs[i].expand().map(|loc| {
                let source = &self.module.source;
                let data = &source.locs[source.visible(loc)];
                json!({ "file": source.files[data.file].path, "line": data.start.line, "column": data.start.col })
            });
            json!({
                "text": print_inst(self.module, func, i).trim(),
                "place": place,
                "results": func.inst_results(i).iter().map(value).collect::<Vec<_>>(),
                "facts": self.json_of(Subject::Inst(i)),
            })
        };
        let block = |&b: &Block| {
            json!({
                "block": b.to_string(),
                "facts": self.json_of(Subject::Block(b)),
                "params": func.block_params(b).iter().map(value).collect::<Vec<_>>(),
                "insts": func.block_insts(b).iter().map(inst).collect::<Vec<_>>(),
            })
        };
        json!({
            "function": func.display_name,
            "symbol": func.name,
            "side": func.side.name(),
            "facts": self.json_of(Subject::Function),
            "blocks": func.layout.iter().map(block).collect::<Vec<_>>(),
        })
    }
}
