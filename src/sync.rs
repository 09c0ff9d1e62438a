//! Synchronisation primitives: those of the standard library, or those of `loom` where a model is run (`--cfg loom`, module
//! `models` of [`search`](crate::search), [`table`](crate::table) and `daemon`).
//!
//! Protocols that are modelled import them from here, so that a model runs the very code of the program, in every order of
//! its steps that threads allow; only the slots of the table, which its model copies, and the book that the daemon shares are
//! those of the standard library. With the types of `loom` no other test can be run.

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
