//! The versions of the workers, as their REST ports say them.

use std::collections::BTreeMap;

use super::Unclear;
use crate::model::KafkaVersion;
use crate::snapshot::{Address, Snapshot};

/// The version of most workers, and of each of `urls` its own where it differs.
pub(super) fn of(
    snapshot: &Snapshot,
    urls: &[&str],
    remarks: &mut Vec<String>,
) -> Result<(String, Vec<Option<String>>), Unclear> {
    let said = |url: &str| {
        let address = Address::of_url(url);
        let endpoint = snapshot.endpoints.iter().find(|endpoint| Address::of_url(&endpoint.url) == address)?;
        Some(endpoint.version.known()?.version.as_str())
    };
    // An address that no member advertises may be one more way to a worker.
    let others = snapshot.endpoints.iter().filter_map(|endpoint| Some(endpoint.version.known()?.version.as_str()));
    let own: Vec<Option<&str>> = urls.iter().map(|url| said(url)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for version in own.iter().copied().flatten().chain(others.take_while(|_| own.iter().all(Option::is_none))) {
        *counts.entry(version).or_default() += 1;
    }
    // Of two that as many run, the greater text: any would do, but it must be one.
    let Some((most, _)) = counts.iter().max_by_key(|(_, count)| **count) else {
        return Err(Unclear::new(
            "no worker says which version it runs",
            "give the workers' REST addresses with --connect; each tells its version at GET /",
        ));
    };
    for version in counts.keys() {
        if let Err(wrong) = KafkaVersion::parse(version) {
            return Err(Unclear::new(
                format!("a worker says that it runs {version}: {wrong}"),
                "describe the cluster by hand, with the Kafka version that it contains",
            ));
        }
    }
    let silent: Vec<&str> = urls.iter().zip(&own).filter(|(_, own)| own.is_none()).map(|(url, _)| *url).collect();
    if let [first, rest @ ..] = silent.as_slice() {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        remarks.push(format!("The version of {first}{more} is not known: {most}, as the others, is taken."));
    }
    let differing = own.iter().map(|own| own.filter(|own| own != most).map(str::to_owned)).collect();
    Ok(((*most).to_owned(), differing))
}
