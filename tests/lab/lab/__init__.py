"""A small laboratory: real Kafka clusters on loopback, and records of what they did."""
