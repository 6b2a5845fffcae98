//! What a user types at the debugger's prompt. Names are gdb's.

use super::Scope;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Stop where threads come to a place.
    Break(Breakpoint),
    /// Remove a breakpoint, or all.
    Delete(Option<u32>),
    /// Go on to the next breakpoint.
    Continue,
    /// Start the program, or start it again.
    Run,
    /// Go on so many lines.
    Step {
        /// Lines.
        count: u32,
        /// Past functions, and not into them.
        over: bool,
        /// Whose lines.
        scope: Scope,
    },
    /// Go back so many lines.
    ReverseStep {
        /// Lines.
        count: u32,
        /// Past functions, and not into them.
        over: bool,
        /// Whose lines.
        scope: Scope,
    },
    /// Go back to the last breakpoint, fault or finding.
    ReverseContinue,
    /// Go back to the call of the function.
    ReverseFinish,
    /// Go back to where a finding's access is, or the other one of a race.
    Finding(usize, bool),
    /// Whether to stop at findings.
    Catch(bool),
    /// Stop where bytes behind a pointer change; without a number, those of its type.
    Watch(String, Option<u64>),
    /// Show so many bytes behind a pointer.
    Memory(String, u64),
    /// Go on until the function has returned.
    Finish,
    /// Show the value of an expression.
    Print(String),
    /// Show an expression for each thread that is here.
    PrintAll(String),
    /// Show the functions that are being executed.
    Backtrace,
    /// Look at another frame.
    Frame(usize),
    /// Look at the frame outside this many others, or inside them.
    Move(i64),
    /// Look at another of the threads that are here.
    Thread(Option<u32>),
    /// Show the source around a line.
    List(Option<u32>),
    /// Show what there is.
    Info(Info),
    /// End the program.
    Quit,
    /// Say what commands there are.
    Help,
    /// Nothing.
    Empty,
}

/// A breakpoint as it was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakpoint {
    /// Where.
    pub at: Location,
    /// For a block only, by its index.
    pub block: Option<[u32; 3]>,
    /// For a thread of a block only, by its linear number.
    pub thread: Option<u32>,
    /// Only where this is not 0.
    pub condition: Option<String>,
    /// Once.
    pub temporary: bool,
}

/// A place as it was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Location {
    /// A line, in the file that is meant; without one, in the current.
    Line(Option<String>, u32),
    /// Where a function starts.
    Function(String),
}

/// What there is to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Info {
    /// The breakpoints.
    Breakpoints,
    /// The variables of the frame.
    Locals,
    /// The shared variables of the block.
    Shared,
    /// The threads that are here.
    Threads,
    /// What was found so far.
    Findings,
}

impl Command {
    /// Whether an empty line behind it repeats it.
    pub fn repeats(&self) -> bool {
        matches!(
            self,
            Command::Step { .. }
                | Command::ReverseStep { .. }
                | Command::Continue
                | Command::ReverseContinue
                | Command::List(_)
        )
    }
}

/// Reads a command.
///
/// # Errors
/// What is wrong with it, for the user.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
    let count = || match rest {
        "" => Ok(1),
        n => n.parse().map_err(|_| format!("`{n}` is not a number")),
    };
    // `[thread|warp|block] [N]`
    let lines = || {
        let (scope, n) = match rest.split_once(' ').unwrap_or((rest, "")) {
            ("thread", n) => (Scope::Thread, n.trim()),
            ("warp", n) => (Scope::Warp, n.trim()),
            ("block", n) => (Scope::Block, n.trim()),
            _ => (Scope::Thread, rest),
        };
        let count =
            if n.is_empty() { Ok(1) } else { n.parse().map_err(|_| format!("`{n}` is not a number")) };
        Ok::<(u32, Scope), String>((count?, scope))
    };
    let step = |over| lines().map(|(count, scope)| Command::Step { count, over, scope });
    let back = |over| lines().map(|(count, scope)| Command::ReverseStep { count, over, scope });
    let number = |n: &str| n.parse().map_err(|_| format!("`{n}` is not a number"));
    Ok(match word {
        "" => Command::Empty,
        "b" | "break" => Command::Break(breakpoint(rest, false)?),
        "tb" | "tbreak" => Command::Break(breakpoint(rest, true)?),
        "d" | "delete" => Command::Delete(if rest.is_empty() { None } else { Some(number(rest)?) }),
        "r" | "run" => Command::Run,
        "c" | "continue" => Command::Continue,
        "s" | "step" => step(false)?,
        "n" | "next" => step(true)?,
        "rs" | "reverse-step" => back(false)?,
        "rn" | "reverse-next" => back(true)?,
        "rc" | "reverse-continue" => Command::ReverseContinue,
        "fin" | "finish" => Command::Finish,
        "reverse-finish" => Command::ReverseFinish,
        "finding" => match rest.split_once(' ') {
            None => Command::Finding(number(rest)? as usize, false),
            Some((n, "other")) => Command::Finding(number(n)? as usize, true),
            Some((_, word)) => return Err(format!("`finding` takes a number and `other`, not `{word}`")),
        },
        "catch" => match rest {
            "on" => Command::Catch(true),
            "off" => Command::Catch(false),
            _ => return Err("`catch` takes `on` or `off`".to_owned()),
        },
        "watch" if rest.is_empty() => {
            return Err("`watch` takes a pointer, and behind a comma a number of bytes".to_owned());
        }
        "watch" => {
            let (pointer, bytes) = pointer(rest)?;
            Command::Watch(pointer, bytes)
        }
        "x" if rest.is_empty() => {
            return Err("`x` takes a pointer, and behind a comma a number of bytes".to_owned());
        }
        "x" => {
            let (pointer, bytes) = pointer(rest)?;
            Command::Memory(pointer, bytes.unwrap_or(BYTES))
        }
        "p" | "print" if rest.is_empty() => return Err("`print` takes an expression".to_owned()),
        "p" | "print" => match rest.strip_prefix("all ") {
            Some(expression) => Command::PrintAll(expression.trim().to_owned()),
            None => Command::Print(rest.to_owned()),
        },
        "bt" | "backtrace" | "where" => Command::Backtrace,
        "f" | "frame" => Command::Frame(if rest.is_empty() { 0 } else { number(rest)? as usize }),
        "up" => Command::Move(i64::from(count()?)),
        "down" => Command::Move(-i64::from(count()?)),
        "t" | "thread" => Command::Thread(if rest.is_empty() { None } else { Some(number(rest)?) }),
        "l" | "list" => Command::List(if rest.is_empty() { None } else { Some(number(rest)?) }),
        "i" | "info" => Command::Info(match rest {
            "b" | "break" | "breakpoints" => Info::Breakpoints,
            "locals" | "args" | "variables" => Info::Locals,
            "shared" => Info::Shared,
            "threads" => Info::Threads,
            "findings" => Info::Findings,
            _ => {
                return Err(
                    "`info` takes `breakpoints`, `findings`, `locals`, `shared` or `threads`".to_owned()
                );
            }
        }),
        "q" | "quit" | "exit" => Command::Quit,
        "h" | "help" => Command::Help,
        _ => return Err(format!("there is no command `{word}`; `help` lists them")),
    })
}

/// Bytes that `x` shows if nobody says how many, and at most.
const BYTES: u64 = 64;
const MOST_BYTES: u64 = 4096;

/// `POINTER[, BYTES]`
fn pointer(text: &str) -> Result<(String, Option<u64>), String> {
    let Some((pointer, bytes)) = text.rsplit_once(',') else { return Ok((text.to_owned(), None)) };
    let n = bytes.trim();
    let bytes = n.parse().ok().filter(|n| (1..=MOST_BYTES).contains(n));
    let wrong = || format!("`{n}` is not a number of bytes from 1 to {MOST_BYTES}");
    Ok((pointer.trim().to_owned(), Some(bytes.ok_or_else(wrong)?)))
}

/// `LINE`, `FILE:LINE` or a function's name, and behind it `block X[,Y[,Z]]`, `thread N` and `if CONDITION`.
fn breakpoint(text: &str, temporary: bool) -> Result<Breakpoint, String> {
    let part = |text: &str, word: &str| match text.split_once(word) {
        Some((before, after)) => (before.trim().to_owned(), Some(after.trim().to_owned())),
        None => (text.to_owned(), None),
    };
    let (text, condition) = part(text, " if ");
    let (text, thread) = part(&text, " thread ");
    let (place, block) = part(&text, " block ");
    let thread = match thread {
        Some(n) => Some(n.parse().map_err(|_| format!("`{n}` is not the number of a thread"))?),
        None => None,
    };
    let block = match block {
        Some(text) => Some(index(&text).ok_or_else(|| format!("`{text}` is not the index of a block"))?),
        None => None,
    };
    Ok(Breakpoint { at: location(&place)?, block, thread, condition, temporary })
}

/// `X[,Y[,Z]]`
fn index(text: &str) -> Option<[u32; 3]> {
    let mut all = [0; 3];
    let parts: Vec<&str> = text.split(',').collect();
    for (n, part) in parts.iter().enumerate() {
        *all.get_mut(n)? = part.trim().parse().ok()?;
    }
    Some(all)
}

fn location(place: &str) -> Result<Location, String> {
    if place.is_empty() {
        return Err("`break` takes a line, FILE:LINE or a function".to_owned());
    }
    if let Ok(line) = place.parse() {
        return Ok(Location::Line(None, line));
    }
    let in_file = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    Ok(match in_file {
        Some((file, line)) => Location::Line(Some(file.to_owned()), line),
        None => Location::Function(place.to_owned()),
    })
}

/// What `help` says.
pub const HELP: &str = "\
break LINE|FILE:LINE|FUNCTION [block X,Y,Z] [thread N] [if CONDITION]
                        stop before it, where threads come there (tbreak: once)
delete [N]              remove a breakpoint, or all
catch on|off            stop where something is found (on unless told)
run                     start the program, or start it again
continue                go on to the next breakpoint, fault or finding
step [thread|warp|block] [N], next …
                        go on to the next line, into functions or past them
finish                  go on until the function has returned
reverse-step, reverse-next (rs, rn), reverse-finish, reverse-continue (rc)
                        the same, back
watch POINTER[, BYTES]  stop where these bytes have changed; back: where they change
finding N [other]       go back to a finding's access, or to the other of a race
print EXPRESSION        its value for the thread; print all EXPRESSION: for each
                        thread that is here
x POINTER[, BYTES]      bytes of memory; ?? was never written
backtrace, frame N, up, down
thread [N]              look at another thread of the block
list [LINE]             the source
info breakpoints|findings|locals|shared|threads
quit
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let at = |at, thread, condition: Option<&str>| {
            let condition = condition.map(str::to_owned);
            Ok(Command::Break(Breakpoint { at, thread, block: None, condition, temporary: false }))
        };
        assert_eq!(parse("b 12"), at(Location::Line(None, 12), None, None));
        assert_eq!(
            parse("break k.cu:3 thread 5 if i == 2"),
            at(Location::Line(Some("k.cu".to_owned()), 3), Some(5), Some("i == 2"))
        );
        assert_eq!(parse("b n::f"), at(Location::Function("n::f".to_owned()), None, None));
        let step = |count, over, scope| Ok(Command::Step { count, over, scope });
        assert_eq!(parse("s 3"), step(3, false, Scope::Thread));
        assert_eq!(parse("next warp"), step(1, true, Scope::Warp));
        assert_eq!(parse("rn"), Ok(Command::ReverseStep { count: 1, over: true, scope: Scope::Thread }));
        assert_eq!(parse("finding 2 other"), Ok(Command::Finding(2, true)));
        assert_eq!(parse("x p + 1, 8"), Ok(Command::Memory("p + 1".to_owned(), 8)));
        let Ok(Command::Break(b)) = parse("break 7 block 1,2 thread 3 if x") else { panic!("a breakpoint") };
        assert_eq!((b.block, b.thread, b.condition.as_deref()), (Some([1, 2, 0]), Some(3), Some("x")));
        assert!(
            parse("b 3 block 1,2,3,4").is_err() && parse("x p, 0").is_err() && parse("s warp x").is_err()
        );
        assert_eq!(parse("p all x + 1"), Ok(Command::PrintAll("x + 1".to_owned())));
        assert_eq!(parse("  "), Ok(Command::Empty));
        assert!(parse("break").is_err());
        assert!(parse("fly").is_err());
        assert!(parse("b 3 thread x").is_err());
    }
}
