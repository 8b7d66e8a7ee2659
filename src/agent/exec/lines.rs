//! Reading bounded lines from a process that may write anything.

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// What came instead of a line.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoLine {
    /// The stream ended.
    #[error("its output ended")]
    End,
    /// The line does not end within the limit.
    #[error("it wrote a line of more than {0} bytes")]
    TooLong(usize),
    /// The system said so.
    #[error("its output cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

/// The next line without its end, at most `limit` bytes long. A last line without an end counts.
pub(super) async fn next(
    reader: &mut (impl AsyncBufRead + Unpin + ?Sized),
    limit: usize,
) -> Result<Vec<u8>, NoLine> {
    let mut line = Vec::new();
    loop {
        let available = reader.fill_buf().await?;
        if available.is_empty() {
            return if line.is_empty() { Err(NoLine::End) } else { Ok(line) };
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if line.len() + part.len() > limit {
            return Err(NoLine::TooLong(limit));
        }
        line.extend_from_slice(part);
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_bounded_and_the_last_needs_no_end() {
        let mut reader = tokio::io::BufReader::with_capacity(3, &b"one\r\n\ntwo"[..]);
        for expected in ["one", "", "two"] {
            assert_eq!(next(&mut reader, 10).await.unwrap(), expected.as_bytes());
        }
        assert!(matches!(next(&mut reader, 10).await, Err(NoLine::End)));
        let mut reader = tokio::io::BufReader::new(&b"12345678901\n"[..]);
        assert!(matches!(next(&mut reader, 10).await, Err(NoLine::TooLong(10))));
        assert_eq!(next(&mut &b"1234567890\n"[..], 10).await.unwrap().len(), 10);
    }
}
