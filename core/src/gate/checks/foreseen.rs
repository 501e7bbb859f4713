//! What stopping the workers now would do, against the limits.

use super::Look;
use crate::gate::reason::Reason;

impl Look<'_> {
    /// Whether the next stop keeps to the limits; unknown if nobody computed it.
    pub(super) fn foreseen(&self, reasons: &mut Vec<Reason>) {
        let limits = self.limits;
        let limited = limits.share.is_some() || limits.longest.is_some() || limits.whole_connectors == Some(false);
        let Some(foreseen) = self.foreseen else {
            if limited {
                reasons.push(Reason::ForeseenMissing {});
            }
            return;
        };
        if let Some(allowed) = limits.share.filter(|allowed| exceeds(foreseen.tasks, foreseen.of, *allowed)) {
            reasons.push(Reason::ForeseenShare { tasks: foreseen.tasks, of: foreseen.of, allowed });
        }
        if let Some(allowed) = limits.longest.filter(|allowed| foreseen.longest > *allowed) {
            reasons.push(Reason::ForeseenLongest { seen: foreseen.longest, allowed });
        }
        if limits.whole_connectors == Some(false) && !foreseen.whole_connectors.is_empty() {
            reasons.push(Reason::ForeseenConnectors { connectors: foreseen.whole_connectors.clone() });
        }
    }
}

/// Whether a part is more of a whole than allowed. What is no number allows nothing.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn exceeds(part: usize, whole: usize, allowed: f64) -> bool {
    let most = whole as f64 * allowed;
    most.is_nan() || part as f64 > most + 1e-9
}
