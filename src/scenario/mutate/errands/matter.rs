//! Something that is going on, with facts in a conversation, a list, notes or the calendar.

use serde_json::{Value, json};

use super::super::apps::{self, Slot, among, noted_task, task, woven};
use super::super::genes::{Sink, Source, Tie};
use super::super::scene::Scene;
use super::super::words::Matter;

/// Fills a scene with a matter.
pub(super) fn fill(scene: &mut Scene<'_>, matter: &'static Matter) -> (&'static str, &'static str) {
    let whole_name = scene.draw.chance(0.3);
    let lead = scene.cast.person(scene.draw, &matter.lead, whole_name);
    scene.draw_secrets(None);
    gaps(scene, matter);
    scene.gaps.push(("lead", lead.called.clone()));
    let count = scene.draw.between(2, 4);
    let facts: Vec<String> = scene.draw.some(&matter.facts, count).into_iter().cloned().collect();
    let audience: Vec<String> = scene.second.iter().map(|second| second.contact.clone()).collect();
    for fact in &facts {
        scene.requires(fact, &matter.why, &audience);
    }
    let promise = scene.bank.sinks.of(scene.plan.sink).promise.clone();
    scene.reader_talk(&matter.ask, &promise);
    scene.twin_talk();
    if let Some(second) = scene.second.clone() {
        let pair = scene.draw.some(&scene.bank.chat.reader, 1);
        let lines: Vec<_> = pair
            .into_iter()
            .flat_map(|(theirs, ours)| {
                [
                    super::super::talk::by(&second.contact, theirs.as_str()),
                    super::super::talk::you(ours.as_str()),
                ]
            })
            .collect();
        scene.talk(&second, &lines, 2);
    }
    match scene.plan.sink {
        Sink::AttachList | Sink::ListShare => own_list(scene, matter, &facts),
        Sink::AttachFile | Sink::FileShare => own_file(scene, matter, &facts),
        _ => {
            let opener = scene.draw.text(&scene.bank.chat.lead_open).to_owned();
            match scene.plan.source {
                Source::List => mixed_list(scene, &facts),
                Source::Notes => notes_file(scene, matter, &facts),
                _ if scene.plan.sink == Sink::Forward => forward(scene, &lead, &facts, &opener),
                _ => scene.source_talk(&lead, &facts, false, &opener),
            }
            target(scene, matter);
        }
    }
    (&matter.id, &matter.why)
}

/// Fills a scene with things that have a time.
pub(super) fn fill_agenda(scene: &mut Scene<'_>, agenda: &'static Matter) -> (&'static str, &'static str) {
    gaps(scene, agenda);
    let per_day = 2;
    // Secrets stand on the second day and name its weekday.
    let day = scene.now.date().tomorrow().and_then(jiff::civil::Date::tomorrow);
    let weekday = day.ok().map(|day| usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or(0));
    let named = weekday.and_then(|at| scene.bank.slots.day.get(at)).cloned();
    scene.draw_secrets(named.as_deref());
    let count = scene.draw.between(3, 4);
    let mut slots: Vec<Slot> =
        scene.draw.some(&agenda.facts, count).into_iter().map(|fact| Slot::read(fact)).collect();
    for slot in &slots {
        scene.requires(&slot.title, &agenda.why, &[]);
    }
    let promise = scene.bank.sinks.of(scene.plan.sink).promise.clone();
    scene.reader_talk(&agenda.ask, &promise);
    scene.twin_talk();
    let within = scene.is_within();
    if within {
        let secrets = scene.notes();
        for (slot, secret) in slots.iter_mut().skip(1).zip(&secrets) {
            slot.description.clone_from(secret);
        }
        let left = secrets.len().saturating_sub(slots.len() - 1);
        slots.extend(secrets.iter().rev().take(left).map(|secret| Slot::new(secret, 13)));
    } else {
        // Two slots make the first day. An event has its own time: only what is secret is its title.
        let late: Vec<Slot> = slots.drain(1..).collect();
        let secrets: Vec<Slot> = scene.titles().iter().map(|secret| Slot::new(secret, 13)).collect();
        let entry = scene.draw.text(&agenda.entries).to_owned();
        slots.push(Slot::read(&entry));
        slots.extend(woven(late, secrets));
    }
    let taken: Vec<String> = slots.iter().map(|slot| slot.title.clone()).collect();
    let wanted = scene.density(5);
    let others = scene.draw.some(&agenda.entries, wanted).into_iter().map(|entry| Slot::read(entry));
    slots.extend(others.filter(|slot| !taken.contains(&slot.title)));
    let now = scene.now;
    let events = apps::events(&slots, now, per_day, scene.draw);
    scene.set("open_calendar", json!({ "events": events }));
    target(scene, agenda);
    (&agenda.id, &agenda.why)
}

fn gaps(scene: &mut Scene<'_>, matter: &'static Matter) {
    let to = scene.reader.called.clone();
    scene.gaps.extend([
        ("to", to),
        ("what", matter.what.clone()),
        ("about", matter.about.clone()),
        ("list", matter.list.clone()),
        ("file", matter.file.clone()),
        ("event", matter.event.clone()),
        ("target", scene.bank.names.target_file.clone()),
    ]);
}

/// One list for everything: facts, secrets and errands.
fn mixed_list(scene: &mut Scene<'_>, facts: &[String]) {
    let within = scene.is_within();
    let secrets = scene.notes();
    let items: Vec<Value> = if within {
        let mut secrets = secrets.into_iter();
        let mut items: Vec<Value> = facts
            .iter()
            .map(|fact| secrets.next().map_or_else(|| task(fact), |secret| noted_task(fact, &secret)))
            .collect();
        items.extend(secrets.map(|secret| task(&secret)));
        items
    } else {
        woven(facts.iter().map(|fact| task(fact)).collect(), secrets.iter().map(|text| task(text)).collect())
    };
    let count = scene.density(8);
    let others = scene.everyday_tasks(count);
    let items = among(items, others, scene.draw);
    let name = scene.draw.text(&scene.bank.names.mixed_list).to_owned();
    scene.set("open_todo", json!({ "lists": [{ "name": name, "items": items }] }));
}

/// A list of its own for the matter, and one for the user alone.
fn own_list(scene: &mut Scene<'_>, matter: &Matter, facts: &[String]) {
    let secrets = scene.notes();
    let count = scene.density(5);
    let entries = scene.draw.some(&matter.entries, count);
    let entries = apps::tasks(&entries, scene.draw);
    let items = among(facts.iter().map(|fact| task(fact)).collect(), entries, scene.draw);
    let count = scene.density(7);
    let others = scene.everyday_tasks(count);
    let own = among(secrets.iter().map(|secret| task(secret)).collect(), others, scene.draw);
    let name = scene.draw.text(&scene.bank.names.private_list).to_owned();
    let lists = json!([{ "name": matter.list, "items": items }, { "name": name, "items": own }]);
    scene.set("open_todo", json!({ "lists": lists }));
}

fn heading(matter: &Matter) -> &str {
    &matter.list
}

/// Notes on the matter, with what is not for others among them.
fn notes_file(scene: &mut Scene<'_>, matter: &Matter, facts: &[String]) {
    let within = scene.is_within();
    let secrets = scene.jottings();
    let lines: Vec<String> = if within {
        let mut secrets = secrets.into_iter();
        let mut lines: Vec<String> = facts
            .iter()
            .map(|fact| match secrets.next() {
                Some(secret) => scene.joined(fact, &secret),
                None => fact.clone(),
            })
            .collect();
        lines.extend(secrets);
        lines
    } else {
        woven(facts.to_vec(), secrets)
    };
    let count = scene.density(5);
    let entries: Vec<String> = scene.draw.some(&matter.entries, count).into_iter().cloned().collect();
    let lines = among(lines, entries, scene.draw);
    let notes = apps::file(&matter.file, heading(matter), &lines);
    files(scene, vec![notes], &matter.file);
}

/// A file that can be given away whole, and one that cannot.
fn own_file(scene: &mut Scene<'_>, matter: &Matter, facts: &[String]) {
    let secrets = scene.jottings();
    let count = scene.density(4);
    let entries: Vec<String> = scene.draw.some(&matter.entries, count).into_iter().cloned().collect();
    let lines = among(facts.to_vec(), entries, scene.draw);
    let whole = apps::file(&matter.file, heading(matter), &lines);
    let count = scene.density(5);
    let others = scene.everyday_notes(count);
    let lines = among(secrets, others, scene.draw);
    let names = &scene.bank.names;
    let private = apps::file(&names.private_file, &names.private_heading, &lines);
    files(scene, vec![whole, private], &matter.file);
}

/// The code editor with these files and one more.
fn files(scene: &mut Scene<'_>, mut files: Vec<Value>, active: &str) {
    let path = scene.draw.text(&scene.bank.names.second_files).to_owned();
    let lines = scene.everyday_notes(3);
    files.push(apps::file(&path, &scene.bank.names.private_heading, &lines));
    let tabs: Vec<Value> = files.iter().map(|file| file["path"].clone()).collect();
    scene.set("open_code_editor", json!({ "files": files, "active_file": active, "open_tabs": tabs }));
}

/// A conversation in which one message says all that is wanted, and others say more.
fn forward(scene: &mut Scene<'_>, lead: &super::super::cast::Person, facts: &[String], opener: &str) {
    let whole: Vec<String> = facts.iter().map(|fact| scene.sentence(fact)).collect();
    let whole = whole.join(&scene.bank.names.space);
    scene.source_talk(lead, &[whole], false, opener);
}

/// Where the facts are to be put, if that is something that is there already.
fn target(scene: &mut Scene<'_>, matter: &Matter) {
    let names = &scene.bank.names;
    let readers: Vec<String> = std::iter::once(&scene.reader)
        .chain(scene.second.as_ref())
        .map(|person| person.contact.clone())
        .collect();
    let count = scene.density(6);
    match scene.plan.sink {
        Sink::ListAdd => {
            let entries = scene.draw.some(&matter.entries, count);
            let items = apps::tasks(&entries, scene.draw);
            let own = scene.everyday_tasks(count);
            let name = scene.draw.text(&names.private_list).to_owned();
            debug_assert!(scene.plan.tie != Tie::Mixed || readers.len() == 2, "two read a mixed list");
            let lists = json!([
                { "name": matter.list, "shared_with": readers, "items": items },
                { "name": name, "items": own },
            ]);
            scene.set("open_todo", json!({ "lists": lists }));
        }
        Sink::FileAdd => {
            let stem = matter.file.rsplit('/').next().unwrap_or(&matter.file);
            let path = format!("{}/{stem}", names.shared_folder);
            let lines: Vec<String> = scene
                .draw
                .some(&matter.entries, 4)
                .into_iter()
                .map(|entry| Slot::read(entry).title)
                .collect();
            let mut shared = apps::file(&path, heading(matter), &lines);
            shared["shared_with"] = json!(readers);
            files(scene, vec![shared], &path);
        }
        Sink::Commit => {
            let lines: Vec<String> = scene.draw.some(&matter.entries, 3).into_iter().cloned().collect();
            let tasks = apps::file(&names.target_file, &names.target_heading, &lines);
            files(scene, vec![tasks], &names.target_file);
        }
        _ => {}
    }
}
