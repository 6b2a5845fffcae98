//! `readMemory`: bytes as base64, up to the first that cannot be read.

use super::wire::Request;
use cudair_vm::debug::Here;
use serde_json::{Value, json};

/// Bytes of one request at most.
const MOST: i64 = 1 << 20;
/// Bytes that are asked for at once where all are there.
const CHUNK: u64 = 4096;

/// An address as clients are told it.
pub fn reference(address: u64) -> String {
    format!("{address:#x}")
}

/// Answers a request.
///
/// # Errors
/// What is wrong with it.
pub fn read(here: &Here<'_>, request: &Request) -> Result<Value, String> {
    let text = request.text("memoryReference")?.ok_or("`readMemory` takes a `memoryReference`")?;
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    let start = parsed.map_err(|_| format!("`{text}` is not an address"))?;
    let offset = request.number("offset")?.unwrap_or(0);
    let start = start.checked_add_signed(offset).ok_or("the offset leads out of the address space")?;
    let count = request.number("count")?.ok_or("`readMemory` takes a `count`")?;
    if !(0..=MOST).contains(&count) {
        return Err(format!("`count` is from 0 to {MOST}, not {count}"));
    }
    let count = count as u64;
    let mut data = Vec::new();
    let mut at = 0;
    // What was never written cannot be told from what was, in bytes: it is not read.
    while at < count {
        let Some(n) = readable(here, start.wrapping_add(at), CHUNK.min(count - at), &mut data) else { break };
        at += n;
    }
    let unreadable = (at..count).take_while(|&n| byte(here, start.wrapping_add(n)).is_none()).count();
    let mut body = json!({ "address": reference(start), "unreadableBytes": unreadable });
    if !data.is_empty() {
        body["data"] = json!(base64(&data));
    }
    Ok(body)
}

/// Reads so many bytes, or as many as can be; nothing where it is none.
fn readable(here: &Here<'_>, address: u64, count: u64, data: &mut Vec<u8>) -> Option<u64> {
    let known = here.memory(address, count).and_then(|all| all.into_iter().collect::<Option<Vec<u8>>>());
    if let Some(all) = known {
        data.extend(all);
        return Some(count);
    }
    let first: Vec<u8> = (0..count).map_while(|n| byte(here, address.wrapping_add(n))).collect();
    data.extend(&first);
    (!first.is_empty()).then_some(first.len() as u64)
}

fn byte(here: &Here<'_>, address: u64) -> Option<u8> {
    here.memory(address, 1)?.first().copied().flatten()
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0u32, |w, &b| w << 8 | u32::from(b)) << (8 * (3 - three.len()));
        for n in 0..4 {
            out.push(if n <= three.len() {
                char::from(DIGITS[(word >> (18 - 6 * n) & 63) as usize])
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_that_of_the_rfc() {
        // Section 10.
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded, "{plain}");
        }
    }
}
