//! Cutting a failing history down to what makes it fail.

use super::{Event, History};

/// The smallest history found that still fails.
pub fn shrink(history: &History, mut fails: impl FnMut(&History) -> bool) -> History {
    let mut smallest = history.clone();
    let mut tries = 0;
    loop {
        let found = smaller(&smallest).find(|candidate| {
            tries += 1;
            tries <= MOST_TRIES && fails(candidate)
        });
        match found {
            Some(found) => smallest = found,
            None => return smallest,
        }
    }
}

/// Histories that are a little smaller, the boldest cuts first.
fn smaller(history: &History) -> impl Iterator<Item = History> {
    let length = history.events.len();
    let cuts = (0..usize::BITS).map(move |halvings| length >> halvings).take_while(|size| *size > 0);
    let cuts = cuts.flat_map(move |size| (0..length).step_by(size).map(move |from| (from, size)));
    let without_events = cuts.map(move |(from, size)| {
        let mut smaller = history.clone();
        smaller.events.drain(from..length.min(from + size));
        smaller
    });
    let fewer_workers = (1..history.workers).map(move |workers| History { workers, ..history.clone() });
    let fewer_tasks = (0..history.connectors.len()).flat_map(move |connector| {
        let (_, most, now) = &history.connectors[connector];
        let mut candidates = Vec::new();
        if now.is_some() {
            candidates.push((*most, None));
        }
        for most in [0, most / 2, most.saturating_sub(1)] {
            if most < history.connectors[connector].1 {
                candidates.push((most, now.map(|now| now.min(most))));
            }
        }
        candidates.into_iter().map(move |(most, now)| {
            let mut smaller = history.clone();
            smaller.connectors[connector].1 = most;
            smaller.connectors[connector].2 = now;
            for event in &mut smaller.events {
                if let Event::Configure(number, Some(tasks)) = event
                    && *number as usize == connector
                {
                    *tasks = (*tasks).min(most);
                }
            }
            smaller
        })
    });
    let last = history.connectors.len().saturating_sub(1);
    let fewer_connectors = (last > 0).then(|| {
        let mut smaller = history.clone();
        smaller.connectors.pop();
        smaller.events.retain(|event| !matches!(event, Event::Configure(number, _) if *number as usize == last));
        smaller
    });
    let simpler_ids = (!history.ids.is_empty()).then(|| History { ids: Vec::new(), ..history.clone() });
    let simpler_delays = (history.delays != [300_000]).then(|| History { delays: vec![300_000], ..history.clone() });
    let partial = |event: &Event| matches!(event, Event::Round(seen) if *seen != u32::MAX);
    let all_see = (0..length).filter(move |place| partial(&history.events[*place])).map(move |place| {
        let mut smaller = history.clone();
        smaller.events[place] = Event::Round(u32::MAX);
        smaller
    });
    without_events
        .chain(fewer_connectors)
        .chain(fewer_workers)
        .chain(fewer_tasks)
        .chain(simpler_ids)
        .chain(simpler_delays)
        .chain(all_see)
}

const MOST_TRIES: u32 = 4_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::draw;

    #[test]
    fn a_history_shrinks_to_the_events_that_matter() {
        let has_two_rounds =
            |history: &History| history.events.iter().filter(|event| matches!(event, Event::Round(_))).count() >= 2;
        let smallest = shrink(&draw(7), has_two_rounds);
        assert_eq!(smallest.events, [Event::Round(u32::MAX), Event::Round(u32::MAX)]);
        assert_eq!((smallest.workers, smallest.connectors.len(), smallest.connectors[0].1), (1, 1, 0));
    }
}
