"""The command `try`: builds the module of a spec with checks, runs it, and reports where the spec is wrong."""
