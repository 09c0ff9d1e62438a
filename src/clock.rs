//! The monotonic clock.
//!
//! It is that of the standard library, but in a browser, where the standard library has none; `web-time` reads that of
//! the page or worker there.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web_time::Instant;
