//! Small pages for the agents' tests.

use futures_util::FutureExt as _;
use serde_json::Value;

use super::types::{Agent, Task};
use crate::observe::{Node, Observation, OpenPage, Tree};

/// A node of a hand-written tree: depth, id (empty: none), role, name, value (empty: none; a
/// checkbox's `checked`).
pub(super) type Line<'a> = (usize, &'a str, &'a str, &'a str, &'a str);

pub(super) fn tree(lines: &[Line<'_>]) -> Tree {
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, (depth, bid, role, name, value)) in lines.iter().enumerate() {
        open.truncate(*depth);
        if let Some(&parent) = open.last() {
            let parent: &mut Node = &mut nodes[parent];
            parent.children.push(index);
        }
        open.push(index);
        let is_box = *role == "checkbox";
        nodes.push(Node {
            bid: (!bid.is_empty()).then(|| (*bid).to_owned()),
            role: (*role).to_owned(),
            name: Some((*name).to_owned()),
            value: (!is_box && !value.is_empty()).then(|| Value::from(*value)),
            properties: if is_box { vec![("checked".to_owned(), Value::from(*value))] } else { Vec::new() },
            children: Vec::new(),
        });
    }
    Tree { nodes }
}

pub(super) fn observation(lines: &[Line<'_>]) -> Observation {
    of_tree(tree(lines))
}

pub(super) fn of_tree(tree: Tree) -> Observation {
    let url = "http://openapps.test/".to_owned();
    Observation {
        step: 1,
        url: url.clone(),
        open_pages: vec![OpenPage { url, title: String::new() }],
        active_page: 0,
        tree: Some(tree),
        axtree: None,
        screenshot: None,
        focused_bid: String::new(),
        last_action: String::new(),
        last_action_error: String::new(),
        dialogs: Vec::new(),
        dom: None,
        marked: None,
    }
}

pub(super) fn task(goal: &str, max_steps: u32) -> Task {
    Task { goal: goal.to_owned(), max_steps, ..Task::default() }
}

/// The agent's action; built-in agents never wait.
pub(super) fn act(agent: &mut dyn Agent, observation: &Observation) -> String {
    agent.act(observation).now_or_never().expect("built-in agents answer at once").unwrap().action
}
