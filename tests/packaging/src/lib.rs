//! Nothing but a place for the test `outside_project`.
#![forbid(unsafe_code)]
