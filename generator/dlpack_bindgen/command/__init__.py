"""The commands of the command line, except the steps that generate code."""
