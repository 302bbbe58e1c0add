"""Construction of a spec from values without mistakes."""
