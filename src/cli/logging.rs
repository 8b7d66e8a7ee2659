//! What the program says about its own work: logs on stderr, and with the feature `otel` spans to an
//! OpenTelemetry collector.
//!
//! Spans: `run`, `episode` (number, scenario, agent, mode, trial, outcome), and in it `observe`, `reply`
//! and `act` with their step. They name what was done, never what was seen, said or asked: that is in
//! the trace. Only this program's own logs are let through, because what a library logs of a request
//! may hold a key.

use tracing::Metadata;
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use super::output;
use crate::config::env_vars;

/// What is told where nothing else is asked for.
const DEFAULT: &str = "discreet=warn";

/// Logs and spans, until the program ends.
#[derive(Debug)]
pub(super) struct Logging {
    #[cfg(feature = "otel")]
    exporter: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
}

fn is_own(metadata: &Metadata<'_>) -> bool {
    metadata.target() == "discreet" || metadata.target().starts_with("discreet::")
}

impl Logging {
    /// Starts to tell.
    pub(super) fn start() -> Self {
        let asked = std::env::var(env_vars::LOG).unwrap_or_default();
        let asked = if asked.trim().is_empty() { DEFAULT } else { asked.trim() };
        let filter = EnvFilter::try_new(asked).unwrap_or_else(|error| {
            output::note(&format!("warning: `{}` is no log filter: {error}", env_vars::LOG));
            EnvFilter::new(DEFAULT)
        });
        let text = tracing_subscriber::fmt::layer().with_writer(output::log_stream);
        let is_json = std::env::var(env_vars::LOG_FORMAT).is_ok_and(|format| format == "json");
        let text = if is_json {
            text.json().boxed()
        } else {
            text.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).boxed()
        };
        let registry = tracing_subscriber::registry().with(text.with_filter(filter.and(filter_fn(is_own))));
        #[cfg(feature = "otel")]
        {
            let exporter = otel::exporter();
            let layer = exporter.as_ref().map(|exporter| {
                use opentelemetry::trace::TracerProvider as _;
                tracing_opentelemetry::layer()
                    .with_tracer(exporter.tracer("discreet"))
                    .with_filter(tracing_subscriber::filter::LevelFilter::DEBUG.and(filter_fn(is_own)))
            });
            // Somebody who uses the library may have a subscriber of their own.
            let _ = registry.with(layer).try_init();
            Self { exporter }
        }
        #[cfg(not(feature = "otel"))]
        {
            let _ = registry.try_init();
            Self {}
        }
    }

    /// Hands over what a collector has not got yet.
    #[cfg_attr(not(feature = "otel"), expect(clippy::unused_self, reason = "as in builds with the feature"))]
    pub(super) fn finish(self) {
        #[cfg(feature = "otel")]
        if let Some(exporter) = self.exporter
            && let Err(error) = exporter.shutdown_with_timeout(std::time::Duration::from_secs(10))
        {
            output::note(&format!("warning: the collector did not get everything: {error}"));
        }
    }
}

#[cfg(feature = "otel")]
mod otel {
    use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::SdkTracerProvider;

    use super::super::output;

    /// Variables that name a collector; the exporter reads them, headers and time-out itself.
    const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

    /// Where spans go; `None` where no collector is named, or it cannot be used.
    pub(super) fn exporter() -> Option<SdkTracerProvider> {
        ENDPOINTS.iter().find(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))?;
        let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpJson).build();
        match exporter {
            Ok(exporter) => {
                let mut resource = Resource::builder();
                if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
                    resource = resource.with_service_name("discreet");
                }
                Some(
                    SdkTracerProvider::builder()
                        .with_resource(resource.build())
                        .with_batch_exporter(exporter)
                        .build(),
                )
            }
            Err(error) => {
                output::note(&format!("warning: no spans are exported: {error}"));
                None
            }
        }
    }
}
