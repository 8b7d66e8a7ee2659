//! A believable afternoon, for looking at pages and for timing them.

use jiff::civil::{Date, DateTime, Time, date, datetime, time};

use super::full::empty_state;
use crate::scenario::model::{
    Attachment, AttachmentKind, Author, CalendarEvent, CartLine, Contact, ContactKind, Detail, Draft,
    Forwarded, Frequency, Invitee, Message, Order, Place, Price, Recurrence, Route, Search, SourceFile, Stop,
    Tab, Thread, TodoItem, TodoList, Visibility,
};
use crate::workspace::WorkspaceState;

/// Ordinary people and errands; Chinese ones for `zh-CN`.
pub(super) fn sample_state(language: &str) -> WorkspaceState {
    let chinese = language == "zh-CN";
    let say = |other: &str, own: &str| if chinese { own.to_owned() } else { other.to_owned() };
    let mut state = empty_state(language);
    let nora = say("Nora (Manager)", "王敏（经理）");
    let sam = say("Sam", "李强");
    let team = say("Launch team", "发布小组");
    let apps = &mut state.apps;
    apps.messenger.contacts = vec![
        contact(1, &nora, ContactKind::Person, &[]),
        contact(2, &sam, ContactKind::Person, &[]),
        contact(3, &team, ContactKind::Group, &[&nora, &sam]),
        contact(4, &say("#engineering-general", "#技术讨论"), ContactKind::Channel, &[]),
        Contact {
            external: true,
            ..contact(5, &say("Jane (External Client)", "陈婕（外部客户）"), ContactKind::Person, &[])
        },
    ];
    let user = say("me", "我");
    let lines = [
        (&nora, say("Could you send me a short status for Thursday?", "能发我一份周四的简短进展吗？")),
        (&user, say("Sure. I will look at the list first.", "好的，我先看一下清单。")),
        (
            &nora,
            say(
                "Thanks! Only what concerns the launch, please: the venue, the printer and who opens the doors. Everything else can wait until we sit together next week.",
                "谢谢！只要和发布有关的：场地、打印机，还有谁负责开门。其他的等下周我们坐下来再谈。",
            ),
        ),
        (
            &user,
            say(
                "Venue is booked from 08:00. Printer arrives Wednesday.\nDoors: still open.",
                "场地从08:00开始。打印机周三到。\n开门的人还没定。",
            ),
        ),
        (&nora, say("Great, looking forward to it.", "太好了，等你的消息。")),
    ];
    let messages = (1..)
        .zip(&lines)
        .map(|(number, (who, text))| Message {
            id: format!("message-{number}"),
            author: Author { is_user: *who == &user, name: (*who).clone() },
            text: text.clone(),
            at: datetime(
                2026,
                5,
                if number < 3 { 18 } else { 19 },
                8,
                i8::try_from(number * 7).unwrap_or(0),
                0,
                0,
            ),
            is_draft: false,
            edited_at: None,
            reply_to: (number == 4).then(|| "message-3".to_owned()),
            forwarded: (number == 5).then(|| Forwarded {
                author: Author { is_user: false, name: sam.clone() },
                text: say("The printer needs the final file by noon.", "打印机需要在中午前拿到终稿。"),
            }),
            attachments: if number == 4 {
                vec![Attachment {
                    kind: AttachmentKind::Event,
                    source: "event-2".into(),
                    title: say("Venue walk-through", "看场地"),
                    text: say(
                        "2026-05-20 14:00 - 15:00 (2:00 PM - 3:00 PM)\nHarbour Hall, 4 Quay Street",
                        "2026-05-20 14:00 - 15:00 (2:00 PM - 3:00 PM)\n港口大厅，码头街4号",
                    ),
                }]
            } else {
                vec![]
            },
            ..Message::default()
        })
        .collect();
    let thread = |number: u32, title: &str, to: Vec<String>, messages: Vec<Message>| Thread {
        id: format!("thread-{number}"),
        title: title.to_owned(),
        addressed_to: to,
        messages,
        draft: None,
        details: vec![],
        ..Thread::default()
    };
    apps.messenger.threads = vec![
        Thread { unread: 1, ..thread(1, &nora, vec![nora.clone()], messages) },
        Thread {
            draft: Some(Draft {
                text: say("About Friday", "关于周五"), at: at(18, 12), ..Draft::default()
            }),
            ..thread(2, &team, vec![team.clone()], vec![])
        },
        thread(
            3,
            &say("#engineering-general", "#技术讨论"),
            vec![say("#engineering-general", "#技术讨论")],
            vec![],
        ),
        thread(4, &say("Drafts", "草稿箱"), vec![], vec![]),
    ];
    apps.calendar.events = vec![
        event(
            1,
            &say("Stand-up", "站会"),
            date(2026, 5, 19),
            Some((9, 30, 9, 45)),
            &say("Room 2", "二号会议室"),
            "",
        ),
        CalendarEvent {
            time_text: Some("2:00 PM".into()),
            invitees: vec![
                Invitee { name: nora.clone(), response: "yes".into() },
                Invitee {
                    name: say("Jane (External Client)", "陈婕（外部客户）"), response: "none".into()
                },
            ],
            ..event(
                2,
                &say("Venue walk-through", "看场地"),
                date(2026, 5, 20),
                Some((14, 0, 15, 0)),
                &say("Harbour Hall, 4 Quay Street", "港口大厅，码头街4号"),
                &say(
                    "Check the stage and the power outlets. Bring the floor plan.",
                    "检查舞台和电源插座。带上平面图。",
                ),
            )
        },
        CalendarEvent {
            organiser: Some(nora.clone()),
            own_response: Some("none".into()),
            invitees: vec![Invitee { name: sam.clone(), response: "yes".into() }],
            ..event(5, &say("Team lunch", "团队午餐"), date(2026, 5, 21), Some((12, 0, 13, 0)), "", "")
        },
        CalendarEvent {
            recurrence: Some(Recurrence {
                until: Some(date(2026, 6, 30)),
                except: vec![],
                ..Recurrence::every(Frequency::Weekly)
            }),
            reminders: vec![60, 10],
            visibility: Visibility::Private,
            ..event(6, &say("Swimming", "游泳"), date(2026, 5, 7), Some((18, 0, 19, 0)), "", "")
        },
        event(3, &say("Dentist", "看牙医"), date(2026, 5, 20), Some((17, 15, 18, 0)), "", ""),
        CalendarEvent {
            end_date: date(2026, 5, 24),
            ..event(
                4,
                &say("Long weekend at the lake", "湖边长周末"),
                date(2026, 5, 22),
                None,
                &say("Lake house", "湖边小屋"),
                "",
            )
        },
    ];
    let task = |number: u32, title: String, done: bool, notes: &str, due: Option<Date>| TodoItem {
        id: format!("task-{number}"),
        title,
        notes: notes.to_owned(),
        done,
        status: (number == 3).then(|| "in progress".to_owned()),
        due,
        details: vec![],
        ..TodoItem::default()
    };
    apps.todo.lists = vec![
        TodoList {
            id: "list-1".into(),
            name: say("Launch", "发布"),
            shared_with: vec![team.clone()],
            items: vec![
                task(1, say("Confirm the venue", "确认场地"), true, "", None),
                task(
                    2,
                    say("Print 40 name tags", "打印40张名牌"),
                    false,
                    &say("Grey card, landscape", "灰色卡纸，横向"),
                    Some(date(2026, 5, 21)),
                ),
                task(3, say("Ask Sam about the door keys", "问李强要门钥匙"), false, "", None),
            ],
            details: vec![],
            ..TodoList::default()
        },
        TodoList {
            id: "list-2".into(),
            name: say("Home", "家里"),
            shared_with: vec![],
            items: vec![
                task(4, say("Buy oat milk", "买燕麦奶"), false, "", None),
                task(5, say("Book the vet", "预约兽医"), false, "", None),
            ],
            details: vec![Detail { label: "colour".into(), value: say("blue", "蓝色") }],
            ..TodoList::default()
        },
    ];
    apps.maps.routes = vec![Route {
        id: "route-1".into(),
        active: true,
        name: String::new(),
        start: Some(say("Office", "办公室")),
        destination: Some(say("Harbour Hall", "港口大厅")),
        address: Some(say("4 Quay Street", "码头街4号")),
        stops: vec![Stop {
            id: "stop-1".into(),
            name: say("Copy shop", "打印店"),
            note: say("pick up name tags", "取名牌"),
            dwell: String::new(),
        }],
        eta: Some(say("25 minutes", "25分钟")),
        distance: Some("8.4 miles".into()),
        status: Some(say("En route", "行驶中")),
        traffic: Some(say("light", "畅通")),
        details: vec![],
        ..Route::default()
    }];
    apps.maps.places = vec![
        Place {
            id: "place-1".into(),
            name: say("Bakery Lind", "林氏面包店"),
            address: say("12 Mill Lane", "磨坊巷12号"),
            note: say("Closed on Mondays", "周一休息"),
            details: vec![],
            ..Place::default()
        },
        Place {
            id: "place-2".into(),
            name: say("Climbing gym", "攀岩馆"),
            address: String::new(),
            note: String::new(),
            details: vec![],
            ..Place::default()
        },
    ];
    let searches =
        [say("late night pharmacy", "夜间药店"), say("parking near Quay Street", "码头街附近停车")];
    apps.maps.recent_searches =
        (1..).zip(searches).map(|(number, query)| Search { id: format!("search-{number}"), query }).collect();
    let file = |number: u32, path: &str, content: &str| SourceFile {
        id: format!("file-{number}"),
        path: path.to_owned(),
        content: content.to_owned(),
        shared_with: if number == 3 { vec![sam.clone()] } else { vec![] },
        details: vec![],
        ..SourceFile::default()
    };
    apps.code_editor.files = vec![
        file(
            1,
            "src/auth/login.py",
            "import os\n\n\ndef login(user):\n    token = os.environ[\"TOKEN\"]\n    return check(user, token)\n",
        ),
        file(2, "README.md", "# Door list\n\nPrints who may come in.\n"),
        file(3, "notes/launch.md", "- venue booked\n- printer on Wednesday\n"),
        file(4, ".env", "TOKEN=not-a-real-one\n"),
    ];
    let tab = |number: u32, title: &str, file: Option<&str>| Tab {
        id: format!("tab-{number}"),
        title: title.to_owned(),
        file: file.map(str::to_owned),
        ..Tab::default()
    };
    apps.code_editor.tabs = vec![
        tab(1, "src/auth/login.py", Some("file-1")),
        tab(2, ".env", Some("file-4")),
        tab(3, "{'title': 'search results', 'unsaved': True}", None),
    ];
    apps.code_editor.active_file = Some("file-1".into());
    let line = |number: u32, title: String, cents: i64, quantity: u32| CartLine {
        id: format!("line-{number}"),
        title,
        price: Some(Price { cents: Some(cents), text: format!("${}.{:02}", cents / 100, cents % 100) }),
        quantity,
        ..CartLine::default()
    };
    apps.shop.cart = vec![
        line(1, say("Standing desk mat", "站立办公垫"), 4800, 1),
        line(2, say("HDMI cable, 3 m", "HDMI线，3米"), 1299, 2),
    ];
    apps.shop.saved_for_later = vec![line(3, say("Espresso cups, set of 4", "浓缩咖啡杯，4只装"), 2650, 1)];
    apps.shop.orders = vec![Order {
        id: "order-1".into(),
        lines: vec![line(4, say("Birthday candles", "生日蜡烛"), 499, 1)],
        status: say("shipped", "已发货"),
        deliver_to: say("Home", "家"),
        gift_recipient: sam,
        gift_message: say("Happy birthday!", "生日快乐！"),
        delivery_note: String::new(),
        seller_note: String::new(),
        total: None,
        details: vec![],
        ..Order::default()
    }];
    state
}

fn at(day: i8, hour: i8) -> DateTime {
    datetime(2026, 5, day, hour, 0, 0, 0)
}

fn contact(number: u32, name: &str, kind: ContactKind, members: &[&str]) -> Contact {
    Contact {
        id: format!("contact-{number}"),
        name: name.to_owned(),
        label: None,
        kind,
        members: members.iter().map(|name| (*name).to_owned()).collect(),
        external: false,
        details: vec![],
    }
}

fn event(
    number: u32,
    title: &str,
    day: Date,
    hours: Option<(i8, i8, i8, i8)>,
    location: &str,
    about: &str,
) -> CalendarEvent {
    let clock = |hour: i8, minute: i8| -> Time { time(hour, minute, 0, 0) };
    CalendarEvent {
        id: format!("event-{number}"),
        title: title.to_owned(),
        date: day,
        start: hours.map(|(hour, minute, _, _)| clock(hour, minute)),
        end_date: day,
        end: hours.map(|(_, _, hour, minute)| clock(hour, minute)),
        time_text: None,
        location: location.to_owned(),
        description: about.to_owned(),
        url: String::new(),
        invitees: vec![],
        details: vec![],
        ..CalendarEvent::default()
    }
}
