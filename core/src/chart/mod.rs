//! Pictures as SVG: who runs what, what nobody has, what falls behind, what a delay costs, and
//! variants side by side.
//!
//! Nothing is measured or drawn by the machine: letters are as wide as a table says, points lie
//! on whole pixels, so that a picture has the same bytes on every platform. Each says in its
//! title what it shows, labels what it draws where it is drawn, and tells nothing by colour
//! alone. [`Look`] decides width and paper.
//!
//! ```text
//!  Timeline, Lag, prices ─► roll, unassigned, lag, delay, variants ─► sheet ─► svg ─► text
//!                                 course, steps │ axis, signs, key, letters
//! ```

mod axis;
mod course;
mod delay;
mod heading;
mod key;
mod lag;
mod letters;
mod look;
mod palette;
mod roll;
mod sheet;
mod signs;
mod steps;
mod svg;
mod unassigned;
mod variants;
mod words;

pub use delay::{DelayPoint, Delays, delay};
pub use lag::lag;
pub use letters::width as text_width;
pub use look::{Look, Theme};
pub use roll::roll;
pub use unassigned::unassigned;
pub use variants::{Variant, variants};

use crate::assessment::{Impact, shown_until};
use crate::model::{Cluster, Policy};
use crate::simulation::Timeline;
use crate::units::{Duration, SimTime};

/// One run that is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The cluster.
    pub cluster: &'a Cluster,
    /// What the operator demands.
    pub policy: &'a Policy,
    /// What happened.
    pub timeline: &'a Timeline,
    /// What it costs.
    pub impact: &'a Impact,
    /// Which roll it is and how one knows, in a sentence or two.
    pub about: &'a str,
}

/// Where a picture of a run ends: a little after its last change, so that one sees what remains.
fn until(run: &Run<'_>, levels: &[(SimTime, usize)]) -> SimTime {
    let last = shown_until(run.timeline, levels);
    last + Duration::from_micros((last - run.timeline.began).as_micros() / 50)
}
