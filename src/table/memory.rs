use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::slice;

use super::entry::{BUCKET_BYTES, Bucket};

const _: () = assert!(BUCKET_BYTES == 32 && CACHE_LINE.is_multiple_of(BUCKET_BYTES));

const CACHE_LINE: usize = 64;
const SMALL_ALIGN: usize = 16;
const HUGE_PAGE: usize = 2 << 20;

/// Memory of a table. Buckets that were never written cost address space only.
pub(super) struct Buckets {
    start: NonNull<Bucket>,
    len: usize,
    allocation: NonNull<u8>,
    layout: Layout,
}

// SAFETY: `Buckets` owns its memory as a `Box<[Bucket]>` does, and `Bucket`, an array of atomics, is `Send` and `Sync`.
unsafe impl Send for Buckets {}
// SAFETY: as above; a shared reference gives access to the memory only as `&[Bucket]`.
unsafe impl Sync for Buckets {}

impl Buckets {
    /// Returns `None` if `len` is 0 or too large, or if the allocator refuses.
    pub(super) fn new(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(BUCKET_BYTES)?;
        let align = if bytes >= HUGE_PAGE { HUGE_PAGE } else { CACHE_LINE };
        // With a large alignment allocators write the zeros themselves, before the advice about huge pages.
        // With a small alignment they return fresh pages. So this code aligns the start.
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
        Some(Self { start: start.cast(), len, allocation, layout })
    }

    pub(super) fn addresses(&self) -> Range<usize> {
        let start = self.start.addr().get();
        start..start + self.len * BUCKET_BYTES
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: `start` is aligned for `Bucket` and followed by `len` buckets, within one allocation that
        // lives as long as `self`. It was zeroed, and zeros are a valid `Bucket`.
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

/// Asks Linux for huge pages: with pages of 4 KiB most probes of a large table miss the TLB.
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

/// Fetches a bucket into the cache, on `x86_64` and `aarch64` only.
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
    use std::sync::atomic::Ordering;

    fn sum(buckets: &Buckets) -> u64 {
        buckets.iter().flat_map(|bucket| &bucket.0).map(|slot| slot.load(Ordering::Relaxed)).sum()
    }

    #[test]
    fn starts_aligned_and_empty() {
        let huge = if cfg!(miri) { 2 } else { HUGE_PAGE / BUCKET_BYTES };
        for len in [1, 2, 3, 1000, huge - 1, huge, huge + 1, 9 * huge + 7] {
            let buckets = Buckets::new(len).expect("some megabytes");
            let align = if len * BUCKET_BYTES >= HUGE_PAGE { HUGE_PAGE } else { CACHE_LINE };
            assert!(buckets.start.addr().get().is_multiple_of(align));
            assert_eq!((buckets.len(), sum(&buckets)), (len, 0));
            for bucket in buckets.iter() {
                bucket.0[3].store(7, Ordering::Relaxed);
            }
            assert_eq!(sum(&buckets), 7 * len as u64);
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Buckets::new(0).is_none());
        assert!(Buckets::new(usize::MAX).is_none());
        assert!(Buckets::new(usize::MAX / BUCKET_BYTES).is_none());
    }
}
