//! A setting that the worker's version does not know yet.

use crate::description::{KnownSetting, Minor, Owner};
use crate::finding::{Confidence, Severity};
use crate::lint::files::{key_of, worker_files};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "setting-of-a-newer-version",
    title: "a setting is ignored because the workers' version does not know it yet",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A setting of the worker that came with a later version than any of the described workers has.",
    hurts: "The workers ignore it, with a line in the log only: exactly.once.source.support=enabled before 3.3 \
            delivers as before.",
    todo: "Upgrade first, or take it out.",
    wrong: "A vendor's build may hold what came later in Apache Kafka.",
    sources: &["DistributedConfig of 2.8.2 to 4.4.0, recorded in tests/oracle/settings/recorded.txt"],
    settings: &["exactly.once.source.support", "plugin.discovery"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let versions = context.setups().filter_map(|worker| worker.version);
    let Some(newest) = versions.map(|version| (version.major, version.minor)).max() else { return };
    for file in worker_files(context) {
        for key in file.settings.keys() {
            let Some(known) = KnownSetting::of(key).filter(|known| known.owner == Owner::Worker) else { continue };
            let (major, minor): Minor = known.since;
            if newest < known.since {
                found.add(
                    key_of(context, file, key),
                    format!(
                        "{key} is ignored: it came with Kafka {major}.{minor}, the workers are of {}.{}",
                        newest.0, newest.1
                    ),
                    "upgrade first, or take it out",
                );
            }
        }
    }
}
