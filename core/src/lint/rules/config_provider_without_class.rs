//! A config provider that does not exist.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "config-provider-without-class",
    title: "a config provider is named and has no class",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "A name in config.providers without `config.providers.<name>.class`, for instance because the two differ in \
            capitals, as start scripts of images write keys in small letters and values as they are.",
    hurts: "The worker leaves the provider out without a word, and every `${name:…}` stays as it stands: passwords are \
            then the text itself, and connectors fail to log in after the restart.",
    todo: "Add the class, or make the names equal; small letters are safest.",
    wrong: "Something may add the class as the worker starts.",
    sources: &["AbstractConfig.instantiateConfigProviders, Plugins.newConfigProvider of Kafka 2.8 to 4.3; KIP-297"],
    settings: &["config.providers"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        let Some(setting) = file.get("config.providers") else { continue };
        for name in setting.value.value.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let class = format!("config.providers.{name}.class");
            if file.get(&class).is_some() {
                continue;
            }
            let other = file.settings.keys().find(|key| key.eq_ignore_ascii_case(&class));
            let advice = match other {
                Some(other) => format!("write the name as in `{other}`"),
                None => format!("add `{class}`"),
            };
            let finding =
                found.add(context.of(setting), format!("nothing says {class}: the provider is left out"), advice);
            finding.also.extend(other.and_then(|other| file.get(other)).map(|setting| context.at(setting.key)));
        }
    }
}
