//! Messages of the Debug Adapter Protocol on a pair of streams: a header with the length, and JSON (the protocol's overview,
//! "Base protocol").

use serde_json::{Map, Value, json};
use std::io::{BufRead, Read, Write};

/// Bytes of a message at most.
const MOST_BYTES: usize = 1 << 26;
/// Bytes of a header's line at most.
const MOST_HEADER: u64 = 4096;

/// What a client asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// Its number.
    pub seq: i64,
    /// What is to be done.
    pub command: String,
    /// With what; an empty object where nothing is said.
    pub arguments: Value,
}

impl Request {
    /// A text among the arguments, if there is one.
    ///
    /// # Errors
    /// It is there and no text.
    pub fn text(&self, name: &str) -> Result<Option<&str>, String> {
        match self.arguments.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{name}` is a text, not `{other}`")),
        }
    }

    /// An integer among the arguments, if there is one.
    ///
    /// # Errors
    /// It is there and no integer.
    pub fn number(&self, name: &str) -> Result<Option<i64>, String> {
        match self.arguments.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_i64() {
                Some(n) => Ok(Some(n)),
                None => Err(format!("`{name}` is an integer, not `{value}`")),
            },
        }
    }

    /// A truth value among the arguments, if there is one.
    ///
    /// # Errors
    /// It is there and something else.
    pub fn truth(&self, name: &str) -> Result<Option<bool>, String> {
        match self.arguments.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(b)) => Ok(Some(*b)),
            Some(other) => Err(format!("`{name}` is true or false, not `{other}`")),
        }
    }

    /// How many, among the arguments, if it says so.
    ///
    /// # Errors
    /// It is there and no such number.
    pub fn count(&self, name: &str) -> Result<Option<usize>, String> {
        let n = self.number(name)?;
        n.map(|n| usize::try_from(n).map_err(|_| format!("`{name}` is not {n}"))).transpose()
    }

    /// A list among the arguments, if there is one.
    ///
    /// # Errors
    /// It is there and no list.
    pub fn list(&self, name: &str) -> Result<Option<&[Value]>, String> {
        match self.arguments.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(all)) => Ok(Some(all)),
            Some(other) => Err(format!("`{name}` is a list, not `{other}`")),
        }
    }

    /// The answer to it: a body, or why there is none.
    pub fn answer(&self, result: Result<Value, String>) -> Map<String, Value> {
        let mut message = Map::new();
        message.insert("type".to_owned(), json!("response"));
        message.insert("request_seq".to_owned(), json!(self.seq));
        message.insert("success".to_owned(), json!(result.is_ok()));
        message.insert("command".to_owned(), json!(self.command));
        match result {
            Ok(Value::Null) => {}
            Ok(body) => {
                message.insert("body".to_owned(), body);
            }
            Err(why) => {
                let error = json!({ "id": 1, "format": why, "showUser": true });
                message.insert("message".to_owned(), json!(why));
                message.insert("body".to_owned(), json!({ "error": error }));
            }
        }
        message
    }
}

/// Reads a message; nothing at the end of the stream.
///
/// # Errors
/// What is wrong with it. What stands behind it cannot be read, as nobody knows where it starts.
pub fn read(from: &mut dyn BufRead) -> Result<Option<Value>, String> {
    let mut length: Option<usize> = None;
    loop {
        let mut line = Vec::new();
        let read = Read::take(&mut *from, MOST_HEADER).read_until(b'\n', &mut line);
        if read.map_err(|e| format!("the client cannot be read: {e}"))? == 0 {
            return match length {
                None => Ok(None),
                Some(_) => Err("a message ends in its header".to_owned()),
            };
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(format!("`{}` is no header of a message", line.escape_debug()));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let n = value.trim();
            length = Some(n.parse().map_err(|_| format!("`{}` is no length", n.escape_debug()))?);
        }
    }
    let length = length.ok_or("a message has no `Content-Length`")?;
    if length > MOST_BYTES {
        return Err(format!("a message of {length} bytes is too long"));
    }
    let mut bytes = Vec::new();
    let read = Read::take(&mut *from, length as u64).read_to_end(&mut bytes);
    read.map_err(|e| format!("the client cannot be read: {e}"))?;
    if bytes.len() < length {
        return Err(format!("a message of {length} bytes ends behind {}", bytes.len()));
    }
    serde_json::from_slice(&bytes).map(Some).map_err(|e| format!("a message is no JSON: {e}"))
}

/// The request that a message is.
///
/// # Errors
/// It is none.
pub fn request(message: &Value) -> Result<Request, String> {
    let field = |name: &str| message.get(name);
    let seq = field("seq").and_then(Value::as_i64).ok_or("a message has no `seq`")?;
    match field("type").and_then(Value::as_str) {
        Some("request") => {}
        Some(other) => return Err(format!("a client sends requests, no `{other}`")),
        None => return Err("a message has no `type`".to_owned()),
    }
    let command = field("command").and_then(Value::as_str).ok_or("a request has no `command`")?;
    let arguments = match field("arguments") {
        None | Some(Value::Null) => json!({}),
        Some(arguments) => arguments.clone(),
    };
    Ok(Request { seq, command: command.to_owned(), arguments })
}

/// Writes a message.
///
/// # Errors
/// It cannot be written.
pub fn write(to: &mut dyn Write, message: &Map<String, Value>) -> std::io::Result<()> {
    let text = serde_json::to_string(message)?;
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_and_written() {
        let request_ = json!({ "seq": 3, "type": "request", "command": "threads" });
        let mut bytes = Vec::new();
        write(&mut bytes, request_.as_object().expect("an object")).expect("written");
        let mut from: &[u8] = &bytes;
        let message = read(&mut from).expect("well-formed").expect("a message");
        let found = request(&message).expect("a request");
        assert_eq!((found.seq, found.command.as_str()), (3, "threads"));
        assert_eq!(read(&mut from), Ok(None));
        let answer = found.answer(Err("no".to_owned()));
        assert_eq!((&answer["success"], &answer["message"]), (&json!(false), &json!("no")));
    }

    #[test]
    fn what_is_no_message_is_told() {
        let wrong = |text: &str| read(&mut text.as_bytes()).expect_err("it is wrong");
        assert_eq!(wrong("GET / HTTP/1.1\r\n\r\n"), "`GET / HTTP/1.1` is no header of a message");
        assert_eq!(wrong("Content-Length: x\r\n\r\n"), "`x` is no length");
        assert_eq!(wrong("Other: 3\r\n\r\n{}"), "a message has no `Content-Length`");
        assert_eq!(wrong("Content-Length: 9\r\n\r\n{}"), "a message of 9 bytes ends behind 2");
        assert_eq!(wrong("Content-Length: 2\r\n"), "a message ends in its header");
        assert!(wrong("Content-Length: 99999999999\r\n\r\n").contains("too long"));
        assert!(wrong("Content-Length: 2\r\n\r\n{[").starts_with("a message is no JSON"));
        for message in [json!(1), json!({ "seq": 1 }), json!({ "seq": 1, "type": "event" })] {
            assert!(request(&message).is_err(), "{message}");
        }
    }
}
