"""A valid spec."""
