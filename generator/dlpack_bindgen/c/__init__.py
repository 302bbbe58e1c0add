"""Text of C, as specs have it and as files get it."""
