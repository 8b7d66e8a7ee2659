//! Every string of the model that a page has to show.

use super::{Apps, Attachment, CartLine, Detail, Messenger, Order, Price, Share};

/// All strings that the pages of a workspace in this state must show, in the order of the apps and
/// within them of the model. Dates are ISO (`2026-05-19`), times of day `09:30`; whatever the
/// scenario wrote in another form is there verbatim too. Ids are no texts.
#[must_use]
pub fn texts(apps: &Apps) -> Vec<String> {
    let mut all = Texts::default();
    messenger(&apps.messenger, &mut all);
    for calendar in &apps.calendar.calendars {
        all.add(&calendar.name);
        all.add_all(&calendar.shared_with);
        all.add_optional(calendar.owner.as_deref());
        all.add_details(&calendar.details);
    }
    all.add_all(&apps.calendar.own_shared_with);
    all.add_shares(&apps.calendar.shares);
    for event in &apps.calendar.events {
        all.add(&event.title);
        all.add(&event.date.to_string());
        if event.end_date != event.date {
            all.add(&event.end_date.to_string());
        }
        for time in [event.start, event.end].into_iter().flatten() {
            all.add(&format!("{:02}:{:02}", time.hour(), time.minute()));
        }
        all.add_optional(event.time_text.as_deref());
        all.add(&event.location);
        all.add(&event.description);
        all.add(&event.url);
        for invitee in &event.invitees {
            all.add(&invitee.name);
            // An answer is one of four words of the format's; pages show it in their own language.
        }
        all.add_optional(event.organiser.as_deref());
        all.add_optional(event.created_by.as_deref());
        all.add(&event.response_note);
        all.add(&event.own_notes);
        all.add_attachments(&event.attachments);
        all.add_optional(
            event.recurrence.as_ref().and_then(|series| series.until).map(|day| day.to_string()).as_deref(),
        );
        all.add_details(&event.details);
    }
    all.add_details(&apps.calendar.details);
    for list in &apps.todo.lists {
        all.add(&list.name);
        all.add_all(&list.shared_with);
        for item in &list.items {
            all.add(&item.title);
            all.add(&item.notes);
            all.add_optional(item.status.as_deref());
            all.add_optional(item.due.map(|due| due.to_string()).as_deref());
            for at in [item.created, item.completed].into_iter().flatten() {
                all.add(&at.date().to_string());
                all.add(&format!("{:02}:{:02}", at.hour(), at.minute()));
            }
            all.add(&item.assignee);
            all.add_all(&item.labels);
            for subtask in &item.subtasks {
                all.add(&subtask.title);
            }
            for comment in &item.comments {
                all.add(&comment.author.name);
                all.add(&comment.text);
            }
            all.add_details(&item.details);
        }
        all.add_details(&list.details);
    }
    all.add_shares(&apps.todo.shares);
    all.add_details(&apps.todo.details);
    for place in &apps.maps.places {
        all.add(&place.name);
        all.add(&place.address);
        all.add(&place.note);
        for fact in place.facts() {
            all.add(fact);
        }
        all.add_details(&place.details);
    }
    for list in &apps.maps.lists {
        all.add(&list.name);
        all.add_details(&list.details);
    }
    for search in &apps.maps.recent_searches {
        all.add(&search.query);
    }
    for route in &apps.maps.routes {
        all.add(&route.name);
        for text in [
            &route.start,
            &route.destination,
            &route.address,
            &route.eta,
            &route.distance,
            &route.status,
            &route.traffic,
        ] {
            all.add_optional(text.as_deref());
        }
        for stop in &route.stops {
            all.add(&stop.name);
            all.add(&stop.note);
            all.add(&stop.dwell);
        }
        all.add_details(&route.details);
    }
    all.add_shares(&apps.maps.shares);
    all.add_details(&apps.maps.details);
    for file in &apps.code_editor.files {
        all.add(&file.path);
        all.add(&file.content);
        all.add_optional(file.unsaved.as_deref());
        all.add_all(&file.shared_with);
        for comment in &file.comments {
            all.add(&comment.author.name);
            all.add(&comment.text);
        }
        all.add_details(&file.details);
    }
    all.add_all(&apps.code_editor.folders);
    for folder in &apps.code_editor.shared_folders {
        all.add(&folder.path);
        all.add_all(&folder.shared_with);
    }
    if let Some(repository) = &apps.code_editor.repository {
        all.add(&repository.remote);
        all.add_all(&repository.members);
    }
    for tab in &apps.code_editor.tabs {
        all.add(&tab.title);
    }
    for commit in &apps.code_editor.commits {
        all.add(&commit.message);
        all.add_all(&commit.pushed_to);
        for file in &commit.files {
            all.add(&file.path);
        }
    }
    all.add_shares(&apps.code_editor.shares);
    all.add_details(&apps.code_editor.details);
    for product in &apps.shop.products {
        all.add(&product.title);
        all.add_price(product.price.as_ref());
        all.add(&product.category);
        all.add(&product.brand);
        all.add(&product.description);
        all.add_all(&product.features);
        for option in &product.options {
            all.add(&option.name);
            all.add_all(&option.values);
        }
        all.add_details(&product.details);
    }
    for line in apps.shop.cart.iter().chain(&apps.shop.saved_for_later).chain(&apps.shop.wish_list) {
        all.add_line(line);
    }
    for order in &apps.shop.orders {
        shop_order(order, &mut all);
    }
    for review in &apps.shop.reviews {
        all.add(&review.text);
    }
    all.add_shares(&apps.shop.shares);
    all.add_all(&apps.shop.viewed);
    for search in &apps.shop.recent_searches {
        all.add(&search.query);
    }
    for coupon in &apps.shop.coupons {
        all.add(&coupon.code);
        all.add(&coupon.text);
    }
    for address in &apps.shop.addresses {
        all.add(&address.name);
        all.add(&address.text);
    }
    all.add_details(&apps.shop.details);
    all.0
}

fn messenger(messenger: &Messenger, all: &mut Texts) {
    for contact in &messenger.contacts {
        all.add(&contact.name);
        all.add_optional(contact.label.as_deref());
        all.add_all(&contact.members);
        all.add_details(&contact.details);
    }
    for thread in &messenger.threads {
        all.add(&thread.title);
        for message in &thread.messages {
            all.add(&message.author.name);
            all.add(&message.text);
            if let Some(forwarded) = &message.forwarded {
                all.add(&forwarded.author.name);
                all.add(&forwarded.text);
            }
            all.add_attachments(&message.attachments);
            all.add_details(&message.details);
        }
        all.add_optional(thread.draft.as_ref().map(|draft| draft.text.as_str()));
        all.add_details(&thread.details);
    }
    all.add_details(&messenger.details);
}

fn shop_order(order: &Order, all: &mut Texts) {
    for line in &order.lines {
        all.add_line(line);
    }
    for text in [
        &order.status,
        &order.deliver_to,
        &order.gift_recipient,
        &order.gift_message,
        &order.delivery_note,
        &order.seller_note,
        &order.reference,
        &order.payment,
        &order.coupon,
    ] {
        all.add(text);
    }
    for step in &order.history {
        all.add(&step.status);
        all.add(&step.at);
    }
    all.add_price(order.discount.as_ref());
    all.add_price(order.total.as_ref());
    all.add_details(&order.details);
}

#[derive(Default)]
struct Texts(Vec<String>);

impl Texts {
    fn add(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.0.push(text.to_owned());
        }
    }

    fn add_optional(&mut self, text: Option<&str>) {
        self.add(text.unwrap_or_default());
    }

    fn add_all(&mut self, texts: &[String]) {
        for text in texts {
            self.add(text);
        }
    }

    fn add_details(&mut self, details: &[Detail]) {
        for detail in details {
            self.add(&detail.label);
            self.add(&detail.value);
        }
    }

    fn add_attachments(&mut self, attachments: &[Attachment]) {
        for attachment in attachments {
            self.add(&attachment.title);
            self.add(&attachment.text);
        }
    }

    fn add_shares(&mut self, shares: &[Share]) {
        for share in shares {
            self.add_all(&share.to);
            self.add_all(&share.lines);
            self.add(&share.message);
        }
    }

    fn add_price(&mut self, price: Option<&Price>) {
        self.add_optional(price.map(|price| price.text.as_str()));
    }

    fn add_line(&mut self, line: &CartLine) {
        self.add(&line.title);
        self.add_price(line.price.as_ref());
        self.add_details(&line.details);
    }
}
