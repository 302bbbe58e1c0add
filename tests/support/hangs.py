"""When a process counts as hung."""

SECONDS = 1800
"""Far more than any process of the tests takes, also on a machine that runs many others: it never fails a test that ends."""
