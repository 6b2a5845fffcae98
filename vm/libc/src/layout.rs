//! The structures of the program's that the C library's functions read and write, as the system's headers lay them out
//! (glibc on x86-64). `tests/libc_headers.rs` compares the table with the headers, so that a wrong offset fails there.
//!
//! What the library keeps in a structure that is opaque to programs lies in the words of its `__size`.

pub(crate) use cudair_engine::layout::{Field, Laid, Value, element};
pub(crate) use tables::*;

use cudair_engine::guest::Guest;
use cudair_engine::layout::StructureRow;
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;

/// The table of structures.
pub const STRUCTURES: &[StructureRow] = tables::ROWS;

mod tables {
    use cudair_engine::structures;
    use cudair_lane::ptr::Ptr;

    structures! {
        // time.h, sys/time.h, sys/resource.h

        struct timespec (16) {
            0 tv_sec: u64;
            8 tv_nsec: u64;
        }

        struct timeval (16) {
            0 tv_sec: u64;
            8 tv_usec: u64;
        }

        struct tm (56) {
            0 numbers = "tm_sec" ..= "tm_isdst": [i32; 9];
            40 tm_gmtoff: i64;
            48 tm_zone: Ptr;
        }

        struct rusage (144) {
            0 ru_utime: timeval;
        }

        // sys/stat.h, dirent.h, sys/utsname.h

        struct stat (144) {
            0 st_dev: u64;
            8 st_ino: u64;
            16 st_nlink: u64;
            24 st_mode: u32;
            28 st_uid: u32;
            32 st_gid: u32;
            40 st_rdev: u64;
            48 st_size: u64;
            56 st_blksize: u64;
            64 st_blocks: u64;
            72 atime = "st_atim": timespec;
            88 mtime = "st_mtim": timespec;
            104 ctime = "st_ctim": timespec;
        }

        struct dirent (280) {
            0 d_ino: u64;
            8 d_off: u64;
            16 d_reclen: u16;
            18 d_type: u8;
            19 d_name: [u8; 256];
        }

        struct utsname (390) {
            0 texts = "sysname" ..= "machine": [[u8; 65]; 5];
        }

        // getopt.h, stdio.h, stdlib.h

        struct option (32) {
            0 name: Ptr;
            8 has_arg: i32;
            16 flag: Ptr;
            24 val: i32;
        }

        struct FILE (216) {}

        struct div_t (8) {
            0 quot: i32;
            4 rem: i32;
        }

        struct ldiv_t (16) {
            0 quot: i64;
            8 rem: i64;
        }

        // pthread.h, semaphore.h

        struct pthread_mutex_t (40) {
            0 lock = "__data.__lock": u32;
            4 count = "__data.__count": u32;
            8 owner = "__data.__owner": u32;
            16 kind = "__data.__kind": u32;
        }

        struct pthread_mutexattr_t (4) {
            0 kind = "__size": u32;
        }

        struct pthread_rwlock_t (56) {
            0 holders = "__data.__readers": u32;
            4 written = "__data.__writers": u32;
        }

        struct pthread_cond_t (48) {}

        struct pthread_condattr_t (4) {
            0 clock = "__size": u32;
        }

        struct pthread_attr_t (56) {}

        // To come, arrived, rounds.
        struct pthread_barrier_t (32) {
            0 words = "__size": [u32; 8];
        }

        struct sem_t (32) {
            0 words = "__size": [u32; 8];
        }
    }
}

/// Fields in the program's memory.
pub(crate) trait Fields {
    /// Reads a field of the structure at `base`.
    fn field<S: Laid, T: Value>(&mut self, base: Ptr, field: Field<S, T>) -> Result<T, Stop>;

    /// Writes a field of the structure at `base`.
    fn put_field<S: Laid, T: Value>(&mut self, base: Ptr, field: Field<S, T>, value: T) -> Result<(), Stop>;

    /// Writes zeros to a structure.
    fn clear<S: Laid>(&mut self, base: Ptr) -> Result<(), Stop>;
}

impl<G: Guest> Fields for G {
    fn field<S: Laid, T: Value>(&mut self, base: Ptr, field: Field<S, T>) -> Result<T, Stop> {
        let bytes = self.read(field.of(base), T::SIZE as u64)?;
        Ok(T::of_bytes(&bytes))
    }

    fn put_field<S: Laid, T: Value>(&mut self, base: Ptr, field: Field<S, T>, value: T) -> Result<(), Stop> {
        let mut bytes = Vec::with_capacity(T::SIZE);
        value.push_bytes(&mut bytes);
        self.write(field.of(base), &bytes)
    }

    fn clear<S: Laid>(&mut self, base: Ptr) -> Result<(), Stop> {
        self.fill(base, 0, S::SIZE as u64)
    }
}
