//! A description as a tree whose maps keep their order, before it is JSON or YAML.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A piece of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Described {
    /// Keys and what stands there, in the order of writing.
    Map(Vec<(String, Self)>),
    /// A list.
    List(Vec<Self>),
    /// A word, a name, or a quantity with its unit.
    Text(String),
    /// A whole number.
    Number(i64),
    /// `true` or `false`.
    Flag(bool),
}

impl Described {
    /// A map with nothing in it.
    pub(in crate::report) const fn map() -> Self {
        Self::Map(Vec::new())
    }

    /// The map with one key more.
    pub(in crate::report) fn with(self, key: impl Into<String>, value: impl Into<Self>) -> Self {
        self.with_some(key, Some(value))
    }

    /// The map with one key more, if there is something to say.
    pub(in crate::report) fn with_some(mut self, key: impl Into<String>, value: Option<impl Into<Self>>) -> Self {
        if let (Self::Map(entries), Some(value)) = (&mut self, value) {
            entries.push((key.into(), value.into()));
        }
        self
    }

    /// Itself, unless it is a map or a list without anything in it.
    pub(in crate::report) fn unless_empty(self) -> Option<Self> {
        let empty = match &self {
            Self::Map(entries) => entries.is_empty(),
            Self::List(items) => items.is_empty(),
            _ => false,
        };
        (!empty).then_some(self)
    }
}

impl Serialize for Described {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
        }
    }
}

impl From<String> for Described {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Described {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Described {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Described {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<bool> for Described {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<Vec<Self>> for Described {
    fn from(items: Vec<Self>) -> Self {
        Self::List(items)
    }
}
