//! The only file that names plotters: a finished sheet becomes an SVG document.
//!
//! plotters' own measuring of text is never called: for wasm it asks the browser's document,
//! which neither Node nor a worker has, and elsewhere the fonts of the machine. All that is
//! measured is measured by [`super::letters`].
//!
//! Light and dark in one file: plotters writes each colour as an attribute, and a style sheet
//! that applies on dark paper only replaces each by its dark one. Where style sheets or the
//! question are not understood, the picture is light and whole.

use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text as Letters};
use plotters::prelude::SVGBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, TextStyle};

use super::look::Theme;
use super::palette::{Ink, Rgb, hex};
use super::sheet::{Anchor, Area, Mark, Sheet, Text};

/// The document: what it shows in a sentence, and the rest of what is to be known for those who
/// do not see it.
pub(super) fn document(sheet: &Sheet, height: i32, title: &str, description: &str) -> String {
    let look = sheet.look();
    let size = (look.width().unsigned_abs(), height.unsigned_abs());
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
        let paper = Area { left: 0, top: 0, right: look.width(), bottom: height };
        let pen = Pen { area, dark: look.theme() == Theme::Dark };
        pen.draw(&Mark::Fill(paper, Ink::Paper));
        for mark in sheet.marks() {
            pen.draw(mark);
        }
        pen.area.present().expect(WRITES);
    }
    // plotters opens the document with its size only.
    let inside = drawn.split_once(">\n").map_or("", |(_, inside)| inside);
    let mut svg = String::new();
    _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{CLASS}\" role=\"img\" width=\"{0}\" height=\"{1}\" \
         viewBox=\"0 0 {0} {1}\">",
        size.0, size.1
    );
    _ = writeln!(svg, "<title>{}</title>\n<desc>{}</desc>", escaped(title), escaped(description));
    _ = writeln!(svg, "<style>\n{}</style>", style(look.theme()));
    svg.push_str(&inside.replace("opacity=\"1\" ", "").replace(" font-family=\"sans-serif\"", ""));
    svg
}

/// What draws marks by plotters.
struct Pen<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    dark: bool,
}

impl Pen<'_> {
    fn draw(&self, mark: &Mark) {
        let done = match mark {
            Mark::Fill(area, ink) => {
                let corners = [(area.left, area.top), (area.right, area.bottom)];
                self.area.draw(&Rectangle::new(corners, self.color(*ink).filled()))
            }
            Mark::Path(points, ink, thickness) => {
                self.area.draw(&PathElement::new(points.clone(), self.color(*ink).stroke_width(*thickness)))
            }
            Mark::Shape(points, ink) => self.area.draw(&Polygon::new(points.clone(), self.color(*ink).filled())),
            Mark::Dot(at, radius, ink) => self.area.draw(&Circle::new(*at, *radius, self.color(*ink).filled())),
            Mark::Text(text) => self.area.draw(&Letters::new(text.said.as_str(), text.at, self.style(text))),
        };
        done.expect(WRITES);
    }

    fn color(&self, ink: Ink) -> RGBColor {
        let (red, green, blue): Rgb = if self.dark { ink.dark() } else { ink.light() };
        RGBColor(red, green, blue)
    }

    fn style(&self, text: &Text) -> TextStyle<'static> {
        let style = if text.bold { FontStyle::Bold } else { FontStyle::Normal };
        // plotters takes the height of a line and writes the size of its letters.
        let font = FontDesc::new(FontFamily::SansSerif, f64::from(text.size) * LINE, style);
        let across = match text.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        TextStyle { font, color: self.color(text.ink).to_backend_color(), pos: Pos::new(across, VPos::Center) }
    }
}

fn style(theme: Theme) -> String {
    let mut style = format!(".{CLASS} text{{font-family:{FONTS};font-variant-numeric:tabular-nums}}\n");
    if theme == Theme::Auto {
        style.push_str("@media (prefers-color-scheme:dark){\n");
        for ink in Ink::ALL {
            let (light, dark) = (hex(ink.light()), hex(ink.dark()));
            _ = writeln!(
                style,
                ".{CLASS} [fill=\"{light}\"]{{fill:{dark}}}.{CLASS} [stroke=\"{light}\"]{{stroke:{dark}}}"
            );
        }
        style.push_str("}\n");
    }
    style
}

fn escaped(text: &str) -> String {
    super::letters::clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What a picture is called in its own style sheet, so that it changes no other of the page.
const CLASS: &str = "rollgate-chart";

/// What systems write their own windows in.
const FONTS: &str =
    "system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,\"Liberation Sans\",sans-serif";

/// The height of a line of one pixel's letters, as plotters takes it.
const LINE: f64 = 1.24;

/// Why drawing does not fail.
const WRITES: &str = "a text can be written to memory";
