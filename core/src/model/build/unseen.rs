//! What a description says without anybody having seen it.

use super::Build;
use crate::description::{Description, proposal};

impl Build {
    /// The keys under `assumed`, each listed with the value that stands for it.
    pub(super) fn unseen(&mut self, description: &Description) -> Vec<String> {
        let mut unseen: Vec<String> = Vec::new();
        for key in &description.assumed {
            let (section, rest) = key.value.split_once('.').unwrap_or((&key.value, ""));
            if !SECTIONS.contains(&section) {
                let message = format!("`{}` is no key that can be assumed", key.value);
                let error = self.errors.add(key.span, message);
                error.help = proposal(section, SECTIONS).or(Some("write `settings.<name>` or `restart.start`".into()));
                continue;
            }
            if unseen.contains(&key.value) {
                continue;
            }
            let path: Vec<&str> = [section, rest].into_iter().filter(|step| !step.is_empty()).collect();
            let value = path.iter().try_fold(&description.tree, |node, step| node.get(step));
            let value = value.and_then(|node| node.text()).unwrap_or("as written");
            self.assume(key.value.clone(), value.to_owned(), "nobody could see it; the description says so");
            unseen.push(key.value.clone());
        }
        unseen
    }
}

/// The parts of a description of which something may be assumed.
const SECTIONS: [&str; 4] = ["broker", "settings", "restart", "connectors"];
