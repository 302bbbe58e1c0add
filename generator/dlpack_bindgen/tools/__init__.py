"""The commands: `generate`, `explain`, and hints about mistakes."""
