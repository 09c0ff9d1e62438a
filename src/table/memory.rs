//! The memory of a table, zeroed and aligned, in huge pages where the system has them. Holds all `unsafe` of the table
//! but the questions to the system about free memory.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::entry::{BUCKET_BYTES, Bucket};

const _: () = assert!(BUCKET_BYTES == 32 && CACHE_LINE.is_multiple_of(BUCKET_BYTES));

const CACHE_LINE: usize = 64;
/// An alignment that allocators of 64-bit systems give without work.
const SMALL_ALIGN: usize = 16;
/// Least size of a table that is cleared with stores that bypass the cache.
const STREAMED_BYTES: usize = if cfg!(miri) { usize::MAX } else { 16 << 20 };
const HUGE_PAGE: usize = 2 << 20;
/// The smallest page size of common systems: touching one bucket in as many bytes touches every page.
const SMALL_PAGE: usize = 4096;
/// Memory that a thread touches or clears at a time; a smaller table gets no second thread.
const CHUNK_BYTES: usize = if cfg!(miri) { 16 << 10 } else { HUGE_PAGE };

/// An owned array of buckets on the heap, aligned to a huge page if it is that large.
///
/// A prefix of it is *ready*: its pages have been provided by the system, and its buckets are empty or hold entries. Large
/// arrays become ready chunk by chunk, because the first touch of so many pages takes longer than a search may have time.
/// The array dereferences to the ready prefix, so that `len()` is the number of ready buckets; [`total`](Self::total)
/// is that of all.
pub(super) struct Buckets {
    start: NonNull<Bucket>,
    /// Number of buckets, ready or not.
    total: usize,
    /// Number of ready buckets.
    ready: usize,
    /// Number of buckets whose pages have ever been touched; all buckets after them are zero.
    touched: usize,
    /// The start of the allocation, less than one alignment before `start`.
    allocation: NonNull<u8>,
    layout: Layout,
}

// SAFETY: `Buckets` owns its memory as a `Box<[Bucket]>` does, and `Bucket`, an array of atomics, is `Send` and `Sync`.
unsafe impl Send for Buckets {}
// SAFETY: as above; a shared reference gives out nothing but `&[Bucket]`.
unsafe impl Sync for Buckets {}

impl Buckets {
    /// `len` buckets, none of them ready; `None` if `len` is 0 or too large for any memory, or the allocator refuses.
    pub(super) fn reserve(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(BUCKET_BYTES)?;
        let align = if bytes >= HUGE_PAGE { HUGE_PAGE } else { CACHE_LINE };
        // With a large alignment, allocators write the zeros themselves, on one thread and before the advice about huge
        // pages; with a small one they return fresh pages untouched. So the alignment is made here.
        let layout = Layout::from_size_align(bytes.checked_add(align)?, SMALL_ALIGN).ok()?;
        if bytes == 0 {
            return None;
        }
        // SAFETY: the size of the layout is not zero.
        let allocation = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = allocation.addr().get().next_multiple_of(align) - allocation.addr().get();
        // SAFETY: the offset is below `align`, and the allocation is `align` larger than the buckets.
        let start = unsafe { allocation.add(offset) };
        advise_huge_pages(start, bytes);
        Some(Self { start: start.cast(), total: len, ready: 0, touched: 0, allocation, layout })
    }

    /// The number of buckets, ready or not.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// The addresses of all buckets.
    pub(super) fn addresses(&self) -> Range<usize> {
        let start = self.start.addr().get();
        start..start + self.total * BUCKET_BYTES
    }

    /// Whether all buckets are ready.
    pub(super) fn is_ready(&self) -> bool {
        self.ready == self.total
    }

    /// Marks all buckets as not ready. Their old words, which nobody can read, stay until [`prepare`](Self::prepare)
    /// zeroes them.
    pub(super) fn forget(&mut self) {
        self.ready = 0;
    }

    /// Makes more buckets ready, by zeroing those that were ever touched and touching the pages of the others, with up
    /// to `threads` threads, until all are or `enough` returns `true`; it is called before each chunk once one has been
    /// begun.
    pub(super) fn prepare(&mut self, threads: usize, enough: &(impl Fn() -> bool + Sync)) {
        let streamed = self.total * BUCKET_BYTES >= STREAMED_BYTES;
        let (ready, touched) = (self.ready, self.touched);
        // SAFETY: as in `deref_mut`, but for all of the allocation.
        let all = unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.total) };
        let done = in_parallel(&mut all[ready..], threads, enough, |chunk, offset| {
            let used = touched.saturating_sub(ready + offset).min(chunk.len());
            let (used, fresh) = chunk.split_at_mut(used);
            // The first chunk stays in the cache: it begins with the region of the first thread (`Region`), which each
            // search uses.
            if streamed && ready + offset > 0 {
                empty_past_the_cache(used);
            } else {
                empty(used);
            }
            touch(fresh);
        });
        self.ready += done;
        self.touched = self.touched.max(self.ready);
    }
}

/// Touches every page of these buckets, which are zero; where they begin within a page, perhaps not the last one.
fn touch(buckets: &mut [Bucket]) {
    for page in buckets.chunks(SMALL_PAGE / BUCKET_BYTES) {
        // An atomic store: the compiler may know that the memory is zero and drop a plain one.
        page[0].0[0].store(0, Ordering::Relaxed);
    }
}

/// Zeroes buckets through the cache.
fn empty(buckets: &mut [Bucket]) {
    for bucket in buckets {
        bucket.0 = Default::default();
    }
}

/// Zeroes buckets with stores that bypass the cache, so that a large table does not evict everything else from it.
#[cfg(target_arch = "x86_64")]
fn empty_past_the_cache(buckets: &mut [Bucket]) {
    use std::arch::x86_64::{__m128i, _mm_setzero_si128, _mm_sfence, _mm_stream_si128};
    for bucket in buckets {
        let start: *mut __m128i = (&raw mut *bucket).cast();
        for offset in 0..BUCKET_BYTES / size_of::<__m128i>() {
            // SAFETY: SSE2 is part of x86-64; the bucket is borrowed mutably and aligned to its 32 bytes, and zeros are a
            // valid bucket.
            unsafe { _mm_stream_si128(start.add(offset), _mm_setzero_si128()) };
        }
    }
    // SAFETY: SSE is part of x86-64. The fence orders the streaming stores before later stores.
    unsafe { _mm_sfence() };
}

#[cfg(not(target_arch = "x86_64"))]
use empty as empty_past_the_cache;

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: `start` is aligned for `Bucket` and followed by `total` of them, `ready` being no more, within one
        // allocation that lives as long as `self`; it was zeroed, and zeros are a valid `Bucket`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.ready) }
    }
}

impl DerefMut for Buckets {
    fn deref_mut(&mut self) -> &mut [Bucket] {
        // SAFETY: as in `deref`, and `&mut self` is the only way to the memory for as long as the slice lives.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.ready) }
    }
}

impl Drop for Buckets {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the global allocator with this very layout and is freed nowhere else;
        // buckets need no drop.
        unsafe { dealloc(self.allocation.as_ptr(), self.layout) }
    }
}

/// Calls `job` with each chunk of the buckets, in order, and the number of buckets before it, on up to `threads` threads
/// including this one, until there are no more or `enough` returns `true`. Returns the number of buckets done: a prefix.
fn in_parallel(
    buckets: &mut [Bucket],
    threads: usize,
    enough: &(impl Fn() -> bool + Sync),
    job: impl Fn(&mut [Bucket], usize) + Sync,
) -> usize {
    let chunk = CHUNK_BYTES / BUCKET_BYTES;
    let len = buckets.len();
    let helpers = threads.min(len.div_ceil(chunk)).saturating_sub(1);
    let chunks = Mutex::new(buckets.chunks_mut(chunk).enumerate());
    let taken = AtomicUsize::new(0);
    let run = || {
        loop {
            if taken.load(Ordering::Relaxed) > 0 && enough() {
                break;
            }
            // The lock is released at the end of the statement. A chunk that is taken is always done, so in the end all
            // chunks up to the last one taken are done.
            let next = chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, buckets)) = next else { break };
            taken.fetch_max(number + 1, Ordering::Relaxed);
            job(buckets, number * chunk);
        }
    };
    thread::scope(|scope| {
        for _ in 0..helpers {
            // Without this helper the other threads do its chunks.
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, run) {
                log::debug!("no more threads to prepare the table: {error}");
                break;
            }
        }
        run();
    });
    len.min(taken.into_inner() * chunk)
}

/// Asks for huge pages, before the first touch: with pages of 4 KiB most probes of a large table also miss the TLB.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages(start: NonNull<u8>, bytes: usize) {
    if bytes < HUGE_PAGE {
        return;
    }
    // SAFETY: the range is within the allocation, and the advice changes no byte of it.
    let result = unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    if result != 0 {
        log::debug!("no huge pages for the table: {}", std::io::Error::last_os_error());
    }
}

#[cfg(any(not(target_os = "linux"), miri))]
fn advise_huge_pages(_: NonNull<u8>, _: usize) {}

/// Fetches the cache line of a bucket without waiting for it; does nothing on processors other than `x86_64` and `aarch64`.
#[inline]
pub(super) fn prefetch(bucket: &Bucket) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and a prefetch has no effect that the program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast()) }
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: a prefetch has no effect that the program can see.
    unsafe {
        core::arch::asm!("prfm pldl1keep, [{}]", in(reg) std::ptr::from_ref(bucket), options(nostack, readonly, preserves_flags));
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = bucket;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn never() -> bool {
        false
    }

    fn zeroed(len: usize, threads: usize) -> Buckets {
        let mut buckets = Buckets::reserve(len).expect("some megabytes");
        buckets.prepare(threads, &never);
        assert!(buckets.is_ready());
        buckets
    }

    fn sum(buckets: &Buckets) -> u64 {
        buckets.iter().flat_map(|bucket| &bucket.0).map(|slot| slot.load(Ordering::Relaxed)).sum()
    }

    #[test]
    fn starts_aligned_and_empty() {
        // The largest one is emptied by stores that bypass the cache.
        let huge = if cfg!(miri) { 2 } else { HUGE_PAGE / BUCKET_BYTES };
        for len in [1, 2, 3, 1000, huge - 1, huge, huge + 1, 9 * huge + 7] {
            let mut buckets = zeroed(len, 3);
            let align = if len * BUCKET_BYTES >= HUGE_PAGE { HUGE_PAGE } else { CACHE_LINE };
            assert!(buckets.start.addr().get().is_multiple_of(align));
            assert_eq!((buckets.len(), buckets.total()), (len, len));
            assert_eq!(sum(&buckets), 0);
            for bucket in buckets.iter() {
                bucket.0[3].store(7, Ordering::Relaxed);
            }
            assert_eq!(sum(&buckets), 7 * len as u64);
            buckets.forget();
            assert!(buckets.is_empty());
            buckets.prepare(2, &never);
            assert_eq!((buckets.len(), sum(&buckets)), (len, 0));
        }
    }

    #[test]
    fn buckets_become_ready_from_the_first_on() {
        let chunk = CHUNK_BYTES / BUCKET_BYTES;
        let mut buckets = Buckets::reserve(3 * chunk + 5).expect("a few megabytes");
        assert!(buckets.is_empty() && !buckets.is_ready());
        buckets.prepare(1, &|| true);
        assert_eq!(buckets.len(), chunk, "one chunk at least");
        buckets[chunk - 1].0[2].store(1, Ordering::Relaxed);
        buckets.prepare(1, &|| true);
        assert_eq!((buckets.len(), sum(&buckets)), (2 * chunk, 1), "what was stored is kept");
        // Everything is empty again, in touched pages and in others.
        buckets.forget();
        for expected in [chunk, 2 * chunk, 3 * chunk, 3 * chunk + 5] {
            assert!(!buckets.is_ready());
            buckets.prepare(1, &|| true);
            assert_eq!((buckets.len(), sum(&buckets)), (expected, 0));
        }
        assert!(buckets.is_ready());
        buckets[3 * chunk].0[2].store(1, Ordering::Relaxed);
        buckets.forget();
        buckets.prepare(1, &|| true);
        buckets.prepare(1, &never);
        assert_eq!((buckets.len(), sum(&buckets)), (3 * chunk + 5, 0), "from the second chunk to the end");
    }

    #[test]
    fn several_threads_leave_no_hole() {
        let chunk = CHUNK_BYTES / BUCKET_BYTES;
        for rounds in [0, 1, 3] {
            let asked = AtomicUsize::new(0);
            let mut buckets = Buckets::reserve(9 * chunk).expect("some megabytes");
            buckets.prepare(4, &|| asked.fetch_add(1, Ordering::Relaxed) >= rounds);
            assert!(buckets.len() >= chunk && buckets.len().is_multiple_of(chunk));
            assert_eq!(sum(&buckets), 0);
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Buckets::reserve(0).is_none());
        assert!(Buckets::reserve(usize::MAX).is_none());
        assert!(Buckets::reserve(usize::MAX / BUCKET_BYTES).is_none());
    }

    #[test]
    fn every_chunk_is_done_once_with_any_number_of_threads() {
        let len = 3 * CHUNK_BYTES / BUCKET_BYTES + 5;
        for threads in [0, 1, 2, 64] {
            let mut buckets = zeroed(len, threads);
            let done = in_parallel(&mut buckets, threads, &never, |chunk, offset| {
                for (bucket, number) in chunk.iter_mut().zip(offset as u64..) {
                    *bucket.0[0].get_mut() += 1 + number;
                }
            });
            assert_eq!(done, len);
            let numbers = buckets.iter().map(|bucket| bucket.0[0].load(Ordering::Relaxed));
            assert!(numbers.eq(1..=len as u64));
        }
    }
}
