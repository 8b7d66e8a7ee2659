//! The drawing beside a product: what it shows and in which of a few colours.
//!
//! It is drawn from `openapps-web/pictures/`, says nothing that the title does not say, and is the same
//! for the same title.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::scenario::model::Product;

/// Colours that a drawing can have; the stylesheet knows as many.
const TONES: u8 = 6;
/// What is drawn where nothing tells what it is.
const PLAIN: &str = "parcel";

/// Drawings for what a scenario sells, by parts of its title in the three languages. The first that fits is
/// taken, so longer words stand before those they hold.
const WORDS: [(&str, &[&str]); 36] = [
    ("headphones", &["headphone", "earbud", "headset", "kopfhörer", "耳机"]),
    ("keyboard", &["keyboard", "tastatur", "键盘"]),
    ("speaker", &["speaker", "lautsprecher", "音箱"]),
    ("camera", &["camera", "webcam", "kamera", "摄像头", "相机"]),
    ("cable", &["cable", "charger", "kabel", "ladegerät", "数据线", "充电"]),
    ("device", &["phone", "tablet computer", "monitor", "handy", "手机", "平板"]),
    (
        "notebook",
        &[
            "notebook",
            "planner",
            "diary",
            "workbook",
            "notizbuch",
            "kalender",
            "笔记本",
            "本子",
            "book",
            "buch",
            "书",
        ],
    ),
    ("pens", &["pen,", "pens", "pencil", "marker", "stift", "笔"]),
    ("envelope", &["envelope", "umschlag", "信封"]),
    ("cards", &["card", "karte", "卡片", "贺卡"]),
    ("gift", &["gift", "geschenk", "礼"]),
    ("candle", &["candle", "kerze", "蜡烛"]),
    ("lamp", &["lamp", "lampe", "leuchte", "灯"]),
    ("battery", &["battery", "batteries", "batterie", "电池"]),
    ("roll", &["kitchen roll", "toilet paper", "küchenrolle", "toilettenpapier", "纸巾"]),
    ("clock", &["watch", "clock", "timer", "uhr", "钟", "手表"]),
    ("mug", &["mug", "cup", "tasse", "becher", "杯"]),
    ("pan", &["pan,", "pfanne", "锅"]),
    ("bear", &["teddy", "plush", "bear", "stofftier", "玩偶", "毛绒"]),
    ("blocks", &["toy", "blocks", "spielzeug", "bauklötze", "积木", "玩具"]),
    ("ball", &["ball", "球"]),
    ("thermometer", &["thermometer", "test kit", " test", "schwangerschaftstest", "体温计", "验孕", "试纸"]),
    (
        "pills",
        &[
            "tablets",
            "pills",
            "vitamin",
            "capsule",
            "medicine",
            "supplement",
            "tabletten",
            "medikament",
            "药",
            "维生素",
        ],
    ),
    ("tube", &["cream", "lotion", "gel,", "shampoo", "salbe", "creme", "膏", "霜"]),
    ("bandage", &["bandage", "brace", "plaster", "pflaster", "绷带", "护膝"]),
    (
        "bottle",
        &[
            "perfume",
            "bottle",
            "oil,",
            "olive oil",
            "wine",
            "juice",
            "flasche",
            "parfüm",
            "wein",
            "öl",
            "瓶",
            "香水",
            "酒",
            "洗发水",
        ],
    ),
    (
        "pouch",
        &["coffee", "tea", "snack", "flour", "rice", "kaffee", "tee", "mehl", "咖啡", "茶", "米", "零食"],
    ),
    (
        "shirt",
        &[
            "shirt", "jacket", "coat", "dress", "jumper", "sweater", "hemd", "jacke", "kleid", "衬衫",
            "外套", "裙", "衣",
        ],
    ),
    ("sock", &["sock", "stocking", "socke", "strumpf", "袜"]),
    ("hat", &["hat,", "beanie", "mütze", "帽"]),
    ("bag", &["bag", "backpack", "suitcase", "tasche", "rucksack", "包"]),
    ("cushion", &["cushion", "pillow", "mat,", "kissen", "枕", "垫"]),
    ("textile", &["blanket", "towel", "rug", "sheet", "decke", "handtuch", "毯", "毛巾", "床单"]),
    ("plant", &["plant", "flower", "seed", "pflanze", "blume", "花", "植物"]),
    ("paper", &["form", "contract", "paper", "vertrag", "papier", "合同", "纸"]),
    ("trowel", &["tool", "drill", "hammer", "werkzeug", "工具"]),
];

/// A drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Picture {
    shape: String,
    tone: u8,
}

/// The drawing of a product, or of something that is only known by its title.
pub(super) fn picture(product: Option<&Product>, title: &str) -> Picture {
    let own = product.map(|product| product.picture.as_str()).filter(|shape| !shape.is_empty());
    let shape = own.unwrap_or_else(|| shape_of(title)).to_owned();
    let tone = Sha256::digest(title.as_bytes())[0] % TONES;
    Picture { shape, tone }
}

fn shape_of(title: &str) -> &'static str {
    let title = title.to_lowercase();
    let fits = |words: &&[&str]| words.iter().any(|word| title.contains(word));
    WORDS.iter().find(|(_, words)| fits(words)).map_or(PLAIN, |(shape, _)| shape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{catalogue, web};

    #[test]
    fn every_product_and_every_word_has_a_drawing() {
        let drawn = web::paths("pictures/");
        let is_drawn = |shape: &str| drawn.contains(&format!("pictures/{shape}.svg"));
        for product in catalogue("en") {
            assert!(is_drawn(&product.picture), "{}: {}", product.title, product.picture);
        }
        for (shape, _) in WORDS {
            assert!(is_drawn(shape), "{shape}");
        }
        assert!(is_drawn(PLAIN));
    }

    #[test]
    fn a_scenarios_product_is_drawn_by_its_title_in_every_language() {
        let shapes = ["Running socks", "Wollsocken", "羊毛袜", "Something else"].map(shape_of);
        assert_eq!(shapes, ["sock", "sock", "sock", PLAIN]);
        assert_eq!(picture(None, "Tea"), picture(None, "Tea"));
    }
}
