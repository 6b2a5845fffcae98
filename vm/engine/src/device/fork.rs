//! Processes that share the work of a launch: the system calls, and nothing else.
//!
//! A forked process has a copy of all of the machine, made by the system as pages are written; so the
//! interpreter needs no locks, and what a core does is void until it is joined.
#![allow(unsafe_code, reason = "forks, and maps a page that the processes share")]

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What the processes share.
#[repr(C)]
struct SharedCounters {
    next: AtomicU64,
    done: AtomicU64,
    off: AtomicBool,
}

/// The work that is left, shared by processes: numbers are handed out in order.
pub(super) struct Queue {
    counters: *const SharedCounters,
    end: u64,
    step: u64,
}

impl Queue {
    /// The numbers `from..end`, `step` at a time. `None` where the system has no page to share.
    pub(super) fn new(from: u64, end: u64, step: u64) -> Option<Queue> {
        // SAFETY: a fresh anonymous mapping, of which nothing else knows.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size_of::<SharedCounters>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return None;
        }
        let queue = Queue { counters: p.cast(), end, step: step.max(1) };
        queue.counters().next.store(from, Ordering::Relaxed);
        queue.counters().done.store(from, Ordering::Relaxed);
        Some(queue)
    }

    fn counters(&self) -> &SharedCounters {
        // SAFETY: mapped until the queue is dropped; zeroed pages are a valid counters, made of atomics.
        unsafe { &*self.counters }
    }

    /// The next numbers, unless there are none left or the work has been called off.
    pub(super) fn take(&self) -> Option<std::ops::Range<u64>> {
        if self.is_off() {
            return None;
        }
        let from = self.counters().next.fetch_add(self.step, Ordering::Relaxed);
        (from < self.end).then(|| from..(from + self.step).min(self.end))
    }

    /// One of the numbers is done.
    pub(super) fn count_done(&self) {
        self.counters().done.fetch_add(1, Ordering::Relaxed);
    }

    /// How many are done, by all, with those before the first that was handed out.
    pub(super) fn done(&self) -> u64 {
        self.counters().done.load(Ordering::Relaxed).min(self.end)
    }

    /// Nobody need go on.
    pub(super) fn call_off(&self) {
        self.counters().off.store(true, Ordering::Relaxed);
    }

    /// Whether somebody called it off.
    pub(super) fn is_off(&self) -> bool {
        self.counters().off.load(Ordering::Relaxed)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: mapped with this size, and not used afterwards.
        unsafe { libc::munmap(self.counters.cast_mut().cast(), size_of::<SharedCounters>()) };
    }
}

/// How long a read waits before it asks whether it is still wanted, in milliseconds.
const PATIENCE: libc::c_int = 20;

/// A forked process and what it has to say. Dropped, it is ended if it has not.
pub(super) struct Child {
    pid: libc::pid_t,
    output: File,
}

impl Child {
    /// Forks a process that runs `work` and ends. `None` where the system does not allow it.
    pub(super) fn fork(work: impl FnOnce(&mut File)) -> Option<Child> {
        let mut ends = [0; 2];
        // SAFETY: `ends` has room for both.
        if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
            return None;
        }
        // SAFETY: both were just opened, and belong to nobody else.
        let [from, to] = ends.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
        let parent = std::process::id();
        // SAFETY: the child is a copy with this thread alone; the memory allocator allows for that, and the child
        // takes no lock of another thread: it interprets, writes to its pipe and ends without exit handlers.
        match unsafe { libc::fork() } {
            -1 => None,
            0 => {
                die_with(parent);
                drop(from);
                let mut to = File::from(to);
                let done = std::panic::catch_unwind(AssertUnwindSafe(|| work(&mut to)));
                drop(to);
                // SAFETY: ends the process.
                unsafe { libc::_exit(i32::from(done.is_err())) }
            }
            pid => Some(Child { pid, output: File::from(from) }),
        }
    }
}

/// Lets this process, which `parent` has just forked, end when that ends, however it does: nobody would hear what it
/// says, and it would hold the program's output open.
fn die_with(parent: u32) {
    // Elsewhere the system has no such means, and the process ends with its part of the launch.
    #[cfg(target_os = "linux")]
    // SAFETY: sets a property of this process.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
    // It may have ended before.
    if std::os::unix::process::parent_id() != parent {
        // SAFETY: ends the process.
        unsafe { libc::_exit(1) };
    }
}

/// What a child writes, until `is_off` says that nobody wants it any more.
pub(super) struct Output<'a, F> {
    /// Who writes.
    pub(super) child: &'a mut Child,
    /// Whether to give up.
    pub(super) is_off: F,
}

impl<F: Fn() -> bool> Read for Output<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut poll = libc::pollfd { fd: self.child.output.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        loop {
            if (self.is_off)() {
                return Err(Error::from(ErrorKind::TimedOut));
            }
            // SAFETY: one structure, and its number.
            match unsafe { libc::poll(&raw mut poll, 1, PATIENCE) } {
                0 => {}
                -1 if Error::last_os_error().kind() == ErrorKind::Interrupted => {}
                _ => return self.child.output.read(buffer),
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let mut status = 0;
        // SAFETY: `pid` is a child of this process that has not been waited for, so that the number is still its.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
        // SAFETY: as above, and `status` is a place for its status.
        while unsafe { libc::waitpid(self.pid, &raw mut status, 0) } == -1
            && Error::last_os_error().kind() == ErrorKind::Interrupted
        {}
    }
}
