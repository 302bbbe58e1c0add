"""Bytes to nodes that know their place."""
