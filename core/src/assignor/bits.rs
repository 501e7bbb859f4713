//! Dense sets of ids.

/// A set of small numbers, a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Empties the set and makes room for the numbers below `len`.
    pub(super) fn reset(&mut self, len: usize) {
        self.words.clear();
        self.words.resize(len.div_ceil(64), 0);
    }

    /// Makes room for the numbers below `len`, keeping what is there.
    pub(super) fn reserve(&mut self, len: usize) {
        if self.words.len() < len.div_ceil(64) {
            self.words.resize(len.div_ceil(64), 0);
        }
    }

    /// The numbers for which there is room are below this.
    pub(super) fn room(&self) -> usize {
        self.words.len() * 64
    }

    /// Adds a number; says whether it was there before.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        let word = &mut self.words[number / 64];
        let bit = 1 << (number % 64);
        let was_there = *word & bit != 0;
        *word |= bit;
        was_there
    }

    /// Adds the numbers from `from` to below `to`.
    pub(super) fn insert_range(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let end = to.min((at / 64 + 1) * 64);
            let ones = if end - at == 64 { u64::MAX } else { (1 << (end - at)) - 1 };
            self.words[at / 64] |= ones << (at % 64);
            at = end;
        }
    }

    /// Removes a number.
    pub(super) fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    /// Whether the number is there; none beyond the room is.
    pub(super) fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether a number is in both.
    pub(super) fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(one, other)| one & other != 0)
    }

    /// Whether all numbers are also in the other.
    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().enumerate().all(|(place, word)| word & !other.words.get(place).copied().unwrap_or(0) == 0)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The words, for operations on whole sets.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, to be changed.
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// All numbers, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(place, word)| ones(place, *word))
    }
}

/// The numbers whose bits are set in the word at that place.
pub(super) fn ones(place: usize, word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            place * 64 + bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cross_words() {
        let mut bits = Bits::default();
        bits.reset(200);
        bits.insert_range(60, 130);
        bits.insert_range(130, 130);
        assert_eq!(bits.count(), 70);
        assert_eq!(bits.iter().collect::<Vec<_>>(), (60..130).collect::<Vec<_>>());
        assert!(bits.insert(60) && !bits.insert(199) && bits.contains(199) && !bits.contains(1000));
    }
}
