"""A spec to the binding: every name and every fragment of C."""
