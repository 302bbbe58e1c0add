"""Members of classes, records, and classes of other modules."""
