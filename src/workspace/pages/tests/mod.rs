//! Tests over all pages: they render, they show everything, they escape everything, their controls
//! have names of their own.

mod forms;
mod html;
mod pages;
pub(super) mod support;
