//! Diagnostics.

use super::code::{Code, Reader, Writer};
use crate::finding::{Diagnostic, DiagnosticClass, Span};

/// Writes diagnostics.
pub fn write_diagnostics(list: &[Diagnostic]) -> Vec<u8> {
    let mut w = Writer::default();
    w.list(list.iter(), |w, Diagnostic { class, message, primary, related, help }| {
        class.write(w);
        message.write(w);
        primary.write(w);
        w.list(related.iter(), |w, span| span.write(w));
        help.write(w);
    });
    w.out
}

/// Reads diagnostics; `None` where the bytes are none of [`write_diagnostics`].
pub fn read_diagnostics(bytes: &[u8]) -> Option<Vec<Diagnostic>> {
    let mut r = Reader::new(bytes);
    let list = r.list(|r| {
        let mut d = Diagnostic::new(DiagnosticClass::read(r)?, String::read(r)?);
        d.primary = Code::read(r)?;
        d.related = r.list(Code::read)?;
        d.help = Code::read(r)?;
        Some(d)
    })?;
    r.is_at_end().then_some(list)
}

impl Code for Span {
    fn write(&self, w: &mut Writer<'_>) {
        let Span { file, start, end, spelling, label } = self;
        file.write(w);
        start.write(w);
        end.write(w);
        spelling.is_some().write(w);
        if let Some(inside) = spelling {
            let (file, start, end) = &**inside;
            file.write(w);
            start.write(w);
            end.write(w);
        }
        label.write(w);
    }
    fn read(r: &mut Reader<'_>) -> Option<Self> {
        Some(Span {
            file: Code::read(r)?,
            start: Code::read(r)?,
            end: Code::read(r)?,
            spelling: if bool::read(r)? {
                Some(Box::new((Code::read(r)?, Code::read(r)?, Code::read(r)?)))
            } else {
                None
            },
            label: Code::read(r)?,
        })
    }
}
