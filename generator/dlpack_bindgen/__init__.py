"""dlpack-bindgen: from a YAML description of a C struct to readable C that shares its memory through DLPack."""
