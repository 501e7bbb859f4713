//! Whether a cluster and its policy survive being written back as a description.

use rollgate_core::model::{Cluster, Policy, read};
use rollgate_core::report::{description, json};
use rollgate_core::text::Files;

/// Writes both as JSON and as YAML, and reads them again.
///
/// # Errors
/// What differs, with what was written.
pub fn survives(cluster: &Cluster, policy: &Policy) -> Result<(), String> {
    let written = description(cluster, policy);
    for text in [json(&written), written.yaml()] {
        let mut files = Files::default();
        files.insert("written", text.as_str());
        let (found, found_policy) = read(&files, "written").map_err(|errors| {
            let all: Vec<String> = errors.iter().map(|error| error.render(&files, false)).collect();
            format!("what was written is refused: {}\n{text}", all.join("\n"))
        })?;
        if found_policy != *policy {
            return Err(format!("{policy:?}\nis read as\n{found_policy:?}\n{text}"));
        }
        // What nobody has to assume any more is not in the list of assumptions.
        let without = Cluster { assumed: Vec::new(), ..cluster.clone() };
        if (Cluster { assumed: Vec::new(), ..found.clone() }) != without {
            return Err(format!("{without:?}\nis read as\n{found:?}\n{text}"));
        }
        if let Some(assumed) = found.assumed.iter().find(|assumed| !STAYS.contains(&assumed.key.as_str())) {
            let version = assumed.key.ends_with("kafka") || assumed.key == "broker";
            // What a description itself says that nobody could see stays unseen.
            let unseen = cluster.unseen.contains(&assumed.key);
            if !(unseen || version && assumed.reason.contains("newer than")) {
                return Err(format!("still assumed: {assumed:?}\n{text}"));
            }
        }
    }
    Ok(())
}

/// Nobody can say who leads where it is drawn; and a limit on what is unknown stays without effect.
const STAYS: [&str; 2] = ["leader", "policy.max_lag"];
