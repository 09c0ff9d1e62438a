//! The memory that the system can give to this process.
//!
//! Linux grants more memory than there is, and kills a process that touches too much. So the available memory
//! is read before a table is reserved.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

pub(super) const MEGABYTE: u64 = 1 << 20;

const LEFT_FREE: u64 = 32 * MEGABYTE;

/// The error for a table that needs more memory than there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TableError {
    /// The requested size in megabytes of 2^20 bytes.
    pub requested: usize,
    /// The largest size that fits, in megabytes, and its limit. `None` if unknown. An upper limit if a resize
    /// keeps the old table.
    pub available: Option<(u64, MemoryLimit)>,
}

/// A limit of the memory that this process can get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MemoryLimit {
    /// The memory of the machine that is not in use.
    Machine,
    /// The address space of the process: `ulimit -v`.
    AddressSpace,
    /// The control groups of the process, for example in a container.
    ControlGroup,
}

impl Display for MemoryLimit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Machine => "on this machine",
            Self::AddressSpace => "within the limit of address space (`ulimit -v`)",
            Self::ControlGroup => "within the memory limit of the control group",
        })
    }
}

impl Display for TableError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "a hash table of {} MB does not fit: ", self.requested)?;
        match self.available {
            Some((available, limit)) => write!(f, "{available} MB are available {limit}"),
            None => f.write_str("the system refuses the memory"),
        }
    }
}

impl Error for TableError {}

pub(super) const fn usable(available: u64) -> u64 {
    let usable = available.saturating_sub(LEFT_FREE);
    usable - usable / 512
}

#[cfg(not(all(any(target_os = "linux", windows), not(miri))))]
pub(super) fn available() -> Option<(u64, MemoryLimit)> {
    None
}

#[cfg(all(windows, not(miri)))]
pub(super) fn available() -> Option<(u64, MemoryLimit)> {
    windows::available().map(|bytes| (bytes, MemoryLimit::Machine))
}

#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn available() -> Option<(u64, MemoryLimit)> {
    use std::fs;
    let read = |path: &str| fs::read_to_string(path).ok();
    let machine =
        read("/proc/meminfo").and_then(|text| linux::field(&text, "MemAvailable:").map(|kb| kb << 10));
    let address_space = read("/proc/self/limits")
        .zip(read("/proc/self/status"))
        .and_then(|(limits, status)| linux::address_space(&limits, &status));
    let groups = read("/proc/self/cgroup").and_then(|text| linux::control_groups(&text));
    let limits = [MemoryLimit::Machine, MemoryLimit::AddressSpace, MemoryLimit::ControlGroup];
    let bytes = [machine, address_space, groups].into_iter();
    bytes.zip(limits).filter_map(|(bytes, limit)| Some((bytes?, limit))).min_by_key(|&(bytes, _)| bytes)
}

#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn huge_page_bytes(_: &Range<usize>) -> Option<u64> {
    None
}

/// Bytes in huge pages of all memory mappings that contain some of these addresses.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn huge_page_bytes(addresses: &Range<usize>) -> Option<u64> {
    let mappings = std::fs::read_to_string("/proc/self/smaps").ok()?;
    Some(linux::huge_page_bytes(&mappings, addresses))
}

#[cfg(all(windows, not(miri)))]
mod windows {
    #[derive(Default)]
    #[repr(C)]
    struct MemoryStatus {
        length: u32,
        memory_load: u32,
        total_physical: u64,
        available_physical: u64,
        total_page_file: u64,
        available_page_file: u64,
        total_virtual: u64,
        available_virtual: u64,
        available_extended_virtual: u64,
    }

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GlobalMemoryStatusEx(status: *mut MemoryStatus) -> i32;
    }

    /// The least of address space, physical memory and memory that may still be committed.
    pub(super) fn available() -> Option<u64> {
        let length = size_of::<MemoryStatus>() as u32;
        let mut status = MemoryStatus { length, ..MemoryStatus::default() };
        // SAFETY: the structure has the layout and the length that the function asks for, and is
        // borrowed mutably.
        let succeeded = unsafe { GlobalMemoryStatusEx(&raw mut status) } != 0;
        let MemoryStatus { available_physical, available_page_file, available_virtual, .. } = status;
        if !succeeded {
            return None;
        }
        Some(available_physical.min(available_page_file).min(available_virtual))
    }
}

#[cfg(target_os = "linux")]
#[cfg_attr(miri, expect(dead_code, reason = "Miri keeps the file system away"))]
pub(super) mod linux {
    use std::fs;
    use std::ops::Range;
    use std::path::Path;

    struct Account {
        root: &'static str,
        limit: &'static str,
        usage: &'static str,
        /// Name of the inactive file cache in `memory.stat`, which is reclaimed on demand.
        cache: &'static str,
    }

    const VERSION_1: Account = Account {
        root: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        usage: "memory.usage_in_bytes",
        cache: "total_inactive_file",
    };
    const VERSION_2: Account = Account {
        root: "/sys/fs/cgroup",
        limit: "memory.max",
        usage: "memory.current",
        cache: "inactive_file",
    };

    /// Parses a line such as `MemAvailable:   24105 kB`.
    pub(super) fn field(text: &str, name: &str) -> Option<u64> {
        text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            if words.next()? != name {
                return None;
            }
            words.next()?.parse().ok()
        })
    }

    pub(super) fn address_space(limits: &str, status: &str) -> Option<u64> {
        let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(limit.saturating_sub(field(status, "VmSize:")? << 10))
    }

    /// The memory left in a control group. `None` without a limit.
    pub(super) fn room(limit: &str, usage: &str, stat: &str, cache: &str) -> Option<u64> {
        let limit: u64 = limit.trim().parse().ok()?;
        let usage: u64 = usage.trim().parse().ok()?;
        Some(limit.saturating_sub(usage.saturating_sub(field(stat, cache).unwrap_or(0))))
    }

    /// Parses a line of `/proc/self/cgroup`.
    fn account(line: &str) -> Option<(&'static Account, &str)> {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        if controllers.is_empty() {
            Some((&VERSION_2, path))
        } else if controllers.split(',').any(|name| name == "memory") {
            Some((&VERSION_1, path))
        } else {
            None
        }
    }

    pub(super) fn control_groups(groups: &str) -> Option<u64> {
        groups.lines().filter_map(account).filter_map(|(account, path)| lowest_room(account, path)).min()
    }

    fn lowest_room(account: &Account, path: &str) -> Option<u64> {
        let root = Path::new(account.root);
        let group = root.join(path.trim_start_matches('/'));
        // A container may hide all groups except the root.
        group
            .ancestors()
            .take_while(|group| group.starts_with(root))
            .filter_map(|group| {
                let read = |file| fs::read_to_string(group.join(file)).ok();
                let stat = read("memory.stat").unwrap_or_default();
                room(&read(account.limit)?, &read(account.usage)?, &stat, account.cache)
            })
            .min()
    }

    pub(super) fn huge_page_bytes(mappings: &str, addresses: &Range<usize>) -> u64 {
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

    /// Parses the first line of a mapping, such as `7f00-7f40 rw-p 00000000 00:00 0`.
    fn mapping(line: &str) -> Option<Range<usize>> {
        let (start, end) = line.split(' ').next()?.split_once('-')?;
        Some(usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn mappings_that_share_addresses_are_added() {
            let mappings = "1000-3000 rw-p 00000000 00:00 0\nSize:  8 kB\nAnonHugePages:  1 kB\nVmFlags: rd wr\n\
                            3000-5000 rw-p 00000000 00:00 0 [heap]\nAnonHugePages:  2 kB\n\
                            5000-ffffffffff600000 --xp 00000000 00:00 0 [x-y z]\nAnonHugePages:  4 kB\n";
            for (addresses, kilobytes) in
                [(0x2000..0x4000, 3), (0x3000..0x5000, 2), (0x5000..0x5001, 4), (0..0x1000, 0)]
            {
                assert_eq!(huge_page_bytes(mappings, &addresses), kilobytes << 10, "{addresses:?}");
            }
        }

        #[test]
        fn fields_are_found_by_their_whole_name() {
            let text = "MemTotal: 9 kB\nMemAvailable:    1234 kB\nSwap:\nx: y\n";
            assert_eq!(field(text, "MemAvailable:"), Some(1234));
            assert_eq!(field(text, "Mem"), None);
            assert_eq!(field(text, "Swap:"), None);
            assert_eq!(field(text, "x:"), None);
        }

        #[test]
        fn address_space_counts_what_is_taken() {
            let limits = |soft| {
                format!("Limit  Soft Limit  Hard Limit  Units\nMax address space  {soft}  unlimited bytes\n")
            };
            let status = "Name: x\nVmSize:\t    3 kB\n";
            assert_eq!(address_space(&limits("unlimited"), status), None);
            assert_eq!(address_space(&limits("4096"), status), Some(1024));
            assert_eq!(address_space(&limits("1024"), status), Some(0));
        }

        #[test]
        fn inactive_cache_counts_as_available() {
            assert_eq!(room("max\n", "5\n", "", "inactive_file"), None);
            assert_eq!(room("100\n", "70\n", "", "inactive_file"), Some(30));
            assert_eq!(room("100\n", "70\n", "anon 5\ninactive_file 20\n", "inactive_file"), Some(50));
            assert_eq!(room("100\n", "170\n", "", "inactive_file"), Some(0));
        }

        #[test]
        fn the_least_room_is_that_of_the_group_or_of_one_above() {
            let directory = std::env::temp_dir().join(format!("plumb-groups-{}", std::process::id()));
            let top = directory.to_str().expect("UTF-8").to_owned().leak();
            let files = Account { root: top, ..VERSION_2 };
            for (group, limit, usage) in [("", "max", "9"), ("a", "50", "20"), ("a/b", "90", "40")] {
                let group = directory.join(group);
                fs::create_dir_all(&group).expect("a directory");
                fs::write(group.join(files.limit), limit).expect("a file");
                fs::write(group.join(files.usage), usage).expect("a file");
            }
            let room = ["/a/b", "/a", "/", "/a/elsewhere/c"].map(|path| lowest_room(&files, path));
            fs::remove_dir_all(&directory).expect("removed");
            assert_eq!(room, [Some(30), Some(30), None, Some(30)]);
        }

        #[test]
        fn controllers_give_the_version() {
            assert!(account("0::/a/b").is_some_and(|(of, path)| of.root == VERSION_2.root && path == "/a/b"));
            assert!(
                account("4:cpu,memory:/a")
                    .is_some_and(|(of, path)| of.root == VERSION_1.root && path == "/a")
            );
            assert!(account("4:cpuset:/a").is_none());
            assert!(account("nonsense").is_none());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_sentence_with_the_figures() {
        for (limit, words) in [
            (MemoryLimit::Machine, "on this machine"),
            (MemoryLimit::AddressSpace, "within the limit of address space (`ulimit -v`)"),
            (MemoryLimit::ControlGroup, "within the memory limit of the control group"),
        ] {
            let error = TableError { requested: 4096, available: Some((1000, limit)) };
            let expected = format!("a hash table of 4096 MB does not fit: 1000 MB are available {words}");
            assert_eq!(error.to_string(), expected);
        }
        let error = TableError { requested: 4096, available: None };
        assert_eq!(error.to_string(), "a hash table of 4096 MB does not fit: the system refuses the memory");
    }

    #[test]
    fn some_memory_is_left_free() {
        assert_eq!(usable(0), 0);
        assert_eq!(usable(LEFT_FREE), 0);
        assert_eq!(usable(LEFT_FREE + 512), 511);
    }

    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn available_memory_is_known_on_linux() {
        assert!(available().is_some_and(|(bytes, _)| bytes > MEGABYTE));
    }
}
