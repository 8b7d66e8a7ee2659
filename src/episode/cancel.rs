//! Cancelling a run.

use tokio::sync::watch;

/// Tells everybody who works on a run to stop; cheap to clone.
#[derive(Debug, Clone)]
pub struct Cancel {
    sender: watch::Sender<bool>,
}

impl Default for Cancel {
    fn default() -> Self {
        Self { sender: watch::Sender::new(false) }
    }
}

impl Cancel {
    /// Asks everybody to stop. Episodes under way end as `interrupted` with what they have.
    pub fn cancel(&self) {
        self.sender.send_replace(true);
    }

    /// Whether somebody asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        *self.sender.borrow()
    }

    /// Ends when somebody asks to stop.
    pub async fn cancelled(&self) {
        // The sender lives in self, so waiting cannot fail.
        let _ = self.sender.subscribe().wait_for(|cancelled| *cancelled).await;
    }
}
