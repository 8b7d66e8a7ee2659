//! How a workspace looks and behaves while its content and what can be done in it stay the same.
//!
//! A scenario may ask for some factors, the command line for others; both are a
//! [`VariationChoice`], and [`VariationChoice::over`] makes the one [`Variation`] in force, which
//! is passed down to the pages, the browser and the trace. The same actions give the same state in
//! every variation; `content=dense` adds rows of its own to it and touches no other.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::error::{Explain, Fault};

/// The longest wait that `latency_ms` may ask for.
pub const LONGEST_LATENCY_MS: u32 = 5_000;

/// Names for a person: "`a`, `b` or `c`".
macro_rules! listed {
    ($only:literal) => { concat!("`", $only, "`") };
    ($first:literal, $last:literal) => { concat!("`", $first, "` or `", $last, "`") };
    ($first:literal, $($rest:literal),+) => { concat!("`", $first, "`, ", listed!($($rest),+)) };
}

/// An enum whose variants have the names that files, rows and the command line use.
macro_rules! factor {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The names of all values.
            pub const NAMES: &'static [&'static str] = &[$($text,)+];

            /// The same for a person.
            const LISTED: &'static str = listed!($($text),+);

            /// The name in files, rows and on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The value of that name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.name())
            }
        }
    };
}

factor! {
    /// Colours.
    Theme {
        /// Dark text on light ground.
        #[default]
        Default = "default",
        /// Light text on dark ground.
        Dark = "dark",
        /// Shades of grey only.
        BlackAndWhite = "black-and-white",
        /// Black edges and text, no tints.
        HighContrast = "high-contrast",
    }
}

factor! {
    /// Size of text.
    Font {
        /// 15 px.
        #[default]
        Default = "default",
        /// 12 px.
        Small = "small",
        /// 20 px.
        Large = "large",
    }
}

factor! {
    /// How much room rows and controls have.
    Density {
        /// Less than usual.
        Compact = "compact",
        /// As usual.
        #[default]
        Regular = "regular",
        /// More than usual.
        Spacious = "spacious",
    }
}

factor! {
    /// How one gets from app to app.
    Nav {
        /// A rail of links on every page.
        #[default]
        Rail = "rail",
        /// Through the home page only.
        Hub = "hub",
    }
}

factor! {
    /// Language of the workspace's own texts.
    Language {
        /// English.
        #[default]
        English = "en",
        /// German.
        German = "de",
        /// Simplified Chinese.
        Chinese = "zh-CN",
    }
}

factor! {
    /// Size of the browser's page.
    Screen {
        /// A small laptop.
        #[default]
        Small = "1280x720",
        /// A desktop monitor.
        Large = "1920x1080",
        /// A telephone with touch, 390x844.
        Phone = "phone",
    }
}

factor! {
    /// What stands in front of the first page.
    Popup {
        /// Nothing.
        #[default]
        None = "none",
        /// A greeting with one button.
        Welcome = "welcome",
        /// A long text with its buttons at the end.
        Consent = "consent",
        /// A main button that leads away, beside the one that closes.
        Misleading = "misleading",
    }
}

factor! {
    /// How much the apps hold.
    Content {
        /// What the scenario says.
        #[default]
        Default = "default",
        /// Ten times as much: everyday rows beside what the scenario says.
        Dense = "dense",
    }
}

factor! {
    /// What the home page shows.
    HomePage {
        /// The apps.
        #[default]
        Apps = "apps",
        /// The day as well: what comes next, what is to be done, what waits to be read.
        Today = "today",
    }
}

impl Screen {
    /// Width and height in CSS pixels.
    #[must_use]
    pub const fn size(self) -> (u32, u32) {
        match self {
            Self::Small => (1280, 720),
            Self::Large => (1920, 1080),
            Self::Phone => (390, 844),
        }
    }

    /// Whether it is touched rather than pointed at.
    #[must_use]
    pub const fn has_touch(self) -> bool {
        matches!(self, Self::Phone)
    }
}

/// All factors, as they are in force in an episode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Variation {
    /// Colours.
    pub theme: Theme,
    /// Size of text.
    pub font: Font,
    /// Room of rows and controls.
    pub density: Density,
    /// How one gets from app to app.
    pub nav: Nav,
    /// Language of the workspace's own texts.
    pub language: Language,
    /// Size of the page.
    pub viewport: Screen,
    /// How long each answer of the workspace takes at least.
    pub latency_ms: u32,
    /// What stands in front of the first page.
    pub popup: Popup,
    /// How much the apps hold.
    pub content: Content,
    /// What the home page shows.
    pub home: HomePage,
}

impl Variation {
    /// The usual variation in a language.
    #[must_use]
    pub fn in_language(language: &str) -> Self {
        Self { language: Language::from_name(language).unwrap_or_default(), ..Self::default() }
    }

    /// The factors as traces and rows carry them.
    #[must_use]
    pub fn factors(&self) -> BTreeMap<String, Value> {
        let factors: [(Factor, Value); Factor::ALL.len()] = [
            (Factor::Theme, self.theme.name().into()),
            (Factor::Font, self.font.name().into()),
            (Factor::Density, self.density.name().into()),
            (Factor::Nav, self.nav.name().into()),
            (Factor::Language, self.language.name().into()),
            (Factor::Viewport, self.viewport.name().into()),
            (Factor::LatencyMs, self.latency_ms.into()),
            (Factor::Popup, self.popup.name().into()),
            (Factor::Content, self.content.name().into()),
            (Factor::Home, self.home.name().into()),
        ];
        factors.into_iter().map(|(factor, value)| (factor.name().to_owned(), value)).collect()
    }
}

impl Variation {
    /// The factors that are not as usual, as the command line takes them; `usual` where all are.
    #[must_use]
    pub fn unusual(&self) -> String {
        let usual = Self::default().factors();
        let mut factors = self.factors();
        factors.retain(|name, value| usual.get(name) != Some(value));
        let named = named(&factors);
        if named.is_empty() { "usual".to_owned() } else { named }
    }
}

/// Factors as the command line takes them.
fn named(factors: &BTreeMap<String, Value>) -> String {
    let factor = |(name, value): (&String, &Value)| {
        format!("{name}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    factors.iter().map(factor).collect::<Vec<_>>().join(",")
}

/// One of the things that vary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// [`Variation::theme`]
    Theme,
    /// [`Variation::font`]
    Font,
    /// [`Variation::density`]
    Density,
    /// [`Variation::nav`]
    Nav,
    /// [`Variation::language`]
    Language,
    /// [`Variation::viewport`]
    Viewport,
    /// [`Variation::latency_ms`]
    LatencyMs,
    /// [`Variation::popup`]
    Popup,
    /// [`Variation::content`]
    Content,
    /// [`Variation::home`]
    Home,
}

impl Factor {
    /// Every factor.
    pub const ALL: [Self; 10] = [
        Self::Theme,
        Self::Font,
        Self::Density,
        Self::Nav,
        Self::Language,
        Self::Viewport,
        Self::LatencyMs,
        Self::Popup,
        Self::Content,
        Self::Home,
    ];

    /// The name in files, rows and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Theme => "theme",
            Self::Font => "font",
            Self::Density => "density",
            Self::Nav => "nav",
            Self::Language => "language",
            Self::Viewport => "viewport",
            Self::LatencyMs => "latency_ms",
            Self::Popup => "popup",
            Self::Content => "content",
            Self::Home => "home",
        }
    }

    /// The factor of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|factor| factor.name() == name)
    }

    /// The values it takes, for a person.
    #[must_use]
    pub const fn allowed(self) -> &'static str {
        match self {
            Self::Theme => Theme::LISTED,
            Self::Font => Font::LISTED,
            Self::Density => Density::LISTED,
            Self::Nav => Nav::LISTED,
            Self::Language => Language::LISTED,
            Self::Viewport => Screen::LISTED,
            Self::LatencyMs => "a whole number of milliseconds from 0 to 5000",
            Self::Popup => Popup::LISTED,
            Self::Content => Content::LISTED,
            Self::Home => HomePage::LISTED,
        }
    }

    /// The names of its values; none for the factor that is a number.
    #[must_use]
    pub const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Theme => Theme::NAMES,
            Self::Font => Font::NAMES,
            Self::Density => Density::NAMES,
            Self::Nav => Nav::NAMES,
            Self::Language => Language::NAMES,
            Self::Viewport => Screen::NAMES,
            Self::LatencyMs => &[],
            Self::Popup => Popup::NAMES,
            Self::Content => Content::NAMES,
            Self::Home => HomePage::NAMES,
        }
    }
}

/// Some factors: what a scenario or a command line asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VariationChoice {
    theme: Option<Theme>,
    font: Option<Font>,
    density: Option<Density>,
    nav: Option<Nav>,
    language: Option<Language>,
    viewport: Option<Screen>,
    latency_ms: Option<u32>,
    popup: Option<Popup>,
    content: Option<Content>,
    home: Option<HomePage>,
}

/// A text that names no variation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariationError {
    /// A part without `=`.
    #[error("read the variation: `{part}` is no `factor=value`")]
    NoValue {
        /// The part.
        part: String,
    },
    /// There is no such factor.
    #[error("read the variation: there is no factor `{factor}`")]
    UnknownFactor {
        /// The name that was given.
        factor: String,
    },
    /// The factor has no such value.
    #[error("read the variation: `{}` cannot be `{value}`", .factor.name())]
    BadValue {
        /// The factor.
        factor: Factor,
        /// The value that was given.
        value: String,
    },
    /// The factor is named twice.
    #[error("read the variation: `{}` is named twice", .factor.name())]
    Twice {
        /// The factor.
        factor: Factor,
    },
}

impl Explain for VariationError {
    fn fault(&self) -> Fault {
        Fault::Usage
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoValue { .. } => {
                "write the factors like `theme=dark,nav=hub,language=zh-CN,viewport=phone`".to_owned()
            }
            Self::UnknownFactor { .. } => {
                format!(
                    "the factors are {}",
                    Factor::ALL.map(|factor| format!("`{}`", factor.name())).join(", ")
                )
            }
            Self::BadValue { factor, .. } => format!("`{}` is {}", factor.name(), factor.allowed()),
            Self::Twice { factor } => format!("keep one of the two values of `{}`", factor.name()),
        })
    }
}

impl fmt::Display for VariationChoice {
    /// The factors it names as the command line takes them; `as the scenarios say` where it names none.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = named(&self.factors());
        formatter.write_str(if named.is_empty() { "as the scenarios say" } else { &named })
    }
}

impl std::str::FromStr for VariationChoice {
    type Err = VariationError;

    /// Reads `theme=dark,nav=hub`; an empty text chooses nothing.
    fn from_str(text: &str) -> Result<Self, VariationError> {
        let mut choice = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((name, value)) = part.split_once('=') else {
                return Err(VariationError::NoValue { part: shown(part) });
            };
            let name = name.trim();
            let factor = Factor::from_name(name)
                .ok_or_else(|| VariationError::UnknownFactor { factor: shown(name) })?;
            if choice.has(factor) {
                return Err(VariationError::Twice { factor });
            }
            choice.set(factor, value.trim())?;
        }
        Ok(choice)
    }
}

impl VariationChoice {
    /// Chooses the value of a factor, in place of an earlier one.
    ///
    /// # Errors
    /// [`VariationError::BadValue`]; nothing is changed then.
    pub fn set(&mut self, factor: Factor, value: &str) -> Result<(), VariationError> {
        fn put<T>(place: &mut Option<T>, value: Option<T>) -> bool {
            let known = value.is_some();
            if known {
                *place = value;
            }
            known
        }
        let milliseconds = || {
            let is_plain = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            value.parse().ok().filter(|wait| is_plain && *wait <= LONGEST_LATENCY_MS)
        };
        let known = match factor {
            Factor::Theme => put(&mut self.theme, Theme::from_name(value)),
            Factor::Font => put(&mut self.font, Font::from_name(value)),
            Factor::Density => put(&mut self.density, Density::from_name(value)),
            Factor::Nav => put(&mut self.nav, Nav::from_name(value)),
            Factor::Language => put(&mut self.language, Language::from_name(value)),
            Factor::Viewport => put(&mut self.viewport, Screen::from_name(value)),
            Factor::LatencyMs => put(&mut self.latency_ms, milliseconds()),
            Factor::Popup => put(&mut self.popup, Popup::from_name(value)),
            Factor::Content => put(&mut self.content, Content::from_name(value)),
            Factor::Home => put(&mut self.home, HomePage::from_name(value)),
        };
        if known { Ok(()) } else { Err(VariationError::BadValue { factor, value: shown(value) }) }
    }

    /// Whether it says something about a factor.
    #[must_use]
    pub const fn has(&self, factor: Factor) -> bool {
        match factor {
            Factor::Theme => self.theme.is_some(),
            Factor::Font => self.font.is_some(),
            Factor::Density => self.density.is_some(),
            Factor::Nav => self.nav.is_some(),
            Factor::Language => self.language.is_some(),
            Factor::Viewport => self.viewport.is_some(),
            Factor::LatencyMs => self.latency_ms.is_some(),
            Factor::Popup => self.popup.is_some(),
            Factor::Content => self.content.is_some(),
            Factor::Home => self.home.is_some(),
        }
    }

    /// The factors it names.
    pub fn named(&self) -> impl Iterator<Item = Factor> {
        let choice = *self;
        Factor::ALL.into_iter().filter(move |factor| choice.has(*factor))
    }

    /// The variation with what this choice says, and for the rest what `base` says.
    #[must_use]
    pub fn over(&self, base: Variation) -> Variation {
        Variation {
            theme: self.theme.unwrap_or(base.theme),
            font: self.font.unwrap_or(base.font),
            density: self.density.unwrap_or(base.density),
            nav: self.nav.unwrap_or(base.nav),
            language: self.language.unwrap_or(base.language),
            viewport: self.viewport.unwrap_or(base.viewport),
            latency_ms: self.latency_ms.unwrap_or(base.latency_ms),
            popup: self.popup.unwrap_or(base.popup),
            content: self.content.unwrap_or(base.content),
            home: self.home.unwrap_or(base.home),
        }
    }

    /// The factors it names, as [`Variation::factors`] writes them.
    #[must_use]
    pub fn factors(&self) -> BTreeMap<String, Value> {
        let mut all = self.over(Variation::default()).factors();
        all.retain(|name, _| Factor::from_name(name).is_some_and(|factor| self.has(factor)));
        all
    }
}

impl Variation {
    /// The variation that a trace's first event names, as [`Variation::factors`] wrote it; factors that
    /// it does not name have their default.
    ///
    /// # Errors
    /// [`VariationError`] when it names something that this version does not know.
    pub fn recorded(factors: &BTreeMap<String, Value>) -> Result<Self, VariationError> {
        let mut choice = VariationChoice::default();
        for (name, value) in factors {
            let factor = Factor::from_name(name)
                .ok_or_else(|| VariationError::UnknownFactor { factor: shown(name) })?;
            let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
            choice.set(factor, &text)?;
        }
        Ok(choice.over(Self::default()))
    }
}

/// What was given, short enough to be shown.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_trace_names_is_read_back() {
        let choice: VariationChoice =
            "theme=dark,nav=hub,language=zh-CN,viewport=phone,latency_ms=40,popup=consent,content=dense,home=today"
                .parse()
                .unwrap();
        let variation = choice.over(Variation::default());
        assert_eq!(Variation::recorded(&variation.factors()), Ok(variation));
        assert_eq!(Variation::recorded(&BTreeMap::new()), Ok(Variation::default()));
        let unknown = BTreeMap::from([("weather".to_owned(), Value::from("rain"))]);
        assert!(Variation::recorded(&unknown).is_err());
    }

    #[test]
    fn every_value_is_read_back_and_listed() {
        for factor in Factor::ALL {
            let number = ["0", "250", "5000"];
            let values = if factor == Factor::LatencyMs { &number } else { factor.values() };
            assert!(values.len() >= 2, "{factor:?}");
            for value in values {
                let choice: VariationChoice = format!("{}={value}", factor.name()).parse().unwrap();
                assert_eq!(choice.named().collect::<Vec<_>>(), [factor]);
                let written = choice.factors();
                let told = written[factor.name()]
                    .as_str()
                    .map_or_else(|| written[factor.name()].to_string(), str::to_owned);
                assert_eq!(told, *value);
                assert!(factor == Factor::LatencyMs || factor.allowed().contains(&format!("`{value}`")));
            }
        }
    }

    #[test]
    fn the_command_line_is_stronger_than_the_scenario() {
        let scenario: VariationChoice = "theme=dark, latency_ms=20".parse().unwrap();
        let flag: VariationChoice = "theme=high-contrast,nav=hub".parse().unwrap();
        let both = flag.over(scenario.over(Variation::in_language("de")));
        assert_eq!((both.theme, both.nav, both.latency_ms), (Theme::HighContrast, Nav::Hub, 20));
        assert_eq!(both.language, Language::German);
        assert_eq!(both.factors()["latency_ms"], 20);
        assert_eq!(both.factors().len(), Factor::ALL.len());
        assert_eq!("".parse(), Ok(VariationChoice::default()));
    }

    #[test]
    fn what_is_no_variation_is_told_with_what_is() {
        let hint = |text: &str| text.parse::<VariationChoice>().unwrap_err().hint().unwrap();
        assert!(hint("colour=red").contains("`theme`, `font`"));
        assert!(hint("theme=red").contains("`high-contrast`"));
        assert!(hint("theme").contains("theme=dark"));
        assert!(hint("nav=hub,nav=rail").contains("`nav`"));
        for wrong in [
            "latency_ms=5001",
            "latency_ms=-1",
            "latency_ms=+5",
            "latency_ms=1.5",
            "latency_ms=",
            "viewport=390x844",
        ] {
            assert!(
                matches!(wrong.parse::<VariationChoice>(), Err(VariationError::BadValue { .. })),
                "{wrong}"
            );
        }
    }
}
