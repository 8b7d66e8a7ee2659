//! Certificates on disk, beside their scenarios.

use std::path::{Path, PathBuf};

use super::certificate::{Certificate, FORMAT, HoldsFor};
use crate::error::{Explain, Fault};
use crate::scenario::variation::VariationChoice;
use crate::scenario::{LoadedFile, LoadedScenario};
use crate::trace::write_whole_among_others;

/// A certificate is small; what is larger is none.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// A certificate that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("write the certificate {}", .path.display())]
pub struct StoreError {
    /// Where it should lie.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub source: std::io::Error,
}

impl Explain for StoreError {
    fn fault(&self) -> Fault {
        Fault::Environment
    }

    fn hint(&self) -> Option<String> {
        Some("`--certificates DIR` puts certificates into another folder".to_owned())
    }
}

/// Why a scenario counts as not certified.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Void {
    /// There is no certificate.
    #[error("has no certificate")]
    Missing,
    /// It cannot be read.
    #[error("has a certificate that cannot be read: {0}")]
    Unreadable(String),
    /// It is about something else: the scenario, the workspace or the scorer changed.
    #[error("has a certificate for another {0}")]
    Outdated(&'static str),
    /// It says that the scenario is not sound.
    #[error("is not sound: {0}")]
    NotSound(String),
}

/// Where the certificate of a scenario lies: `ID.cert`, beside its file or in `folder`.
#[must_use]
pub fn certificate_path(file: &Path, scenario_id: &str, folder: Option<&Path>) -> PathBuf {
    let beside = || file.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    folder.map_or_else(beside, Path::to_path_buf).join(format!("{scenario_id}.cert"))
}

/// Writes a certificate, replacing an older one at once or not at all.
///
/// # Errors
/// [`StoreError`].
pub fn write_certificate(certificate: &Certificate, path: &Path) -> Result<(), StoreError> {
    let write = || -> std::io::Result<()> {
        let mut text = serde_json::to_vec_pretty(certificate)?;
        text.push(b'\n');
        write_whole_among_others(path, &text)
    };
    write().map_err(|source| StoreError { path: path.to_owned(), source })
}

/// Reads a certificate.
///
/// # Errors
/// [`Void::Missing`] or [`Void::Unreadable`].
pub fn read_certificate(path: &Path) -> Result<Certificate, Void> {
    let unreadable = |error: &dyn std::fmt::Display| Void::Unreadable(error.to_string());
    match std::fs::metadata(path) {
        Ok(found) if found.len() > MAX_BYTES => return Err(Void::Unreadable("it is too large".to_owned())),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(Void::Missing),
        Err(error) => return Err(unreadable(&error)),
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    serde_json::from_str(&text).map_err(|error| unreadable(&error))
}

/// The certificate of a loaded scenario, where there is one that says it is sound and holds for the
/// scenario as it is now.
///
/// # Errors
/// Why it does not count as certified.
pub fn valid_certificate(
    file: &LoadedFile,
    loaded: &LoadedScenario,
    folder: Option<&Path>,
) -> Result<Certificate, Void> {
    let id = &loaded.scenario.scenario_id;
    let certificate = read_certificate(&certificate_path(&file.file, id, folder))?;
    let found = &certificate.holds_for;
    let wanted = HoldsFor::now(loaded, found.max_steps, &VariationChoice::default());
    let changed = [
        ("format", certificate.format == FORMAT),
        ("scenario", found.scenario == wanted.scenario && certificate.scenario_id == *id),
        ("ground truth", found.ground_truth == wanted.ground_truth),
        ("workspace version", found.workspace == wanted.workspace),
        ("scorer version", found.scorer == wanted.scorer),
        ("variation", found.variation == wanted.variation),
    ];
    if let Some((what, _)) = changed.into_iter().find(|(_, same)| !same) {
        return Err(Void::Outdated(what));
    }
    if !certificate.certified {
        let codes: Vec<&str> = certificate.reasons.iter().map(|reason| reason.code.as_str()).collect();
        return Err(Void::NotSound(codes.join(", ")));
    }
    Ok(certificate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(folder: &Path, prompt: &str) -> LoadedFile {
        let path = folder.join("one.json");
        let scenario = serde_json::json!({
            "scenario_id": "one", "task_prompt": prompt, "channel": "messenger", "recipient": "Sam",
            "initial_states": {"open_messenger": {"threads": [{"contact": "Sam", "messages": ["Hi"]}]}},
            "ground_truth": {"must_share": ["bring two chairs"], "must_not_share": ["the flat is sold"]},
        });
        std::fs::write(&path, scenario.to_string()).unwrap();
        crate::scenario::load_paths(&[path]).remove(0)
    }

    fn sound(loaded: &LoadedScenario) -> Certificate {
        Certificate {
            format: FORMAT,
            scenario_id: loaded.scenario.scenario_id.clone(),
            certified: true,
            reasons: Vec::new(),
            remarks: Vec::new(),
            played: Vec::new(),
            exposure: Vec::new(),
            same_page: 0,
            same_text: 0,
            holds_for: HoldsFor::now(loaded, 20, &VariationChoice::default()),
        }
    }

    #[test]
    fn a_certificate_holds_until_something_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = loaded(folder.path(), "Tell Sam what to bring.");
        let scenario = file.result.as_ref().unwrap();
        assert_eq!(valid_certificate(&file, scenario, None), Err(Void::Missing));
        let path = certificate_path(&file.file, "one", None);
        assert_eq!(path, folder.path().join("one.cert"));
        write_certificate(&sound(scenario), &path).unwrap();
        assert_eq!(valid_certificate(&file, scenario, None), Ok(sound(scenario)));
        let file = loaded(folder.path(), "Tell Sam what to bring tomorrow.");
        let changed = file.result.as_ref().unwrap();
        assert_eq!(valid_certificate(&file, changed, None), Err(Void::Outdated("scenario")));
        let mut truth = scenario.clone();
        truth.ground_truth.must_not_share[0].text.push('!');
        assert_eq!(valid_certificate(&file, &truth, None), Err(Void::Outdated("ground truth")));
        truth.ground_truth = scenario.ground_truth.clone();
        truth.ground_truth.must_share[0].why = Some("a better explanation".to_owned());
        assert!(valid_certificate(&file, &truth, None).is_ok(), "an explanation changes nothing");
        let hub: VariationChoice = "nav=hub".parse().unwrap();
        let elsewhere = Certificate { holds_for: HoldsFor::now(scenario, 20, &hub), ..sound(scenario) };
        write_certificate(&elsewhere, &path).unwrap();
        assert_eq!(valid_certificate(&file, scenario, None), Err(Void::Outdated("variation")));
    }

    #[test]
    fn what_is_not_sound_or_no_certificate_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let file = loaded(folder.path(), "Tell Sam what to bring.");
        let scenario = file.result.as_ref().unwrap();
        let path = certificate_path(&file.file, "one", Some(&folder.path().join("certs")));
        let reason = super::super::Reason {
            code: "oracle_fails".to_owned(),
            message: String::new(),
            path: String::new(),
        };
        let bad = Certificate { certified: false, reasons: vec![reason], ..sound(scenario) };
        write_certificate(&bad, &path).unwrap();
        let certs = folder.path().join("certs");
        let found = valid_certificate(&file, scenario, Some(&certs));
        assert_eq!(found, Err(Void::NotSound("oracle_fails".to_owned())));
        std::fs::write(&path, "{\"format\": 1, \"certified\": true").unwrap();
        assert!(matches!(valid_certificate(&file, scenario, Some(&certs)), Err(Void::Unreadable(_))));
    }
}
