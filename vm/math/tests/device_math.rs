//! The device's mathematical functions give the bits that NVIDIA's device library gives.
//!
//! The table was recorded by `tools/ulp/ulp --record`: a name, the arguments' bits, the result's.

use cudair_math::lookup_device;

#[test]
fn recorded_bits() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in include_str!("device_math.txt").lines() {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        let mut bits: Vec<&str> = words.collect();
        let result = bits.pop().expect("a result");
        let args: Vec<u128> =
            bits.iter().map(|b| u128::from_str_radix(b, 16).expect("hexadecimal digits")).collect();
        let f = lookup_device(name).unwrap_or_else(|| panic!("there is no {name}"));
        let got = f.call_bits(&args);
        let single = name.starts_with("__") || name.ends_with('f') && !matches!(name, "erf" | "normcdf");
        let nan =
            if single { f32::from_bits(got as u32).is_nan() } else { f64::from_bits(got as u64).is_nan() };
        let same = if result == "nan" { nan } else { format!("{got:x}") == result };
        if !same {
            wrong.push(format!("{line}: {got:x}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 1000);
}
