//! What the table of keys says of a key, for those who ask by name.

use super::keys::DESCRIPTION;
use super::shape::{Key, Shape};
use super::synonyms::key_meant;

/// What a description may say at one or several places, in the same words at each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDoc {
    /// Where it stands, a dot for each level; `*` is a worker or a connector by its name.
    pub paths: Vec<String>,
    /// What it means, with unit and default.
    pub meaning: &'static str,
    /// What may stand there, to follow "a value is".
    pub values: String,
    /// Whether it must be there.
    pub required: bool,
}

impl KeyDoc {
    /// All keys of a description, in the order of the table. Kafka's own settings are not among them.
    pub fn all() -> Vec<Self> {
        let mut docs = Vec::new();
        collect("", &DESCRIPTION, &mut docs);
        docs
    }

    /// What a name stands for, a whole path or the last words of some; what stands higher up first.
    pub fn find(name: &str) -> Vec<Self> {
        let plain = name.trim().to_lowercase();
        if plain.is_empty() {
            return Vec::new();
        }
        let last = format!(".{plain}");
        let mut found: Vec<Self> = Self::all();
        found.retain(|doc| doc.paths.iter().any(|path| *path == plain || path.ends_with(&last)));
        found.sort_by_key(|doc| doc.paths.iter().map(|path| levels(path)).min());
        found
    }
}

/// Where a key stands that was written at another place, or by another word for it.
pub(super) fn elsewhere(word: &str) -> Option<String> {
    let name = key_meant(word).map_or_else(|| word.replace('-', "_"), str::to_owned);
    KeyDoc::find(&name).first().and_then(|doc| doc.paths.first().cloned())
}

fn collect(prefix: &str, shape: &'static Shape, docs: &mut Vec<KeyDoc>) {
    match shape {
        Shape::Map(keys) if is_range(keys) => {}
        Shape::Map(keys) => {
            for key in *keys {
                let path = if prefix.is_empty() { key.name.to_owned() } else { format!("{prefix}.{}", key.name) };
                add(&path, key, docs);
                collect(&path, key.shape, docs);
            }
        }
        // A worker or a connector is found by its name in a list, too.
        Shape::Names(inner) | Shape::List(inner) | Shape::Filled(inner) => {
            collect(&format!("{prefix}.*"), inner, docs);
        }
        Shape::Any(shapes) => shapes.iter().for_each(|shape| collect(prefix, shape, docs)),
        Shape::Settings(_) | Shape::Leaf(_) => {}
    }
}

fn add(path: &str, key: &'static Key, docs: &mut Vec<KeyDoc>) {
    let last = |path: &String| path.rsplit('.').next().map(str::to_owned);
    let same = |doc: &&mut KeyDoc| doc.meaning == key.doc && doc.paths.first().and_then(last) == last(&path.to_owned());
    if let Some(doc) = docs.iter_mut().find(same) {
        if doc.paths.iter().all(|known| known != path) {
            doc.paths.push(path.to_owned());
            doc.paths.sort_by_key(|path| levels(path));
        }
        return;
    }
    let (values, required) = (key.shape.wanted(), key.required);
    docs.push(KeyDoc { paths: vec![path.to_owned()], meaning: key.doc, values, required });
}

fn levels(path: &str) -> usize {
    path.matches('.').count()
}

/// The limits of a range can stand wherever a time can.
fn is_range(keys: &[Key]) -> bool {
    keys.iter().all(|key| matches!(key.name, "from" | "to"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(name: &str) -> Vec<Vec<String>> {
        KeyDoc::find(name).into_iter().map(|doc| doc.paths).collect()
    }

    #[test]
    fn a_key_is_found_by_its_last_words_and_by_its_path() {
        assert_eq!(paths("at_once"), [["policy.at_once"]]);
        assert_eq!(paths("policy.window"), [["policy.window"]]);
        assert_eq!(paths("Restart.Down"), [["restart.down", "workers.*.restart.down"]]);
        assert!(paths("window_of").is_empty() && paths("").is_empty());
    }

    #[test]
    fn a_key_that_means_different_things_is_told_place_by_place() {
        let stop = paths("stop");
        assert_eq!(stop, [vec!["restart.stop", "workers.*.restart.stop"], vec!["connectors.*.stop"]]);
    }

    #[test]
    fn each_path_stands_in_one_text_only() {
        let mut all: Vec<String> = KeyDoc::all().into_iter().flat_map(|doc| doc.paths).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
