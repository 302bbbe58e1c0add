"""The functions that Python calls: their arguments, their results, and one module for each relation between them."""
