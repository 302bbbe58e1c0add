"""Nodes to a spec, or to every problem."""
