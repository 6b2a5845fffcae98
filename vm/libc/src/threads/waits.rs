//! Waiting: conditions, semaphores, barriers, words that change, time.

use super::super::time::{self, read_timespec};
use super::super::unsupported;
use super::locks::{give_back, lock};
use crate::layout::{Field, Fields, pthread_barrier_t, pthread_cond_t, pthread_condattr_t, sem_t};
use crate::{Errno, Functions, Kept, Table, named};
use cudair_engine::guest::{Bytes, Guest, Host};
use cudair_engine::parts::HostThreads;
use cudair_engine::threads::{On, Request};
use cudair_engine::{Args, HostFn, Ret, ThreadsFn};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;
use std::time::Duration;

const EAGAIN: i32 = 11;
const EINVAL: i32 = 22;
const ETIMEDOUT: i32 = 110;

pub(super) const CLOCK_REALTIME: i32 = 0;
pub(super) const CLOCK_MONOTONIC: i32 = 1;

/// What a wait for a condition notes: it is awaited, or it has come, or the time was up, and the mutex is.
const CONDITION: u64 = 0;
const RELOCK: u64 = 1;
const RELOCK_TIMED_OUT: u64 = 2;

/// The functions by name.
pub(super) fn lookup(name: &str) -> Option<HostFn> {
    conditions(name).or_else(|| semaphores(name)).or_else(|| words(name)).or_else(|| sleeps(name))
}

/// A time of a clock as the time since the program started; none where it is not one.
pub(super) fn deadline(
    m: &mut HostThreads<'_>,
    a: &Args<'_>,
    clock: i32,
    at: Ptr,
) -> Result<Option<Duration>, Stop> {
    let h = &mut Host::new(m, a, "a timed wait");
    let (seconds, nanoseconds) = read_timespec(h, at)?;
    let Ok(nanoseconds) = u32::try_from(nanoseconds) else { return Ok(None) };
    if nanoseconds >= 1_000_000_000 {
        return Ok(None);
    }
    let time = Duration::new((seconds as i64).max(0) as u64, nanoseconds);
    Ok(Some(since_start(m, clock, time)))
}

fn since_start(m: &mut HostThreads<'_>, clock: i32, time: Duration) -> Duration {
    if clock == CLOCK_MONOTONIC { time } else { time.saturating_sub(time::start(m)) }
}

fn conditions(name: &str) -> Option<HostFn> {
    CONDITIONS.find(name)
}

const CONDITIONS: Functions = Functions {
    memory: &[
        (&["pthread_condattr_init"], |m, a| {
            Bytes::new(m, a, "pthread_condattr_init").clear::<pthread_condattr_t>(a.ptr(0))?;
            Ok(0.into())
        }),
        (&["pthread_condattr_setclock"], |m, a| {
            Bytes::new(m, a, "pthread_condattr_setclock").put_field(
                a.ptr(0),
                pthread_condattr_t::clock,
                a.u32(1),
            )?;
            Ok(0.into())
        }),
        (&["pthread_condattr_destroy", "pthread_condattr_setpshared"], |_, _| Ok(0.into())),
    ],
    threads: &[
        (&["pthread_cond_init"], |m, a| {
            let steady = !a.ptr(1).is_null()
                && Host::new(m, a, "pthread_cond_init").field(a.ptr(1), pthread_condattr_t::clock)?
                    == CLOCK_MONOTONIC as u32;
            if steady {
                m.libc.get_mut().threads.steady.insert(a.ptr(0));
            } else {
                m.libc.get_mut().threads.steady.remove(&a.ptr(0));
            }
            Host::new(m, a, "pthread_cond_init").clear::<pthread_cond_t>(a.ptr(0))?;
            Ok(0.into())
        }),
        (&["pthread_cond_signal"], |m, a| {
            m.threads.wake(a.ptr(0), 1);
            Ok(0.into())
        }),
        (&["pthread_cond_broadcast"], |m, a| {
            m.threads.wake(a.ptr(0), usize::MAX);
            Ok(0.into())
        }),
        (&["pthread_cond_destroy"], |m, a| {
            m.libc.get_mut().threads.steady.remove(&a.ptr(0));
            Ok(0.into())
        }),
        (&["pthread_cond_wait"], |m, a| condition(m, a, None)),
        (&["pthread_cond_timedwait"], |m, a| {
            let steady = m.libc.get().threads.steady.contains(&a.ptr(0));
            let clock = if steady { CLOCK_MONOTONIC } else { CLOCK_REALTIME };
            match deadline(m, a, clock, a.ptr(2))? {
                None => Ok(EINVAL.into()),
                deadline => condition(m, a, deadline),
            }
        }),
        (&["pthread_cond_clockwait"], |m, a| match deadline(m, a, a.i32(2), a.ptr(3))? {
            None => Ok(EINVAL.into()),
            deadline => condition(m, a, deadline),
        }),
    ],
    ..Functions::NONE
};

/// Gives the mutex back, waits for the condition, and takes the mutex again.
fn condition(m: &mut HostThreads<'_>, a: &Args<'_>, deadline: Option<Duration>) -> Result<Ret, Stop> {
    let note = match m.threads.take_resumed() {
        None => {
            give_back(m, a, a.ptr(1))?;
            let what = "a condition that is signalled";
            let on = On::Address(a.ptr(0));
            return Err(m.threads.wait(Request { on, deadline, note: CONDITION, what, place: a.place }));
        }
        Some(r) if r.note == CONDITION && r.timed_out => RELOCK_TIMED_OUT,
        Some(r) if r.note == CONDITION => RELOCK,
        Some(r) => r.note,
    };
    lock(m, a, a.ptr(1), None, note)?;
    Ok(if note == RELOCK_TIMED_OUT { ETIMEDOUT } else { 0 }.into())
}

fn semaphores(name: &str) -> Option<HostFn> {
    SEMAPHORES.find(name)
}

/// A semaphore's value.
const VALUE: Field<sem_t, u32> = sem_t::words.nth(0);
/// How many are to come to a barrier, how many have, how often all have.
const AWAITED: Field<pthread_barrier_t, u32> = pthread_barrier_t::words.nth(0);
const ARRIVED: Field<pthread_barrier_t, u32> = pthread_barrier_t::words.nth(1);
const ROUND: Field<pthread_barrier_t, u32> = pthread_barrier_t::words.nth(2);

const SEMAPHORES: Functions = Functions {
    memory: &[
        (&["sem_init"], |m, a| {
            let h = &mut Bytes::new(m, a, "sem_init");
            h.clear::<sem_t>(a.ptr(0))?;
            h.put_field(a.ptr(0), VALUE, a.u32(2))?;
            Ok(0.into())
        }),
        (&["sem_destroy"], |_, _| Ok(0.into())),
        (&["sem_getvalue"], |m, a| {
            let h = &mut Bytes::new(m, a, "sem_getvalue");
            let value = h.field(a.ptr(0), VALUE)?;
            h.put(a.ptr(1), value.into(), 4)?;
            Ok(0.into())
        }),
        (&["pthread_barrier_init"], |m, a| {
            let h = &mut Bytes::new(m, a, "pthread_barrier_init");
            h.clear::<pthread_barrier_t>(a.ptr(0))?;
            h.put_field(a.ptr(0), AWAITED, a.u32(2))?;
            Ok(if a.u32(2) == 0 { EINVAL } else { 0 }.into())
        }),
        (&["pthread_barrier_destroy"], |_, _| Ok(0.into())),
    ],
    threads: &[
        (&["sem_post"], |m, a| {
            let h = &mut Host::new(m, a, "sem_post");
            let value = h.field(a.ptr(0), VALUE)?;
            h.put_field(a.ptr(0), VALUE, value.wrapping_add(1))?;
            m.threads.wake(a.ptr(0), 1);
            Ok(0.into())
        }),
        (&["sem_wait"], |m, a| semaphore(m, a, None)),
        (&["sem_timedwait"], |m, a| match deadline(m, a, CLOCK_REALTIME, a.ptr(1))? {
            None => failed(m, a, EINVAL),
            deadline => semaphore(m, a, deadline),
        }),
        (&["sem_clockwait"], |m, a| match deadline(m, a, a.i32(1), a.ptr(2))? {
            None => failed(m, a, EINVAL),
            deadline => semaphore(m, a, deadline),
        }),
        (&["sem_trywait"], |m, a| {
            let h = &mut Host::new(m, a, "sem_trywait");
            let value = h.field(a.ptr(0), VALUE)?;
            if value == 0 {
                return failed(m, a, EAGAIN);
            }
            h.put_field(a.ptr(0), VALUE, value - 1)?;
            Ok(0.into())
        }),
        (&["pthread_barrier_wait"], |m, a| {
            let resumed = m.threads.take_resumed();
            let barrier = a.ptr(0);
            let h = &mut Host::new(m, a, "pthread_barrier_wait");
            let round = h.field(barrier, ROUND)?;
            let awaited = match resumed {
                Some(r) if r.note != u64::from(round) => return Ok(0.into()),
                Some(r) => r.note,
                None => {
                    let arrived = h.field(barrier, ARRIVED)?.wrapping_add(1);
                    let last = arrived == h.field(barrier, AWAITED)?;
                    h.put_field(barrier, ARRIVED, if last { 0 } else { arrived })?;
                    if last {
                        h.put_field(barrier, ROUND, round.wrapping_add(1))?;
                        m.threads.wake(barrier, usize::MAX);
                        // The last one is told so.
                        return Ok((-1).into());
                    }
                    round.into()
                }
            };
            let what = "others to come to a barrier";
            let on = On::Address(barrier);
            Err(m.threads.wait(Request { on, deadline: None, note: awaited, what, place: a.place }))
        }),
    ],
    ..Functions::NONE
};

fn failed(m: &mut HostThreads<'_>, a: &Args<'_>, errno: i32) -> Result<Ret, Stop> {
    Host::new(m, a, "errno").set_errno(errno)?;
    Ok((-1).into())
}

fn semaphore(m: &mut HostThreads<'_>, a: &Args<'_>, deadline: Option<Duration>) -> Result<Ret, Stop> {
    let resumed = m.threads.take_resumed();
    let h = &mut Host::new(m, a, "sem_wait");
    let value = h.field(a.ptr(0), VALUE)?;
    if value > 0 {
        h.put_field(a.ptr(0), VALUE, value - 1)?;
        return Ok(0.into());
    }
    if resumed.is_some_and(|r| r.timed_out) {
        return failed(m, a, ETIMEDOUT);
    }
    let on = On::Address(a.ptr(0));
    let what = "a semaphore to be above zero";
    Err(m.threads.wait(Request { on, deadline, note: 0, what, place: a.place }))
}

fn words(name: &str) -> Option<HostFn> {
    let function: ThreadsFn = match name {
        // What futures wait with: for a word to be another than it was. The time is in seconds and nanoseconds.
        _ if name.starts_with("_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_until")
            || name.starts_with("_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steady") =>
        {
            |m, a| {
                let steady = m.module.funcs[a.func].name.contains("wait_until_steady");
                let resumed = m.threads.take_resumed();
                let word = Host::new(m, a, "wait").word(a.ptr(1), 4)?;
                if word != u64::from(a.u32(2)) {
                    return Ok(1.into());
                }
                if let Some(r) = resumed {
                    return Ok(i32::from(!r.timed_out).into());
                }
                let deadline = (a.i32(3) & 1 != 0).then(|| {
                    let time = Duration::from_secs(a.i64(4).max(0) as u64)
                        .saturating_add(Duration::from_nanos(a.i64(5).max(0) as u64));
                    since_start(m, if steady { CLOCK_MONOTONIC } else { CLOCK_REALTIME }, time)
                });
                let on = On::Address(a.ptr(1));
                let what = "a result that another thread is to give";
                Err(m.threads.wait(Request { on, deadline, note: 0, what, place: a.place }))
            }
        }
        "_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj" => |m, a| {
            m.threads.wake(a.ptr(0), usize::MAX);
            Ok(Ret::Void)
        },
        "syscall" => |m, a| {
            const SYS_GETPID: i64 = 39;
            const SYS_GETTID: i64 = 186;
            const SYS_FUTEX: i64 = 202;
            match a.i64(0) {
                SYS_FUTEX => futex(m, a),
                SYS_GETPID => Ok(Ret::Word(m.config.gate.process_id().into())),
                SYS_GETTID => Ok(Ret::Word(
                    u64::from(m.config.gate.process_id()) + m.threads.current()
                        - cudair_engine::threads::MAIN,
                )),
                number => Err(unsupported(m.module, a, format!("the system call of number {number}"))),
            }
        },
        _ => return None,
    };
    Some(HostFn::Threads(function))
}

/// What atomic variables, latches and barriers wait with: for a word to be another than it was.
fn futex(m: &mut HostThreads<'_>, a: &Args<'_>) -> Result<Ret, Stop> {
    const WAIT: i32 = 0;
    const WAKE: i32 = 1;
    const WAIT_BITSET: i32 = 9;
    const OPERATION: i32 = 127;
    const REALTIME: i32 = 256;
    let resumed = m.threads.take_resumed();
    let (word, operation, time) = (a.ptr(1), a.i32(2), a.ptr(4));
    match operation & OPERATION {
        WAKE => Ok(Ret::Word(m.threads.wake(word, a.u32(3).min(i32::MAX as u32) as usize) as u64)),
        how @ (WAIT | WAIT_BITSET) => {
            if let Some(r) = resumed {
                return if r.timed_out { failed(m, a, ETIMEDOUT) } else { Ok(0.into()) };
            }
            if Host::new(m, a, "futex").word(word, 4)? != u64::from(a.u32(3)) {
                return failed(m, a, EAGAIN);
            }
            let clock = if operation & REALTIME != 0 { CLOCK_REALTIME } else { CLOCK_MONOTONIC };
            let mut until = None;
            if !time.is_null() {
                // A plain wait is told for how long, the other until when.
                let Some(given) = deadline(m, a, if how == WAIT { CLOCK_MONOTONIC } else { clock }, time)?
                else {
                    return failed(m, a, EINVAL);
                };
                until = Some(if how == WAIT { m.elapsed().saturating_add(given) } else { given });
            }
            let what = "a variable to change";
            let on = On::Address(word);
            Err(m.threads.wait(Request { on, deadline: until, note: 0, what, place: a.place }))
        }
        _ => Err(unsupported(m.module, a, format!("the operation {operation} of a futex"))),
    }
}

fn sleeps(name: &str) -> Option<HostFn> {
    named(SLEEPS, name).map(HostFn::Threads)
}

const SLEEPS: Table<ThreadsFn> = &[
    (&["sleep"], |m, a| sleep(m, a, Duration::from_secs(a.u32(0).into()))),
    (&["usleep"], |m, a| sleep(m, a, Duration::from_micros(a.u32(0).into()))),
    (&["nanosleep"], |m, a| {
        let h = &mut Host::new(m, a, "nanosleep");
        let (s, n) = read_timespec(h, a.ptr(0))?;
        sleep(m, a, Duration::from_secs(s).saturating_add(Duration::from_nanos(n)))
    }),
    (&["clock_nanosleep"], |m, a| {
        let h = &mut Host::new(m, a, "clock_nanosleep");
        let (s, n) = read_timespec(h, a.ptr(2))?;
        let time = Duration::from_secs(s).saturating_add(Duration::from_nanos(n));
        if a.i32(1) & 1 == 0 {
            return sleep(m, a, time);
        }
        let until = since_start(m, a.i32(0), time);
        let now = m.elapsed();
        sleep(m, a, until.saturating_sub(now))
    }),
];

/// Others run while a thread sleeps.
fn sleep(m: &mut HostThreads<'_>, a: &Args<'_>, time: Duration) -> Result<Ret, Stop> {
    if m.threads.take_resumed().is_some() {
        return Ok(0.into());
    }
    if m.threads.is_single() {
        m.sleep(time);
        return Ok(0.into());
    }
    let deadline = Some(m.elapsed().saturating_add(time));
    Err(m.threads.wait(Request { on: On::Time, deadline, note: 0, what: "a time", place: a.place }))
}
