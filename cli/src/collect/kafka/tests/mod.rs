//! The client against brokers that answer as a script says, with another codec than its own.

mod broker;
mod faults;
mod moves;
mod sasl;
mod schemas;
