"""The first spec of a library, from its header: the command `init`."""
