"""What must hold between the values of one spec."""
