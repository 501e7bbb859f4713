//! Explanations.

use serde::Serialize;

use super::{SCHEMA_VERSION, rounded};
use crate::assessment::Figure;
use crate::description::KeyDoc;
use crate::explain::{ELSEWHERE, KNOWN_SOURCE, SETTINGS, TERMS, Topic, about, keys_of, rules_of, terms_of};
use crate::finding::{Confidence, Severity};
use crate::lint::RULES;
use crate::report::{Explained, Shown};

/// What `rollgate explain NAME -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainV1 {
    /// 1.
    pub schema_version: u32,
    /// `explain`.
    pub command: &'static str,
    /// What it is.
    #[serde(flatten)]
    pub topic: TopicV1,
}

/// A rule, a setting, a key or a term.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum TopicV1 {
    /// A rule of `lint`.
    Rule(Box<RuleV1>),
    /// A setting of Kafka.
    Setting(SettingV1),
    /// A key of a description.
    Key(KeyV1),
    /// A term.
    Term(TermV1),
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleV1 {
    /// Its id.
    pub name: &'static str,
    /// The pattern in one line.
    pub title: &'static str,
    /// How bad it usually is.
    pub severity: Severity,
    /// How sure it usually is.
    pub confidence: Confidence,
    /// What it finds.
    pub finds: &'static str,
    /// Why it hurts.
    pub hurts: &'static str,
    /// What to do.
    pub todo: &'static str,
    /// When it can be wrong.
    pub wrong: &'static str,
    /// Where the facts come from.
    pub sources: &'static [&'static str],
    /// The settings it is about.
    pub settings: &'static [&'static str],
    /// The example as it was simulated.
    pub example: Option<ExampleV1>,
}

/// An example.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExampleV1 {
    /// The number that repeats it.
    pub seed: u64,
    /// How many runs it was drawn from.
    pub runs: u32,
    /// What the rule finds.
    pub bad: SideV1,
    /// What it advises.
    pub better: SideV1,
}

/// One of its two rolls; the figures are medians.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideV1 {
    /// What is done.
    pub what: &'static str,
    /// The description.
    pub description: &'static str,
    /// The order.
    pub order: &'static str,
    /// The wait.
    pub wait: &'static str,
    /// Task-seconds without an owner.
    pub unassigned_task_seconds: f64,
    /// The longest of one task, in seconds.
    pub longest_seconds: f64,
    /// The largest share at one instant.
    pub peak_share: f64,
    /// Tasks that nobody has at the end.
    pub left_unassigned: f64,
    /// Seconds until all is settled; none if that never comes.
    pub duration_seconds: Option<f64>,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingV1 {
    /// Kafka's name.
    pub name: &'static str,
    /// Whose it is.
    pub of: &'static str,
    /// What it does in a roll.
    pub meaning: &'static str,
    /// Kafka's default.
    pub default: Option<&'static str>,
    /// The version that brought it, and what has changed since.
    pub since: String,
    /// Where that stands.
    pub source: &'static str,
    /// The rules that are about it.
    pub rules: Vec<&'static str>,
}

/// A key of a description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyV1 {
    /// As it was asked for.
    pub name: String,
    /// What it means, place by place where that differs.
    pub places: Vec<KeyPlaceV1>,
    /// The terms it has to do with.
    pub see: Vec<&'static str>,
}

/// What a key means where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyPlaceV1 {
    /// Where, a dot for each level; `*` is a worker or a connector by its name.
    pub paths: Vec<String>,
    /// What it means, with unit and default.
    pub meaning: &'static str,
    /// What may stand there.
    pub values: String,
    /// Whether it must be there.
    pub required: bool,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TermV1 {
    /// Its name.
    pub name: &'static str,
    /// Other names of it.
    pub also: &'static [&'static str],
    /// What it means.
    pub meaning: &'static str,
    /// The keys of a description that are called so.
    pub keys: Vec<String>,
    /// What to ask for next.
    pub see: &'static [&'static str],
    /// Where it comes from.
    pub source: &'static str,
}

/// What `rollgate explain -o json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TopicsV1 {
    /// 1.
    pub schema_version: u32,
    /// `explain`.
    pub command: &'static str,
    /// The rules.
    pub rules: Vec<NamedV1>,
    /// The settings.
    pub settings: Vec<NamedV1>,
    /// The keys of a description.
    pub keys: Vec<NamedV1>,
    /// The terms.
    pub terms: Vec<NamedV1>,
}

/// A name and what it stands for, in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedV1 {
    /// The name.
    pub name: String,
    /// A line about it.
    pub about: String,
}

impl ExplainV1 {
    /// An explanation.
    pub fn new(explained: &Explained) -> Self {
        let topic = match &explained.topic {
            Topic::Rule(rule) => TopicV1::Rule(Box::new(RuleV1 {
                name: rule.id,
                title: rule.title,
                severity: rule.severity,
                confidence: rule.confidence,
                finds: rule.finds,
                hurts: rule.hurts,
                todo: rule.todo,
                wrong: rule.wrong,
                sources: rule.sources,
                settings: rule.settings,
                example: explained.example.as_ref().map(|[bad, better]| ExampleV1 {
                    seed: explained.seed.0,
                    runs: explained.runs,
                    bad: SideV1::new(bad),
                    better: SideV1::new(better),
                }),
            })),
            Topic::Setting(setting) => TopicV1::Setting(SettingV1 {
                name: setting.name,
                of: setting.of.words(),
                meaning: setting.meaning,
                default: Some(setting.default),
                since: setting.since.to_owned(),
                source: setting.source,
                rules: rules_of(setting.name).map(|rule| rule.id).collect(),
            }),
            Topic::Known(known) => {
                let (of, since) = about(known);
                TopicV1::Setting(SettingV1 {
                    name: known.name,
                    of,
                    meaning: ELSEWHERE,
                    default: None,
                    since,
                    source: KNOWN_SOURCE,
                    rules: rules_of(known.name).map(|rule| rule.id).collect(),
                })
            }
            Topic::Key(name, places) => TopicV1::Key(KeyV1 {
                name: name.clone(),
                places: places.iter().map(KeyPlaceV1::new).collect(),
                see: terms_of(name, places),
            }),
            Topic::Term(term) => TopicV1::Term(TermV1 {
                name: term.name,
                also: term.also,
                meaning: term.meaning,
                keys: keys_of(term),
                see: term.see,
                source: term.source,
            }),
        };
        Self { schema_version: SCHEMA_VERSION, command: "explain", topic }
    }
}

impl KeyPlaceV1 {
    fn new(doc: &KeyDoc) -> Self {
        let KeyDoc { paths, meaning, values, required } = doc.clone();
        Self { paths, meaning, values, required }
    }
}

impl SideV1 {
    fn new(shown: &Shown) -> Self {
        let median = |figure| shown.distribution.of(figure).median;
        let duration = median(Figure::Duration);
        Self {
            what: shown.side.what,
            description: shown.side.description,
            order: shown.side.order,
            wait: shown.side.wait,
            unassigned_task_seconds: rounded(median(Figure::Unassigned)),
            longest_seconds: rounded(median(Figure::Longest)),
            peak_share: rounded(median(Figure::Peak)),
            left_unassigned: median(Figure::LeftUnassigned),
            duration_seconds: duration.is_finite().then(|| rounded(duration)),
        }
    }
}

impl TopicsV1 {
    /// All that can be asked for.
    pub fn new() -> Self {
        let named = |name: &str, about: &str| NamedV1 { name: name.to_owned(), about: about.to_owned() };
        let keys = KeyDoc::all();
        let keys = keys.iter().filter_map(|doc| Some(named(doc.paths.first()?, first_sentence(doc.meaning))));
        Self {
            schema_version: SCHEMA_VERSION,
            command: "explain",
            rules: RULES.iter().map(|rule| named(rule.id, rule.title)).collect(),
            settings: SETTINGS.iter().map(|setting| named(setting.name, setting.of.words())).collect(),
            keys: keys.collect(),
            terms: TERMS.iter().map(|term| named(term.name, first_sentence(term.meaning))).collect(),
        }
    }
}

impl Default for TopicsV1 {
    fn default() -> Self {
        Self::new()
    }
}

/// Up to the first full stop that ends a sentence.
pub(in crate::report) fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}
