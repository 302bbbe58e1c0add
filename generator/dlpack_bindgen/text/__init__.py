"""Text: YAML, C code and messages. These modules know no key of the language."""
