//! Days and times to choose from, beside the fields that take them typed.
//!
//! Each day is a button that sends the form without saving it: the form comes back with that day in
//! its field. With a script it goes there at once. The buttons stand behind the one that saves, so
//! that Enter in a field saves.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Serialize;

use super::super::context::Context;
use super::super::form::Form;
use super::super::moment;

/// Fields that a button may fill, by the name that its value starts with.
const FIELDS: [&str; 4] = ["start_date", "start_time", "end_date", "end_time"];
/// Months shown in one picker.
const MONTHS: usize = 2;

/// What fills one field.
#[derive(Serialize)]
pub(super) struct Picker {
    field: &'static str,
    /// Id of the field's element.
    target: &'static str,
    label: String,
    months: Vec<Month>,
    times: Vec<Button>,
}

#[derive(Serialize)]
struct Month {
    label: String,
    weekdays: Vec<String>,
    weeks: Vec<Vec<Option<Button>>>,
}

#[derive(Serialize)]
struct Button {
    value: String,
    text: String,
    name: String,
    chosen: bool,
}

pub(super) fn pickers(context: &Context<'_>, form: &Form) -> Vec<Picker> {
    let today = context.state.now.date();
    let start = moment::read_date(&form.line("start_date"), today).unwrap_or(today);
    let end = moment::read_date(&form.line("end_date"), today).unwrap_or(start);
    vec![
        days(context, ("start_date", "start-date"), start),
        times(context, ("start_time", "start-time"), form),
        days(context, ("end_date", "end-date"), end),
        times(context, ("end_time", "end-time"), form),
    ]
}

fn days(context: &Context<'_>, (field, target): (&'static str, &'static str), chosen: Date) -> Picker {
    let label = context.text(&format!("calendar.{field}"), &[]);
    let mut months = Vec::new();
    let mut first = chosen.first_of_month();
    for _ in 0..MONTHS {
        months.push(month(context, &label, first, chosen));
        match first.checked_add(1.month()) {
            Ok(next) => first = next,
            Err(_) => break,
        }
    }
    let label = context.text(&format!("calendar.pick.{field}"), &[]);
    Picker { field, target, label, months, times: Vec::new() }
}

fn month(context: &Context<'_>, field: &str, first: Date, chosen: Date) -> Month {
    let lead = usize::try_from(first.weekday().to_monday_zero_offset()).unwrap_or(0);
    let mut cells: Vec<Option<Button>> = (0..lead).map(|_| None).collect();
    let mut day = first;
    loop {
        let name = moment::long_date(context, day);
        cells.push(Some(Button {
            value: day.to_string(),
            text: day.day().to_string(),
            name: context.text("calendar.pick.name", &[("field", field), ("value", &name)]),
            chosen: day == chosen,
        }));
        match day.tomorrow() {
            Ok(next) if next.month() == first.month() => day = next,
            _ => break,
        }
    }
    while !cells.len().is_multiple_of(7) {
        cells.push(None);
    }
    let mut weeks = Vec::new();
    let mut cells = cells.into_iter().peekable();
    while cells.peek().is_some() {
        weeks.push(cells.by_ref().take(7).collect());
    }
    Month {
        label: moment::month_title(context, first),
        weekdays: (1..=7).map(|day| context.text(&format!("date.weekday_short.{day}"), &[])).collect(),
        weeks,
    }
}

fn times(context: &Context<'_>, (field, target): (&'static str, &'static str), form: &Form) -> Picker {
    let own = context.text(&format!("calendar.{field}"), &[]);
    let typed = moment::read_time(&form.line(field)).map(moment::clock);
    let times = (0..48)
        .map(|half| {
            let value = format!("{:02}:{:02}", half / 2, half % 2 * 30);
            Button {
                name: context.text("calendar.pick.name", &[("field", &own), ("value", &value)]),
                chosen: typed.as_deref() == Some(&value),
                text: value.clone(),
                value,
            }
        })
        .collect();
    let label = context.text(&format!("calendar.pick.{field}"), &[]);
    Picker { field, target, label, months: Vec::new(), times }
}

/// Puts what was picked into its field. Whether something was.
pub(super) fn take(form: &mut Form) -> bool {
    let Some((field, value)) =
        form.given("pick").and_then(|pick| pick.split_once(':')).map(|(a, b)| (a.to_owned(), b.to_owned()))
    else {
        return false;
    };
    let Some(field) = FIELDS.into_iter().find(|known| *known == field) else { return false };
    form.set(field, value);
    true
}
