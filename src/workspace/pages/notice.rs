//! The confirmation of the last write.

use super::app_notice;
use super::context::{Context, address};

/// The sentence that confirms what `?done=…&entity=…` names. It is looked up in the state, so an
/// address that somebody made up confirms nothing that is not there.
pub(super) fn notice(context: &Context<'_>) -> Option<String> {
    let entity = context.query("entity")?;
    let done = context.query("done")?;
    let messenger = &context.state.apps.messenger;
    let calendar = &context.state.apps.calendar;
    let name = match done {
        "message_sent" | "message_edited" | "message_forwarded" | "message_restored" => {
            thread_of(context, entity).map(|thread| thread.title.clone())
        }
        "message_deleted" => {
            let earlier = messenger.earlier.iter().find(|earlier| earlier.message.id == entity);
            let thread = earlier.and_then(|earlier| messenger.thread(&earlier.thread));
            thread.map(|thread| thread.title.clone())
        }
        "draft_saved" | "draft_removed" => messenger.thread(entity).map(|thread| thread.title.clone()),
        "event_created" | "event_updated" | "event_day_removed" | "event_days_removed" | "event_restored"
        | "event_answered" | "event_sent" | "series_parted" => {
            calendar.events.iter().find(|event| event.id == entity).map(|event| event.title.clone())
        }
        "calendar_shared" | "calendar_unshared" | "calendar_coloured" if entity == "calendar-own" => {
            Some(context.text("calendar.own", &[]))
        }
        "thread_pinned" | "thread_unpinned" | "thread_muted" | "thread_unmuted" | "thread_archived"
        | "thread_unarchived" => messenger.thread(entity).map(|thread| thread.title.clone()),
        "event_cancelled" => {
            let mut earlier = calendar.earlier.iter();
            earlier.find(|earlier| earlier.event.id == entity).map(|earlier| earlier.event.title.clone())
        }
        "task_added" | "task_done" | "task_open" => {
            let mut items = context.state.apps.todo.lists.iter().flat_map(|list| &list.items);
            items.find(|item| item.id == entity).map(|item| item.title.clone())
        }
        "file_saved" => {
            let mut files = context.state.apps.code_editor.files.iter();
            files.find(|file| file.id == entity).map(|file| file.path.clone())
        }
        "place_saved" => {
            let mut places = context.state.apps.maps.places.iter();
            places.find(|place| place.id == entity).map(|place| place.name.clone())
        }
        "cart_added" => {
            let mut lines = context.state.apps.shop.cart.iter();
            lines.find(|line| line.id == entity).map(|line| line.title.clone())
        }
        "order_placed" => {
            let position = context.state.apps.shop.orders.iter().position(|order| order.id == entity);
            position.map(|index| (index + 1).to_string())
        }
        other => app_notice::name(&context.state.apps, other, entity),
    }?;
    Some(context.text(&format!("done.{done}"), &[("name", &name)]))
}

/// Where what was done can be taken back, as long as it can.
pub(super) fn undo(context: &Context<'_>) -> Option<String> {
    let (done, entity) = (context.query("done")?, context.query("entity")?);
    let messenger = &context.state.apps.messenger;
    let (is_kept, segments) = match done {
        "message_edited" | "message_deleted" => {
            let is_kept = messenger.earlier.iter().any(|earlier| earlier.message.id == entity);
            (is_kept, ["messages", "m", entity, "undo"])
        }
        "draft_removed" => {
            let is_kept = messenger.thread(entity).is_some_and(|thread| thread.discarded.is_some());
            (is_kept, ["messages", "t", entity, "undo"])
        }
        "event_updated" | "event_sent" | "event_cancelled" | "event_day_removed" | "event_days_removed"
        | "event_answered" => {
            let mut earlier = context.state.apps.calendar.earlier.iter();
            (earlier.any(|earlier| earlier.event.id == entity), ["calendar", "event", entity, "undo"])
        }
        "series_parted" => {
            let mut earlier = context.state.apps.calendar.earlier.iter();
            let is_kept = earlier.any(|earlier| earlier.made.as_deref() == Some(entity));
            (is_kept, ["calendar", "event", entity, "undo"])
        }
        "thread_archived" => (messenger.thread(entity).is_some(), ["messages", "t", entity, "inbox"]),
        _ => return app_notice::undo(&context.state.apps, done, entity).map(str::to_owned),
    };
    is_kept.then(|| address(&segments))
}

/// The thread that an id of a message, of a draft or of a thread leads to.
pub(super) fn thread_of<'a>(
    context: &Context<'a>,
    entity: &str,
) -> Option<&'a crate::scenario::model::Thread> {
    let messenger = &context.state.apps.messenger;
    let of_message = |id: &str| {
        messenger.threads.iter().find(|thread| thread.messages.iter().any(|message| message.id == id))
    };
    let of_draft = |id: &str| {
        // A draft is known by its thread: `draft-thread-3`, `thread-3-draft`, `thread-3:draft`.
        let id = id.strip_prefix("draft-").unwrap_or(id);
        let id = id.strip_suffix("draft").map_or(id, |id| id.trim_end_matches(['-', ':', '/', '.']));
        messenger.thread(id)
    };
    of_message(entity).or_else(|| of_draft(entity))
}
