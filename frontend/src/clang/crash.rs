//! What becomes of a crash of libclang while it uses a precompiled header, where its own recovery does not reach: nodes
//! are taken from the header's file as they are asked for, long after the parse.

use std::path::PathBuf;

/// The variable that tells the process, when it starts again, to do without precompiled headers, and its value then.
pub const VARIABLE: &str = "CUDAIR_PRECOMPILED";
/// See [`VARIABLE`].
pub const CRASHED: &str = "crashed";

#[cfg(unix)]
pub use unix::Guard;

#[cfg(unix)]
mod unix {
    use super::{CRASHED, PathBuf, VARIABLE};
    use std::ffi::{CString, OsString, c_char, c_int};
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::ptr::null;
    use std::sync::atomic::{AtomicPtr, Ordering};

    /// The signals of a crash.
    const SIGNALS: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGFPE];

    /// Everything with which the process starts again, ready for a signal handler, which may not allocate.
    struct Again {
        program: CString,
        arguments: Vec<*const c_char>,
        environment: Vec<*const c_char>,
        /// The files that are emptied.
        records: Vec<CString>,
        /// What the pointers point to.
        _strings: Vec<CString>,
    }

    static AGAIN: AtomicPtr<Again> = AtomicPtr::new(std::ptr::null_mut());

    /// While it lives, a crash empties some files and starts the process again, without precompiled headers.
    pub struct Guard {
        before: Vec<(c_int, libc::sigaction)>,
    }

    extern "C" fn start_again(signal: c_int) {
        // SAFETY: what is called is safe in a signal handler; the strings live as long as `AGAIN` points to them.
        unsafe {
            if let Some(again) = AGAIN.load(Ordering::Acquire).as_ref() {
                for record in &again.records {
                    let file = libc::open(record.as_ptr(), libc::O_WRONLY | libc::O_TRUNC);
                    if file >= 0 {
                        libc::close(file);
                    }
                }
                libc::execve(again.program.as_ptr(), again.arguments.as_ptr(), again.environment.as_ptr());
            }
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }

    impl Guard {
        /// Begins. `None` where the process could not start again.
        pub fn new(records: &[PathBuf]) -> Option<Guard> {
            let program = CString::new(std::env::current_exe().ok()?.into_os_string().into_vec()).ok()?;
            let path = |record: &PathBuf| CString::new(record.as_os_str().as_bytes()).ok();
            let records: Vec<CString> = records.iter().map(path).collect::<Option<_>>()?;
            let c_string = |text: OsString| CString::new(text.into_vec()).ok();
            let arguments: Vec<CString> = std::env::args_os().map(c_string).collect::<Option<_>>()?;
            let setting = |(name, value): (OsString, OsString)| {
                let mut text = name;
                text.push("=");
                text.push(value);
                c_string(text)
            };
            let mut environment: Vec<CString> = std::env::vars_os()
                .filter(|(name, _)| name != VARIABLE)
                .map(setting)
                .collect::<Option<_>>()?;
            environment.push(CString::new(format!("{VARIABLE}={CRASHED}")).ok()?);
            let pointers = |list: &[CString]| list.iter().map(|s| s.as_ptr()).chain([null()]).collect();
            let again = Box::into_raw(Box::new(Again {
                program,
                arguments: pointers(&arguments),
                environment: pointers(&environment),
                records,
                _strings: arguments.into_iter().chain(environment).collect(),
            }));
            AGAIN.store(again, Ordering::Release);
            let before = SIGNALS
                .into_iter()
                .map(|signal| {
                    // SAFETY: both are valid for the call; the handler is one.
                    unsafe {
                        let mut old: libc::sigaction = std::mem::zeroed();
                        let mut new: libc::sigaction = std::mem::zeroed();
                        new.sa_sigaction = start_again as extern "C" fn(c_int) as usize;
                        // The program that starts again has the same signals blocked as this one.
                        new.sa_flags = libc::SA_NODEFER | libc::SA_ONSTACK;
                        libc::sigaction(signal, &raw const new, &raw mut old);
                        (signal, old)
                    }
                })
                .collect();
            Some(Guard { before })
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            for (signal, old) in &self.before {
                // SAFETY: it is what `sigaction` gave.
                unsafe { libc::sigaction(*signal, old, std::ptr::null_mut()) };
            }
            let again = AGAIN.swap(std::ptr::null_mut(), Ordering::AcqRel);
            // SAFETY: it was made by `Box::into_raw`, there is one guard at a time, and no handler sees it any more.
            drop(unsafe { Box::from_raw(again) });
        }
    }
}

/// Elsewhere no headers are kept.
#[cfg(not(unix))]
pub struct Guard;

#[cfg(not(unix))]
impl Guard {
    /// None.
    pub fn new(_: &[PathBuf]) -> Option<Guard> {
        None
    }
}
