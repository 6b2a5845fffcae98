//! Locks: mutexes, locks for readers and writers, spin locks.

use super::waits::{CLOCK_REALTIME, deadline};
use crate::Functions;
use crate::layout::{Fields, pthread_mutex_t, pthread_mutexattr_t, pthread_rwlock_t};
use cudair_engine::guest::{Bytes, Guest, Host};
use cudair_engine::parts::HostThreads;
use cudair_engine::threads::{On, Request};
use cudair_engine::{Args, HostFn, Ret};
use cudair_ir::Kind;
use cudair_lane::fault::{Fault, Stop, Switch};
use cudair_lane::ptr::Ptr;
use std::time::Duration;

const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const EDEADLK: i32 = 35;
const ETIMEDOUT: i32 = 110;

/// Kinds of mutexes, as glibc numbers them.
const RECURSIVE: u32 = 1;
const ERRORCHECK: u32 = 2;

/// The functions by name.
pub(super) fn lookup(name: &str) -> Option<HostFn> {
    mutexes(name).or_else(|| others(name))
}

fn mutexes(name: &str) -> Option<HostFn> {
    MUTEXES.find(name)
}

const MUTEXES: Functions = Functions {
    memory: &[
        (&["pthread_mutex_init"], |m, a| {
            let h = &mut Bytes::new(m, a, "pthread_mutex_init");
            let kind: u32 =
                if a.ptr(1).is_null() { 0 } else { h.field(a.ptr(1), pthread_mutexattr_t::kind)? };
            h.clear::<pthread_mutex_t>(a.ptr(0))?;
            h.put_field(a.ptr(0), pthread_mutex_t::kind, kind)?;
            Ok(0.into())
        }),
        (&["pthread_mutex_destroy"], |m, a| {
            let held = Bytes::new(m, a, "pthread_mutex_destroy").field(a.ptr(0), pthread_mutex_t::lock)? != 0;
            Ok(if held { EBUSY } else { 0 }.into())
        }),
        (&["pthread_mutexattr_init"], |m, a| {
            Bytes::new(m, a, "pthread_mutexattr_init").clear::<pthread_mutexattr_t>(a.ptr(0))?;
            Ok(0.into())
        }),
        (&["pthread_mutexattr_settype"], |m, a| {
            Bytes::new(m, a, "pthread_mutexattr_settype").put_field(
                a.ptr(0),
                pthread_mutexattr_t::kind,
                a.u32(1),
            )?;
            Ok(0.into())
        }),
        (&["pthread_mutexattr_destroy", "pthread_mutexattr_setpshared"], |_, _| Ok(0.into())),
    ],
    threads: &[
        (&["pthread_mutex_lock"], |m, a| {
            m.threads.take_resumed();
            lock(m, a, a.ptr(0), None, 0)
        }),
        (&["pthread_mutex_trylock"], |m, a| {
            let current = m.threads.current();
            let h = &mut Host::new(m, a, "pthread_mutex_trylock");
            let held = h.field(a.ptr(0), pthread_mutex_t::lock)? != 0;
            let recursive = h.field(a.ptr(0), pthread_mutex_t::kind)? & 3 == RECURSIVE;
            if held && !(recursive && u64::from(h.field(a.ptr(0), pthread_mutex_t::owner)?) == current) {
                return busy(m);
            }
            take(h, a.ptr(0), current)?;
            Ok(0.into())
        }),
        (&["pthread_mutex_timedlock"], |m, a| timed_lock(m, a, CLOCK_REALTIME, a.ptr(1))),
        (&["pthread_mutex_clocklock"], |m, a| timed_lock(m, a, a.i32(1), a.ptr(2))),
        (&["pthread_mutex_unlock"], |m, a| {
            let held = give_back(m, a, a.ptr(0))?;
            if !held && m.threads.barged() {
                return Err(Stop::Switch(Switch::After(0)));
            }
            Ok(0.into())
        }),
    ],
    ..Functions::NONE
};

fn timed_lock(m: &mut HostThreads<'_>, a: &Args<'_>, clock: i32, time: Ptr) -> Result<Ret, Stop> {
    let timed_out = m.threads.take_resumed().is_some_and(|r| r.timed_out);
    let Some(deadline) = deadline(m, a, clock, time)? else { return Ok(EINVAL.into()) };
    let held = Host::new(m, a, "pthread_mutex_timedlock").field(a.ptr(0), pthread_mutex_t::lock)? != 0;
    if held && timed_out {
        return Ok(ETIMEDOUT.into());
    }
    lock(m, a, a.ptr(0), Some(deadline), 0)
}

/// A lock that is held was tried: who does so again and again lets others run.
fn busy(m: &mut HostThreads<'_>) -> Result<Ret, Stop> {
    if m.threads.spun_trying() {
        return Err(Stop::Switch(Switch::After(EBUSY as u64)));
    }
    Ok(EBUSY.into())
}

/// Takes a mutex that is free or, if it may be taken again, the thread's own.
fn take(h: &mut impl Guest, mutex: Ptr, owner: u64) -> Result<(), Stop> {
    if h.field(mutex, pthread_mutex_t::lock)? == 0 {
        h.put_field(mutex, pthread_mutex_t::lock, 1)?;
        h.put_field(mutex, pthread_mutex_t::owner, owner as u32)
    } else {
        let count = h.field(mutex, pthread_mutex_t::count)?;
        h.put_field(mutex, pthread_mutex_t::count, count.wrapping_add(1))
    }
}

/// Whether it is still held: one that was taken several times.
pub(super) fn give_back(m: &mut HostThreads<'_>, a: &Args<'_>, mutex: Ptr) -> Result<bool, Stop> {
    let h = &mut Host::new(m, a, "pthread_mutex_unlock");
    let count = h.field(mutex, pthread_mutex_t::count)?;
    if count > 0 {
        h.put_field(mutex, pthread_mutex_t::count, count - 1)?;
        return Ok(true);
    }
    h.put_field(mutex, pthread_mutex_t::lock, 0)?;
    h.put_field(mutex, pthread_mutex_t::owner, 0)?;
    m.threads.wake(mutex, 1);
    Ok(false)
}

/// Takes a mutex, or waits for it, at most until a time; a function that then is called again is told `note`.
pub(super) fn lock(
    m: &mut HostThreads<'_>,
    a: &Args<'_>,
    mutex: Ptr,
    deadline: Option<Duration>,
    note: u64,
) -> Result<Ret, Stop> {
    let current = m.threads.current();
    let h = &mut Host::new(m, a, "pthread_mutex_lock");
    if h.field(mutex, pthread_mutex_t::lock)? != 0 {
        let own = u64::from(h.field(mutex, pthread_mutex_t::owner)?) == current;
        match (own, h.field(mutex, pthread_mutex_t::kind)? & 3) {
            (true, RECURSIVE) => {}
            (true, ERRORCHECK) => return Ok(EDEADLK.into()),
            (true, _) if deadline.is_none() => {
                let message = "a thread locks a mutex that it holds already".to_owned();
                return Err(Stop::from(Fault::other(Kind::Deadlock, a.place, message, "locked again here")));
            }
            _ => {
                let what = "a mutex that another thread holds";
                let request = Request { on: On::Address(mutex), deadline, note, what, place: a.place };
                return Err(m.threads.wait(request));
            }
        }
    }
    take(h, mutex, current)?;
    Ok(0.into())
}

fn others(name: &str) -> Option<HostFn> {
    OTHERS.find(name)
}

const OTHERS: Functions = Functions {
    memory: &[
        (&["pthread_rwlock_init"], |m, a| {
            Bytes::new(m, a, "pthread_rwlock_init").clear::<pthread_rwlock_t>(a.ptr(0))?;
            Ok(0.into())
        }),
        (&["pthread_rwlock_destroy"], |_, _| Ok(0.into())),
        (&["pthread_spin_init"], |m, a| {
            Bytes::new(m, a, "pthread_spin_init").put(a.ptr(0), 0, 4)?;
            Ok(0.into())
        }),
        (&["pthread_spin_destroy"], |_, _| Ok(0.into())),
    ],
    threads: &[
        (&["pthread_rwlock_rdlock"], |m, a| share(m, a, false, Patience::Endless)),
        (&["pthread_rwlock_wrlock"], |m, a| share(m, a, true, Patience::Endless)),
        (&["pthread_rwlock_tryrdlock"], |m, a| share(m, a, false, Patience::None)),
        (&["pthread_rwlock_trywrlock"], |m, a| share(m, a, true, Patience::None)),
        (&["pthread_rwlock_timedrdlock"], |m, a| {
            share(m, a, false, Patience::Until(CLOCK_REALTIME, a.ptr(1)))
        }),
        (&["pthread_rwlock_timedwrlock"], |m, a| {
            share(m, a, true, Patience::Until(CLOCK_REALTIME, a.ptr(1)))
        }),
        (&["pthread_rwlock_clockrdlock"], |m, a| share(m, a, false, Patience::Until(a.i32(1), a.ptr(2)))),
        (&["pthread_rwlock_clockwrlock"], |m, a| share(m, a, true, Patience::Until(a.i32(1), a.ptr(2)))),
        (&["pthread_rwlock_unlock"], |m, a| {
            let h = &mut Host::new(m, a, "pthread_rwlock_unlock");
            let readers = h.field(a.ptr(0), pthread_rwlock_t::holders)?.saturating_sub(1);
            h.put_field(a.ptr(0), pthread_rwlock_t::holders, readers)?;
            h.put_field(a.ptr(0), pthread_rwlock_t::written, 0)?;
            if readers == 0 {
                m.threads.wake(a.ptr(0), usize::MAX);
            }
            Ok(0.into())
        }),
        (&["pthread_spin_lock"], |m, a| {
            m.threads.take_resumed();
            let h = &mut Host::new(m, a, "pthread_spin_lock");
            if h.word(a.ptr(0), 4)? != 0 {
                let what = "a spin lock that is held";
                let on = On::Address(a.ptr(0));
                return Err(m.threads.wait(Request { on, deadline: None, note: 0, what, place: a.place }));
            }
            h.put(a.ptr(0), 1, 4)?;
            Ok(0.into())
        }),
        (&["pthread_spin_trylock"], |m, a| {
            let h = &mut Host::new(m, a, "pthread_spin_trylock");
            if h.word(a.ptr(0), 4)? != 0 {
                return busy(m);
            }
            h.put(a.ptr(0), 1, 4)?;
            Ok(0.into())
        }),
        (&["pthread_spin_unlock"], |m, a| {
            Host::new(m, a, "pthread_spin_unlock").put(a.ptr(0), 0, 4)?;
            m.threads.wake(a.ptr(0), 1);
            Ok(0.into())
        }),
    ],
    ..Functions::NONE
};

/// For how long one waits for a lock.
enum Patience {
    None,
    Endless,
    /// Until a time of a clock.
    Until(i32, Ptr),
}

/// A lock for readers and writers: how many hold it, and whether one writes.
fn share(m: &mut HostThreads<'_>, a: &Args<'_>, writes: bool, patience: Patience) -> Result<Ret, Stop> {
    let timed_out = m.threads.take_resumed().is_some_and(|r| r.timed_out);
    let h = &mut Host::new(m, a, "pthread_rwlock");
    let holders = h.field(a.ptr(0), pthread_rwlock_t::holders)?;
    let written = h.field(a.ptr(0), pthread_rwlock_t::written)? != 0;
    if written || writes && holders > 0 {
        let deadline = match patience {
            Patience::None => return busy(m),
            Patience::Until(..) if timed_out => return Ok(ETIMEDOUT.into()),
            Patience::Endless => None,
            Patience::Until(clock, time) => match deadline(m, a, clock, time)? {
                None => return Ok(EINVAL.into()),
                deadline => deadline,
            },
        };
        let what = "a lock for readers and writers that another thread holds";
        let on = On::Address(a.ptr(0));
        return Err(m.threads.wait(Request { on, deadline, note: 0, what, place: a.place }));
    }
    h.put_field(a.ptr(0), pthread_rwlock_t::holders, holders.wrapping_add(1))?;
    h.put_field(a.ptr(0), pthread_rwlock_t::written, writes.into())?;
    Ok(0.into())
}
