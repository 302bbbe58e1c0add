"""The memory of a class: slots, steps, hooks and imports. Each file has its keys, its rules and its C."""
