//! Streams over the program's memory: `open_memstream` and `fmemopen`.
//!
//! What is written is gathered by the machine, and stands in the program's memory after each flush.

use super::*;
use crate::{Errno, Kept, ProcessCall, Table, named};

/// Where the bytes of a stream are to stand in the program's memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// A buffer that grows: where its address and its size are to be found, and what it is now.
    Growing { address: Ptr, size: Ptr, buffer: Ptr, capacity: u64 },
    /// A buffer of the program, of a size.
    Fixed { buffer: Ptr, size: u64 },
}

pub(super) fn lookup(name: &str) -> Option<HostFn> {
    named(FUNCTIONS, name).map(HostFn::Process)
}

const FUNCTIONS: Table<ProcessFn> = &[
    (&["open_memstream"], |m, a| {
        let number = m.libc.get().streams.files.len();
        let file = File::new(Backing::Memory(io::Cursor::default()), false, true, false, number as i32);
        let ptr = add_file(m, file)?;
        let target = Target::Growing { address: a.ptr(0), size: a.ptr(1), buffer: Ptr::NULL, capacity: 0 };
        m.libc.get_mut().streams.in_memory.insert(number, target);
        publish(&mut Host::new(m, a, "open_memstream"), number)?;
        Ok(ptr.into())
    }),
    (&["fmemopen"], |m, a| {
        let h = &mut Host::new(m, a, "fmemopen");
        let mode = h.cstr(a.ptr(2), None)?;
        let (buffer, size) = (a.ptr(0), a.u64(1));
        let plus = mode.contains(&b'+');
        let (readable, writable, append) = match mode.first() {
            Some(b'r') => (true, plus, false),
            Some(b'w') => (plus, true, false),
            Some(b'a') => (plus, true, true),
            _ => {
                h.set_errno(EINVAL)?;
                return Ok(Ptr::NULL.into());
            }
        };
        let bytes = match (buffer.is_null(), mode[0]) {
            (true, _) | (_, b'w') => Vec::new(),
            (_, b'r') => h.read(buffer, size)?,
            _ => h.cstr(buffer, Some(size))?,
        };
        let number = h.m.libc.get().streams.files.len();
        let mut cursor = io::Cursor::new(bytes);
        if append {
            cursor.set_position(cursor.get_ref().len() as u64);
        }
        let file = File::new(Backing::Memory(cursor), readable, writable, append, number as i32);
        let ptr = add_file(h.m, file)?;
        if writable && !buffer.is_null() {
            h.m.libc.get_mut().streams.in_memory.insert(number, Target::Fixed { buffer, size });
            publish(h, number)?;
        }
        Ok(ptr.into())
    }),
];

/// Writes what a stream over the program's memory holds there.
pub(super) fn publish(h: &mut ProcessCall<'_, '_>, n: usize) -> Result<(), Stop> {
    let Some(&target) = h.m.libc.get().streams.in_memory.get(&n) else { return Ok(()) };
    let Some(bytes) = parts(h.m, n).and_then(|(f, _)| f.memory().map(<[u8]>::to_vec)) else { return Ok(()) };
    match target {
        Target::Growing { address, size, mut buffer, mut capacity } => {
            let needed = bytes.len() as u64 + 1;
            if needed > capacity {
                if !buffer.is_null() {
                    h.free(buffer, AllocKind::Malloc)?;
                }
                capacity = needed.max(2 * capacity);
                buffer = h.alloc(capacity, 16, InitState::Uninit, AllocKind::Malloc)?;
            }
            h.write(buffer, &bytes)?;
            h.put(buffer.add(bytes.len() as i64), 0, 1)?;
            h.put(address, buffer.0, 8)?;
            h.put(size, bytes.len() as u64, 8)?;
            h.m.libc
                .get_mut()
                .streams
                .in_memory
                .insert(n, Target::Growing { address, size, buffer, capacity });
        }
        Target::Fixed { buffer, size } => {
            let fits = bytes.len().min(usize::try_from(size).unwrap_or(usize::MAX));
            h.write(buffer, &bytes[..fits])?;
            if (fits as u64) < size {
                h.put(buffer.add(fits as i64), 0, 1)?;
            }
            if fits < bytes.len()
                && let Some((f, _)) = parts(h.m, n)
            {
                f.error = true;
            }
        }
    }
    Ok(())
}
