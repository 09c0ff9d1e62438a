//! plumb-lab.

fn main() {}
