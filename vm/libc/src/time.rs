//! `time.h`, `sys/time.h` and what of `unistd.h` concerns time.

use super::sys::{self, Tm};
use crate::layout::{Fields, Laid, timespec, timeval, tm};
use crate::{Functions, Kept, ProcessCall};
use cudair_engine::guest::{Bytes, Guest, Host, runtime_object};
use cudair_engine::parts::HostProcess;
use cudair_engine::{Args, HostFn, Ret};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use std::time::Duration;

/// The time at which an isolated program starts: it is told no other.
const ISOLATED_EPOCH: u64 = 1_700_000_000;
fn now(m: &mut HostProcess<'_>) -> Duration {
    match m.config.gate.calendar() {
        Some(time) => time,
        None => Duration::from_secs(ISOLATED_EPOCH) + m.elapsed(),
    }
}

/// When the program started, by the calendar.
pub(super) fn start(m: &mut HostProcess<'_>) -> Duration {
    let elapsed = m.elapsed();
    now(m).saturating_sub(elapsed)
}

pub(super) fn put_timespec(h: &mut impl Guest, at: Ptr, time: Duration) -> Result<(), Stop> {
    h.put_field(at, timespec::tv_sec, time.as_secs())?;
    h.put_field(at, timespec::tv_nsec, time.subsec_nanos().into())
}

pub(super) fn put_timeval(h: &mut impl Guest, at: Ptr, time: Duration) -> Result<(), Stop> {
    h.put_field(at, timeval::tv_sec, time.as_secs())?;
    h.put_field(at, timeval::tv_usec, time.subsec_micros().into())
}

/// Seconds and nanoseconds of a `timespec`.
pub(super) fn read_timespec(h: &mut impl Guest, at: Ptr) -> Result<(u64, u64), Stop> {
    Ok((h.field(at, timespec::tv_sec)?, h.field(at, timespec::tv_nsec)?))
}

fn read_tm(h: &mut ProcessCall<'_, '_>, ptr: Ptr) -> Result<(Tm, String), Stop> {
    let mut time = Tm::default();
    for (i, field) in time.fields.iter_mut().enumerate() {
        *field = h.field(ptr, tm::numbers.nth(i))?;
    }
    // A program's own `struct tm` often leaves glibc's two extra fields unset: they are looked at only if
    // they came from here.
    let known = h.m.libc.get().zones.get(&ptr).cloned();
    let (offset, zone) = known.unwrap_or((0, "UTC".to_owned()));
    time.offset = offset;
    Ok((time, zone))
}

fn write_tm(h: &mut ProcessCall<'_, '_>, ptr: Ptr, time: Tm, zone: &str) -> Result<(), Stop> {
    let key = format!("tm_zone {zone}");
    let name = match h.m.libc.get().objects.get(&key) {
        Some(&p) => p,
        None => {
            let mut text = zone.as_bytes().to_vec();
            text.push(0);
            let p = runtime_object(h.m, "tm_zone", &text, 1)?;
            h.m.libc.get_mut().objects.insert(key, p);
            p
        }
    };
    h.m.libc.get_mut().zones.insert(ptr, (time.offset, zone.to_owned()));
    let mut bytes = [0; tm::SIZE];
    tm::numbers.set(&mut bytes, time.fields);
    tm::tm_gmtoff.set(&mut bytes, time.offset);
    tm::tm_zone.set(&mut bytes, name);
    h.write(ptr, &bytes)
}

/// `gmtime` and `localtime`, into the caller's structure or into the library's own.
fn calendar(m: &mut HostProcess<'_>, a: &Args<'_>, local: bool, own: bool) -> Result<Ret, Stop> {
    let local = local && !m.config.gate.is_shut();
    let h = &mut Host::new(m, a, if local { "localtime" } else { "gmtime" });
    let time = h.word(a.ptr(0), 8)? as i64;
    let Some((calendar, zone)) = sys::calendar(time, local) else { return Ok(Ptr::NULL.into()) };
    let target = if own { library_tm(h)? } else { a.ptr(1) };
    write_tm(h, target, calendar, &zone)?;
    Ok(target.into())
}

fn library_tm(h: &mut ProcessCall<'_, '_>) -> Result<Ptr, Stop> {
    if let Some(&p) = h.m.libc.get().objects.get("tm") {
        return Ok(p);
    }
    let p = runtime_object(h.m, "tm", &[0; tm::SIZE], 8)?;
    h.m.libc.get_mut().objects.insert("tm".to_owned(), p);
    Ok(p)
}

fn make_time(m: &mut HostProcess<'_>, a: &Args<'_>, local: bool) -> Result<Ret, Stop> {
    let local = local && !m.config.gate.is_shut();
    let h = &mut Host::new(m, a, "mktime");
    let (calendar, _) = read_tm(h, a.ptr(0))?;
    let (time, calendar) = sys::make_time(calendar, local);
    if time != -1 {
        let Some((_, zone)) = sys::calendar(time, local) else {
            return Err(Stop::internal("a time that `mktime` has made is not in the calendar"));
        };
        write_tm(h, a.ptr(0), calendar, &zone)?;
    }
    Ok(Ret::Word(time as u64))
}

fn text_of(time: Tm, zone: &str) -> Vec<u8> {
    sys::strftime(b"%a %b %e %H:%M:%S %Y\n", time, zone, 128).unwrap_or_default()
}

/// A `std::chrono::time_point`: a structure of one number, where the caller wants it.
fn time_point(m: &mut HostProcess<'_>, a: &Args<'_>, time: Duration) -> Result<Ret, Stop> {
    let nanoseconds = time.as_nanos() as u64;
    if a.is_empty() {
        return Ok(Ret::Word(nanoseconds));
    }
    Host::new(m, a, "now").put(a.ptr(0), nanoseconds, 8)?;
    Ok(Ret::Void)
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    FUNCTIONS.find(name)
}

const FUNCTIONS: Functions = Functions {
    memory: &[
        (&["clock_getres"], |m, a| {
            if !a.ptr(1).is_null() {
                put_timespec(&mut Bytes::new(m, a, "clock_getres"), a.ptr(1), Duration::from_nanos(1))?;
            }
            Ok(0.into())
        }),
        (&["difftime"], |_, a| Ok((a.i64(0).wrapping_sub(a.i64(1)) as f64).into())),
    ],
    process: &[
        (&["time"], |m, a| {
            let seconds = now(m).as_secs();
            if !a.ptr(0).is_null() {
                Host::new(m, a, "time").put(a.ptr(0), seconds, 8)?;
            }
            Ok(Ret::Word(seconds))
        }),
        (&["clock"], |m, _| {
            let isolated = m.config.gate.is_shut();
            Ok(Ret::Word(if isolated {
                m.elapsed().as_micros() as u64
            } else {
                sys::processor_time() as u64
            }))
        }),
        (&["gettimeofday"], |m, a| {
            let time = now(m);
            put_timeval(&mut Host::new(m, a, "gettimeofday"), a.ptr(0), time)?;
            Ok(0.into())
        }),
        (&["clock_gettime", "timespec_get"], |m, a| {
            let spec = a.types.first().is_some_and(|t| t.is_ptr());
            let time = if spec || a.i32(0) == 0 || a.i32(0) == 5 { now(m) } else { m.elapsed() };
            let target = if spec { a.ptr(0) } else { a.ptr(1) };
            put_timespec(&mut Host::new(m, a, "clock_gettime"), target, time)?;
            Ok(i32::from(spec).into())
        }),
        (&["_ZNSt6chrono3_V212system_clock3nowEv"], |m, a| {
            let time = now(m);
            time_point(m, a, time)
        }),
        (&["_ZNSt6chrono3_V212steady_clock3nowEv"], |m, a| {
            let time = m.elapsed();
            time_point(m, a, time)
        }),
        (&["gmtime"], |m, a| calendar(m, a, false, true)),
        (&["localtime"], |m, a| calendar(m, a, true, true)),
        (&["gmtime_r"], |m, a| calendar(m, a, false, false)),
        (&["localtime_r"], |m, a| calendar(m, a, true, false)),
        (&["mktime", "timelocal"], |m, a| make_time(m, a, true)),
        (&["timegm"], |m, a| make_time(m, a, false)),
        (&["asctime"], |m, a| {
            let (time, zone) = read_tm(&mut Host::new(m, a, "asctime"), a.ptr(0))?;
            super::static_text(m, "asctime", text_of(time, &zone).as_slice())
        }),
        (&["ctime"], |m, a| {
            let time = Host::new(m, a, "ctime").word(a.ptr(0), 8)? as i64;
            let local = !m.config.gate.is_shut();
            let Some((calendar, zone)) = sys::calendar(time, local) else { return Ok(Ptr::NULL.into()) };
            super::static_text(m, "asctime", text_of(calendar, &zone).as_slice())
        }),
        (&["asctime_r"], |m, a| {
            let h = &mut Host::new(m, a, "asctime_r");
            let (time, zone) = read_tm(h, a.ptr(0))?;
            h.put_cstr(a.ptr(1), &text_of(time, &zone))?;
            Ok(a.ptr(1).into())
        }),
        (&["ctime_r"], |m, a| {
            let h = &mut Host::new(m, a, "ctime_r");
            let time = h.word(a.ptr(0), 8)? as i64;
            let Some((calendar, zone)) = sys::calendar(time, !h.m.config.gate.is_shut()) else {
                return Ok(Ptr::NULL.into());
            };
            h.put_cstr(a.ptr(1), &text_of(calendar, &zone))?;
            Ok(a.ptr(1).into())
        }),
        (&["strftime"], |m, a| {
            let h = &mut Host::new(m, a, "strftime");
            let format = h.cstr(a.ptr(2), None)?;
            let (time, zone) = read_tm(h, a.ptr(3))?;
            match sys::strftime(&format, time, &zone, a.usize(1)) {
                Some(text) => {
                    h.put_cstr(a.ptr(0), &text)?;
                    Ok(Ret::Word(text.len() as u64))
                }
                None => Ok(Ret::Word(0)),
            }
        }),
    ],
    ..Functions::NONE
};
