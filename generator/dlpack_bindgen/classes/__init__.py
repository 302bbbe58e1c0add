"""Members of classes, records, constants, and classes of other modules."""
