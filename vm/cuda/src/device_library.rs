//! Functions of device code: `printf`, the device heap, `assert`, address spaces.

use crate::Kept;
use cudair_engine::guest::{Guest, Lane};
use cudair_engine::{Args, DeviceCall, DeviceFn, Ret};
use cudair_ir::f80::F80;
use cudair_ir::{Kind, Space, Type};
use cudair_lane::fault::{AllocKind, Stop};
use cudair_lane::ptr::{Ptr, Tag};
use cudair_libc::format::{self, Arguments, End, Output, Value, Want};
use cudair_libc::print::{mismatch, type_name};
use cudair_memory::{AllocInfo, InitState};

/// Arguments beside the format that CUDA's `printf` takes.
const MAX_ARGUMENTS: usize = 32;
/// More text than this of one call is cut: no buffer holds it.
const MAX_TEXT: u64 = 1 << 24;
/// What a record of the buffer takes beside its arguments.
const RECORD_HEADER: u64 = 16;

/// The variable arguments of a call, or a `va_list`.
struct LaneArguments<'a, 'b, 'c> {
    lane: Lane<'a, 'b>,
    args: &'c Args<'c>,
    /// The `va_list`, if there is one.
    list: Option<Ptr>,
    at: usize,
    /// Bytes of strings, which lie in the buffer too.
    text: u64,
    noted: bool,
}

impl LaneArguments<'_, '_, '_> {
    fn note(&mut self, message: String, error: bool) {
        if !std::mem::replace(&mut self.noted, true) {
            let fault = self.lane.fault(Kind::UndefinedBehavior, message);
            self.lane.note(if error { fault } else { fault.warning() });
        }
    }
}

fn value(want: Want, bits: u128) -> Value {
    match want {
        Want::Double => Value::Double(f64::from_bits(bits as u64)),
        Want::LongDouble => Value::LongDouble(F80::from_bits(bits)),
        Want::Int(_) | Want::Pointer => Value::Word(bits as u64),
    }
}

impl Arguments for LaneArguments<'_, '_, '_> {
    type Error = Stop;

    fn next(&mut self, want: Want) -> Result<Value, Stop> {
        let i = self.at;
        self.at += 1;
        if let Some(list) = self.list {
            let ty = match want {
                Want::Int(32) => Type::I32,
                Want::Int(_) => Type::I64,
                // Device code has no type beyond `double`.
                Want::Double | Want::LongDouble => Type::F64,
                Want::Pointer => Type::Ptr(Space::Generic),
            };
            let place = self.lane.who.place;
            let bits = self.lane.call.va_arg(list, ty, place)?;
            return Ok(match (want, value(want, bits)) {
                (Want::LongDouble, _) => Value::Double(f64::from_bits(bits as u64)),
                (_, v) => v,
            });
        }
        let want = if want == Want::LongDouble { Want::Double } else { want };
        let Some(&ty) = self.args.types.get(i) else {
            let given = self.args.len() - self.args.fixed.min(self.args.len());
            self.note(format!("the format asks for more than the {given} arguments given"), true);
            return Ok(value(want, 0));
        };
        if let Some(wanted) = mismatch(want, ty) {
            let n = i + 1 - self.args.fixed;
            let error = ty.is_float() || matches!(want, Want::Double | Want::Pointer);
            self.note(
                format!("the format reads argument {n} as {wanted}, but it is {}", type_name(ty)),
                error,
            );
            if ty.is_float() || want == Want::Double {
                return Ok(value(want, 0));
            }
        }
        Ok(value(want, self.args.bits(i)))
    }

    fn string(&mut self, ptr: u64, limit: Option<usize>) -> Result<Vec<u8>, Stop> {
        let text = self.lane.cstr(Ptr(ptr), limit.map(|n| n as u64))?;
        self.text += text.len() as u64 + 1;
        Ok(text)
    }

    fn wide_string(&mut self, _: u64, _: Option<usize>) -> Result<Vec<u32>, Stop> {
        Err(Stop::unsupported("a wide string printed by device code"))
    }

    /// A device's `printf` has no `z`, `t`, `j` or `L`, no precision from an argument, no numbered arguments and none
    /// of glibc's own conversions (seen on an H100 with driver 580).
    fn knows(&mut self, conversion: &[u8]) -> bool {
        let lacks = conversion.iter().any(|b| b"zZtjLq$".contains(b))
            || conversion.windows(2).any(|pair| pair == b".*")
            || conversion.last().is_none_or(|last| {
                b"CSmbBhl".contains(last) || !(last.is_ascii_alphabetic() || *last == b'%')
            });
        if lacks {
            let text = String::from_utf8_lossy(conversion);
            self.note(
                format!("a device's `printf` has no `{text}`: it prints the conversion as it stands"),
                false,
            );
        }
        !lacks
    }

    fn store_count(&mut self, _: u64, _: u64, _: u32) -> Result<(), Stop> {
        // `%n` is ignored on the device.
        Ok(())
    }

    fn errno_text(&mut self) -> Result<String, Stop> {
        Ok(cudair_libc::strerror(0))
    }
}

/// `printf` and `vprintf`: the text goes to the launch's buffer. The result is the number of arguments, or
/// -1 without a format.
fn print(call: &mut DeviceCall<'_>, a: &Args<'_>, list: bool) -> Result<Ret, Stop> {
    if a.ptr(0).is_null() {
        return Ok((-1).into());
    }
    let name = if list { "vprintf" } else { "printf" };
    let given = a.len().saturating_sub(a.fixed);
    let mut lane = Lane::new(call, a, name);
    if given > MAX_ARGUMENTS {
        let message =
            format!("`printf` in device code with {given} arguments: at most {MAX_ARGUMENTS} are passed");
        return Err(lane.fault(Kind::UndefinedBehavior, message).into());
    }
    let text = lane.cstr(a.ptr(0), None)?;
    let list = list.then(|| a.ptr(1));
    let at = if list.is_some() { 0 } else { a.fixed };
    let mut args = LaneArguments { lane, args: a, list, at, text: text.len() as u64 + 1, noted: false };
    let mut out = Output::new(MAX_TEXT);
    let end = format::format(&text, &mut args, &mut out)?;
    let count = if list.is_some() { args.at } else { given };
    let record = RECORD_HEADER + 8 * count as u64 + args.text;
    let runtime = args.lane.call.runtime()?;
    if end == End::Done {
        runtime.get_mut().device_print(out.bytes, record);
    }
    Ok((count as i32).into())
}

/// `malloc` and `new` on the device: from a heap of limited size, null where it is full.
fn allocate(call: &mut DeviceCall<'_>, a: &Args<'_>, kind: AllocKind) -> Result<Ret, Stop> {
    let size = a.u64(0);
    let place = a.place;
    let runtime = call.runtime()?;
    if size == 0 && kind == AllocKind::DeviceMalloc {
        return Ok(Ptr::NULL.into());
    }
    if !runtime.get_mut().device.heap_take(size) {
        return Ok(Ptr::NULL.into());
    }
    let info = AllocInfo { kind, name: None, place };
    Ok(call.worker.mem.alloc(Space::Global, size, 16, InitState::Uninit, info)?.into())
}

pub(crate) fn release(
    call: &mut DeviceCall<'_>,
    a: &Args<'_>,
    name: &'static str,
    kind: AllocKind,
) -> Result<Ret, Stop> {
    let ptr = a.ptr(0);
    if ptr.is_null() {
        return Ok(Ret::Void);
    }
    call.runtime()?;
    let size = call.worker.mem.lookup(ptr).map_or(0, |(_, size, ..)| size);
    let lane = Lane::new(call, a, name);
    let who = lane.who;
    let (mem, cx) = lane.call.memory();
    mem.free(&cx, who, ptr, kind)?;
    call.runtime()?.get_mut().device.heap_give(size);
    Ok(Ret::Void)
}

/// `assert` on the device: CUDA's message on standard error, and the launch ends.
fn assert_fail(call: &mut DeviceCall<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let thread = call.thread();
    let mut lane = Lane::new(call, a, "assert");
    let mut text = |i: usize| -> Result<String, Stop> {
        if a.ptr(i).is_null() {
            return Ok(String::new());
        }
        Ok(String::from_utf8_lossy(&lane.cstr(a.ptr(i), None)?).into_owned())
    };
    let (expression, file, function) = (text(0)?, text(1)?, text(3)?);
    let line = a.u32(2);
    let ([bx, by, bz], [tx, ty, tz]) = (thread.block, thread.thread);
    let message = format!(
        "{file}:{line}: {function}: block: [{bx},{by},{bz}], thread: [{tx},{ty},{tz}] Assertion `{expression}` failed.\n"
    );
    let fault = lane.fault(Kind::AssertionFailed, format!("the assertion `{expression}` failed"));
    lane.call.runtime()?.get_mut().device_assert(message.into_bytes());
    Err(fault.into())
}

/// What the program takes for granted does not hold, which is undefined behaviour: the launch ends.
fn assume_fail(call: &mut DeviceCall<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let mut lane = Lane::new(call, a, "assume");
    let text = String::from_utf8_lossy(&lane.cstr(a.ptr(0), None)?).into_owned();
    Err(lane.fault(Kind::AssumptionFailed, cudair_libc::false_assumption(&text)).into())
}

/// A texture or a surface is used in a way that its description does not allow.
fn texture_fault(call: &mut DeviceCall<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let (kind, message) = match a.i32(0) {
        0 => (Kind::UndefinedBehavior, "a texture is read with another number of dimensions than it has"),
        1 => (
            Kind::UndefinedBehavior,
            "a texture is read as a type that does not fit its channels and read mode",
        ),
        2 => (Kind::OutOfBounds, "a surface is accessed outside its array"),
        3 => (Kind::UndefinedBehavior, "a surface is accessed with another number of dimensions than it has"),
        _ => (Kind::UndefinedBehavior, "a surface's address is not a multiple of the type's size"),
    };
    let lane = Lane::new(call, a, "texture");
    Err(lane.fault(kind, message.to_owned()).into())
}

/// `__cudair_xorwow_jump(words, n, shift)`: the generator's words after `n << shift` steps.
fn xorwow_jump(call: &mut DeviceCall<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let mut lane = Lane::new(call, a, "curand_init");
    let bytes = lane.read(a.ptr(0), 20)?;
    let mut words = [0u32; 5];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    }
    let after = crate::xorwow::jump(words, a.u64(1), a.u32(2) as usize);
    let bytes: Vec<u8> = after.iter().flat_map(|word| word.to_le_bytes()).collect();
    lane.write(a.ptr(0), &bytes)?;
    Ok(Ret::Void)
}

/// `__cudair_cluster_map(ptr, rank)`: a place in the shared memory of another block of the cluster.
fn cluster_map(call: &mut DeviceCall<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let (ptr, rank) = (a.ptr(0), a.u32(1));
    let lane = Lane::new(call, a, "mapping to another block of the cluster");
    let (_, blocks) = lane.call.block.place_in_cluster();
    if rank >= blocks {
        let have = if blocks == 1 {
            "its cluster has one block".to_owned()
        } else {
            format!("its cluster has {blocks} blocks")
        };
        let message = format!("a thread asks for the shared memory of block {rank}, but {have}");
        return Err(lane.fault(Kind::UndefinedBehavior, message).into());
    }
    match lane.call.block.mapped(ptr, rank) {
        Some(mapped) => Ok(mapped.into()),
        None => Err(lane.fault(Kind::WrongMemorySpace, NOT_SHARED.to_owned()).into()),
    }
}

/// `__cvta_generic_to_shared(ptr)`: its address in the window of shared memory.
fn shared_window(call: &mut DeviceCall<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let lane = Lane::new(call, a, "converting to an address in shared memory");
    match lane.call.block.to_window(a.ptr(0)) {
        Some(address) => Ok(Ret::Word(address)),
        None => {
            let message =
                "a pointer that does not point into shared memory is converted to a shared-memory address"
                    .to_owned();
            Err(lane.fault(Kind::WrongMemorySpace, message).into())
        }
    }
}

/// `__cudair_cluster_rank(ptr)`: in whose shared memory it lies.
fn cluster_rank(call: &mut DeviceCall<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    let lane = Lane::new(call, a, "asking for the block of an address");
    match lane.call.block.rank_of(a.ptr(0)) {
        Some(rank) => Ok((rank as i32).into()),
        None => Err(lane.fault(Kind::WrongMemorySpace, NOT_SHARED.to_owned()).into()),
    }
}

/// What is said of a pointer that is not into the cluster's shared memory.
const NOT_SHARED: &str =
    "a pointer that does not point into the cluster's shared memory is mapped to one of its blocks";

/// Whether a generic pointer names an object that is `wanted`, by its space and, where that is not of the block or the
/// thread, by its kind. The memory of kernels' parameters counts as global, not constant (PTX ISA, `isspacep`).
fn is_space(
    call: &mut DeviceCall<'_>,
    a: &Args<'_>,
    wanted: fn(Space, Option<AllocKind>) -> bool,
) -> Result<Ret, Stop> {
    let ptr = a.ptr(0);
    let space = match ptr.tag() {
        Tag::Shared => None,
        Tag::DeviceLocal => Some((Space::Local, None)),
        _ => call.worker.mem.lookup(ptr).map(|(_, _, space, kind)| (space, Some(kind))),
    };
    Ok(i32::from(space.is_some_and(|(space, kind)| wanted(space, kind))).into())
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<DeviceFn> {
    // The device's copy of a function for both sides has a suffix.
    let name = name.strip_suffix(cudair_ir::DEVICE_SUFFIX).unwrap_or(name);
    Some(match name {
        "printf" => |c, a| print(c, a, false),
        "vprintf" => |c, a| print(c, a, true),
        "malloc" => |c, a| allocate(c, a, AllocKind::DeviceMalloc),
        "free" => |c, a| release(c, a, "free", AllocKind::DeviceMalloc),
        "_Znwm" | "_ZnwmRKSt9nothrow_t" => |c, a| allocate(c, a, AllocKind::DeviceNew),
        "_Znam" | "_ZnamRKSt9nothrow_t" => |c, a| allocate(c, a, AllocKind::DeviceNewArray),
        "_ZdlPv" | "_ZdlPvm" => |c, a| release(c, a, "delete", AllocKind::DeviceNew),
        "_ZdaPv" | "_ZdaPvm" => |c, a| release(c, a, "delete[]", AllocKind::DeviceNewArray),
        "__assert_fail" | "__assertfail" => assert_fail,
        "__cudair_assume_fail" => assume_fail,
        "abort" => |c, a| {
            let lane = Lane::new(c, a, "abort");
            Err(lane.fault(Kind::AssertionFailed, "device code calls `abort`".to_owned()).into())
        },
        "__cxa_pure_virtual" => |c, a| {
            let lane = Lane::new(c, a, "__cxa_pure_virtual");
            Err(lane.fault(Kind::UndefinedBehavior, cudair_libc::PURE_VIRTUAL.to_owned()).into())
        },
        "__nanosleep" | "__cudair_pause" | "__brkpt" => |_, _| Ok(Ret::Void),
        "__cudair_xorwow_jump" => xorwow_jump,
        "__cudair_texture_fault" => texture_fault,
        "__isGlobal" => |c, a| {
            is_space(c, a, |s, k| {
                matches!(s, Space::Global | Space::Managed) || k == Some(AllocKind::Parameter)
            })
        },
        "__cvta_generic_to_shared" => shared_window,
        "__cvta_shared_to_generic" => |c, a| Ok(c.block.from_window(a.u64(0)).into()),
        "__cvta_generic_to_global"
        | "__cvta_generic_to_constant"
        | "__cvta_generic_to_local"
        | "__cvta_global_to_generic"
        | "__cvta_constant_to_generic"
        | "__cvta_local_to_generic" => |_, a| Ok(Ret::Word(a.u64(0))),
        "__isShared" => |c, a| Ok(i32::from(c.block.owns(a.ptr(0))).into()),
        "__cudair_cluster_owns" => |c, a| Ok(i32::from(c.block.rank_of(a.ptr(0)).is_some()).into()),
        "__cudair_cluster_map" => cluster_map,
        "__cudair_cluster_rank" => cluster_rank,
        "__isConstant" => |c, a| is_space(c, a, |s, k| s == Space::Const && k != Some(AllocKind::Parameter)),
        "__isLocal" => |c, a| is_space(c, a, |s, _| s == Space::Local),
        "__isGridConstant" => |c, a| is_space(c, a, |_, k| k == Some(AllocKind::Parameter)),
        _ => return crate::nested::lookup(name),
    })
}
