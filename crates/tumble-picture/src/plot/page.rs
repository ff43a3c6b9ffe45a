//! The SVG text of a plot: elements in the order they are drawn. It has no scripts and no ids, so
//! that several plots can stand in one HTML page.

use std::fmt::Write;

/// The text so far.
pub(super) struct SvgPage {
    text: String,
}

/// Alignment of a text relative to its position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl SvgPage {
    /// An empty white page \[px\]. A screen reader reads the title aloud.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let mut page = Self { text: String::new() };
        page.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             style=\"font-family: system-ui, sans-serif; font-size: 12px\">"
        ));
        page.add(format_args!("<title>{}</title>", escape(title)));
        page.add(format_args!("<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>"));
        page
    }

    /// An element, as it is.
    pub(super) fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{element}");
    }

    /// A text, turned by degrees about its place.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, style: &str, turned: f64, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn =
            if turned == 0.0 { String::new() } else { format!(" transform=\"rotate({turned:.0} {x:.1} {y:.1})\"") };
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{style}{turn}>{}</text>",
            escape(text)
        ));
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        self.add(format_args!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"{style}/>",
            from.0, from.1, to.0, to.1
        ));
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// Escapes text for XML. Invisible characters become blanks: XML forbids them, or they change the
/// direction of text and could make a page show something else than it holds.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Approximate width of a text of 12 pixels \[px\]. Fonts differ; this is rather too much than too
/// little.
pub(super) fn width_of(text: &str) -> f64 {
    7.0 * text.chars().count() as f64
}
