//! Reads and writes of texels: calls of the texture header's functions, each of which is one operation here.
//!
//! A texture shows what the launch does not write, or reads of it are undefined; so what it gives hangs on the arguments
//! alone. Surfaces are read and written as memory is, and each thread sees what it wrote itself.

use super::*;
use cudair_ir::{ParamAttr, Texels};

/// The bits of a surface's first coordinate, in bytes, and of each other: no array is as large. An access outside of its
/// array, unless it is led to the nearest texel, touches nothing.
pub const WIDTH: [u32; 3] = [22, 20, 20];

/// `cudaBoundaryModeClamp`.
const CLAMP: u128 = 1;

impl Follower<'_, '_> {
    /// Whether what a function gives hangs on its arguments alone.
    pub(super) fn depends_on_arguments(&self, callee: FuncId) -> bool {
        let f = &self.s.cx.module.funcs[callee];
        let texture = f.attrs.texels == Some(Texels::Texture);
        is_pure_native(f) || texture && f.sig.params.iter().all(|p| !p.ty.is_ptr())
    }

    /// Writes down what a function does to texels.
    pub(super) fn texels(
        &mut self,
        does: Texels,
        callee: FuncId,
        args: &[Value],
        block: Block,
        at: usize,
        inst: Inst,
    ) {
        self.deed(Fault::Texels, block, inst, self.s.guards[block as usize]);
        let touch = match does {
            Texels::Texture => {
                self.s.reads_textures = true;
                return;
            }
            Texels::SurfaceRead => Touch::Read,
            Texels::SurfaceWrite => Touch::Write,
        };
        let sig = &self.s.cx.module.funcs[callee].sig;
        let (Some(bytes), Some(object)) = (bytes(sig, does), Texels::object(sig)) else {
            return self.s.gap(inst, format!("a call of `{}`", self.s.cx.module.funcs[callee].display_name));
        };
        let numbers: Vec<Term> = args[object..].iter().map(|&v| self.int(v, block)).collect();
        let param = match self.s.terms.node(numbers[0]) {
            Node::Sym { sym: Sym::Param(n), copy: 0 } => Some(*n),
            _ => None,
        };
        let (base, bytes) = (Base::Surface(param), self.s.terms.constant(bytes.into(), 64));
        let guard = self.s.guards[block as usize];
        let offset = self.s.terms.constant(0, 64);
        let writes = touch.writes();
        self.s.suspects.push(Suspect {
            fault: Fault::Bounds,
            inst,
            writes,
            block,
            guard,
            base,
            offset,
            bytes,
        });
        let (inside, offset) = self.texel(&numbers, inst);
        let guard = self.s.terms.and(guard, inside);
        let place = Place::Any;
        let access = Access {
            inst,
            block,
            at,
            touch,
            volatile: false,
            base,
            place,
            offset,
            bytes,
            guard,
            value: None,
        };
        self.s.accesses.push(access);
    }

    /// Where a texel lies by the surface, its coordinates and the boundary mode; and when it is touched.
    fn texel(&mut self, numbers: &[Term], inst: Inst) -> (Term, Term) {
        let known = numbers[1..].split_last().and_then(|(&mode, at)| Some((self.s.terms.bits(mode)?, at)));
        let terms = &mut self.s.terms;
        let known = known.filter(|(_, at)| at.iter().all(|&x| terms.width(x) == 32));
        let (mut inside, mut offset) = (terms.truth(true), terms.constant(0, 64));
        match known {
            Some((mode, at)) if mode != CLAMP && (1..=WIDTH.len()).contains(&at.len()) => {
                let mut shift = 0;
                for (&x, bits) in at.iter().zip(WIDTH) {
                    let end = terms.constant(1 << bits, 32);
                    let fits = terms.compare(IntCC::Ult, x, end);
                    inside = terms.and(inside, fits);
                    // Within these bounds a signed number is one without sign; what is known of sums is of the former.
                    let (wide, by) = (terms.sext(x, 64), terms.constant(shift, 64));
                    let part = terms.binary(BinaryOp::Shl, wide, by);
                    offset = terms.add(offset, part);
                    shift += u128::from(bits);
                }
            }
            // Any texel may be the nearest one.
            _ => {
                let which = terms.constant(inst.as_u32().into(), 32);
                let args = Args::from_slice(&[&[which], numbers].concat());
                offset = terms.app(Func::Op("texel"), Uniformity::Divergent, args, 64);
            }
        }
        (inside, offset)
    }
}

impl Summary<'_> {
    /// Takes all surfaces for one where two may be of one array: where it is not told which they are, and where the host
    /// chooses them. Else parameters are taken to be of distinct arrays.
    pub fn join_surfaces(&mut self) {
        if self.launched || self.accesses.iter().any(|a| a.base == Base::Surface(None)) {
            for a in self.accesses.iter_mut().filter(|a| a.base.is_surface()) {
                a.base = Base::Surface(None);
            }
        }
    }
}

/// The bytes that a function of a surface reads or writes.
fn bytes(sig: &Signature, does: Texels) -> Option<u32> {
    let first = sig.params.first();
    let passed = first.and_then(|p| match p.attr {
        ParamAttr::SRet { size, .. } | ParamAttr::ByVal { size, .. } => Some(size),
        ParamAttr::None => None,
    });
    let scalar = if does == Texels::SurfaceRead { sig.ret } else { first.map(|p| p.ty) };
    passed.or(scalar.map(Type::access_bytes))
}
