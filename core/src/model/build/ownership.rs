//! Who owns what when the run begins, where the description says it.

use std::collections::BTreeMap;

use super::Build;
use super::items::named_items;
use crate::description::{Description, ItemsWritten, WorkersWritten, proposal};
use crate::model::{ConnectProtocol, Items, Ownership, Work, Worker, WorkerId};
use crate::text::Span;

/// Who owns each item so far: by its key, the owner's name and where it is written.
type Owners<'d> = BTreeMap<(bool, u32), (Option<&'d str>, Span)>;

impl Build {
    /// What the workers own; `None` if none of them says it.
    pub(super) fn ownership(
        &mut self,
        description: &Description,
        workers: &[Worker],
        work: &Work,
    ) -> Option<Ownership> {
        let list = match &description.workers {
            WorkersWritten::List(list) => list.as_slice(),
            WorkersWritten::Count(_) => &[],
        };
        if list.iter().all(|written| written.owns.is_none()) {
            self.owners_are_missed(description);
            return None;
        }
        let before = self.errors.len();
        let mut owners = Owners::new();
        let mut ownership = Ownership::default();
        for (written, worker) in list.iter().zip(workers) {
            let owns = match &written.owns {
                Some(owns) if worker.unready => {
                    if let Some(place) = owns.first_place() {
                        let message = format!("`{}` is `unready`, out of the group: it owns nothing", worker.name);
                        self.errors.add(place, message);
                    }
                    Items::default()
                }
                Some(owns) => {
                    let items = self.items(owns, work);
                    self.owned_once(&items, owns, Some(&worker.name), work, &mut owners);
                    items
                }
                None if worker.unready => Items::default(),
                None => {
                    let message = format!("it is not said what `{}` owns, as of other workers", worker.name);
                    let help = "say it of every worker in the group or of none; `owns: []` is nothing";
                    self.errors.add_with_help(written.span, message, help);
                    Items::default()
                }
            };
            ownership.owns.push(owns);
        }
        if let Some(waiting) = &description.waiting {
            ownership.waiting = self.items(waiting, work);
            self.owned_once(&ownership.waiting, waiting, None, work, &mut owners);
            ownership.waiting.connectors.sort_unstable();
            ownership.waiting.tasks.sort_unstable();
            if let Some(place) = waiting.first_place().filter(|_| description.delay_left.is_none()) {
                let message = "it is not said when the delay ends that this waits for";
                self.errors.add_with_help(place, message, "add `delay_left`, such as `delay_left: 240s`");
            }
        }
        if self.errors.len() == before {
            self.everything_is_owned(description, work, &owners);
        }
        self.delay_can_run(description, workers);
        ownership.delay_left = description.delay_left.as_ref().map(|left| left.value);
        ownership.last_round = description.last_round.as_ref().map(|age| age.value);
        Some(ownership)
    }

    /// The workers in the order of their coordinator: all that are in the group, each with its id.
    pub(super) fn group_order(&mut self, description: &Description, workers: &[Worker]) -> Option<Vec<WorkerId>> {
        let written = description.group_order.as_ref()?;
        let whole = description.nearest(&["group_order"]).span;
        let mut places: BTreeMap<usize, Span> = BTreeMap::new();
        let mut order = Vec::with_capacity(written.len());
        for name in written {
            let Some(place) = workers.iter().position(|worker| worker.name == name.value) else {
                let known = workers.iter().map(|worker| worker.name.as_str());
                self.errors.add(name.span, format!("no worker is called `{}`", name.value)).help =
                    proposal(&name.value, known);
                continue;
            };
            if let Some(first) = places.insert(place, name.span) {
                self.errors.add_with_also(name.span, format!("`{}` is listed twice", name.value), first, "the first");
            }
            let help = match &workers[place] {
                worker if worker.unready => "it is `unready`, out of the group",
                worker if worker.member_id.is_none() => "give its member id, `member`",
                _ => "",
            };
            if !help.is_empty() {
                let message = format!("`{}` cannot stand in the group's order", name.value);
                self.errors.add_with_help(name.span, message, help);
            }
            order.extend(u32::try_from(place).map(WorkerId));
        }
        let missing = |(place, worker): &(usize, &Worker)| !worker.unready && !places.contains_key(place);
        if let Some((_, worker)) = workers.iter().enumerate().find(missing) {
            let message = format!("the group's order lacks `{}`", worker.name);
            self.errors.add_with_help(whole, message, "list every worker that is in the group, or leave it out");
        }
        Some(order)
    }

    /// Keys that mean nothing where nobody owns anything.
    fn owners_are_missed(&mut self, description: &Description) {
        let waiting = description.waiting.as_ref().and_then(ItemsWritten::first_place);
        let delay = description.delay_left.as_ref().map(|left| left.span);
        let round = description.last_round.as_ref().map(|age| age.span);
        for (key, place) in [("delay_left", delay), ("waiting", waiting), ("last_round", round)] {
            if let Some(place) = place {
                let message = format!("`{key}` is said, but not what each worker owns");
                self.errors.add_with_help(place, message, "add `owns` to each worker of the list");
            }
        }
    }

    /// Two workers do not own the same, and what waits is nobody's.
    fn owned_once<'d>(
        &mut self,
        items: &Items,
        written: &ItemsWritten,
        owner: Option<&'d str>,
        work: &Work,
        owners: &mut Owners<'d>,
    ) {
        let places: BTreeMap<&str, Span> = written.all().map(|name| (name.value.as_str(), name.span)).collect();
        for (key, name) in named_items(items, work) {
            let place = places.get(name.as_str()).copied().unwrap_or_default();
            match owners.insert(key, (owner, place)) {
                // Twice in one list was said before.
                Some((other, first)) if other != owner => {
                    let message = match (other, owner) {
                        (Some(other), Some(owner)) => format!("`{name}` cannot belong to `{other}` and to `{owner}`"),
                        (Some(other), None) => format!("`{name}` does not wait: `{other}` owns it"),
                        (None, _) => format!("`{name}` waits and is owned"),
                    };
                    self.errors.add_with_also(place, message, first, "here first");
                }
                _ => {}
            }
        }
    }

    /// What no worker owns waits.
    fn everything_is_owned(&mut self, description: &Description, work: &Work, owners: &Owners<'_>) {
        let tasks = work.connectors().flat_map(|connector| work.tasks_of(connector)).collect();
        let all = Items { connectors: work.connectors().collect(), tasks };
        let mut missing = named_items(&all, work).into_iter().filter(|(key, _)| !owners.contains_key(key));
        let Some((_, first)) = missing.next() else { return };
        let message = match missing.count() {
            0 => format!("nobody owns `{first}`"),
            more => format!("nobody owns `{first}` and {more} more"),
        };
        let help = "each connector and task stands in the `owns` of a worker, or under `waiting` while a delay runs";
        self.errors.add_with_help(description.nearest(&["workers"]).span, message, help);
    }

    fn delay_can_run(&mut self, description: &Description, workers: &[Worker]) {
        let Some(left) = &description.delay_left else { return };
        if left.value.is_zero() {
            self.errors.add_with_help(left.span, "no time is left of this delay", "leave `delay_left` out");
        }
        let eager = |worker: &&Worker| !worker.unready && worker.before.settings.protocol == ConnectProtocol::Eager;
        if let Some(eager) = workers.iter().find(eager) {
            let message = format!("no delay runs under the eager protocol, which `{}` brings to the group", eager.name);
            self.errors.add(left.span, message);
        }
    }
}
