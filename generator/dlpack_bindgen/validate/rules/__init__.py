"""Rules between the values of one spec."""
