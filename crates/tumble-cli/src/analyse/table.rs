//! A table of results: all columns as CSV, the important ones as Markdown that can be read in a
//! terminal too.

use crate::report::html::number;

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StudyCell {
    Text(String),
    Count(u64),
    /// A number; not finite if there is none.
    Number(f64),
}

/// Rows of cells under named columns.
#[derive(Clone, Debug)]
pub(crate) struct StudyTable {
    columns: Vec<String>,
    /// Columns that are shown; the others are in the CSV only.
    shown: usize,
    pub(crate) rows: Vec<Vec<StudyCell>>,
}

impl StudyTable {
    /// A table with columns that are shown, and more that are in the CSV only.
    pub(crate) fn new(shown: &[&str], more: &[&str]) -> Self {
        let columns = shown.iter().chain(more).map(|name| name.to_string()).collect();
        Self { columns, shown: shown.len(), rows: Vec::new() }
    }

    /// The whole table as CSV, with every digit.
    pub(crate) fn to_csv(&self) -> String {
        let cell = |cell: &StudyCell| match cell {
            StudyCell::Text(text) => text.clone(),
            StudyCell::Count(count) => count.to_string(),
            StudyCell::Number(number) if number.is_finite() => number.to_string(),
            StudyCell::Number(_) => String::new(),
        };
        let row = |row: &Vec<StudyCell>| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
        self.columns.join(",") + "\n" + &self.rows.iter().map(row).collect::<String>()
    }

    /// The columns that are shown, as wide as they need.
    pub(crate) fn to_markdown(&self) -> String {
        let cell = |cell: &StudyCell| match cell {
            StudyCell::Text(text) => text.clone(),
            StudyCell::Count(count) => count.to_string(),
            StudyCell::Number(value) if value.is_finite() => number(*value),
            StudyCell::Number(_) => "–".into(),
        };
        let head: Vec<String> = self.columns[..self.shown].iter().map(|name| name.replace('_', " ")).collect();
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().take(self.shown).map(cell).collect()).collect();
        let width =
            |column: usize| rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0).max(4);
        let widths: Vec<usize> = (0..self.shown).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!(" {cell:>width$} |"));
            format!("|{}\n", cells.collect::<String>())
        };
        let rule: String = widths.iter().map(|width| format!(" {}: |", "-".repeat(width - 1))).collect();
        format!("{}|{rule}\n{}", line(&head), rows.iter().map(line).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::{StudyCell, StudyTable};

    #[test]
    fn csv_has_all_and_markdown_what_is_shown() {
        let mut table = StudyTable::new(&["name", "mean_step"], &["hidden"]);
        table.rows.push(vec![StudyCell::Text("a".into()), StudyCell::Number(0.0125), StudyCell::Count(3)]);
        table.rows.push(vec![StudyCell::Text("b".into()), StudyCell::Number(f64::NAN), StudyCell::Count(4)]);
        assert_eq!(table.to_csv(), "name,mean_step,hidden\na,0.0125,3\nb,,4\n");
        let text = table.to_markdown();
        assert!(text.starts_with("| name | mean step |\n| ---: | --------: |\n|    a |"), "{text}");
        assert!(!text.contains("hidden") && text.contains("– |"), "{text}");
    }
}
