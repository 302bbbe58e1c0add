"""Conversion of a spec into a binding with every emitted name and every C fragment."""
