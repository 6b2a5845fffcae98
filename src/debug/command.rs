//! What a user types at the debugger's prompt. Names are gdb's.

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Stop where threads come to a place.
    Break(Breakpoint),
    /// Remove a breakpoint, or all.
    Delete(Option<u32>),
    /// Go on to the next breakpoint.
    Continue,
    /// Go on to the next line of the thread, into functions.
    Step(u32),
    /// The same, past functions.
    Next(u32),
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
    let number = |n: &str| n.parse().map_err(|_| format!("`{n}` is not a number"));
    Ok(match word {
        "" => Command::Empty,
        "b" | "break" => Command::Break(breakpoint(rest, false)?),
        "tb" | "tbreak" => Command::Break(breakpoint(rest, true)?),
        "d" | "delete" => Command::Delete(if rest.is_empty() { None } else { Some(number(rest)?) }),
        "r" | "run" | "c" | "continue" => Command::Continue,
        "s" | "step" => Command::Step(count()?),
        "n" | "next" => Command::Next(count()?),
        "fin" | "finish" => Command::Finish,
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
            _ => return Err("`info` takes `breakpoints`, `locals`, `shared` or `threads`".to_owned()),
        }),
        "q" | "quit" | "exit" => Command::Quit,
        "h" | "help" => Command::Help,
        _ => return Err(format!("there is no command `{word}`; `help` lists them")),
    })
}

/// `LINE`, `FILE:LINE` or a function's name, and behind it `thread N` and `if CONDITION`.
fn breakpoint(text: &str, temporary: bool) -> Result<Breakpoint, String> {
    let (text, condition) = match text.split_once(" if ") {
        Some((text, condition)) => (text.trim(), Some(condition.trim().to_owned())),
        None => (text, None),
    };
    let (place, thread) = match text.split_once(" thread ") {
        Some((place, n)) => {
            let n = n.trim();
            (place.trim(), Some(n.parse().map_err(|_| format!("`{n}` is not the number of a thread"))?))
        }
        None => (text, None),
    };
    let at = match (place.parse(), place.rsplit_once(':')) {
        _ if place.is_empty() => return Err("`break` takes a line, FILE:LINE or a function".to_owned()),
        (Ok(line), _) => Location::Line(None, line),
        (_, Some((file, line))) if line.parse::<u32>().is_ok() => {
            Location::Line(Some(file.to_owned()), line.parse().unwrap_or_default())
        }
        _ => Location::Function(place.to_owned()),
    };
    Ok(Breakpoint { at, thread, condition, temporary })
}

/// What `help` says.
pub const HELP: &str = "\
break LINE|FILE:LINE|FUNCTION [thread N] [if CONDITION]
                        stop before it, where threads come there (tbreak: once)
delete [N]              remove a breakpoint, or all
run, continue           go on to the next breakpoint
step [N], next [N]      go on to the thread's next line, into functions or past them
finish                  go on until the function has returned
print EXPRESSION        its value for the thread; print all EXPRESSION: for each thread that is here
backtrace, frame N, up, down
thread [N]              look at another of the threads that are here
list [LINE]             the source
info breakpoints|locals|shared|threads
quit
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let at = |at, thread, condition: Option<&str>| {
            let condition = condition.map(str::to_owned);
            Ok(Command::Break(Breakpoint { at, thread, condition, temporary: false }))
        };
        assert_eq!(parse("b 12"), at(Location::Line(None, 12), None, None));
        assert_eq!(
            parse("break k.cu:3 thread 5 if i == 2"),
            at(Location::Line(Some("k.cu".to_owned()), 3), Some(5), Some("i == 2"))
        );
        assert_eq!(parse("b n::f"), at(Location::Function("n::f".to_owned()), None, None));
        assert_eq!(parse("s 3"), Ok(Command::Step(3)));
        assert_eq!(parse("p all x + 1"), Ok(Command::PrintAll("x + 1".to_owned())));
        assert_eq!(parse("  "), Ok(Command::Empty));
        assert!(parse("break").is_err());
        assert!(parse("fly").is_err());
        assert!(parse("b 3 thread x").is_err());
    }
}
