"""What the tests share: building extension modules and C programs from specs."""
