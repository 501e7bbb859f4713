//! Reading a value that may be unknown without looking ahead, so that an error names the
//! place within the value.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

use super::{Seen, Unknown};

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Seen<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SeenVisitor(PhantomData))
    }
}

/// A map whose first key is `unknown` is a reason; all else is the value.
struct SeenVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SeenVisitor<T> {
    type Value = Seen<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, or {\"unknown\": \"why\"}")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        known(value.into_deserializer())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        known(value.into_deserializer())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        known(value.into_deserializer())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        known(value.into_deserializer())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        known(value.into_deserializer())
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        T::deserialize(().into_deserializer()).map(Seen::Known)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        known(SeqAccessDeserializer::new(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let first = map.next_key::<String>()?;
        if first.as_deref() != Some("unknown") {
            return known(MapAccessDeserializer::new(FirstKeyAgain { first, map }));
        }
        let reason = map.next_value()?;
        while map.next_entry::<String, serde::de::IgnoredAny>()?.is_some() {}
        Ok(Seen::Unknown(Unknown { unknown: reason }))
    }
}

fn known<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Seen<T>, D::Error> {
    T::deserialize(Given(value)).map(Seen::Known)
}

/// A value that is there: an `Option` of it is `Some`.
struct Given<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Given<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_some(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A map of which the first key was read already.
struct FirstKeyAgain<A> {
    first: Option<String>,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for FirstKeyAgain<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            Some(key) => seed.deserialize(key.into_deserializer()).map(Some),
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}
