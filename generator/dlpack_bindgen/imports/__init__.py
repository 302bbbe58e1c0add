"""Imports and allocations: the functions that make an object."""
