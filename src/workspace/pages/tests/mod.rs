//! Tests over all pages: they render, they show everything, they escape everything, their controls
//! have names of their own.

mod contrast;
mod direction;
mod forms;
pub(super) mod full;
mod html;
mod pages;
mod sample;
mod support;
