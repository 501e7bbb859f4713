//! The config topic: what is configured now, and what its records set off.
//!
//! Follows `DistributedHerder.ConfigUpdateListener` and the two `updateConfigs` methods of 3.9.

use super::instances::{Token, Unit};
use super::latency;
use super::queue::Event;
use super::timeline::{ConfigChange, TaskState};
use super::worker::{Alive, Wish};
use super::world::World;
use crate::model::{Cluster, Configured, ConnectProtocol, ConnectorConfig, ConnectorId, ConnectorState, WorkerId};
use crate::units::Duration;

/// What the config topic says.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    configured: Configured,
    states: Vec<ConnectorState>,
    /// The number of tasks a connector's instance will write at its next reconfiguration.
    wanted_tasks: Vec<Option<u32>>,
    offset: u64,
    /// Connectors whose next start needs a real fencing (exactly-once sources with new task configs).
    unfenced: Vec<bool>,
}

impl Configuration {
    pub(super) fn new(cluster: &Cluster, configured: Configured) -> Self {
        let count = cluster.connectors.len();
        Self {
            configured,
            states: cluster.connectors.iter().map(|connector| connector.state).collect(),
            wanted_tasks: vec![None; count],
            offset: 1,
            unfenced: vec![false; count],
        }
    }

    pub(super) fn configured(&self) -> &Configured {
        &self.configured
    }

    pub(super) fn tasks_of(&self, connector: ConnectorId) -> Option<u32> {
        self.configured.tasks_of[connector.index()]
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// How long the leader fences the producers of a connector's old tasks, one after another:
    /// measured 1.5 s and 1 s for each task beyond the fifth; nothing in a plain restart.
    pub(super) fn fencing(&self, connector: ConnectorId) -> Duration {
        if !self.unfenced[connector.index()] {
            return Duration::ZERO;
        }
        let beyond = i64::from(self.tasks_of(connector).unwrap_or(0)) - 5;
        Duration::from_millis(1_500) + Duration::from_secs(1) * beyond.max(0)
    }

    pub(super) fn fenced(&mut self) {
        self.unfenced.fill(false);
    }
}

impl World<'_> {
    fn config_changed(&mut self, connector: ConnectorId) {
        let tasks = self.config.tasks_of(connector);
        self.timeline.configs.push(ConfigChange { at: self.now, connector, tasks });
        self.count_missing();
    }

    /// A connector's configuration is written: created, changed, or deleted (`None`).
    pub(super) fn configure(&mut self, connector: ConnectorId, config: Option<ConnectorConfig>) {
        let place = connector.index();
        self.config.offset += 1;
        let existed = self.config.configured.tasks_of[place].is_some();
        let Some(config) = config else {
            if existed {
                self.config.configured.tasks_of[place] = None;
                self.config_changed(connector);
                self.everyone_rejoins();
            }
            return;
        };
        let old_state = self.config.states[place];
        if let Some(state) = config.state {
            self.config.states[place] = state;
        }
        if !existed {
            // A new connector: all ask for a rebalance; its instance will write the task configs.
            self.config.configured.tasks_of[place] = Some(0);
            self.config.wanted_tasks[place] = config.tasks;
            self.config_changed(connector);
            self.everyone_rejoins();
            return;
        }
        let old_tasks = self.config.configured.tasks_of[place];
        let state_changed = config.state.is_some_and(|state| state != old_state);
        let stops = state_changed && config.state == Some(ConnectorState::Stopped);
        let resumes = state_changed && old_state == ConnectorState::Stopped;
        // The same number of tasks beside a new state says nothing new; alone, it is a changed configuration.
        let reconfigured = config.tasks.is_some() && (config.tasks != old_tasks || !state_changed);
        if stops {
            // A stop first writes an empty set of task configs: all ask for a rebalance, in which
            // the tasks are revoked as deleted.
            self.config.configured.tasks_of[place] = Some(0);
            self.config.wanted_tasks[place] = None;
            self.config_changed(connector);
            self.everyone_rejoins();
            return;
        }
        if reconfigured || resumes {
            self.config.wanted_tasks[place] = config.tasks;
        }
        self.stale_configs();
        if reconfigured && let Some(leader) = self.leading_worker() {
            // The leader's herder wrote the record, and its own listener has woken it once more than needed.
            self.wakes_up(leader, latency::CONFIG_RECORD);
        }
        if self.config.wanted_tasks[place].is_some() {
            // The instance is restarted where it runs, and asked for its task configs.
            let unit = Unit::connector(&self.cluster.work, connector);
            let held = self.instances.of(unit).next().map(|instance| (instance.worker, instance.token));
            if let Some((owner, token)) = held {
                self.waves += 1;
                self.queue.push(self.now + latency::TASK_CONFIGS, Event::Reconfigure(connector, token.0));
                self.wakes_up(owner, latency::TASK_CONFIGS);
            }
        }
    }

    /// An instance has started: it is asked for its task configs, which may differ from the stored ones.
    pub(super) fn instance_started(&mut self, connector: ConnectorId, token: Token) {
        let place = connector.index();
        let after = if let Some(spread) = &self.cluster.connectors[place].reconfigures_after {
            Some(self.chance.draw(spread))
        } else {
            self.config.wanted_tasks[place].map(|_| latency::FIRST_TASK_CONFIGS)
        };
        if let Some(after) = after {
            self.waves += 1;
            self.queue.push(self.now + after, Event::TaskConfigs(connector, token.0));
        }
    }

    /// The owner's herder gets to the request for new task configs once it is back from a rebalance.
    pub(super) fn reconfigure(&mut self, connector: ConnectorId, token: u32) {
        let unit = Unit::connector(&self.cluster.work, connector);
        let owner = self.instances.of(unit).find(|instance| instance.token.0 == token).map(|instance| instance.worker);
        let Some(owner) = owner else {
            self.waves -= 1;
            return;
        };
        let run = &self.workers[owner.index()];
        let joining = run.learn_at.is_some() || run.member.is_some_and(|member| self.group.awaits_join(member));
        if joining || !run.resolved {
            self.queue.push(self.now + latency::TASK_CONFIGS, Event::Reconfigure(connector, token));
        } else {
            self.queue.push(self.now + latency::TASK_CONFIGS, Event::TaskConfigs(connector, token));
        }
    }

    /// The connector's task configs are written to the topic.
    pub(super) fn task_configs(&mut self, connector: ConnectorId, token: u32) {
        let unit = Unit::connector(&self.cluster.work, connector);
        let Some(_) = self.instances.of(unit).find(|instance| instance.token.0 == token) else {
            self.waves -= 1;
            return;
        };
        let place = connector.index();
        match self.config.wanted_tasks[place].take() {
            Some(tasks) => self.config.configured.tasks_of[place] = Some(tasks),
            None if self.cluster.connectors[place].reconfigures_after.is_none() => {
                // Equal to what is stored: nothing is written.
                self.waves -= 1;
                return;
            }
            None => {}
        }
        self.config.offset += 1;
        self.config.unfenced[place] = true;
        self.config_changed(connector);
        self.queue.push(self.now + latency::CONFIG_RECORD, Event::TaskConfigsSeen(connector));
    }

    /// Every worker stops its tasks of the connector and asks for a rebalance.
    pub(super) fn task_configs_seen(&mut self, connector: ConnectorId) {
        self.waves -= 1;
        let tasks: Vec<_> = self.cluster.work.tasks_of(connector).collect();
        for place in 0..self.workers.len() {
            let worker = WorkerId(u32::try_from(place).unwrap_or(u32::MAX));
            let run = &self.workers[place];
            // Under eager everything stops anyway before the join.
            if run.alive != Alive::Up || run.believes == ConnectProtocol::Eager || !run.resolved {
                continue;
            }
            let mut end = self.now;
            for &task in &tasks {
                let unit = Unit::task(task);
                if self.instances.on(unit, worker).is_some() {
                    let (length, _) = self.stop_length(unit, worker);
                    end = end.max(self.now + length);
                    self.end_instance(unit, worker, TaskState::Stopped);
                }
            }
            let run = &mut self.workers[place];
            run.busy_until = run.busy_until.max(end);
            run.unstarted = true;
        }
        self.everyone_rejoins();
    }

    /// All live workers ask for a rebalance by themselves, now or once they are free.
    fn everyone_rejoins(&mut self) {
        for place in 0..self.workers.len() {
            let worker = WorkerId(u32::try_from(place).unwrap_or(u32::MAX));
            let run = &mut self.workers[place];
            if run.alive != Alive::Up {
                continue;
            }
            run.metadata += 1;
            run.config_offset = self.config.offset;
            let waits = run.member.is_none_or(|member| self.group.awaits_join(member)) || run.syncs || !run.resolved;
            if waits {
                run.wants_rebalance = true;
            } else {
                self.wish_to_join(worker, self.now + latency::CONFIG_RECORD, Wish::Config);
            }
        }
    }

    /// During a delay a changed config offset makes a worker join at its next wake-up.
    fn stale_configs(&mut self) {
        for place in 0..self.workers.len() {
            let worker = WorkerId(u32::try_from(place).unwrap_or(u32::MAX));
            if self.workers[place].deadline.is_none() || self.workers[place].alive != Alive::Up {
                continue;
            }
            if std::mem::replace(&mut self.workers[place].stale_config, true) {
                self.wakes_up(worker, latency::TASK_CONFIGS);
            }
        }
    }

    /// The herder is woken: if it holds a stale config during a delay it joins.
    fn wakes_up(&mut self, worker: WorkerId, after: Duration) {
        let run = &mut self.workers[worker.index()];
        if run.stale_config && run.deadline.is_some() {
            run.stale_config = false;
            run.metadata += 1;
            run.config_offset = self.config.offset;
            self.wish_to_join(worker, self.now + after, Wish::Config);
        }
    }
}
