"""dlpack-bindgen: generates readable C from a YAML description of a C struct, and shares its memory through DLPack."""

__version__ = "0.2.0"
