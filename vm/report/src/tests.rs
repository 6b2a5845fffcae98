use super::*;
use cudair_ir::{EntityRef, FuncId, Function, LaunchDims, LocData, Pos, Side, Signature, Site, Space};
use cudair_lane::fault::{AllocKind, InvalidFree, SiteRef};
use cudair_lane::ptr::Ptr;

/// A module with a kernel `sum` in `sum.cu` whose site `n` is at line `n + 1`.
fn module() -> Module {
    let mut m = Module::new();
    let file = m.source.file("sum.cu", None);
    let mut f = Function::new("_Z3sumPi", Side::Kernel, Signature::default());
    "sum".clone_into(&mut f.display_name);
    for line in 1..=20 {
        let at = |col| Pos { line, col };
        let none = None.into();
        let loc =
            m.source.intern(LocData { file, start: at(5), end: at(9), spelling: none, inlined_at: none });
        f.make_site(Some(loc));
    }
    m.add_func(f);
    m
}

fn site(n: u32) -> Place {
    SiteRef { func: FuncId::new(0), site: Site::from_u32(n) }.into()
}

fn object(kind: AllocKind, space: Space, name: Option<&str>, size: u64) -> Option<Box<ObjectInfo>> {
    let name = name.map(Arc::from);
    Some(Box::new(ObjectInfo { kind, space, name, size, part: 0, number: 0, made: site(0), ended: site(1) }))
}

fn thread(t: u32) -> ThreadCoord {
    ThreadCoord { block: [2, 0, 0], thread: [t, 0, 0] }
}

fn fault(kind: FaultKind, op: AccessOp, len: u64, off: i64, object: Option<Box<ObjectInfo>>) -> Fault {
    Fault {
        access: Some((op, len)),
        ptr: Ptr::table(1).add(off),
        object,
        thread: Some(thread(3)),
        launch: Some(LaunchRef { number: 1, kernel: FuncId::new(0) }),
        ..Fault::new(kind, site(4))
    }
}

/// Everything that a reader sees of a finding, a line each.
fn text(f: &Finding) -> String {
    let mut lines = vec![format!("{} {}: {}", f.severity, f.kind, f.message)];
    if let Some(kernel) = &f.kernel {
        lines.push(format!("in {kernel}, launch {}", f.launch.unwrap_or(0)));
    }
    let span = |s: &Span| format!("{}:{}:{}: {}", s.file, s.start.line, s.start.col, s.label);
    lines.extend(f.primary.iter().map(|s| format!("> {}", span(s))));
    lines.extend(f.related.iter().map(|s| format!("- {}", span(s))));
    lines.extend(f.notes.iter().map(|n| format!("note: {n}")));
    lines.extend(f.help.iter().map(|h| format!("help: {h}")));
    lines.join("\n")
}

/// The finding of a fault in a launch of unknown extents.
fn finding_of(fault: &Fault) -> Finding {
    fault_finding(&module(), fault, LaunchDims::default())
}

fn told(fault: &Fault) -> String {
    text(&finding_of(fault))
}

#[test]
fn out_of_bounds_says_how_far() {
    let shared = || object(AllocKind::Shared, Space::Shared, Some("parts"), 36);
    let f = fault(FaultKind::OutOfBounds, AccessOp::Write, 4, 40, shared());
    assert_eq!(
        told(&f),
        "error out-of-bounds: out-of-bounds write of 4 bytes: 4 bytes past the end of `parts` (36 bytes)
in sum, launch 1
> sum.cu:5:5: thread (3,0,0) of block (2,0,0) writes 4 bytes at offset 40 of `parts`
- sum.cu:1:5: `parts` is declared here, with 36 bytes
note: seen as elements of 4 bytes, `parts` has indices 0 to 8; this is index 10
help: check the index against the size, or give the block more shared memory"
    );
    let message = |off, len| {
        let f = fault(FaultKind::OutOfBounds, AccessOp::Read, len, off, shared());
        finding_of(&f).message
    };
    assert_eq!(message(36, 4), "out-of-bounds read of 4 bytes: just past the end of `parts` (36 bytes)");
    assert_eq!(
        message(32, 8),
        "out-of-bounds read of 8 bytes: running 4 bytes past the end of `parts` (36 bytes)"
    );
    assert_eq!(
        message(-4, 4),
        "out-of-bounds read of 4 bytes: 4 bytes before the start of `parts` (36 bytes)"
    );
    assert_eq!(
        message(-1, 4),
        "out-of-bounds read of 4 bytes: starting 1 byte before the start of `parts` (36 bytes)"
    );
}

#[test]
fn lives_that_ended() {
    let heap = || object(AllocKind::CudaMalloc, Space::Global, None, 40);
    assert_eq!(
        told(&fault(FaultKind::UseAfterFree, AccessOp::Read, 4, 8, heap())),
        "error use-after-free: read of 4 bytes of memory from `cudaMalloc` (40 bytes) after it was freed
in sum, launch 1
> sum.cu:5:5: thread (3,0,0) of block (2,0,0) reads 4 bytes at offset 8 of freed memory
- sum.cu:1:5: 40 bytes allocated here
- sum.cu:2:5: freed here
help: free the memory after its last use"
    );
    let local = object(AllocKind::Local, Space::Host, Some("x"), 4);
    let f =
        Fault { thread: None, launch: None, ..fault(FaultKind::UseAfterScope, AccessOp::Write, 4, 0, local) };
    assert_eq!(
        told(&f),
        "error use-after-free: write of 4 bytes of `x` (4 bytes) after its lifetime has ended
> sum.cu:5:5: host code writes 4 bytes of `x`
- sum.cu:1:5: `x` is declared here, with 4 bytes
- sum.cu:2:5: its lifetime ends here
help: let the variable live longer, or pass its value on and not its address"
    );
}

#[test]
fn the_wrong_side() {
    let device = object(AllocKind::Static, Space::Global, Some("table"), 40);
    let f =
        Fault { thread: None, launch: None, ..fault(FaultKind::WrongSpace, AccessOp::Read, 4, 0, device) };
    assert_eq!(
        told(&f),
        "error wrong-memory-space: host code reads `table` (40 bytes), a variable in device memory
> sum.cu:5:5: host code reads 4 bytes at offset 0 of `table`
- sum.cu:1:5: `table` is declared here, with 40 bytes
help: use `cudaMemcpyFromSymbol` or `cudaMemcpyToSymbol`, or declare it `__managed__`"
    );
    let host = object(AllocKind::Malloc, Space::Host, None, 40);
    let f = fault(FaultKind::WrongSpace, AccessOp::Write, 4, 0, host);
    assert_eq!(
        finding_of(&f).message,
        "device code writes memory from `malloc` (40 bytes), which is host memory"
    );
}

#[test]
fn the_other_accesses() {
    let buf = || object(AllocKind::CudaMalloc, Space::Global, Some("buf"), 40);
    let message = |kind, off| finding_of(&fault(kind, AccessOp::Read, 4, off, buf())).message;
    assert_eq!(
        message(FaultKind::Misaligned { align: 4, start: 0 }, 6),
        "misaligned read of 4 bytes of `buf` (40 bytes from `cudaMalloc`): the address must be a multiple of 4"
    );
    assert_eq!(
        message(FaultKind::Uninitialised { first: 0, bytes: 4 }, 6),
        "use of 4 bytes of `buf` (40 bytes from `cudaMalloc`) that were never written"
    );
    assert_eq!(
        message(FaultKind::Uninitialised { first: 1, bytes: 1 }, 6),
        "use of 4 bytes of `buf` (40 bytes from `cudaMalloc`); 1 of them was never written"
    );
    assert_eq!(
        message(FaultKind::ReadOnly, 0),
        "read of 4 bytes to `buf` (40 bytes from `cudaMalloc`), which is read-only"
    );
    let null = Fault { ptr: Ptr::NULL, ..fault(FaultKind::Null, AccessOp::Read, 4, 0, None) };
    assert_eq!(finding_of(&null).message, "read of 4 bytes through a null pointer");
    let near = Fault { ptr: Ptr(16), native: Some("strlen"), thread: None, ..null };
    let near = finding_of(&near);
    assert_eq!(near.message, "read of 4 bytes at address 16, next to null");
    assert_eq!(near.primary.unwrap().label, "`strlen` reads 4 bytes at offset 16 from a null pointer");
}

#[test]
fn wrong_frees() {
    let told = |how, by, off| {
        let object = object(AllocKind::Malloc, Space::Host, None, 40);
        let mut f = fault(FaultKind::InvalidFree { how, by }, AccessOp::Write, 0, off, object);
        (f.access, f.thread, f.launch) = (None, None, None);
        told(&f)
    };
    assert_eq!(
        told(InvalidFree::Twice, AllocKind::Malloc, 0),
        "error invalid-free: memory from `malloc` (40 bytes) is freed twice
> sum.cu:5:5: freed again here
- sum.cu:1:5: 40 bytes allocated here
- sum.cu:2:5: freed here first
help: free it once; set the pointer to null after that"
    );
    assert_eq!(
        told(InvalidFree::WrongAllocator, AllocKind::CudaMalloc, 0),
        "error invalid-free: `cudaFree` of memory from `malloc` (40 bytes)
> sum.cu:5:5: freed here with `cudaFree`
- sum.cu:1:5: 40 bytes allocated here
help: free it with `free`"
    );
    assert!(
        told(InvalidFree::Inside, AllocKind::Malloc, 4)
            .contains("`free` of a pointer that is 4 bytes into memory from `malloc` (40 bytes)")
    );
}

fn race(sites: [(u32, AccessOp, u32); 2], block: u32, values: [Option<u64>; 2]) -> RaceNote {
    let side = |n: usize| RaceSide {
        place: site(sites[n].0),
        op: sites[n].1,
        atomic: sites[n].1 == AccessOp::Atomic,
        volatile: false,
        thread: ThreadCoord { block: [block, 0, 0], thread: [sites[n].2, 0, 0] },
        value: values[n],
    };
    RaceNote {
        kind: Kind::SharedRace,
        sides: [side(0), side(1)],
        object: Arc::new(*object(AllocKind::Shared, Space::Shared, Some("parts"), 36).unwrap()),
        offset: 16,
        bytes: 4,
        same_warp: true,
        same_value: values[0].is_some() && values[0] == values[1],
        mild: values[0].is_some() && values[0] == values[1],
        violation: Violation::Unordered,
        missing: None,
        launch: Some(LaunchRef { number: 0, kernel: FuncId::new(0) }),
        count: 3,
    }
}

fn found(notes: Vec<RaceNote>) -> Vec<Finding> {
    let mut findings = Findings::new();
    for note in notes {
        findings.race(note);
    }
    findings.finish(&module())
}

#[test]
fn a_race_names_both_places() {
    use AccessOp::{Read, Write};
    let found = found(vec![race([(9, Read, 0), (6, Write, 4)], 0, [None, Some(7)])]);
    assert_eq!(
        text(&found[0]),
        "error shared-race: threads (0,0,0) and (4,0,0) of block (0,0,0) touch the same 4 bytes of `parts` \
         without a barrier between them
in sum, launch 0
> sum.cu:10:5: read by thread (0,0,0)
- sum.cu:7:5: written by thread (4,0,0)
note: they are bytes 16 to 19 of `parts` (36 bytes)
help: put `__syncthreads()` (or, within one warp, `__syncwarp()`) between the two places"
    );
    assert_eq!(found[0].threads.len(), 2);
}

#[test]
fn races_are_the_same_whatever_came_first() {
    use AccessOp::{Atomic, Read, Write};
    let notes = vec![
        race([(9, Read, 0), (6, Write, 4)], 3, [None, Some(7)]),
        race([(9, Read, 1), (6, Write, 4)], 1, [None, Some(7)]),
        race([(6, Write, 2), (9, Write, 4)], 1, [Some(1), Some(1)]),
        race([(9, Write, 4), (6, Write, 2)], 2, [Some(1), Some(2)]),
        race([(5, Atomic, 2), (9, Write, 4)], 2, [None, None]),
    ];
    let mut first: Option<Vec<String>> = None;
    for turn in 0..notes.len() {
        let mut notes = notes.clone();
        notes.rotate_left(turn);
        let mut all: Vec<String> =
            found(notes).iter().map(|f| format!("{}x\n{}", f.count, text(f))).collect();
        all.sort();
        assert_eq!(*first.get_or_insert_with(|| all.clone()), all);
    }
    let all = first.unwrap();
    // A read and two writes at one pair of places are one finding; a read of the lowest block tells it.
    assert_eq!(all.len(), 2);
    let plain = all.iter().find(|t| !t.contains("atomic")).unwrap();
    assert!(plain.starts_with("12x\nerror"), "{plain}");
    assert!(plain.contains("> sum.cu:10:5: read by thread (1,0,0)\n- sum.cu:7:5: written by"), "{plain}");
    // The plain access before the atomic one.
    let atomic = all.iter().find(|t| t.contains("atomic")).unwrap();
    assert!(
        atomic.contains("> sum.cu:10:5: written by thread (4,0,0)\n- sum.cu:6:5: updated atomically"),
        "{atomic}"
    );
    // Two writes alone: the later place first, and the pair that wrote different values.
    let writes = found(notes[2..4].to_vec());
    let text = text(&writes[0]);
    assert!(text.starts_with("error"), "{text}");
    assert!(text.contains("> sum.cu:10:5: written by thread (4,0,0)"), "{text}");
    assert!(text.contains("they write different values: "), "{text}");
}

#[test]
fn equal_writes_are_a_warning() {
    use AccessOp::Write;
    let found = found(vec![race([(6, Write, 0), (6, Write, 1)], 0, [Some(1), Some(1)])]);
    assert_eq!(found[0].severity, Severity::Warning);
    assert_eq!(found[0].related.len(), 1, "the place twice");
    assert!(found[0].help.as_ref().unwrap().contains("for this input"));
}

#[test]
fn faults_at_one_place_are_one() {
    let mut findings = Findings::new();
    for _ in 0..3 {
        let o = object(AllocKind::CudaMalloc, Space::Global, None, 40);
        findings.note(fault(FaultKind::OutOfBounds, AccessOp::Read, 4, 40, o));
    }
    findings.note(Fault::other(Kind::AssertionFailed, site(4), "assertion `x` failed", "here").warning());
    let found = findings.finish(&module());
    assert_eq!(
        found.iter().map(|f| (f.kind, f.count)).collect::<Vec<_>>(),
        [(Kind::OutOfBounds, 3), (Kind::AssertionFailed, 1)]
    );
}

/// A launch of two blocks of 64 threads at line 11, called from line 12.
fn launched(number: u64, findings: &mut Findings, module: &Module) {
    let locs: Vec<Loc> = module.funcs[FuncId::new(0)].sites.values().filter_map(|s| s.loc.expand()).collect();
    let site = LaunchSite {
        dims: LaunchDims::new([2, 1, 1], [64, 1, 1]),
        loc: Some(locs[10]),
        calls: [locs[11], locs[11], locs[10]].into(),
    };
    findings.begin_launch(number, site);
}

#[test]
fn a_fault_tells_where_its_launch_comes_from() {
    let module = module();
    let mut findings = Findings::new();
    launched(1, &mut findings, &module);
    findings.note(fault(FaultKind::Null, AccessOp::Read, 4, 0, None));
    let found = findings.finish(&module);
    let [f] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        f.primary.as_ref().map(|p| p.label.as_str()),
        Some("thread 3 of block 2 reads 4 bytes through a null pointer")
    );
    let launched: Vec<(u32, &str)> = f.launched.iter().map(|s| (s.start.line, s.label.as_str())).collect();
    // A place that a recursion goes through several times is told once, and the launch is no call of itself.
    assert_eq!(launched, [(11, "`sum` is launched here"), (12, "called from here")]);
    assert_eq!(f.dims.in_words().as_deref(), Some("2 blocks of 64 threads"));
}

#[test]
fn what_another_launch_does_has_its_own_place() {
    let module = module();
    let mut findings = Findings::new();
    // Nothing is noted in this launch.
    launched(1, &mut findings, &module);
    launched(2, &mut findings, &module);
    findings.note(fault(FaultKind::Null, AccessOp::Read, 4, 0, None));
    let found = findings.finish(&module);
    assert!(found[0].launched.is_empty(), "{found:?}");
}

#[test]
fn the_host_is_told_by_which_calls_it_came() {
    let module = module();
    let call = module.funcs[FuncId::new(0)].sites.values().nth(6).and_then(|s| s.loc.expand());
    let of_host =
        |line| Fault { thread: None, launch: None, ..fault(FaultKind::Null, AccessOp::Read, 4, line, None) };
    let mut findings = Findings::new();
    assert!(!findings.is_untraced());
    findings.note(of_host(0));
    assert!(findings.is_untraced());
    findings.trace(call.as_slice());
    // What was noted before that is not led there.
    findings.trace(&[]);
    let found = findings.finish(&module);
    let related: Vec<(u32, &str)> =
        found[0].related.iter().map(|s| (s.start.line, s.label.as_str())).collect();
    assert_eq!(related, [(7, "called from here")]);
}
