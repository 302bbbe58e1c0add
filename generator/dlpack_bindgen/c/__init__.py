"""C code: in the form of specs, and in the form of the emitted files."""
