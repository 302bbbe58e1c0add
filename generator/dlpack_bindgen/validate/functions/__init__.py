"""What a spec says of functions, read."""
