//! Pictures of every kind of page of the workspace in each look: what a person goes through before a
//! change to templates or styles is merged.
//!
//! ```text
//! scripts/looks scenarios/visual_co_location/desk_handover__colleague.json looks
//! scripts/looks examples/looks.json looks theme=dark,viewport=phone / /shop /maps
//! ```
//!
//! For every look there is a folder with one picture per kind of page, as long as the page is, and a
//! contact sheet beside it. Without looks on the command line they are each theme in each size, and the
//! usual one through the hub, with everything dense, and in German and Chinese. Paths keep to the pages
//! below them. `examples/looks.json` holds something of everything.

#![allow(clippy::print_stdout, reason = "an example talks to a person")]

use std::collections::{BTreeSet, VecDeque};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use discreet::browser::{Browser, Context, ContextOptions, LaunchOptions, Page, Wall};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Observer, Wishes};
use discreet::scenario::load_paths;
use discreet::scenario::variation::{HomePage, Screen, Theme, Variation, VariationChoice};
use discreet::workspace::{COOKIE, ORIGIN, Server, ServerOptions, Workspace};
use image::{GenericImage as _, RgbImage, imageops};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Screens that one picture holds at most.
const SCREENS: u32 = 4;
/// Pictures side by side on a contact sheet, and the width of each.
const COLUMNS: u32 = 5;
const THUMBNAIL: u32 = 380;
/// Space between them.
const GAP: u32 = 12;

/// Where links lead to, and forms that ask for a page, with what they hold.
const LINKS: &str = "() => [...document.querySelectorAll(\"a[href^='/'], form[method=get][action^='/']\")]\
    .map((one) => one.getAttribute('href') ?? `${one.getAttribute('action')}?${new URLSearchParams(new FormData(one))}`)";
const HEIGHT: &str = "() => Math.ceil(document.documentElement.scrollHeight)";

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(scenario), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: looks SCENARIO FOLDER [FACTOR=VALUE,…]... [PATH]...".into());
    };
    let (paths, asked): (Vec<String>, Vec<String>) =
        arguments.partition(|argument| argument.starts_with('/'));
    let looks = if asked.is_empty() { usual_looks() } else { asked };

    let launch = LaunchOptions { guard_executable: Some(guard()?), ..LaunchOptions::default() };
    let browser = Browser::launch(&launch).await?;
    let server = Server::start(ServerOptions { port: 0 }).await?;
    let mut result = Ok(());
    for look in &looks {
        result = picture(&browser, &server, Path::new(&scenario), (Path::new(&out), look), &paths).await;
        if result.is_err() {
            break;
        }
    }
    browser.close().await;
    server.shutdown(Deadline::after_ms(2_000)).await;
    result
}

fn usual_looks() -> Vec<String> {
    let sizes = Screen::ALL.iter();
    let themes =
        sizes.flat_map(|size| Theme::ALL.iter().map(move |theme| format!("viewport={size},theme={theme}")));
    themes.chain(["nav=hub", "content=dense", "language=de", "language=zh-CN"].map(str::to_owned)).collect()
}

/// The program that ends the browser when this one ends: `discreet` itself.
fn guard() -> Outcome<PathBuf> {
    if let Some(path) = std::env::var_os("DISCREET") {
        return Ok(PathBuf::from(path));
    }
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(Path::parent).ok_or("this program lies nowhere")?;
    Ok(folder.join("discreet"))
}

/// Looks at one page of every kind that links lead to.
async fn picture(
    browser: &Browser,
    server: &Server,
    scenario: &Path,
    (out, look): (&Path, &str),
    paths: &[String],
) -> Outcome<()> {
    let loaded =
        load_paths(&[scenario.to_owned()]).into_iter().next().ok_or("there is no scenario")?.result?;
    let choice: VariationChoice = look.parse()?;
    let variation = Variation { home: HomePage::Today, ..loaded.variation(&choice) };
    let folder = out.join(look.replace([',', '='], "-"));
    std::fs::create_dir_all(&folder)?;
    let files = tempfile::tempdir()?;
    let file = files.path().join("workspace.sqlite");
    let workspace = Arc::new(Workspace::create_varied(&file, &loaded.scenario, variation)?);
    let registration = server.add(workspace);
    let door = server.open_door(&registration.token).await?;
    let options = ContextOptions {
        wall: Wall::Origin(ORIGIN.to_owned()),
        proxy: Some(format!("http://{door}")),
        cookies: vec![(ORIGIN.to_owned(), COOKIE.to_owned(), registration.token)],
        viewport: variation.viewport.into(),
    };
    let context = browser.open_context(&options).await?;
    let (width, height) = variation.viewport.size();
    let mut observer = Observer::default();
    let mut waiting: VecDeque<String> = ["/", "/no-such-page"].map(str::to_owned).into();
    let mut known: BTreeSet<String> = waiting.iter().map(|address| kind(address)).collect();
    let mut thumbnails = Vec::new();
    while let Some(address) = waiting.pop_front() {
        let page = context.active_page()?;
        page.load(&format!("{ORIGIN}{address}"), Deadline::after_ms(20_000)).await?;
        let whole = whole_page(&page, &context, &mut observer, (width, height)).await?;
        let name = kind(&address).trim_matches('/').replace(['/', '*'], "_");
        let name = if name.is_empty() { "home".to_owned() } else { name };
        whole.save(folder.join(format!("{name}.png")))?;
        let (wide, high) = whole.dimensions();
        let thumbnail_height = (high * THUMBNAIL / wide).max(1);
        thumbnails.push(imageops::resize(
            &whole,
            THUMBNAIL,
            thumbnail_height,
            imageops::FilterType::Triangle,
        ));
        println!("{look} {name} {address}");
        let links = page.run(LINKS, &[], Deadline::after_ms(5_000)).await?;
        for link in links.as_array().into_iter().flatten().filter_map(|link| link.as_str()) {
            if is_wanted(paths, link) && known.insert(kind(link)) {
                waiting.push_back(link.to_owned());
            }
        }
    }
    context.close(Deadline::after_ms(5_000)).await?;
    contact_sheet(&thumbnails)?.save(folder.with_extension("png"))?;
    Ok(())
}

/// Whether an address is one of those paths or lies below it; the home page leads to all of them.
fn is_wanted(paths: &[String], address: &str) -> bool {
    let is_below = |path: &String| address == path || (path != "/" && address.starts_with(path.as_str()));
    paths.is_empty() || paths.iter().any(is_below)
}

/// The kind of page an address leads to: numbers and queries left out.
fn kind(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let is_entity = |segment: &str| segment.rsplit('-').next().is_some_and(|end| end.parse::<u32>().is_ok());
    let segments: Vec<&str> =
        path.split('/').map(|segment| if is_entity(segment) { "*" } else { segment }).collect();
    segments.join("/")
}

/// The page from top to end, screen by screen.
async fn whole_page(
    page: &Page,
    context: &Context,
    observer: &mut Observer,
    (width, height): (u32, u32),
) -> Outcome<RgbImage> {
    let deadline = || Deadline::after_ms(20_000);
    let measured = page.run(HEIGHT, &[], deadline()).await?.as_u64().unwrap_or(0);
    let whole = u32::try_from(measured)?.clamp(height, height * SCREENS);
    let mut picture = RgbImage::new(width, whole);
    let mut top = 0;
    loop {
        // The last screen ends where the page does, and covers a part of the one before.
        let at = top.min(whole - height);
        page.run(&format!("() => {{ window.scrollTo(0, {at}); }}"), &[], deadline()).await?;
        let looked = observer.observe(context, Wishes::of(AccessMode::Screenshot), deadline()).await?;
        let screen = looked.observation.screenshot.ok_or("the browser gave no screenshot")?;
        let screen = image::load_from_memory(&screen[..])?.to_rgb8();
        picture.copy_from(&imageops::crop_imm(&screen, 0, 0, width, height).to_image(), 0, at)?;
        top += height;
        if top >= whole {
            return Ok(picture);
        }
    }
}

/// Pictures in columns, each below the shortest so far.
fn contact_sheet(thumbnails: &[RgbImage]) -> Outcome<RgbImage> {
    let mut ends = [GAP; COLUMNS as usize];
    let mut places = Vec::new();
    for thumbnail in thumbnails {
        let column = (0..ends.len()).min_by_key(|column| ends[*column]).unwrap_or(0);
        places.push((GAP + u32::try_from(column)? * (THUMBNAIL + GAP), ends[column]));
        ends[column] += thumbnail.height() + GAP;
    }
    let height = ends.into_iter().max().unwrap_or(GAP);
    let mut sheet =
        RgbImage::from_pixel(GAP + COLUMNS * (THUMBNAIL + GAP), height, image::Rgb([120, 120, 120]));
    for (thumbnail, (left, top)) in thumbnails.iter().zip(places) {
        sheet.copy_from(thumbnail, left, top)?;
    }
    Ok(sheet)
}
