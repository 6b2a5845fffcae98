//! The textual IR prints and parses back to the same module.

use cudair_ir::{Opcode, Results, Touches, parse_module, print_inst};

fn check(text: &str) -> String {
    let module = parse_module(text, "test.cir").unwrap_or_else(|e| panic!("{e}"));
    let printed = module.to_string();
    let again = parse_module(&printed, "printed.cir").unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert_eq!(printed, again.to_string());
    printed
}

#[test]
fn every_instruction() {
    let text = include_str!("every_instruction.cir");
    assert_eq!(check(text), text);
}

/// Each row of the table stands in the text, and what the row says of the instruction agrees with what the text has.
#[test]
fn every_row_of_the_table() {
    let module = parse_module(include_str!("every_instruction.cir"), "test.cir").unwrap();
    let mut missing = Opcode::ALL.to_vec();
    for func in module.funcs.values() {
        for &block in &func.layout {
            for &inst in func.block_insts(block) {
                let (data, text) = (&func.insts[inst], print_inst(&module, func, inst));
                let opcode = data.opcode();
                missing.retain(|&o| o != opcode);
                let results = func.inst_results(inst).len();
                let agrees = match opcode.results() {
                    Results::None => results == 0,
                    Results::One => results == 1,
                    Results::Varies => true,
                };
                assert!(agrees, "`{text}` has {results} results");
                let operation = text.split_once(" = ").map_or(&*text, |(_, operation)| operation);
                assert!(operation.starts_with(data.mnemonic()), "`{text}` is no `{}`", data.mnemonic());
                assert_eq!(Opcode::from_mnemonic(data.mnemonic()), Some(opcode), "{text}");
                assert_eq!(opcode.is_terminator(), func.terminator(block) == Some(inst), "{text}");
                // What touches memory and what acts on several threads has a site; what only computes has none.
                let touches = opcode.touches() != Touches::None;
                assert!(!touches || data.sites()[0].is_some(), "`{text}` has no site");
                assert!(!opcode.is_convergent() || data.sites()[0].is_some(), "`{text}` has no site");
                assert!(!data.is_pure() || data.sites()[0].is_none(), "`{text}` is pure and has a site");
            }
        }
    }
    assert!(missing.is_empty(), "every_instruction.cir has none of {missing:?}");
}

mod random {
    use super::check;
    use cudair_ir::*;
    use proptest::prelude::*;

    /// Numbers to choose by.
    struct Dice(std::vec::IntoIter<u32>);

    impl Dice {
        fn below(&mut self, n: usize) -> usize {
            self.0.next().unwrap_or(0) as usize % n.max(1)
        }

        fn word(&mut self) -> u64 {
            u64::from(self.0.next().unwrap_or(0)) << 32 | u64::from(self.0.next().unwrap_or(7))
        }

        fn pick<T: Copy>(&mut self, list: &[T]) -> T {
            list[self.below(list.len())]
        }

        fn ty(&mut self) -> Type {
            let n = self.below(Type::SCALARS.len() + 2);
            Type::SCALARS.get(n).copied().unwrap_or_else(|| Type::Ptr(self.pick(&Space::ALL)))
        }

        fn loc(&mut self, module: &Module) -> PackedOption<Loc> {
            match self.below(module.source.locs.len() + 1) {
                0 => None.into(),
                n => Loc::from_u32(n as u32 - 1).into(),
            }
        }

        fn sig(&mut self) -> Signature {
            let params = (0..self.below(4))
                .map(|_| {
                    let ty = self.ty();
                    let attr = match self.below(4) {
                        0 => {
                            ParamAttr::ByVal { size: self.below(100) as u32, align_log2: self.below(5) as u8 }
                        }
                        1 => {
                            ParamAttr::SRet { size: self.below(100) as u32, align_log2: self.below(5) as u8 }
                        }
                        _ => ParamAttr::None,
                    };
                    Param { ty, attr }
                })
                .collect();
            let ret = if self.below(2) == 0 { None } else { Some(self.ty()) };
            Signature { params, ret, variadic: self.below(4) == 0 }
        }
    }

    /// A module with anything in it, whether it makes sense or not.
    fn module(names: &[String], data: &[u8], dice: Vec<u32>) -> Module {
        let mut d = Dice(dice.into_iter());
        let mut m = Module::new();
        for n in 0..d.below(6) {
            let file = m.source.file(&names[d.below(names.len())], None);
            let pos = |d: &mut Dice| Pos { line: d.below(1000) as u32, col: d.below(200) as u32 };
            let (start, end) = (pos(&mut d), pos(&mut d));
            let before = |d: &mut Dice, m: &Module| if n == 0 { None.into() } else { d.loc(m) };
            let (spelling, inlined_at) = (before(&mut d, &m), before(&mut d, &m));
            m.source.intern(LocData { file, start, end, spelling, inlined_at });
        }
        let linkages = [Linkage::Internal, Linkage::External, Linkage::Weak];
        let mut funcs = Vec::new();
        for name in names.iter().take(1 + d.below(names.len())) {
            let side = d.pick(&[Side::Host, Side::Device, Side::Kernel]);
            let mut f = Function::new(name.clone(), side, d.sig());
            f.display_name.clone_from(&names[d.below(names.len())]);
            f.linkage = d.pick(&linkages);
            f.attrs.noinline = d.below(2) == 0;
            f.attrs.returns_twice = d.below(5) == 0;
            f.attrs.launch_bounds = [d.below(3) as u32, d.below(3) as u32];
            f.attrs.max_cluster = d.below(3) as u32;
            f.attrs.cluster_dims = [d.below(3) as u32, d.below(3) as u32, d.below(3) as u32];
            f.loc = d.loc(&m);
            if m.func_by_name(name).is_none() {
                funcs.push(m.add_func(f));
            }
        }
        for (n, name) in names.iter().enumerate() {
            if m.global_by_name(name).is_some() {
                continue;
            }
            let bytes = data[..d.below(data.len() + 1)].to_vec();
            let size = bytes.len() as u64;
            let target = if n > 0 && d.below(2) == 0 && !m.globals.is_empty() {
                RelocTarget::Global(GlobalId::from_u32(d.below(m.globals.len()) as u32))
            } else {
                RelocTarget::Func(d.pick(&funcs))
            };
            let relocs = (0..d.below(3))
                .map(|_| Reloc { offset: d.word() >> 8, target, addend: d.word() as i64 })
                .collect();
            let init = match d.below(6) {
                0 => GlobalInit::Extern,
                1 => GlobalInit::Uninit,
                2 => GlobalInit::Zero,
                _ => GlobalInit::Data { bytes, relocs },
            };
            let global = Global {
                name: name.clone(),
                display_name: names[d.below(names.len())].clone(),
                space: d.pick(&Space::ALL),
                size,
                align_log2: d.below(12) as u8,
                linkage: d.pick(&linkages),
                constant: d.below(2) == 0,
                dynamic: d.below(4) == 0,
                init,
                loc: d.loc(&m),
                ty: source_type(&mut m, &mut d),
            };
            m.add_global(global);
        }
        for &f in &funcs {
            if d.below(3) > 0 {
                let body = body(m.funcs[f].clone(), &mut m, names, &mut d);
                m.funcs[f] = body;
            }
        }
        m
    }

    /// A type of the source, with the named types that it needs.
    fn source_type(m: &mut Module, d: &mut Dice) -> Option<SourceType> {
        let encodings = [
            Encoding::Bool,
            Encoding::Char(1),
            Encoding::Signed(8),
            Encoding::Unsigned(4),
            Encoding::Float(Type::F32),
        ];
        let mut ty = match d.below(7) {
            0 | 1 => return None,
            2 => SourceType::Void,
            3 => SourceType::Other("odd".into(), d.below(9) as u64),
            4 => SourceType::Function,
            5 => SourceType::Base("int".into(), d.pick(&encodings)),
            _ => {
                let name: std::sync::Arc<str> = format!("T{}", d.below(3)).into();
                let new = if d.below(2) == 0 {
                    let values =
                        (0..d.below(3)).map(|n| (format!("E{n}").into(), -(d.word() as i128))).collect();
                    NamedType::Enum(EnumType { encoding: d.pick(&encodings), values })
                } else {
                    let field = |d: &mut Dice| FieldType {
                        name: "x".into(),
                        at: d.below(99) as u64,
                        width: (d.below(2) == 0).then(|| d.below(9) as u32),
                        ty: SourceType::Pointer(SourceType::Named(name.clone()).into()),
                    };
                    let fields = (0..d.below(3)).map(|_| field(d)).collect();
                    NamedType::Record(RecordType {
                        size: d.below(64) as u64,
                        is_union: d.below(2) == 0,
                        fields,
                    })
                };
                m.types.entry(name.clone()).or_insert(new);
                SourceType::Named(name)
            }
        };
        for _ in 0..d.below(3) {
            ty = match d.below(3) {
                0 => SourceType::Pointer(ty.into()),
                1 => SourceType::Reference(ty.into()),
                _ => SourceType::Array(d.below(9) as u64, ty.into()),
            };
        }
        Some(ty)
    }

    fn body(mut f: Function, m: &mut Module, names: &[String], d: &mut Dice) -> Function {
        for _ in 0..d.below(4) {
            let loc = d.loc(m);
            let name = if d.below(2) == 0 { String::new() } else { names[d.below(names.len())].clone() };
            let (size, space) = (d.below(100) as u32, d.pick(&Space::ALL));
            let part = (d.below(4) == 0).then(|| (d.below(50) as u32, d.below(200) as u32));
            let ty = source_type(m, d);
            f.slots.push(SlotData { size, align_log2: d.below(6) as u8, space, name, loc, part, ty });
        }
        let blocks: Vec<Block> = (0..=d.below(5)).map(|_| f.make_block()).collect();
        let mut values = Vec::new();
        for &b in &blocks {
            for _ in 0..d.below(3) {
                let ty = d.ty();
                values.push(f.append_block_param(b, ty));
            }
        }
        let start = f.make_inst(InstData::Const { ty: Type::I32, bits: 5 }, &[Type::I32], None);
        values.push(f.inst_results(start)[0]);
        // The layout does not follow the numbers, and some blocks are in none.
        let mut order = blocks.clone();
        for i in 0..order.len() {
            let j = d.below(order.len());
            order.swap(i, j);
        }
        f.blocks[order[0]].insts.push(start);
        for &b in &order {
            for _ in 0..d.below(6) {
                let data = inst(&mut f, m, names, d, &values, &order);
                let types = m.result_types(&f, &data);
                let loc = d.loc(m).expand();
                let i = f.make_inst(data, &types, loc);
                f.blocks[b].insts.push(i);
                values.extend_from_slice(f.inst_results(i));
            }
            let call = |f: &mut Function, d: &mut Dice| {
                let args: Vec<Value> = (0..d.below(3)).map(|_| d.pick(&values)).collect();
                let to = d.pick(&order);
                f.block_call(to, &args)
            };
            let data = match d.below(4) {
                0 => InstData::Jump { dest: call(&mut f, d) },
                1 => {
                    InstData::Branch { cond: d.pick(&values), then: call(&mut f, d), other: call(&mut f, d) }
                }
                2 => {
                    let arg = d.pick(&values);
                    let ty = f.value_type(arg);
                    let default = call(&mut f, d);
                    if ty.is_int() {
                        let n = d.below(3);
                        let cases = (0..n).map(|_| (u128::from(d.word()) & ty.bit_mask(), call(&mut f, d)));
                        let cases: Vec<_> = cases.collect();
                        let table = f.tables.push(SwitchData { default, cases });
                        InstData::Switch { arg, table }
                    } else {
                        InstData::Jump { dest: default }
                    }
                }
                _ => InstData::Return { args: f.list(&values[..1]) },
            };
            let i = f.make_inst(data, &[], d.loc(m).expand());
            f.blocks[b].insts.push(i);
        }
        f.layout = order;
        f
    }

    fn inst(
        f: &mut Function,
        m: &mut Module,
        names: &[String],
        d: &mut Dice,
        values: &[Value],
        _: &[Block],
    ) -> InstData {
        let site_loc = d.loc(m).expand();
        let site = f.make_site(site_loc);
        let v = d.pick(values);
        let w = d.pick(values);
        let flags =
            MemFlags { volatile: d.below(3) == 0, partial: d.below(4) == 0, align_log2: d.below(8) as u8 };
        match d.below(16) {
            0 | 1 => {
                let ty = d.ty();
                let bits = u128::from(d.word()) << 64 | u128::from(d.word());
                let special = [0, 1 << 63, 0x7ff0 << 48, 0xff80_0000, 0x7fc0_0001, 0x8000_0000, bits];
                InstData::Const { ty, bits: d.pick(&special) & ty.bit_mask() }
            }
            2 => InstData::Load { ty: d.ty(), flags, ptr: v, site },
            3 => InstData::Store { flags, value: v, ptr: w, site },
            4 => {
                let other = f.make_site(None);
                InstData::MemCopy { flags, dst: v, src: w, len: v, dst_site: site, src_site: other }
            }
            5 => InstData::Binary { op: d.pick(BinaryOp::ALL), nsw: d.below(2) == 0, args: [v, w] },
            6 => InstData::Cast { op: d.pick(CastOp::ALL), ty: d.ty(), arg: v },
            7 => InstData::Icmp { cc: d.pick(IntCC::ALL), args: [v, w] },
            8 => InstData::Ternary { op: d.pick(TernaryOp::ALL), args: [v, w, v] },
            9 => {
                let func = FuncId::from_u32(d.below(m.funcs.len()) as u32);
                let args: Vec<Value> = (0..d.below(4)).map(|_| d.pick(values)).collect();
                InstData::Call { func, args: f.list(&args), site }
            }
            10 => {
                let sig = d.sig();
                let args: Vec<Value> = (0..d.below(4)).map(|_| d.pick(values)).collect();
                InstData::CallIndirect { sig: m.sig(&sig), callee: v, args: f.list(&args), site }
            }
            11 => InstData::GlobalAddr { global: GlobalId::from_u32(d.below(m.globals.len()) as u32) },
            12 => {
                InstData::Trap { code: TrapCode::Unsupported(m.message(names[d.below(names.len())].clone())) }
            }
            13 => InstData::AtomicRmw {
                op: d.pick(AtomicOp::ALL),
                order: d.pick(MemOrder::ALL),
                scope: d.pick(Scope::ALL),
                ptr: v,
                value: w,
                site,
            },
            14 if !f.slots.is_empty() => {
                let slot = Slot::from_u32(d.below(f.slots.len()) as u32);
                if d.below(2) == 0 {
                    InstData::SlotAddr { slot }
                } else {
                    InstData::Lifetime { op: LifetimeOp::Live, slot }
                }
            }
            _ => InstData::Special { reg: d.pick(SpecialReg::ALL) },
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn modules_round_trip(
            names in prop::collection::vec(prop_oneof![any::<String>(), "[a-z_$.0-9]{1,8}"], 2..6),
            data in prop::collection::vec(prop_oneof![Just(0u8), any::<u8>(), 32u8..127], 0..200),
            dice in prop::collection::vec(any::<u32>(), 400),
        ) {
            let m = module(&names, &data, dice);
            let text = m.to_string();
            prop_assert_eq!(&check(&text), &text);
            // Neither the verifier nor the other forms mind what makes no sense.
            let _ = verify_module(&m);
            let _ = json::module_to_json(&m);
            let _ = dot::cfg_to_dot(&m, m.funcs.keys());
            // Compaction numbers as the text does.
            let mut compact = m.clone();
            for f in compact.funcs.values_mut() {
                if !f.is_declaration() {
                    prop_assert!(f.compact());
                }
            }
            prop_assert_eq!(&compact.to_string(), &text);
        }

        #[test]
        fn broken_text_is_an_error_and_no_panic(
            edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..12),
        ) {
            let mut bytes = include_bytes!("every_instruction.cir").to_vec();
            for (at, byte, kind) in edits {
                let at = at.index(bytes.len());
                match kind {
                    0 => bytes[at] = byte,
                    1 => { bytes.remove(at); }
                    2 => bytes.insert(at, byte),
                    _ => bytes.truncate(at + 1),
                }
                if bytes.is_empty() { bytes.push(b';'); }
            }
            let text = String::from_utf8_lossy(&bytes);
            match parse_module(&text, "broken.cir") {
                Ok(m) => {
                    let _ = verify_module(&m);
                    check(&m.to_string());
                }
                Err(e) => {
                    prop_assert!(e.line >= 1 && e.col >= 1);
                    prop_assert!(e.line as usize <= text.lines().count() + 1);
                }
            }
        }

        #[test]
        fn any_text_is_no_panic(text in any::<String>()) {
            let _ = parse_module(&text, "any.cir");
        }
    }
}

/// What is wrong with a text, at which place.
#[track_caller]
fn refused(text: &str, at: &str, message: &str) {
    let e = parse_module(text, "t.cir").expect_err("should be refused");
    assert_eq!((format!("{}:{}", e.line, e.col), e.message), (at.to_owned(), message.to_owned()));
}

#[test]
fn errors_have_a_place() {
    refused(
        "func host external @f () {\nblock0:\n  v0 = iadd.i32 v1, v2\n  return\n}\n",
        "3:17",
        "`v1` is not defined in this function",
    );
    refused(
        "func host external @f () {\nblock0:\n  jump block7\n}\n",
        "3:8",
        "there is no `block7` in this function",
    );
    refused(
        "func host external @f () {\nblock0:\n  v0 = const.i8 256\n",
        "4:1",
        "a `}` is missing at the end",
    );
    refused(
        "func host external @f () {\nblock0:\n  v0 = const.i8 256\n}\n",
        "3:17",
        "expected an integer; `256` is not one of type i8",
    );
    refused("func host external @f () {\nblock0:\n  frob v0\n}\n", "3:3", "there is no instruction `frob`");
    refused("func host external @f () {\nblock0:\n  call @g() site0\n}\n", "3:8", "there is no function `g`");
    refused(
        "func host external @f () {\nblock0:\n  fence seq_cst device\n}\n",
        "4:1",
        "expected a site such as `site0`, found `}`",
    );
    refused(
        "func host external @f ()\nfunc host external @f ()\n",
        "2:20",
        "the function `f` is defined twice",
    );
    refused(
        "global external @g host 99999999999 align 4 = data { zero 99999999999 }",
        "1:71",
        "more than 268435456 bytes of contents",
    );
    refused("loc0 = file0:1:1-1:2", "1:8", "there is no `file0`");
    refused("file0 = \"a\"\nloc0 = file0:1:1-1:2 inlined loc0", "2:30", "there is no `loc0` before this");
    refused("hello", "1:1", "expected `func`, `global`, `ctor`, `type`, `fileN` or `locN`, found `hello`");
    refused(
        "func host external @f () {\nblock0:\n  v0 = iadd.i32 v0, v0 v1\n  return\n}\n",
        "3:24",
        "expected the end of the line, found `v1`",
    );
}

#[test]
fn comments_and_gaps_are_read() {
    let text = "; a comment\nfunc host external @f (i32) -> i32 { ; here too\nblock7(v10: i32):\n  v99 = iadd.i32 v10, v10 ; and here\n  jump block3(v99)\nblock3(v5: i32):\n  return v5\n}\n";
    let m = parse_module(text, "t.cir").unwrap();
    assert_eq!(
        m.to_string(),
        "func host external @f (i32) -> i32 {\nblock0(v0: i32):\n  v1 = iadd.i32 v0, v0\n  jump block1(v1)\n\nblock1(v2: i32):\n  return v2\n}\n"
    );
}

#[test]
fn long_texts_need_no_stack() {
    use std::fmt::Write;
    // Twenty thousand blocks in a row, each in a loop with the next.
    let n = 20_000;
    let mut text = String::from("func host external @f (i1) {\nblock0(v0: i1):\n  jump block1\n");
    for i in 1..n {
        let _ = write!(text, "block{i}:\n  branch v0, block{}, block{}\n", i + 1, (i / 2).max(1));
    }
    let _ = write!(text, "block{n}:\n  return\n}}\n");
    let m = parse_module(&text, "t.cir").unwrap();
    cudair_ir::verify_module(&m).unwrap();
    let f = &m.funcs[cudair_ir::FuncId::from_u32(0)];
    let cfg = cudair_ir::Cfg::new(f);
    assert_eq!(cfg.rpo().len(), n + 1);
    let _ = (cudair_ir::DomTree::new(&cfg), cudair_ir::PostDomTree::new(f, &cfg));
    let _ = cudair_ir::Cycles::new(f, &cfg);
}
