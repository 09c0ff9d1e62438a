//! Huge pages: how much of a range of memory the system backs with them, which [`super::memory`] asks for.

use std::ops::Range;

/// Bytes in huge pages at these addresses; `None` if that is unknown. Memory beside them counts too if the system keeps it
/// in one mapping with them.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn bytes_in(_: &Range<usize>) -> Option<u64> {
    None
}

/// Bytes in huge pages at these addresses; `None` if that is unknown. Memory beside them counts too if the system keeps it
/// in one mapping with them.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn bytes_in(addresses: &Range<usize>) -> Option<u64> {
    let mappings = std::fs::read_to_string("/proc/self/smaps").ok()?;
    Some(linux::bytes_in(&mappings, addresses))
}

#[cfg(target_os = "linux")]
#[cfg_attr(miri, expect(dead_code, reason = "Miri keeps the file system away"))]
mod linux {
    use std::ops::Range;

    use crate::table::available_memory::linux::field;

    /// The sum over all mappings of `/proc/self/smaps` that share addresses with this range.
    pub(super) fn bytes_in(mappings: &str, addresses: &Range<usize>) -> u64 {
        let mut is_inside = false;
        let mut bytes = 0;
        for line in mappings.lines() {
            if let Some(mapping) = mapping(line) {
                is_inside = mapping.start < addresses.end && addresses.start < mapping.end;
            } else if is_inside {
                bytes += field(line, "AnonHugePages:").map_or(0, |kilobytes| kilobytes << 10);
            }
        }
        bytes
    }

    /// The addresses in the first line of a mapping, such as `7f00-7f40 rw-p 00000000 00:00 0`.
    fn mapping(line: &str) -> Option<Range<usize>> {
        let (start, end) = line.split(' ').next()?.split_once('-')?;
        let address = |digits| usize::from_str_radix(digits, 16).ok();
        Some(address(start)?..address(end)?)
    }

    #[test]
    fn mappings_that_share_addresses_are_added() {
        let mappings = "1000-3000 rw-p 00000000 00:00 0\nSize:  8 kB\nAnonHugePages:  1 kB\nVmFlags: rd wr\n\
                        3000-5000 rw-p 00000000 00:00 0 [heap]\nAnonHugePages:  2 kB\n\
                        5000-ffffffffff600000 --xp 00000000 00:00 0 [x-y z]\nAnonHugePages:  4 kB\n";
        for (addresses, kilobytes) in
            [(0x2000..0x4000, 3), (0x3000..0x5000, 2), (0x5000..0x5001, 4), (0..0x1000, 0)]
        {
            assert_eq!(bytes_in(mappings, &addresses), kilobytes << 10, "{addresses:?}");
        }
    }
}
