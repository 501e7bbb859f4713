//! Where plug-ins are depends on the folder in which the worker is started.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};
use crate::text::is_filled_in;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "relative-plugin-path",
    title: "where plug-ins are depends on the folder in which the worker is started",
    severity: Severity::Note,
    confidence: Confidence::High,
    finds: "A folder in plugin.path that does not begin with a slash.",
    hurts: "It is looked for from the folder in which the worker is started. A worker that a service or another \
            shell restarts finds nothing there: it joins, and its connectors fail with ClassNotFoundException.",
    todo: "Write paths that begin at the root.",
    wrong: "Where a script changes into the same folder first, it works.",
    sources: &["PluginUtils.pluginLocations of Kafka 2.8 to 4.3: Path.toAbsolutePath"],
    settings: &["plugin.path"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        let Some(setting) = file.get("plugin.path") else { continue };
        let mut folders = setting.value.value.split(',').map(str::trim).filter(|folder| !folder.is_empty());
        if let Some(folder) = folders.find(|folder| !is_whole(folder) && !is_filled_in(folder)) {
            found.add(
                context.of(setting),
                format!("{folder} in plugin.path begins at the folder in which the worker is started"),
                "write the whole path",
            );
        }
    }
}

/// Whether a path begins at a root, of Unix or of Windows.
fn is_whole(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.get(1..2) == Some(":") || path.starts_with('$')
}
