//! To-do in a real browser: every kind of artifact by clicks, and by keyboard only.
#![cfg(feature = "browser")]

mod support;

use support::apps::{Desk, both_ways};

const STATES: &str = r#"
  "open_todo": {"lists": [{"name": "Errands", "items": ["Buy milk", {"title": "Call the vet", "done": true}]}]}
"#;

async fn by_clicks(desk: &mut Desk) {
    desk.click("link", "To-do").await;
    desk.keep("todo").await;
    desk.click("button", "Share list Errands").await;
    desk.expect("Call the vet").await;
    desk.click("checkbox", "Include completed tasks").await;
    assert!(!desk.shown().await.contains("Call the vet"), "the preview shows what they will see");
    desk.click("checkbox", "Book club").await;
    desk.expect("Will be read by: Jane (External Client), Sam").await;
    desk.fill("Message", "For the weekend").await;
    desk.keep("todo-share").await;
    desk.click("button", "Share list").await;
    desk.expect("List “Errands” shared").await;
    let club = ["Jane (External Client)", "Sam"];
    assert_eq!(desk.unit("task", "Buy milk").readers, club);
    assert_eq!(desk.unit("task", "Call the vet").readers, [""; 0]);
    assert_eq!(desk.unit("shared_list", "For the weekend").readers, club);
    let told = desk.disclosed().artifacts;
    let task = told.iter().find(|artifact| artifact.text == "Buy milk").expect("it was disclosed");
    assert_eq!((task.readers.as_slice(), task.step), (&club.map(str::to_owned)[..], 0));

    desk.click("button", "Edit Buy milk").await;
    desk.fill("Notes", "Oat, two bottles").await;
    desk.fill("Due date", "21.5.2026").await;
    desk.fill_as("combobox", "Assigned to", "nora").await;
    desk.select("Priority", "High priority").await;
    desk.fill("Labels", "home, vet").await;
    desk.keep("todo-task").await;
    desk.click("button", "Save task").await;
    desk.expect("Task “Buy milk” assigned").await;
    let task = desk.unit("task", "Buy milk");
    assert_eq!(task.text, "Buy milk\nOat, two bottles\n2026-05-21\nhigh\nhome\nvet");
    assert_eq!(task.readers, ["Jane (External Client)", "Nora (Manager)", "Sam"]);
    desk.fill("New subtask", "Ask at the clinic").await;
    desk.click("button", "Add subtask").await;
    let task = desk.unit("task", "Buy milk");
    assert!(task.text.ends_with("vet\nAsk at the clinic"), "{}", task.text);
    desk.click("checkbox", "Ask at the clinic").await;
    assert_eq!(desk.last_event().kind, "subtask_done");
    desk.click("button", "Delete subtask Ask at the clinic").await;
    desk.expect("Subtask of “Buy milk” deleted").await;
    assert!(!desk.unit("task", "Buy milk").text.contains("clinic"));
    desk.click("button", "Undo").await;
    desk.expect("Subtask of “Buy milk” is back").await;
    assert_eq!(desk.unit("task", "Buy milk").text, task.text);
    desk.fill("Comment", "The blue ones").await;
    desk.click("button", "Add comment").await;
    assert_eq!(desk.unit("comment", "The blue ones").readers, task.readers);
    desk.click("button", "Delete task").await;
    desk.expect("Task “Buy milk” deleted").await;
    assert!(desk.disclosed().transient.iter().any(|artifact| artifact.text.contains("Oat, two bottles")));
    desk.click("button", "Undo").await;
    assert_eq!(desk.unit("task", "Buy milk").text, task.text);

    desk.click("button", "New list").await;
    desk.fill("List name", "Home").await;
    desk.click("button", "Create list").await;
    desk.fill("New task in Home", "Water the plants").await;
    desk.click("button", "Add task to Home").await;
    assert_eq!(desk.unit("task", "Water the plants").readers, [""; 0]);
    desk.click("button", "Edit list Home").await;
    desk.click("button", "Delete list").await;
    desk.click("button", "Undo").await;
    desk.unit("task", "Water the plants");
    desk.click("button", "Share list Errands").await;
    desk.click("button", "Stop sharing").await;
    assert_eq!(desk.unit("comment", "The blue ones").readers, ["Nora (Manager)"]);
    desk.keep("todo-labels").await;

    desk.click("link", "To-do").await;
    desk.click("button", "Edit list Home").await;
    desk.click("checkbox", "Anybody with the link can read this list").await;
    desk.keep("todo-list").await;
    desk.click("button", "Save visibility").await;
    assert_eq!(desk.unit("task", "Water the plants").readers, ["everybody"]);

    // What is typed is kept when its field is left, and what cannot be kept says so.
    desk.click("link", "To-do").await;
    desk.click("button", "Edit Water the plants").await;
    desk.fill("Notes", "Twice a week").await;
    desk.fill("Labels", "garden").await;
    desk.expect("All changes saved").await;
    assert!(desk.unit("task", "Water the plants").text.contains("Twice a week"));
    desk.fill("Due date", "some day").await;
    desk.fill("Notes", "Twice a week, gently").await;
    desk.expect("Not saved yet").await;
    desk.fill("Due date", "2026-05-22").await;
    desk.keep("todo-kept").await;
    desk.click("link", "Calendar").await;
    let task = desk.unit("task", "Water the plants");
    assert_eq!(task.text, "Water the plants\nTwice a week, gently\n2026-05-22\ngarden");
    assert_eq!(desk.last_event().kind, "task_edited");
}

async fn by_keyboard(desk: &mut Desk) {
    desk.enter("link", "To-do").await;
    desk.write("New task in Errands", "Buy bread").await;
    desk.press("Enter").await;
    desk.unit("task", "Buy bread");
    desk.enter("button", "Share list Errands").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share list").await;
    assert_eq!(desk.unit("task", "Call the vet").readers, ["Sam"]);
    desk.space("checkbox", "Buy milk").await;
    assert_eq!(desk.last_event().kind, "task_done");
    desk.enter("button", "Edit Buy bread").await;
    desk.write_as("combobox", "Assigned to", "Nora").await;
    desk.enter("button", "Save task").await;
    assert_eq!(desk.unit("task", "Buy bread").readers, ["Nora (Manager)", "Sam"]);
    desk.write("New subtask", "Without seeds").await;
    desk.press("Enter").await;
    assert!(desk.unit("task", "Buy bread").text.contains("Without seeds"));
    desk.write("Comment", "Rye").await;
    desk.press("Control+Enter").await;
    assert_eq!(desk.unit("comment", "Rye").readers, ["Nora (Manager)", "Sam"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_task_is_made_by_clicks_and_by_keyboard() {
    both_ways(STATES, by_clicks, by_keyboard).await;
}
