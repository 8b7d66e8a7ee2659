//! The drawing behind the maps app: a small fictional city, the same one every time.
//!
//! What it shows stands in the lists beside it as well; its pins lead there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Serialize;

use crate::workspace::atlas::{City, HEIGHT, Point, WIDTH, city};

/// How far the drawing can be enlarged.
pub(super) const ZOOM: std::ops::RangeInclusive<i32> = 1..=3;

/// What the template draws; all values are numbers put together here.
#[derive(Debug, Serialize)]
pub(super) struct Drawing {
    left: i32,
    top: i32,
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
    /// What its link is called, and where it leads; none for what the page itself is about.
    link: Option<Link>,
}

#[derive(Debug, Serialize)]
struct Link {
    name: String,
    href: String,
}

/// A spot to draw a pin at.
#[derive(Debug, Clone, Default)]
pub(super) struct Spot {
    /// What stands on the pin.
    pub(super) label: String,
    /// What is there, which says where it is.
    pub(super) name: String,
    /// What the pin's link is called; without it the pin is no link.
    pub(super) title: String,
    /// Where the link leads.
    pub(super) href: String,
}

impl Spot {
    fn pin(&self, Point { x, y }: Point, on_way: bool) -> Pin {
        let link = || Link { name: self.title.clone(), href: self.href.clone() };
        let link = (!self.title.is_empty() && !self.href.is_empty()).then(link);
        Pin { x, y, label: self.label.clone(), on_way, link }
    }
}

struct Ground {
    river: String,
    parks: Vec<Park>,
    streets: Vec<Street>,
}

static GROUND: LazyLock<Ground> = LazyLock::new(|| Ground::build(city()));

impl Ground {
    fn build(city: &City) -> Self {
        let (columns, rows) = (&city.columns, &city.rows);
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
        Self { river, parks, streets }
    }
}

/// Draws the city with a way along named stops and pins at named spots, so many times enlarged around
/// the first of them.
pub(super) fn draw(way: &[Spot], spots: &[Spot], zoom: i32) -> Drawing {
    let city = city();
    let ground: &'static Ground = &GROUND;
    let mut taken = BTreeSet::new();
    let mut pins = Vec::new();
    let mut path = String::new();
    for (index, spot) in way.iter().enumerate() {
        let point = place(city, &spot.name, &mut taken);
        let Point { x, y } = point;
        // Along the streets: across first, then up or down.
        let _infallible = if index == 0 { write!(path, "M{x} {y}") } else { write!(path, "H{x}V{y}") };
        pins.push(spot.pin(point, true));
    }
    for spot in spots {
        let point = place(city, &spot.name, &mut taken);
        pins.push(spot.pin(point, false));
    }
    let zoom = zoom.clamp(*ZOOM.start(), *ZOOM.end());
    let (width, height) = (WIDTH / zoom, HEIGHT / zoom);
    let (x, y) = pins.first().map_or((WIDTH / 2, HEIGHT / 2), |pin| (pin.x, pin.y));
    Drawing {
        left: (x - width / 2).clamp(0, WIDTH - width),
        top: (y - height / 2).clamp(0, HEIGHT - height),
        width,
        height,
        river: &ground.river,
        parks: &ground.parks,
        streets: &ground.streets,
        way: (way.len() > 1).then_some(path),
        pins,
    }
}

/// Where a name is: a place of the city at its own corner, any other at the corner that its name
/// gives; the next free one where that is taken, until all are.
fn place(city: &City, name: &str, taken: &mut BTreeSet<(i32, i32)>) -> Point {
    let mut point = city.point(name);
    let mut corner = City::corner(name);
    for _ in 0..City::corners() {
        if taken.insert((point.x, point.y)) {
            break;
        }
        corner = (corner + 7) % City::corners();
        point = city.point_of_corner(corner);
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(name: &str) -> Spot {
        Spot { label: "1".to_owned(), name: name.to_owned(), ..Spot::default() }
    }

    #[test]
    fn pins_have_corners_of_their_own_within_the_picture() {
        let spots: Vec<Spot> = (0..40).map(|number| spot(&format!("place {number}"))).collect();
        let drawing = draw(&["home", "work", "home"].map(spot), &spots, 1);
        let corners: BTreeSet<(i32, i32)> = drawing.pins.iter().map(|pin| (pin.x, pin.y)).collect();
        assert_eq!(corners.len(), 43);
        assert!(corners.iter().all(|(x, y)| (20..WIDTH - 20).contains(x) && (20..HEIGHT - 20).contains(y)));
        assert!(drawing.way.is_some_and(|way| way.starts_with('M') && way.matches('H').count() == 2));
    }

    #[test]
    fn more_pins_than_corners_do_not_hang() {
        let spots = vec![spot("same"); 200];
        assert_eq!(draw(&[], &spots, 1).pins.len(), 200);
    }

    #[test]
    fn an_enlarged_drawing_stays_within_the_city() {
        for zoom in [0, 1, 2, 3, 99] {
            let drawing = draw(&[], &[spot("edge of the city")], zoom);
            assert!(drawing.left >= 0 && drawing.left + drawing.width <= WIDTH, "{zoom}");
            assert!(drawing.top >= 0 && drawing.top + drawing.height <= HEIGHT, "{zoom}");
        }
    }
}
