//! Names that must be shortened.

/// Names as `fitted` shortens each, such that no two that differ look alike: where they would,
/// what those begin and end with alike goes; where even that is not enough, their places tell.
pub fn told_apart(names: &[&str], fitted: impl Fn(&str) -> String) -> Vec<String> {
    let mut labels: Vec<String> = names.iter().map(|name| fitted(name)).collect();
    for group in look_alikes(names, &labels) {
        let own = own_parts(&group.iter().map(|&place| names[place]).collect::<Vec<_>>());
        for (&place, own) in group.iter().zip(own) {
            labels[place] = fitted(&own);
        }
    }
    for place in look_alikes(names, &labels).into_iter().flatten() {
        labels[place] = fitted(&format!("{}: {}", place + 1, labels[place]));
    }
    labels
}

/// The places of names that differ but are labelled alike, each group together.
fn look_alikes(names: &[&str], labels: &[String]) -> Vec<Vec<usize>> {
    let mut places: Vec<usize> = (0..names.len()).collect();
    places.sort_by_key(|&place| (&labels[place], place));
    let groups = places.chunk_by(|&one, &other| labels[one] == labels[other]);
    let differ = |group: &&[usize]| group.iter().any(|&place| names[place] != names[group[0]]);
    groups.filter(differ).map(<[usize]>::to_vec).collect()
}

/// Names without what all of them begin with and all of them end with.
fn own_parts(names: &[&str]) -> Vec<String> {
    let all: Vec<Vec<char>> = names.iter().map(|name| name.chars().collect()).collect();
    let shortest = all.iter().map(Vec::len).min().unwrap_or(0);
    let head = (0..shortest).take_while(|&at| all.iter().all(|name| name[at] == all[0][at])).count();
    let from_end = |name: &[char], back: usize| name[name.len() - back];
    let tail = (1..=shortest - head)
        .take_while(|&back| all.iter().all(|name| from_end(name, back) == from_end(&all[0], back)))
        .count();
    let (before, after) = (if head > 0 { "…" } else { "" }, if tail > 0 { "…" } else { "" });
    let own = |name: &Vec<char>| name[head..name.len() - tail].iter().collect::<String>();
    all.iter().map(|name| format!("{before}{}{after}", own(name))).collect()
}
