//! The types that threads share state by: those of the standard library, or the same ones of `loom` where a model is run
//! (`--cfg loom`, module `models` of [`search`](crate::search), [`table`](crate::table) and `daemon`).
//!
//! The protocols that are modelled import them from here: a model then runs the very code of the program, in every order
//! of its steps that threads allow. Where the types of `loom` are used no other test can be run.

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
