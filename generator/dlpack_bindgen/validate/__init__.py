"""Conversion of YAML nodes to a spec, or to diagnostics for every mistake."""
