use super::*;
use cudair_ir::{FuncId, GlobalId, LifetimeOp, MemOrder, Scope, Site};
use cudair_lane::fault::{FaultKind, LaunchRef, ObjectInfo, SiteRef};
use cudair_lane::{MAX_LANES, Mask, MemSide, StripShape, Values, pair};

const LIMIT: u64 = 1 << 40;

/// A device strip with a block and its memory.
struct Fixture {
    mem: Memory,
    block: Option<BlockMem>,
    locals: LocalFrames,
    shape: StripShape,
    mask: Mask,
    findings: Findings,
}

fn site(n: u32) -> SiteRef {
    SiteRef { func: FuncId::from_u32(0), site: Site::from_u32(n) }
}

fn acc(width: u8) -> Access {
    Access {
        width,
        align_log2: width.trailing_zeros() as u8,
        volatile: false,
        copy: false,
        late: 0,
        site: site(0),
    }
}

fn info(kind: AllocKind, name: Option<&str>) -> AllocInfo {
    AllocInfo { kind, name: name.map(Arc::from), place: Place::Unknown }
}

impl Fixture {
    fn new(lanes: usize, shared: &[(&str, u64)]) -> Fixture {
        let var = |(n, &(name, size)): (usize, &(&str, u64))| SharedVar {
            global: GlobalId::from_u32(n as u32),
            name: Arc::from(name),
            size,
            align_log2: 4,
            stated_log2: 4,
            dynamic: false,
            barriers: false,
            place: Place::Unknown,
        };
        let layout = Arc::new(SharedLayout { vars: shared.iter().enumerate().map(var).collect() });
        let shape = StripShape {
            block_index: [0; 3],
            block_dim: [lanes as u32, 1, 1],
            first_thread: 0,
            lanes: lanes as u32,
            launch: Some(LaunchRef { number: 0, kernel: FuncId::from_u32(0) }),
        };
        let mut mem = Memory::new(LIMIT);
        let block = mem.begin_block(&layout, 0, &shape).unwrap();
        Fixture {
            mem,
            block: Some(block),
            locals: LocalFrames::new(&shape),
            shape,
            mask: Mask::first(lanes),
            findings: Findings::new(),
        }
    }

    fn cx(&mut self) -> (&mut Memory, LaneCx<'_>) {
        let cx = LaneCx {
            side: MemSide::Device,
            mask: &self.mask,
            block: self.block.as_mut(),
            locals: Some(&mut self.locals),
            shape: &self.shape,
            findings: &mut self.findings,
        };
        (&mut self.mem, cx)
    }

    fn cuda(&mut self, size: u64) -> Ptr {
        self.mem
            .alloc(Space::Global, size, 256, InitState::Uninit, info(AllocKind::CudaMalloc, None))
            .unwrap()
    }

    fn load(&mut self, addrs: &Addrs, acc: Access) -> Result<Vec<u32>, Stop> {
        let mut out = vec![0xaaaa_aaaa; MAX_LANES * 4];
        let (mem, mut cx) = self.cx();
        mem.load_lanes(&mut cx, addrs, acc, &mut out)?;
        Ok(out)
    }

    fn store(&mut self, addrs: &Addrs, acc: Access, values: &[u32]) -> Result<(), Stop> {
        let (mem, mut cx) = self.cx();
        mem.store_lanes(&mut cx, addrs, acc, Values::Lanes(values), None)
    }

    fn kinds(&self) -> Vec<cudair_ir::Kind> {
        let module = cudair_ir::Module::new();
        self.findings.clone().finish(&module).iter().map(|f| f.kind).collect()
    }
}

fn fault<T: std::fmt::Debug>(r: Result<T, Stop>) -> Fault {
    match r {
        Err(Stop::Fault(f)) => *f,
        other => panic!("no fault: {other:?}"),
    }
}

fn ids(lanes: usize) -> Vec<u32> {
    (0..lanes as u32).collect()
}

fn base(base: Ptr, index: &[u32], scale: i32) -> Addrs<'_> {
    Addrs::Base32 { base, index, scale, disp: 0 }
}

/// Values of `width` bytes per lane, each byte telling its lane.
fn pattern(lanes: usize, width: u8) -> Vec<u32> {
    let words = usize::from(width).div_ceil(4);
    let mask = if width < 4 { (1 << (8 * u32::from(width))) - 1 } else { u32::MAX };
    (0..lanes * words).map(|i| (0x0101_0101u32.wrapping_mul(i as u32 + 1)) & mask).collect()
}

#[test]
fn what_is_stored_is_loaded_whatever_the_shape() {
    for lanes in [1, 5, 16, 17, 32, 100, 256] {
        for width in [1u8, 2, 4, 8, 16] {
            for (scale, name) in [(1, "side by side"), (3, "strided"), (-1, "backwards")] {
                let mut rig = Fixture::new(lanes, &[]);
                let w = i32::from(width);
                let p = rig.cuda(3 * 256 * 16 + 64);
                let start = if scale < 0 { p.add(i64::from(w) * 256) } else { p };
                let index = ids(lanes);
                let values = pattern(lanes, width);
                rig.store(&base(start, &index, w * scale), acc(width), &values).unwrap();
                let got = rig.load(&base(start, &index, w * scale), acc(width)).unwrap();
                assert_eq!(got[..values.len()], values, "{lanes} {width} {name}");
                // The same through pointers, 64-bit indices, and pointers with indices.
                let ptrs: Vec<u32> = (0..lanes as i64)
                    .flat_map(|l| {
                        let p = start.add(l * i64::from(w * scale)).0;
                        [p as u32, (p >> 32) as u32]
                    })
                    .collect();
                let got = rig.load(&Addrs::Full { ptrs: &ptrs, disp: 0 }, acc(width)).unwrap();
                assert_eq!(got[..values.len()], values, "{lanes} {width} {name} pointers");
                let wide: Vec<u32> = index.iter().flat_map(|&i| [i, 0]).collect();
                let addrs = Addrs::Base64 { base: start, index: &wide, scale: w * scale, disp: 0 };
                assert_eq!(rig.load(&addrs, acc(width)).unwrap()[..values.len()], values);
                let same: Vec<u32> =
                    (0..lanes).flat_map(|_| [start.0 as u32, (start.0 >> 32) as u32]).collect();
                let addrs = Addrs::Full32 { ptrs: &same, index: &index, scale: w * scale, disp: 0 };
                assert_eq!(rig.load(&addrs, acc(width)).unwrap()[..values.len()], values);
                assert!(rig.findings.is_empty());
            }
        }
    }
}

#[test]
fn inactive_lanes_are_left_alone() {
    for lanes in [9, 40, 256] {
        for width in [1u8, 2, 4, 8] {
            let mut rig = Fixture::new(lanes, &[]);
            let p = rig.cuda(lanes as u64 * 8);
            {
                let (mem, mut cx) = rig.cx();
                let who = ByteAccess::default();
                mem.fill(&mut cx, who, p, 0x55, lanes as u64 * 8).unwrap();
            }
            rig.mask = (0..lanes).filter(|l| l % 3 == 1).collect();
            // Inactive lanes point anywhere.
            let index: Vec<u32> = (0..lanes as u32).map(|l| if l % 3 == 1 { l } else { 1 << 30 }).collect();
            let values = pattern(lanes, width);
            rig.store(&base(p, &index, i32::from(width)), acc(width), &values).unwrap();
            let got = rig.load(&base(p, &index, i32::from(width)), acc(width)).unwrap();
            let words = usize::from(width).div_ceil(4);
            for l in 0..lanes * words {
                let expect = if l / words % 3 == 1 { values[l] } else { 0xaaaa_aaaa };
                assert_eq!(got[l], expect, "{lanes} {width} {l}");
            }
            rig.mask = Mask::first(lanes);
            let got = rig.load(&base(p, &ids(lanes), i32::from(width)), acc(width)).unwrap();
            let mask = if width < 4 { (1u32 << (8 * width)) - 1 } else { u32::MAX };
            for l in 0..lanes * words {
                let expect = if l / words % 3 == 1 { values[l] } else { 0x5555_5555 & mask };
                assert_eq!(got[l], expect, "{lanes} {width} {l}");
            }
        }
    }
}

#[test]
fn bounds_to_the_byte() {
    let mut rig = Fixture::new(9, &[("parts", 36), ("next", 64)]);
    let parts = rig.block.as_ref().unwrap().addr(0);
    let index = ids(9);
    rig.store(&base(parts, &index, 4), acc(4), &index).unwrap();
    let f = fault(rig.load(&base(parts.add(4), &index, 4), acc(4)));
    assert_eq!(f.kind, FaultKind::OutOfBounds);
    assert_eq!((f.ptr.offset(), f.count), (36, 1));
    assert_eq!(f.thread.unwrap().thread, [8, 0, 0]);
    assert_eq!(f.object.unwrap().name.as_deref(), Some("parts"));
    let f = fault(rig.load(&base(parts.add(-4), &index, 4), acc(4)));
    assert_eq!((f.ptr.offset(), f.thread.unwrap().thread), (-4, [0, 0, 0]));
    // A byte over the end, unaligned access.
    let mut rig = Fixture::new(1, &[]);
    let p = rig.cuda(10);
    let wide = Access { align_log2: 0, ..acc(4) };
    rig.store(&Addrs::Uniform(p.add(6)), wide, &[7]).unwrap();
    assert_eq!(fault(rig.store(&Addrs::Uniform(p.add(7)), wide, &[7])).kind, FaultKind::OutOfBounds);
    // Far away, without wrapping into another object.
    let far = Addrs::Base64 { base: p, index: &[0, 1 << 20], scale: 4, disp: 0 };
    assert_eq!(fault(rig.load(&far, acc(4))).kind, FaultKind::OutOfBounds);
    let far = Addrs::Base32 { base: p, index: &[0x7fff_ffff], scale: 8, disp: 0 };
    assert_eq!(fault(rig.load(&far, acc(4))).kind, FaultKind::OutOfBounds);
    let far = Addrs::Base32 { base: p, index: &[0x2000_0000], scale: 8, disp: 0 };
    assert_eq!(fault(rig.load(&far, acc(4))).kind, FaultKind::OutOfBounds, "2^32 bytes on");
}

#[test]
fn all_lanes_that_fault_are_counted() {
    let mut rig = Fixture::new(256, &[]);
    let p = rig.cuda(400);
    let f = fault(rig.store(&base(p, &ids(256), 4), acc(4), &ids(256)));
    assert_eq!((f.count, f.thread.unwrap().thread), (156, [100, 0, 0]));
}

#[test]
fn lifetime_null_and_space() {
    let mut rig = Fixture::new(4, &[]);
    let p = rig.cuda(64);
    let host = rig.mem.alloc(Space::Host, 64, 16, InitState::Zero, info(AllocKind::Malloc, None)).unwrap();
    assert_eq!(fault(rig.load(&Addrs::Uniform(host), acc(4))).kind, FaultKind::WrongSpace);
    rig.mem.set_mapped(host, true);
    rig.load(&Addrs::Uniform(host), acc(4)).unwrap();
    assert_eq!(fault(rig.load(&Addrs::Uniform(Ptr::NULL), acc(4))).kind, FaultKind::Null);
    assert_eq!(fault(rig.load(&base(Ptr::NULL, &ids(4), 4), acc(4))).kind, FaultKind::Null);
    assert_eq!(fault(rig.load(&Addrs::Uniform(Ptr(0xdead_beef_0000_0000)), acc(4))).kind, FaultKind::Wild);
    assert_eq!(fault(rig.load(&Addrs::Uniform(Ptr::code(3)), acc(4))).kind, FaultKind::WrongSpace);
    let mut findings = Findings::new();
    let f = fault(rig.mem.host_load(p, acc(4), &mut findings));
    assert_eq!((f.kind, f.thread), (FaultKind::WrongSpace, None));
    let cx = LaneCx::host(&mut findings);
    rig.mem.free(&cx, ByteAccess::default(), p, AllocKind::CudaMalloc).unwrap();
    assert_eq!(fault(rig.load(&Addrs::Uniform(p), acc(4))).kind, FaultKind::UseAfterFree);
    // Another block's shared memory.
    let mut rig = Fixture::new(4, &[("s", 16)]);
    let old = rig.block.as_ref().unwrap().addr(0);
    let block = rig.block.take().unwrap();
    let layout = Arc::new(SharedLayout::default());
    rig.mem.end_block(block, &mut rig.findings);
    rig.block = Some(rig.mem.begin_block(&layout, 0, &rig.shape).unwrap());
    assert_eq!(fault(rig.load(&Addrs::Uniform(old), acc(4))).kind, FaultKind::WrongSpace);
}

#[test]
fn alignment_and_read_only() {
    let mut rig = Fixture::new(4, &[]);
    let p = rig.cuda(64);
    let f = fault(rig.load(&base(p.add(2), &ids(4), 4), acc(4)));
    assert_eq!(f.kind, FaultKind::Misaligned { align: 4, start: 0 });
    let f = fault(rig.load(&base(p.add(2), &ids(4), 4), acc(4)));
    assert_eq!(f.count, 4);
    let packed = Access { align_log2: 0, ..acc(4) };
    rig.store(&base(p.add(2), &ids(4), 4), packed, &ids(4)).unwrap();
    let k = rig.mem.alloc(Space::Const, 16, 16, InitState::Zero, info(AllocKind::Static, Some("k"))).unwrap();
    rig.load(&Addrs::Uniform(k), acc(4)).unwrap();
    assert_eq!(fault(rig.store(&Addrs::Uniform(k), acc(4), &ids(4))).kind, FaultKind::ReadOnly);
    let mut findings = Findings::new();
    let mut cx = LaneCx::host(&mut findings);
    rig.mem.write_reach(&mut cx, ByteAccess::default(), (k, Reach::Device), &[1, 2, 3, 4]).unwrap();
    let s = rig.mem.alloc(Space::Host, 4, 1, InitState::Zero, info(AllocKind::Literal, None)).unwrap();
    rig.mem.set_read_only(s);
    let f = fault(rig.mem.host_store(s, acc(1), 0));
    assert_eq!(f.kind, FaultKind::ReadOnly);
    assert_eq!(rig.mem.host_load(s, acc(1), &mut findings).unwrap(), 0);
}

#[test]
fn uninitialised_uses_and_copies() {
    let mut rig = Fixture::new(64, &[]);
    let p = rig.cuda(256 + 16);
    let index = ids(64);
    rig.mask = Mask::first(63);
    rig.store(&base(p, &index, 4), acc(4), &index).unwrap();
    rig.load(&base(p, &index, 4), acc(4)).unwrap();
    assert!(rig.findings.is_empty());
    rig.mask = Mask::first(64);
    // A copy moves what is not initialised, and is silent.
    let copy = Access { copy: true, ..acc(4) };
    let values = rig.load(&base(p, &index, 4), copy).unwrap();
    let q = rig.cuda(256);
    let mut init = vec![0; 256];
    {
        let (mem, mut cx) = rig.cx();
        mem.init_lanes(&mut cx, &base(p, &index, 4), copy, &mut init);
        mem.store_lanes(&mut cx, &base(q, &index, 4), acc(4), Values::Lanes(&values), Some(&init)).unwrap();
    }
    assert_eq!((init[62], init[63]), (0xf, 0));
    assert!(rig.findings.is_empty());
    rig.load(&base(q, &index, 4), acc(4)).unwrap();
    assert_eq!(rig.kinds(), [cudair_ir::Kind::UninitializedRead]);
    // Byte precision: two of four bytes.
    let mut rig = Fixture::new(1, &[]);
    let p = rig.cuda(16);
    rig.store(&Addrs::Uniform(p.add(2)), acc(2), &[7]).unwrap();
    rig.load(&Addrs::Uniform(p.add(2)), acc(2)).unwrap();
    assert!(rig.findings.is_empty());
    rig.load(&Addrs::Uniform(p), acc(4)).unwrap();
    rig.load(&Addrs::Uniform(p), acc(4)).unwrap();
    let module = cudair_ir::Module::new();
    let found = rig.findings.clone().finish(&module);
    assert_eq!((found.len(), found[0].count), (1, 2));
    assert_eq!(
        found[0].message,
        "use of 4 bytes of memory from `cudaMalloc` (16 bytes); 2 of them were never written"
    );
}

#[test]
fn natives_move_bytes_with_their_initialisation() {
    let mut mem = Memory::new(LIMIT);
    let mut findings = Findings::new();
    let mut cx = LaneCx::host(&mut findings);
    let who = ByteAccess::host("memcpy", None);
    let a = mem.alloc(Space::Host, 32, 16, InitState::Uninit, info(AllocKind::Malloc, None)).unwrap();
    let b = mem.alloc(Space::Host, 32, 16, InitState::Zero, info(AllocKind::Malloc, None)).unwrap();
    mem.write(&mut cx, who, a, b"hello\0").unwrap();
    assert_eq!(mem.read_cstr(&mut cx, who, a, None).unwrap(), b"hello");
    mem.copy(&mut cx, who, b.add(3), a, 10).unwrap();
    assert_eq!(mem.read(&mut cx, who, b, 9).unwrap(), b"\0\0\0hello\0");
    assert!(cx.findings.is_empty());
    mem.read(&mut cx, who, b, 13).unwrap();
    assert_eq!(cx.findings.len(), 1);
    // Overlapping.
    mem.copy(&mut cx, who, a.add(1), a, 5).unwrap();
    assert_eq!(mem.read(&mut cx, who, a, 6).unwrap(), b"hhello");
    // A string without an end; one that is cut short is fine.
    mem.fill(&mut cx, who, a, b'x', 32).unwrap();
    assert_eq!(mem.read_cstr(&mut cx, who, a, Some(4)).unwrap(), b"xxxx");
    let f = fault(mem.read_cstr(&mut cx, who, a, None));
    assert_eq!((f.kind, f.ptr.offset()), (FaultKind::OutOfBounds, 32));
    // Nothing is nothing.
    mem.copy(&mut cx, who, Ptr::NULL, Ptr::NULL, 0).unwrap();
    assert_eq!(fault(mem.read(&mut cx, who, a.add(31), 2)).native, Some("memcpy"));
}

#[test]
fn frees() {
    let mut mem = Memory::new(LIMIT);
    let mut findings = Findings::new();
    let cx = LaneCx::host(&mut findings);
    let who = ByteAccess::host("free", None);
    let how = |r: Result<(), Box<Fault>>| match r.map_err(|f| f.kind) {
        Err(FaultKind::InvalidFree { how, .. }) => Some(how),
        _ => None,
    };
    let make =
        |mem: &mut Memory, space, kind| mem.alloc(space, 8, 16, InitState::Uninit, info(kind, None)).unwrap();
    let a = make(&mut mem, Space::Host, AllocKind::Malloc);
    assert_eq!(how(mem.free(&cx, who, a.add(4), AllocKind::Malloc)), Some(InvalidFree::Inside));
    assert_eq!(how(mem.free(&cx, who, a, AllocKind::New)), Some(InvalidFree::WrongAllocator));
    assert_eq!(how(mem.free(&cx, who, a, AllocKind::Malloc)), None);
    assert_eq!(how(mem.free(&cx, who, a, AllocKind::Malloc)), Some(InvalidFree::Twice));
    assert_eq!(how(mem.free(&cx, who, Ptr::NULL, AllocKind::Malloc)), None);
    let d = make(&mut mem, Space::Global, AllocKind::CudaMalloc);
    assert_eq!(how(mem.free(&cx, who, d, AllocKind::Malloc)), Some(InvalidFree::WrongAllocator));
    let m = make(&mut mem, Space::Managed, AllocKind::CudaManaged);
    assert_eq!(how(mem.free(&cx, who, m, AllocKind::CudaMalloc)), None);
    let s = make(&mut mem, Space::Host, AllocKind::Static);
    assert_eq!(how(mem.free(&cx, who, s, AllocKind::Malloc)), Some(InvalidFree::NotAllocated));
    assert_eq!(
        how(mem.free(&cx, who, Ptr::host_local(1), AllocKind::Malloc)),
        Some(InvalidFree::NotAllocated)
    );
    assert_eq!(how(mem.free(&cx, who, Ptr(0x7777), AllocKind::Malloc)), Some(InvalidFree::Wild));
    assert_eq!(mem.leaks().iter().map(|l| l.ptr).collect::<Vec<_>>(), [d]);
}

#[test]
fn limits_hold() {
    let mut mem = Memory::new(1000);
    let make = |mem: &mut Memory, size| {
        mem.alloc(Space::Host, size, 16, InitState::Zero, info(AllocKind::Malloc, None))
    };
    let a = make(&mut mem, 500).unwrap();
    assert!(matches!(make(&mut mem, 500), Err(Stop::Limit(_))));
    mem.drop_object(a);
    make(&mut mem, 500).unwrap();
    let mut mem = Memory::new(u64::MAX);
    assert!(matches!(make(&mut mem, u64::MAX - 1), Err(Stop::Limit(_))));
}

#[test]
fn huge_objects() {
    let mut mem = Memory::new(LIMIT);
    let size = 5u64 << 30;
    let p = mem.alloc(Space::Host, size, 16, InitState::Zero, info(AllocKind::Malloc, None)).unwrap();
    let mut findings = Findings::new();
    let last = p.add(size as i64 - 4);
    mem.host_store(last, acc(4), 77).unwrap();
    assert_eq!(mem.host_load(last, acc(4), &mut findings).unwrap(), 77);
    assert_eq!(fault(mem.host_load(last.add(4), acc(4), &mut findings)).kind, FaultKind::OutOfBounds);
    let mut cx = LaneCx::host(&mut findings);
    mem.free(&cx, ByteAccess::default(), p, AllocKind::Malloc).unwrap();
    assert_eq!(fault(mem.read(&mut cx, ByteAccess::default(), p, 1)).kind, FaultKind::UseAfterFree);
}

fn slots(sizes: &[u32], markers: bool) -> Arc<FrameLayout> {
    let slot = |(n, &size): (usize, &u32)| SlotLayout {
        size,
        align_log2: 2,
        name: Arc::from(format!("x{n}")),
        place: Place::Unknown,
        part: None,
        markers,
        end: Place::Unknown,
    };
    Arc::new(FrameLayout::new(sizes.iter().enumerate().map(slot).collect()))
}

#[test]
fn host_frames() {
    let mut mem = Memory::new(LIMIT);
    let mut findings = Findings::new();
    let layout = slots(&[4, 13, 8], false);
    let outer = mem.host.enter(&layout).unwrap();
    mem.host_store_slot(outer, 0, 0, acc(4), 5).unwrap();
    let p = mem.host.addr(outer, 0);
    assert_eq!(mem.host_load(p, acc(4), &mut findings).unwrap(), 5);
    mem.host_store(p, acc(4), 6).unwrap();
    assert_eq!(mem.host_load_slot(outer, 0, 0, acc(4), &mut findings).unwrap(), 6);
    assert!(findings.is_empty());
    let f = fault(mem.host_store_slot(outer, 1, 13, acc(1), 0));
    assert_eq!((f.kind, f.object.unwrap().name.as_deref()), (FaultKind::OutOfBounds, Some("x1")));
    // Nothing of an earlier call is initialised in a later one.
    for _ in 0..3 {
        let inner = mem.host.enter(&layout).unwrap();
        let before = findings.len();
        mem.host_load_slot(inner, 2, 0, Access { copy: true, ..acc(8) }, &mut findings).unwrap();
        assert_eq!(mem.host_init_slot(inner, 2, 0, 8), 0);
        assert_eq!(findings.len(), before);
        mem.host_store_slot(inner, 2, 0, acc(8), 1).unwrap();
        let dangling = mem.host.addr(inner, 2);
        mem.host_load(dangling, acc(8), &mut findings).unwrap();
        mem.host.leave(inner);
        let f = fault(mem.host_load(dangling, acc(8), &mut findings));
        assert_eq!((f.kind, f.object.unwrap().name.as_deref()), (FaultKind::UseAfterScope, Some("x2")));
    }
    mem.host_load_slot(outer, 2, 0, acc(8), &mut findings).unwrap();
    assert_eq!(findings.len(), 1);
    // alloca, and a big frame in a segment of its own.
    let big = mem.host.enter(&slots(&[1 << 20], false)).unwrap();
    let v = mem.host.alloca(big, 100, 64, Place::Unknown, None).unwrap();
    mem.host_store(v.add(99), acc(1), 1).unwrap();
    assert_eq!(fault(mem.host_store(v.add(100), acc(1), 1)).kind, FaultKind::OutOfBounds);
    mem.host.leave(outer);
    assert_eq!(fault(mem.host_store(v, acc(1), 1)).kind, FaultKind::UseAfterScope);
}

#[test]
fn host_scopes() {
    let mut mem = Memory::new(LIMIT);
    let mut findings = Findings::new();
    let frame = mem.host.enter(&slots(&[4], true)).unwrap();
    assert_eq!(fault(mem.host_store_slot(frame, 0, 0, acc(4), 1)).kind, FaultKind::UseAfterScope);
    let mut last = Ptr::NULL;
    for _ in 0..3 {
        mem.host.lifetime(frame, 0, LifetimeOp::Live, Place::Unknown);
        assert_eq!(mem.host_init_slot(frame, 0, 0, 4), 0);
        let p = mem.host.addr(frame, 0);
        assert_ne!(p, last);
        mem.host_store(p, acc(4), 1).unwrap();
        mem.host.lifetime(frame, 0, LifetimeOp::Dead, Place::Unknown);
        assert_eq!(fault(mem.host_load(p, acc(4), &mut findings)).kind, FaultKind::UseAfterScope);
        last = p;
    }
}

#[test]
fn device_locals() {
    let mut rig = Fixture::new(40, &[]);
    let layout = slots(&[16, 6], false);
    let mask = rig.mask;
    let frame = rig.locals.enter(&layout, &mask).unwrap();
    let at = |off| SlotOffsets::Uniform(off);
    let values = ids(40);
    let wide = pattern(40, 8);
    let mut out = vec![0; 1024];
    {
        let (mem, mut cx) = rig.cx();
        mem.store_slot(&mut cx, frame, 0, at(4), acc(4), Values::Lanes(&values), None).unwrap();
        mem.load_slot(&mut cx, frame, 0, at(4), acc(4), &mut out).unwrap();
        assert_eq!(out[..40], values);
        mem.store_slot(&mut cx, frame, 0, at(8), acc(8), Values::Lanes(&wide), None).unwrap();
        mem.load_slot(&mut cx, frame, 0, at(8), acc(8), &mut out).unwrap();
        assert_eq!(out[..80], wide);
        mem.load_slot(&mut cx, frame, 0, at(9), acc(1), &mut out).unwrap();
        assert_eq!(out[3], wide[6] >> 8 & 0xff);
        assert!(cx.findings.is_empty());
        mem.load_slot(&mut cx, frame, 0, at(0), acc(4), &mut out).unwrap();
        assert_eq!(cx.findings.len(), 1);
        let f = fault(mem.load_slot(&mut cx, frame, 1, at(6), acc(1), &mut out));
        assert_eq!((f.kind, f.count), (FaultKind::OutOfBounds, 40));
        assert_eq!(f.object.unwrap().name.as_deref(), Some("x1"));
        // Per lane, one lane beyond.
        let index: Vec<u32> = (0..40).map(|l| if l == 7 { 4 } else { 1 }).collect();
        let offs = SlotOffsets::Lanes32 { index: &index, scale: 4, disp: 0 };
        let f = fault(mem.load_slot(&mut cx, frame, 0, offs, acc(4), &mut out));
        assert_eq!((f.thread.unwrap().thread, f.ptr.offset()), ([7, 0, 0], 16));
    }
    // Through pointers: one's own, and another thread's.
    let mut ptrs = vec![0; 80];
    rig.locals.addr(frame, 0, &mask, &mut ptrs);
    let got = rig.load(&Addrs::Full { ptrs: &ptrs, disp: 4 }, acc(4)).unwrap();
    assert_eq!(got[..40], values);
    rig.store(&Addrs::Full { ptrs: &ptrs, disp: 0 }, acc(4), &values).unwrap();
    let lane0 = Ptr(pair(&ptrs, 0));
    let f = fault(rig.load(&Addrs::Uniform(lane0), acc(4)));
    assert_eq!((f.kind, f.count, f.thread.unwrap().thread), (FaultKind::WrongSpace, 39, [1, 0, 0]));
    let mut findings = Findings::new();
    assert_eq!(fault(rig.mem.host_load(lane0, acc(4), &mut findings)).kind, FaultKind::WrongSpace);
    // Half of the lanes leave; a deeper frame of the others does not disturb them.
    let even: Mask = (0..40).filter(|l| l % 2 == 0).collect();
    let odd = mask.without(&even);
    let inner = rig.locals.enter(&layout, &odd).unwrap();
    rig.mask = odd;
    {
        let (mem, mut cx) = rig.cx();
        mem.store_slot(&mut cx, inner, 0, at(4), acc(4), Values::Uniform(99), None).unwrap();
    }
    rig.locals.leave(inner, &odd);
    rig.locals.leave(frame, &even);
    assert_eq!(rig.load(&Addrs::Full { ptrs: &ptrs, disp: 4 }, acc(4)).unwrap()[5], 5);
    rig.mask = even;
    assert_eq!(fault(rig.load(&Addrs::Full { ptrs: &ptrs, disp: 4 }, acc(4))).kind, FaultKind::UseAfterScope);
    rig.locals.leave(frame, &odd);
    rig.mask = odd;
    assert_eq!(fault(rig.load(&Addrs::Full { ptrs: &ptrs, disp: 4 }, acc(4))).kind, FaultKind::UseAfterScope);
}

#[test]
fn device_alloca() {
    let mut rig = Fixture::new(4, &[]);
    let mask = rig.mask;
    let frame = rig.locals.enter(&slots(&[], false), &mask).unwrap();
    let sizes = [8, 0, 16, 0, 8, 0, 16, 0];
    let mut ptrs = vec![0; 8];
    rig.locals.alloca(frame, &mask, Lengths::Lanes(&sizes), (2, None), Place::Unknown, &mut ptrs).unwrap();
    rig.store(&Addrs::Full { ptrs: &ptrs, disp: 4 }, acc(4), &[1, 2, 3, 4]).unwrap();
    assert_eq!(rig.load(&Addrs::Full { ptrs: &ptrs, disp: 4 }, acc(4)).unwrap()[..4], [1, 2, 3, 4]);
    let f = fault(rig.load(&Addrs::Full { ptrs: &ptrs, disp: 8 }, acc(4)));
    assert_eq!((f.kind, f.count, f.object.unwrap().size), (FaultKind::OutOfBounds, 2, 8));
    rig.locals.leave(frame, &mask);
    assert_eq!(fault(rig.load(&Addrs::Full { ptrs: &ptrs, disp: 0 }, acc(4))).kind, FaultKind::UseAfterScope);
}

#[test]
fn aggregates_copy_lane_by_lane() {
    let mut rig = Fixture::new(32, &[]);
    let mask = rig.mask;
    let frame = rig.locals.enter(&slots(&[12], false), &mask).unwrap();
    let mut local = vec![0; 64];
    rig.locals.addr(frame, 0, &mask, &mut local);
    let p = rig.cuda(12 * 32);
    let index = ids(32);
    let elements = base(p, &index, 12);
    // The middle word of each is never written: a copy moves that too, silently.
    rig.store(&elements, acc(4), &index).unwrap();
    rig.store(&Addrs::Base32 { base: p, index: &index, scale: 12, disp: 8 }, acc(4), &index).unwrap();
    let q = rig.cuda(12 * 32);
    {
        let (mem, mut cx) = rig.cx();
        let full = Addrs::Full { ptrs: &local, disp: 0 };
        mem.copy_lanes(&mut cx, &full, &elements, Lengths::Uniform(12), 2, (site(1), site(2))).unwrap();
        mem.copy_lanes(&mut cx, &base(q, &index, 12), &full, Lengths::Uniform(12), 2, (site(1), site(2)))
            .unwrap();
        assert!(cx.findings.is_empty());
    }
    let last = Addrs::Base32 { base: q, index: &index, scale: 12, disp: 8 };
    assert_eq!(rig.load(&last, acc(4)).unwrap()[..32], index);
    assert!(rig.findings.is_empty());
    rig.load(&Addrs::Base32 { base: q, index: &index, scale: 12, disp: 4 }, acc(4)).unwrap();
    assert_eq!(rig.findings.len(), 1);
    // One element too far.
    let (mem, mut cx) = rig.cx();
    let r = mem.copy_lanes(
        &mut cx,
        &base(q.add(12), &index, 12),
        &elements,
        Lengths::Uniform(12),
        2,
        (site(1), site(2)),
    );
    let f = fault(r);
    assert_eq!((f.kind, f.access), (FaultKind::OutOfBounds, Some((AccessOp::Write, 12))));
    // Fills.
    mem.fill_lanes(&mut cx, &base(q, &index, 12), Values::Uniform(0x11), Lengths::Uniform(12), 2, site(3))
        .unwrap();
}

#[test]
fn atomics_go_in_lane_order() {
    let mut rig = Fixture::new(100, &[("count", 8)]);
    let p = rig.block.as_ref().unwrap().addr(0);
    let add = |values| Atomic::Rmw { op: AtomicOp::Add, values, bf16: false, wanted: true };
    let mut out = vec![0; 200];
    let order = (MemOrder::Relaxed, Scope::Device);
    {
        let (mem, mut cx) = rig.cx();
        let store = Atomic::Store(Values::Uniform(5));
        mem.atomic_lanes(&mut cx, &Addrs::Uniform(p), acc(4), store, order.0, order.1, &mut []).unwrap();
        let a = add(Values::Uniform(2));
        mem.atomic_lanes(&mut cx, &Addrs::Uniform(p), acc(4), a, order.0, order.1, &mut out).unwrap();
        assert_eq!(out[..100], (0..100).map(|l| 5 + 2 * l).collect::<Vec<u32>>());
        assert!(cx.findings.is_empty());
        // The upper word was never written.
        let a = add(Values::Uniform(1));
        mem.atomic_lanes(&mut cx, &Addrs::Uniform(p), acc(8), a, order.0, order.1, &mut out).unwrap();
        assert_eq!(cx.findings.len(), 1);
        let r = mem.atomic_lanes(
            &mut cx,
            &Addrs::Uniform(p.add(2)),
            acc(4),
            Atomic::Load,
            order.0,
            order.1,
            &mut out,
        );
        assert_eq!(fault(r).kind, FaultKind::Misaligned { align: 4, start: 0 });
    }
    // A lock: one lane of all gets it.
    let q = rig.cuda(4);
    rig.store(&Addrs::Uniform(q), acc(4), &vec![0; 100]).unwrap();
    let (mem, mut cx) = rig.cx();
    let cas = Atomic::Cas { expected: Values::Uniform(0), new: Values::Uniform(1) };
    mem.atomic_lanes(&mut cx, &Addrs::Uniform(q), acc(4), cas, order.0, order.1, &mut out).unwrap();
    assert_eq!((out[0], out[1], out[99]), (0, 1, 1));
}

#[test]
fn uniform_loads() {
    let mut rig = Fixture::new(64, &[]);
    let p = rig.cuda(16);
    rig.store(&Addrs::Uniform(p), acc(8), &pattern(64, 8)).unwrap();
    let (mem, mut cx) = rig.cx();
    let v = mem.load_uniform(&mut cx, p, acc(8)).unwrap();
    assert_eq!(v as u32, pattern(64, 8)[126]);
    mem.load_uniform(&mut cx, p.add(8), acc(8)).unwrap();
    assert_eq!(cx.findings.len(), 1);
    assert_eq!(fault(mem.load_uniform(&mut cx, p.add(16), acc(8))).count, 64);
}

#[test]
fn objects_tell_what_they_are() {
    let mut mem = Memory::new(LIMIT);
    let p =
        mem.alloc(Space::Global, 40, 256, InitState::Uninit, info(AllocKind::Static, Some("table"))).unwrap();
    assert_eq!(mem.lookup(p.add(7)), Some((p, 40, Space::Global, AllocKind::Static)));
    let mut findings = Findings::new();
    let cx = LaneCx::host(&mut findings);
    let o: ObjectInfo = mem.object_info(&cx, p).unwrap();
    assert_eq!((o.name.as_deref(), o.size), (Some("table"), 40));
    assert_eq!(mem.lookup(Ptr::NULL), None);
}

/// A handful of lanes, wherever they point, loads what all lanes together do, and is refused the same.
#[test]
fn few_lanes_load_one_after_the_other() {
    for width in [1u8, 2, 4, 8] {
        let lanes = 256;
        let mut rig = Fixture::new(lanes, &[]);
        let p = rig.cuda(8 * lanes as u64);
        // The last element is never written.
        rig.mask = Mask::first(lanes - 1);
        let values = pattern(lanes, width);
        rig.store(&base(p, &ids(lanes), width.into()), acc(width), &values).unwrap();
        // Inactive lanes point far outside.
        let active = |l: usize| l % 13 == 5;
        let place = |l: usize| if active(l) { (l * 89) as u32 % 255 } else { 1 << 30 };
        let mut index: Vec<u32> = (0..lanes).map(place).collect();
        rig.mask = (0..lanes).filter(|&l| active(l)).collect();
        let got = rig.load(&base(p, &index, width.into()), acc(width)).unwrap();
        let words = usize::from(width).div_ceil(4);
        for i in 0..lanes * words {
            let from = index[i / words] as usize * words + i % words;
            let want = if active(i / words) { values[from] } else { 0xaaaa_aaaa };
            assert_eq!(got[i], want, "width {width}, word {i}");
        }
        assert!(rig.findings.is_empty());
        // One of them reads what was not written; one is outside, behind the end or before the start.
        index[18] = 255;
        rig.load(&base(p, &index, width.into()), acc(width)).unwrap();
        assert_eq!(rig.kinds(), [cudair_ir::Kind::UninitializedRead]);
        for far in [8 * lanes as u32 / u32::from(width), u32::MAX, 1 << 31] {
            index[18] = far;
            let f = fault(rig.load(&base(p, &index, width.into()), acc(width)));
            assert_eq!((f.kind, f.count, f.thread.unwrap().thread), (FaultKind::OutOfBounds, 1, [18, 0, 0]));
        }
        if width > 1 {
            index[18] = 1;
            let odd = Addrs::Base32 { base: p, index: &index, scale: width.into(), disp: 1 };
            assert!(matches!(fault(rig.load(&odd, acc(width))).kind, FaultKind::Misaligned { .. }));
        }
    }
}

/// Lanes that compare and swap at few places go in lane order: who fails sees the one who was faster.
#[test]
fn compare_and_swap_at_scattered_places() {
    let mut rig = Fixture::new(200, &[]);
    let p = rig.cuda(64);
    rig.mask = Mask::first(16);
    rig.store(&base(p, &ids(200), 4), acc(4), &vec![7; 200]).unwrap();
    rig.mask = (0..200).filter(|l| l % 3 == 0).collect();
    let index: Vec<u32> = (0..200).map(|l| l * l % 16).collect();
    let (expected, new): (Vec<u32>, Vec<u32>) = (0..200).map(|l| (7 + l % 2, 100 + l)).unzip();
    let cas = Atomic::Cas { expected: Values::Lanes(&expected), new: Values::Lanes(&new) };
    let mut out = vec![0; 200];
    {
        let (mem, mut cx) = rig.cx();
        let (order, scope) = (MemOrder::Relaxed, Scope::Device);
        mem.atomic_lanes(&mut cx, &base(p, &index, 4), acc(4), cas, order, scope, &mut out).unwrap();
    }
    let mut memory = [7u32; 16];
    for l in (0..200).filter(|l| l % 3 == 0) {
        let at = &mut memory[index[l] as usize];
        assert_eq!(out[l], *at, "lane {l}");
        if *at == expected[l] {
            *at = new[l];
        }
    }
    rig.mask = Mask::first(16);
    assert_eq!(rig.load(&base(p, &ids(200), 4), acc(4)).unwrap()[..16], memory);
    assert!(rig.findings.is_empty() && memory.iter().any(|&m| m != 7));
}
