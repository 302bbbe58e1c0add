"""The commands of the command line, apart from the steps that generate code."""
