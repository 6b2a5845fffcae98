//! Threads of the host: POSIX threads that run one after the other.
//!
//! A thread that was created runs when it is joined, or when another one sleeps, gives way or waits: always to its
//! end, on top of the one that made it run. So there is one thread at a time, and what a thread waits for while no
//! other is left that has not begun will not happen: that is not supported, and says so.

use super::guest::{Guest, Host};
use super::{time, unsupported};
use crate::fault::{Fault, Stop};
use crate::machine::{Args, HostFn, Machine, Ret};
use crate::ptr::Ptr;
use crate::race::streams::Clock;
use cudair_ir::Kind;
use rustc_hash::FxHashMap;

const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const ESRCH: i32 = 3;
const EDEADLK: i32 = 35;
const ETIMEDOUT: i32 = 110;

/// Kinds of mutexes, as glibc numbers them.
const RECURSIVE: u64 = 1;
const ERRORCHECK: u64 = 2;

/// The first thread's number; those created count on from it.
const MAIN: u64 = 1;

/// What a thread has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It has not begun: its function and the argument.
    Created(Ptr, u64),
    Running,
    /// It has ended with this result.
    Ended(u64),
}

/// The threads of a run.
#[derive(Debug)]
pub(crate) struct Threads {
    /// By number, the first one's aside.
    created: Vec<State>,
    current: u64,
    /// The values that keys have for threads.
    specific: FxHashMap<(u64, u64), u64>,
    keys: u64,
    /// The thread that uses each variable that every thread should have of its own.
    owners: FxHashMap<u64, u64>,
    /// What happened on the device before threads that have not begun, by their index.
    behind: FxHashMap<usize, Clock>,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads {
            created: Vec::new(),
            current: MAIN,
            specific: FxHashMap::default(),
            keys: 0,
            owners: FxHashMap::default(),
            behind: FxHashMap::default(),
        }
    }
}

/// The host's function of a name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    threads(name).or_else(|| locks(name)).or_else(|| waits(name)).or_else(|| sleeps(name))
}

fn threads(name: &str) -> Option<HostFn> {
    Some(match name {
        "pthread_create" => |m, a| {
            m.libc.threads.created.push(State::Created(a.ptr(2), a.u64(3)));
            // What a function that a stream calls is behind, its thread is behind too.
            if let Some(clock) = m.mem.streams.get_mut().clock_running() {
                let index = m.libc.threads.created.len() - 1;
                m.libc.threads.behind.insert(index, clock);
            }
            let number = MAIN + m.libc.threads.created.len() as u64;
            Host::new(m, a, "pthread_create").put(a.ptr(0), number, 8)?;
            Ok(0.into())
        },
        "pthread_join" => |m, a| {
            let Some(index) = index(m, a.u64(0)) else { return Ok(ESRCH.into()) };
            if let State::Created(..) = m.libc.threads.created[index] {
                run(m, a, index)?;
            }
            let State::Ended(result) = m.libc.threads.created[index] else { return Ok(EDEADLK.into()) };
            if !a.ptr(1).is_null() {
                Host::new(m, a, "pthread_join").put(a.ptr(1), result, 8)?;
            }
            Ok(0.into())
        },
        "pthread_detach" => |m, a| Ok(if index(m, a.u64(0)).is_some() { 0 } else { ESRCH }.into()),
        "pthread_self" => |m, _| Ok(Ret::Word(m.libc.threads.current)),
        "pthread_equal" => |_, a| Ok(i32::from(a.u64(0) == a.u64(1)).into()),
        "pthread_exit" => |m, a| {
            Err(unsupported(m, a, "`pthread_exit`, which ends a thread inside of its functions".to_owned()))
        },
        "__cudair_thread_variable" => |m, a| {
            let current = m.libc.threads.current;
            if *m.libc.threads.owners.entry(a.u64(0)).or_insert(current) == current {
                return Ok(Ret::Void);
            }
            Err(unsupported(m, a, "a thread_local variable that several threads use".to_owned()))
        },
        "pthread_attr_init" => |m, a| {
            Host::new(m, a, "pthread_attr_init").fill(a.ptr(0), 0, 56)?;
            Ok(0.into())
        },
        "pthread_attr_destroy"
        | "pthread_attr_setdetachstate"
        | "pthread_attr_setstacksize"
        | "pthread_attr_setscope"
        | "pthread_setconcurrency"
        | "pthread_setname_np"
        | "pthread_setaffinity_np" => |_, _| Ok(0.into()),
        "_ZNSt6thread20hardware_concurrencyEv" => |_, _| {
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            Ok(Ret::Word(cores as u64))
        },
        "pthread_key_create" => |m, a| {
            m.libc.threads.keys += 1;
            let key = m.libc.threads.keys;
            Host::new(m, a, "pthread_key_create").put(a.ptr(0), key, 4)?;
            Ok(0.into())
        },
        "pthread_key_delete" => |m, a| {
            let key = u64::from(a.u32(0));
            m.libc.threads.specific.retain(|(_, k), _| *k != key);
            Ok(0.into())
        },
        "pthread_setspecific" => |m, a| {
            let at = (m.libc.threads.current, u64::from(a.u32(0)));
            m.libc.threads.specific.insert(at, a.u64(1));
            Ok(0.into())
        },
        "pthread_getspecific" => |m, a| {
            let at = (m.libc.threads.current, u64::from(a.u32(0)));
            Ok(Ret::Word(m.libc.threads.specific.get(&at).copied().unwrap_or(0)))
        },
        "pthread_once" => |m, a| {
            let h = &mut Host::new(m, a, "pthread_once");
            if h.word(a.ptr(0), 4)? == 0 {
                // One whose function throws has not run.
                m.call_guest(a.ptr(1), &[], a.place)?;
                Host::new(m, a, "pthread_once").put(a.ptr(0), 2, 4)?;
            }
            Ok(0.into())
        },
        _ => return None,
    })
}

fn index(m: &Machine, number: u64) -> Option<usize> {
    let index = usize::try_from(number.checked_sub(MAIN + 1)?).ok()?;
    (index < m.libc.threads.created.len()).then_some(index)
}

/// Runs a thread that has not begun, to its end.
fn run(m: &mut Machine, a: &Args<'_>, index: usize) -> Result<(), Stop> {
    let State::Created(function, argument) = m.libc.threads.created[index] else { return Ok(()) };
    m.libc.threads.created[index] = State::Running;
    if let Some(clock) = m.libc.threads.behind.remove(&index) {
        crate::cuda::waited(m, &clock);
    }
    let before = std::mem::replace(&mut m.libc.threads.current, MAIN + 1 + index as u64);
    let result = m.call_guest(function, &[argument.into()], a.place);
    m.libc.threads.current = before;
    m.libc.threads.created[index] = State::Ended(result?.bits() as u64);
    Ok(())
}

/// Runs the thread that was created first of those that have not begun; whether there was one.
fn run_next(m: &mut Machine, a: &Args<'_>) -> Result<bool, Stop> {
    let next = m.libc.threads.created.iter().position(|t| matches!(t, State::Created(..)));
    match next {
        Some(index) => run(m, a, index).map(|()| true),
        None => Ok(false),
    }
}

/// Lets something else happen while a thread waits: another thread, or the device's work, which may call
/// functions of the host. Whether anything did.
fn others_run(m: &mut Machine, a: &Args<'_>) -> Result<bool, Stop> {
    if run_next(m, a)? { Ok(true) } else { crate::cuda::advance_any(m) }
}

fn stuck(m: &Machine, a: &Args<'_>) -> Stop {
    let what = "waiting for a thread that has begun and not ended: threads run one after the other";
    unsupported(m, a, what.to_owned())
}

// Locks. A mutex is glibc's: its state, a count, its owner, how many use it, its kind, each of four bytes.

const COUNT: i64 = 4;
const OWNER: i64 = 8;
const KIND: i64 = 16;

fn locks(name: &str) -> Option<HostFn> {
    Some(match name {
        "pthread_mutex_init" => |m, a| {
            let h = &mut Host::new(m, a, "pthread_mutex_init");
            let kind = if a.ptr(1).is_null() { 0 } else { h.word(a.ptr(1), 4)? };
            h.fill(a.ptr(0), 0, 40)?;
            h.put(a.ptr(0).add(KIND), kind, 4)?;
            Ok(0.into())
        },
        "pthread_mutex_destroy" => |m, a| {
            let held = Host::new(m, a, "pthread_mutex_destroy").word(a.ptr(0), 4)? != 0;
            Ok(if held { EBUSY } else { 0 }.into())
        },
        "pthread_mutexattr_init" => |m, a| {
            Host::new(m, a, "pthread_mutexattr_init").put(a.ptr(0), 0, 4)?;
            Ok(0.into())
        },
        "pthread_mutexattr_settype" => |m, a| {
            Host::new(m, a, "pthread_mutexattr_settype").put(a.ptr(0), a.u32(1).into(), 4)?;
            Ok(0.into())
        },
        "pthread_mutexattr_destroy" | "pthread_mutexattr_setpshared" => |_, _| Ok(0.into()),
        "pthread_mutex_lock" => |m, a| lock(m, a, a.ptr(0)),
        "pthread_mutex_trylock" | "pthread_mutex_timedlock" | "pthread_mutex_clocklock" => |m, a| {
            let current = m.libc.threads.current;
            let h = &mut Host::new(m, a, "pthread_mutex_trylock");
            let held = h.word(a.ptr(0), 4)? != 0;
            let recursive = h.word(a.ptr(0).add(KIND), 4)? & 3 == RECURSIVE;
            if held && !(recursive && h.word(a.ptr(0).add(OWNER), 4)? == current) {
                return Ok(EBUSY.into());
            }
            take(h, a.ptr(0), current)?;
            Ok(0.into())
        },
        "pthread_mutex_unlock" => |m, a| {
            let h = &mut Host::new(m, a, "pthread_mutex_unlock");
            give_back(h, a.ptr(0))?;
            Ok(0.into())
        },
        "pthread_rwlock_init" => |m, a| {
            Host::new(m, a, "pthread_rwlock_init").fill(a.ptr(0), 0, 56)?;
            Ok(0.into())
        },
        "pthread_rwlock_destroy" => |_, _| Ok(0.into()),
        "pthread_rwlock_rdlock" | "pthread_rwlock_tryrdlock" => |m, a| share(m, a, false),
        "pthread_rwlock_wrlock" | "pthread_rwlock_trywrlock" => |m, a| share(m, a, true),
        "pthread_rwlock_unlock" => |m, a| {
            let h = &mut Host::new(m, a, "pthread_rwlock_unlock");
            let readers = h.word(a.ptr(0), 4)?;
            h.put(a.ptr(0), readers.saturating_sub(1), 4)?;
            h.put(a.ptr(0).add(4), 0, 4)?;
            Ok(0.into())
        },
        "pthread_spin_init" => |m, a| {
            Host::new(m, a, "pthread_spin_init").put(a.ptr(0), 0, 4)?;
            Ok(0.into())
        },
        "pthread_spin_destroy" => |_, _| Ok(0.into()),
        "pthread_spin_lock" => |m, a| {
            let h = &mut Host::new(m, a, "pthread_spin_lock");
            if h.word(a.ptr(0), 4)? != 0 {
                return Err(stuck(m, a));
            }
            h.put(a.ptr(0), 1, 4)?;
            Ok(0.into())
        },
        "pthread_spin_unlock" => |m, a| {
            Host::new(m, a, "pthread_spin_unlock").put(a.ptr(0), 0, 4)?;
            Ok(0.into())
        },
        _ => return None,
    })
}

/// Takes a mutex that is free or, if it may be taken again, the thread's own.
fn take(h: &mut Host<'_>, mutex: Ptr, owner: u64) -> Result<(), Stop> {
    if h.word(mutex, 4)? == 0 {
        h.put(mutex, 1, 4)?;
        h.put(mutex.add(OWNER), owner, 4)
    } else {
        let count = h.word(mutex.add(COUNT), 4)?;
        h.put(mutex.add(COUNT), count + 1, 4)
    }
}

fn give_back(h: &mut Host<'_>, mutex: Ptr) -> Result<(), Stop> {
    let count = h.word(mutex.add(COUNT), 4)?;
    if count > 0 {
        return h.put(mutex.add(COUNT), count - 1, 4);
    }
    h.put(mutex, 0, 4)?;
    h.put(mutex.add(OWNER), 0, 4)
}

fn lock(m: &mut Machine, a: &Args<'_>, mutex: Ptr) -> Result<Ret, Stop> {
    let current = m.libc.threads.current;
    let h = &mut Host::new(m, a, "pthread_mutex_lock");
    if h.word(mutex, 4)? != 0 {
        let own = h.word(mutex.add(OWNER), 4)? == current;
        match (own, h.word(mutex.add(KIND), 4)? & 3) {
            (true, RECURSIVE) => {}
            (true, ERRORCHECK) => return Ok(EDEADLK.into()),
            (true, _) => {
                let message = "a thread locks a mutex that it holds already".to_owned();
                return Err(Stop::from(Fault::other(Kind::Deadlock, a.place, message, "locked again here")));
            }
            (false, _) => return Err(stuck(m, a)),
        }
    }
    take(h, mutex, current)?;
    Ok(0.into())
}

/// A lock for readers and writers: how many hold it, and whether one writes.
fn share(m: &mut Machine, a: &Args<'_>, writes: bool) -> Result<Ret, Stop> {
    let tries = m.module.funcs[a.func].name.contains("try");
    let h = &mut Host::new(m, a, "pthread_rwlock");
    let (holders, written) = (h.word(a.ptr(0), 4)?, h.word(a.ptr(0).add(4), 4)? != 0);
    if written || writes && holders > 0 {
        return if tries { Ok(EBUSY.into()) } else { Err(stuck(m, a)) };
    }
    h.put(a.ptr(0), holders + 1, 4)?;
    h.put(a.ptr(0).add(4), writes.into(), 4)?;
    Ok(0.into())
}

// Waiting: other threads run meanwhile.

fn waits(name: &str) -> Option<HostFn> {
    Some(match name {
        "pthread_cond_init" => |m, a| {
            Host::new(m, a, "pthread_cond_init").fill(a.ptr(0), 0, 48)?;
            Ok(0.into())
        },
        "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "pthread_cond_destroy"
        | "pthread_condattr_init"
        | "pthread_condattr_destroy"
        | "pthread_condattr_setclock" => |_, _| Ok(0.into()),
        "pthread_cond_wait" => |m, a| {
            give_back(&mut Host::new(m, a, "pthread_cond_wait"), a.ptr(1))?;
            if !others_run(m, a)? {
                return Err(stuck(m, a));
            }
            lock(m, a, a.ptr(1))
        },
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => |m, a| {
            give_back(&mut Host::new(m, a, "pthread_cond_timedwait"), a.ptr(1))?;
            let ran = others_run(m, a)?;
            lock(m, a, a.ptr(1))?;
            Ok(if ran { 0 } else { ETIMEDOUT }.into())
        },
        "sem_init" => |m, a| {
            let h = &mut Host::new(m, a, "sem_init");
            h.fill(a.ptr(0), 0, 32)?;
            h.put(a.ptr(0), a.u32(2).into(), 4)?;
            Ok(0.into())
        },
        "sem_destroy" => |_, _| Ok(0.into()),
        "sem_post" => |m, a| {
            let h = &mut Host::new(m, a, "sem_post");
            let value = h.word(a.ptr(0), 4)?;
            h.put(a.ptr(0), value + 1, 4)?;
            Ok(0.into())
        },
        "sem_getvalue" => |m, a| {
            let h = &mut Host::new(m, a, "sem_getvalue");
            let value = h.word(a.ptr(0), 4)?;
            h.put(a.ptr(1), value, 4)?;
            Ok(0.into())
        },
        "sem_wait" => |m, a| {
            loop {
                let h = &mut Host::new(m, a, "sem_wait");
                let value = h.word(a.ptr(0), 4)?;
                if value > 0 {
                    h.put(a.ptr(0), value - 1, 4)?;
                    return Ok(0.into());
                }
                if !others_run(m, a)? {
                    return Err(stuck(m, a));
                }
            }
        },
        // What futures wait with: for a word to be another than it was.
        _ if name.starts_with("_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_until") => |m, a| {
            let limited = a.i32(3) & 1 != 0;
            let h = &mut Host::new(m, a, "wait");
            if h.word(a.ptr(1), 4)? != u64::from(a.u32(2)) || others_run(m, a)? {
                return Ok(1.into());
            }
            if limited { Ok(0.into()) } else { Err(stuck(m, a)) }
        },
        "_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj" => |_, _| Ok(Ret::Void),
        "pthread_barrier_init" => |m, a| {
            let h = &mut Host::new(m, a, "pthread_barrier_init");
            h.fill(a.ptr(0), 0, 32)?;
            h.put(a.ptr(0), a.u32(2).into(), 4)?;
            Ok(if a.u32(2) == 0 { EINVAL } else { 0 }.into())
        },
        "pthread_barrier_destroy" => |_, _| Ok(0.into()),
        "pthread_barrier_wait" => |m, a| {
            // One alone passes and is the one told so.
            if Host::new(m, a, "pthread_barrier_wait").word(a.ptr(0), 4)? == 1 {
                return Ok((-1).into());
            }
            Err(stuck(m, a))
        },
        _ => return None,
    })
}

/// Where a thread sleeps or gives way, those that have not begun run first.
fn sleeps(name: &str) -> Option<HostFn> {
    fn first(m: &mut Machine, a: &Args<'_>, then: Option<HostFn>) -> Result<Ret, Stop> {
        while run_next(m, a)? {}
        then.map_or(Ok(0.into()), |f| f(m, a))
    }
    Some(match name {
        "__cudair_pause" => |_, _| Ok(Ret::Void),
        "sched_yield" | "pthread_yield" => |m, a| first(m, a, None),
        "sleep" => |m, a| first(m, a, time::lookup("sleep")),
        "usleep" => |m, a| first(m, a, time::lookup("usleep")),
        "nanosleep" => |m, a| first(m, a, time::lookup("nanosleep")),
        _ => return None,
    })
}
