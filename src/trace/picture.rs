//! Pictures as they are kept: the pixels of a screenshot, in few bytes.
//!
//! Chromium writes its screenshots quickly and not small: 70 to 130 KB each, most of what an episode takes
//! on disk. Kept is the same picture, pixel for pixel, as lossless WebP, which takes about a third of it and
//! which every browser shows. What the agent is given stays Chromium's own PNG.
//!
//! # Decision (2026-12-01)
//!
//! *Problem*: a 20-step episode with pictures has to fit into 1 MB. *Refused*: PNG with better filters and
//! the best level (a third smaller, not enough: its window of 32 KB holds eight rows of a screenshot, and
//! anti-aliased text has thousands of colours, so that no palette holds them); differences between pictures
//! (a blob would no longer be a picture by itself); fewer colours (no longer what the agent saw).
//! `docs/benchmarks.md` has the figures.

use image::DynamicImage;

/// Largest side of a picture that WebP can hold, pixels.
const MAX_SIDE: u32 = 16_383;

/// How hard the encoder tries, as `cwebp -m 3 -q 50` does: beyond it, bytes are bought with ever more time.
const METHOD: i32 = 3;
const EFFORT: f32 = 50.0;

/// A picture as it is kept in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptPicture {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// Extension of the file's name: `webp`, or `png` for what could not be made smaller.
    pub extension: &'static str,
}

/// The smallest form of a screenshot with the very same pixels. It takes tens of milliseconds, so it is made
/// beside the episode. The same picture always gives the same bytes. What is no picture, or would not get
/// smaller, is kept as it is.
#[must_use]
pub fn keep_picture(png: &[u8]) -> KeptPicture {
    match image::load_from_memory(png).ok().and_then(|picture| lossless(&picture)) {
        Some(bytes) if bytes.len() < png.len() => KeptPicture { bytes, extension: "webp" },
        _ => KeptPicture { bytes: png.to_vec(), extension: "png" },
    }
}

/// A picture as lossless WebP.
pub(super) fn lossless(picture: &DynamicImage) -> Option<Vec<u8>> {
    let (width, height) = (picture.width(), picture.height());
    if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
        return None;
    }
    let mut config = webp::WebPConfig::new().ok()?;
    config.lossless = 1;
    // Colours behind full transparency are part of what was recorded.
    config.exact = 1;
    config.method = METHOD;
    config.quality = EFFORT;
    let written = match picture {
        DynamicImage::ImageRgb8(rgb) => {
            webp::Encoder::from_rgb(rgb, width, height).encode_advanced(&config).ok()?
        }
        DynamicImage::ImageRgba8(rgba) => {
            webp::Encoder::from_rgba(rgba, width, height).encode_advanced(&config).ok()?
        }
        // Screenshots are one of these; of others the form is kept with the pixels.
        _ => return None,
    };
    Some(written.to_vec())
}

/// Whether two files show the same picture, pixel for pixel, whatever they are written as.
#[must_use]
pub fn is_same_picture(one: &[u8], other: &[u8]) -> bool {
    let decode = |bytes| image::load_from_memory(bytes).ok().map(|picture| picture.to_rgba8());
    one == other || matches!((decode(one), decode(other)), (Some(one), Some(other)) if one == other)
}

/// The type under which a file of a trace is shown, if it is a picture.
#[must_use]
pub fn picture_type(extension: &str) -> Option<&'static str> {
    match extension {
        "png" => Some("image/png"),
        "webp" => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture with more colours than a palette holds.
    fn png(transparent: bool) -> Vec<u8> {
        let picture = image::RgbaImage::from_fn(97, 61, |x, y| {
            let part = |by: u32| (x * by + y * 7).to_le_bytes()[0];
            image::Rgba([part(3), part(5), part(1), if transparent { part(2) } else { 255 }])
        });
        let picture = DynamicImage::ImageRgba8(picture);
        let picture = if transparent { picture } else { picture.to_rgb8().into() };
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_kept_picture_has_the_very_same_pixels_and_always_the_same_bytes() {
        for transparent in [false, true] {
            let png = png(transparent);
            let kept = keep_picture(&png);
            assert_eq!((kept.extension, &keep_picture(&png)), ("webp", &kept));
            assert!(kept.bytes.len() < png.len());
            assert!(is_same_picture(&kept.bytes, &png));
            let decode = |bytes: &[u8]| image::load_from_memory(bytes).unwrap().to_rgba8();
            assert_eq!(decode(&kept.bytes), decode(&png), "{transparent}");
        }
    }

    #[test]
    fn what_is_no_picture_is_kept_as_it_is() {
        for bytes in [&b""[..], b"no picture", b"\x89PNG\r\n\x1a\n"] {
            assert_eq!(keep_picture(bytes), KeptPicture { bytes: bytes.to_vec(), extension: "png" });
            assert!(is_same_picture(bytes, bytes));
            assert!(!is_same_picture(bytes, &png(false)));
        }
        assert!(!is_same_picture(&png(false), &png(true)));
    }
}
