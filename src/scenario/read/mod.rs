//! From JSON to the canonical model: every shape of scenario file that is known, without losing a
//! string.
//!
//! One file per app. A reader takes the keys it knows; what is left over inside an app's state
//! becomes a [`Detail`](super::model::Detail), which the page shows. Outside the apps' states a
//! key that is left over is a fault. Readers never stop at the first fault: they note it and go
//! on, so that one run of `discreet check` names them all.

mod calendar;
mod code_editor;
mod context;
mod document;
mod fields;
mod maps;
mod messenger;
mod people;
mod python;
mod shop;
#[cfg(test)]
mod tests;
mod todo;
mod when;

pub(super) use calendar::is_weekday;
pub(super) use document::read;
pub(crate) use people::base_name;

/// Whether a text is a local ISO date and time, which pages show in their own form.
pub(super) fn is_date_time(text: &str) -> bool {
    when::date_time(text).is_some()
}
