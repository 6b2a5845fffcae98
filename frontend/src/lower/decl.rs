//! Declaring functions and variables in the module.

use super::types::{FnTy, Kind, QTy};
use super::{Cx, DynamicInit, R, Work};
use crate::clang::{Cursor, CursorId, CursorKind, Evaluated, StorageClass};
use cudair_ir::{
    DEVICE_SUFFIX, FuncAttrs, FuncId, Function, Global, GlobalId, GlobalInit, Linkage, Param, ParamAttr,
    Side, Signature, Space, Type,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The attributes of a declaration that the lowering heeds.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Attributes {
    pub global: bool,
    pub device: bool,
    pub host: bool,
    pub constant: bool,
    pub shared: bool,
    pub managed: bool,
    /// A function of our own headers that is too large to be part of its callers.
    pub out_of_line: bool,
    /// A variable that is never destroyed.
    pub immortal: bool,
    /// Threads of a block, blocks of a multiprocessor, blocks of a cluster.
    pub launch_bounds: [u32; 3],
    pub cluster_dims: [u32; 3],
}

/// Up to three numbers that an attribute lists; `rest` stands for those that it leaves out.
fn numbers(attribute: Cursor<'_>, rest: u32) -> [u32; 3] {
    let mut values = attribute.expressions().into_iter().map(|e| match e.evaluate() {
        Some(Evaluated::Int(v)) => u32::try_from(v).unwrap_or(0),
        _ => 0,
    });
    [0; 3].map(|_| values.next().unwrap_or(rest))
}

impl<'tu> Cx<'tu, '_> {
    /// The attributes of a declaration and of its first declaration.
    pub fn attributes(&mut self, cursor: Cursor<'tu>) -> Rc<Attributes> {
        let id = cursor.id();
        if let Some(found) = self.attributes.get(&id) {
            return found.clone();
        }
        let mut a = Attributes::default();
        self.read_attributes(cursor, &mut a);
        let canonical = cursor.canonical();
        if canonical.id() != id {
            self.read_attributes(canonical, &mut a);
        }
        if let Some(template) = cursor.specialized_template() {
            self.read_attributes(template, &mut a);
        }
        let a = Rc::new(a);
        self.attributes.insert(id, a.clone());
        a
    }

    fn read_attributes(&mut self, cursor: Cursor<'tu>, a: &mut Attributes) {
        for child in cursor.children() {
            match child.kind() {
                CursorKind::CUDAGlobalAttr => a.global = true,
                CursorKind::CUDADeviceAttr => a.device = true,
                CursorKind::CUDAHostAttr => a.host = true,
                CursorKind::CUDAConstantAttr => a.constant = true,
                CursorKind::CUDASharedAttr => a.shared = true,
                CursorKind::AnnotateAttr => match child.spelling().as_str() {
                    "cudair.managed" => a.managed = true,
                    "cudair.immortal" => a.immortal = true,
                    "cudair.out_of_line" => a.out_of_line = true,
                    "cudair.launch_bounds" => a.launch_bounds = numbers(child, 0),
                    "cudair.cluster_dims" => a.cluster_dims = numbers(child, 1),
                    _ => {}
                },
                // What follows a parameter or the body is no attribute of the function.
                CursorKind::CompoundStmt => break,
                _ => {}
            }
        }
    }

    /// How a value of type `q` is passed on a side; `void` parameters do not exist.
    pub fn param(&self, q: QTy, space: Space) -> Option<Param> {
        match self.types.ir(q.ty) {
            Some(ty) => Some(Param::new(ty)),
            None => {
                let size = u32::try_from(self.types.size(q.ty)?).ok()?;
                let align_log2 = self.types.align(q.ty).trailing_zeros() as u8;
                Some(Param { ty: Type::Ptr(space), attr: ParamAttr::ByVal { size, align_log2 } })
            }
        }
    }

    /// The signature of a function type on a side, with `this` where it has one.
    pub fn signature(&self, f: &FnTy, side: Side, this: bool) -> Option<Signature> {
        let byval_space = if side == Side::Kernel { Space::Const } else { side.local_space() };
        let mut params = Vec::with_capacity(f.params.len() + 2);
        let mut ret = None;
        if !matches!(self.types.kind(f.ret.ty), Kind::Void) {
            match self.types.ir(f.ret.ty) {
                Some(ty) => ret = Some(ty),
                None => {
                    let size = u32::try_from(self.types.size(f.ret.ty)?).ok()?;
                    let align_log2 = self.types.align(f.ret.ty).trailing_zeros() as u8;
                    params.push(Param { ty: Type::GENERIC_PTR, attr: ParamAttr::SRet { size, align_log2 } });
                }
            }
        }
        if this {
            params.push(Param::new(Type::GENERIC_PTR));
        }
        for &p in &f.params {
            params.push(self.param(p, byval_space)?);
        }
        Some(Signature { params, ret, variadic: f.variadic || !f.prototype })
    }

    /// The function that a declaration means for callers on the device or the host, declared in the
    /// module and queued for lowering when new.
    pub fn func(&mut self, cursor: Cursor<'tu>, device: bool) -> R<FuncId> {
        self.func_as(cursor, device, false)
    }

    /// Whether a function is a constructor or destructor that exists a second time for objects that are bases of others.
    pub fn has_base_flavour(&mut self, cursor: Cursor<'tu>) -> bool {
        if !matches!(cursor.kind(), CursorKind::Constructor | CursorKind::Destructor) {
            return false;
        }
        let class = cursor.semantic_parent().map(|p| self.types.of(p.ty()).ty);
        class.and_then(|c| self.types.as_record(c)).is_some_and(|id| self.has_virtual_base(id))
    }

    /// As [`Cx::func`]; `base`: the constructor or destructor for an object that is a base of another, which takes a
    /// construction table too.
    pub fn func_as(&mut self, cursor: Cursor<'tu>, device: bool, base: bool) -> R<FuncId> {
        let attributes = self.attributes(cursor);
        let device = device && !attributes.global;
        let key = (cursor.canonical().id(), device, base);
        if let Some(&id) = self.funcs.get(&key) {
            return Ok(id);
        }
        let definition = self.body_of(cursor);
        let decl = definition.unwrap_or(cursor);
        let side = match (attributes.global, device) {
            (true, _) => Side::Kernel,
            (false, true) => Side::Device,
            (false, false) => Side::Host,
        };
        let q = self.types.of(decl.ty());
        let Some(fn_ty) = self.types.function(q.ty) else {
            return self.internal("a function without a function type", cursor);
        };
        let this = has_this(decl);
        let Some(mut sig) = self.signature(&fn_ty, side, this) else {
            return self.unsupported(format!("the types of the function `{}`", decl.spelling()), cursor);
        };
        if base {
            sig.params.insert(1, Param::new(Type::GENERIC_PTR));
        }
        if definition.is_some() {
            // `int f() {…}` in C says nothing to its callers, but takes nothing all the same.
            sig.variadic = fn_ty.variadic;
        }
        let mut name = symbol(decl);
        if base {
            name.push_str("$base");
        }
        let only_device = attributes.device && !attributes.host && definition.is_some();
        if side == Side::Device && !only_device {
            name.push_str(DEVICE_SUFFIX);
        }
        let external = decl.has_external_linkage() || definition.is_none();
        let linkage = match (external, decl.is_inline() || is_template_instance(decl)) {
            (false, _) => Linkage::Internal,
            (true, false) => Linkage::External,
            (true, true) => Linkage::Weak,
        };
        if linkage == Linkage::Internal {
            name = self.unique_name(name);
        } else if let Some(id) = self.module.func_by_name(&name) {
            // Known from another unit, or another overload of one C symbol.
            self.funcs.insert(key, id);
            if let Some(definition) = definition {
                if self.module.funcs[id].is_declaration() && !self.work.iter().any(|w| w.func == id) {
                    let loc = self.loc(decl);
                    let f = &mut self.module.funcs[id];
                    (f.sig, f.linkage, f.loc) = (sig, linkage, loc.into());
                    self.queue(id, definition, base);
                } else if linkage == Linkage::External && self.module.funcs[id].linkage == Linkage::Weak {
                    // A linker takes the strong definition, whatever the inline one of another unit says.
                    let loc = self.loc(decl);
                    let f = &mut self.module.funcs[id];
                    let mut strong = Function::new(std::mem::take(&mut f.name), f.side, sig);
                    strong.display_name = std::mem::take(&mut f.display_name);
                    (strong.linkage, strong.loc, strong.attrs) = (linkage, loc.into(), f.attrs);
                    *f = strong;
                    self.work.retain(|w| w.func != id);
                    self.queue(id, definition, base);
                } else if linkage == Linkage::External {
                    return self.fault(
                        super::FaultKind::Program,
                        format!("multiple definitions of `{}`", decl.spelling()),
                        decl,
                    );
                }
            }
            return Ok(id);
        }
        let mut function = Function::new(name, side, sig);
        function.display_name = display_name(decl);
        function.linkage = linkage;
        function.loc = self.loc(decl).into();
        function.attrs = FuncAttrs {
            launch_bounds: [attributes.launch_bounds[0], attributes.launch_bounds[1]],
            max_cluster: attributes.launch_bounds[2],
            cluster_dims: attributes.cluster_dims,
            always_inline: definition.is_some() && !attributes.out_of_line && self.in_own_header(decl),
            noexcept: side == Side::Host && self.is_noexcept(decl),
            ..FuncAttrs::default()
        };
        let id = self.module.add_func(function);
        self.funcs.insert(key, id);
        if let Some(definition) = definition {
            self.queue(id, definition, base);
        }
        Ok(id)
    }

    /// Queues the body of a function.
    fn queue(&mut self, func: FuncId, definition: Cursor<'tu>, base: bool) {
        match &mut self.wanted {
            Some(wanted) if self.module.funcs[func].side.on_device() => wanted.push(super::Wanted {
                func,
                symbol: symbol(definition),
                display_name: display_name(definition),
                base,
            }),
            _ => self.work.push(Work { func, cursor: definition, base }),
        }
    }

    /// The declaration of a function that holds its body.
    pub fn body_of(&mut self, cursor: Cursor<'tu>) -> Option<Cursor<'tu>> {
        let definition = cursor.definition()?;
        definition
            .children()
            .iter()
            .any(|c| matches!(c.kind(), CursorKind::CompoundStmt | CursorKind::CXXTryStmt))
            .then_some(definition)
    }

    /// Whether a declaration stands in one of the headers that stand in for CUDA's.
    fn in_own_header(&self, decl: Cursor<'tu>) -> bool {
        let name = |file| self.unit.file_name(file);
        decl.in_system_header()
            && decl.place().file.is_some_and(|f| crate::headers::is_own_cuda_header(&name(f)))
    }

    /// A name that no function or variable of the module has.
    pub fn unique_name(&self, name: String) -> String {
        let taken =
            |n: &str| self.module.func_by_name(n).is_some() || self.module.global_by_name(n).is_some();
        if !taken(&name) {
            return name;
        }
        (1..u32::MAX).map(|i| format!("{name}.{i}")).find(|n| !taken(n)).unwrap_or(name)
    }

    /// A function known by name alone, such as `memset` where the compiler itself calls it.
    pub fn native(&mut self, name: &str, sig: Signature, device: bool) -> FuncId {
        let name = if device { format!("{name}{DEVICE_SUFFIX}") } else { name.to_owned() };
        if let Some(id) = self.module.func_by_name(&name) {
            return id;
        }
        let side = if device { Side::Device } else { Side::Host };
        self.module.add_func(Function::new(name, side, sig))
    }

    /// The declaration of a variable that says most: with an initialiser, else not `extern`.
    fn variable_definition(&mut self, cursor: Cursor<'tu>) -> Cursor<'tu> {
        if let Some(definition) = cursor.definition() {
            return definition;
        }
        let id = cursor.canonical().id();
        if self.definitions.is_none() {
            let mut found = FxHashMap::default();
            scan_variables(self.unit.cursor(), &mut found);
            self.definitions = Some(found);
        }
        self.definitions.as_ref().and_then(|d| d.get(&id)).copied().unwrap_or(cursor)
    }

    /// Whether the initialiser of a namespace-scope variable may have to run. Cheap and cautious.
    pub fn may_need_dynamic_init(&mut self, cursor: Cursor<'tu>) -> bool {
        let q = self.types.of(cursor.ty());
        let mut ty = q.ty;
        while let Some(elem) = self.types.element(ty) {
            ty = elem.ty;
        }
        let plain = self.types.is_arithmetic(ty) || self.types.is_pointer(ty);
        match self.initializer(cursor) {
            None => false,
            Some(_) if !plain => true,
            Some(init) => contains_call(init),
        }
    }

    /// The variable that a declaration means. `device` says who asks: a constant of the host has a
    /// copy for the device.
    pub fn global(&mut self, cursor: Cursor<'tu>, device: bool) -> R<GlobalId> {
        let canonical = cursor.canonical();
        if let Some(&id) =
            self.globals.get(&(canonical.id(), device)).or_else(|| self.globals.get(&(canonical.id(), false)))
        {
            let space = self.module.globals[id].space;
            if !device || space != Space::Host || !self.module.globals[id].constant {
                return Ok(id);
            }
        }
        let decl = self.variable_definition(cursor);
        let attributes = self.attributes(decl);
        let q = self.types.of(decl.ty());
        let mut is_const = q.is_const;
        let mut elem = q.ty;
        while let Some(e) = self.types.element(elem) {
            is_const |= e.is_const;
            elem = e.ty;
        }
        let local_static_on_device = device && decl.semantic_parent().is_some_and(|p| is_function(p.kind()));
        let space = if attributes.shared {
            Space::Shared
        } else if attributes.managed {
            Space::Managed
        } else if attributes.constant {
            Space::Const
        } else if attributes.device {
            Space::Global
        } else if device && is_const && decl.initializer().is_some() {
            Space::Const
        } else if local_static_on_device {
            Space::Global
        } else {
            Space::Host
        };
        let key = (canonical.id(), device && space == Space::Const && !attributes.constant);
        if let Some(&id) = self.globals.get(&key) {
            return Ok(id);
        }
        let is_reference = matches!(self.types.kind(q.ty), Kind::Reference(_));
        let incomplete_array = matches!(self.types.kind(q.ty), Kind::Array { len: None, .. });
        let dynamic = attributes.shared && incomplete_array;
        // The `extern` of `extern "C" int n;` is not the variable's own.
        // An object without members has nothing that its definition could say.
        let stateless = self.types.as_record(q.ty).is_some_and(|r| self.types.fields(r).is_empty())
            && is_const
            && decl.in_system_header();
        let external_decl = decl.initializer().is_none()
            && !stateless
            && (decl.storage_class() == StorageClass::Extern || self.cxx && !decl.is_definition());
        let size = if dynamic {
            0
        } else {
            match self.types.size(q.ty) {
                Some(size) => size,
                // `int a[];` alone defines one element; declared only, its size is another unit's.
                None if incomplete_array && external_decl => 0,
                None if incomplete_array => self.types.size(elem).unwrap_or(1),
                None => {
                    return self.unsupported(format!("a variable of type {}", self.types.name(q.ty)), decl);
                }
            }
        };
        let internal = !decl.has_external_linkage();
        let mut name = symbol(decl);
        if key.1 {
            name.push_str(DEVICE_SUFFIX);
        }
        if internal || dynamic {
            if let Some(&id) = self.internal.get(&name) {
                self.globals.insert(key, id);
                return Ok(id);
            }
            name = self.unique_name(name);
        } else if let Some(id) = self.module.global_by_name(&name) {
            self.globals.insert(key, id);
            if matches!(self.module.globals[id].init, GlobalInit::Extern) && !external_decl {
                self.module.globals[id].size = size;
                self.initialize_global(id, decl, q, space)?;
            }
            return Ok(id);
        }
        let loc = self.loc(decl);
        let align = self.types.align(q.ty).max(decl.ty().align().unwrap_or(1)).max(declared_alignment(decl));
        let constant = space == Space::Const || is_const && space == Space::Host && !is_reference;
        let id = self.module.add_global(Global {
            name,
            display_name: decl.spelling(),
            space,
            size,
            align_log2: align.max(1).next_power_of_two().trailing_zeros() as u8,
            linkage: if internal { Linkage::Internal } else { Linkage::External },
            constant,
            dynamic,
            init: if attributes.shared {
                GlobalInit::Uninit
            } else if external_decl {
                GlobalInit::Extern
            } else {
                GlobalInit::Zero
            },
            loc: loc.into(),
        });
        self.globals.insert(key, id);
        if self.wanted.is_some() && internal {
            self.internal.insert(symbol(decl) + if key.1 { DEVICE_SUFFIX } else { "" }, id);
        }
        if !attributes.shared && !external_decl {
            self.initialize_global(id, decl, q, space)?;
        }
        Ok(id)
    }

    fn initialize_global(&mut self, id: GlobalId, decl: Cursor<'tu>, q: QTy, space: Space) -> R<()> {
        self.module.globals[id].init = GlobalInit::Zero;
        // The initialiser of a static member may stand in the class, its definition outside.
        let Some(init) = self.initializer(decl).or_else(|| decl.canonical().initializer()) else {
            return Ok(());
        };
        // A flexible array member with an initialiser makes its variable larger than its type.
        let size = self.module.globals[id].size.max(self.initialized_extent(q, init)?);
        self.module.globals[id].size = size;
        match self.constant_data(q, init, size, space)? {
            Some(init) => self.module.globals[id].init = init,
            None if space == Space::Host || space == Space::Managed => {
                self.late.insert(id);
                self.module.globals[id].constant = false;
                // A local static is initialised where control first passes it, not before `main`.
                if !decl.semantic_parent().is_some_and(|p| is_function(p.kind())) {
                    self.dynamic.push(DynamicInit { global: id, cursor: decl });
                }
            }
            None if self.is_trivial_construction(init) => {}
            None => {
                return self.unsupported("a device variable whose initialiser is not constant", decl);
            }
        }
        Ok(())
    }

    /// The bytes that the initialiser of a record with a flexible array member covers; 0 for others.
    fn initialized_extent(&mut self, q: QTy, init: Cursor<'tu>) -> R<u64> {
        let Some(record) = self.types.as_record(q.ty) else { return Ok(0) };
        let flexible = self
            .types
            .fields(record)
            .last()
            .is_some_and(|f| matches!(self.types.kind(f.ty.ty), Kind::Array { len: None | Some(0), .. }));
        if !flexible {
            return Ok(0);
        }
        let mut extent = 0;
        for leaf in self.flatten(q, init)? {
            let size = match (self.types.size(leaf.ty.ty), &leaf.value) {
                (Some(size), _) if size > 0 => size,
                (_, super::init::LeafValue::Expr(e)) => {
                    let written = self.types.of(e.ty()).ty;
                    self.types.size(written).unwrap_or(0)
                }
                _ => 0,
            };
            extent = extent.max(leaf.offset_bits.div_ceil(8) + size);
        }
        let align = u64::from(self.types.align(q.ty));
        Ok(extent.next_multiple_of(align))
    }

    /// A constant of bytes, such as a string literal; equal ones are one variable.
    pub fn constant_bytes(&mut self, bytes: Vec<u8>, align: u32, device: bool) -> GlobalId {
        let key = (bytes, align, device);
        if let Some(&id) = self.strings.get(&key) {
            return id;
        }
        let bytes = key.0.clone();
        let name = self.unique_name(format!(".str.{}", self.strings.len()));
        let id = self.module.add_global(Global {
            display_name: "string literal".to_owned(),
            name,
            space: if device { Space::Const } else { Space::Host },
            size: bytes.len() as u64,
            align_log2: align.trailing_zeros() as u8,
            linkage: Linkage::Internal,
            constant: true,
            dynamic: false,
            init: GlobalInit::Data { bytes, relocs: Vec::new() },
            loc: None.into(),
        });
        self.strings.insert(key, id);
        id
    }

    /// The type of an expression, with libclang's undecayed parameters repaired.
    pub fn type_of(&mut self, e: Cursor<'tu>) -> QTy {
        // libclang knows no type of these: what the function returns it, as `std::bit_cast` does.
        if e.kind() == CursorKind::BuiltinBitCastExpr {
            return self.bit_cast_type(e);
        }
        let q = self.types.of(e.ty());
        let decays =
            matches!(self.types.kind(q.ty), Kind::Array { .. } | Kind::Vla { .. } | Kind::Function(_));
        if decays && (self.names_parameter(e) || self.converts_to_parameter(e)) {
            self.types.decayed(q)
        } else {
            q
        }
    }

    /// The type that a `__builtin_bit_cast` names, else that of the function around it.
    fn bit_cast_type(&mut self, e: Cursor<'tu>) -> QTy {
        let tokens = e.tokens(self.unit);
        let named: Vec<&str> = tokens
            .iter()
            .skip_while(|t| *t != "(")
            .skip(1)
            .take_while(|t| *t != ",")
            .map(String::as_str)
            .collect();
        let found = self.types.arithmetic(&named);
        match (found, named.as_slice()) {
            (Some(ty), _) => QTy::plain(ty),
            (None, [name]) => match self.typedef(name) {
                Some(ty) => self.types.of(ty),
                None => self.returned,
            },
            (None, _) => self.returned,
        }
    }

    /// Whether an expression of array type is a conversion from something else, which only a parameter's
    /// declared type makes possible.
    fn converts_to_parameter(&mut self, e: Cursor<'tu>) -> bool {
        if e.kind() == CursorKind::ConditionalOperator {
            return e.expressions().into_iter().skip(1).any(|arm| {
                let q = self.type_of(arm);
                self.types.element(q.ty).is_none()
            });
        }
        if !matches!(e.kind(), CursorKind::UnexposedExpr | CursorKind::CStyleCastExpr) {
            return false;
        }
        match e.expressions().as_slice() {
            [inner] => {
                let from = self.type_of(*inner);
                matches!(self.types.kind(from.ty), Kind::Pointer(_) | Kind::Int { .. } | Kind::NullPtr)
            }
            _ => false,
        }
    }

    fn names_parameter(&self, mut e: Cursor<'tu>) -> bool {
        loop {
            match e.kind() {
                CursorKind::DeclRefExpr => {
                    return e.referenced().is_some_and(|d| {
                        d.kind() == CursorKind::ParmDecl
                            && !matches!(
                                d.ty().canonical().kind().0,
                                clang_sys::CXType_LValueReference | clang_sys::CXType_RValueReference
                            )
                    });
                }
                CursorKind::ParenExpr | CursorKind::UnexposedExpr => {
                    let inner = e.expressions();
                    match inner.as_slice() {
                        [one] => e = *one,
                        _ => return false,
                    }
                }
                CursorKind::BinaryOperator => match e.expressions().as_slice() {
                    [_, right] if e.binary_operator() == clang_sys::CXBinaryOperator_Comma => e = *right,
                    [left, _] if e.binary_operator() == clang_sys::CXBinaryOperator_Assign => e = *left,
                    // A member that is an array, through a pointer to it.
                    _ if matches!(
                        e.binary_operator(),
                        clang_sys::CXBinaryOperator_PtrMemD | clang_sys::CXBinaryOperator_PtrMemI
                    ) =>
                    {
                        return false;
                    }
                    // Arithmetic gives no array; on a parameter it gives the parameter's type.
                    _ => return true,
                },
                CursorKind::CompoundAssignOperator => match e.expressions().first() {
                    Some(left) => e = *left,
                    None => return false,
                },
                CursorKind::UnaryOperator => match (e.unary_operator(), e.expressions().first()) {
                    (1..=4 | 13, Some(inner)) => e = *inner,
                    _ => return false,
                },
                _ => return false,
            }
        }
    }
}

/// Whether the declaration kind is a function of any sort.
pub(crate) fn is_function(kind: CursorKind) -> bool {
    matches!(
        kind,
        CursorKind::FunctionDecl
            | CursorKind::CXXMethod
            | CursorKind::Constructor
            | CursorKind::Destructor
            | CursorKind::ConversionFunction
    )
}

/// Whether the function takes `this`.
pub(crate) fn has_this(decl: Cursor<'_>) -> bool {
    match decl.kind() {
        CursorKind::Constructor | CursorKind::Destructor | CursorKind::ConversionFunction => true,
        CursorKind::CXXMethod => !decl.is_static_method(),
        _ => false,
    }
}

/// The linker's name of a declaration.
pub(crate) fn symbol(decl: Cursor<'_>) -> String {
    let name = match decl.kind() {
        CursorKind::Constructor | CursorKind::Destructor => {
            decl.cxx_manglings().into_iter().next_back().unwrap_or_default()
        }
        _ => decl.mangling(),
    };
    if name.is_empty() { decl.spelling() } else { without_stub(name) }
}

/// In host mode clang mangles a kernel as its launch stub, `__device_stub__` before the name; this is
/// the kernel's own.
fn without_stub(name: String) -> String {
    const STUB: &str = "__device_stub__";
    let Some(at) = name.find(STUB) else { return name };
    let (head, tail) = (&name[..at], &name[at + STUB.len()..]);
    let digits = head.len() - head.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (prefix, count) = head.split_at(head.len() - digits);
    match count.parse::<usize>() {
        Ok(length) if length > STUB.len() => format!("{prefix}{}{tail}", length - STUB.len()),
        // An `extern "C"` kernel has no length.
        _ => format!("{head}{tail}"),
    }
}

/// What a reader calls a function: the name with template arguments, without parameters.
pub(crate) fn display_name(decl: Cursor<'_>) -> String {
    let name = decl.spelling();
    let arguments = decl.template_arguments();
    if arguments.is_empty() { name } else { format!("{name}<{}>", arguments.join(", ")) }
}

/// Whether the declaration is an instance of a template or a member of one.
fn is_template_instance(decl: Cursor<'_>) -> bool {
    !decl.template_arguments().is_empty()
        || decl.specialized_template().is_some()
        || matches!(decl.kind(), CursorKind::CXXMethod | CursorKind::Constructor | CursorKind::Destructor)
            && decl.semantic_parent().is_some_and(|p| p.specialized_template().is_some())
}

/// The alignment that attributes on the declaration ask for.
fn declared_alignment(decl: Cursor<'_>) -> u32 {
    decl.children()
        .iter()
        .filter(|c| c.kind() == CursorKind::AlignedAttr)
        .flat_map(|c| c.expressions())
        .filter_map(|e| match e.evaluate() {
            Some(Evaluated::Int(v)) => u32::try_from(v).ok().filter(|v| v.is_power_of_two()),
            _ => None,
        })
        .max()
        .unwrap_or(1)
}

/// The functions with bodies that a declaration reaches, by symbol.
pub(crate) fn collect_symbols<'tu>(
    decl: Cursor<'tu>,
    known: &mut FxHashMap<String, Cursor<'tu>>,
    visited: &mut rustc_hash::FxHashSet<CursorId>,
) {
    if !visited.insert(decl.canonical().id()) {
        return;
    }
    if is_function(decl.kind()) {
        known.entry(symbol(decl)).or_insert(decl);
    }
    let mut stack = vec![decl];
    while let Some(at) = stack.pop() {
        for child in at.children() {
            if child.kind().is_expression()
                && let Some(target) = child.referenced().filter(|d| is_function(d.kind()))
                && let Some(definition) = target.definition()
            {
                collect_symbols(definition, known, visited);
            }
            stack.push(child);
        }
    }
}

/// Finds, for each variable of the unit, the declaration with an initialiser, else a tentative one.
fn scan_variables<'tu>(parent: Cursor<'tu>, found: &mut FxHashMap<CursorId, Cursor<'tu>>) {
    for cursor in parent.children() {
        match cursor.kind() {
            CursorKind::LinkageSpec | CursorKind::Namespace => scan_variables(cursor, found),
            CursorKind::VarDecl => {
                let id = cursor.canonical().id();
                let better =
                    |c: Cursor<'_>| (c.initializer().is_some(), c.storage_class() != StorageClass::Extern);
                match found.get(&id) {
                    Some(&old) if better(old) >= better(cursor) => {}
                    _ => {
                        found.insert(id, cursor);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether an expression holds a call, so that it may not be constant.
fn contains_call(e: Cursor<'_>) -> bool {
    matches!(
        e.kind(),
        CursorKind::CallExpr | CursorKind::CXXNewExpr | CursorKind::LambdaExpr | CursorKind::DeclRefExpr
    ) || e.children().iter().any(|c| contains_call(*c))
}
