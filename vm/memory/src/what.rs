//! What is known of an object of the table, small: a program may have millions.

use cudair_ir::{EntityRef, FuncId, Loc, Site, Space};
use cudair_lane::fault::{AllocKind, Place, SiteRef};

/// What an object is. It lies beside what an access needs, and outlives the object's memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct What {
    /// Who made it.
    pub(super) kind: AllocKind,
    /// Its space.
    pub(super) space: Space,
    /// The program may not write it.
    pub(super) read_only: bool,
    /// The device may use it although it is the host's.
    pub(super) mapped: bool,
    /// It is a graph's, and no launch of that has it allocated.
    pub(super) dormant: bool,
    /// It has a name.
    pub(super) named: bool,
    /// Its address is a huge object's.
    pub(super) huge: bool,
}

impl What {
    /// Nobody's object.
    pub(super) const NOTHING: What =
        What { read_only: true, ..What::new(AllocKind::Runtime, Space::Generic) };

    /// An object of a kind, in a space.
    #[inline]
    pub(super) const fn new(kind: AllocKind, space: Space) -> What {
        What { kind, space, read_only: false, mapped: false, dormant: false, named: false, huge: false }
    }

    /// Whether the host, and whether the device, may use it at all, were it allocated.
    #[inline]
    pub(super) fn reachable(self) -> (bool, bool) {
        match self.space {
            Space::Managed => (true, true),
            Space::Host | Space::Generic => (true, self.mapped),
            Space::Code => (false, false),
            Space::Global | Space::Shared | Space::Local | Space::Const => (false, true),
        }
    }

    /// The rights to it: host read, host write, device read, device write.
    #[inline]
    pub(super) fn rights(self) -> [bool; 4] {
        let (host, device) = self.reachable();
        let (host, device) = (host && !self.dormant, device && !self.dormant);
        let writes = !self.read_only;
        [host, host && writes, device, device && writes && self.space != Space::Const]
    }
}

/// A [`Place`] in eight bytes: what it is in the two highest bits; of a site, the function in the next 30.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct PackedPlace(u64);

impl PackedPlace {
    /// A place, packed.
    #[inline]
    pub(super) fn new(place: Place) -> PackedPlace {
        PackedPlace(match place {
            Place::Unknown => 0,
            Place::Loc(loc) => 1 << 62 | loc.index() as u64,
            Place::Site(SiteRef { func, site }) => {
                // Pointers to functions have 29 bits for the number.
                debug_assert!(func.index() < 1 << 30);
                2 << 62 | (func.index() as u64) << 32 | u64::from(site.index() as u32)
            }
        })
    }

    /// The place.
    pub(super) fn get(self) -> Place {
        let low = self.0 as u32 as usize;
        match self.0 >> 62 {
            0 => Place::Unknown,
            1 => Place::Loc(Loc::new(low)),
            _ => Place::Site(SiteRef {
                func: FuncId::new((self.0 >> 32) as usize & ((1 << 30) - 1)),
                site: Site::new(low),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        let site = |func, site| Place::Site(SiteRef { func: FuncId::new(func), site: Site::new(site) });
        let most = u32::MAX as usize - 1;
        for place in [
            Place::Unknown,
            Place::Loc(Loc::new(0)),
            Place::Loc(Loc::new(most)),
            site(0, 0),
            site((1 << 30) - 1, most),
        ] {
            assert_eq!(PackedPlace::new(place).get(), place);
        }
    }
}
