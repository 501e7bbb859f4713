//! What changes in steps, column by column, so that nothing short gets lost between two pixels.

use super::axis::TimeScale;
use super::sheet::Point;
use crate::units::SimTime;

/// The most that holds within each pixel column of a scale, from its left edge on.
pub(super) fn columns(levels: &[(SimTime, usize)], scale: &TimeScale) -> Vec<usize> {
    let count = usize::try_from(scale.right - scale.left).unwrap_or(0).max(1);
    let mut columns = vec![0; count];
    for (place, &(from, level)) in levels.iter().enumerate() {
        let until = levels.get(place + 1).map_or(scale.to, |(at, _)| *at);
        if until < scale.from || from > scale.to {
            continue;
        }
        let first = column(scale, from).min(count - 1);
        let last = column(scale, until).max(first + 1).min(count);
        for most in &mut columns[first..last] {
            *most = level.max(*most);
        }
    }
    columns
}

/// The runs of equal columns: left, right, level.
pub(super) fn runs(columns: &[usize], left: i32) -> Vec<(i32, i32, usize)> {
    let mut runs = Vec::new();
    let mut at = left;
    for run in columns.chunk_by(|one, other| one == other) {
        let until = at + i32::try_from(run.len()).unwrap_or(0);
        runs.push((at, until, run[0]));
        at = until;
    }
    runs
}

/// The outline of the area under steps: up and down over a floor.
pub(super) fn outline(runs: &[(i32, i32, usize)], floor: i32, y: impl Fn(usize) -> i32) -> Vec<Vec<Point>> {
    let mut shapes = Vec::new();
    for hill in runs.split(|run| run.2 == 0).filter(|hill| !hill.is_empty()) {
        let mut points = vec![(hill[0].0, floor)];
        for &(from, until, level) in hill {
            points.extend([(from, y(level)), (until, y(level))]);
        }
        points.push((hill[hill.len() - 1].1, floor));
        shapes.push(points);
    }
    shapes
}

fn column(scale: &TimeScale, at: SimTime) -> usize {
    usize::try_from(scale.x(at) - scale.left).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Duration;

    #[test]
    fn what_is_shorter_than_a_pixel_still_shows() {
        let at = |millis| SimTime::ZERO + Duration::from_millis(millis);
        let scale = TimeScale::new(at(0), at(10_000), 100, 110);
        let columns = columns(&[(at(2_100), 3), (at(2_200), 0), (at(6_000), 1)], &scale);
        assert_eq!(columns, [0, 0, 3, 0, 0, 0, 1, 1, 1, 1]);
        let runs = runs(&columns, scale.left);
        assert_eq!(runs, [(100, 102, 0), (102, 103, 3), (103, 106, 0), (106, 110, 1)]);
        let shapes = outline(&runs, 50, |level| 50 - i32::try_from(level).unwrap());
        assert_eq!(shapes[0], [(102, 50), (102, 47), (103, 47), (103, 50)]);
        assert_eq!(shapes.len(), 2);
    }
}
