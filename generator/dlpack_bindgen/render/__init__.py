"""The renderer: from bindings to formatted files."""
