//! What lane accesses cost: `cargo test --release -p cudair-vm -- --ignored --nocapture lane_access`.

use super::*;
use cudair_ir::{FuncId, GlobalId, MemOrder, Scope, Site};
use cudair_lane::fault::{LaunchRef, SiteRef};
use cudair_lane::{Mask, MemSide, StripShape, Values};
use std::time::Instant;

/// Few, so that a run fits between two preemptions.
const ROUNDS: u32 = 256;

/// Nanoseconds per lane of `f`, which handles `lanes`: the least of several runs.
fn measure(name: &str, lanes: usize, mut f: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..300 {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| f());
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(ROUNDS));
    }
    println!("{name:44} {best:8.1} ns/op {:6.3} ns/lane", best / lanes as f64);
}

#[test]
#[ignore = "a benchmark"]
fn lane_access_speed() {
    const LANES: usize = 256;
    let vars = [("tile", 8192), ("bytes", 1024)].iter().enumerate().map(|(n, &(name, size))| SharedVar {
        global: GlobalId::from_u32(n as u32),
        name: Arc::from(name),
        size,
        align_log2: 4,
        stated_log2: 4,
        dynamic: false,
        barriers: false,
        place: Place::Unknown,
    });
    let layout = Arc::new(SharedLayout { vars: vars.collect() });
    let shape = StripShape {
        block_index: [0; 3],
        block_dim: [LANES as u32, 1, 1],
        first_thread: 0,
        lanes: LANES as u32,
        launch: Some(LaunchRef { number: 0, kernel: FuncId::from_u32(0) }),
    };
    let mut mem = Memory::new(1 << 40);
    let mut block = mem.begin_block(&layout, 0, &shape).unwrap();
    let mut locals = LocalFrames::new(&shape);
    let mut findings = Findings::new();
    let info = AllocInfo { kind: AllocKind::CudaMalloc, name: None, place: Place::Unknown };
    let global = mem.alloc(Space::Global, 1 << 20, 256, InitState::Uninit, info.clone()).unwrap();
    let host = AllocInfo { kind: AllocKind::Malloc, ..info };
    let host = mem.alloc(Space::Host, 1 << 20, 256, InitState::Uninit, host).unwrap();
    let (tile, bytes) = (block.addr(0), block.addr(1));
    let index: Vec<u32> = (0..LANES as u32).collect();
    let shuffled: Vec<u32> = index.iter().map(|i| i * 7 % 256).collect();
    let rows: Vec<u32> = index.iter().map(|i| i % 16).collect();
    let full = Mask::first(LANES);
    let most = Mask::first(LANES - 3);
    let odd: Mask = (1..LANES).step_by(2).collect();
    let mut out = vec![0u32; 2 * LANES];
    let values: Vec<u32> = (0..2 * LANES as u32).collect();
    let acc = |width: u8| Access {
        width,
        align_log2: width.trailing_zeros() as u8,
        volatile: false,
        copy: false,
        late: 0,
        site: SiteRef { func: FuncId::from_u32(0), site: Site::from_u32(0) },
    };
    let ptrs: Vec<u32> = index
        .iter()
        .flat_map(|&i| {
            let p = global.add(i64::from(i) * 4).0;
            [p as u32, (p >> 32) as u32]
        })
        .collect();
    let at = |base, index| Addrs::Base32 { base, index, scale: 4, disp: 0 };
    let mut rounds = 0u32;
    macro_rules! cx {
        ($mask:expr) => {
            LaneCx {
                side: MemSide::Device,
                mask: $mask,
                block: Some(&mut block),
                locals: Some(&mut locals),
                shape: &shape,
                findings: &mut findings,
            }
        };
    }
    macro_rules! store {
        ($name:expr, $mask:expr, $addrs:expr, $width:expr) => {
            measure($name, LANES, || {
                rounds += 1;
                let mut cx = cx!($mask);
                mem.store_lanes(&mut cx, &$addrs, acc($width), Values::Lanes(&values), None).unwrap();
                if rounds.is_multiple_of(8) {
                    block.barrier(&mut findings);
                }
            });
            block.barrier(&mut findings);
        };
    }
    macro_rules! load {
        ($name:expr, $mask:expr, $addrs:expr, $width:expr) => {
            measure($name, LANES, || {
                rounds += 1;
                let mut cx = cx!($mask);
                mem.load_lanes(&mut cx, &$addrs, acc($width), &mut out).unwrap();
                if rounds.is_multiple_of(8) {
                    block.barrier(&mut findings);
                }
            });
            block.barrier(&mut findings);
        };
    }
    store!("global store, contiguous", &full, at(global, &index), 4);
    load!("global load, contiguous", &full, at(global, &index), 4);
    load!("global load, contiguous, pointers", &full, Addrs::Full { ptrs: &ptrs, disp: 0 }, 4);
    load!("global load, contiguous, 253 lanes", &most, at(global, &index), 4);
    load!("global load, contiguous, odd lanes", &odd, at(global, &index), 4);
    load!("global load, broadcast", &full, Addrs::Uniform(global), 4);
    load!("global load, gather", &full, at(global, &shuffled), 4);
    store!("global store, scatter", &full, at(global, &shuffled), 4);
    let wide = |index| Addrs::Base32 { base: global, index, scale: 8, disp: 0 };
    store!("global store, contiguous, 8 bytes", &full, wide(&index), 8);
    load!("global load, contiguous, 8 bytes", &full, wide(&index), 8);
    store!("shared store, contiguous, races", &full, at(tile, &index), 4);
    load!("shared load, contiguous, races", &full, at(tile, &index), 4);
    load!("shared load, contiguous, odd lanes, races", &odd, at(tile, &index), 4);
    load!("shared load, broadcast, races", &full, Addrs::Uniform(tile), 4);
    load!("shared load, rows of 16, races", &full, at(tile, &rows), 4);
    load!("shared load, gather, races", &full, at(tile, &shuffled), 4);
    store!("shared store, scatter, races", &full, at(tile, &shuffled), 4);
    let byte = Addrs::Base32 { base: bytes, index: &index, scale: 1, disp: 0 };
    store!("shared byte store, contiguous, races", &full, byte, 1);
    load!("shared byte load, contiguous, races", &full, byte, 1);
    let mut atomic = |name, addrs: Addrs| {
        measure(name, LANES, || {
            rounds += 1;
            let mut cx = cx!(&full);
            let add =
                Atomic::Rmw { op: AtomicOp::Add, values: Values::Uniform(1), bf16: false, wanted: false };
            let (order, scope) = (MemOrder::Relaxed, Scope::Device);
            mem.atomic_lanes(&mut cx, &addrs, acc(4), add, order, scope, &mut out).unwrap();
            if rounds.is_multiple_of(8) {
                block.barrier(&mut findings);
            }
        });
    };
    atomic("shared atomic add, scattered, races", at(tile, &shuffled));
    atomic("global atomic add, one address", Addrs::Uniform(global));
    let slots = vec![SlotLayout {
        size: 64,
        align_log2: 2,
        name: Arc::from("a"),
        place: Place::Unknown,
        part: None,
        markers: false,
        end: Place::Unknown,
    }];
    let frame = locals.enter(&Arc::new(FrameLayout::new(slots)), &full).unwrap();
    let one = SlotOffsets::Uniform(8);
    let each = SlotOffsets::Lanes32 { index: &rows, scale: 4, disp: 0 };
    for (name, offs) in [("local store, one offset", one), ("local store, an offset per lane", each)] {
        measure(name, LANES, || {
            let mut cx = cx!(&full);
            mem.store_slot(&mut cx, frame, 0, offs, acc(4), Values::Lanes(&values), None).unwrap();
        });
    }
    for (name, offs) in [("local load, one offset", one), ("local load, an offset per lane", each)] {
        measure(name, LANES, || {
            let mut cx = cx!(&full);
            mem.load_slot(&mut cx, frame, 0, offs, acc(4), &mut out).unwrap();
        });
    }
    let mut sum = 0;
    measure("host store", 1, || {
        rounds += 1;
        mem.host_store(host.add(i64::from(rounds & 1023) * 4), acc(4), 1).unwrap();
    });
    measure("host load", 1, || {
        rounds += 1;
        sum += mem.host_load(host.add(i64::from(rounds & 1023) * 4), acc(4), &mut findings).unwrap();
    });
    let slots = vec![SlotLayout {
        size: 64,
        align_log2: 2,
        name: Arc::from("a"),
        place: Place::Unknown,
        part: None,
        markers: false,
        end: Place::Unknown,
    }];
    let layout = Arc::new(FrameLayout::new(slots));
    let frame = mem.host.enter(&layout).unwrap();
    measure("host store to a local", 1, || {
        rounds += 1;
        mem.host_store_slot(frame, 0, i64::from(rounds & 15) * 4, acc(4), 1).unwrap();
    });
    measure("host load of a local", 1, || {
        rounds += 1;
        sum += mem.host_load_slot(frame, 0, i64::from(rounds & 15) * 4, acc(4), &mut findings).unwrap();
    });
    measure("host frame, enter and leave", 1, || {
        let inner = mem.host.enter(&layout).unwrap();
        mem.host.leave(inner);
    });
    measure("host frame, an address taken", 1, || {
        let inner = mem.host.enter(&layout).unwrap();
        sum += mem.host.addr(inner, 0).0;
        mem.host.leave(inner);
    });
    println!("{sum} {}", findings.len());
}
