//! Where operations come from in the program.

use crate::Code;
use cudair_ir::Loc;
use cudair_lane::fault::{Place, SiteRef};

impl Code {
    /// Where an operation comes from, as faults name it.
    pub fn fault_place(&self, pc: usize) -> Place {
        match self.places.get(pc) {
            Some(p) => match (p.loc.expand(), p.site.expand()) {
                (Some(loc), _) => Place::Loc(loc),
                (None, Some(site)) => Place::Site(SiteRef { func: self.func, site }),
                (None, None) => Place::Unknown,
            },
            None => Place::Unknown,
        }
    }

    /// The source place of an operation.
    #[inline]
    pub fn loc(&self, pc: usize) -> Option<Loc> {
        self.places.get(pc).and_then(|p| p.loc.expand())
    }

    /// The site of an operation; operations that touch memory have one.
    #[inline(always)]
    pub fn site(&self, pc: usize) -> SiteRef {
        use cudair_ir::EntityRef;
        let site = self.places.get(pc).and_then(|p| p.site.expand());
        SiteRef { func: self.func, site: site.unwrap_or(cudair_ir::Site::new(0)) }
    }
}
