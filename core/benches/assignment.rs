//! Times one assignment round; see `tests/oracle/bench` for the same beside Kafka's assignor.

mod rounds;

use divan::{AllocProfiler, Bencher};
use rollgate_core::assignor::Member;
use rounds::{Kind, Leader, Rounds, SIZES};

/// Shows with each time that a round allocates nothing.
#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES.map(Size))]
fn steady(bencher: Bencher<'_, '_>, size: Size) {
    time(bencher, size, Kind::Steady);
}

#[divan::bench(args = SIZES.map(Size))]
fn loss(bencher: Bencher<'_, '_>, size: Size) {
    time(bencher, size, Kind::Loss);
}

#[divan::bench(args = SIZES.map(Size))]
fn balance(bencher: Bencher<'_, '_>, size: Size) {
    time(bencher, size, Kind::Balance);
}

fn time(bencher: Bencher<'_, '_>, Size((workers, tasks)): Size, kind: Kind) {
    let rounds = Rounds::new(workers, tasks, kind);
    let before: Vec<_> = rounds.before.iter().map(|(id, owns)| Member { id: *id, owns }).collect();
    let timed: Vec<_> = rounds.timed.iter().map(|(id, owns)| Member { id: *id, owns }).collect();
    let leader = std::cell::RefCell::new(Leader::new());
    bencher
        .with_inputs(|| leader.borrow_mut().assign(&rounds, &before))
        .bench_local_values(|()| leader.borrow_mut().assign(&rounds, &timed));
}

#[derive(Clone, Copy)]
struct Size((usize, u32));

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} workers, {} tasks", self.0.0, self.0.1)
    }
}
