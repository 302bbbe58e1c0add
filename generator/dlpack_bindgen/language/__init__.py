"""Declares the keys of the spec language; the JSON Schema and the reference are derived from them."""
