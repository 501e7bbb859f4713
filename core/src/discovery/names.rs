//! Short names for workers, from the addresses that they advertise.

use std::collections::BTreeSet;

use crate::snapshot::Address;

/// A name for each address, all different: the host up to its first dot where that tells them
/// apart, else the host, else `w1`, `w2` and so on where all are on one host, else host and port.
pub(super) fn of(urls: &[&str]) -> Vec<String> {
    let hosts: Vec<String> = urls.iter().map(|url| host(url)).collect();
    let short: Vec<String> = hosts.iter().map(|host| first_label(host).to_owned()).collect();
    if differ(&short) {
        return short;
    }
    if differ(&hosts) {
        return hosts;
    }
    if hosts.windows(2).all(|two| two[0] == two[1]) {
        let mut order: Vec<usize> = (0..urls.len()).collect();
        order.sort_by_key(|&place| (port(urls[place]), urls[place]));
        let mut names = vec![String::new(); urls.len()];
        for (number, place) in order.into_iter().enumerate() {
            names[place] = format!("w{}", number + 1);
        }
        return names;
    }
    urls.iter().map(|url| Address::of_url(url).to_string()).collect()
}

/// The host of an address, an IPv6 one without its brackets.
pub(super) fn host(url: &str) -> String {
    let address = Address::of_url(url).to_string();
    let host = address.rsplit_once(':').map_or(address.as_str(), |(host, _)| host);
    host.trim_start_matches('[').trim_end_matches(']').to_owned()
}

/// Sorts `w2` before `w10`.
pub(super) fn natural(name: &str) -> (&str, u64, &str) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().unwrap_or(0), name)
}

/// The host up to its first dot; an address of numbers as a whole.
fn first_label(host: &str) -> &str {
    let numbers = host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') || host.contains(':');
    if numbers { host } else { host.split('.').next().unwrap_or(host) }
}

fn port(url: &str) -> u32 {
    let address = Address::of_url(url).to_string();
    address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).unwrap_or(0)
}

fn differ(names: &[String]) -> bool {
    names.iter().all(|name| !name.is_empty()) && names.iter().collect::<BTreeSet<_>>().len() == names.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_they_can_be_and_differ() {
        let cases: [(&[&str], &[&str]); 6] = [
            (&["http://w1.example.com:8083/", "http://w2.example.com:8083"], &["w1", "w2"]),
            (&["http://w.a.example:8083", "http://w.b.example:8083"], &["w.a.example", "w.b.example"]),
            (&["http://10.0.0.1:8083", "http://10.0.0.2:8083"], &["10.0.0.1", "10.0.0.2"]),
            (&["http://127.0.0.1:18090", "http://127.0.0.1:9999"], &["w2", "w1"]),
            (&["http://a:1", "http://a:2", "http://b:1"], &["a:1", "a:2", "b:1"]),
            (&["http://[::1]:8083", "http://[::2]:8083"], &["::1", "::2"]),
        ];
        for (urls, names) in cases {
            assert_eq!(of(urls), names, "{urls:?}");
        }
    }

    #[test]
    fn numbers_at_the_end_count() {
        let mut names = vec!["w10", "w9", "b", "w"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["b", "w", "w9", "w10"]);
    }
}
