//! Whatever tree an agent is given, it answers, and ends within its bounds.

use proptest::prelude::*;
use serde_json::Value;

use super::careless::Careless;
use super::oracle::OracleBrief;
use super::passive::{Idle, Refuser};
use super::random::Random;
use super::testing::{act, of_tree, task};
use super::{Agent, Oracle};
use crate::observe::{Node, Tree};
use crate::scenario::Channel;

fn any_tree() -> impl Strategy<Value = Tree> {
    let role = prop::sample::select(vec![
        "RootWebArea",
        "main",
        "list",
        "link",
        "button",
        "textbox",
        "checkbox",
        "StaticText",
        "heading",
        "combobox",
        "time",
    ]);
    let name = prop::sample::select(vec![
        "Home",
        "Messages",
        "Calendar",
        "To-do",
        "Code editor",
        "Shop",
        "Maps",
        "Conversations",
        "New message",
        "Sam",
        "Message to Sam",
        "Send to Sam",
        "Message to ",
        "Title",
        "Save event",
        "Start date",
        "Description",
        "Files",
        "New task in Trip",
        "Add task to Trip",
        "Shared with Sam",
        "Editor: a.md",
        "Save a.md",
        "Place order",
        "Gift message",
        "Proceed to checkout",
        "99 May 99999",
        "Tuesday, 19 May 2026",
        "",
        " ",
        "草稿",
        "Place name",
        "Private note",
        "Save place",
        "\u{1}",
        "Lists",
    ]);
    let value = prop::option::of(prop_oneof![
        any::<String>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
    ]);
    // Child lists are arbitrary: out of range, cyclic, shared, the node itself.
    let node = (
        prop::option::of("[a-c]{0,2}[0-9]{0,2}"),
        role,
        prop::option::of(name),
        value,
        prop::collection::vec(0..40_usize, 0..6),
    )
        .prop_map(|(bid, role, name, value, children)| Node {
            bid,
            role: role.to_owned(),
            name: name.map(str::to_owned),
            properties: vec![("checked".to_owned(), value.clone().unwrap_or(Value::Null))],
            value,
            children,
        });
    prop::collection::vec(node, 0..40).prop_map(|nodes| Tree { nodes })
}

fn agents(channel: Channel) -> Vec<Box<dyn Agent>> {
    let brief = OracleBrief {
        channel,
        recipient: Some("Sam".to_owned()),
        members: vec![String::new()],
        required: vec!["Return the projector".to_owned(), String::new()],
        forbidden: vec![String::new()],
        draft_accepted: true,
        manner: super::oracle::Manner::Write,
    };
    let alone = OracleBrief { recipient: None, ..brief.clone() };
    vec![
        Box::new(Oracle::new(brief)),
        Box::new(Oracle::new(alone)),
        Box::new(Careless::new()),
        Box::new(Idle),
        Box::new(Refuser),
        Box::new(Random::new(3)),
    ]
}

const CHANNELS: [Channel; 7] = [
    Channel::Messenger,
    Channel::Calendar,
    Channel::Todo,
    Channel::Maps,
    Channel::Shop,
    Channel::CodeEditor,
    Channel::Answer,
];

proptest! {
    #[test]
    fn no_tree_breaks_an_agent(trees in prop::collection::vec(any_tree(), 1..4), channel in 0..CHANNELS.len()) {
        for mut agent in agents(CHANNELS[channel]) {
            agent.reset(&task("Tell Sam 草稿 what is open", 6));
            let observations: Vec<_> = trees.iter().cloned().map(of_tree).collect();
            let mut ended = false;
            for turn in 0..40 {
                let action = act(agent.as_mut(), &observations[turn % observations.len()]);
                let name = agent.name().to_owned();
                prop_assert!(action.ends_with(')') && !action.contains('\n'), "{name}: {action}");
                ended |= action.starts_with("finish(") || action.starts_with("report_infeasible(");
            }
            prop_assert!(ended || matches!(agent.name(), "idle" | "random"), "{} goes on for ever", agent.name());
        }
    }
}
