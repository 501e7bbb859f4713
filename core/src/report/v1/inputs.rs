//! What a document was computed from.

use serde::Serialize;

use crate::description;
use crate::model::{Cluster, Policy};
use crate::report::Described;
use crate::seal::sha256;
use crate::text::Files;

/// The files as they were, and what they mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InputsV1 {
    /// The description first, then what its `settings_from` names, sorted. Only those that were there.
    pub files: Vec<FileV1>,
    /// Everything they mean, as a description that needs no other file and assumes nothing:
    /// what was computed can be computed from it again.
    pub description: Described,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileV1 {
    /// Its name: that of the description without its folder, others as `settings_from` has them.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

impl InputsV1 {
    /// What the file `main` and the files that it names were read as.
    pub fn new(files: &Files, main: &str, cluster: &Cluster, policy: &Policy) -> Self {
        let text = files.get(main).unwrap_or_default();
        let named = description::Description::referenced_files(text);
        let own = main.rsplit(['/', '\\']).next().unwrap_or(main).to_owned();
        let file = |name: String, text: &str| FileV1 { name, sha256: sha256(text.as_bytes()) };
        let others = named.into_iter().filter_map(|name| Some(file(name.clone(), files.get(&name)?)));
        Self {
            files: std::iter::once(file(own, text)).chain(others).collect(),
            description: crate::report::description(cluster, policy),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::read;

    #[test]
    fn inputs_name_each_file_and_say_everything() {
        let mut files = Files::default();
        files.insert("plans/cluster.yaml", CLUSTER);
        files.insert("worker.properties", "session.timeout.ms=9000\n");
        files.insert("other.properties", "nobody names it");
        let (cluster, policy) = read(&files, "plans/cluster.yaml").unwrap();
        let inputs = InputsV1::new(&files, "plans/cluster.yaml", &cluster, &policy);
        let names: Vec<&str> = inputs.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["cluster.yaml", "worker.properties"]);
        assert_eq!(inputs.files[1].sha256, sha256(b"session.timeout.ms=9000\n"));
        let json = serde_json::to_value(&inputs).unwrap();
        assert_eq!(json["description"]["settings"]["session.timeout.ms"], 9000);
        assert_eq!(json["description"]["restart"]["stop"], "1s");
    }

    const CLUSTER: &str =
        "version: 1\nkafka: 4.3.1\nworkers: 2\nsettings_from: worker.properties\nconnectors: {a: 3}\n";
}
