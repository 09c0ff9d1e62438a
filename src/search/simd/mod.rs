//! Lines of four on bit boards, compiled for several instruction sets.
//!
//! [`Portable`] works everywhere. [`Avx2`] exists only where run-time detection has found its instructions. Functions
//! that are generic over a [`Backend`] are compiled once for each; they gain from it only if they are inlined into a
//! function with the matching `#[target_feature]`, of which the exact search has one for its recursion.
//!
//! WebAssembly's SIMD128 has no back end: its shifts move all lanes by one distance, and the directions need one each. Nor
//! has Arm's NEON: scalar instructions that shift an operand are as fast (`EXPERIMENTS.md`).

#[cfg(target_arch = "x86_64")]
mod avx2;
mod backend;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
pub(crate) use backend::Backend;
pub(crate) use portable::Portable;
