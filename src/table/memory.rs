//! The table's memory, zeroed and aligned, in huge pages where the system has them: the only `unsafe` of the table.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Entries that are probed together.
pub(super) const ENTRIES_PER_BUCKET: usize = 4;

/// Entries that are probed together. Aligned to its size, so that no bucket crosses a cache line.
#[derive(Debug)]
#[repr(C, align(32))]
pub(super) struct Bucket(pub(super) [AtomicU64; ENTRIES_PER_BUCKET]);

pub(super) const BUCKET_BYTES: usize = size_of::<Bucket>();

const _: () = assert!(BUCKET_BYTES == 32 && CACHE_LINE.is_multiple_of(BUCKET_BYTES));

const CACHE_LINE: usize = 64;
/// From this size on a table is cleared past the cache.
const STREAMED_BYTES: usize = if cfg!(miri) { usize::MAX } else { 16 << 20 };
const HUGE_PAGE: usize = 2 << 20;
/// The smallest page of the systems in use: touching one bucket in as many bytes touches every page.
const SMALL_PAGE: usize = 4096;
/// What one thread takes at a time when memory is touched or cleared; a smaller table is not worth a second thread.
const SHARE_BYTES: usize = if cfg!(miri) { 16 << 10 } else { 4 << 20 };

/// How long the system is given to provide the pages of a new table. A real machine needs about a tenth of a second for
/// a gigabyte; a virtual one whose host lends the memory only when it is touched may need many, and a controller that
/// waits for `readyok` should not have to. The pages missing then come when the search touches them.
const TOUCH_BUDGET: Duration = Duration::from_millis(700);

/// An array of buckets on the heap, owned like a boxed slice, that may be refused and starts at a huge page.
pub(super) struct Buckets {
    start: NonNull<Bucket>,
    len: usize,
    /// What the allocator gave: it starts up to an alignment before `start`.
    allocation: NonNull<u8>,
    layout: Layout,
    /// Whether all pages were provided in time.
    resident: bool,
}

// SAFETY: `Buckets` owns its memory as a `Box<[Bucket]>` does, and `Bucket`, an array of atomics, is `Send` and `Sync`.
unsafe impl Send for Buckets {}
// SAFETY: as above; a shared reference gives out nothing but `&[Bucket]`.
unsafe impl Sync for Buckets {}

impl Buckets {
    /// `len` empty buckets, touched by up to `threads` threads; `None` if `len` is 0 or the allocator refuses.
    pub(super) fn zeroed(len: usize, threads: usize) -> Option<Self> {
        let mut buckets = Self::reserve(len)?;
        buckets.touch(threads, TOUCH_BUDGET);
        Some(buckets)
    }

    /// `len` empty buckets, whose pages mostly come when they are touched.
    fn reserve(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(BUCKET_BYTES)?;
        let align = if bytes >= HUGE_PAGE { HUGE_PAGE } else { CACHE_LINE };
        // Asked for a large alignment, allocators write the zeros themselves, on one thread and before the advice
        // about huge pages; with a small one they hand out fresh pages, untouched. So the alignment is made here.
        let layout = Layout::from_size_align(bytes.checked_add(align)?, align_of::<Bucket>().min(16)).ok()?;
        if bytes == 0 {
            return None;
        }
        // SAFETY: the size of the layout is not zero.
        let allocation = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let offset = allocation.addr().get().next_multiple_of(align) - allocation.addr().get();
        // SAFETY: the offset is below `align`, and the allocation is `align` larger than the buckets.
        let start = unsafe { allocation.add(offset) };
        advise_huge_pages(start, bytes);
        Some(Self { start: start.cast(), len, allocation, layout, resident: false })
    }

    /// Makes the system provide every page now, in parallel, and not one by one in the middle of a search; but does
    /// not go on after `budget`.
    fn touch(&mut self, threads: usize, budget: Duration) {
        let started = Instant::now();
        let late = AtomicBool::new(false);
        in_parallel(self, threads, |share| {
            if started.elapsed() >= budget {
                late.store(true, Ordering::Relaxed);
                return;
            }
            for page in share.chunks(SMALL_PAGE / BUCKET_BYTES) {
                // An atomic store, as the compiler may know that the memory is zero and drop a plain one.
                page[0].0[0].store(0, Ordering::Relaxed);
            }
        });
        self.resident = !late.into_inner();
        if !self.resident {
            log::debug!(
                "the system is slow to provide the table's memory: the search takes the rest as it goes"
            );
        }
    }

    /// Empties every bucket, with up to `threads` threads.
    pub(super) fn clear(&mut self, threads: usize) {
        // Writing zeros to pages that never came would wait for them all: better to have new ones.
        if !self.resident
            && let Some(fresh) = Self::reserve(self.len)
        {
            *self = fresh;
            self.touch(threads, TOUCH_BUDGET);
            return;
        }
        if self.len * BUCKET_BYTES < STREAMED_BYTES {
            in_parallel(self, threads, empty);
            return;
        }
        in_parallel(self, threads, empty_past_the_cache);
        // What is asked for first may as well be at hand.
        let first = self.len.min(super::key::PART_BUCKETS);
        empty(&mut self[..first]);
    }
}

/// Zeros that stay in the cache.
fn empty(buckets: &mut [Bucket]) {
    for bucket in buckets {
        bucket.0 = Default::default();
    }
}

/// Zeros that go straight to memory: a table that is larger than the cache would drive everything else out of it.
#[cfg(target_arch = "x86_64")]
fn empty_past_the_cache(buckets: &mut [Bucket]) {
    use std::arch::x86_64::{__m128i, _mm_setzero_si128, _mm_sfence, _mm_stream_si128};
    for bucket in buckets {
        let start: *mut __m128i = (&raw mut *bucket).cast();
        for offset in 0..BUCKET_BYTES / size_of::<__m128i>() {
            // SAFETY: every x86-64 has these instructions; the bucket is borrowed mutably, aligned to its 32 bytes, and
            // zeros are a valid one.
            unsafe { _mm_stream_si128(start.add(offset), _mm_setzero_si128()) };
        }
    }
    // SAFETY: as above. Such stores are ordered after nothing but this.
    unsafe { _mm_sfence() };
}

#[cfg(not(target_arch = "x86_64"))]
use empty as empty_past_the_cache;

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: `start` is aligned for `Bucket` and followed by `len` of them within one allocation that lives as
        // long as `self`; it was zeroed, and zeros are a valid `Bucket`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Buckets {
    fn deref_mut(&mut self) -> &mut [Bucket] {
        // SAFETY: as in `deref`, and `&mut self` is the only way to the memory for as long as the slice lives.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Buckets {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the global allocator with this very layout and is freed nowhere else;
        // buckets need no drop.
        unsafe { dealloc(self.allocation.as_ptr(), self.layout) }
    }
}

/// Runs `job` over all buckets, share by share, on up to `threads` threads, the calling one among them.
fn in_parallel(buckets: &mut [Bucket], threads: usize, job: impl Fn(&mut [Bucket]) + Sync) {
    let share = SHARE_BYTES / BUCKET_BYTES;
    let helpers = threads.min(buckets.len().div_ceil(share)).saturating_sub(1);
    let shares = Mutex::new(buckets.chunks_mut(share));
    let run = || {
        loop {
            // The lock is dropped at the end of the statement, before the work.
            let next = shares.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(share) = next else { break };
            job(share);
        }
    };
    thread::scope(|scope| {
        for _ in 0..helpers {
            // A helper that cannot start is no loss: the other threads take its shares.
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, run) {
                log::debug!("no more threads to prepare the table: {error}");
                break;
            }
        }
        run();
    });
}

/// Asks for huge pages, before the first touch: with pages of 4 KiB most probes of a large table miss the TLB too.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages(start: NonNull<u8>, bytes: usize) {
    if bytes < HUGE_PAGE {
        return;
    }
    // SAFETY: the range lies within our allocation, and the advice changes no byte of it.
    let result = unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
    if result != 0 {
        log::debug!("no huge pages for the table: {}", std::io::Error::last_os_error());
    }
}

#[cfg(any(not(target_os = "linux"), miri))]
fn advise_huge_pages(_: NonNull<u8>, _: usize) {}

/// Fetches the cache line of a bucket without waiting for it; on a processor without a way to ask, does nothing.
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

    #[test]
    fn starts_aligned_and_empty() {
        let huge = if cfg!(miri) { 1 } else { HUGE_PAGE / BUCKET_BYTES };
        for len in [1, 2, 3, 1000, huge - 1, huge, huge + 1, 5 * huge + 7] {
            let Some(mut buckets) = Buckets::zeroed(len, 3) else {
                assert_eq!(len, 0);
                continue;
            };
            let align = if len * BUCKET_BYTES >= HUGE_PAGE { HUGE_PAGE } else { CACHE_LINE };
            assert!(buckets.start.addr().get().is_multiple_of(align));
            assert_eq!(buckets.len(), len);
            let sum = |buckets: &Buckets| {
                buckets
                    .iter()
                    .flat_map(|bucket| &bucket.0)
                    .fold(0, |sum, slot| sum | slot.load(Ordering::Relaxed))
            };
            assert_eq!(sum(&buckets), 0);
            for bucket in buckets.iter() {
                bucket.0[3].store(7, Ordering::Relaxed);
            }
            assert_eq!(sum(&buckets), 7);
            buckets.clear(2);
            assert_eq!(sum(&buckets), 0);
        }
    }

    #[test]
    fn a_slow_system_is_not_waited_for() {
        let mut buckets = Buckets::reserve(3 * SHARE_BYTES / BUCKET_BYTES).expect("a few megabytes");
        buckets.touch(2, Duration::ZERO);
        assert!(!buckets.resident);
        assert!(buckets.iter().all(|bucket| bucket.0[1].load(Ordering::Relaxed) == 0));
        buckets[5].0[2].store(1, Ordering::Relaxed);
        let len = buckets.len();
        buckets.clear(2);
        assert_eq!((buckets.len(), buckets[5].0[2].load(Ordering::Relaxed)), (len, 0));
        buckets.touch(2, Duration::MAX);
        assert!(buckets.resident);
    }

    #[test]
    fn refuses_what_no_address_space_holds() {
        assert!(Buckets::zeroed(0, 1).is_none());
        assert!(Buckets::zeroed(usize::MAX, 1).is_none());
        assert!(Buckets::zeroed(usize::MAX / BUCKET_BYTES, 1).is_none());
    }

    #[test]
    fn every_share_is_done_once_whatever_the_number_of_threads() {
        let len = 3 * SHARE_BYTES / BUCKET_BYTES + 5;
        for threads in [0, 1, 2, 64] {
            let mut buckets = Buckets::zeroed(len, threads).expect("a few megabytes");
            in_parallel(&mut buckets, threads, |share| {
                for bucket in share {
                    *bucket.0[0].get_mut() += 1;
                }
            });
            assert!(buckets.iter().all(|bucket| bucket.0[0].load(Ordering::Relaxed) == 1));
        }
    }
}
