//! `rollgate timeout [FILE]`

use std::path::Path;

use rollgate_core::verbs::{self, TimeoutOptions};

use crate::args::{RestartKind, Timeout};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::load;
use crate::output::Screen;

/// Prints how long a restart may take.
pub(super) fn run(arguments: &Timeout, screen: &Screen) -> Result<Exit, Failure> {
    let stdin = |path: &Option<_>| path.as_deref() == Some(Path::new("-"));
    if stdin(&arguments.file) && stdin(&arguments.cluster) {
        return Err(Failure::Argument("only one of FILE and --cluster can be standard input".into()));
    }
    let (mut files, cluster) = match &arguments.cluster {
        Some(path) => load::description(path).map(|(files, main)| (files, Some(main)))?,
        None => Default::default(),
    };
    let restarts = arguments.file.as_deref().map(|path| load::beside(&mut files, path)).transpose()?;
    let kind = arguments.kind.map(|kind| match kind {
        RestartKind::Clean => "clean",
        RestartKind::Kill => "kill",
        RestartKind::Cold => "cold",
        RestartKind::Upgrade => "upgrade",
    });
    let options = TimeoutOptions {
        cluster,
        kind: kind.map(str::to_owned),
        restarts: arguments.restarts.map(|restarts| usize::try_from(restarts).unwrap_or(usize::MAX)),
        grace: arguments.grace.clone(),
        retention: arguments.retention.clone(),
    };
    let format = screen.format(arguments.output.output);
    super::print(verbs::timeout(&files, restarts.as_deref(), &options, format), &files, screen)
}
