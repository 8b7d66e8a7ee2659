//! The workspace server over real sockets: isolation, the wall, tokens, forms.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use discreet::error::Deadline;
use discreet::scenario::model::{
    Apps, Author, CalendarEvent, CartLine, Contact, ContactKind, Invitee, Message, Place, SourceFile, Thread,
    TodoItem, TodoList,
};
use discreet::scenario::{Channel, Confidence, Scenario, Target};
use discreet::workspace::{
    Addressee, CONTROL_HEADER, COOKIE, Command, ORIGIN, Registration, Server, ServerError, ServerOptions,
    Workspace, state_hash,
};
use jiff::civil::date;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// A scenario in whose every visible text `marker` occurs.
fn scenario(marker: &str) -> Scenario {
    let mut apps = Apps::default();
    let name = format!("Nora {marker}");
    apps.messenger.contacts.push(Contact {
        id: "contact-1".to_owned(),
        name: name.clone(),
        label: None,
        kind: ContactKind::Person,
        members: Vec::new(),
        external: false,
        details: Vec::new(),
    });
    apps.messenger.threads.push(Thread {
        id: "thread-1".to_owned(),
        title: name.clone(),
        addressed_to: vec![name.clone()],
        messages: vec![Message {
            id: "message-1".to_owned(),
            author: Author { is_user: false, name: name.clone() },
            text: format!("Hello {marker}"),
            at: date(2026, 5, 19).at(8, 0, 0, 0),
            is_draft: false,
            edited_at: None,
            details: Vec::new(),
            ..Message::default()
        }],
        draft: None,
        details: Vec::new(),
        ..Thread::default()
    });
    apps.calendar.events.push(CalendarEvent {
        id: "event-1".to_owned(),
        title: format!("Lunch {marker}"),
        date: date(2026, 5, 19),
        start: None,
        end_date: date(2026, 5, 19),
        end: None,
        time_text: None,
        location: marker.to_owned(),
        description: marker.to_owned(),
        url: String::new(),
        invitees: vec![Invitee { name, response: "none".to_owned() }],
        details: Vec::new(),
        ..CalendarEvent::default()
    });
    apps.maps.places.push(Place {
        id: "place-1".to_owned(),
        name: marker.to_owned(),
        address: marker.to_owned(),
        note: marker.to_owned(),
        details: Vec::new(),
        ..Place::default()
    });
    apps.todo.lists.push(TodoList {
        id: "list-1".to_owned(),
        name: format!("List {marker}"),
        shared_with: Vec::new(),
        items: vec![TodoItem {
            id: "task-1".to_owned(),
            title: format!("Task {marker}"),
            notes: String::new(),
            done: false,
            status: None,
            due: None,
            details: Vec::new(),
            ..TodoItem::default()
        }],
        details: Vec::new(),
        ..TodoList::default()
    });
    apps.code_editor.files.push(SourceFile {
        id: "file-1".to_owned(),
        path: format!("{marker}.md"),
        content: marker.to_owned(),
        shared_with: Vec::new(),
        details: Vec::new(),
        ..SourceFile::default()
    });
    apps.shop.cart.push(CartLine {
        id: "line-1".to_owned(),
        title: format!("Lamp {marker}"),
        price: None,
        quantity: 1,
        ..CartLine::default()
    });
    Scenario {
        scenario_id: "server-test".to_owned(),
        seed_family: "server-test".to_owned(),
        failure_mode: "none".to_owned(),
        task_prompt: String::new(),
        apps,
        clock: date(2026, 5, 19).at(9, 0, 0, 0),
        target: Target {
            channel: Channel::Messenger,
            recipient: None,
            draft_accepted: false,
            confidence: Confidence::High,
            reason: String::new(),
        },
        language: "en".to_owned(),
        content_hash: String::new(),
    }
}

/// A workspace on a server, and a client that comes as a browser does: through the proxy.
struct Visit {
    workspace: Arc<Workspace>,
    registration: Registration,
    client: reqwest::Client,
}

struct Bench {
    server: Server,
    folder: tempfile::TempDir,
}

impl Bench {
    async fn new() -> Self {
        let server = Server::start(ServerOptions::default()).await.unwrap();
        Self { server, folder: tempfile::tempdir().unwrap() }
    }

    fn visit(&self, marker: &str) -> Visit {
        let number = std::fs::read_dir(self.folder.path()).unwrap().count();
        let path = self.folder.path().join(format!("{number}.sqlite"));
        let workspace = Arc::new(Workspace::create(&path, &scenario(marker)).unwrap());
        let registration = self.server.add(Arc::clone(&workspace));
        let client = proxied(self.server.address(), Some(&registration.token));
        Visit { workspace, registration, client }
    }
}

impl Visit {
    async fn get(&self, path: &str) -> (u16, String) {
        let response = self.client.get(format!("{ORIGIN}{path}")).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// What a controlled address tells who has the token.
    async fn control(&self, server: SocketAddr, path: &str) -> String {
        let request = client(None, None).get(format!("http://{server}{path}"));
        let response = request.header(CONTROL_HEADER, &self.registration.control_token).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        response.text().await.unwrap()
    }

    async fn post(&self, path: &str, form: &[(String, String)]) -> reqwest::Response {
        let request = self.client.post(format!("{ORIGIN}{path}")).header("origin", ORIGIN);
        send_form(request, form).await
    }

    /// Fills the first form of a page that has a text area, and sends it.
    async fn fill(&self, page: &str, text: &str) -> reqwest::Response {
        let (_, html) = self.get(page).await;
        let form = Form::with_text_area(&html);
        self.post(&form.action, &form.filled(text)).await
    }
}

async fn send_form(request: reqwest::RequestBuilder, form: &[(String, String)]) -> reqwest::Response {
    let body: Vec<String> =
        form.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(body.join("&"));
    request.send().await.unwrap()
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

fn client(proxy: Option<SocketAddr>, cookie: Option<&str>) -> reqwest::Client {
    let mut headers = reqwest::header::HeaderMap::new();
    if let Some(token) = cookie {
        headers.insert("cookie", format!("other=1; {COOKIE}={token}").parse().unwrap());
    }
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(30))
        // The server closes a connection whose request it refuses unread; one kept open could be
        // used again just before that arrives.
        .pool_max_idle_per_host(0)
        .default_headers(headers);
    let builder = match proxy {
        Some(address) => builder.proxy(reqwest::Proxy::http(format!("http://{address}")).unwrap()),
        None => builder.no_proxy(),
    };
    builder.build().unwrap()
}

fn proxied(address: SocketAddr, cookie: Option<&str>) -> reqwest::Client {
    client(Some(address), cookie)
}

/// Sends bytes as they are and reads the whole answer.
async fn raw(address: SocketAddr, request: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let reading = stream.read_to_end(&mut answer);
    tokio::time::timeout(Duration::from_secs(60), reading).await.unwrap().unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// A form of a page: where it goes, what it holds already, and its text area's name.
struct Form {
    action: String,
    values: Vec<(String, String)>,
    text_area: String,
}

impl Form {
    fn with_text_area(html: &str) -> Self {
        let form = html
            .split("<form")
            .skip(1)
            .map(|rest| rest.split("</form>").next().unwrap())
            .find(|form| form.contains("<textarea"))
            .unwrap_or_else(|| panic!("a form with a text area in {html}"));
        let tags = |name: &str| -> Vec<&str> {
            let pieces = form.split(name).skip(1);
            pieces.map(|rest| rest.split('>').next().unwrap()).collect()
        };
        let mut values: Vec<(String, String)> = tags("<input")
            .into_iter()
            .filter(|tag| attribute(tag, "type").as_deref() == Some("hidden"))
            .filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value").unwrap_or_default())))
            .collect();
        let button = tags("<button").into_iter().next();
        values.extend(button.and_then(|tag| Some((attribute(tag, "name")?, attribute(tag, "value")?))));
        Self {
            action: attribute(form.split('>').next().unwrap(), "action").unwrap(),
            values,
            text_area: attribute(tags("<textarea")[0], "name").unwrap(),
        }
    }

    fn filled(&self, text: &str) -> Vec<(String, String)> {
        let mut values = vec![(self.text_area.clone(), text.to_owned())];
        values.extend(self.values.iter().cloned());
        values
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?;
    Some(unescaped(value))
}

fn unescaped(html: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&#39;", "'"),
        ("&#x2f;", "/"),
        ("&amp;", "&"),
    ]
    .into_iter()
    .fold(html.to_owned(), |text, (escape, letter)| text.replace(escape, letter))
}

/// Every page that links lead to from the first one, with its address.
async fn crawl(visit: &Visit) -> Vec<(String, String)> {
    let mut seen = BTreeSet::from(["/".to_owned()]);
    let mut waiting = VecDeque::from(["/".to_owned()]);
    let mut pages = Vec::new();
    while let Some(path) = waiting.pop_front() {
        // Calendars lead from month to month without end.
        if pages.len() >= 400 {
            break;
        }
        let response = visit.client.get(format!("{ORIGIN}{path}")).send().await.unwrap();
        let mut links: Vec<String> = Vec::new();
        if let Some(target) = response.headers().get("location") {
            links.push(target.to_str().unwrap().to_owned());
        } else {
            assert_eq!(response.status(), 200, "{path}");
        }
        let html = response.text().await.unwrap();
        links.extend(html.split(" href=\"").skip(1).map(|rest| unescaped(rest.split('"').next().unwrap())));
        for link in links {
            let link = link.split('#').next().unwrap().to_owned();
            if link.starts_with('/') && seen.insert(link.clone()) {
                waiting.push_back(link);
            }
        }
        pages.push((path, html));
    }
    pages
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_workspaces_never_see_one_another() {
    let bench = Bench::new().await;
    let visits: Vec<Arc<Visit>> =
        (0..64).map(|number| Arc::new(bench.visit(&format!("zq{number:02}x")))).collect();
    let address = bench.server.address();
    let mut visitors = tokio::task::JoinSet::new();
    for (number, visit) in visits.iter().enumerate() {
        let visit = Arc::clone(visit);
        visitors.spawn(async move {
            let own = format!("zq{number:02}x");
            let sees_only_its_own = |html: &str| {
                for piece in html.split("zq").skip(1) {
                    let piece: String = piece.chars().take(20).collect();
                    assert!(piece.starts_with(&own[2..]), "{own} sees zq{piece}");
                }
            };
            let response = visit.fill("/messages/t/thread-1", &format!("said {own}")).await;
            assert_eq!(response.status(), 303);
            for (address, fields, _) in writes(&own) {
                let response = visit.post(address, &fields).await;
                assert_eq!(response.status(), 303, "{address}");
            }
            let (_, html) = visit.get("/messages/t/thread-1").await;
            assert!(html.contains(&format!("said {own}")), "{html}");
            sees_only_its_own(&html);
            for (address, _, page) in writes(&own) {
                let (status, html) = visit.get(page).await;
                assert_eq!(status, 200);
                assert!(html.contains(&format!("wrote {own}")), "{address}: {html}");
                sees_only_its_own(&html);
            }
            for path in ["/state", "/ctl/events", "/ctl/artifacts"] {
                let told = visit.control(address, path).await;
                assert!(told.contains(&format!("said {own}")), "{path}: {told}");
                sees_only_its_own(&told);
            }
        });
    }
    while let Some(visitor) = visitors.join_next().await {
        visitor.unwrap();
    }
    for (number, visit) in visits.iter().enumerate() {
        let persisted = discreet::workspace::read_back(visit.workspace.path()).unwrap();
        let own = format!("zq{number:02}x");
        assert_eq!(persisted.events.len(), 1 + writes(&own).len());
        for event in &persisted.events {
            let told = serde_json::to_string(event).unwrap();
            let marks = || told.split("zq").skip(1);
            assert!(marks().count() > 0 && marks().all(|piece| piece.starts_with(&own[2..])), "{told}");
        }
    }
}

/// Where a form goes, what is in it, and the page that shows it.
type Write = (&'static str, Vec<(String, String)>, &'static str);

/// A write in every app but the messenger.
fn writes(own: &str) -> Vec<Write> {
    let text = format!("wrote {own}");
    let form = |fields: &[(&str, &str)]| {
        fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    vec![
        ("/todo/list-1/add", form(&[("title", &text)]), "/todo"),
        ("/calendar/new", form(&[("title", &text), ("start_date", "2026-05-20")]), "/calendar"),
        ("/maps/new", form(&[("name", &text)]), "/maps"),
        ("/code/file/file-1", form(&[("content", &text)]), "/code"),
        ("/shop/checkout", form(&[("deliver_to", &text)]), "/shop/orders"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_changes_nothing() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker");
    let before = state_hash(&visit.workspace.snapshot());
    let file = std::fs::read(visit.workspace.path()).unwrap();
    let pages = crawl(&visit).await;
    assert!(pages.len() >= 3, "{} pages", pages.len());
    assert!(pages.iter().any(|(_, html)| html.contains("Hello marker")));
    assert_eq!(state_hash(&visit.workspace.snapshot()), before);
    assert_eq!(visit.workspace.events_since(0), []);
    assert_eq!(std::fs::read(visit.workspace.path()).unwrap(), file);
    assert_eq!(bench.server.blocked_since(Some(&visit.registration.token), 0), []);
    let again = crawl(&visit).await;
    assert_eq!(pages, again, "the same requests give the same bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_names_arrive_as_they_are_and_are_shown_as_text() {
    let hostile = "#a/b?c&d \"e\" <script>alert('x')</script> %2F 測試 ${{1+1}}\n../..";
    let bench = Bench::new().await;
    let visit = bench.visit(hostile);
    let response = visit.fill("/messages/t/thread-1", &format!("{hostile}\r\nend")).await;
    assert_eq!(response.status(), 303);
    let target = response.headers()["location"].to_str().unwrap().to_owned();
    let (status, html) = visit.get(&target).await;
    assert_eq!(status, 200, "{target}");
    assert!(!html.contains("<script>alert"), "{html}");
    let said = &visit.workspace.snapshot().apps.messenger.threads[0].messages[1];
    assert_eq!(said.text, format!("{hostile}\nend"));
    for (path, html) in crawl(&visit).await {
        assert!(!html.contains("<script>alert"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_form_comes_again_with_what_was_typed() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker");
    let long = "w".repeat(200_001);
    let response = visit.fill("/messages/t/thread-1", &long).await;
    assert_eq!(response.status(), 422);
    let html = response.text().await.unwrap();
    assert!(html.contains(&long), "what was typed is kept");
    assert!(html.contains("200000"), "the limit is told");
    assert_eq!(visit.workspace.events_since(0), []);
    let huge = "w".repeat(3_000_000);
    let response = visit.fill("/messages/t/thread-1", &huge).await;
    assert_eq!(response.status(), 413);
    let response = visit.post("/no/such/form", &[]).await;
    assert_eq!(response.status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_but_the_workspace_is_reached_through_the_proxy() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker");
    let canary = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let canary_address = canary.local_addr().unwrap();
    let (address, token) = (bench.server.address(), &visit.registration.token);
    let cookie = format!("Cookie: {COOKIE}={token}\r\nConnection: close\r\n\r\n");
    let port = address.port();
    let foreign = [
        format!("GET http://{canary_address}/ HTTP/1.1\r\nHost: {canary_address}\r\n"),
        format!("GET http://127.0.0.1:{port}/ctl/state HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"),
        format!("GET http://localhost:{port}/enter/{token} HTTP/1.1\r\nHost: localhost:{port}\r\n"),
        "GET http://evil.example/ HTTP/1.1\r\nHost: openapps.test\r\n".to_owned(),
        "GET http://openapps.test/messages HTTP/1.1\r\nHost: evil.example\r\n".to_owned(),
        "GET http://openapps.test:81/messages HTTP/1.1\r\nHost: openapps.test:81\r\n".to_owned(),
        "GET http://openapps.test@evil.example/ HTTP/1.1\r\nHost: openapps.test\r\n".to_owned(),
        "GET http://user@openapps.test/ HTTP/1.1\r\nHost: openapps.test\r\n".to_owned(),
        "GET https://openapps.test/messages HTTP/1.1\r\nHost: openapps.test\r\n".to_owned(),
        "GET /messages HTTP/1.1\r\nHost: openapps.test\r\n".to_owned(),
        "GET /messages HTTP/1.1\r\nHost: evil.example\r\n".to_owned(),
        "GET /messages HTTP/1.1\r\nHost: 127.0.0.1:1\r\n".to_owned(),
        format!("CONNECT {canary_address} HTTP/1.1\r\nHost: {canary_address}\r\n"),
        "CONNECT openapps.test:80 HTTP/1.1\r\nHost: openapps.test:80\r\n".to_owned(),
    ];
    for (number, request) in (1..).zip(&foreign) {
        let answer = raw(address, &format!("{request}{cookie}")).await;
        assert_eq!(status(&answer), 403, "{request}{answer}");
        assert!(!answer.contains("marker"), "{request}{answer}");
        let blocked = bench.server.blocked_since(Some(token), 0);
        assert_eq!(blocked.len(), number, "{request} is noted: {blocked:?}");
    }
    let blocked = bench.server.blocked_since(Some(token), 0);
    assert_eq!(blocked[0].target, format!("http://{canary_address}/"));
    assert_eq!(blocked[12].method, "CONNECT");
    assert_eq!(bench.server.blocked_since(Some(token), 13).len(), 1);
    // Without a cookie, or with an unknown one, nothing is told; it is noted for all.
    assert_eq!(bench.server.blocked_since(None, 0), []);
    for cookie in ["", "Cookie: discreet_workspace=0123456789abcdef\r\n"] {
        let request = format!(
            "GET {ORIGIN}/messages HTTP/1.1\r\nHost: openapps.test\r\n{cookie}Connection: close\r\n\r\n"
        );
        let answer = raw(address, &request).await;
        assert_eq!(status(&answer), 403, "{answer}");
        assert!(!answer.contains("marker"), "{answer}");
    }
    assert_eq!(bench.server.blocked_since(None, 0).len(), 2);
    let answer = raw(address, "GET http://openapps.test/ HTTP/1.0\r\n\r\n").await;
    assert_eq!(status(&answer), 403, "no Host: {answer}");
    let silence = tokio::time::timeout(Duration::from_millis(200), canary.accept()).await;
    assert!(silence.is_err(), "the canary was reached");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_door_leads_to_one_workspace_and_notes_what_is_refused_there() {
    let bench = Bench::new().await;
    let (one, two) = (bench.visit("marker1"), bench.visit("marker2"));
    let door = bench.server.open_door(&one.registration.token).await.unwrap();
    let (status_one, html) = {
        let client = proxied(door, Some(&one.registration.token));
        let response = client.get(format!("{ORIGIN}/messages")).send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    };
    assert_eq!(status_one, 200);
    assert!(html.contains("marker1"));
    let other = proxied(door, Some(&two.registration.token));
    assert_eq!(other.get(format!("{ORIGIN}/messages")).send().await.unwrap().status(), 403);
    let anonymous = proxied(door, None);
    assert_eq!(anonymous.get("http://evil.example/x").send().await.unwrap().status(), 403);
    let blocked = bench.server.blocked_since(Some(&one.registration.token), 0);
    assert_eq!(blocked.iter().filter(|blocked| blocked.target == "http://evil.example/x").count(), 1);
    assert_eq!(bench.server.blocked_since(Some(&two.registration.token), 0), []);
    assert_eq!(bench.server.blocked_since(None, 0), []);
    bench.server.remove(&one.registration.token).unwrap();
    assert!(matches!(
        bench.server.open_door(&one.registration.token).await,
        Err(ServerError::UnknownWorkspace)
    ));
    assert!(is_closed_soon(door).await, "the door is open after the workspace was removed");
}

async fn is_closed_soon(door: SocketAddr) -> bool {
    for _ in 0..100 {
        if tokio::net::TcpStream::connect(door).await.is_err() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reserved_door_leads_to_nobodys_workspace_until_it_is_led_to_another() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker1");
    let token = &visit.registration.token;
    let reserved = bench.server.reserve_door().await.unwrap();
    let door = reserved.address();
    // The same connections before and after.
    let (in_lobby, visitor) = (proxied(door, Some(reserved.token())), proxied(door, Some(token)));
    let get = async |client: &reqwest::Client| {
        let response = client.get(format!("{ORIGIN}/messages")).send().await.unwrap();
        (response.status(), response.text().await.unwrap().contains("marker1"))
    };
    assert_eq!(get(&in_lobby).await, (reqwest::StatusCode::OK, false));
    assert_eq!(get(&visitor).await, (reqwest::StatusCode::FORBIDDEN, false));
    bench.server.lead(&reserved, token).unwrap();
    drop(reserved);
    assert_eq!(get(&visitor).await, (reqwest::StatusCode::OK, true));
    assert_eq!(get(&in_lobby).await, (reqwest::StatusCode::FORBIDDEN, false));
    bench.server.remove(token).unwrap();
    assert!(is_closed_soon(door).await, "the door is open after the workspace was removed");

    let unused = bench.server.reserve_door().await.unwrap();
    let door = unused.address();
    drop(unused);
    assert!(is_closed_soon(door).await, "a door that nobody took is open");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_control_addresses_open_to_their_token_only() {
    let bench = Bench::new().await;
    let (visit, other) = (bench.visit("marker"), bench.visit("other"));
    let address = bench.server.address();
    visit.workspace.set_step(2);
    let to = Addressee::Thread("thread-1".to_owned());
    visit
        .workspace
        .apply(&Command::SendMessage { to, text: "said".to_owned(), reply_to: None, attach: vec![] })
        .unwrap();
    let (token, control) = (&visit.registration.token, &visit.registration.control_token);
    let direct = client(None, None);
    let ask = |path: &str, key: &str| {
        direct.get(format!("http://{address}{path}")).header(CONTROL_HEADER, key).send()
    };
    let state = ask("/ctl/state", control).await.unwrap();
    assert_eq!(state.status(), 200);
    let text = state.text().await.unwrap();
    assert!(text.contains("Hello marker") && !text.contains("Hello other"));
    let events: serde_json::Value = ask("/ctl/events?since=0", control).await.unwrap().json().await.unwrap();
    assert_eq!(events[0]["kind"], "message_sent");
    let none: serde_json::Value = ask("/ctl/events?since=1", control).await.unwrap().json().await.unwrap();
    assert_eq!(none, serde_json::json!([]));
    assert_eq!(ask("/ctl/events?since=x", control).await.unwrap().status(), 400);
    let told: serde_json::Value = ask("/ctl/artifacts", control).await.unwrap().json().await.unwrap();
    assert_eq!(told["artifacts"][0]["text"], "said");
    assert_eq!(told["artifacts"][0]["readers"], serde_json::json!(["Nora marker"]));
    assert_eq!(told["artifacts"][0]["step"], 2);
    assert_eq!(ask("/ctl/nothing", control).await.unwrap().status(), 404);

    for key in [token.as_str(), "", "0123", &other.registration.token] {
        assert_eq!(ask("/ctl/state", key).await.unwrap().status(), 403, "{key}");
    }
    let with_cookie = client(None, Some(token));
    let response = with_cookie.get(format!("http://{address}/ctl/state")).send().await.unwrap();
    assert_eq!(response.status(), 403);
    let foreign_host = direct.get(format!("http://{address}/ctl/state")).header(CONTROL_HEADER, control);
    assert_eq!(foreign_host.header("host", "evil.example").send().await.unwrap().status(), 403);
    let through_proxy = visit.client.get(format!("{ORIGIN}/ctl/state")).header(CONTROL_HEADER, control);
    let response = through_proxy.send().await.unwrap();
    assert_eq!(response.status(), 404);
    assert!(!response.text().await.unwrap().contains("counters"));
    bench.server.remove(token).unwrap();
    assert_eq!(ask("/ctl/state", control).await.unwrap().status(), 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_state_is_read_in_both_forms_with_the_token_only() {
    let bench = Bench::new().await;
    let (visit, other) = (bench.visit("marker"), bench.visit("other"));
    let address = bench.server.address();
    let (token, control) = (&visit.registration.token, &visit.registration.control_token);
    let told = |path: &'static str| {
        let visit = &visit;
        async move { serde_json::from_str::<serde_json::Value>(&visit.control(address, path).await).unwrap() }
    };
    let state = told("/state").await;
    assert_eq!(state["apps"]["messenger"]["threads"][0]["messages"][0]["text"], "Hello marker");
    let text = visit.control(address, "/state").await;
    assert_eq!(text, visit.control(address, "/ctl/state").await);
    assert_eq!(text, discreet::workspace::canonical_json(&*visit.workspace.snapshot()).unwrap());
    let expected = [
        ("/todo_all", "/0/title", "Task marker"),
        ("/messages_all", "/0/messages/0/0", "Hello marker"),
        ("/messages_all", "/0/messages/0/1", "Nora marker"),
        ("/calendar_all", "/0/invitees", "Nora marker"),
        ("/maps/landmarks", "/0/name", "marker"),
        ("/codeeditor_all", "/children/0/content", "marker"),
        ("/onlineshop_all", "/cart/0/asin", "Lamp marker"),
    ];
    for (path, pointer, text) in expected {
        let told = told(path).await;
        assert_eq!(told.pointer(pointer).and_then(serde_json::Value::as_str), Some(text), "{path}: {told}");
    }
    // What is written is there at the next look.
    visit.post("/todo/list-1/add", &[("title".to_owned(), "New".to_owned())]).await;
    assert_eq!(told("/todo_all").await[1]["title"], "New");

    let direct = client(None, None);
    let with_cookie = client(None, Some(token));
    for path in expected.iter().map(|(path, ..)| *path).chain(["/state"]) {
        let url = format!("http://{address}{path}");
        for key in [token.as_str(), "", "0123", &other.registration.token] {
            let response = direct.get(&url).header(CONTROL_HEADER, key).send().await.unwrap();
            assert_eq!(response.status(), 403, "{path} with {key:?}");
        }
        assert_eq!(direct.get(&url).send().await.unwrap().status(), 403, "{path} without a token");
        assert_eq!(with_cookie.get(&url).send().await.unwrap().status(), 403, "{path} with the cookie");
        let with_token = |request: reqwest::RequestBuilder| request.header(CONTROL_HEADER, control).send();
        let foreign = with_token(direct.get(&url).header("host", "evil.example")).await.unwrap();
        assert_eq!(foreign.status(), 403, "{path} with a foreign Host");
        assert_eq!(with_token(direct.post(&url)).await.unwrap().status(), 405, "{path} is only read");
        // The agent's browser comes through the proxy: nothing is there, even with the token.
        let response = with_token(visit.client.get(format!("{ORIGIN}{path}"))).await.unwrap();
        assert_eq!(response.status(), 404, "{path} through the proxy");
        assert!(!response.text().await.unwrap().contains("marker"), "{path} through the proxy");
        let response = with_token(visit.client.get(&url)).await.unwrap();
        assert_eq!(response.status(), 403, "{path} at the server's address through the proxy");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_enters_with_the_printed_address() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker");
    let address = bench.server.address();
    let stranger = client(None, None);
    let response = stranger.get(format!("http://{address}/messages")).send().await.unwrap();
    assert_eq!(response.status(), 403);
    assert!(response.text().await.unwrap().contains("Open the address"));
    let response = stranger.get(format!("http://{address}/enter/0123")).send().await.unwrap();
    assert_eq!(response.status(), 403);
    assert!(response.headers().get("set-cookie").is_none());
    let response =
        stranger.get(format!("http://{address}/enter/{}", visit.registration.token)).send().await.unwrap();
    assert_eq!(response.status(), 303);
    assert_eq!(response.headers()["location"], "/");
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    assert_eq!(cookie, format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", visit.registration.token));
    let guest = client(None, Some(&visit.registration.token));
    for host in [format!("127.0.0.1:{}", address.port()), format!("localhost:{}", address.port())] {
        let request = guest.get(format!("http://{address}/messages")).header("host", &host);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{host}");
        assert!(response.text().await.unwrap().contains("marker"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_of_other_sites_are_refused() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker");
    let form = Form::with_text_area(&visit.get("/messages/t/thread-1").await.1);
    let form = (form.action.clone(), form.filled("forged"));
    let refused: [&[(&str, &str)]; 7] = [
        &[],
        &[("origin", "http://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://openapps.test.evil.example")],
        &[("referer", "http://evil.example/?http://openapps.test/")],
        &[("referer", "http://openapps.test.evil.example/")],
        &[("sec-fetch-site", "cross-site")],
    ];
    for headers in refused {
        let mut request = visit.client.post(format!("{ORIGIN}{}", form.0));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        assert_eq!(send_form(request, &form.1).await.status(), 403, "{headers:?}");
    }
    assert_eq!(visit.workspace.events_since(0), []);
    let accepted: [&[(&str, &str)]; 3] = [
        &[("origin", ORIGIN), ("referer", "http://evil.example/")],
        &[("referer", "http://openapps.test/messages")],
        &[("sec-fetch-site", "same-origin")],
    ];
    for headers in accepted {
        let mut request = visit.client.post(format!("{ORIGIN}{}", form.0));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        assert_eq!(send_form(request, &form.1).await.status(), 303, "{headers:?}");
    }
    let request = visit.client.post(format!("{ORIGIN}{}", form.0)).header("origin", ORIGIN);
    let response = request.header("content-type", "text/plain").body("text=forged").send().await.unwrap();
    assert_eq!(response.status(), 415);
    let request = visit.client.put(format!("{ORIGIN}/messages"));
    assert_eq!(request.send().await.unwrap().status(), 405);
    assert_eq!(visit.workspace.events_since(0).len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_headers_that_keep_the_browser_inside() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker");
    let html = visit.get("/messages").await.1;
    let asset = html.split("=\"/assets/").nth(1).unwrap().split('"').next().unwrap();
    let (page, asset) = ("/messages".to_owned(), format!("/assets/{asset}"));
    for path in [&page, &asset, &"/nothing/here".to_owned()] {
        let response = visit.client.get(format!("{ORIGIN}{path}")).send().await.unwrap();
        let headers = response.headers();
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; "), "{path}: {policy}");
        for part in ["script-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert_eq!(headers["referrer-policy"], "same-origin", "{path}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        let caching = headers["cache-control"].to_str().unwrap();
        let wanted = if *path == asset { "public, max-age=31536000, immutable" } else { "no-store" };
        assert_eq!(caching, wanted, "{path}");
    }
    let response = visit.client.head(format!("{ORIGIN}{page}")).send().await.unwrap();
    assert_eq!(response.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn activity_tells_when_a_workspace_is_quiet() {
    let bench = Bench::new().await;
    let (visit, other) = (bench.visit("marker"), bench.visit("other"));
    let activity = bench.server.workspace_activity(&visit.registration.token).unwrap();
    assert_eq!((activity.borrow().requests, activity.borrow().last), (0, None));
    visit.get("/messages").await;
    visit.get("/messages").await;
    other.get("/messages").await;
    let now = *activity.borrow();
    assert_eq!((now.in_flight, now.requests), (0, 2));
    assert!(now.last.is_some_and(|last| last.elapsed() < Duration::from_secs(60)));
    assert!(bench.server.workspace_activity("unknown").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_ends_within_its_deadline_although_a_client_dawdles() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker");
    let address = bench.server.address();
    visit.get("/messages").await;
    let mut dawdler = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST {ORIGIN}/messages/t/thread-1 HTTP/1.1\r\nHost: openapps.test\r\nOrigin: {ORIGIN}\r\nCookie: {COOKIE}={}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntext=",
        visit.registration.token
    );
    dawdler.write_all(head.as_bytes()).await.unwrap();
    let mut activity = bench.server.workspace_activity(&visit.registration.token).unwrap();
    activity.wait_for(|activity| activity.in_flight == 1).await.unwrap();
    let started = std::time::Instant::now();
    assert!(!bench.server.shutdown(Deadline::after_ms(300)).await, "a request was still open");
    // The client would dawdle for ever.
    assert!(started.elapsed() < Duration::from_secs(30), "took {:?}", started.elapsed());
    assert!(tokio::net::TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_server_stops_at_once_and_gives_its_port_back() {
    let bench = Bench::new().await;
    let visit = bench.visit("marker");
    visit.get("/messages").await;
    let port = bench.server.address().port();
    assert!(matches!(
        Server::start(ServerOptions { port }).await,
        Err(ServerError::PortInUse(taken)) if taken == port
    ));
    assert!(bench.server.shutdown(Deadline::after_ms(60_000)).await);
    drop(Server::start(ServerOptions { port }).await.unwrap());
}
