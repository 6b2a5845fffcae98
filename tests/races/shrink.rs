//! Smaller programs that show the same.

use super::events::is_inside;
use super::program::{Bend, Program, Stmt, each_spot};

/// Ways to make a list of statements smaller: one statement gone, or in its place what is inside of it.
fn smaller(all: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut out = Vec::new();
    for n in 0..all.len() {
        let with = |inner: Vec<Stmt>| -> Vec<Stmt> {
            all[..n].iter().cloned().chain(inner).chain(all[n + 1..].iter().cloned()).collect()
        };
        out.push(with(Vec::new()));
        match &all[n] {
            Stmt::If(guard, yes, no) => {
                // Loops and branches leave what is inside to all threads.
                out.push(with(yes.clone()));
                out.extend(smaller(yes).into_iter().map(|b| with(vec![Stmt::If(*guard, b, no.clone())])));
                out.extend(smaller(no).into_iter().map(|b| with(vec![Stmt::If(*guard, yes.clone(), b)])));
            }
            Stmt::Loop(i, rounds, body) => {
                if *rounds > 1 {
                    out.push(with(vec![Stmt::Loop(*i, rounds - 1, body.clone())]));
                }
                out.extend(smaller(body).into_iter().map(|b| with(vec![Stmt::Loop(*i, *rounds, b)])));
            }
            Stmt::Ragged(i, m, body) => {
                out.extend(smaller(body).into_iter().map(|b| with(vec![Stmt::Ragged(*i, *m, b)])));
            }
            Stmt::Copy(first, from, between, second, to) => {
                let volatile = from.volatile && to.volatile;
                if !volatile {
                    out.push(with(vec![Stmt::Load(*first, *from)]));
                }
                out.extend(
                    smaller(between)
                        .into_iter()
                        .map(|b| with(vec![Stmt::Copy(*first, *from, b, *second, *to)])),
                );
            }
            _ => {}
        }
    }
    out
}

/// The smallest program found from `p` by small steps, each of which `shows` the same.
pub fn shrink(p: &Program, shows: impl Fn(&Program) -> bool) -> Program {
    let mut best = p.clone();
    loop {
        let mut candidates: Vec<Program> =
            smaller(&best.body).into_iter().map(|body| Program { body, ..best.clone() }).collect();
        if best.blocks > 1 {
            candidates.push(Program { blocks: best.blocks - 1, ..best.clone() });
        }
        for threads in [1, 2, 4, 32, 33, best.threads / 2, best.threads - 1] {
            if threads < best.threads && threads > 0 {
                candidates.push(Program { threads, ..best.clone() });
            }
        }
        if best.launches > 1 {
            candidates.push(Program { launches: 1, ..best.clone() });
        }
        let mut spots = 0;
        each_spot(&mut best.body, &mut |_| spots += 1);
        for n in 0..spots {
            for way in 0..5 {
                let mut p = best.clone();
                let (mut at, mut changed) = (0, false);
                each_spot(&mut p.body, &mut |s| {
                    if at == n {
                        let old = s.index;
                        match way {
                            0 => s.index.bend = Bend::None,
                            1 => s.index.block = 0,
                            2 => s.index.loops = [0; 2],
                            3 => s.index.thread = 0,
                            _ => s.index.plus = 0,
                        }
                        changed = s.index != old;
                    }
                    at += 1;
                });
                if changed {
                    candidates.push(p);
                }
            }
        }
        let Some(next) = candidates.into_iter().find(|p| is_inside(p) && shows(p)) else { return best };
        best = next;
    }
}
