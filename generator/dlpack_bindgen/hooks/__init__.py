"""Hooks: C code of the spec that the runtime runs around the life and the exports of an object."""
