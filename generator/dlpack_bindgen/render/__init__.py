"""The binding to formatted text."""
