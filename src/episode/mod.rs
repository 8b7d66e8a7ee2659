//! The step loop, its budget and outcomes; dispatcher and workers.
