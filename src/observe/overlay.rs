//! The set-of-marks picture: the screenshot with a dashed box and a tag for every marked element.
//!
//! The browser draws it, on a blank page of the same context, so that text is drawn by the same
//! fonts as the page's own and no font or drawing code is needed here. The page under observation
//! is not touched.

use base64::Engine as _;
use serde_json::json;

use super::{AccessMode, Properties, ask};
use crate::browser::{BrowserError, Context};
use crate::error::Deadline;

/// Marked elements smaller than this many square pixels get no mark, as in BrowserGym.
const SMALLEST: f64 = 20.0;

/// Draws the marks over a screenshot of the viewport and returns the picture as PNG.
///
/// # Errors
/// [`BrowserError`] when the browser cannot draw it in time.
pub async fn overlay_marks(
    context: &Context,
    screenshot: &[u8],
    properties: &Properties,
    deadline: Deadline,
) -> Result<Vec<u8>, BrowserError> {
    let active = context.active_page()?;
    let page = context.new_page(deadline).await?;
    let drawn = async {
        let html = document(screenshot, properties);
        let frame = page.main_frame()?.id;
        page.call_raw("Page.setDocumentContent", json!({ "frameId": frame, "html": html }), deadline).await?;
        let loaded = "() => Promise.all([...document.images].map(image => image.decode())).then(() => true)";
        page.run(loaded, &[], deadline).await?;
        ask::screenshot(&page, AccessMode::Screenshot, deadline).await
    };
    let drawn = drawn.await;
    page.close(deadline).await?;
    context.activate_page(&active);
    let picture = drawn?.ok_or_else(|| BrowserError::Reply {
        method: "Page.captureScreenshot".into(),
        message: "no picture".into(),
    })?;
    Ok(picture.to_vec())
}

/// The page that is drawn. Ids are letters and digits, everything else is a number: nothing of the
/// observed page's text gets into it.
fn document(screenshot: &[u8], properties: &Properties) -> String {
    use std::fmt::Write as _;

    let mut marks = String::new();
    for (bid, element) in properties {
        let Some([x, y, width, height]) = element.bbox else { continue };
        if !element.set_of_marks
            || width * height < SMALLEST
            || !bid.chars().all(|c| c.is_ascii_alphanumeric())
        {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = write!(
            marks,
            "<rect x='{x}' y='{y}' width='{width}' height='{height}'/>\
             <foreignObject x='{x}' y='{}' width='100' height='20'><b>{bid}</b></foreignObject>",
            (y - 6.0).max(0.0)
        );
    }
    let picture = base64::engine::general_purpose::STANDARD.encode(screenshot);
    format!(
        "<!doctype html><style>body{{margin:0;overflow:hidden}}img,svg{{position:absolute;left:0;top:0}}\
         rect{{fill:none;stroke:#000;stroke-width:2;stroke-dasharray:4 4}}\
         b{{font:12px sans-serif;background:#000;color:#fff;border:1px solid #fff;padding:0 2px;display:inline-block}}\
         </style><img src='data:image/png;base64,{picture}'><svg width='100%' height='100%'>{marks}</svg>"
    )
}
