//! `getopt` and `getopt_long`, with glibc's permutation of the arguments and its messages.

use super::stdio::write_stderr;
use crate::layout::{Fields, element, option};
use crate::{Kept, ProcessCall, Table, named};
use cudair_engine::guest::{Guest, Host};
use cudair_engine::parts::HostProcess;
use cudair_engine::{Args, HostFn, ProcessFn, Ret};
use cudair_lane::fault::Stop;
use cudair_lane::ptr::Ptr;

/// Where the scan stands between calls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Getopt {
    /// The rest of a group of short options.
    next: Ptr,
    /// Arguments that are no options and were skipped: from, to.
    first_skipped: i32,
    last_skipped: i32,
    started: bool,
    /// What the options of the first call asked for: arguments in their place as results, or an end at the first.
    in_order: bool,
    require_order: bool,
}

/// One entry of `struct option`.
struct Long {
    name: Vec<u8>,
    has_argument: i32,
    flag: Ptr,
    value: i32,
}

struct Scan<'a, 'm, 'b, 'c> {
    h: ProcessCall<'a, 'm>,
    a: &'b Args<'c>,
    argc: i32,
    argv: Ptr,
    state: Getopt,
}

impl Scan<'_, '_, '_, '_> {
    fn global(&mut self, name: &str) -> Result<Ptr, Stop> {
        super::library_variable(self.h.m, name)
    }

    fn int(&mut self, name: &str) -> Result<i32, Stop> {
        let ptr = self.global(name)?;
        Ok(self.h.word(ptr, 4)? as i32)
    }

    fn set_int(&mut self, name: &str, value: i32) -> Result<(), Stop> {
        let ptr = self.global(name)?;
        self.h.put(ptr, u64::from(value as u32), 4)
    }

    fn set_optarg(&mut self, value: Ptr) -> Result<(), Stop> {
        let ptr = self.global("optarg")?;
        self.h.put(ptr, value.0, 8)
    }

    fn arg(&mut self, i: i32) -> Result<Ptr, Stop> {
        Ok(Ptr(self.h.word(self.argv.add(8 * i64::from(i)), 8)?))
    }

    fn text(&mut self, i: i32) -> Result<Vec<u8>, Stop> {
        let ptr = self.arg(i)?;
        self.h.cstr(ptr, None)
    }

    fn complain(&mut self, message: &str) -> Result<(), Stop> {
        if self.int("opterr")? != 0 {
            let mut line = self.text(0)?;
            line.extend_from_slice(b": ");
            line.extend_from_slice(message.as_bytes());
            line.push(b'\n');
            write_stderr(self.h.m, &line);
        }
        Ok(())
    }

    /// Exchanges the skipped arguments with the options behind them.
    fn exchange(&mut self, optind: i32) -> Result<(), Stop> {
        let (from, middle) = (self.state.first_skipped, self.state.last_skipped);
        let mut values = Vec::new();
        for i in from..optind {
            values.push(self.arg(i)?);
        }
        values.rotate_left((middle - from) as usize);
        for (i, value) in values.into_iter().enumerate() {
            self.h.put(self.argv.add(8 * (i64::from(from) + i as i64)), value.0, 8)?;
        }
        self.state.first_skipped += optind - middle;
        self.state.last_skipped = optind;
        Ok(())
    }
}

/// The entries of an array of `struct option`.
fn long_options(h: &mut ProcessCall<'_, '_>, at: Ptr) -> Result<Vec<Long>, Stop> {
    let mut out = Vec::new();
    if at.is_null() {
        return Ok(out);
    }
    loop {
        let entry = element::<option>(at, out.len() as u64);
        let name = h.field(entry, option::name)?;
        if name.is_null() {
            return Ok(out);
        }
        out.push(Long {
            name: h.cstr(name, None)?,
            has_argument: h.field(entry, option::has_arg)?,
            flag: h.field(entry, option::flag)?,
            value: h.field(entry, option::val)?,
        });
    }
}

fn getopt(m: &mut HostProcess<'_>, a: &Args<'_>, long: bool, only: bool) -> Result<Ret, Stop> {
    let state = m.libc.get().getopt;
    let h = Host::new(m, a, "getopt");
    let mut scan = Scan { h, a, argc: a.i32(0), argv: a.ptr(1), state };
    let result = step(&mut scan, long, only)?;
    let state = scan.state;
    m.libc.get_mut().getopt = state;
    Ok(result.into())
}

fn step(s: &mut Scan<'_, '_, '_, '_>, long: bool, only: bool) -> Result<i32, Stop> {
    let mut options = s.h.cstr(s.a.ptr(2), None)?;
    let mut optind = s.int("optind")?;
    s.set_optarg(Ptr::NULL)?;
    if !s.state.started || optind == 0 {
        optind = optind.max(1);
        s.state = Getopt {
            started: true,
            first_skipped: optind,
            last_skipped: optind,
            in_order: options.first() == Some(&b'-'),
            require_order: options.first() == Some(&b'+'),
            ..Getopt::default()
        };
    }
    if matches!(options.first(), Some(b'-' | b'+')) {
        options.remove(0);
    }
    let silent = options.first() == Some(&b':');
    let in_group = !s.state.next.is_null() && s.h.word(s.state.next, 1)? != 0;
    if !in_group {
        let start = match next_word(s, &mut optind)? {
            Word::Option(start, text) => {
                if long && text.starts_with(b"--") {
                    return long_option(s, optind, start.add(2), &text[2..], "--", silent);
                }
                if long && only && (text.len() > 2 || !options.contains(&text[1])) {
                    return long_option(s, optind, start.add(1), &text[1..], "-", silent);
                }
                start
            }
            Word::Other(result) => return Ok(result),
        };
        s.state.next = start.add(1);
    }
    short_option(s, &options, optind, silent)
}

/// A word of the command line.
enum Word {
    /// An option: where it stands, and its text.
    Option(Ptr, Vec<u8>),
    /// None; what the call gives.
    Other(i32),
}

/// Goes to the next word that is an option, by the order that was asked for.
fn next_word(s: &mut Scan<'_, '_, '_, '_>, at: &mut i32) -> Result<Word, Stop> {
    let (in_order, require_order) = (s.state.in_order, s.state.require_order);
    let mut optind = *at;
    s.state.last_skipped = s.state.last_skipped.min(optind);
    s.state.first_skipped = s.state.first_skipped.min(optind);
    if !in_order && !require_order {
        if s.state.first_skipped != s.state.last_skipped && s.state.last_skipped != optind {
            s.exchange(optind)?;
        } else if s.state.last_skipped != optind {
            s.state.first_skipped = optind;
        }
        while optind < s.argc && !is_option(&s.text(optind)?) {
            optind += 1;
        }
        s.state.last_skipped = optind;
    }
    if optind < s.argc && s.text(optind)? == b"--" {
        optind += 1;
        if s.state.first_skipped != s.state.last_skipped && s.state.last_skipped != optind {
            s.exchange(optind)?;
        } else if s.state.first_skipped == s.state.last_skipped {
            s.state.first_skipped = optind;
        }
        s.state.last_skipped = s.argc;
        optind = s.argc;
    }
    if optind >= s.argc {
        if s.state.first_skipped != s.state.last_skipped {
            optind = s.state.first_skipped;
        }
        s.set_int("optind", optind)?;
        return Ok(Word::Other(-1));
    }
    let text = s.text(optind)?;
    if !is_option(&text) {
        s.set_int("optind", optind)?;
        if require_order {
            return Ok(Word::Other(-1));
        }
        let arg = s.arg(optind)?;
        s.set_optarg(arg)?;
        s.set_int("optind", optind + 1)?;
        return Ok(Word::Other(1));
    }
    *at = optind;
    Ok(Word::Option(s.arg(optind)?, text))
}

/// An option by its letter, in the word that the state names.
fn short_option(
    s: &mut Scan<'_, '_, '_, '_>,
    options: &[u8],
    mut optind: i32,
    silent: bool,
) -> Result<i32, Stop> {
    let letter = s.h.word(s.state.next, 1)? as u8;
    s.state.next = s.state.next.add(1);
    let at_end = s.h.word(s.state.next, 1)? == 0;
    let position = options.iter().position(|&o| o == letter && letter != b':' && letter != b';');
    if at_end {
        optind += 1;
    }
    let Some(position) = position else {
        if !silent {
            s.complain(&format!("invalid option -- '{}'", char::from(letter)))?;
        }
        s.set_int("optopt", i32::from(letter))?;
        s.set_int("optind", optind)?;
        return Ok(i32::from(b'?'));
    };
    let mut result = i32::from(letter);
    if options.get(position + 1) == Some(&b':') {
        let optional = options.get(position + 2) == Some(&b':');
        if !at_end {
            let rest = s.state.next;
            s.set_optarg(rest)?;
            optind += 1;
        } else if !optional {
            if optind < s.argc {
                let arg = s.arg(optind)?;
                s.set_optarg(arg)?;
                optind += 1;
            } else {
                if !silent {
                    s.complain(&format!("option requires an argument -- '{}'", char::from(letter)))?;
                }
                s.set_int("optopt", i32::from(letter))?;
                result = i32::from(if silent { b':' } else { b'?' });
            }
        }
        s.state.next = Ptr::NULL;
    }
    s.set_int("optind", optind)?;
    Ok(result)
}

fn is_option(text: &[u8]) -> bool {
    text.len() > 1 && text[0] == b'-'
}

/// An option by name: exactly, or by an unambiguous beginning.
fn long_option(
    s: &mut Scan<'_, '_, '_, '_>,
    optind: i32,
    start: Ptr,
    text: &[u8],
    dashes: &str,
    silent: bool,
) -> Result<i32, Stop> {
    let all = long_options(&mut s.h, s.a.ptr(3))?;
    let len = text.iter().position(|&b| b == b'=').unwrap_or(text.len());
    let name = &text[..len];
    let shown = format!("{dashes}{}", String::from_utf8_lossy(name));
    s.state.next = Ptr::NULL;
    let mut optind = optind + 1;
    let exact = all.iter().position(|o| o.name == name);
    let candidates: Vec<usize> = (0..all.len()).filter(|&i| all[i].name.starts_with(name)).collect();
    let same = |i: &usize| {
        let (o, first) = (&all[*i], &all[candidates[0]]);
        o.has_argument == first.has_argument && o.flag == first.flag && o.value == first.value
    };
    let found = exact.or_else(|| candidates.first().copied().filter(|_| candidates.iter().all(same)));
    let Some(index) = found else {
        if !silent {
            if candidates.is_empty() {
                s.complain(&format!("unrecognized option '{shown}'"))?;
            } else {
                let list: Vec<String> = candidates
                    .iter()
                    .map(|&i| format!("'{dashes}{}'", String::from_utf8_lossy(&all[i].name)))
                    .collect();
                s.complain(&format!("option '{shown}' is ambiguous; possibilities: {}", list.join(" ")))?;
            }
        }
        s.set_int("optind", optind)?;
        s.set_int("optopt", 0)?;
        return Ok(i32::from(b'?'));
    };
    let option = &all[index];
    let full = format!("{dashes}{}", String::from_utf8_lossy(&option.name));
    if len < text.len() {
        if option.has_argument == 0 {
            if !silent {
                s.complain(&format!("option '{full}' doesn't allow an argument"))?;
            }
            s.set_int("optind", optind)?;
            s.set_int("optopt", option.value)?;
            return Ok(i32::from(b'?'));
        }
        s.set_optarg(start.add(len as i64 + 1))?;
    } else if option.has_argument == 1 {
        if optind >= s.argc {
            if !silent {
                s.complain(&format!("option '{full}' requires an argument"))?;
            }
            s.set_int("optind", optind)?;
            s.set_int("optopt", option.value)?;
            return Ok(i32::from(if silent { b':' } else { b'?' }));
        }
        let arg = s.arg(optind)?;
        s.set_optarg(arg)?;
        optind += 1;
    }
    s.set_int("optind", optind)?;
    if !s.a.ptr(4).is_null() {
        s.h.put(s.a.ptr(4), index as u64, 4)?;
    }
    if option.flag.is_null() {
        return Ok(option.value);
    }
    s.h.put(option.flag, u64::from(option.value as u32), 4)?;
    Ok(0)
}

/// The functions by name.
pub(crate) fn lookup(name: &str) -> Option<HostFn> {
    named(FUNCTIONS, name).map(HostFn::Process)
}

const FUNCTIONS: Table<ProcessFn> = &[
    (&["getopt", "__posix_getopt"], |m, a| getopt(m, a, false, false)),
    (&["getopt_long"], |m, a| getopt(m, a, true, false)),
    (&["getopt_long_only"], |m, a| getopt(m, a, true, true)),
];
