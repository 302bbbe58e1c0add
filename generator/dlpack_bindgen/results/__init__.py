"""The kinds of results of functions, with their templates in `templates/results/`."""
