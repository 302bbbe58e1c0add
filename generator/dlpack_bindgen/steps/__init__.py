"""Steps of C code of the spec, each of which can fail or need cleanup."""
