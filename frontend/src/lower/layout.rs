//! Where virtual bases lie in a whole object.
//!
//! libclang tells the offsets of the bases that a class names itself. Where the virtual bases of these bases are is worked
//! out here by the rules of the Itanium C++ ABI, and compared with what libclang does tell: the offsets of the virtual
//! bases that are named, and the size and alignment of the whole. A class for which these differ is not made
//! (`super::bases`).

use super::Cx;
use crate::types::DeclKind;
use crate::types::{Kind, RecId, Ty, own_elements};
use std::rc::Rc;

/// What the layout of a class is made from beside what libclang tells.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The virtual bases at whatever depth, in the order in which they are made, with their offsets in an object of just
    /// this class.
    pub virtual_bases: Rc<Vec<(RecId, i64)>>,
    /// The base with which the class shares its table's place, and whether it is virtual.
    pub primary: Option<(RecId, bool)>,
    /// The class without its virtual bases.
    size: u64,
    align: u64,
    /// Whether what libclang tells agrees.
    pub known: bool,
}

/// A base as the search for primary bases sees it. Virtual ones occur once.
struct Node {
    class: RecId,
    is_virtual: bool,
    bases: Vec<(usize, u64)>,
    /// The virtual base that this one has as its primary base, by its place among the nodes.
    primary: Option<usize>,
    /// Which node has this one as its primary base.
    claimed_by: Option<usize>,
}

/// An object being laid out.
#[derive(Default)]
struct Draft {
    /// The end of what no other object may overlap, and that of everything.
    data: u64,
    size: u64,
    align: u64,
    placed: Vec<(RecId, u64)>,
    /// Objects without members; two of one class may not lie at one place.
    empty: Vec<(RecId, u64)>,
    /// Whether something in it has a size that is not known.
    unknown: bool,
}

impl Cx<'_, '_> {
    /// The layout of a class.
    pub fn layout(&mut self, id: RecId) -> Rc<Layout> {
        if let Some(known) = self.classes.layouts.get(&id) {
            return known;
        }
        let layout = Rc::new(self.lay_out(id));
        self.classes.layouts.set(id, layout.clone());
        layout
    }

    fn lay_out(&mut self, id: RecId) -> Layout {
        let primary = self.find_primary(id);
        let mut order = Vec::new();
        self.collect_virtual_bases(id, &mut order);
        let mut draft = Draft { align: 1, ..Draft::default() };
        let mut nodes = Vec::new();
        let roots = self.base_nodes(id, &mut nodes);
        if self.is_dynamic(id) {
            draft.align = 8;
            if primary.is_none() {
                (draft.data, draft.size) = (8, 8);
            }
        }
        if let Some((class, true)) = primary {
            // Taken from whichever base has it.
            if let Some(n) = nodes.iter().position(|n| n.is_virtual && n.class == class) {
                nodes[n].claimed_by = None;
                self.place_virtual(&mut draft, &nodes, n);
            }
        }
        for &(n, offset) in &roots {
            if !nodes[n].is_virtual {
                self.place_at(&mut draft, nodes[n].class, offset);
                self.place_primaries(&mut draft, &nodes, n, offset);
            }
        }
        self.place_fields(&mut draft, id);
        let asked = self.asked_alignment(id);
        // Where it is not told, the layout may turn out not to be known.
        draft.align = draft.align.max(asked.unwrap_or(1));
        let mut layout = Layout {
            virtual_bases: Rc::default(),
            primary,
            size: if self.is_plain(id) { self.ast.types.record(id).size } else { draft.size.max(1) },
            align: draft.align,
            known: true,
        };
        if order.is_empty() {
            layout.align = u64::from(self.ast.types.record(id).align);
            return layout;
        }
        let mut indirect = Vec::new();
        self.indirect_primaries(id, &mut indirect);
        self.place_virtual_bases(&mut draft, id, &nodes, &indirect);
        // What nothing else explains was asked for in the class, in a way that is not seen.
        let whole = u64::from(self.ast.types.record(id).align);
        let explained = asked.is_some() || whole > draft.align;
        if whole > draft.align {
            draft.align = whole;
            layout.align = whole;
        }
        layout.known =
            explained && !draft.unknown && order.iter().all(|v| draft.placed.iter().any(|(p, _)| p == v));
        let found = order.iter().map(|&v| {
            let place = draft.placed.iter().find(|(p, _)| *p == v);
            // One without a place makes the layout unknown.
            (v, place.map_or(0, |&(_, at)| at as i64))
        });
        layout.virtual_bases = Rc::new(found.collect());
        let bases = self.ast.types.bases(id);
        for base in bases.iter().flat_map(|b| b.iter()).filter(|b| b.is_virtual) {
            let class = self.ast.types.as_record(base.ty);
            layout.known &= draft.placed.iter().any(|&(p, at)| Some(p) == class && at == base.offset);
        }
        let record = self.ast.types.record(id);
        let size = draft.size.max(draft.data).max(1).next_multiple_of(draft.align);
        layout.known &= bases.is_some() && record.size == size && u64::from(record.align) == draft.align;
        layout
    }

    fn collect_virtual_bases(&mut self, id: RecId, found: &mut Vec<RecId>) {
        let Some(bases) = self.ast.types.bases(id) else { return };
        for base in bases.iter() {
            let Some(record) = self.ast.types.as_record(base.ty) else {
                self.class_defect("a base that is not a class", id);
                continue;
            };
            self.collect_virtual_bases(record, found);
            if base.is_virtual && !found.contains(&record) {
                found.push(record);
            }
        }
    }

    /// The first base that has a table and is not virtual; else the first virtual base that holds nothing but the
    /// pointer to its table, rather one that no base shares its place with.
    pub fn find_primary(&mut self, id: RecId) -> Option<(RecId, bool)> {
        let bases = self.ast.types.bases(id)?;
        for base in bases.iter().filter(|b| !b.is_virtual) {
            let record = self.ast.types.as_record(base.ty)?;
            if self.is_dynamic(record) {
                return Some((record, false));
            }
        }
        if !self.has_virtual_base(id) {
            return None;
        }
        let mut indirect = Vec::new();
        self.indirect_primaries(id, &mut indirect);
        let mut first = None;
        let found = self.nearly_empty_base(id, &indirect, &mut first);
        found.or(first).map(|class| (class, true))
    }

    fn nearly_empty_base(
        &mut self,
        id: RecId,
        indirect: &[RecId],
        first: &mut Option<RecId>,
    ) -> Option<RecId> {
        for base in self.ast.types.bases(id)?.iter() {
            let Some(record) = self.ast.types.as_record(base.ty) else {
                self.class_defect("a base that is not a class", id);
                continue;
            };
            if base.is_virtual && self.is_dynamic(record) && self.layout(record).size == 8 {
                if !indirect.contains(&record) {
                    return Some(record);
                }
                first.get_or_insert(record);
            }
            if let Some(found) = self.nearly_empty_base(record, indirect, first) {
                return Some(found);
            }
        }
        None
    }

    /// The virtual bases that are primary bases of bases.
    fn indirect_primaries(&mut self, id: RecId, found: &mut Vec<RecId>) {
        let bases = self.ast.types.bases(id);
        for base in bases.iter().flat_map(|b| b.iter()) {
            if let Some(record) = self.ast.types.as_record(base.ty) {
                let layout = self.layout(record);
                if layout.virtual_bases.is_empty() {
                    continue;
                }
                if let Some((primary, true)) = layout.primary {
                    found.push(primary);
                }
                self.indirect_primaries(record, found);
            }
        }
    }

    /// The nodes of the direct bases with their offsets.
    fn base_nodes(&mut self, id: RecId, nodes: &mut Vec<Node>) -> Vec<(usize, u64)> {
        let bases = self.ast.types.bases(id);
        let mut found = Vec::new();
        for base in bases.iter().flat_map(|b| b.iter()) {
            if let Some(class) = self.ast.types.as_record(base.ty) {
                found.push((self.base_node(class, base.is_virtual, nodes), base.offset));
            }
        }
        found
    }

    fn base_node(&mut self, class: RecId, is_virtual: bool, nodes: &mut Vec<Node>) -> usize {
        let known = |nodes: &[Node], class| nodes.iter().position(|n| n.is_virtual && n.class == class);
        if is_virtual && let Some(n) = known(nodes, class) {
            return n;
        }
        let this = nodes.len();
        nodes.push(Node { class, is_virtual, bases: Vec::new(), primary: None, claimed_by: None });
        let mut wanted = match self.layout(class).primary {
            Some((primary, true)) => Some(primary),
            _ => None,
        };
        if let Some(n) = wanted.and_then(|primary| known(nodes, primary)) {
            wanted = None;
            if nodes[n].claimed_by.is_none() {
                nodes[n].claimed_by = Some(this);
                nodes[this].primary = Some(n);
            }
        }
        let bases = self.base_nodes(class, nodes);
        nodes[this].bases = bases;
        if let Some(n) = wanted.and_then(|primary| known(nodes, primary)) {
            nodes[n].claimed_by = Some(this);
            nodes[this].primary = Some(n);
        }
        this
    }

    /// Places the virtual bases that share the place of a base or of one of its bases.
    fn place_primaries(&mut self, draft: &mut Draft, nodes: &[Node], n: usize, offset: u64) {
        if let Some(p) = nodes[n].primary.filter(|&p| nodes[p].claimed_by == Some(n)) {
            let class = nodes[p].class;
            if !draft.placed.iter().any(|(known, _)| *known == class) {
                draft.placed.push((class, offset));
            }
            self.place_primaries(draft, nodes, p, offset);
        }
        for &(base, at) in &nodes[n].bases {
            if !nodes[base].is_virtual {
                self.place_primaries(draft, nodes, base, offset + at);
            }
        }
    }

    fn place_virtual_bases(&mut self, draft: &mut Draft, id: RecId, nodes: &[Node], indirect: &[RecId]) {
        let bases = self.ast.types.bases(id);
        for base in bases.iter().flat_map(|b| b.iter()) {
            let Some(record) = self.ast.types.as_record(base.ty) else {
                self.class_defect("a base that is not a class", id);
                continue;
            };
            let placed = draft.placed.iter().any(|(known, _)| *known == record);
            if base.is_virtual
                && !placed
                && !indirect.contains(&record)
                && let Some(n) = nodes.iter().position(|n| n.is_virtual && n.class == record)
            {
                self.place_virtual(draft, nodes, n);
            }
            self.place_virtual_bases(draft, record, nodes, indirect);
        }
    }

    /// Places a virtual base behind all that there is, or in front if it is empty.
    fn place_virtual(&mut self, draft: &mut Draft, nodes: &[Node], n: usize) {
        let class = nodes[n].class;
        let align = self.layout(class).align;
        let mut offset = draft.data.next_multiple_of(align);
        if self.is_empty_class(class) && self.fits(draft, class, 0) {
            offset = 0;
        } else {
            while !self.fits(draft, class, offset) {
                offset += align;
            }
        }
        draft.placed.push((class, offset));
        self.place_at(draft, class, offset);
        self.place_primaries(draft, nodes, n, offset);
    }

    /// Notes that a base lies at an offset.
    fn place_at(&mut self, draft: &mut Draft, class: RecId, offset: u64) {
        let layout = self.layout(class);
        if self.is_empty_class(class) {
            draft.size = draft.size.max(offset + self.ast.types.record(class).size);
        } else {
            draft.data = draft.data.max(offset + layout.size);
            draft.size = draft.size.max(draft.data);
        }
        draft.align = draft.align.max(layout.align);
        self.add_empty(class, offset, &mut draft.empty);
    }

    fn place_fields(&mut self, draft: &mut Draft, id: RecId) {
        for f in self.ast.types.fields(id).iter() {
            let start = f.offset_bits / 8;
            let end = match f.width {
                Some(width) => (f.offset_bits + u64::from(width)).div_ceil(8),
                None => match self.member_size(f.ty.ty) {
                    Some(size) => start + size,
                    None => {
                        draft.unknown = true;
                        start
                    }
                },
            };
            draft.data = draft.data.max(end);
            draft.size = draft.size.max(draft.data);
            draft.align = draft.align.max(u64::from(self.ast.types.align(f.ty.ty)));
            self.add_empty_member(f.ty.ty, start, &mut draft.empty);
        }
    }

    /// The alignment that `alignas` asks for, of the class or a member. None where it is not told.
    fn asked_alignment(&mut self, id: RecId) -> Option<u64> {
        let mut asked = 1;
        let decl = self.ast.types.record(id).decl;
        let fields = self.ast.types.fields(id);
        for decl in std::iter::once(decl).chain(fields.iter().map(|f| f.decl)) {
            asked = asked.max(self.ast.declared_alignment(decl).ok()?.into());
        }
        Some(asked)
    }

    fn fits(&mut self, draft: &Draft, class: RecId, offset: u64) -> bool {
        let mut own = Vec::new();
        self.add_empty(class, offset, &mut own);
        !own.iter().any(|e| draft.empty.contains(e))
    }

    /// The empty objects in one at an offset, its virtual bases aside.
    fn add_empty(&mut self, class: RecId, offset: u64, found: &mut Vec<(RecId, u64)>) {
        if self.is_empty_class(class) {
            found.push((class, offset));
        }
        let bases = self.ast.types.bases(class);
        for base in bases.iter().flat_map(|b| b.iter()).filter(|b| !b.is_virtual) {
            if let Some(record) = self.ast.types.as_record(base.ty) {
                self.add_empty(record, offset + base.offset, found);
            }
        }
        for f in self.ast.types.fields(class).iter() {
            self.add_empty_member(f.ty.ty, offset + f.offset_bits / 8, found);
        }
    }

    fn add_empty_member(&mut self, ty: Ty, offset: u64, found: &mut Vec<(RecId, u64)>) {
        match *self.ast.types.kind(ty) {
            Kind::Record(class) => self.add_empty(class, offset, found),
            Kind::Array { elem, len } => {
                let Some(size) = self.ast.types.size(elem.ty) else { return };
                // More than a few cannot matter to what lies behind them.
                for n in 0..own_elements(len).min(64) {
                    self.add_empty_member(elem.ty, offset + n * size, found);
                }
            }
            _ => {}
        }
    }

    /// Whether a class is plain old data, as C++03 has it: the bytes behind its last member are its own.
    fn is_plain(&mut self, id: RecId) -> bool {
        if self.ast.types.record(id).is_union {
            return true;
        }
        if self.is_dynamic(id) || self.ast.types.bases(id).is_none_or(|b| !b.is_empty()) {
            return false;
        }
        let written = self.ast.methods(id).into_iter().any(|m| {
            // Those that the compiler provides stand where the class does.
            let provided = m.is_at(self.ast.types.record(id).decl);
            let special = m.kind() == DeclKind::Constructor
                || m.kind() == DeclKind::Destructor
                || m.is_copy_assignment();
            special && !provided
        });
        !written
            && self.ast.types.fields(id).iter().all(|f| {
                let mut ty = f.ty.ty;
                while let Some(elem) = self.ast.types.element(ty) {
                    ty = elem.ty;
                }
                let reference = matches!(self.ast.types.kind(ty), Kind::Reference(_));
                let class = self.ast.types.as_record(ty);
                f.decl.is_public()
                    && !reference
                    && !self.ast.has_field_initializer(f)
                    && class.is_none_or(|c| self.is_plain(c))
            })
    }
}
