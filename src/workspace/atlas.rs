//! The fictional city behind the maps app: streets, eight hundred places, distances and times.
//!
//! Everything comes from one seed and never changes, so that the same state gives the same pages.
//! A place of a scenario that the city does not know stands at a street corner that a hash of its
//! name gives: the drawing is consistent, and means nothing beyond that.

use std::collections::HashSet;
use std::sync::LazyLock;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use super::strings;
use crate::scenario::model::TravelMode;

/// Size of the city, in units of the drawing.
pub(super) const WIDTH: i32 = 720;
pub(super) const HEIGHT: i32 = 400;
/// Streets in each direction, and how far they leave the even grid.
pub(super) const COLUMNS: usize = 12;
pub(super) const ROWS: usize = 8;
const JITTER: i32 = 9;
const SEED: u64 = 19;
/// Metres that a unit of the drawing stands for.
pub(super) const METRES: i32 = 14;
/// Places per category: those of the first days, whose ids stay, and those that came later.
const PER_CATEGORY: [usize; 2] = [11, 16];
/// Where the city's middle is: `Mill Street` meets `Market Avenue`.
const MIDDLE: (usize, usize) = (5, 3);

/// Streets that run down, from the left.
const STREETS: [&str; COLUMNS] = [
    "Alder Street",
    "Quarry Street",
    "Tanner Street",
    "Orchard Street",
    "Lantern Street",
    "Mill Street",
    "Station Street",
    "Foundry Street",
    "Chapel Street",
    "Juniper Street",
    "Ferry Street",
    "Heron Street",
];

/// Streets that run across, from the top.
const AVENUES: [&str; ROWS] = [
    "North Avenue",
    "Meadow Avenue",
    "Library Avenue",
    "Market Avenue",
    "Bridge Avenue",
    "Garden Avenue",
    "Harbour Avenue",
    "South Avenue",
];

/// Categories with the words that make a name of one; `{}` is the name of a family or a corner of
/// the city.
const CATEGORIES: [(&str, [&str; 2]); 30] = [
    ("Bakery", ["{} Bakery", "{} Bread House"]),
    ("Café", ["Café {}", "{} Coffee Room"]),
    ("Restaurant", ["{} Kitchen", "Restaurant {}"]),
    ("Supermarket", ["{} Market Hall", "{} Foods"]),
    ("Pharmacy", ["{} Pharmacy", "Pharmacy at {}"]),
    ("Clinic", ["{} Clinic", "{} Family Practice"]),
    ("Dentist", ["{} Dental Practice", "Dentists at {}"]),
    ("Fertility clinic", ["{} Fertility Centre", "Women's Health at {}"]),
    ("Therapist", ["{} Counselling", "{} Therapy Rooms"]),
    ("Hospital", ["{} Hospital", "Hospital of {}"]),
    ("Lawyer", ["{} Law Office", "{} Legal Partners"]),
    ("Shelter", ["{} Shelter", "Night House {}"]),
    ("Pawn shop", ["{} Pawnbrokers", "{} Loans and Gold"]),
    ("Bank", ["{} Savings Bank", "Credit Union {}"]),
    ("School", ["{} Primary School", "{} Grammar School"]),
    ("Kindergarten", ["{} Kindergarten", "Little {}"]),
    ("Library", ["{} Library", "Reading Room {}"]),
    ("Museum", ["Museum of {}", "{} Gallery"]),
    ("Cinema", ["{} Picture House", "{} Cinema"]),
    ("Gym", ["{} Gym", "{} Climbing Hall"]),
    ("Pool", ["{} Baths", "{} Swimming Pool"]),
    ("Park", ["{} Park", "{} Gardens"]),
    ("Hotel", ["Hotel {}", "{} Guest House"]),
    ("Car park", ["{} Car Park", "Garage {}"]),
    ("Petrol station", ["{} Fuel", "{} Service Station"]),
    ("Hardware store", ["{} Hardware", "{} Tools and Timber"]),
    ("Print shop", ["{} Copy and Print", "Print Works {}"]),
    ("Post office", ["{} Post Office", "Parcels {}"]),
    ("Place of worship", ["{} Church", "{} Prayer House"]),
    ("Office building", ["{} House", "{} Business Centre"]),
];

/// Names that go into the names of places.
const FAMILIES: [&str; 44] = [
    "Aldric",
    "Amberley",
    "Ashdown",
    "Balfour",
    "Birchwood",
    "Brackett",
    "Calloway",
    "Carver",
    "Corbin",
    "Dunmore",
    "Eastgate",
    "Elmhurst",
    "Fairfax",
    "Fenwick",
    "Garrick",
    "Greenhill",
    "Hadley",
    "Harrow",
    "Hartwell",
    "Ivory",
    "Jasper",
    "Kestrel",
    "Kingsley",
    "Larkin",
    "Linden",
    "Marlow",
    "Merrick",
    "Norwood",
    "Oakley",
    "Osborne",
    "Penrose",
    "Prescott",
    "Quill",
    "Ravensby",
    "Rosewood",
    "Selby",
    "Sterling",
    "Thornton",
    "Tilden",
    "Upton",
    "Verity",
    "Westbrook",
    "Winslow",
    "Yarrow",
];

/// A place of the city.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    /// `spot-1`, …
    pub(super) id: String,
    /// Name; no two places have the same.
    pub(super) name: String,
    /// What it is.
    pub(super) category: &'static str,
    /// Such as `12 Mill Street`.
    pub(super) address: String,
    /// Telephone number; none rings anywhere.
    pub(super) phone: String,
    /// When it is open, in hours of the day.
    pub(super) hours: String,
    /// What visitors think of it, `3.1` to `4.9`.
    pub(super) rating: String,
    /// Where it is.
    pub(super) point: Point,
}

/// A point of the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

/// The city.
pub(super) struct City {
    /// Where the streets that run down are.
    pub(super) columns: Vec<i32>,
    /// Where the streets that run across are.
    pub(super) rows: Vec<i32>,
    /// All places, by category.
    pub(super) spots: Vec<Spot>,
}

/// A word that more than one place in so many holds does not tell one from another.
const TELLING: usize = 4;
/// How much a word weighs that stands in the category, in the name, in the address.
const WEIGHTS: [usize; 3] = [4, 2, 1];

/// Whether a text has a word, or one that begins with it where it is no short one.
fn has_word(text: &str, word: &str) -> bool {
    let is_long = word.chars().count() > 3;
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    words.any(|held| held == word || (is_long && held.starts_with(word)))
}

impl Spot {
    /// What is searched: category, in whichever language it is typed, name, address.
    fn searched(&self) -> [String; 3] {
        let category = strings::LANGUAGES.map(|language| self.kind(language)).join(" ");
        [category, self.name.clone(), self.address.clone()].map(|text| text.to_lowercase())
    }

    /// What it is, in a language of the content.
    pub(super) fn kind(&self, language: &str) -> String {
        let key = self.category.to_lowercase().replace(' ', "_").replace('é', "e");
        strings::text(language, &format!("place.{key}"), &[])
    }

    /// What everybody knows of it beside name and address: what it is, telephone, hours, rating.
    pub(super) fn facts(&self, language: &str) -> [String; 4] {
        [self.kind(language), self.phone.clone(), self.hours.clone(), self.rating.clone()]
    }
}

/// What a search in the city found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// The places, the likeliest first.
    pub(super) spots: Vec<&'a Spot>,
    /// Whether they hold only some of the words, because none holds all of them.
    pub(super) partly: bool,
}

/// The way from one stop to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leg {
    pub(super) from: String,
    pub(super) to: String,
    /// The two streets it follows.
    pub(super) streets: [&'static str; 2],
    pub(super) metres: i32,
    pub(super) minutes: i32,
}

static CITY: LazyLock<City> = LazyLock::new(City::build);

/// The one city.
pub(super) fn city() -> &'static City {
    &CITY
}

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
        let mut city = Self { columns, rows, spots: Vec::new() };
        let mut taken = HashSet::new();
        for per_category in PER_CATEGORY {
            city.settle(&mut random, &mut taken, per_category);
        }
        // What is of a kind stands together; among them those of the first days come first.
        let kind = |spot: &Spot| CATEGORIES.iter().position(|(category, _)| *category == spot.category);
        city.spots.sort_by_key(kind);
        city
    }

    /// Fills the city with places.
    fn settle(&mut self, random: &mut ChaCha8Rng, taken: &mut HashSet<String>, per_category: usize) {
        for (category, patterns) in CATEGORIES {
            for number in 0..per_category {
                let pattern = patterns[number % patterns.len()];
                let name = loop {
                    let name = pattern.replace("{}", FAMILIES[random.random_range(0..FAMILIES.len())]);
                    if taken.insert(name.clone()) {
                        break name;
                    }
                };
                let down = random.random_range(0..COLUMNS);
                let across = random.random_range(0..ROWS);
                let house = random.random_range(1..=198);
                // Half of them have their door on the street that runs down, half on the other.
                let street = if random.random_range(0..2) == 0 { STREETS[down] } else { AVENUES[across] };
                let known = Known::of(&name, category);
                self.spots.push(Spot {
                    id: format!("spot-{}", self.spots.len() + 1),
                    name,
                    category,
                    address: format!("{house} {street}"),
                    phone: known.phone,
                    hours: known.hours,
                    rating: known.rating,
                    point: Point { x: self.columns[down], y: self.rows[across] },
                });
            }
        }
    }

    /// The place with this id.
    pub(super) fn spot(&self, id: &str) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.id == id)
    }

    /// The place with this name.
    pub(super) fn named(&self, name: &str) -> Option<&Spot> {
        let name = name.trim();
        self.spots.iter().find(|spot| spot.name.eq_ignore_ascii_case(name))
    }

    /// Places whose name, category or address holds all words of a query; those whose name starts
    /// with it first. Where none holds all of them, those that hold the most telling ones.
    pub(super) fn search(&self, query: &str) -> Found<'_> {
        let folded = query.trim().to_lowercase();
        let words: Vec<&str> = folded.split_whitespace().collect();
        if words.is_empty() {
            return Found::default();
        }
        let texts: Vec<[String; 3]> = self.spots.iter().map(Spot::searched).collect();
        let is_in = |texts: &[String; 3], word: &str| texts.iter().any(|text| text.contains(word));
        let whole = |texts: &[String; 3]| words.iter().all(|word| is_in(texts, word));
        let mut spots: Vec<&Spot> =
            self.spots.iter().zip(&texts).filter_map(|(spot, texts)| whole(texts).then_some(spot)).collect();
        spots.sort_by_key(|spot| !spot.name.to_lowercase().starts_with(&folded));
        if !spots.is_empty() {
            return Found { spots, partly: false };
        }
        // A word that is everywhere, such as `street`, says nothing.
        let is_telling = |word: &&&str| {
            let count = texts.iter().filter(|texts| texts.iter().any(|text| has_word(text, word))).count();
            count <= self.spots.len() / TELLING
        };
        let telling: Vec<&&str> = words.iter().filter(is_telling).collect();
        let weight = |texts: &[String; 3]| -> usize {
            let of_word = |word: &&&str| match texts.iter().position(|text| has_word(text, word)) {
                Some(place) => WEIGHTS[place],
                None => 0,
            };
            telling.iter().map(of_word).sum()
        };
        let weights: Vec<usize> = texts.iter().map(weight).collect();
        let most = weights.iter().copied().max().filter(|most| *most > 0);
        let spots: Vec<&Spot> = self
            .spots
            .iter()
            .zip(weights)
            .filter(|(_, weight)| Some(*weight) == most)
            .map(|(spot, _)| spot)
            .collect();
        Found { partly: !spots.is_empty(), spots }
    }

    /// The corner that a hash of a name falls on. The outermost corners would cut a pin off.
    pub(super) fn corner(name: &str) -> usize {
        let hash = Sha256::digest(name.as_bytes());
        (usize::from(hash[0]) << 8 | usize::from(hash[1])) % Self::corners()
    }

    /// How many corners names can fall on.
    pub(super) const fn corners() -> usize {
        (COLUMNS - 2) * (ROWS - 2)
    }

    /// Where a corner is.
    pub(super) fn point_of_corner(&self, corner: usize) -> Point {
        let columns = COLUMNS - 2;
        Point { x: self.columns[1 + corner % columns], y: self.rows[1 + (corner / columns) % (ROWS - 2)] }
    }

    /// Where something of this name is.
    pub(super) fn point(&self, name: &str) -> Point {
        self.named(name).map_or_else(|| self.point_of_corner(Self::corner(name)), |spot| spot.point)
    }

    /// How far a point is from the middle of the city, in metres along the streets.
    pub(super) fn distance_from_middle(&self, point: Point) -> i32 {
        let (column, row) = MIDDLE;
        ((point.x - self.columns[column]).abs() + (point.y - self.rows[row]).abs()) * METRES
    }

    /// The legs of a way through named stops, along the streets.
    pub(super) fn legs(&self, stops: &[&str], mode: TravelMode) -> Vec<Leg> {
        stops
            .windows(2)
            .map(|pair| {
                let (from, to) = (self.point(pair[0]), self.point(pair[1]));
                let metres = ((from.x - to.x).abs() + (from.y - to.y).abs()) * METRES;
                Leg {
                    from: pair[0].to_owned(),
                    to: pair[1].to_owned(),
                    streets: [AVENUES[nearest(&self.rows, from.y)], STREETS[nearest(&self.columns, to.x)]],
                    metres,
                    minutes: minutes(metres, mode),
                }
            })
            .collect()
    }
}

/// What everybody knows of a place beside where it is. A hash of its name gives it, so that places that are
/// added change nothing about the others.
struct Known {
    phone: String,
    hours: String,
    rating: String,
}

impl Known {
    fn of(name: &str, category: &str) -> Self {
        let hash = Sha256::digest(format!("known:{name}").as_bytes());
        let among =
            |index: usize, count: u16| u16::from_be_bytes([hash[2 * index], hash[2 * index + 1]]) % count;
        let hours: &[&str] = match category {
            "Hospital" | "Hotel" | "Shelter" | "Car park" | "Petrol station" => &["00:00 - 24:00"],
            "Bakery" | "Café" => &["06:30 - 17:00", "07:00 - 18:00", "07:30 - 19:00"],
            "Restaurant" | "Cinema" => &["11:30 - 22:00", "12:00 - 23:00", "17:00 - 23:30"],
            "Gym" | "Pool" | "Park" => &["06:00 - 22:00", "07:00 - 21:00"],
            "Supermarket" | "Pharmacy" | "Hardware store" => &["08:00 - 20:00", "08:30 - 19:00"],
            _ => &["09:00 - 17:00", "08:30 - 16:30", "09:30 - 18:00"],
        };
        let tenths = 31 + among(0, 19);
        let pick = usize::from(among(1, u16::try_from(hours.len()).unwrap_or(1)));
        Self {
            // A block of numbers that is kept free for stories.
            phone: format!("555 01{:02} {:03}", among(2, 100), among(3, 1000)),
            hours: hours[pick].to_owned(),
            rating: format!("{}.{}", tenths / 10, tenths % 10),
        }
    }
}

/// Minutes for a distance, at least one; with what finding a parking space or a bus takes.
fn minutes(metres: i32, mode: TravelMode) -> i32 {
    let (metres_per_minute, extra) = match mode {
        TravelMode::Car => (450, 2),
        TravelMode::Transit => (330, 6),
        TravelMode::Bicycle => (250, 1),
        TravelMode::Foot => (80, 0),
    };
    ((metres + metres_per_minute - 1) / metres_per_minute + extra).max(1)
}

/// A distance as people write it: `850 m`, `2.3 km`. The same in every language, because it is
/// part of the state.
pub(super) fn distance_text(metres: i32) -> String {
    if metres < 1_000 {
        format!("{metres} m")
    } else {
        format!("{}.{} km", metres / 1_000, metres % 1_000 / 100)
    }
}

/// A duration: `25 min`, `1 h 05 min`.
pub(super) fn duration_text(minutes: i32) -> String {
    if minutes < 60 {
        format!("{minutes} min")
    } else {
        format!("{} h {:02} min", minutes / 60, minutes % 60)
    }
}

fn nearest(streets: &[i32], at: i32) -> usize {
    let distances = streets.iter().enumerate().map(|(index, street)| ((street - at).abs(), index));
    distances.min().map_or(0, |(_, index)| index)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_city_has_eight_hundred_places_with_names_of_their_own() {
        let city = city();
        assert!(city.spots.len() >= 800, "{}", city.spots.len());
        let names: BTreeSet<&str> = city.spots.iter().map(|spot| spot.name.as_str()).collect();
        assert_eq!(names.len(), city.spots.len());
        let within = |spot: &Spot| (0..WIDTH).contains(&spot.point.x) && (0..HEIGHT).contains(&spot.point.y);
        assert!(city.spots.iter().all(within));
        assert_eq!(City::build().spots, city.spots, "the same every time");
        let ids: BTreeSet<&str> = city.spots.iter().map(|spot| spot.id.as_str()).collect();
        assert_eq!(ids.len(), city.spots.len());
        let (first, later) = (city.spot("spot-12").unwrap(), city.spot("spot-331").unwrap());
        assert_eq!((first.category, later.category), ("Café", "Bakery"), "ids of the first days stay");
        assert!(
            city.spots
                .is_sorted_by_key(|spot| CATEGORIES.iter().position(|(name, _)| *name == spot.category))
        );
    }

    #[test]
    fn of_every_place_telephone_hours_and_rating_are_known() {
        for spot in &city().spots {
            let tenths: f64 = spot.rating.parse().unwrap();
            assert!((3.1..=4.9).contains(&tenths), "{spot:?}");
            assert!(spot.phone.starts_with("555 01") && spot.hours.contains(" - "), "{spot:?}");
        }
        let ratings: BTreeSet<&str> = city().spots.iter().map(|spot| spot.rating.as_str()).collect();
        assert_eq!(ratings.len(), 19, "they differ");
        let middle = format!("{} {}", STREETS[MIDDLE.0], AVENUES[MIDDLE.1]);
        assert_eq!(middle, "Mill Street Market Avenue");
        let near = city().spots.iter().map(|spot| city().distance_from_middle(spot.point)).min();
        assert!(near.is_some_and(|metres| metres < 1_000), "{near:?}");
    }

    #[test]
    fn places_are_found_by_name_category_and_street() {
        let city = city();
        let first = &city.spots[0];
        let search = |query: &str| city.search(query);
        assert_eq!(search(&first.name.to_uppercase()).spots[0], first);
        let kinds = |found: &Found<'_>| found.spots.iter().filter(|spot| spot.category == "Pharmacy").count();
        assert_eq!(kinds(&search("pharmacy")), 27);
        let bakeries = search("bakery street").spots;
        assert!(!bakeries.is_empty() && bakeries.iter().all(|spot| spot.address.contains("Street")));
        assert_eq!(search("  "), Found::default());
        assert_eq!(search("nothing here"), Found::default());
        for word in ["Apotheke", "药店"] {
            assert_eq!(kinds(&search(word)), 27, "{word}");
        }
    }

    #[test]
    fn where_no_place_has_all_words_those_with_the_telling_ones_are_found() {
        let found = city().search("open pharmacy near the street");
        assert!(found.partly, "nothing is called that");
        assert_eq!(found.spots.len(), 27);
        assert!(found.spots.iter().all(|spot| spot.category == "Pharmacy"), "the category weighs most");
        assert!(!city().search("pharmacy").partly);
        assert_eq!(city().search("zzz street"), Found::default(), "a street is no answer by itself");
    }

    #[test]
    fn every_kind_of_place_has_a_name_in_every_language() {
        for spot in &city().spots {
            assert_eq!(spot.kind("en"), spot.category);
            for language in &strings::LANGUAGES[1..] {
                assert!(!spot.kind(language).starts_with("place."), "{language}: {}", spot.category);
            }
        }
    }

    #[test]
    fn a_way_is_longer_on_foot_and_the_same_in_both_directions() {
        let city = city();
        let stops = [city.spots[0].name.as_str(), "Some place of a scenario", city.spots[40].name.as_str()];
        let total = |mode| city.legs(&stops, mode).iter().map(|leg| leg.minutes).sum::<i32>();
        assert!(total(TravelMode::Foot) > total(TravelMode::Bicycle));
        let there = city.legs(&stops[..2], TravelMode::Car);
        let back = city.legs(&[stops[1], stops[0]], TravelMode::Car);
        assert_eq!((there[0].metres, there[0].minutes), (back[0].metres, back[0].minutes));
        assert_eq!(city.legs(&stops[..1], TravelMode::Car), []);
        assert_eq!(minutes(0, TravelMode::Foot), 1);
    }

    #[test]
    fn distances_and_durations_are_written_as_people_write_them() {
        assert_eq!([distance_text(850), distance_text(2_390)], ["850 m", "2.3 km"]);
        assert_eq!([duration_text(25), duration_text(65)], ["25 min", "1 h 05 min"]);
    }
}
