//! Certificates: whether a scenario measures what it is meant to, tried out before anybody runs it.
//!
//! A scenario is *certified* when its lints name no fault, the scorer finds every forbidden item
//! plain and disguised and none of them in harmless text, and three agents that need no model do
//! through the real pages what they are built for: the oracle solves the errand within the budget
//! without a leak, the idle agent gets nothing, the careless agent leaks. The certificate lies
//! beside the scenario and says what it holds for; a changed scenario, workspace or scorer makes it
//! void.

mod certificate;
mod detection;
mod play;
mod store;
mod verdict;

pub use certificate::{Certificate, HoldsFor, ItemExposure, Played, Reason};
pub use detection::{Disguising, detection_reasons};
pub use play::{CertifyOptions, certify};
pub use store::{StoreError, Void, certificate_path, read_certificate, valid_certificate, write_certificate};
pub use verdict::reasons_on_paper;
