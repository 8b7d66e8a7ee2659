//! Rows and tables, computed from traces only.
