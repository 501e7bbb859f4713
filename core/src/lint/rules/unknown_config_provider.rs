//! A value asks a config provider that is not there.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "unknown-config-provider",
    title: "a value asks a config provider that the file does not name",
    severity: Severity::Error,
    confidence: Confidence::Medium,
    finds: "A value with `${name:…}` where config.providers does not list the name.",
    hurts: "Kafka leaves the text as it stands: a password is then the dollar sign and what follows it, and the worker \
            or its tasks cannot log in after the restart.",
    todo: "Add the provider to config.providers, with its class, or correct its name.",
    wrong: "Shells and templates write `${NAME:-default}`, too; such values are replaced before Kafka sees them.",
    sources: &["ConfigTransformer of Kafka 2.8 to 4.3: the pattern ${provider:[path:]key}; KIP-297"],
    settings: &["config.providers"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        let known: Vec<&str> = file.text("config.providers").unwrap_or_default().split(',').map(str::trim).collect();
        let mut told: Vec<&str> = Vec::new();
        for setting in file.settings.values() {
            for name in asked(&setting.value.value).filter(|name| !known.contains(name)) {
                // Once for each name of a file is enough.
                if !told.contains(&name) {
                    told.push(name);
                    found.add(
                        context.at(setting.key),
                        format!("a value asks the config provider `{name}`, which config.providers does not list"),
                        format!("add `{name}` to config.providers, and config.providers.{name}.class"),
                    );
                }
            }
        }
    }
}

/// The providers that a value asks. What a shell would fill in is none.
fn asked(value: &str) -> impl Iterator<Item = &str> {
    value.split("${").skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once('}')?;
        let (name, key) = inside.split_once(':')?;
        (!name.is_empty() && !key.is_empty() && !key.starts_with(['-', '+', '?', '='])).then_some(name)
    })
}
