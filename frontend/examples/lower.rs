//! Lowers the files given and prints the IR: `cargo run -p cudair-frontend --example lower -- [--all] FILE…`
use cudair_frontend::{Lowered, Options, lower_files};

fn main() {
    let mut options = Options::default();
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--all" => options.all_functions = true,
            a if a.starts_with("-D") => options.macros.push(a[1..].to_owned()),
            _ => options.files.push(arg),
        }
    }
    match lower_files(&options) {
        Ok(Lowered { module, .. }) => {
            if std::env::var_os("QUIET").is_none() {
                print!("{module}");
            }
            if let Err(errors) = cudair_ir::verify::verify_module(&module) {
                for e in errors {
                    eprintln!("VERIFY {e}");
                }
                std::process::exit(1);
            }
        }
        Err(errors) => {
            for e in errors {
                let d = e.diagnostic();
                match &d.primary {
                    Some(s) => eprintln!("{}:{}:{}: {}", s.file, s.start.line, s.start.col, d.message),
                    None => eprintln!("{}", d.message),
                }
            }
            std::process::exit(2);
        }
    }
}
