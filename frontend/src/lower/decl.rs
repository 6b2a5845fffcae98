//! Declaring functions and variables in the module.

use super::unit::functions::{FunctionKey, Wanted, Work};
use super::unit::initialisers::DynamicInit;
use super::unit::variables::{Bytes, VariableKey};
use super::{Cx, Fault, R};
use crate::ast::{Ex, symbol};
use crate::clang::StorageClass;
use crate::fault::FaultKind;
use crate::types::{Decl, DeclKind};
use crate::types::{FnTy, Kind, QTy, Ty};
use cudair_ir::{
    DEVICE_SUFFIX, FuncAttrs, FuncId, Function, Global, GlobalId, GlobalInit, Linkage, Param, ParamAttr,
    Side, Signature, Space, Type,
};

/// The primitive that knows addresses of `__grid_constant__` parameters.
const IS_GRID_CONSTANT: &str = "__isGridConstant$device";

const COPIED_GRID_CONSTANT: &str =
    "`__isGridConstant()` beside a `__grid_constant__` parameter that is not of a class type";

impl<'tu> Cx<'tu, '_> {
    /// How a value of type `q` is passed on a side; `void` parameters do not exist.
    pub fn param(&self, q: QTy, space: Space) -> Option<Param> {
        match self.ast.types.ir(q.ty) {
            Some(ty) => Some(Param::new(ty)),
            None => {
                let size = u32::try_from(self.ast.types.size(q.ty)?).ok()?;
                let align_log2 = self.ast.types.align(q.ty).trailing_zeros() as u8;
                Some(Param { ty: Type::Ptr(space), attr: ParamAttr::ByVal { size, align_log2 } })
            }
        }
    }

    /// The signature of a function type on a side, with `this` where it has one.
    pub fn signature(&self, f: &FnTy, side: Side, this: bool) -> Option<Signature> {
        let byval_space = if side == Side::Kernel { Space::Const } else { side.local_space() };
        let mut params = Vec::with_capacity(f.params.len() + 2);
        let mut ret = None;
        if !matches!(self.ast.types.kind(f.ret.ty), Kind::Void) {
            match self.ast.types.ir(f.ret.ty) {
                Some(ty) => ret = Some(ty),
                None => {
                    let size = u32::try_from(self.ast.types.size(f.ret.ty)?).ok()?;
                    let align_log2 = self.ast.types.align(f.ret.ty).trailing_zeros() as u8;
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
    pub fn func(&mut self, cursor: Decl<'tu>, device: bool) -> R<FuncId> {
        self.func_as(cursor, device, false)
    }

    /// Whether a function is a constructor or destructor that exists a second time for objects that are bases of others.
    pub fn has_base_flavour(&mut self, cursor: Decl<'tu>) -> bool {
        if !matches!(cursor.kind(), DeclKind::Constructor | DeclKind::Destructor) {
            return false;
        }
        let class = cursor.semantic_parent().map(|p| self.ast.types.of(p.ty()).ty);
        class.and_then(|c| self.ast.types.as_record(c)).is_some_and(|id| self.has_virtual_base(id))
    }

    /// Takes note of a `__grid_constant__` parameter of a scalar type, which is a copy for each thread.
    ///
    /// # Errors
    /// If the program asks which addresses are those of such parameters.
    pub fn copied_grid_constant(&mut self, param: Decl<'tu>) -> R<()> {
        self.functions.copied_grid_constant = true;
        if self.module.func_by_name(IS_GRID_CONSTANT).is_some() {
            return self.unsupported(COPIED_GRID_CONSTANT, &param);
        }
        Ok(())
    }

    /// Why a call of this function cannot be answered.
    pub fn unanswerable(&self, func: FuncId) -> Option<&'static str> {
        let asks = self.module.funcs[func].name == IS_GRID_CONSTANT;
        (asks && self.functions.copied_grid_constant).then_some(COPIED_GRID_CONSTANT)
    }

    /// As [`Cx::func`]; `base`: the constructor or destructor for an object that is a base of another, which takes a
    /// construction table too.
    pub fn func_as(&mut self, cursor: Decl<'tu>, device: bool, base: bool) -> R<FuncId> {
        let attributes = self.ast.attributes(cursor);
        let device = device && !attributes.global;
        let key = FunctionKey { decl: cursor.canonical().id(), device, base };
        if let Some(id) = self.functions.known(key) {
            return Ok(id);
        }
        let definition = self.ast.body_of(cursor);
        // What is only declared is known by that.
        let decl = definition.unwrap_or(cursor);
        let side = match (attributes.global, device) {
            (true, _) => Side::Kernel,
            (false, true) => Side::Device,
            (false, false) => Side::Host,
        };
        let fn_ty = self.function_type(decl, &cursor)?;
        let this = decl.has_this();
        let Some(mut sig) = self.signature(&fn_ty, side, this) else {
            return self.unsupported(format!("the types of the function `{}`", decl.spelling()), &cursor);
        };
        if base {
            sig.params.insert(1, Param::new(Type::GENERIC_PTR));
        }
        if definition.is_some() {
            // `int f() {…}` in C says nothing to its callers, but takes nothing all the same.
            sig.variadic = fn_ty.variadic;
        }
        let mut name = symbol(decl);
        if name.is_empty() {
            return self.internal(format!("the symbol of `{}`", decl.spelling()), &decl);
        }
        if base {
            name.push_str("$base");
        }
        // A function of our headers without a body is a primitive, or the device's form of a function of the C library.
        let of_program = definition.is_some() || !decl.in_system_header();
        let only_device = attributes.device && !attributes.host && of_program;
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
            self.functions.declare(key, id);
            if let Some(definition) = definition {
                if self.module.funcs[id].is_declaration() && !self.functions.is_queued(id) {
                    let loc = self.loc(&decl);
                    let f = &mut self.module.funcs[id];
                    (f.sig, f.linkage, f.loc) = (sig, linkage, loc.into());
                    f.param_names = param_names(definition, side, f.sig.params.len());
                    self.queue(id, definition, base);
                } else if linkage == Linkage::External && self.module.funcs[id].linkage == Linkage::Weak {
                    // A linker takes the strong definition, whatever the inline one of another unit says.
                    let loc = self.loc(&decl);
                    let f = &mut self.module.funcs[id];
                    let mut strong = Function::new(std::mem::take(&mut f.name), f.side, sig);
                    strong.display_name = std::mem::take(&mut f.display_name);
                    (strong.linkage, strong.loc, strong.attrs) = (linkage, loc.into(), f.attrs);
                    strong.param_names = param_names(definition, side, strong.sig.params.len());
                    *f = strong;
                    self.functions.drop_queued(id);
                    self.queue(id, definition, base);
                } else if linkage == Linkage::External {
                    return self.fault(
                        FaultKind::Program,
                        format!("multiple definitions of `{}`", decl.spelling()),
                        &decl,
                    );
                }
            }
            return Ok(id);
        }
        let mut function = Function::new(name, side, sig);
        function.display_name = display_name(decl);
        function.linkage = linkage;
        let passed = function.sig.params.len();
        function.param_names = definition.map_or_else(Vec::new, |d| param_names(d, side, passed));
        function.loc = self.loc(&decl).into();
        let promise = if side == Side::Host { self.is_noexcept(decl) } else { Some(false) };
        function.attrs = FuncAttrs {
            launch_bounds: [attributes.launch_bounds[0], attributes.launch_bounds[1]],
            max_cluster: attributes.launch_bounds[2],
            cluster_dims: attributes.cluster_dims,
            always_inline: definition.is_some() && !attributes.out_of_line && self.ast.in_own_header(decl),
            noexcept: promise == Some(true),
            noexcept_unknown: promise.is_none(),
            texels: attributes.texels.filter(|_| definition.is_some() && self.ast.in_own_header(decl)),
            ..FuncAttrs::default()
        };
        let id = self.module.add_func(function);
        self.functions.declare(key, id);
        match definition {
            Some(definition) => self.queue(id, definition, base),
            None => self.note_weak_function(cursor, id),
        }
        Ok(id)
    }

    /// Queues the body of a function.
    fn queue(&mut self, func: FuncId, definition: Decl<'tu>, base: bool) {
        match self.functions.left() {
            Some(left) if self.module.funcs[func].side.on_device() => left.push(Wanted {
                func,
                symbol: symbol(definition),
                display_name: display_name(definition),
                base,
            }),
            _ => self.functions.queue(Work { func, decl: definition, base }),
        }
    }

    /// A name that no function or variable of the module has.
    pub fn unique_name(&self, name: String) -> String {
        let taken =
            |n: &str| self.module.func_by_name(n).is_some() || self.module.global_by_name(n).is_some();
        if !taken(&name) {
            return name;
        }
        let mut i = 0u64;
        loop {
            i += 1;
            let numbered = format!("{name}.{i}");
            if !taken(&numbered) {
                return numbered;
            }
        }
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

    /// Whether the initialiser of a namespace-scope variable may have to run. Cheap and cautious.
    pub fn may_need_dynamic_init(&mut self, cursor: Decl<'tu>) -> bool {
        let q = self.ast.types.of(cursor.ty());
        let mut ty = q.ty;
        while let Some(elem) = self.ast.types.element(ty) {
            ty = elem.ty;
        }
        let plain = self.ast.types.is_arithmetic(ty) || self.ast.types.is_pointer(ty);
        if plain { self.ast.may_call(cursor) } else { self.ast.is_initialized(cursor) }
    }

    /// The variable that a declaration means. `device` says who asks: a constant of the host has a
    /// copy for the device.
    pub fn global(&mut self, cursor: Decl<'tu>, device: bool) -> R<GlobalId> {
        let canonical = cursor.canonical();
        if let Some(id) = self.variables.seen(canonical.id(), device) {
            let space = self.module.globals[id].space;
            let is_known = !device || space != Space::Host;
            if is_known || !(self.module.globals[id].constant || self.ast.is_constexpr(canonical)) {
                return self.variables.usable(id);
            }
        }
        let decl = self.ast.variable_definition(cursor);
        let attributes = self.ast.attributes(decl);
        let q = self.ast.types.of(decl.ty());
        let (is_const, elem) = self.element_of(q);
        let space = self.space_of(decl, q, is_const, device)?;
        let copy = device && space == Space::Const && !attributes.constant;
        let key = VariableKey { decl: canonical.id(), copy };
        if let Some(id) = self.variables.known(key) {
            return self.variables.usable(id);
        }
        let is_reference = matches!(self.ast.types.kind(q.ty), Kind::Reference(_));
        let incomplete_array = matches!(self.ast.types.kind(q.ty), Kind::Array { len: None, .. });
        let dynamic = attributes.shared && incomplete_array;
        // The `extern` of `extern "C" int n;` is not the variable's own.
        // An object without members has nothing that its definition could say.
        let stateless = self.ast.types.as_record(q.ty).is_some_and(|r| self.ast.types.fields(r).is_empty())
            && is_const
            && decl.in_system_header();
        let external_decl = !self.ast.has_initializer(decl)
            && !stateless
            && (decl.storage_class() == StorageClass::Extern || self.ast.cxx && !decl.is_definition());
        let size = if dynamic { 0 } else { self.variable_size(decl, q, elem, external_decl)? };
        let internal = !decl.has_external_linkage();
        let mut name = symbol(decl);
        if copy {
            name.push_str(DEVICE_SUFFIX);
        }
        if internal || dynamic {
            if let Some(id) = self.variables.shared(&name) {
                self.variables.declare(key, id);
                return Ok(id);
            }
            name = self.unique_name(name);
        } else if let Some(id) = self.module.global_by_name(&name) {
            self.variables.declare(key, id);
            if matches!(self.module.globals[id].init, GlobalInit::Extern) && !external_decl {
                self.module.globals[id].size = size;
                self.initialize_global(id, decl, q, space)?;
            }
            return Ok(id);
        }
        let loc = self.loc(&decl);
        let asked = match self.ast.declared_alignment(decl) {
            Ok(asked) => asked,
            Err(broken) => return self.unsupported(broken.what, &decl),
        };
        // A type without an alignment asks for nothing, or is not complete: what lies in dynamic memory may be anything.
        let least = if dynamic { 16 } else { 1 };
        let align = self.ast.types.align(q.ty).max(decl.ty().align().unwrap_or(least)).max(asked);
        let ty = self.source_type(decl);
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
            ty,
        });
        self.variables.declare(key, id);
        if self.functions.leaves_device_code() && internal {
            self.variables.share(symbol(decl) + if copy { DEVICE_SUFFIX } else { "" }, id);
        }
        if external_decl {
            self.note_weak_variable(decl, id);
        }
        if !attributes.shared && !external_decl {
            self.initialize_global(id, decl, q, space)?;
        }
        Ok(id)
    }

    /// Whether a type is constant, in the elements of an array too, and those elements' type.
    fn element_of(&self, q: QTy) -> (bool, Ty) {
        let mut is_const = q.is_const;
        let mut elem = q.ty;
        while let Some(e) = self.ast.types.element(elem) {
            is_const |= e.is_const;
            elem = e.ty;
        }
        (is_const, elem)
    }

    /// The memory that a variable lies in, for code of a side.
    fn space_of(&mut self, decl: Decl<'tu>, q: QTy, is_const: bool, device: bool) -> R<Space> {
        let local_static_on_device = device && decl.semantic_parent().is_some_and(|p| p.kind().is_function());
        let attributes = self.ast.attributes(decl);
        Ok(if attributes.shared {
            Space::Shared
        } else if attributes.managed {
            Space::Managed
        } else if attributes.constant {
            Space::Const
        } else if attributes.device {
            Space::Global
        } else if device
            && is_const
            && self.ast.has_initializer(decl)
            && (local_static_on_device || self.is_constant(decl, q)?)
        {
            Space::Const
        } else if local_static_on_device {
            Space::Global
        } else {
            Space::Host
        })
    }

    /// The size of a variable, which is a definition or the declaration of one elsewhere.
    fn variable_size(&mut self, decl: Decl<'tu>, q: QTy, elem: Ty, external: bool) -> R<u64> {
        let incomplete_array = matches!(self.ast.types.kind(q.ty), Kind::Array { len: None, .. });
        match self.ast.types.size(q.ty) {
            Some(size) => Ok(size),
            // `int a[];` alone defines one element; declared only, its size is another unit's.
            None if incomplete_array && external => Ok(0),
            None if incomplete_array => self.object_size(elem, &decl),
            None => self.unsupported(format!("a variable of type {}", self.ast.types.name(q.ty)), &decl),
        }
    }

    /// Gives a variable what its initialiser says. Where that is not supported, nobody may use the variable.
    fn initialize_global(&mut self, id: GlobalId, decl: Decl<'tu>, q: QTy, space: Space) -> R<()> {
        let result = self.initialized_global(id, decl, q, space);
        if let Err(fault) = &result {
            self.variables.give_up(id, Fault { kind: FaultKind::Consequence, ..(**fault).clone() });
            let global = &mut self.module.globals[id];
            if global.linkage == Linkage::External {
                global.init = GlobalInit::Extern;
            }
        }
        result
    }

    fn initialized_global(&mut self, id: GlobalId, decl: Decl<'tu>, q: QTy, space: Space) -> R<()> {
        self.module.globals[id].init = GlobalInit::Zero;
        // The initialiser of a static member may stand in the class, its definition outside.
        let Some(init) = self.ast.initializer(decl).or_else(|| self.ast.initializer(decl.canonical())) else {
            return Ok(());
        };
        // A flexible array member with an initialiser makes its variable larger than its type.
        let size = self.module.globals[id].size.max(self.initialized_extent(q, init)?);
        self.module.globals[id].size = size;
        match self.constant_data(q, init, size, space)? {
            Some(init) => self.module.globals[id].init = init,
            None if space == Space::Host || space == Space::Managed => {
                self.variables.initialise_late(id);
                self.module.globals[id].constant = false;
                // A local static is initialised where control first passes it, not before `main`.
                if !decl.semantic_parent().is_some_and(|p| p.kind().is_function()) {
                    self.initialisers.add(DynamicInit { global: id, decl, device: None });
                }
            }
            None => match self.default_data(q, init, size)? {
                Some(init) => self.module.globals[id].init = init,
                None if !self.is_constant_of_device(decl) => {
                    return self.unsupported("a device variable whose initialiser is not constant", &decl);
                }
                None if self.may_hold_addresses(q.ty) => {
                    return self
                        .unsupported("a device variable whose constructor may store addresses", &decl);
                }
                None => self.initialize_on_host(id, decl),
            },
        }
        Ok(())
    }

    /// Whether a constant of the host may have a copy for the device.
    fn is_constant(&mut self, decl: Decl<'tu>, q: QTy) -> R<bool> {
        if !self.may_need_dynamic_init(decl) || self.ast.is_constexpr(decl) {
            return Ok(true);
        }
        let init = self.ast.initializer(decl).or_else(|| self.ast.initializer(decl.canonical()));
        let (Some(init), Some(size)) = (init, self.ast.types.size(q.ty)) else { return Ok(true) };
        Ok(self.constant_data(q, init, size, Space::Const)?.is_some())
    }

    /// Whether the parser has made sure that a variable of the device has a constant initialiser.
    fn is_constant_of_device(&mut self, decl: Decl<'tu>) -> bool {
        let attributes = self.ast.attributes(decl);
        let is_local = decl.semantic_parent().is_some_and(|p| p.kind().is_function());
        (attributes.device || attributes.constant) && !is_local || self.ast.is_constexpr(decl)
    }

    /// Whether an object may hold addresses, its own class's tables among them: those of the host are not the device's.
    fn may_hold_addresses(&mut self, ty: Ty) -> bool {
        match *self.ast.types.kind(ty) {
            Kind::Void | Kind::Bool | Kind::Int { .. } | Kind::Float(_) | Kind::Complex(_) => false,
            Kind::Array { elem, .. } => self.may_hold_addresses(elem.ty),
            Kind::Record(id) => {
                self.is_dynamic(id)
                    || self.ast.types.fields(id).iter().any(|f| self.may_hold_addresses(f.ty.ty))
                    || self
                        .ast
                        .types
                        .bases(id)
                        .is_none_or(|bases| bases.iter().any(|b| self.may_hold_addresses(b.ty)))
            }
            _ => true,
        }
    }

    /// Has a constant of the device made on the host, by the code of its constructor, and copied before all else runs.
    fn initialize_on_host(&mut self, id: GlobalId, decl: Decl<'tu>) {
        let made = &self.module.globals[id];
        let global = Global {
            name: format!("{}.initial", made.name),
            space: Space::Host,
            linkage: Linkage::Internal,
            constant: false,
            ..made.clone()
        };
        let name = self.unique_name(global.name.clone());
        let global = self.module.add_global(Global { name, ..global });
        self.initialisers.add(DynamicInit { global, decl, device: Some(id) });
    }

    /// The bytes that the initialiser of a record with a flexible array member covers; 0 for others.
    fn initialized_extent(&mut self, q: QTy, init: Ex<'tu>) -> R<u64> {
        let Some(record) = self.ast.types.as_record(q.ty) else { return Ok(0) };
        let flexible =
            self.ast.types.fields(record).last().is_some_and(|f| {
                matches!(self.ast.types.kind(f.ty.ty), Kind::Array { len: None | Some(0), .. })
            });
        if !flexible {
            return Ok(0);
        }
        let mut extent = 0;
        for leaf in self.flatten(q, init)? {
            let size = match (self.ast.types.size(leaf.ty.ty), &leaf.value) {
                (Some(size), _) if size > 0 => size,
                // An array without a length is as long as what initialises it; an empty one takes nothing.
                (_, super::leaves::LeafValue::Expr(e)) => self.ast.types.size(e.q.ty).unwrap_or(0),
                _ => 0,
            };
            extent = extent.max(leaf.offset_bits.div_ceil(8) + size);
        }
        let align = u64::from(self.ast.types.align(q.ty));
        Ok(extent.next_multiple_of(align))
    }

    /// A constant of bytes, such as a string literal; equal ones are one variable.
    pub fn constant_bytes(&mut self, bytes: Vec<u8>, align: u32, device: bool) -> GlobalId {
        let key = Bytes { content: bytes, align, device };
        if let Some(id) = self.variables.constant(&key) {
            return id;
        }
        let bytes = key.content.clone();
        let name = self.unique_name(format!(".str.{}", self.variables.constants()));
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
            ty: None,
        });
        self.variables.add_constant(key, id);
        id
    }
}

/// What a reader calls a function: the name with template arguments, without parameters.
pub(crate) fn display_name(decl: Decl<'_>) -> String {
    let name = decl.spelling();
    let arguments = decl.template_arguments();
    if arguments.is_empty() { name } else { format!("{name}<{}>", arguments.join(", ")) }
}

/// Whether the declaration is an instance of a template or a member of one.
fn is_template_instance(decl: Decl<'_>) -> bool {
    !decl.template_arguments().is_empty()
        || decl.specialized_template().is_some()
        || matches!(decl.kind(), DeclKind::Method | DeclKind::Constructor | DeclKind::Destructor)
            && decl.semantic_parent().is_some_and(|p| p.specialized_template().is_some())
}

/// What the source calls the parameters of a kernel, where one is passed for each.
fn param_names(definition: Decl<'_>, side: Side, passed: usize) -> Vec<String> {
    let declared = definition.parameters().filter(|p| side == Side::Kernel && p.len() == passed);
    declared.iter().flatten().map(|p| p.spelling()).collect()
}
