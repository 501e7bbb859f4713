//! What tells whether a document is still the one that was written.
//!
//! A plan is read again by the gate, days later perhaps: its digest shows a change by mistake.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A document and its digest, as the last key of the same object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sealed<D> {
    /// The document.
    #[serde(flatten)]
    pub document: D,
    /// SHA-256, in hexadecimal, of the document without this key: as JSON without white space,
    /// the keys of each object sorted by their characters, numbers without a fraction as whole
    /// numbers. It survives being formatted anew, as YAML too, and no change of what is said.
    pub hash: String,
}

/// The document with its digest.
///
/// # Panics
/// If the document is no object with text keys.
pub fn sealed<D: Serialize>(document: D) -> Sealed<D> {
    let value = serde_json::to_value(&document).expect("a document of v1 has text keys only");
    Sealed { hash: digest_of(&value), document }
}

/// Whether a document still says what it said when it was sealed. Without a digest it does
/// not: nobody knows.
///
/// It proves that nothing was changed by mistake, not who wrote it: whoever changes the
/// document can compute the digest anew.
pub fn seal_holds(document: &Value) -> bool {
    document.get(HASH).and_then(Value::as_str).is_some_and(|hash| hash == digest_of(document))
}

/// SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        _ = write!(hex, "{byte:02x}");
    }
    hex
}

fn digest_of(document: &Value) -> String {
    let mut text = String::new();
    match document {
        Value::Object(entries) => {
            write_entries(entries.iter().filter(|(key, _)| *key != HASH), &mut text);
        }
        other => write_value(other, &mut text),
    }
    sha256(text.as_bytes())
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Object(entries) => write_entries(entries.iter(), text),
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                write_value(item, text);
            }
            text.push(']');
        }
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()).and_then(whole) {
            Some(whole) => _ = write!(text, "{whole}"),
            None => _ = write!(text, "{number}"),
        },
        Value::Null | Value::Bool(_) | Value::String(_) => _ = write!(text, "{value}"),
    }
}

fn write_entries<'v>(entries: impl Iterator<Item = (&'v String, &'v Value)>, text: &mut String) {
    // They are sorted already, unless some package asks serde_json to keep another order.
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|(key, _)| *key);
    text.push('{');
    for (place, (key, value)) in entries.into_iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        _ = write!(text, "{}:", Value::from(key.as_str()));
        write_value(value, text);
    }
    text.push('}');
}

/// A number without a fraction: many programs write 5.0 as 5.
fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be exact below 2^53")]
    let whole =
        (libm::trunc(number).to_bits() == number.to_bits() && libm::fabs(number) < EXACT).then_some(number as i64);
    whole
}

const HASH: &str = "hash";

/// Whole numbers below are exact as `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn digests_are_those_of_the_standard() {
        // FIPS 180-4, examples of one block and of none.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn the_text_under_a_digest_is_sorted_and_without_white_space() {
        let mut text = String::new();
        write_value(&read(r#"{"b": [1.0, 0.25, -3, null, true], "a": {"ä": "\n\u0001"}, "B": 1e300}"#), &mut text);
        assert_eq!(text, r#"{"B":1e+300,"a":{"ä":"\n\u0001"},"b":[1,0.25,-3,null,true]}"#);
    }

    #[test]
    fn a_seal_survives_another_format_and_no_other_content() {
        let document = json!({"schema_version": 1, "share": 0.1, "sum": 648.0, "steps": [{"hash": "of a step"}]});
        let text = serde_json::to_string_pretty(&sealed(&document)).unwrap();
        assert!(text.trim_end_matches(['\n', '}']).ends_with(&format!("\"{}\"", sealed(&document).hash)), "{text}");
        assert!(seal_holds(&read(&text)));
        assert!(seal_holds(&serde_yaml::from_str(&serde_yaml::to_string(&sealed(&document)).unwrap()).unwrap()));
        assert!(seal_holds(&read(&text.replace("648.0", "648").replace("  ", ""))));
        for (of, with) in [("0.1", "0.2"), ("of a step", "of another"), ("schema_version", "version"), ("648", "649")] {
            assert!(text.contains(of) && !seal_holds(&read(&text.replace(of, with))), "{of}");
        }
        assert!(!seal_holds(&document) && !seal_holds(&json!(null)));
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        // Without exact reading the last bit of such numbers is lost.
        for number in [0.123_456_789_012_345_67, 5e-324, 1.797_693_134_862_315_7e308, 122.416_294_033_786_58] {
            let text = serde_json::to_string(&sealed(json!({"number": number}))).unwrap();
            assert!(seal_holds(&read(&text)), "{text}");
        }
    }
}
