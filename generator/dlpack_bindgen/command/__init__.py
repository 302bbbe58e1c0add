"""What the command line does, besides the steps."""
