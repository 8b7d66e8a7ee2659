//! The drawing behind the maps app: a small fictional city, the same one every time.
//!
//! It is decoration: a place's spot on it comes from a hash of its name and means nothing. What
//! the state holds stands in the lists beside it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Size of the drawing, in the SVG's own units.
const WIDTH: i32 = 720;
const HEIGHT: i32 = 400;
/// Streets in each direction, and how far they leave the even grid.
const COLUMNS: usize = 12;
const ROWS: usize = 8;
const JITTER: i32 = 9;
/// The city never changes, so that the same state gives the same picture.
const SEED: u64 = 19;

/// What the template draws; all values are numbers put together here.
#[derive(Debug, Serialize)]
pub(super) struct Drawing {
    width: i32,
    height: i32,
    river: &'static str,
    parks: &'static [Park],
    streets: &'static [Street],
    way: Option<String>,
    pins: Vec<Pin>,
}

#[derive(Debug, Serialize)]
struct Park {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

#[derive(Debug, Serialize)]
struct Street {
    path: String,
    major: bool,
}

#[derive(Debug, Serialize)]
struct Pin {
    x: i32,
    y: i32,
    label: String,
    on_way: bool,
}

struct City {
    columns: Vec<i32>,
    rows: Vec<i32>,
    river: String,
    parks: Vec<Park>,
    streets: Vec<Street>,
}

static CITY: LazyLock<City> = LazyLock::new(City::build);

impl City {
    fn build() -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        let mut spread = |count: usize, length: i32| -> Vec<i32> {
            let step = length / i32::try_from(count).unwrap_or(1);
            (0..count)
                .map(|index| {
                    let even = step / 2 + step * i32::try_from(index).unwrap_or(0);
                    even + random.random_range(-JITTER..=JITTER)
                })
                .collect()
        };
        let columns = spread(COLUMNS, WIDTH);
        let rows = spread(ROWS, HEIGHT);
        let park = |column: usize, row: usize, wide: usize, high: usize| Park {
            x: columns[column] + 6,
            y: rows[row] + 6,
            width: columns[column + wide] - columns[column] - 12,
            height: rows[row + high] - rows[row] - 12,
        };
        let parks = vec![park(1, 1, 2, 1), park(7, 4, 2, 2), park(9, 0, 1, 1), park(3, 5, 1, 1)];
        let across = rows
            .iter()
            .enumerate()
            .map(|(index, y)| Street { path: format!("M0 {y}H{WIDTH}"), major: index % 3 == 1 });
        let down = columns
            .iter()
            .enumerate()
            .map(|(index, x)| Street { path: format!("M{x} 0V{HEIGHT}"), major: index % 4 == 2 });
        let streets = across.chain(down).collect();
        let river = format!(
            "M0 {}C{} {} {} {} {} {}S{} {} {WIDTH} {}",
            HEIGHT - 70,
            WIDTH / 5,
            HEIGHT - 120,
            WIDTH / 4,
            HEIGHT / 2,
            WIDTH / 2,
            HEIGHT / 2 + 20,
            WIDTH - 120,
            90,
            60,
        );
        Self { columns, rows, river, parks, streets }
    }
}

/// Draws the city with a way along named stops and pins at named spots, each `(label, name)`.
pub(super) fn draw(way: &[(&str, &str)], spots: &[(&str, &str)]) -> Drawing {
    let city: &'static City = &CITY;
    let mut taken = BTreeSet::new();
    let mut pins = Vec::new();
    let mut path = String::new();
    for (index, (label, name)) in way.iter().enumerate() {
        let (x, y) = corner(city, name, &mut taken);
        // Along the streets: across first, then up or down.
        let _infallible = if index == 0 { write!(path, "M{x} {y}") } else { write!(path, "H{x}V{y}") };
        pins.push(Pin { x, y, label: (*label).to_owned(), on_way: true });
    }
    for (label, name) in spots {
        let (x, y) = corner(city, name, &mut taken);
        pins.push(Pin { x, y, label: (*label).to_owned(), on_way: false });
    }
    Drawing {
        width: WIDTH,
        height: HEIGHT,
        river: &city.river,
        parks: &city.parks,
        streets: &city.streets,
        way: (way.len() > 1).then_some(path),
        pins,
    }
}

/// The street corner that a name falls on; the next free one where that is taken, until all are.
fn corner(city: &City, name: &str, taken: &mut BTreeSet<usize>) -> (i32, i32) {
    let hash = Sha256::digest(name.as_bytes());
    // The outermost corners would cut a pin off.
    let (columns, rows) = (COLUMNS - 2, ROWS - 2);
    let mut spot = (usize::from(hash[0]) << 8 | usize::from(hash[1])) % (columns * rows);
    for _ in 0..columns * rows {
        if taken.insert(spot) {
            break;
        }
        spot = (spot + 7) % (columns * rows);
    }
    (city.columns[1 + spot % columns], city.rows[1 + spot / columns])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_have_corners_of_their_own_within_the_picture() {
        let names: Vec<String> = (0..40).map(|number| format!("place {number}")).collect();
        let spots: Vec<(&str, &str)> = names.iter().map(|name| ("1", name.as_str())).collect();
        let drawing = draw(&[("A", "home"), ("B", "work"), ("C", "home")], &spots);
        let corners: BTreeSet<(i32, i32)> = drawing.pins.iter().map(|pin| (pin.x, pin.y)).collect();
        assert_eq!(corners.len(), 43);
        assert!(corners.iter().all(|(x, y)| (20..WIDTH - 20).contains(x) && (20..HEIGHT - 20).contains(y)));
        assert!(drawing.way.is_some_and(|way| way.starts_with('M') && way.matches('H').count() == 2));
    }

    #[test]
    fn more_pins_than_corners_do_not_hang() {
        let spots = vec![("1", "same"); 200];
        assert_eq!(draw(&[], &spots).pins.len(), 200);
    }
}
