//! Synchronisation primitives of the standard library, or of `loom` for the models (`--cfg loom`, modules `models`).
//!
//! A model runs the very code of the program, in every order of its steps. Two things keep the types of the standard
//! library: the slots of the table, which its model copies, and the book that the daemon shares. With the types of
//! `loom` no other test can run.

#[cfg(not(all(test, loom)))]
pub(crate) use std::sync::{
    Condvar, Mutex,
    atomic::{AtomicBool, AtomicU64},
};

#[cfg(all(test, loom))]
pub(crate) use loom::sync::{
    Condvar, Mutex,
    atomic::{AtomicBool, AtomicU64},
};
