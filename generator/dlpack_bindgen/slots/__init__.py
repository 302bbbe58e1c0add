"""The slots of a tensor."""
