//! The device's mathematical functions over files, for `tools/ulp`: reads tuples of four doubles and an integer,
//! writes the results' bits as 64-bit words.
//!
//!     device_math NAME KIND INPUTS RESULTS
//!
//! The kind is `s` or `d` for float or double, then how many arguments there are, `i` for one with an integer
//! behind it, or `n` for one with an integer before it.

use cudair_math::lookup_device;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("device_math: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, kind, inputs, results] = args.as_slice() else {
        return Err("wants NAME KIND INPUTS RESULTS".to_owned());
    };
    let f = lookup_device(name).ok_or_else(|| format!("there is no function `{name}`"))?;
    let (single, shape) = (kind.starts_with('s'), &kind[1..]);
    let number = |x: f64| if single { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) };
    let data = std::fs::read(inputs).map_err(|e| e.to_string())?;
    let mut out = Vec::with_capacity(data.len() / 36 * 8);
    for tuple in data.chunks_exact(36) {
        let word =
            |k: usize| <[u8; 8]>::try_from(&tuple[8 * k..8 * k + 8]).map(f64::from_le_bytes).map(number);
        let mut values = Vec::with_capacity(4);
        for k in 0..4 {
            values.push(word(k).map_err(|e| e.to_string())?);
        }
        let n = <[u8; 4]>::try_from(&tuple[32..]).map_err(|e| e.to_string())?;
        let n = u128::from(u32::from_le_bytes(n));
        let args = match shape {
            "i" => vec![values[0], n],
            "n" => vec![n, values[0]],
            count => values[..count.parse::<usize>().map_err(|e| e.to_string())?.min(4)].to_vec(),
        };
        out.extend_from_slice(&(f.call_bits(&args) as u64).to_le_bytes());
    }
    std::fs::write(results, out).map_err(|e| e.to_string())
}
