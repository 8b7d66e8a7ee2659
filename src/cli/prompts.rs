//! What `run --dry-run` shows of the models' first prompts.

use super::{exit_code, output, runtime};
use crate::agent::Agents;
use crate::agent::model::{Part, Role};
use crate::episode::{Preview, RunOptions, preview};
use crate::scenario::LoadedFile;

/// Prints the first prompt of every model for the first scenario that can be used.
pub(crate) fn show(first: &LoadedFile, options: &RunOptions, agents: &Agents) -> u8 {
    let Ok(loaded) = &first.result else { return exit_code::OK };
    let runtime = match runtime::start() {
        Ok(runtime) => runtime,
        Err(code) => return code,
    };
    match runtime.block_on(preview(loaded, options, agents)) {
        Ok(previews) => {
            previews.iter().for_each(print);
            exit_code::OK
        }
        Err(error) => {
            output::error(&error);
            exit_code::for_fault(crate::error::Explain::fault(&error))
        }
    }
}

fn print(preview: &Preview) {
    let request = &preview.request;
    output::data(&format!(
        "\n=== {} · {} · defense {}: about {} tokens",
        preview.agent,
        preview.mode.name(),
        preview.defense,
        request.estimated_tokens()
    ));
    output::data(&format!("--- system\n{}", request.system));
    for message in &request.messages {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        output::data(&format!("--- {role}"));
        for part in &message.parts {
            match part {
                Part::Text(text) => output::data(text),
                Part::Image(png) => output::data(&format!("[picture, {} bytes of PNG]", png.len())),
            }
        }
    }
    if !request.tools.is_empty() {
        output::data(&format!("--- {} functions", request.tools.len()));
    }
    if let Some(grammar) = &request.grammar {
        output::data(&format!("--- grammar\n{grammar}"));
    }
    for cut in &preview.cuts {
        output::note(&format!("note: {cut}"));
    }
}
