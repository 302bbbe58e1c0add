"""What a call consists of beside its arguments and results: one module for each feature."""
