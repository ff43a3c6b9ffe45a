//! The nearest known word to a misspelt one.

/// The nearest of the known words, if it is near enough to be what was meant.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    // A third of the letters may be wrong. Much longer words are no slips of a finger, and
    // comparing them would take long.
    let allowed = word.chars().count().div_ceil(3);
    let candidates = known.iter().filter(|known| word.len() < 3 * known.len() + 3);
    candidates.map(|&known| (distance(word, known), known)).filter(|(d, _)| *d <= allowed).min().map(|(_, known)| known)
}

/// How many letters must be added, left out, changed or swapped with their neighbour (Damerau and
/// Levenshtein, with each part of the word edited once).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                let is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if is_swap { best.min(rows[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [("", "abc", 3), ("density", "densty", 1), ("ab", "ba", 1), ("kitten", "sitting", 3)] {
            assert_eq!(distance(a, b), expected);
            assert_eq!(distance(b, a), expected);
        }
    }

    #[test]
    fn only_near_words_are_suggested() {
        let known = ["density", "friction", "fps"];
        assert_eq!(nearest("densitiy", &known), Some("density"));
        assert_eq!(nearest("fsp", &known), Some("fps"));
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(nearest(&"x".repeat(100_000), &known), None);
    }
}
