"""The kinds of arguments of functions: one module for each, with its template in `templates/arguments/`."""
