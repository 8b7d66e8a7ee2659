//! Intervals and comparisons: pure functions.
