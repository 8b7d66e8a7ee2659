//! Tests over all pages: they render, they show everything, they escape everything, their controls
//! have names of their own.

mod contrast;
mod forms;
mod html;
mod pages;
mod sample;
pub(super) mod support;
