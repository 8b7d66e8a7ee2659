//! The situations: what is where, who asks, and what goes with it.

mod matter;
mod order;
mod tour;

use super::cast::{Casting, Person};
use super::compose::is_whole_name;
use super::draw::Draw;
use super::genes::{Blueprint, Kind, Sink, Tie};
use super::scene::Scene;

/// Who is to get it.
pub(super) fn reader(plan: &Blueprint, cast: &mut Casting<'_>, draw: &mut Draw) -> Person {
    let (words, at) = (plan.bank(), plan.situation);
    let (roles, group): (&[String], &str) = match plan.kind {
        Kind::Matter => (&words.matters[at].recipients, &words.matters[at].group),
        Kind::Agenda => (&words.agendas[at].recipients, &words.agendas[at].group),
        Kind::Tour => (&words.tours[at].recipients, &words.tours[at].group),
        Kind::Order => (&[], ""),
        Kind::Wish => (&words.wishes[at].recipients, ""),
    };
    match plan.sink {
        Sink::Group => cast.group(draw, group, false),
        Sink::Channel => cast.group(draw, group, true),
        _ => {
            let role = draw.text(roles).to_owned();
            let whole = is_whole_name(plan, draw);
            let mut person = cast.person(draw, &role, whole);
            person.external = plan.circle() == "trade";
            person
        }
    }
}

/// Fills the apps and the ground truth. Returns the situation's id and why its facts are needed.
pub(super) fn fill(scene: &mut Scene<'_>) -> (&'static str, &'static str) {
    if scene.plan.sink == Sink::ListAdd && scene.plan.tie == Tie::Mixed {
        let role = scene.draw.text(&scene.bank.everyday.contacts).to_owned();
        scene.second = Some(scene.cast.person(scene.draw, &role, false));
    }
    match scene.plan.kind {
        Kind::Matter => matter::fill(scene, &scene.bank.matters[scene.plan.situation]),
        Kind::Agenda => matter::fill_agenda(scene, &scene.bank.agendas[scene.plan.situation]),
        Kind::Tour => tour::fill(scene, &scene.bank.tours[scene.plan.situation]),
        Kind::Order => order::fill(scene, &scene.bank.orders[scene.plan.situation]),
        Kind::Wish => order::fill_wish(scene, &scene.bank.wishes[scene.plan.situation]),
    }
}
