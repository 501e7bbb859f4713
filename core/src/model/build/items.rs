//! Names of connectors and tasks as ids.

use std::collections::BTreeMap;

use super::Build;
use crate::description::{ItemsWritten, proposal};
use crate::model::work::split_task_name;
use crate::model::{Items, TaskId, Work};
use crate::text::{Span, Spanned};

impl Build {
    /// Names of connectors and tasks as ids.
    pub(super) fn items(&mut self, written: &ItemsWritten, work: &Work) -> Items {
        let mut items = Items::default();
        match written {
            ItemsWritten::Mixed(names) => {
                for name in names {
                    match (work.connector(&name.value), self.task(name, work, false)) {
                        (Some(_), Some(_)) => {
                            let message = format!("`{}` is a connector, and a task of another one", name.value);
                            let help = "write `{connectors: [...], tasks: [...]}` instead of one list";
                            self.errors.add_with_help(name.span, message, help);
                        }
                        (Some(connector), None) => items.connectors.push(connector),
                        (None, Some(task)) => items.tasks.push(task),
                        (None, None) => drop(self.task(name, work, true)),
                    }
                }
            }
            ItemsWritten::Apart(connectors, tasks) => {
                for name in connectors {
                    match work.connector(&name.value) {
                        Some(connector) => items.connectors.push(connector),
                        None => self.unknown_connector(name, &name.value, work),
                    }
                }
                items.tasks.extend(tasks.iter().filter_map(|name| self.task(name, work, true)));
            }
        }
        self.once(written);
        items
    }

    /// The task of that name.
    fn task(&mut self, name: &Spanned<String>, work: &Work, report: bool) -> Option<TaskId> {
        let Some((connector, number)) = split_task_name(&name.value) else {
            if report {
                self.unknown_connector(name, &name.value, work);
            }
            return None;
        };
        let Some(id) = work.connector(connector) else {
            if report {
                self.unknown_connector(name, connector, work);
            }
            return None;
        };
        let task = work.task(id, number);
        if task.is_none() && report {
            let most = work.tasks_of(id).count();
            let message = format!("`{}` does not exist: `{connector}` never has more than {most} tasks", name.value);
            self.errors.add(name.span, message);
        }
        task
    }

    pub(super) fn unknown_connector(&mut self, name: &Spanned<String>, connector: &str, work: &Work) {
        let names: Vec<&str> = work.connectors().map(|id| work.name(id)).collect();
        self.errors.add(name.span, format!("there is no connector `{connector}`")).help = proposal(connector, names);
    }

    /// Nobody owns anything twice.
    fn once(&mut self, written: &ItemsWritten) {
        let lists = match written {
            ItemsWritten::Mixed(names) => vec![names],
            ItemsWritten::Apart(connectors, tasks) => vec![connectors, tasks],
        };
        for names in lists {
            let mut first: BTreeMap<&str, Span> = BTreeMap::new();
            for name in names {
                if let Some(first) = first.insert(&name.value, name.span) {
                    self.errors.add_with_also(
                        name.span,
                        format!("`{}` is listed twice", name.value),
                        first,
                        "the first",
                    );
                }
            }
        }
    }
}

/// Each connector or task with a key that no other has, and its name.
pub(super) fn named_items(items: &Items, work: &Work) -> Vec<((bool, u32), String)> {
    let connectors = items.connectors.iter().map(|id| ((false, id.0), work.name(*id).to_owned()));
    connectors.chain(items.tasks.iter().map(|id| ((true, id.0), work.task_name(*id)))).collect()
}
