//! What the `launch` request says.

use super::wire::Request;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// What is to be launched, and how.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The words of the command line: `cudair debug`, options, files, `--`, arguments.
    pub words: Vec<String>,
    /// Where the program is to run; without one, where the debugger does.
    pub folder: Option<PathBuf>,
    /// Stop at its first line.
    pub stops_on_entry: bool,
    /// Never stop.
    pub no_debug: bool,
    /// The file that is its standard input, from that folder.
    pub stdin: Option<PathBuf>,
}

impl Launch {
    /// Reads the arguments of the request.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(request: &Request) -> Result<Launch, String> {
        let files = match request.arguments.get("program") {
            Some(Value::String(file)) => vec![file.clone()],
            Some(Value::Array(_)) => words(request, "program")?,
            None | Some(Value::Null) => Vec::new(),
            Some(other) => return Err(format!("`program` is a file or a list of files, not `{other}`")),
        };
        if files.is_empty() {
            return Err("`program` names no file".to_owned());
        }
        if request.arguments.get("env").is_some_and(|env| env.as_object().is_none_or(|all| !all.is_empty())) {
            return Err("`env` is not possible: the program sees the variables of `cudair dap`".to_owned());
        }
        let folder = request.text("cwd")?.map(PathBuf::from);
        // Editors name files by their whole paths, and so does the program.
        let mut base = std::env::current_dir().map_err(|e| format!("there is no current folder: {e}"))?;
        if let Some(folder) = &folder {
            base.push(folder);
        }
        if let Some(own) =
            words(request, "options")?.iter().find(|o| o.split('=').next() == Some("--commands"))
        {
            return Err(format!("`{own}` is for the prompt of `cudair debug`"));
        }
        let mut all = vec!["cudair".to_owned(), "debug".to_owned()];
        all.extend(words(request, "options")?);
        all.extend(files.iter().map(|file| base.join(file).to_string_lossy().into_owned()));
        let arguments = words(request, "args")?;
        if !arguments.is_empty() {
            all.push("--".to_owned());
            all.extend(arguments);
        }
        Ok(Launch {
            words: all,
            folder,
            stops_on_entry: request.truth("stopOnEntry")?.unwrap_or(false),
            no_debug: request.truth("noDebug")?.unwrap_or(false),
            stdin: request.text("stdin")?.map(PathBuf::from),
        })
    }

    /// What the program's standard input has: nothing, or a file as it is now.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn input(&self) -> Result<Arc<[u8]>, String> {
        let Some(file) = &self.stdin else { return Ok(Arc::default()) };
        std::fs::read(file).map(Arc::from).map_err(|e| format!("cannot read {}: {e}", file.display()))
    }

    /// Goes to where the program is to run.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn enter(&self) -> Result<(), String> {
        let Some(folder) = &self.folder else { return Ok(()) };
        std::env::set_current_dir(folder).map_err(|e| format!("`cwd` is {}: {e}", folder.display()))
    }
}

/// A list of words among the arguments; none where nothing is said.
fn words(request: &Request, name: &str) -> Result<Vec<String>, String> {
    let word = |word: &Value| match word {
        Value::String(word) => Ok(word.clone()),
        other => Err(format!("`{name}` is a list of texts, and `{other}` is none")),
    };
    request.list(name)?.unwrap_or_default().iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn launch(arguments: Value) -> Result<Launch, String> {
        Launch::read(&Request { seq: 1, command: "launch".to_owned(), arguments })
    }

    #[test]
    fn arguments_become_words() {
        let all = launch(json!({
            "program": ["a.cu", "/b.cu"], "cwd": "/x", "args": ["1", "-v"], "options": ["-I", "inc"], "stopOnEntry": true,
        }));
        let all = all.expect("well-formed");
        assert_eq!(all.words, ["cudair", "debug", "-I", "inc", "/x/a.cu", "/b.cu", "--", "1", "-v"]);
        assert!(all.stops_on_entry && !all.no_debug);
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (arguments, expected) in [
            (json!({}), "`program` names no file"),
            (json!({ "program": 3 }), "`program` is a file or a list of files"),
            (json!({ "program": "a.cu", "args": "x" }), "`args` is a list, not `\"x\"`"),
            (json!({ "program": "a.cu", "args": [1] }), "`args` is a list of texts"),
            (json!({ "program": "a.cu", "env": { "A": "1" } }), "`env` is not possible"),
            (json!({ "program": "a.cu", "options": ["--commands=x"] }), "`--commands=x` is for the prompt"),
            (json!({ "program": "a.cu", "stopOnEntry": 1 }), "`stopOnEntry` is true or false"),
        ] {
            let error = launch(arguments).expect_err(expected);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
