"""The functions that Python calls."""
