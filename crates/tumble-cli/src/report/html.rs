//! A page of HTML in the making: headings, tables, plots and pictures in one file that needs no
//! other.
//!
//! The page has no script and no address: it opens from a disk, an archive or a mail, and looks the
//! same in ten years. It is light on paper (A4, figures in one piece) and follows the reader's
//! choice of dark or light on a screen. All text comes in as text and is escaped here, in one
//! place: titles and scenes are other people's.

use std::fmt::{Display, Write};

use tumble_picture::escape;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --faint: #5c5c5c; --line: #d0d0d0; --good: #00684a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #17191c; --faint: #a8a8a8; --line: #44474b; --good: #5fd3ac; --bad: #ff8f86; }
}
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1000px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.7em; line-height: 1.2; margin: 0 0 .3em; overflow-wrap: anywhere; }
h2 { font-size: 1.2em; margin: 1.6em 0 .5em; padding-bottom: .15em; border-bottom: 1px solid var(--line); }
p { margin: .5em 0; max-width: 75ch; }
.faint { color: var(--faint); font-size: .9em; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .28em .9em .28em 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; overflow-wrap: break-word; }
thead th { color: var(--faint); font-weight: 400; }
td { font-variant-numeric: tabular-nums; }
td:last-child { padding-right: 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: 1em; align-items: start; }
figure { margin: .8em 0 0; }
.plots figure { margin: 0; }
figcaption { color: var(--faint); font-size: .9em; margin-top: .3em; }
svg, img { display: block; width: 100%; height: auto; border-radius: 4px; }
pre { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; }
@page { size: A4; margin: 15mm; }
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #444; --line: #bbb; --good: #00513a; --bad: #9b1c16; }
  body { font-size: 10pt; margin: 0; padding: 0; max-width: none; }
  .plots { display: block; }
  .plots figure { width: 120mm; margin: 0 auto 3mm; }
  figure, tr, .verdict { break-inside: avoid; }
  h2 { break-after: avoid; }
}
";

/// The text so far.
pub(crate) struct HtmlPage {
    text: String,
}

impl HtmlPage {
    /// A page with its title.
    pub(crate) fn new(title: &str) -> Self {
        let title = escape(title);
        let text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"tumble {}\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n",
            env!("CARGO_PKG_VERSION")
        );
        Self { text }
    }

    /// An element with text in it.
    fn element(&mut self, name: &str, class: &str, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "<{name}{class}>{}</{name}>", escape(text));
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.element("h2", "", text);
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        self.element("p", "", text);
    }

    /// A paragraph that says less than the others.
    pub(crate) fn aside(&mut self, text: &str) {
        self.element("p", "faint", text);
    }

    /// A paragraph that says whether all is well.
    pub(crate) fn verdict(&mut self, is_good: bool, text: &str) {
        self.element("p", if is_good { "verdict good" } else { "verdict bad" }, text);
    }

    /// A table; the first cell of a row says what the row is about.
    pub(crate) fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        self.text.push_str("<table>\n");
        if !head.is_empty() {
            let cells: String = head.iter().map(|cell| format!("<th scope=\"col\">{}</th>", escape(cell))).collect();
            let _ = writeln!(self.text, "<thead><tr>{cells}</tr></thead>");
        }
        self.text.push_str("<tbody>\n");
        for row in rows {
            let cell = |(column, cell): (usize, &String)| match column {
                0 => format!("<th scope=\"row\">{}</th>", escape(cell)),
                _ => format!("<td>{}</td>", escape(cell)),
            };
            let _ = writeln!(self.text, "<tr>{}</tr>", row.iter().enumerate().map(cell).collect::<String>());
        }
        self.text.push_str("</tbody>\n</table>\n");
    }

    /// Plots side by side where there is room: each is the text of an SVG file, with a line under
    /// it if there is something to say.
    pub(crate) fn plots(&mut self, plots: &[(String, String)]) {
        self.text.push_str("<div class=\"plots\">\n");
        for (svg, caption) in plots {
            let _ = writeln!(self.text, "<figure>\n{svg}{}</figure>", figcaption(caption));
        }
        self.text.push_str("</div>\n");
    }

    /// A picture, given the content of a PNG file.
    pub(crate) fn picture(&mut self, png: &[u8], about: &str) {
        let _ = writeln!(
            self.text,
            "<figure><img alt=\"{}\" src=\"data:image/png;base64,{}\">{}</figure>",
            escape(about),
            base64(png),
            figcaption(about)
        );
    }

    /// A text as it is, folded until the reader opens it.
    pub(crate) fn folded(&mut self, summary: &str, text: &str) {
        let (summary, text) = (escape(summary), escape(text));
        let _ = writeln!(self.text, "<details><summary>{summary}</summary>\n<pre>{text}</pre>\n</details>");
    }

    /// The whole page.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</body>\n</html>\n");
        self.text
    }
}

fn figcaption(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<figcaption>{}</figcaption>", escape(text)) }
}

/// Bytes as text (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// A number with about four digits.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { "not a number".into() };
    }
    if !(1e-3..1e7).contains(&size) {
        return with_power(&format!("{value:.2e}"));
    }
    let decimals = (3 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// `6.34e-5` as 6.34·10⁻⁵, which a browser does not break at the sign.
fn with_power(text: &str) -> String {
    let Some((digits, exponent)) = text.split_once('e') else { return text.into() };
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => digit.to_digit(10).and_then(|digit| char::from_u32(0x2070 + digit)).unwrap_or(digit),
    };
    format!("{digits}·10{}", exponent.chars().map(raised).collect::<String>())
}

/// A part as percent.
pub(crate) fn percent(part: f64) -> String {
    format!("{} %", number(100.0 * part))
}

/// A value or a dash.
pub(crate) fn or_dash<T: Display>(value: Option<T>) -> String {
    value.map_or("–".into(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, 12.3456, -0.05, 1234567.0, 1e-5, 3000.0, 0.66666, f64::NAN].map(number);
        assert_eq!(texts, ["0", "1", "12.35", "-0.05", "1234567", "1.00·10⁻⁵", "3000", "0.6667", "not a number"]);
        assert_eq!(percent(0.0956), "9.56 %");
    }

    #[test]
    fn nothing_that_comes_from_files_is_markup() {
        let mut page = HtmlPage::new("<b>&\"");
        page.table(&["<i>"], &[vec!["<u>".into(), "\u{202e}\u{7}".into()]]);
        page.folded("<s>", "</pre>");
        let text = page.finish();
        for markup in ["<b>", "<i>", "<u>", "<s>", "</pre></pre>", "\u{202e}", "\u{7}"] {
            assert!(!text.contains(markup), "{markup}");
        }
        assert!(text.contains("<h1>&lt;b&gt;&amp;&quot;</h1>"));
    }
}
