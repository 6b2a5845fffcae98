//! What is said of phases is compared with threads that go one at a time, in random order.

use super::*;

/// Random blocks that are tried.
const BLOCKS: u32 = 20_000;
/// Orders of the threads of each.
const ORDERS: u32 = 12;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

fn sync(number: u32, count: u32) -> WaitsAt {
    WaitsAt::Numbered { how: NumberedBarrier::Sync, number, count: Some(count) }
}

fn arrive(number: u32, count: u32) -> WaitsAt {
    WaitsAt::Numbered { how: NumberedBarrier::Arrive, number, count: Some(count) }
}

fn class(threads: u32, waits: &[WaitsAt]) -> Class {
    Class { threads, weight: threads, waits: waits.to_vec() }
}

/// Whether all threads come to their ends in one order.
fn ends(classes: &[Class], r: &mut Random) -> bool {
    struct Thread {
        class: usize,
        at: usize,
        /// The phase that it waits for to end.
        waits: Option<(u32, u32)>,
        at_block: bool,
    }
    let threads = classes.iter().enumerate().flat_map(|(class, c)| (0..c.threads).map(move |_| class));
    let mut threads: Vec<Thread> =
        threads.map(|class| Thread { class, at: 0, waits: None, at_block: false }).collect();
    let total = threads.len() as u32;
    let (mut arrived, mut phase) = ([0u32; 16], [0u32; 16]);
    loop {
        let ended = |t: &Thread| t.at == classes[t.class].waits.len();
        if threads.iter().any(|t| !ended(t)) && threads.iter().all(|t| ended(t) || t.at_block) {
            for t in threads.iter_mut().filter(|t| t.at_block) {
                t.at_block = false;
                t.at += 1;
            }
            continue;
        }
        let goes =
            |t: &Thread| !ended(t) && !t.at_block && t.waits.is_none_or(|(n, of)| phase[n as usize] != of);
        let able: Vec<usize> = (0..threads.len()).filter(|&t| goes(&threads[t])).collect();
        if able.is_empty() {
            return threads.iter().all(ended);
        }
        let t = &mut threads[able[r.below(able.len())]];
        if t.waits.take().is_some() {
            t.at += 1;
            continue;
        }
        match classes[t.class].waits[t.at] {
            WaitsAt::Block => t.at_block = true,
            WaitsAt::Numbered { how, number, count } => {
                let n = number as usize;
                arrived[n] += 1;
                let full = arrived[n] == count.unwrap_or(total);
                let of = phase[n];
                if full {
                    arrived[n] = 0;
                    phase[n] += 1;
                }
                if full || how == NumberedBarrier::Arrive {
                    t.at += 1;
                } else {
                    t.waits = Some((number, of));
                }
            }
        }
    }
}

#[test]
fn what_is_told_happens_in_every_order() {
    let mut r = Random(0x5eed);
    let (mut meet, mut stuck) = (0, 0);
    for _ in 0..BLOCKS {
        let n = 1 + r.below(3);
        let sizes: Vec<u32> = (0..n).map(|_| 1 + r.below(3) as u32).collect();
        let total: u32 = sizes.iter().sum();
        let classes: Vec<Class> = (sizes.iter())
            .map(|&threads| {
                let waits: Vec<WaitsAt> = (0..r.below(5))
                    .map(|_| {
                        let number = 1 + r.below(2) as u32;
                        let count = if r.below(3) == 0 { r.below(8) as u32 } else { total };
                        match r.below(8) {
                            0 => WaitsAt::Block,
                            1 | 2 => arrive(number, count),
                            3 => WaitsAt::Numbered { how: NumberedBarrier::Sync, number, count: None },
                            _ => sync(number, count),
                        }
                    })
                    .collect();
                class(threads, &waits)
            })
            .collect();
        let told = meeting(&classes);
        let expected = match told {
            Meeting::AllMeet(_) => true,
            Meeting::Stuck(_) => false,
            Meeting::Open(..) => continue,
        };
        *(if expected { &mut meet } else { &mut stuck }) += 1;
        for _ in 0..ORDERS {
            assert_eq!(ends(&classes, &mut r), expected, "{classes:?}: {told:?}");
        }
    }
    assert!(meet > 1000 && stuck > 1000, "{meet} blocks meet and {stuck} are stuck: the test says little");
}

#[test]
fn producers_arrive_and_consumers_wait() {
    let produce = [arrive(1, 4), sync(2, 4), arrive(1, 4), sync(2, 4)];
    let consume = [sync(1, 4), arrive(2, 4), sync(1, 4), arrive(2, 4)];
    let classes = [class(2, &produce), class(2, &consume)];
    assert!(matches!(meeting(&classes), Meeting::AllMeet(_)));
    // Nobody keeps the producers from arriving twice before the others come.
    let classes = [class(2, &[arrive(1, 4), arrive(1, 4)]), class(2, &[sync(1, 4), sync(1, 4)])];
    assert_eq!(meeting(&classes), Meeting::Open(Why::Order, 1));
}

#[test]
fn too_few_come() {
    let classes = [class(2, &[sync(1, 4)]), class(2, &[])];
    let Meeting::Stuck(stuck) = meeting(&classes) else { panic!("somebody comes past the barrier") };
    assert_eq!((stuck.number, stuck.awaited, stuck.come), (1, 4, 2));
    // Nobody says how many, and the others have left.
    let all = WaitsAt::Numbered { how: NumberedBarrier::Sync, number: 1, count: None };
    assert_eq!(meeting(&[class(2, &[all]), class(2, &[])]), Meeting::Open(Why::Left, 1));
}
