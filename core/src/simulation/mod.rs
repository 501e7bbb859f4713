//! A run of a cluster through time.

mod timeline;

pub use timeline::{
    Change, ConnectorChange, Process, ProcessChange, Round, RoundMember, TaskChange, TaskState, Timeline,
};
