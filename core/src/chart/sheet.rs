//! What is to be drawn, in pixels, before it is written: so that the height may follow from the
//! contents, and a label can look for a free place.

use super::letters;
use super::look::{Look, Sizes};
use super::palette::Ink;

/// A point: to the right, down.
pub(super) type Point = (i32, i32);

/// A rectangle: its left, top, right and bottom edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

/// Which end of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text, centred on the height of its point.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) at: Point,
    pub(super) anchor: Anchor,
    pub(super) size: i32,
    pub(super) bold: bool,
    pub(super) ink: Ink,
    pub(super) said: String,
}

/// One thing that is drawn.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    /// A filled rectangle.
    Fill(Area, Ink),
    /// Straight lines through points.
    Path(Vec<Point>, Ink, u32),
    /// A filled shape.
    Shape(Vec<Point>, Ink),
    /// A filled circle.
    Dot(Point, i32, Ink),
    /// A text.
    Text(Text),
}

/// A picture on its way: what was put first lies below.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    look: Look,
    marks: Vec<Mark>,
    texts: Vec<Area>,
}

impl Area {
    /// Whether two share more than an edge.
    pub(super) const fn overlaps(self, other: Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    const fn wider(self, by: i32) -> Self {
        Self { left: self.left - by, right: self.right + by, ..self }
    }
}

impl Text {
    /// A line of text that begins at a point.
    pub(super) fn new(at: Point, size: i32, ink: Ink, text: impl Into<String>) -> Self {
        Self { at, anchor: Anchor::Start, size, bold: false, ink, said: letters::clean(&text.into()) }
    }

    pub(super) const fn anchored(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    pub(super) const fn bold(mut self, bold: bool) -> Self {
        self.bold = bold;
        self
    }

    pub(super) fn width(&self) -> i32 {
        letters::width(&self.said, self.size, self.bold)
    }

    /// What it covers, by the table of widths.
    pub(super) fn area(&self) -> Area {
        let width = self.width();
        let left = match self.anchor {
            Anchor::Start => self.at.0,
            Anchor::Middle => self.at.0 - (width + 1) / 2,
            Anchor::End => self.at.0 - width,
        };
        let half = (self.size * 6 + 9) / 10;
        Area { left, top: self.at.1 - half, right: left + width, bottom: self.at.1 + half }
    }
}

impl Sheet {
    pub(super) const fn new(look: Look) -> Self {
        Self { look, marks: Vec::new(), texts: Vec::new() }
    }

    pub(super) const fn look(&self) -> Look {
        self.look
    }

    pub(super) const fn sizes(&self) -> Sizes {
        self.look.sizes()
    }

    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The left edge of what may be drawn on.
    pub(super) const fn left(&self) -> i32 {
        self.look.sizes().margin
    }

    /// The right edge of what may be drawn on.
    pub(super) const fn right(&self) -> i32 {
        self.look.width() - self.look.sizes().margin
    }

    /// A filled rectangle; at least one pixel of it shows.
    pub(super) fn fill(&mut self, area: Area, ink: Ink) {
        let right = area.right.max(area.left + 1);
        let bottom = area.bottom.max(area.top + 1);
        self.marks.push(Mark::Fill(Area { right, bottom, ..area }, ink));
    }

    /// The edges of a rectangle.
    pub(super) fn frame(&mut self, area: Area, ink: Ink) {
        let Area { left, top, right, bottom } = area;
        self.path(vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], ink, 1);
    }

    pub(super) fn line(&mut self, from: Point, to: Point, ink: Ink, thickness: u32) {
        self.path(vec![from, to], ink, thickness);
    }

    /// A line of dashes, straight across or straight down.
    pub(super) fn dashes(&mut self, from: Point, to: Point, ink: Ink, thickness: u32) {
        let length = (to.0 - from.0) + (to.1 - from.1);
        let mut done = 0;
        while done < length {
            let end = (done + DASH).min(length);
            let at = |along: i32| if from.1 == to.1 { (from.0 + along, from.1) } else { (from.0, from.1 + along) };
            self.line(at(done), at(end), ink, thickness);
            done = end + GAP;
        }
    }

    pub(super) fn path(&mut self, points: Vec<Point>, ink: Ink, thickness: u32) {
        self.marks.push(Mark::Path(points, ink, thickness));
    }

    pub(super) fn shape(&mut self, points: Vec<Point>, ink: Ink) {
        self.marks.push(Mark::Shape(points, ink));
    }

    pub(super) fn dot(&mut self, at: Point, radius: i32, ink: Ink) {
        self.marks.push(Mark::Dot(at, radius, ink));
    }

    /// A text where it is said to stand, its middle given up where the sheet ends.
    pub(super) fn text(&mut self, mut text: Text) {
        let room = match text.anchor {
            Anchor::Start => self.right() - text.at.0,
            Anchor::Middle => 2 * (self.right() - text.at.0).min(text.at.0 - self.left()) - 1,
            Anchor::End => text.at.0 - self.left(),
        };
        text.said = letters::fitted(&text.said, text.size, text.bold, room);
        if !text.said.is_empty() {
            self.texts.push(text.area());
            self.marks.push(Mark::Text(text));
        }
    }

    /// A text if its place is free and lies between two edges. Says whether it stands there now.
    pub(super) fn text_if_free(&mut self, text: Text, left: i32, right: i32) -> bool {
        let free = self.is_free(&text, left, right);
        if free {
            self.text(text);
        }
        free
    }

    /// A text as near to the middle of its point as two edges allow, if that place is free.
    pub(super) fn text_near(&mut self, text: Text, left: i32, right: i32) -> bool {
        let width = text.width();
        if width > right - left {
            return false;
        }
        let start = (text.at.0 - width / 2).clamp(left, right - width);
        let at = (start, text.at.1);
        self.text_if_free(Text { at, anchor: Anchor::Start, ..text }, left, right)
    }

    /// The same on a ground that hides what lies below.
    pub(super) fn text_on_clear(&mut self, text: Text, left: i32, right: i32) -> bool {
        let place = self.marks.len();
        let set = self.text_near(text, left, right);
        if let Some(Mark::Text(text)) = self.marks.last().filter(|_| set) {
            let area = text.area().wider(2);
            self.marks.insert(place, Mark::Fill(area, Ink::Paper));
        }
        set
    }

    fn is_free(&self, text: &Text, left: i32, right: i32) -> bool {
        let area = text.area();
        area.left >= left && area.right <= right && self.texts.iter().all(|other| !area.wider(SPACE).overlaps(*other))
    }

    /// Lines of text one below the other, between the edges of the sheet; the height below them.
    pub(super) fn paragraph(&mut self, text: &str, top: i32, style: &Text) -> i32 {
        let pixels = self.right() - style.at.0;
        let step = line_height(style.size);
        let mut top = top;
        for line in letters::broken(text, style.size, style.bold, pixels) {
            self.text(Text { at: (style.at.0, top + step / 2), said: line, ..style.clone() });
            top += step;
        }
        top
    }
}

/// From one line of text to the next.
pub(super) const fn line_height(size: i32) -> i32 {
    size + size * 2 / 5
}

/// White between two labels side by side.
const SPACE: i32 = 5;

/// The length of a dash and of the gap after it.
const DASH: i32 = 6;
const GAP: i32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_stands_only_where_nothing_stands() {
        let mut sheet = Sheet::new(Look::default());
        let label = |x, text: &str| Text::new((x, 50), 14, Ink::Text, text);
        assert!(sheet.text_if_free(label(100, "w1 left"), 0, 1_000));
        assert!(!sheet.text_if_free(label(120, "w2 left"), 0, 1_000));
        assert!(sheet.text_if_free(label(300, "w2 left"), 0, 1_000));
        assert!(!sheet.text_if_free(label(970, "w3 left"), 0, 1_000));
    }

    #[test]
    fn a_text_at_the_edge_is_cut() {
        let mut sheet = Sheet::new(Look::default());
        sheet.text(Text::new((1_100, 50), 14, Ink::Text, "a name that does not fit here"));
        let Some(Mark::Text(text)) = sheet.marks().first() else { panic!("no text") };
        assert!(text.said.contains('…') && text.area().right <= sheet.right());
    }
}
