//! What the model answered, read totally.

use serde_json::Value;

use super::request::item_id;
use crate::score::{Claim, Question};

/// Most answers that are read.
const MAX_ANSWERS: usize = 10_000;

/// Why an answer cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The body is no chat completion.
    #[error("the judge's reply is no chat completion")]
    NoCompletion,
    /// The model stopped before its end.
    #[error("the judge's reply was cut off")]
    CutOff,
    /// The text is no JSON object.
    #[error("the judge's reply is no JSON object")]
    NoJson,
    /// There is no list of answers.
    #[error("the judge's reply has no list `answers`")]
    NoAnswers,
}

/// The claims of a reply's body, and which questions (by their place in `questions`) it does not
/// answer. An answer counts as one when it names its item and says whether it is found.
///
/// # Errors
/// [`Unreadable`]: then nothing is known about any of the questions.
pub fn read_reply(body: &[u8], questions: &[Question]) -> Result<(Vec<Claim>, Vec<usize>), Unreadable> {
    let body: Value = serde_json::from_slice(body).map_err(|_| Unreadable::NoCompletion)?;
    let choice = body.pointer("/choices/0").ok_or(Unreadable::NoCompletion)?;
    if choice["finish_reason"] == "length" {
        return Err(Unreadable::CutOff);
    }
    let content =
        choice.pointer("/message/content").and_then(Value::as_str).ok_or(Unreadable::NoCompletion)?;
    let Ok(Value::Object(reply)) = serde_json::from_str(unfenced(content)) else {
        return Err(Unreadable::NoJson);
    };
    let answers = reply.get("answers").and_then(Value::as_array).ok_or(Unreadable::NoAnswers)?;
    let mut answered = vec![false; questions.len()];
    let mut claims = Vec::new();
    for answer in answers.iter().take(MAX_ANSWERS) {
        let id = answer["item"].as_str().unwrap_or_default();
        let Some(number) = questions.iter().position(|question| item_id(question) == id) else { continue };
        let Some(is_found) = answer["found"].as_bool() else { continue };
        answered[number] = true;
        if is_found {
            let question = &questions[number];
            let artifact = answer["text"].as_u64().and_then(|text| usize::try_from(text).ok());
            claims.push(Claim {
                list: question.list,
                index: question.index,
                artifact: artifact.unwrap_or(usize::MAX),
                quote: answer["quote"].as_str().unwrap_or_default().to_owned(),
            });
        }
    }
    let unanswered = (0..questions.len()).filter(|number| !answered[*number]).collect();
    Ok((claims, unanswered))
}

/// The text without the code fence that some models put around JSON.
fn unfenced(content: &str) -> &str {
    let content = content.trim();
    let Some(inside) = content.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else {
        return content;
    };
    inside.strip_prefix("json").unwrap_or(inside)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::score::ItemList;

    fn questions() -> Vec<Question> {
        (0..2)
            .map(|index| Question {
                list: ItemList::Forbidden,
                index,
                wordings: vec!["x".to_owned()],
                artifacts: vec![0],
            })
            .collect()
    }

    fn read(content: &str) -> Result<(Vec<Claim>, Vec<usize>), Unreadable> {
        let body = json!({ "choices": [{ "message": { "content": content }, "finish_reason": "stop" }] });
        read_reply(body.to_string().as_bytes(), &questions())
    }

    #[test]
    fn answers_are_read_one_by_one() {
        let content = r#"{"answers": [{"item": "F1", "found": true, "text": 0, "quote": "q"},
            {"item": "F2", "found": "yes"}, {"item": "F9", "found": true}, 7, null]}"#;
        let (claims, unanswered) = read(content).unwrap();
        assert_eq!(
            claims,
            [Claim { list: ItemList::Forbidden, index: 0, artifact: 0, quote: "q".to_owned() }]
        );
        assert_eq!(unanswered, [1]);
        let fenced = "```json\n{\"answers\": [{\"item\": \"F1\", \"found\": false}, {\"item\": \"F2\", \"found\": false}]}\n```";
        assert_eq!(read(fenced), Ok((Vec::new(), Vec::new())));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert_eq!(read("Sure! F1 is found."), Err(Unreadable::NoJson));
        assert_eq!(read("[1]"), Err(Unreadable::NoJson));
        assert_eq!(read("{\"answer\": []}"), Err(Unreadable::NoAnswers));
        assert_eq!(read_reply(b"<html>", &questions()), Err(Unreadable::NoCompletion));
        assert_eq!(read_reply(b"{\"choices\": []}", &questions()), Err(Unreadable::NoCompletion));
        let cut = json!({ "choices": [{ "message": { "content": "{\"answers\": [" }, "finish_reason": "length" }] });
        assert_eq!(read_reply(cut.to_string().as_bytes(), &questions()), Err(Unreadable::CutOff));
    }
}
