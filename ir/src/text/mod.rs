//! The textual IR, `.cir`.
//!
//! Every module prints, and what prints parses back to the same module: same functions, variables,
//! instructions, places and sites. Numbers in the text are canonical (see [`number`]): blocks, values,
//! sites and places count in the order in which they are printed, whatever gaps passes have left in the
//! entities. The parser numbers in the same order, so a second print is the first, byte for byte.
//!
//! # The language
//!
//! A file is a list of items in any order; `;` begins a comment that ends with the line.
//!
//! ```text
//! file0 = "sum.cu"
//! loc0 = file0:8:14-8:25 [spelling locN] [inlined locM]
//! global LINKAGE @NAME ["display"] SPACE SIZE align N [constant] [dynamic] [type TYPE] = INIT [@locN]
//! type "NAME" = struct 8 { "lo" 0 base "int" s32, "hi" 32 base "int" s32 }
//! ctor @NAME
//! func SIDE LINKAGE @NAME ["display"] (TYPE [byval(SIZE, ALIGN)], …) [-> TYPE] ATTRIBUTES [@locN]
//! ```
//!
//! `INIT` is `extern`, `uninit`, `zero`, or `data { … }` with the pieces `"text"`, `0x68657821`,
//! `zero N` and `8-byte` addresses written `at OFFSET: func @f + 0` or `at OFFSET: global @g - 4`.
//! A function with a body goes on with `{`, its variables (`slot0: local 4 align 4 "i" @loc4`), its
//! blocks and `}`:
//!
//! ```text
//! block0(v0: ptr.generic, v1: i32):
//!   v2 = special tid.x                              @loc2
//!   v3 = load.i32 v0                                site0 @loc3
//!   branch v4, block1(v3), block2
//! ```
//!
//! An alignment that is natural for the type of an access is not written. A site's place is that of
//! its instruction unless it says otherwise: `site0[loc9]`, `site0[none]`.

mod lex;
pub mod number;
mod parse;
mod parse_inst;
mod parse_module;
mod parse_op;
mod print;
mod print_inst;
mod source_type;

pub use parse_module::{MAX_DATA_BYTES, MAX_LOC_CHAIN, ParseError, parse_module};
pub(crate) use print::print_inst_with;
pub use print::{print_function, print_inst};
pub(crate) use print_inst::const_text;
