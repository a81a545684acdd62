"""What tests of several rooms share: one server, one clock. It knows no code under test."""
