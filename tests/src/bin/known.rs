//! Prints the table of known values beside what the simulation gives.

#![expect(clippy::print_stdout, reason = "the table is the output")]

use std::process::ExitCode;

use rollgate_tests::known;

fn main() -> ExitCode {
    let rows = known::rows();
    print!("{}", known::table(&rows));
    if rows.iter().all(known::Row::holds) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
