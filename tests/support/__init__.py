"""Helpers that the tests share: extension modules and C programs are built from specs."""
