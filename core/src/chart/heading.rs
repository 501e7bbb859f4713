//! What stands above and below every picture.

use super::palette::Ink;
use super::sheet::{Sheet, Text};

/// The sentence that says what the picture shows, and what it is of; the height below them.
pub(super) fn heading(sheet: &mut Sheet, title: &str, about: &str) -> i32 {
    let sizes = sheet.sizes();
    let left = sheet.left();
    let style = Text::new((left, 0), sizes.title, Ink::Text, "").bold(true);
    let mut y = sheet.paragraph(title, sizes.margin - 4, &style) + 4;
    if !about.is_empty() {
        let style = Text::new((left, 0), sizes.body, Ink::Quiet, "");
        y = sheet.paragraph(about, y, &style);
    }
    y + sizes.margin / 2
}

/// A remark below a picture; the height below it.
pub(super) fn remark(sheet: &mut Sheet, top: i32, text: &str) -> i32 {
    let style = Text::new((sheet.left(), 0), sheet.sizes().small, Ink::Quiet, "");
    sheet.paragraph(text, top, &style)
}
