"""Binding of the functions that Python calls."""
