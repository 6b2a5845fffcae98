//! The platform's C library, where its tables are wanted: calendars, the text of error numbers. Pure functions over
//! values; no pointer of the program ever gets here.
#![allow(unsafe_code, reason = "calls functions of the C library")]

use std::ffi::CString;

// SAFETY: the function of that name of the C library with that signature, which takes nothing.
unsafe extern "C" {
    safe fn clock() -> i64;
}

/// A calendar time as C has it: the nine fields of `struct tm`, then what glibc adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tm {
    /// `tm_sec` to `tm_isdst`, in order.
    pub fields: [i32; 9],
    /// `tm_gmtoff`
    pub offset: i64,
}

impl Tm {
    fn to_c(self) -> libc::tm {
        // SAFETY: the structure is numbers and one pointer, for all of which zero is a value.
        let mut tm: libc::tm = unsafe { std::mem::zeroed() };
        let [sec, min, hour, mday, mon, year, wday, yday, isdst] = self.fields;
        tm.tm_sec = sec;
        tm.tm_min = min;
        tm.tm_hour = hour;
        tm.tm_mday = mday;
        tm.tm_mon = mon;
        tm.tm_year = year;
        tm.tm_wday = wday;
        tm.tm_yday = yday;
        tm.tm_isdst = isdst;
        tm.tm_gmtoff = self.offset;
        tm
    }

    fn of(tm: &libc::tm) -> Tm {
        Tm {
            fields: [
                tm.tm_sec,
                tm.tm_min,
                tm.tm_hour,
                tm.tm_mday,
                tm.tm_mon,
                tm.tm_year,
                tm.tm_wday,
                tm.tm_yday,
                tm.tm_isdst,
            ],
            offset: tm.tm_gmtoff,
        }
    }
}

/// `gmtime` or `localtime`, with the abbreviation of the zone. `None` where the year does not fit.
pub fn calendar(time: i64, local: bool) -> Option<(Tm, String)> {
    let mut tm = Tm::default().to_c();
    // SAFETY: both pointers are to live values; the result is one of them or null.
    let result = unsafe {
        if local {
            libc::localtime_r(&raw const time, &raw mut tm)
        } else {
            libc::gmtime_r(&raw const time, &raw mut tm)
        }
    };
    if result.is_null() {
        return None;
    }
    let zone = if tm.tm_zone.is_null() {
        String::new()
    } else {
        // SAFETY: glibc's zone names are terminated and stay.
        unsafe { std::ffi::CStr::from_ptr(tm.tm_zone) }.to_string_lossy().into_owned()
    };
    Some((Tm::of(&tm), zone))
}

/// `mktime`, or `timegm`: the time and the normalised fields.
pub fn make_time(tm: Tm, local: bool) -> (i64, Tm) {
    let mut c = tm.to_c();
    // SAFETY: the pointer is to a live structure.
    let time = unsafe { if local { libc::mktime(&raw mut c) } else { libc::timegm(&raw mut c) } };
    (time, Tm::of(&c))
}

/// `strftime`: the bytes without the NUL, or `None` where they are more than `max` with it.
pub fn strftime(format: &[u8], tm: Tm, zone: &str, max: usize) -> Option<Vec<u8>> {
    // A mark at the end tells an empty result from one that does not fit.
    let mut marked = format.to_vec();
    marked.push(b'!');
    let format = CString::new(marked).ok()?;
    let zone = CString::new(zone).ok()?;
    let mut c = tm.to_c();
    c.tm_zone = zone.as_ptr();
    let mut buffer = vec![0u8; (max.min(1 << 20)).saturating_add(1)];
    // SAFETY: the buffer's size is given, the format is terminated, the structure and the zone live.
    let n =
        unsafe { libc::strftime(buffer.as_mut_ptr().cast(), buffer.len(), format.as_ptr(), &raw const c) };
    if n == 0 {
        return None;
    }
    buffer.truncate(n - 1);
    Some(buffer)
}

/// `clock`: processor time in microseconds.
pub fn processor_time() -> i64 {
    clock()
}

/// The text of an error number, as `strerror` has it.
pub fn strerror(errno: i32) -> String {
    let mut buffer = [0u8; 256];
    // SAFETY: the buffer's size is given; this is the XSI form, which writes there.
    let failed = unsafe { libc::strerror_r(errno, buffer.as_mut_ptr().cast(), buffer.len()) };
    // What did not fit has no end, and is nothing.
    let len = buffer.iter().position(|&b| b == 0).unwrap_or(0);
    if failed != 0 && len == 0 {
        return format!("Unknown error {errno}");
    }
    String::from_utf8_lossy(&buffer[..len]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendars_and_texts() {
        let (tm, zone) = calendar(951_782_400, false).expect("fits");
        assert_eq!(tm.fields, [0, 0, 0, 29, 1, 100, 2, 59, 0]);
        assert_eq!(make_time(tm, false).0, 951_782_400);
        assert_eq!(strftime(b"%Y-%m-%d %a", tm, &zone, 64).as_deref(), Some(&b"2000-02-29 Tue"[..]));
        assert_eq!(strftime(b"", tm, &zone, 64).as_deref(), Some(&b""[..]));
        assert_eq!(strftime(b"%Y", tm, &zone, 4), None);
        assert_eq!(strerror(2), "No such file or directory");
        assert_eq!(strerror(0), "Success");
        assert_eq!(strerror(4242), "Unknown error 4242");
    }
}
