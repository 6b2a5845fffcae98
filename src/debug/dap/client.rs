//! The client: what it asks for, as a thread of its own reads it, and what is sent to it.

use super::wire::{self, Request};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a program may take to end when the client wants it to. One that comes to no line of its user's, since it waits or
/// computes in a library, does not.
const PATIENCE: Duration = Duration::from_secs(2);

/// What comes from a client.
#[derive(Debug)]
pub enum Item {
    /// A request.
    Request(Request),
    /// Nothing more can be read, and why.
    Broken(String),
    /// The client is gone.
    Closed,
}

impl Item {
    /// Whether the session is to end.
    fn ends(&self) -> bool {
        match self {
            Item::Request(request) => matches!(request.command.as_str(), "disconnect" | "terminate"),
            Item::Broken(_) | Item::Closed => true,
        }
    }
}

/// The two streams of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Error,
}

/// A client.
pub struct Client {
    to: Mutex<Outgoing>,
    inbox: Mutex<Inbox>,
    changed: Condvar,
    /// The exit code, as the report has it.
    exit: AtomicU8,
    /// The debugger's own exit code, once the client has left.
    left: Mutex<Option<u8>>,
}

struct Outgoing {
    to: Box<dyn Write + Send>,
    seq: i64,
    /// Bytes of a character whose others have not been written yet, of each stream.
    rest: [Vec<u8>; 2],
    /// The client knows that the program has ended.
    terminated: bool,
}

#[derive(Default)]
struct Inbox {
    items: VecDeque<Item>,
    /// What makes a program that runs look here.
    attention: Option<Arc<AtomicBool>>,
}

/// Each change leaves what it guards whole.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Client {
    /// A client on two streams.
    ///
    /// # Errors
    /// There is no thread to read it.
    pub fn start(
        from: impl Read + Send + 'static,
        to: impl Write + Send + 'static,
    ) -> std::io::Result<Arc<Client>> {
        let to = Outgoing { to: Box::new(to), seq: 0, rest: [Vec::new(), Vec::new()], terminated: false };
        let client = Arc::new(Client {
            to: Mutex::new(to),
            inbox: Mutex::default(),
            changed: Condvar::new(),
            exit: AtomicU8::new(0),
            left: Mutex::new(None),
        });
        let own = client.clone();
        std::thread::Builder::new().name("client".to_owned()).spawn(move || own.listen(from))?;
        Ok(client)
    }

    /// Puts what the client sends into the queue.
    fn listen(&self, from: impl Read) {
        let mut from = BufReader::new(from);
        loop {
            let item = match wire::read(&mut from) {
                Ok(None) => Item::Closed,
                Ok(Some(message)) => wire::request(&message).map_or_else(Item::Broken, Item::Request),
                Err(why) => Item::Broken(why),
            };
            let (ends, last) = (item.ends(), !matches!(item, Item::Request(_)));
            let mut inbox = lock(&self.inbox);
            inbox.items.push_back(item);
            if let Some(attention) = &inbox.attention {
                attention.store(true, Relaxed);
            }
            self.changed.notify_all();
            if ends {
                let waits = |inbox: &mut Inbox| !inbox.items.is_empty();
                let waited = self.changed.wait_timeout_while(inbox, PATIENCE, waits);
                let (inbox, _) = waited.unwrap_or_else(PoisonError::into_inner);
                if let Some(item) = inbox.items.back() {
                    self.abandon(item);
                }
            }
            if last {
                return;
            }
        }
    }

    /// Ends the process in place of a program that does not look here.
    fn abandon(&self, item: &Item) -> ! {
        self.say("console", "the program did not stop in time, and was ended with the debugger\n");
        if let Item::Request(request) = item {
            self.answer(request, Ok(Value::Null));
        }
        self.terminated();
        let code = if let Item::Broken(_) = item { crate::EXIT_USAGE } else { 0 };
        std::process::exit(code.into());
    }

    /// Requests from now on make a program that runs look here.
    pub fn attract(&self, attention: &Arc<AtomicBool>) {
        let mut inbox = lock(&self.inbox);
        inbox.attention = Some(attention.clone());
        if !inbox.items.is_empty() {
            attention.store(true, Relaxed);
        }
    }

    /// What comes next. The end of the client stays.
    pub fn wait(&self) -> Item {
        let inbox = lock(&self.inbox);
        let none = |inbox: &mut Inbox| inbox.items.is_empty();
        let mut inbox = self.changed.wait_while(inbox, none).unwrap_or_else(PoisonError::into_inner);
        self.take_first(&mut inbox).unwrap_or(Item::Closed)
    }

    /// What has come already.
    pub fn take(&self) -> Option<Item> {
        self.take_first(&mut lock(&self.inbox))
    }

    fn take_first(&self, inbox: &mut Inbox) -> Option<Item> {
        let item = inbox.items.pop_front();
        self.changed.notify_all();
        item
    }

    /// Answers a request.
    pub fn answer(&self, request: &Request, result: Result<Value, String>) {
        lock(&self.to).send(request.answer(result));
    }

    /// Tells the client of something.
    pub fn event(&self, name: &str, body: Value) {
        lock(&self.to).event(name, body);
    }

    /// A text for the user.
    pub fn say(&self, category: &str, text: &str) {
        self.event("output", json!({ "category": category, "output": text }));
    }

    /// Where a program writes.
    pub fn stream(self: &Arc<Client>, stream: Stream) -> Box<dyn Write + Send> {
        Box::new(Output { client: self.clone(), stream })
    }

    /// Sends what is left of the program's streams at its end.
    pub fn close_streams(&self) {
        let mut to = lock(&self.to);
        for stream in [Stream::Out, Stream::Error] {
            let rest = std::mem::take(&mut to.rest[stream as usize]);
            to.output(stream, &String::from_utf8_lossy(&rest));
        }
    }

    /// Tells that the program has ended, once.
    pub fn terminated(&self) {
        let mut to = lock(&self.to);
        if !std::mem::replace(&mut to.terminated, true) {
            to.event("terminated", json!({}));
        }
    }

    /// The client has left: it said so, or nothing more can be read.
    pub fn leave(&self, broken: Option<&str>) {
        if let Some(why) = broken {
            self.say("stderr", &format!("error: {why}\n"));
            let _ = writeln!(std::io::stderr(), "error: {why}");
        }
        *lock(&self.left) = Some(if broken.is_some() { crate::EXIT_USAGE } else { 0 });
    }

    /// The debugger's own exit code, if the client has left.
    pub fn left(&self) -> Option<u8> {
        *lock(&self.left)
    }

    /// The exit code is known.
    pub fn ended(&self, code: u8) {
        self.exit.store(code, Relaxed);
    }

    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        self.exit.load(Relaxed)
    }
}

impl Outgoing {
    fn send(&mut self, mut message: Map<String, Value>) {
        self.seq += 1;
        message.insert("seq".to_owned(), json!(self.seq));
        // A client that has gone away is noticed where requests are read.
        let _ = wire::write(&mut self.to, &message);
    }

    fn event(&mut self, name: &str, body: Value) {
        let mut message = Map::new();
        message.insert("type".to_owned(), json!("event"));
        message.insert("event".to_owned(), json!(name));
        message.insert("body".to_owned(), body);
        self.send(message);
    }

    fn output(&mut self, stream: Stream, text: &str) {
        let category = match stream {
            Stream::Out => "stdout",
            Stream::Error => "stderr",
        };
        if !text.is_empty() {
            self.event("output", json!({ "category": category, "output": text }));
        }
    }
}

/// A stream of the program.
struct Output {
    client: Arc<Client>,
    stream: Stream,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut to = lock(&self.client.to);
        let rest = &mut to.rest[self.stream as usize];
        rest.extend_from_slice(bytes);
        let whole = whole_characters(rest);
        let text: Vec<u8> = rest.drain(..whole).collect();
        to.output(self.stream, &String::from_utf8_lossy(&text));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// How many bytes there are before a character that has only begun.
fn whole_characters(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match std::str::from_utf8(&bytes[at..]) {
            Ok(_) => return bytes.len(),
            Err(e) => match e.error_len() {
                None => return at + e.valid_up_to(),
                Some(n) => at += e.valid_up_to() + n,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_sent_whole() {
        assert_eq!(whole_characters("aé".as_bytes()), 3);
        assert_eq!(whole_characters(b"a\xc3"), 1);
        assert_eq!(whole_characters(b"a\xffb\xe2\x82"), 3);
        assert_eq!(whole_characters(b""), 0);
    }
}
