//! Tests of stores and views.

use super::*;

fn open(store: &Store) -> Obj {
    let mut obj = store.part(0, store.size());
    obj.allow([true; 4]);
    obj
}

#[test]
fn limits_refuse() {
    let store = Store::new(10, true).unwrap();
    let mut obj = open(&store);
    assert!(obj.store(Right::HostWrite, 6, 4, 0x0102_0304));
    assert!(!obj.store(Right::HostWrite, 7, 4, 0));
    assert!(!obj.store(Right::HostWrite, -1, 1, 0));
    assert_eq!(obj.load(Right::HostRead, 8, 2), Some(0x0102));
    assert_eq!(obj.init_bits(0, 10), 0b11_1100_0000);
    obj.kill();
    assert_eq!(obj.load(Right::HostRead, 0, 1), None);
}

#[test]
fn initialisation_moves_with_bytes() {
    for (from, to) in [(0u64, 8u64), (1, 9), (3, 20), (5, 0), (0, 1)] {
        let store = Store::new(64, true).unwrap();
        let obj = open(&store);
        for off in (from..from + 19).step_by(3) {
            obj.write(off, &[off as u8]);
        }
        let expect: Vec<u32> = (0..19).map(|i| obj.init_bits((from + i) as i64, 1)).collect();
        obj.copy_from(to, &obj, from, 19);
        let got: Vec<u32> = (0..19).map(|i| obj.init_bits((to + i) as i64, 1)).collect();
        assert_eq!(got, expect, "{from} {to}");
    }
}

#[test]
fn pages_come_back_with_their_initialisation() {
    let store = Store::new(100, true).unwrap();
    let obj = open(&store);
    obj.write(10, &[1, 2, 3]);
    let page = obj.page(8, 92);
    obj.write(8, &[9; 92]);
    obj.restore(8, &page);
    let mut bytes = [0; 5];
    obj.read(9, &mut bytes);
    assert_eq!(bytes, [0, 1, 2, 3, 0]);
    assert_eq!(obj.init_bits(8, 8), 0b1_1100);
    assert_eq!(obj.count_uninit(0, 100), 8 + 92 - 3);
}

#[test]
fn zeros_are_not_copied_and_come_back() {
    let store = Store::new(8192, true).unwrap();
    let obj = open(&store);
    let fresh = obj.page_kept(0, 4096);
    // A byte that differs is kept although nobody has initialised it.
    obj.write(8000, &[7]);
    obj.set_init_range(8000, 1, false);
    let other = obj.page_kept(4096, 4096);
    obj.write(0, &[9; 8192]);
    obj.restore(0, &fresh);
    obj.restore(4096, &other);
    let mut bytes = [1; 8192];
    obj.read(0, &mut bytes);
    assert!(bytes.iter().enumerate().all(|(i, &b)| b == if i == 8000 { 7 } else { 0 }));
    assert_eq!(obj.count_uninit(0, 8192), 8192);
}

/// A small store has its bitmap behind its bytes, whether or not it is used.
#[test]
fn bitmaps_come_and_go() {
    for size in [1u64, 8, 24, 100, 3000, 5000, 100_000] {
        let mut obj = Store::new(size, true).unwrap().into_view();
        obj.allow([true; 4]);
        assert_eq!(obj.count_uninit(0, size), size);
        obj.fill(0, 5, size);
        assert!(obj.has_bitmap() && obj.first_uninit(0, size).is_none());
        obj.drop_bitmap();
        assert!(!obj.has_bitmap());
        assert!(obj.add_bitmap() && obj.first_uninit(0, size).is_none());
        obj.set_init_range(size - 1, 1, false);
        assert_eq!(obj.count_uninit(0, size), 1);
        assert_eq!(obj.load(Right::HostRead, size as i64 - 1, 1), Some(5));
        let store = obj.kill().unwrap();
        assert_eq!(store.size(), size);
        assert!(obj.kill().is_none());
    }
}

#[test]
fn ranges_of_bits() {
    let store = Store::new(300, true).unwrap();
    let obj = open(&store);
    obj.set_init_range(3, 200, true);
    assert_eq!(obj.first_uninit(3, 200), None);
    assert_eq!(obj.first_uninit(3, 201), Some(200));
    assert_eq!(obj.first_uninit(2, 2), Some(0));
    obj.set_init_range(100, 1, false);
    assert_eq!(obj.first_uninit(3, 200), Some(97));
    assert_eq!(obj.count_uninit(3, 200), 1);
    store.forget(0, 300);
    assert_eq!(obj.count_uninit(0, 300), 300);
}
