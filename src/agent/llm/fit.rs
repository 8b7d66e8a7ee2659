//! Fitting the parts of a prompt into a budget of tokens, fairly and by whole lines.

use crate::agent::model::estimate_tokens;

/// Which end of a part goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// The end: what stands first on a page matters most.
    End,
    /// The start: what was done last matters most.
    Start,
}

/// A part that may be shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shrinkable {
    /// What it is, for what is said about the cut.
    pub(super) name: &'static str,
    pub(super) text: String,
    pub(super) cut: Cut,
}

/// Shortens parts until they fit into `budget` tokens together: a part that needs less than its share
/// leaves the rest to the others. Returns what was cut, for a person.
pub(super) fn fit(parts: &mut [Shrinkable], budget: u64) -> Vec<String> {
    let needs: Vec<u64> = parts.iter().map(|part| estimate_tokens(&part.text)).collect();
    let shares = fair_shares(&needs, budget);
    let mut said = Vec::new();
    for ((part, need), share) in parts.iter_mut().zip(needs).zip(shares) {
        if need > share {
            let lines = shorten(part, share);
            said.push(format!(
                "{lines} lines (about {} of {need} tokens) of the {} were left out to fit the token budget",
                need - estimate_tokens(&part.text).min(need),
                part.name
            ));
        }
    }
    said
}

/// The largest share each gets such that nobody who needs more could have more without somebody with
/// less having less.
fn fair_shares(needs: &[u64], budget: u64) -> Vec<u64> {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&index| needs[index]);
    let mut shares = vec![0; needs.len()];
    let mut left = budget;
    for (done, &index) in order.iter().enumerate() {
        let share = left / (needs.len() - done) as u64;
        shares[index] = needs[index].min(share);
        left -= shares[index];
    }
    shares
}

/// Keeps as many whole lines as fit, with a line in place of the rest; returns how many went.
fn shorten(part: &mut Shrinkable, share: u64) -> usize {
    let lines: Vec<&str> = part.text.lines().collect();
    // Room for the line that says so.
    let room = share.saturating_sub(20);
    let mut used = 0;
    let mut kept = 0;
    let in_order: Box<dyn Iterator<Item = &&str>> = match part.cut {
        Cut::End => Box::new(lines.iter()),
        Cut::Start => Box::new(lines.iter().rev()),
    };
    for line in in_order {
        // A newline is a character as well; counted a whole token at most.
        let need = estimate_tokens(line) + 1;
        if used + need > room {
            break;
        }
        used += need;
        kept += 1;
    }
    let gone = lines.len() - kept;
    let mark = format!("... ({gone} lines left out to save space)");
    part.text = match part.cut {
        Cut::End => [&lines[..kept], &[mark.as_str()]].concat().join("\n"),
        Cut::Start => [&[mark.as_str()], &lines[gone..]].concat().join("\n"),
    };
    gone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_fair_and_use_the_whole_budget() {
        assert_eq!(fair_shares(&[10, 1_000, 1_000], 210), [10, 100, 100]);
        assert_eq!(fair_shares(&[5, 6], 100), [5, 6]);
        assert_eq!(fair_shares(&[], 100), [0; 0]);
        assert_eq!(fair_shares(&[9, 9], 0), [0, 0]);
    }

    #[test]
    fn a_part_is_cut_by_lines_at_its_end_or_start_and_says_so() {
        let text = (0..200).map(|number| format!("line number {number}\n")).collect::<Vec<_>>().concat();
        let part = |cut| Shrinkable { name: "tree", text: text.clone(), cut };
        let mut parts = [part(Cut::End), part(Cut::Start)];
        let said = fit(&mut parts, 400);
        assert_eq!(said.len(), 2);
        assert!(said[0].contains("lines (about") && said[0].contains("of the tree"), "{said:?}");
        let total: u64 = parts.iter().map(|part| estimate_tokens(&part.text)).sum();
        assert!((200..=400).contains(&total), "{total}");
        assert!(parts[0].text.starts_with("line number 0\n") && parts[0].text.ends_with("to save space)"));
        assert!(parts[1].text.starts_with("... (") && parts[1].text.ends_with("line number 199"));
        let mut small = [Shrinkable { name: "x", text: "short".into(), cut: Cut::End }];
        assert!(fit(&mut small, 400).is_empty() && small[0].text == "short");
        let mut none = [part(Cut::End)];
        assert_eq!(fit(&mut none, 0).len(), 1);
        assert_eq!(none[0].text, "... (200 lines left out to save space)");
    }
}
