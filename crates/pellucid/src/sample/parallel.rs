//! Work spread over the machine's processors, its results in order.

use std::thread;

/// Maps a slice, in shares of at least `least` items, on at most eight threads.
pub fn map<T: Sync, R: Clone + Default + Send>(
    items: &[T],
    least: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, |n| n.get().min(8));
    let mut results = vec![R::default(); items.len()];
    let share = items.len().div_ceil(threads).max(least);
    thread::scope(|scope| {
        for (inputs, outputs) in items.chunks(share).zip(results.chunks_mut(share)) {
            let work = &work;
            scope.spawn(move || {
                for (input, output) in inputs.iter().zip(outputs) {
                    *output = work(input);
                }
            });
        }
    });
    results
}
