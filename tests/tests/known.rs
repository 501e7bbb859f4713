//! The simulation against values that are known from elsewhere (`tests/scenarios/known`).
//!
//! `tests/known` prints the table by itself.

#![expect(clippy::print_stdout, reason = "what was compared must be seen")]

use rollgate_tests::known;

#[test]
fn simulated_rolls_come_near_every_known_value() {
    let rows = known::rows();
    let table = known::table(&rows);
    println!("{table}");
    let outside = rows.iter().filter(|row| !row.holds()).count();
    assert!(outside == 0, "{outside} figures are outside of what is allowed:\n{table}");
}
