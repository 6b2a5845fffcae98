//! Threads themselves, and what each has of its own.

use crate::layout::{Fields, pthread_attr_t};
use crate::{Functions, Kept};
use cudair_engine::guest::{Bytes, Guest, Host};
use cudair_engine::threads::{MAIN, On, Request, State};
use cudair_engine::{Args, HostFn, Machine, Ret};
use cudair_lane::fault::{Place, Stop, Switch};

const EINVAL: i32 = 22;
const ESRCH: i32 = 3;
const EDEADLK: i32 = 35;
/// How often values of keys are destroyed that destructors have set again.
const ROUNDS: u32 = 4;

/// The functions by name.
pub(super) fn lookup(name: &str) -> Option<HostFn> {
    FUNCTIONS.find(name)
}

const FUNCTIONS: Functions = Functions {
    memory: &[
        (&["pthread_equal"], |_, a| Ok(i32::from(a.u64(0) == a.u64(1)).into())),
        (&["pthread_exit"], |_, a| Err(Stop::Switch(Switch::End(a.u64(0))))),
        (&["pthread_attr_init"], |m, a| {
            Bytes::new(m, a, "pthread_attr_init").clear::<pthread_attr_t>(a.ptr(0))?;
            Ok(0.into())
        }),
        (
            &[
                "pthread_attr_destroy",
                "pthread_attr_setdetachstate",
                "pthread_attr_setstacksize",
                "pthread_attr_setscope",
                "pthread_setconcurrency",
                "pthread_setname_np",
                "pthread_setaffinity_np",
            ],
            |_, _| Ok(0.into()),
        ),
        (&["_ZNSt6thread20hardware_concurrencyEv"], |_, _| {
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            Ok(Ret::Word(cores as u64))
        }),
    ],
    threads: &[
        (&["pthread_create"], |m, a| {
            // What a function that a stream calls is behind, its thread is behind too.
            let behind = m.mem.streams.clock_running();
            let number = m.threads.create(a.ptr(2), a.u64(3), behind);
            Host::new(m, a, "pthread_create").put(a.ptr(0), number, 8)?;
            Ok(0.into())
        }),
        (&["pthread_join"], |m, a| {
            m.threads.take_resumed();
            let number = a.u64(0);
            match m.threads.state(number) {
                None => Ok(ESRCH.into()),
                Some(_) if number == m.threads.current() => Ok(EDEADLK.into()),
                Some(State::Alive) => {
                    let what = "the end of a thread";
                    let request =
                        Request { on: On::End(number), deadline: None, note: 0, what, place: a.place };
                    Err(m.threads.wait(request))
                }
                Some(State::Ended(result)) => {
                    if !a.ptr(1).is_null() {
                        Host::new(m, a, "pthread_join").put(a.ptr(1), result, 8)?;
                    }
                    Ok(0.into())
                }
            }
        }),
        (&["pthread_detach"], |m, a| Ok(if m.threads.state(a.u64(0)).is_some() { 0 } else { ESRCH }.into())),
        (&["pthread_self"], |m, _| Ok(Ret::Word(m.threads.current()))),
        (&["gettid"], |m, _| {
            Ok(Ret::Word(u64::from(m.config.gate.process_id()) + m.threads.current() - MAIN))
        }),
        (&["pthread_key_create"], |m, a| {
            let destructor = a.ptr(1);
            m.libc.get_mut().threads.keys.push((!destructor.is_null()).then_some(destructor));
            let key = m.libc.get().threads.keys.len() as u64;
            Host::new(m, a, "pthread_key_create").put(a.ptr(0), key, 4)?;
            Ok(0.into())
        }),
        (&["pthread_key_delete"], |m, a| {
            let key = u64::from(a.u32(0));
            m.libc.get_mut().threads.specific.retain(|(_, k), _| *k != key);
            Ok(0.into())
        }),
        (&["pthread_setspecific"], |m, a| {
            if a.u32(0) == 0 || a.u32(0) as usize > m.libc.get().threads.keys.len() {
                return Ok(EINVAL.into());
            }
            let at = (m.threads.current(), u64::from(a.u32(0)));
            m.libc.get_mut().threads.specific.insert(at, a.u64(1));
            Ok(0.into())
        }),
        (&["pthread_getspecific"], |m, a| {
            let at = (m.threads.current(), u64::from(a.u32(0)));
            Ok(Ret::Word(m.libc.get().threads.specific.get(&at).copied().unwrap_or(0)))
        }),
    ],
    machine: &[
        (&["pthread_once"], |m, a| {
            const RUNNING: u64 = 1;
            const DONE: u64 = 2;
            m.threads.take_resumed();
            let h = &mut Host::new(m, a, "pthread_once");
            match h.word(a.ptr(0), 4)? {
                DONE => return Ok(0.into()),
                RUNNING => {
                    let what = "a function that is to run once";
                    let on = On::Address(a.ptr(0));
                    return Err(m.threads.wait(Request {
                        on,
                        deadline: None,
                        note: 0,
                        what,
                        place: a.place,
                    }));
                }
                _ => h.put(a.ptr(0), RUNNING, 4)?,
            }
            let result = m.call_guest(a.ptr(1), &[], a.place);
            // One whose function throws has not run.
            let state = if result.is_ok() { DONE } else { 0 };
            Host::new(m, a, "pthread_once").put(a.ptr(0), state, 4)?;
            m.threads.wake(a.ptr(0), usize::MAX);
            result.map(|_| 0.into())
        }),
        // Who waits in a loop lets others run.
        (&["__cudair_pause"], |m, a| give_way(m, a, Ret::Void)),
        (&["sched_yield", "pthread_yield"], |m, a| give_way(m, a, 0.into())),
    ],
    ..Functions::NONE
};

/// Lets others run that are ready; the device's work goes on where a thread gives way again and again.
pub(super) fn give_way(m: &mut Machine, _: &Args<'_>, ret: Ret) -> Result<Ret, Stop> {
    if !m.threads.can_give_way() {
        if m.threads.idles() {
            m.device.advance_any(m)?;
        }
        return Ok(ret);
    }
    Err(Stop::Switch(Switch::After(ret.bits() as u64)))
}

/// A thread ends: the destructors of its keys' values run, again where they set values.
pub(super) fn destroy_values(m: &mut Machine) -> Result<(), Stop> {
    let thread = m.threads.current();
    for _ in 0..ROUNDS {
        let mut again = false;
        for key in 1..=m.libc.get().threads.keys.len() {
            let Some(destructor) = m.libc.get().threads.keys[key - 1] else { continue };
            // A key without a value has none to destroy.
            let value = m.libc.get_mut().threads.specific.remove(&(thread, key as u64)).unwrap_or(0);
            if value != 0 {
                again = true;
                m.call_guest(destructor, &[value.into()], Place::Unknown)?;
            }
        }
        if !again {
            break;
        }
    }
    m.libc.get_mut().threads.specific.retain(|(t, _), _| *t != thread);
    Ok(())
}
