//! The intermediate representation of cudair: a typed SSA IR in which memory spaces and CUDA's
//! operations are explicit.
//!
//! The crate knows nothing of the others. It owns the entities ([`entities`]), types and spaces
//! ([`types`]), source places ([`loc`]), instructions ([`inst`]), functions ([`function`]) and the
//! module ([`module`]), the [`builder`] with which the frontend writes functions, the control-flow
//! analyses that every other crate needs, the arithmetic of single operations ([`eval`]), the textual
//! form with its parser, the verifier, and the data that travels between the analyses and the
//! machine: [`finding`], [`facts`].

pub mod binary;
pub mod builder;
mod capability;
pub mod cfg;
mod compact;
pub mod cost;
pub mod counterexample;
pub mod cycles;
mod dims;
pub mod dom;
pub mod dot;
pub mod entities;
pub mod eval;
pub mod f80;
pub mod facts;
pub mod finding;
pub mod function;
#[macro_use]
pub mod inst;
pub mod json;
pub mod link;
pub mod loc;
pub mod module;
pub mod oblivious;
pub mod ops;
pub mod program_order;
pub mod roots;
pub mod sequence;
pub mod shared;
pub mod source_type;
pub mod stored;
pub mod text;
pub mod types;
pub mod uses;
pub mod verdict;
pub mod verify;

pub use capability::{Concern, Feature, concerns, implied_mask, version};
pub use cfg::Cfg;
pub use counterexample::{Argument, Counterexample};
pub use cranelift_entity::packed_option::{PackedOption, ReservedValue};
pub use cranelift_entity::{EntityList, EntityRef, EntitySet, ListPool, PrimaryMap, SecondaryMap};
pub use cycles::{Cycle, CycleData, Cycles};
pub use dims::LaunchDims;
pub use dom::{DomTree, PostDomTree};
pub use entities::*;
pub use facts::*;
pub use finding::*;
pub use function::*;
pub use inst::*;
pub use link::{LinkError, extract, link};
pub use loc::*;
pub use module::*;
pub use ops::*;
pub use sequence::Unsequenced;
pub use source_type::{Encoding, EnumType, FieldType, NamedType, NamedTypes, RecordType, SourceType};
pub use stored::{Stored, stored};
pub use text::{ParseError, parse_module, print_function, print_inst};
pub use types::*;
pub use uses::{LoadUse, Uses};
pub use verify::{VerifierError, verify_function, verify_module};
