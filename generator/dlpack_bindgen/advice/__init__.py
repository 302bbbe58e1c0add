"""Guesses about mistakes in a spec: near misses, synonyms, other forms. Only the commands import this package."""
