//! Long lists, page by page.

use serde::Serialize;

use super::context::Context;

/// The links below a page of a list.
#[derive(Debug, Serialize)]
pub(super) struct Pager {
    previous: Option<String>,
    next: Option<String>,
    numbers: Vec<Number>,
    /// `Page 2 of 3`.
    place: String,
}

/// One page by its number; without an address where some are left out.
#[derive(Debug, Serialize)]
struct Number {
    text: String,
    href: Option<String>,
    current: bool,
}

/// Which page of a list of `count` things is looked at, counted from 1, and how many there are.
pub(super) fn place(context: &Context<'_>, count: usize, size: usize) -> (usize, usize) {
    let pages = count.div_ceil(size).max(1);
    let asked = context.query("page").and_then(|page| page.parse().ok()).unwrap_or(1_usize);
    (asked.clamp(1, pages), pages)
}

/// The links from `page` to the others; `address` says where one of them is.
pub(super) fn pager(
    context: &Context<'_>,
    (page, pages): (usize, usize),
    address: impl Fn(usize) -> String,
) -> Option<Pager> {
    let numbers = page_numbers(page, pages).into_iter().map(|number| Number {
        text: if number == 0 { "…".to_owned() } else { number.to_string() },
        href: (number != 0).then(|| address(number)),
        current: number == page,
    });
    let (number, count) = (page.to_string(), pages.to_string());
    (pages > 1).then(|| Pager {
        previous: (page > 1).then(|| address(page - 1)),
        next: (page < pages).then(|| address(page + 1)),
        numbers: numbers.collect(),
        place: context.text("shop.page_of", &[("number", &number), ("count", &count)]),
    })
}

/// The first page, the last one, and those about the one that is shown; 0 stands for those that are
/// left out.
pub(super) fn page_numbers(page: usize, pages: usize) -> Vec<usize> {
    let mut numbers = Vec::new();
    for number in (1..=pages).filter(|number| [1, pages].contains(number) || page.abs_diff(*number) <= 1) {
        if numbers.last().is_some_and(|last| last + 1 < number) {
            numbers.push(0);
        }
        numbers.push(number);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::page_numbers;

    #[test]
    fn pages_are_told_by_their_ends_and_their_neighbours() {
        assert_eq!(page_numbers(1, 1), [1]);
        assert_eq!(page_numbers(1, 13), [1, 2, 0, 13]);
        assert_eq!(page_numbers(4, 13), [1, 0, 3, 4, 5, 0, 13]);
        assert_eq!(page_numbers(3, 5), [1, 2, 3, 4, 5]);
        assert_eq!(page_numbers(13, 13), [1, 0, 12, 13]);
    }
}
