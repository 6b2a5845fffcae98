//! `std::random_device`. What it gives is the same in every run, so that what a run finds is too.

use crate::Kept;
use cudair_engine::{HostFn, ProcessFn, Ret};

/// The functions by symbol.
pub(super) fn lookup(name: &str) -> Option<HostFn> {
    let function: ProcessFn = match name {
        _ if name.starts_with("_ZNSt13random_device7_M_initERK") => |_, _| Ok(Ret::Void),
        "_ZNSt13random_device7_M_finiEv" => |_, _| Ok(Ret::Void),
        "_ZNSt13random_device9_M_getvalEv" => |m, _| {
            // SplitMix64.
            m.libc.get_mut().device_numbers = m.libc.get().device_numbers.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut x = m.libc.get().device_numbers;
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            Ok(Ret::Word((x ^ (x >> 31)) & 0xffff_ffff))
        },
        "_ZNKSt13random_device13_M_getentropyEv" => |_, _| Ok(32.0f64.into()),
        _ => return None,
    };
    Some(HostFn::Process(function))
}
