//! What a core did to memory in its part of a launch, for the core that goes on with all of it.

use super::origins::Copied;
use super::raw::Page;
use super::undo::{PageId, Pages};
use super::{Memory, SharedLayout};
use cudair_lane::fault::Stop;
use cudair_lane::pages::PageBuf;
use cudair_lane::ptr::Ptr;
use cudair_race::{PAGE, Touched};
use std::io::{Read, Result, Write};

/// See the module's documentation.
#[derive(PartialEq, Debug, Default)]
pub struct Share {
    pages: Vec<(PageId, Page)>,
    touched: Vec<Touched>,
    suspects: Vec<(u32, u32)>,
    unsteady: bool,
    /// The copies of bytes that were never written.
    copies: Vec<Copied>,
}

/// What is put back, or joined, of memory as it was when the cores parted.
#[derive(Debug)]
pub struct Parted {
    /// The pages kept so far.
    pages: Pages,
    /// Where the next shared variable would have stood.
    next_shared: u32,
    /// What the race detector knew.
    races: cudair_race::Parted,
}

impl Memory {
    /// Whether the rest of the running launch may go to other cores: all it does can be joined again.
    #[inline]
    pub fn may_part(&self) -> bool {
        self.may_roll_back() && self.grid.may_share() && !self.table.has_huge()
    }

    /// Bytes of the objects that the running launch may write, as far as they are known.
    #[inline]
    pub fn may_write(&self) -> u64 {
        self.grid.may_have_written().iter().map(|&n| self.table.at(n as usize).0.size()).sum()
    }

    /// The cores part.
    #[inline]
    pub fn part(&mut self) -> Parted {
        let pages = self.undo.part();
        self.origins.part();
        Parted { pages, next_shared: self.next_shared, races: self.grid.part() }
    }

    /// Whether the cores have parted.
    #[inline]
    pub fn is_parted(&mut self) -> bool {
        self.undo.is_parted()
    }

    /// The next block that starts is the `n`th since the cores parted: its shared variables get the addresses that
    /// they have where one core does all blocks.
    #[inline]
    pub fn seat(&mut self, parted: &Parted, layout: &SharedLayout, n: u64) {
        self.next_shared = seat(parted.next_shared, layout.vars.len() as u64, n);
    }

    /// What this core did since.
    #[inline]
    pub fn share(&mut self) -> Share {
        let races = &mut self.grid;
        let (touched, suspects) = (races.touched(), races.suspected().collect());
        let unsteady = races.is_unsteady();
        let mut pages: Vec<PageId> = self.undo.take_written().into_keys().collect();
        pages.sort_unstable();
        let page = |id: PageId| {
            let (obj, start) = (self.table.at(id.0 as usize).0, u64::from(id.1) * PAGE);
            (id, obj.page(start, PAGE.min(obj.size() - start)))
        };
        Share {
            pages: pages.into_iter().map(page).collect(),
            touched,
            suspects,
            unsteady,
            copies: self.origins.own(),
        }
    }

    /// The cores join: what the others did is done here too. A byte that two of them wrote is suspected by the
    /// race detector.
    pub fn join(&mut self, parted: Parted, shares: Vec<Share>) -> std::result::Result<(), Stop> {
        // The pages as they were when the cores parted.
        let mut old: Pages = self.undo.take_written();
        let mut others = Vec::new();
        let unsteady = shares.iter().any(|s| s.unsteady);
        for share in shares {
            for (id, new) in share.pages {
                let (index, start) = (id.0 as usize, u64::from(id.1) * PAGE);
                if new.init.is_some() && !self.table.at(index).0.has_bitmap() {
                    self.need_bitmap(index)?;
                }
                let obj = self.table.at(index).0;
                match old.get(&id) {
                    None => {
                        old.insert(id, obj.page(start, new.bytes.len() as u64));
                        obj.restore(start, &new);
                    }
                    Some(old) => {
                        let now = obj.page(start, new.bytes.len() as u64);
                        obj.restore(start, &merged(old, &new, now));
                    }
                }
            }
            self.origins.join(share.copies);
            others.push((share.touched, share.suspects));
        }
        self.grid.join(&parted.races, &others, unsteady);
        self.undo.join(parted.pages, old);
        Ok(())
    }

    /// What this core did since the cores parted is undone.
    #[inline]
    pub fn void(&mut self, parted: Parted) {
        let log = &mut self.undo;
        for ((n, page), old) in log.take_written() {
            self.table.at(n as usize).0.restore(u64::from(page) * PAGE, &old);
        }
        let table = &self.table;
        log.void(parted.pages, |n| table.at(n as usize).0.size());
        self.next_shared = parted.next_shared;
        self.origins.void();
        self.grid.void(parted.races);
    }
}

/// The number of the next shared variable where it was `next`, and `n` blocks of `per` variables have begun since.
fn seat(next: u32, per: u64, n: u64) -> u32 {
    let most = u64::from(Ptr::SERIALS) - 1;
    if per == 0 {
        return next;
    }
    // As `Memory::begin_block` counts: it starts again from 1 where a block would reach the last number.
    let room = most.saturating_sub(next.into()) / per;
    if n <= room {
        return next + (n * per) as u32;
    }
    let lap = ((most - 1) / per).max(1);
    1 + (((n - room - 1) % lap + 1) * per) as u32
}

/// `now` with what `new` has changed since `old`.
fn merged(old: &Page, new: &Page, mut now: Page) -> Page {
    for ((now, old), new) in now.bytes.iter_mut().zip(old.bytes.iter()).zip(new.bytes.iter()) {
        if old != new {
            *now = *new;
        }
    }
    if let (Some(now), Some(new)) = (&mut now.init, &new.init) {
        for (i, (now, new)) in now.iter_mut().zip(new).enumerate() {
            let changed = old.init.as_ref().map_or(!0, |o| o[i]) ^ new;
            *now = *now & !changed | new & changed;
        }
    }
    now
}

// Between processes of one program on one machine: no versions, no other byte order.

fn put(to: &mut impl Write, n: u64) -> Result<()> {
    to.write_all(&n.to_le_bytes())
}

fn get(from: &mut impl Read) -> Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn get_bytes(from: &mut impl Read, len: usize) -> Result<Box<[u8]>> {
    let mut bytes = vec![0; len].into_boxed_slice();
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn put_words(to: &mut impl Write, words: &[u64]) -> Result<()> {
    put(to, words.len() as u64)?;
    words.iter().try_for_each(|&w| put(to, w))
}

fn get_words(from: &mut impl Read) -> Result<Vec<u64>> {
    let len = get(from)? as usize;
    let bytes = get_bytes(from, len * 8)?;
    Ok(bytes.chunks_exact(8).map(|b| b.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b))).collect())
}

impl Share {
    /// Writes it for [`Share::read_from`].
    pub fn write_to(&self, to: &mut impl Write) -> Result<()> {
        put(to, self.pages.len() as u64)?;
        for ((obj, page), Page { bytes, init }) in &self.pages {
            put(to, u64::from(*obj) << 32 | u64::from(*page))?;
            put(to, (bytes.len() as u64) << 1 | u64::from(init.is_some()))?;
            to.write_all(bytes)?;
            if let Some(init) = init {
                to.write_all(init)?;
            }
        }
        put(to, self.touched.len() as u64)?;
        for Touched { obj, shift, wrote, read } in &self.touched {
            put(to, u64::from(*obj) << 32 | u64::from(*shift))?;
            put_words(to, wrote)?;
            put_words(to, read)?;
        }
        let suspects: Vec<u64> =
            self.suspects.iter().map(|&(obj, granule)| u64::from(obj) << 32 | u64::from(granule)).collect();
        put_words(to, &suspects)?;
        put(to, self.unsteady.into())?;
        put(to, self.copies.len() as u64)?;
        self.copies.iter().flat_map(Copied::words).try_for_each(|w| put(to, w))
    }

    /// Reads what [`Share::write_to`] wrote.
    pub fn read_from(from: &mut impl Read) -> Result<Share> {
        let halves = |n: u64| ((n >> 32) as u32, n as u32);
        let mut share = Share::default();
        for _ in 0..get(from)? {
            let id = halves(get(from)?);
            let len = get(from)?;
            let bytes = PageBuf::from(&*get_bytes(from, (len >> 1) as usize)?);
            let init = match len & 1 {
                0 => None,
                _ => Some(get_bytes(from, bytes.len().div_ceil(8))?),
            };
            share.pages.push((id, Page { bytes, init }));
        }
        for _ in 0..get(from)? {
            let (obj, shift) = halves(get(from)?);
            let (wrote, read) = (get_words(from)?, get_words(from)?);
            share.touched.push(Touched { obj, shift, wrote, read });
        }
        share.suspects = get_words(from)?.into_iter().map(halves).collect();
        share.unsteady = get(from)? != 0;
        for _ in 0..get(from)? {
            let mut words = [0; 7];
            for word in &mut words {
                *word = get(from)?;
            }
            share.copies.push(Copied::from_words(words).ok_or(std::io::ErrorKind::InvalidData)?);
        }
        Ok(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_travels() {
        let page = |n: u8, init| Page { bytes: PageBuf::from(&[n; 20][..]), init };
        let share = Share {
            pages: vec![((1, 2), page(3, None)), ((1, 4), page(5, Some(vec![1, 2, 3].into())))],
            touched: vec![Touched { obj: 1, shift: 2, wrote: vec![1, !0], read: vec![7, 1 << 63] }],
            suspects: vec![(1, 9)],
            unsteady: true,
            copies: Copied::from_words([1 << 32, 4, 8, 2 << 32, 12, 1, 7]).into_iter().collect(),
        };
        let mut bytes = Vec::new();
        share.write_to(&mut bytes).unwrap();
        assert_eq!(Share::read_from(&mut &bytes[..]).unwrap(), share);
        assert!(Share::read_from(&mut &bytes[..bytes.len() - 1]).is_err());
    }

    #[test]
    fn seats_are_those_of_one_core() {
        let most = Ptr::SERIALS;
        for per in [1, 2, 3, 7, 1000, 100_000] {
            for first in [1, 5, most - 1, most - 2 * per, most - 10 * per - 1] {
                let mut next = first;
                for n in 0..50 {
                    assert_eq!(seat(first, per.into(), n), next, "{per} {first} {n}");
                    if next.saturating_add(per) >= most {
                        next = 1;
                    }
                    next += per;
                }
            }
        }
        let lap = u64::from(most - 2) / 1000;
        assert_eq!(seat(1, 1000, 5 * lap + 3), 3001);
        assert_eq!(seat(1, 1000, 5 * lap), 1 + 1000 * lap as u32);
    }

    #[test]
    fn what_two_cores_wrote_side_by_side_is_kept() {
        let page =
            |bytes: [u8; 4], init: u8| Page { bytes: PageBuf::from(&bytes[..]), init: Some([init].into()) };
        let old = page([1, 2, 3, 4], 0b0001);
        let now = page([9, 2, 3, 4], 0b0001);
        let new = page([1, 2, 8, 7], 0b1101);
        assert_eq!(merged(&old, &new, now), page([9, 2, 8, 7], 0b1101));
    }
}
