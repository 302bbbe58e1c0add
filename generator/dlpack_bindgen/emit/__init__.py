"""The files of a module: templates, clang-format, and writing."""
