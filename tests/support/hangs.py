"""The time after which a process counts as hung."""

SECONDS = 1800
"""Far more than any process of the tests takes, also on a busy machine: this limit never fails a test that ends."""
