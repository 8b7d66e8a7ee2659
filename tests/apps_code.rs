//! The code editor in a real browser: every kind of artifact by clicks, and by keyboard only.
#![cfg(feature = "browser")]

mod support;

use support::apps::{Desk, both_ways};

const STATES: &str = r#"
  "open_code_editor": {"files": [{"path": "notes.md", "content": "alpha\nbeta\n"}, {"path": "src/a.py", "content": "print(1)\n"}]}
"#;

async fn by_clicks(desk: &mut Desk) {
    desk.click("link", "Code editor").await;
    desk.fill("Editor: notes.md", "alpha\ngamma\n").await;
    desk.click("button", "Keep without saving").await;
    desk.expect("unsaved").await;
    desk.keep("code-unsaved").await;
    assert_eq!(desk.unit("file", "notes.md").text, "notes.md\nalpha\nbeta\n");
    desk.click("button", "Revert to saved version").await;
    desk.click("button", "Undo").await;
    desk.click("button", "Save notes.md").await;
    assert_eq!(desk.unit("file", "notes.md").text, "notes.md\nalpha\ngamma\n");
    desk.click("button", "Share file").await;
    desk.click("checkbox", "Sam").await;
    desk.fill("Message", "Have a look").await;
    desk.keep("code-share").await;
    desk.click("button", "Share file").await;
    assert_eq!(desk.unit("file", "notes.md").readers, ["Sam"]);
    assert_eq!(desk.unit("shared_file", "Have a look").readers, ["Sam"]);
    desk.fill("Your comment", "Is gamma right?").await;
    desk.keep("code-comment").await;
    desk.click("button", "Add comment").await;
    desk.expect("Comment on “notes.md” added").await;
    assert_eq!(desk.unit("comment", "Is gamma right?").readers, ["Sam"]);
    desk.click("button", "Commit changes (1)").await;
    desk.fill("Commit message", "Replace beta").await;
    desk.click("checkbox", "Book club").await;
    desk.keep("code-commit").await;
    desk.click("button", "Commit and push").await;
    desk.expect("Commit “Replace beta” pushed").await;
    let commit = desk.unit("commit", "Replace beta");
    assert_eq!(commit.text, "Replace beta\nnotes.md\n- beta\n+ gamma");
    assert_eq!(commit.readers, ["Jane (External Client)", "Sam"]);
    desk.click("button", "Rename file").await;
    desk.fill("Path", "diary.md").await;
    desk.click("button", "Rename").await;
    assert_eq!(desk.unit("file", "diary.md").readers, ["Sam"]);
    desk.click("button", "Delete file").await;
    assert_eq!(desk.last_event().kind, "file_removed");
    desk.click("button", "Undo").await;
    desk.unit("file", "diary.md");
    desk.fill_as("searchbox", "Search in files", "print").await;
    desk.click("button", "Search").await;
    desk.click("button", "Open src/a.py").await;
    desk.click("button", "Keep tab open").await;
    desk.click("button", "Pin tab").await;
    desk.expect("Tab of src/a.py pinned").await;
    assert!(!desk.shown().await.lines().any(|line| line == "Close src/a.py"), "it is not closed by mistake");
    desk.keep("code-pinned").await;
    desk.click("button", "Unpin src/a.py").await;
    desk.click("button", "Close src/a.py").await;
    assert_eq!(desk.last_event().kind, "tab_closed");
    desk.click("link", "src/a.py").await;
    desk.fill("Editor: src/a.py", "print(2)\n").await;
    desk.click("button", "Keep without saving").await;
    desk.click("button", "Close src/a.py").await;
    desk.expect("Save changes to src/a.py?").await;
    desk.keep("code-close").await;
    desk.click("link", "Cancel").await;
    desk.click("button", "Close src/a.py").await;
    desk.click("button", "Save and close").await;
    assert_eq!(desk.unit("file", "src/a.py").text, "src/a.py\nprint(2)\n");
    desk.click("link", "New file").await;
    desk.fill("Path", "new.md").await;
    desk.fill("Content", "mine").await;
    desk.click("button", "Create file").await;
    assert_eq!(desk.unit("file", "new.md").readers, [""; 0]);

    desk.click("link", "New folder").await;
    desk.fill("Folder path", "drafts/2026").await;
    desk.click("button", "Create folder").await;
    desk.expect("Nothing in this folder").await;
    desk.click("link", "src/a.py").await;
    desk.click("button", "Duplicate file").await;
    desk.expect("Copy src/a (copy).py made").await;
    desk.click("button", "Rename file").await;
    desk.select("Folder", "drafts/2026").await;
    desk.click("button", "Rename").await;
    desk.keep("code-tree").await;
    assert!(desk.unit("file", "drafts/2026/a (copy).py").readers.is_empty());
    desk.click("button", "Share file").await;
    desk.click("checkbox", "Sam").await;
    desk.click("radio", "Can edit").await;
    desk.click("button", "Share file").await;
    assert_eq!(desk.unit("file", "drafts/2026/a (copy).py").readers, ["Sam"]);
    desk.click("button", "Share folder src").await;
    desk.expect("print(2)").await;
    desk.click("checkbox", "Nora (Manager)").await;
    desk.fill("Message", "All of it").await;
    desk.keep("code-share-folder").await;
    desk.click("button", "Share folder").await;
    desk.expect("Folder src shared").await;
    desk.keep("code-shared-folder").await;
    assert_eq!(desk.unit("file", "src/a.py").readers, ["Nora (Manager)"]);
    assert_eq!(desk.unit("shared_folder", "All of it").readers, ["Nora (Manager)"]);
    let told = desk.disclosed().artifacts;
    assert!(told.iter().any(|artifact| artifact.kind == "file" && artifact.text.starts_with("src/a.py")));
    desk.click("link", "New file").await;
    desk.expect("In folder src: Will be read by: Nora (Manager)").await;
    desk.fill("Path", "src/b.py").await;
    desk.click("button", "Create file").await;
    desk.expect("Shared with Nora (Manager)").await;
    assert_eq!(desk.unit("file", "src/b.py").readers, ["Nora (Manager)"]);
    desk.click("button", "Share folder src").await;
    desk.click("button", "Stop sharing").await;
    assert!(desk.unit("file", "src/b.py").readers.is_empty());
    desk.click("DisclosureTriangle", "Folder drafts").await;
    assert!(
        !desk.shown().await.lines().any(|line| line == "Folder drafts/2026"),
        "a closed folder hides its own"
    );
}

async fn by_keyboard(desk: &mut Desk) {
    desk.enter("link", "Code editor").await;
    desk.write("Editor: notes.md", "delta").await;
    desk.press("Control+s").await;
    assert_eq!(desk.unit("file", "notes.md").text, "notes.md\ndelta");
    desk.enter("button", "Share file").await;
    desk.space("checkbox", "Sam").await;
    desk.enter("button", "Share file").await;
    assert_eq!(desk.unit("file", "notes.md").readers, ["Sam"]);
    desk.write("Your comment", "Short now").await;
    desk.press("Control+Enter").await;
    assert_eq!(desk.unit("comment", "Short now").readers, ["Sam"]);
    desk.enter("button", "Commit changes (1)").await;
    desk.write("Commit message", "Start over").await;
    desk.space("checkbox", "Nora (Manager)").await;
    desk.enter("button", "Commit and push").await;
    let commit = desk.unit("commit", "Start over");
    assert_eq!(
        (commit.readers.as_slice(), commit.text.contains("- alpha")),
        (&["Nora (Manager)".to_owned()][..], true)
    );
    desk.enter("button", "Share folder src").await;
    desk.space("checkbox", "Book club").await;
    desk.enter("button", "Share folder").await;
    assert_eq!(desk.unit("file", "src/a.py").readers, ["Jane (External Client)", "Sam"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_file_and_commit_is_made_by_clicks_and_by_keyboard() {
    both_ways(STATES, by_clicks, by_keyboard).await;
}
