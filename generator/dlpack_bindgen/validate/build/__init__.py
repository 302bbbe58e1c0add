"""Sound nodes to a spec."""
