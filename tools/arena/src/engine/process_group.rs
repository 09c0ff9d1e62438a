//! Process groups on Unix: a wrapper script and every process that it has started end together.

/// Whether the child numbered `id` has ended. It is not reaped, so that no other process gets its number before
/// [`kill`].
pub(super) fn has_ended(id: u32) -> bool {
    // SAFETY: `siginfo_t` is made of numbers and pointers, of which zeros are valid values.
    let mut found: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the call writes to `found`, which is valid for that, and keeps no pointer to it.
    let result = unsafe { libc::waitid(libc::P_PID, id as libc::id_t, &raw mut found, options) };
    // An error means that there is no such child any more.
    result != 0 || found.si_signo == libc::SIGCHLD
}

/// Kills every process of the group that the child numbered `id` leads, which must not have been reaped: its number, and
/// with it that of the group, could belong to others by then.
pub(super) fn kill(id: u32) {
    // The group is gone if this fails.
    // SAFETY: the call sends a signal to other processes, and touches no memory of this one.
    let _ = unsafe { libc::kill(-(id as libc::pid_t), libc::SIGKILL) };
}
