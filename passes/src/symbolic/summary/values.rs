//! What instructions give, as terms.

use super::*;

/// Where the numbers of functions begin: above those of objects.
const CODE: u128 = 1 << 62;

impl Follower<'_, '_> {
    /// The value that an instruction gives.
    pub(super) fn result(&mut self, node: Block, inst: Inst, v: Value) -> Val {
        use InstData::*;
        let func = self.s.cx.func;
        let width = func.value_type(v).bits();
        match func.insts[inst] {
            Const { ty, bits } if ty.is_ptr() => self.address(bits),
            Const { bits, .. } => Val::Int(self.s.terms.constant(bits, width)),
            GlobalAddr { global } => {
                let base = self.variable(global);
                self.pointer(base)
            }
            FuncAddr { func } => self.pointer(Base::Code(func)),
            SlotAddr { slot } if self.memory.is_some() => self.pointer(Base::Local(slot)),
            SlotAddr { .. } | Alloca { .. } => self.pointer(Base::Private),
            Special { reg } => Val::Int(self.special(reg, v, node)),
            Unary { op, arg, .. } => Val::Int(self.unary(op, arg, node)),
            Binary { op, args, nsw, .. } => {
                let t = self.binary(op, args, node);
                if nsw && self.memory.is_none() {
                    self.no_overflow(op, args, node, t);
                }
                let operands = args.map(|a| self.int(a, node));
                if nsw && !operands.contains(&t) {
                    self.s.exact.insert(t);
                }
                Val::Int(t)
            }
            Cast { op, arg, .. } => self.cast(op, arg, v, node),
            Icmp { cc, args } => Val::Int(self.icmp(cc, args, v, node)),
            Fcmp { cc, args } => {
                let args = args.map(|a| self.int(a, node));
                Val::Int(self.s.terms.app(
                    Func::Op(fcmp_name(cc)),
                    Uniformity::Grid,
                    Args::from_slice(&args),
                    1,
                ))
            }
            Ternary { op: TernaryOp::Select, args: [c, a, b] } => {
                let cond = self.int(c, node);
                let (a, b) = (self.value(a, node), self.value(b, node));
                let truth = self.s.terms.truth(true);
                self.choose(&[(cond, a), (truth, b)]).unwrap_or_else(|| self.unknown(v, node))
            }
            Ternary { op, args } => {
                let args: Args = args.iter().map(|&a| self.int(a, node)).collect();
                Val::Int(self.s.terms.app(Func::Op(op.name()), Uniformity::Grid, args, width))
            }
            PtrAdd { ptr, offset } => {
                let mut cases = self.ptr(ptr, node);
                let by = self.int(offset, node);
                for c in &mut cases {
                    c.offset = self.s.terms.add(c.offset, by);
                }
                Val::Ptr(cases)
            }
            PtrDiff { args: [a, b] } => match (&self.ptr(a, node)[..], &self.ptr(b, node)[..]) {
                ([x], [y]) if x.base == y.base && x.base != Base::Private => {
                    Val::Int(self.s.terms.sub(x.offset, y.offset))
                }
                _ => self.unknown(v, node),
            },
            Load { ptr, flags, .. } => match self.read_back(inst, node) {
                Some(t) => Val::Int(t),
                None => self.load(ptr, flags, v, node),
            },
            Call { func: callee, ref args, .. } if self.depends_on_arguments(callee) => {
                let args = args.as_slice(&func.pool).to_vec();
                let args: Args = args.into_iter().map(|a| self.int(a, node)).collect();
                Val::Int(self.s.terms.app(Func::Native(callee), Uniformity::Grid, args, width))
            }
            _ => self.unknown(v, node),
        }
    }

    fn extent(&mut self, known: Option<u32>, sym: Sym) -> Term {
        match known {
            Some(n) => self.s.terms.constant(n.into(), 32),
            None => self.s.terms.sym(sym, 32),
        }
    }

    fn index(&mut self, extent: Option<u32>, sym: Sym) -> Term {
        match extent {
            Some(1) => self.s.terms.constant(0, 32),
            _ => self.s.terms.sym(sym, 32),
        }
    }

    fn special(&mut self, reg: SpecialReg, v: Value, node: Block) -> Term {
        use SpecialReg::*;
        let (block, grid) = (self.shape.block, self.shape.grid);
        let dim = |first: SpecialReg| (reg as u8).wrapping_sub(first as u8);
        match reg {
            TidX | TidY | TidZ => {
                let d = dim(TidX);
                self.index(block[d as usize], Sym::Tid(d))
            }
            CtaidX | CtaidY | CtaidZ => {
                let d = dim(CtaidX);
                self.index(grid[d as usize], Sym::Bid(d))
            }
            NtidX | NtidY | NtidZ => {
                let d = dim(NtidX);
                self.extent(block[d as usize], Sym::BlockDim(d))
            }
            NctaidX | NctaidY | NctaidZ => {
                let d = dim(NctaidX);
                self.extent(grid[d as usize], Sym::GridDim(d))
            }
            Warpsize => self.s.terms.constant(32, 32),
            DynSmemSize => self.s.terms.sym(Sym::DynamicShared, 32),
            Laneid | Warpid => {
                let linear = linear_thread(&mut self.s.terms, self.shape);
                let warp = self.s.terms.constant(32, 32);
                let op = if reg == Laneid { BinaryOp::Urem } else { BinaryOp::Udiv };
                self.s.terms.binary(op, linear, warp)
            }
            Smid | ClusterNctaidX | ClusterNctaidY | ClusterNctaidZ | IsExplicitCluster | Clock
            | Globaltimer => self.opaque(v, node),
        }
    }

    fn unary(&mut self, op: UnaryOp, arg: Value, node: Block) -> Term {
        let a = self.int(arg, node);
        let (width, ty) = (self.s.terms.width(a), self.s.cx.func.value_type(arg));
        match op {
            UnaryOp::Ineg => {
                let zero = self.s.terms.constant(0, width);
                self.s.terms.sub(zero, a)
            }
            UnaryOp::Inot => self.s.terms.not(a),
            _ => match self.s.terms.bits(a) {
                Some(bits) if ty.is_int() => {
                    let (bits, _) = eval::unary(op, false, ty, bits);
                    self.s.terms.constant(bits, width)
                }
                _ => self.s.terms.app(Func::Op(op.name()), Uniformity::Grid, Args::from_slice(&[a]), width),
            },
        }
    }

    fn binary(&mut self, op: BinaryOp, [a, b]: [Value; 2], node: Block) -> Term {
        use BinaryOp::*;
        let (a, b) = (self.int(a, node), self.int(b, node));
        let terms = &mut self.s.terms;
        let width = terms.width(a);
        match op {
            Iadd | Isub | Imul | Sdiv | Udiv | Srem | Urem | And | Or | Xor | Shl | Lshr | Ashr => {
                terms.binary(op, a, b)
            }
            Smin | Smax | Umin | Umax => {
                let cc = if matches!(op, Smin | Smax) { IntCC::Slt } else { IntCC::Ult };
                let less = terms.compare(cc, a, b);
                if matches!(op, Smin | Umin) { terms.ite(less, a, b) } else { terms.ite(less, b, a) }
            }
            Smulhi | Umulhi | Rotl | Fadd | Fsub | Fmul | Fdiv | Frem | Fmin | Fmax | Fcopysign => {
                terms.app(Func::Op(op.name()), Uniformity::Grid, Args::from_slice(&[a, b]), width)
            }
        }
    }

    /// Writes down that a sum, difference or product of signed numbers does not overflow.
    fn no_overflow(&mut self, op: BinaryOp, [a, b]: [Value; 2], node: Block, result: Term) {
        let (a, b) = (self.int(a, node), self.int(b, node));
        let terms = &mut self.s.terms;
        let width = terms.width(result);
        // A product of 128 bits is more than a solver takes lightly.
        if width > 32 || terms.bits(result).is_some() {
            return;
        }
        let [a, b, short] = [a, b, result].map(|t| terms.sext(t, 2 * width));
        let wide = terms.binary(op, a, b);
        let fact = terms.compare(IntCC::Eq, wide, short);
        self.s.signed.push(Signed { block: node, result, fact });
    }

    fn cast(&mut self, op: CastOp, arg: Value, v: Value, node: Block) -> Val {
        let to = self.s.cx.func.value_type(v);
        match op {
            CastOp::Spacecast => return Val::Ptr(self.ptr(arg, node)),
            CastOp::Ptrtoint => {
                let cases = self.ptr(arg, node);
                return match self.number(&cases) {
                    Some(t) if to.bits() == 64 => Val::Int(t),
                    _ => self.unknown(v, node),
                };
            }
            CastOp::Inttoptr => {
                let t = self.int(arg, node);
                return self.pointer_from(t).unwrap_or_else(|| self.unknown(v, node));
            }
            CastOp::Bitcast if to.is_ptr() || self.s.cx.func.value_type(arg).is_ptr() => {
                return self.unknown(v, node);
            }
            _ => {}
        }
        let a = self.int(arg, node);
        let (terms, width) = (&mut self.s.terms, to.bits());
        Val::Int(match op {
            CastOp::Trunc => terms.trunc(a, width),
            CastOp::Zext => terms.zext(a, width),
            CastOp::Sext => terms.sext(a, width),
            CastOp::Bitcast if terms.width(a) == width => a,
            _ => terms.app(Func::Op(op.name()), Uniformity::Grid, Args::from_slice(&[a]), width),
        })
    }

    fn icmp(&mut self, cc: IntCC, [a, b]: [Value; 2], v: Value, node: Block) -> Term {
        if !self.s.cx.func.value_type(a).is_ptr() {
            let (a, b) = (self.int(a, node), self.int(b, node));
            return self.s.terms.compare(cc, a, b);
        }
        match (&self.ptr(a, node)[..], &self.ptr(b, node)[..]) {
            ([x], [y]) if x.base == y.base && !matches!(x.base, Base::Other(_) | Base::Private) => {
                self.s.terms.compare(cc, x.offset, y.offset)
            }
            ([x], [y]) if x.is_object() && y.base == Base::Null || x.base == Base::Null && y.is_object() => {
                match cc {
                    IntCC::Eq | IntCC::Ne => self.s.terms.truth(cc == IntCC::Ne),
                    _ => self.opaque(v, node),
                }
            }
            (x, y) => match (self.number(x), self.number(y)) {
                (Some(x), Some(y)) => self.s.terms.compare(cc, x, y),
                _ => self.opaque(v, node),
            },
        }
    }

    /// The pointer that is this address.
    fn address(&mut self, bits: u128) -> Val {
        let offset = self.s.terms.constant(bits, 64);
        self.pointer_at(if bits == 0 { Base::Null } else { Base::Address }, offset)
    }

    /// A pointer as a number, where that is told: that of a function is one of its own, that of a parameter is unknown,
    /// unless the launch tells it, but the same for all threads.
    fn number(&mut self, cases: &[PtrCase]) -> Option<Term> {
        let mut out: Option<Term> = None;
        for case in cases {
            let start = match case.base {
                Base::Null | Base::Address => self.s.terms.constant(0, 64),
                Base::Code(f) => self.s.terms.constant(CODE + (u128::from(f.as_u32()) << 4), 64),
                Base::Param(n) if self.is_pointer(n) => {
                    match self.shape.args.get(n as usize).copied().flatten() {
                        Some(bits) => self.s.terms.constant(bits, 64),
                        None => self.s.terms.sym(Sym::Param(n), 64),
                    }
                }
                _ => return None,
            };
            let at = self.s.terms.add(start, case.offset);
            out = Some(match out {
                None => at,
                Some(other) => self.s.terms.ite(case.cond, at, other),
            });
        }
        out
    }

    /// Whether a parameter is a pointer that is passed, and no aggregate.
    fn is_pointer(&self, n: u32) -> bool {
        let param = self.s.cx.func.sig.params.get(n as usize);
        param.is_some_and(|p| p.ty.is_ptr() && p.attr == ParamAttr::None)
    }

    /// The pointer that a number is: so many bytes from a parameter, or an address.
    fn pointer_from(&mut self, t: Term) -> Option<Val> {
        if self.s.terms.width(t) != 64 {
            return None;
        }
        if let Some(bits) = self.s.terms.bits(t) {
            return Some(self.address(bits));
        }
        let (start, by) = match *self.s.terms.node(t) {
            Node::Binary(BinaryOp::Iadd, start, by) => (start, by),
            _ => (t, self.s.terms.constant(0, 64)),
        };
        let (base, offset) = match *self.s.terms.node(start) {
            // What is the distance to another object leads into that one.
            Node::Sym { sym: Sym::Param(n), .. } if self.is_pointer(n) && !self.speaks_of_pointers(by) => {
                (Base::Param(n), by)
            }
            _ => (Base::Address, t),
        };
        Some(self.pointer_at(base, offset))
    }

    /// Whether a number is made of the address of a parameter.
    fn speaks_of_pointers(&self, t: Term) -> bool {
        let is = |n: &Node| matches!(*n, Node::Sym { sym: Sym::Param(n), .. } if self.is_pointer(n));
        self.s.terms.mentions(t, is)
    }

    /// What a load gives.
    fn load(&mut self, ptr: Value, flags: MemFlags, v: Value, node: Block) -> Val {
        let (cx, ty) = (self.s.cx, self.s.cx.func.value_type(v));
        let Some(all) = self.memory else { return self.unknown(v, node) };
        let Some(memory) = all.funcs.get(&cx.id) else { return self.unknown(v, node) };
        let stable = match memory.source(&cx, ptr) {
            Source::Constant => true,
            Source::Private => false,
            Source::Place(place) => !all.written.iter().any(|&w| all.may_overlap(w, place, self.distinct)),
        };
        let cases = self.ptr(ptr, node);
        let [case] = &cases[..] else { return self.unknown(v, node) };
        let base = match case.base {
            Base::Global(g) => MemoryBase::Global(g),
            Base::Param(n) => MemoryBase::Param(n),
            Base::Member(n, at) => MemoryBase::Member(n, at),
            _ => return self.unknown(v, node),
        };
        if !stable || flags.volatile {
            return self.unknown(v, node);
        }
        if ty.is_ptr() {
            // A pointer in an aggregate that is passed.
            let attr = match case.base {
                Base::Param(n) => cx.func.sig.params.get(n as usize).map(|p| (n, p.attr)),
                _ => None,
            };
            return match (attr, self.s.terms.bits(case.offset)) {
                (Some((n, ParamAttr::ByVal { .. })), Some(at)) => self.pointer(Base::Member(n, at as u32)),
                _ => self.unknown(v, node),
            };
        }
        if let (Base::Global(g), Some(at)) = (case.base, self.s.terms.bits(case.offset))
            && let Some(bits) = initial(&cx.module.globals[g], at, ty)
        {
            return Val::Int(self.s.terms.constant(bits, ty.bits()));
        }
        let args = Args::from_slice(&[case.offset]);
        Val::Int(self.s.terms.app(Func::Memory(base), Uniformity::Grid, args, ty.bits()))
    }
}

/// What a variable holds at an offset that keeps its initial contents for ever.
fn initial(global: &Global, at: u128, ty: Type) -> Option<u128> {
    if !global.constant {
        return None;
    }
    let (from, n) = (usize::try_from(at).ok()?, ty.access_bytes() as usize);
    match &global.init {
        GlobalInit::Zero => Some(0).filter(|_| at + n as u128 <= u128::from(global.size)),
        GlobalInit::Data { bytes, relocs } => {
            let to = from.checked_add(n)?;
            let apart = |r: &Reloc| r.offset >= to as u64 || r.offset + 8 <= from as u64;
            let bytes = bytes.get(from..to).filter(|_| relocs.iter().all(apart))?;
            let bits = bytes.iter().rev().fold(0, |bits, &b| bits << 8 | u128::from(b));
            Some(bits & ty.bit_mask())
        }
        GlobalInit::Extern | GlobalInit::Uninit => None,
    }
}

/// The name of a floating comparison as a function.
fn fcmp_name(cc: FloatCC) -> &'static str {
    use FloatCC::*;
    match cc {
        Oeq => "fcmp.oeq",
        One => "fcmp.one",
        Olt => "fcmp.olt",
        Ole => "fcmp.ole",
        Ogt => "fcmp.ogt",
        Oge => "fcmp.oge",
        Ord => "fcmp.ord",
        Uno => "fcmp.uno",
        Ueq => "fcmp.ueq",
        Une => "fcmp.une",
        Ult => "fcmp.ult",
        Ule => "fcmp.ule",
        Ugt => "fcmp.ugt",
        Uge => "fcmp.uge",
    }
}
