//! The part of `discreet check --certify` that plays and prints.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use comfy_table::{ContentArrangement, Table};

use super::check::BrowserArguments;
use super::run::Progress;
use super::{exit_code, output, run, runtime};
use crate::episode::certify::{
    Certificate, CertifyOptions, Reason, certificate_path, certify, write_certificate,
};
use crate::episode::{Cancel, default_jobs};
use crate::scenario::LoadedFile;
use crate::scenario::lint::Lint;
use crate::scenario::variation::VariationChoice;

/// How to certify, from the command line.
#[derive(Debug, clap::Args)]
pub(super) struct Flags {
    /// Play the reference agents, and write a certificate beside each scenario
    #[arg(long)]
    pub(super) certify: bool,
    /// A folder for the certificates instead
    #[arg(long, value_name = "DIR", requires = "certify")]
    certificates: Option<PathBuf>,
}

/// A scenario's certificate and where it lies; nowhere where it is only told.
#[derive(Debug, serde::Serialize)]
pub(super) struct Certified {
    file: Option<PathBuf>,
    #[serde(flatten)]
    pub(super) certificate: Certificate,
}

/// Certifies what can be used; one entry per file. `Err` is an exit code, and said already.
pub(super) fn play(
    loaded: &[LoadedFile],
    lints: &[Vec<Lint>],
    flags: &Flags,
    variation: &VariationChoice,
    by: &BrowserArguments,
) -> Result<Vec<Option<Certified>>, u8> {
    if loaded.iter().all(|file| file.result.is_err()) {
        return Ok(loaded.iter().map(|_| None).collect());
    }
    let options = CertifyOptions {
        // Without screenshots an episode waits for frames as often as the browser computes.
        jobs: by.jobs.map_or_else(|| default_jobs(None), usize::from),
        browser: by.browser.clone(),
        variation: *variation,
        ..CertifyOptions::default()
    };
    let runtime = runtime::start()?;
    let certificates = runtime.block_on(async {
        let cancel = Cancel::default();
        let signalled = std::sync::Arc::new(std::sync::atomic::AtomicU8::new(0));
        if let Err(error) = run::watch_signals(&cancel, &signalled) {
            output::note(&format!("warning: signals are not handled: {error}"));
        }
        let mut progress = Progress::default();
        let result = certify(loaded, lints, &options, &cancel, &mut progress).await;
        progress.done();
        match (result, signalled.load(std::sync::atomic::Ordering::SeqCst)) {
            (Err(error), _) => {
                output::error(&error);
                Err(exit_code::for_fault(crate::error::Explain::fault(&error)))
            }
            // What was not played must not look unsound.
            (Ok(_), code) if code != 0 => Err(code),
            (Ok(certificates), _) => Ok(certificates),
        }
    })?;
    loaded
        .iter()
        .zip(certificates)
        .map(|(file, certificate)| certificate.map(|one| store(file, one, flags)).transpose())
        .collect()
}

/// Beside a scenario lies what holds for its own variation.
fn store(file: &LoadedFile, certificate: Certificate, flags: &Flags) -> Result<Certified, u8> {
    if !certificate.holds_for.variation.is_empty() && flags.certificates.is_none() {
        return Ok(Certified { file: None, certificate });
    }
    let path = certificate_path(&file.file, &certificate.scenario_id, flags.certificates.as_deref());
    match write_certificate(&certificate, &path) {
        Ok(()) => Ok(Certified { file: Some(path), certificate }),
        Err(error) => {
            output::error(&error);
            Err(exit_code::ENVIRONMENT)
        }
    }
}

/// What is sound and what is not, by reason.
pub(super) fn print<'a>(
    certified: impl Iterator<Item = Option<&'a Certified>>,
    printable: fn(&str) -> String,
) {
    let all: Vec<Option<&Certified>> = certified.collect();
    let mut by_reason: BTreeMap<&str, Vec<(&str, &Reason)>> = BTreeMap::new();
    let mut sound = 0;
    for certified in all.iter().flatten() {
        sound += usize::from(certified.certificate.certified);
        for reason in &certified.certificate.reasons {
            let id = certified.certificate.scenario_id.as_str();
            by_reason.entry(reason.code.as_str()).or_default().push((id, reason));
        }
    }
    let invalid = all.iter().filter(|one| one.is_none()).count();
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["", "scenarios"]);
    table.add_row(["sound".to_owned(), sound.to_string()]);
    table.add_row(["not sound".to_owned(), (all.len() - invalid - sound).to_string()]);
    if invalid > 0 {
        table.add_row(["cannot be used".to_owned(), invalid.to_string()]);
    }
    for (code, cases) in &by_reason {
        let mut ids: Vec<&str> = cases.iter().map(|(id, _)| *id).collect();
        ids.dedup();
        table.add_row([format!("  {code}"), ids.len().to_string()]);
    }
    output::data("");
    output::data(&table.to_string());
    for (code, cases) in &by_reason {
        output::data("");
        output::data(code);
        for (id, reason) in cases {
            output::data(&printable(&format!("  {id}: {}", reason.message)));
        }
    }
}

/// Leaves only scenarios with a certificate that holds; says how many were left out and why.
pub(super) fn only_certified(files: Vec<LoadedFile>, folder: Option<&Path>) -> Vec<LoadedFile> {
    use crate::episode::certify::valid_certificate;

    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let kept: Vec<LoadedFile> = files
        .into_iter()
        .filter(|file| {
            let Ok(loaded) = &file.result else { return false };
            match valid_certificate(file, loaded, folder) {
                Ok(_) => true,
                Err(void) => {
                    *left_out.entry(void.to_string()).or_default() += 1;
                    false
                }
            }
        })
        .collect();
    for (reason, count) in left_out {
        output::note(&format!(
            "left out: {count} {} that {reason}",
            if count == 1 { "scenario" } else { "scenarios" }
        ));
    }
    kept
}
