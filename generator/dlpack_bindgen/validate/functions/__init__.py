"""Reading of functions: prototypes, arguments and results."""
