//! What confirmations of to-do, maps, code editor and shop are about.

use crate::scenario::model::{Apps, RemovedFile, RemovedFromMaps, RemovedFromTodo, Share};
use crate::workspace::showing::route_title;

/// What the thing that was done is called, where the state bears it out.
pub(super) fn name(apps: &Apps, done: &str, entity: &str) -> Option<String> {
    let share = |shares: &[Share]| {
        let found = shares.iter().find(|share| share.id == entity);
        found.map(|share| if share.title.is_empty() { share.to.join(", ") } else { share.title.clone() })
    };
    let place = || apps.maps.places.iter().find(|place| place.id == entity).map(|place| place.name.clone());
    let place_list = || apps.maps.lists.iter().find(|list| list.id == entity).map(|list| list.name.clone());
    let route = || apps.maps.routes.iter().find(|route| route.id == entity).map(route_title);
    let file = || apps.code_editor.files.iter().find(|file| file.id == entity).map(|file| file.path.clone());
    match done {
        "calendar_added" | "calendar_renamed" | "calendar_shared" | "calendar_unshared" => {
            apps.calendar.calendar(entity).map(|calendar| calendar.name.clone())
        }
        "calendar_removed" => {
            let is_gone = entity.starts_with("calendar-") && apps.calendar.calendar(entity).is_none();
            is_gone.then(String::new)
        }
        "event_shared" => share(&apps.calendar.shares),
        "task_edited" | "item_assigned" | "task_moved" | "task_restored" | "comment_added"
        | "subtask_added" | "subtask_done" | "subtask_reopened" | "subtask_removed" | "subtask_restored" => {
            let mut items = apps.todo.lists.iter().flat_map(|list| &list.items);
            let task = items.find(|item| item.id == entity).map(|item| item.title.clone());
            // Files are commented on, too.
            task.or_else(|| (done == "comment_added").then(file).flatten())
        }
        "list_added" | "list_renamed" | "list_restored" | "list_shared" | "list_unshared" | "list_opened"
        | "list_closed" => {
            apps.todo.lists.iter().find(|list| list.id == entity).map(|list| list.name.clone())
        }
        "task_removed" | "list_removed" => removed_from_todo(apps, entity),
        "place_edited" | "place_restored" => place(),
        "place_list_added" | "place_list_restored" => place_list(),
        "route_planned" | "route_started" | "route_ended" | "route_restored" => route(),
        "place_removed" | "place_list_removed" | "route_removed" | "search_removed" | "searches_cleared" => {
            removed_from_maps(apps, entity)
        }
        "route_shared" | "eta_shared" | "place_shared" | "place_list_shared" => share(&apps.maps.shares),
        "file_duplicated" | "edits_kept" | "edits_restored" | "file_renamed" | "file_restored"
        | "file_shared" | "file_unshared" | "tab_opened" => file(),
        "file_removed" | "edits_reverted" => removed_file(apps, entity),
        "commit_made" | "commit_pushed" => {
            let mut commits = apps.code_editor.commits.iter();
            commits.find(|commit| commit.id == entity).map(|commit| commit.message.clone())
        }
        "line_restored" | "line_saved" | "wish_added" | "quantity_changed" | "line_selected"
        | "line_left_out" => {
            let shop = &apps.shop;
            let mut lines = shop.cart.iter().chain(&shop.saved_for_later).chain(&shop.wish_list);
            lines.find(|line| line.id == entity).map(|line| line.title.clone())
        }
        "line_removed" => {
            let removed = apps.shop.removed.as_ref().filter(|removed| removed.line.id == entity);
            removed.map(|removed| removed.line.title.clone())
        }
        "product_search_removed" => {
            let mut forgotten = apps.shop.forgotten.iter().map(|(_, search)| search);
            forgotten.find(|search| search.id == entity).map(|search| search.query.clone())
        }
        "product_searches_cleared" => {
            let is_kept = entity == "searches" && !apps.shop.forgotten.is_empty();
            is_kept.then(String::new)
        }
        "product_searches_restored" => (!apps.shop.recent_searches.is_empty()).then(String::new),
        "order_cancelled" => {
            let position = apps.shop.orders.iter().position(|order| order.id == entity);
            position.map(|index| (index + 1).to_string())
        }
        "cart_shared" | "wish_list_shared" | "order_shared" => share(&apps.shop.shares),
        "address_added" => {
            let mut addresses = apps.shop.addresses.iter();
            let held = addresses.find(|address| address.id == entity);
            held.map(|held| if held.name.is_empty() { held.text.clone() } else { held.name.clone() })
        }
        "address_removed" => {
            let mut addresses = apps.shop.addresses.iter();
            let is_gone = entity.starts_with("address-") && !addresses.any(|address| address.id == entity);
            is_gone.then(String::new)
        }
        "folder_added" => {
            let mut folders = apps.code_editor.folders.iter();
            folders.find(|folder| *folder == entity).cloned()
        }
        "folder_removed" => {
            (!apps.code_editor.folders.iter().any(|folder| folder == entity)).then(String::new)
        }
        "review_posted" => {
            let mut reviews = apps.shop.reviews.iter();
            reviews.find(|review| review.id == entity).map(|review| review.product.clone())
        }
        // What is gone has no name; that it is gone can be looked up.
        "share_removed" => {
            let mut shares = apps.maps.shares.iter().chain(&apps.shop.shares).chain(&apps.calendar.shares);
            (entity.starts_with("share-") && !shares.any(|share| share.id == entity)).then(String::new)
        }
        "tab_pinned" | "tab_unpinned" => {
            let mut tabs = apps.code_editor.tabs.iter();
            tabs.find(|tab| tab.id == entity).map(|tab| tab.title.clone())
        }
        "folder_shared" | "folder_unshared" => apps.code_editor.has_folder(entity).then(|| entity.to_owned()),
        "calendar_coloured" => apps.calendar.calendar(entity).map(|calendar| calendar.name.clone()),
        "tab_closed" => {
            let mut tabs = apps.code_editor.tabs.iter();
            (entity.starts_with("tab-") && !tabs.any(|tab| tab.id == entity)).then(String::new)
        }
        "searches_restored" => (!apps.maps.recent_searches.is_empty()).then(String::new),
        _ => None,
    }
}

/// Where it can be taken back: what was removed last is still kept.
pub(super) fn undo(apps: &Apps, done: &str, entity: &str) -> Option<&'static str> {
    name(apps, done, entity)?;
    match done {
        "task_removed" | "list_removed" => Some("/todo/undo"),
        "subtask_removed" => match &apps.todo.removed {
            Some(RemovedFromTodo::Subtask { task, .. }) if task == entity => Some("/todo/undo"),
            _ => None,
        },
        "place_removed" | "place_list_removed" | "route_removed" | "search_removed" | "searches_cleared" => {
            Some("/maps/undo")
        }
        "file_removed" | "edits_reverted" => Some("/code/undo"),
        "line_removed" => Some("/shop/undo"),
        "product_search_removed" | "product_searches_cleared" => Some("/shop/search/undo"),
        _ => None,
    }
}

fn removed_from_todo(apps: &Apps, entity: &str) -> Option<String> {
    match apps.todo.removed.as_ref()? {
        RemovedFromTodo::Task { task, .. } => (task.id == entity).then(|| task.title.clone()),
        RemovedFromTodo::List { list, .. } => (list.id == entity).then(|| list.name.clone()),
        RemovedFromTodo::Subtask { .. } => None,
    }
}

fn removed_from_maps(apps: &Apps, entity: &str) -> Option<String> {
    match apps.maps.removed.as_ref()? {
        RemovedFromMaps::Place { place, .. } => (place.id == entity).then(|| place.name.clone()),
        RemovedFromMaps::List { list, .. } => (list.id == entity).then(|| list.name.clone()),
        RemovedFromMaps::Route { route, .. } => (route.id == entity).then(|| route_title(route)),
        RemovedFromMaps::Searches { searches } if entity == "searches" => {
            (!searches.is_empty()).then(String::new)
        }
        RemovedFromMaps::Searches { searches } => {
            let mut found = searches.iter().map(|(_, search)| search);
            found.find(|search| search.id == entity).map(|search| search.query.clone())
        }
    }
}

fn removed_file(apps: &Apps, entity: &str) -> Option<String> {
    match apps.code_editor.removed.as_ref()? {
        RemovedFile::File { file, .. } => (file.id == entity).then(|| file.path.clone()),
        RemovedFile::Unsaved { file, .. } => {
            let mut files = apps.code_editor.files.iter();
            files.find(|held| held.id == *file && held.id == entity).map(|held| held.path.clone())
        }
    }
}
