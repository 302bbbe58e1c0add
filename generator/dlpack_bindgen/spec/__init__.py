"""The data model of a valid spec."""
