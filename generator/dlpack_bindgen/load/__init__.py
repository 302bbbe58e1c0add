"""The loader: from bytes to nodes with source positions."""
