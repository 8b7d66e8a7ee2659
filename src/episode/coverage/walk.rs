//! A walk through the pages of a workspace, nearest pages first.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use serde::Deserialize;

use crate::browser::{BrowserError, Page};
use crate::error::Deadline;
use crate::workspace::ORIGIN;

const READ_PAGE: &str = include_str!("read_page.js");
/// Clicks from the home page that one walk goes at most.
const CLICKS_LIMIT: u32 = 6;
/// How long a page may take to load and to be read, in milliseconds.
const PAGE_WITHIN_MS: u64 = 20_000;

/// What a page shows at one moment of a walk.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// The page's path and query.
    pub page: &'a str,
    /// Clicks from the home page, those on the page itself included.
    pub clicks: u32,
    /// All rendered text and what fields hold; blocks stand on lines of their own.
    pub text: &'a str,
    /// Elements of the document.
    pub elements: usize,
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walked {
    /// Pages that were opened.
    pub pages: usize,
    /// Whether there were more that the limits kept it from.
    pub was_cut: bool,
}

#[derive(Debug, Deserialize)]
struct Reading {
    rounds: Vec<Round>,
    elements: usize,
}

#[derive(Debug, Deserialize)]
struct Round {
    text: String,
    ways: Vec<String>,
}

/// What the walk has still to look at.
#[derive(Debug)]
enum Ahead {
    /// An address nobody has been to.
    Page(String),
    /// What a page showed after things on it were opened.
    Opened { page: String, round: Round, elements: usize },
}

/// Walks from the home page, fewest clicks first, and hands over what each page shows, until `see`
/// has enough, `most` pages were opened (a calendar goes on for ever), or no page is left.
///
/// # Errors
/// [`BrowserError`] when the browser is lost, or a page cannot be loaded or read in time.
pub async fn walk(
    page: &Page,
    most: usize,
    mut see: impl FnMut(&Sight<'_>) -> ControlFlow<()>,
) -> Result<Walked, BrowserError> {
    let mut route = Route::default();
    let mut walked = Walked { pages: 0, was_cut: false };
    route.add(0, "/");
    while let Some((clicks, ahead)) = route.next() {
        let (address, round, elements) = match ahead {
            Ahead::Opened { page, round, elements } => (page, round, elements),
            Ahead::Page(_) if walked.pages >= most => {
                walked.was_cut = true;
                break;
            }
            Ahead::Page(address) => {
                walked.pages += 1;
                let Reading { rounds, elements } = read(page, &address).await?;
                let mut rounds = (clicks..).zip(rounds);
                let Some((_, first)) = rounds.next() else { continue };
                for (clicks, round) in rounds {
                    route.push(clicks, Ahead::Opened { page: address.clone(), round, elements });
                }
                (address, first, elements)
            }
        };
        if see(&Sight { page: &address, clicks, text: &round.text, elements }).is_break() {
            break;
        }
        for way in &round.ways {
            if clicks < CLICKS_LIMIT {
                route.add(clicks + 1, way);
            } else {
                walked.was_cut |= !route.seen.contains(way);
            }
        }
    }
    Ok(walked)
}

async fn read(page: &Page, address: &str) -> Result<Reading, BrowserError> {
    let deadline = Deadline::after_ms(PAGE_WITHIN_MS);
    page.load(&format!("{ORIGIN}{address}"), deadline).await?;
    let reading = page.run(READ_PAGE, &[], deadline).await?;
    serde_json::from_value(reading).map_err(|error| BrowserError::Reply {
        method: "Runtime.callFunctionOn".into(),
        message: format!("the page's text cannot be read: {error}"),
    })
}

/// What lies ahead, nearest first and then in the order in which it was found.
#[derive(Debug, Default)]
struct Route {
    ahead: BTreeMap<(u32, usize), Ahead>,
    count: usize,
    seen: BTreeSet<String>,
}

impl Route {
    fn add(&mut self, clicks: u32, address: &str) {
        if self.seen.insert(address.to_owned()) {
            self.push(clicks, Ahead::Page(address.to_owned()));
        }
    }

    fn push(&mut self, clicks: u32, ahead: Ahead) {
        self.count += 1;
        self.ahead.insert((clicks, self.count), ahead);
    }

    fn next(&mut self) -> Option<(u32, Ahead)> {
        let ((clicks, _), ahead) = self.ahead.pop_first()?;
        Some((clicks, ahead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_comes_first_and_each_page_once() {
        let mut route = Route::default();
        let opened = |page: &str| Ahead::Opened {
            page: page.to_owned(),
            round: Round { text: String::new(), ways: Vec::new() },
            elements: 0,
        };
        route.add(2, "/far");
        route.push(1, opened("/home"));
        route.add(1, "/near");
        route.add(3, "/near");
        let mut order = Vec::new();
        while let Some((clicks, ahead)) = route.next() {
            let (Ahead::Page(page) | Ahead::Opened { page, .. }) = ahead;
            order.push((clicks, page));
        }
        assert_eq!(order, [(1, "/home".to_owned()), (1, "/near".to_owned()), (2, "/far".to_owned())]);
    }
}
