"""The declarations of the spec language. The JSON Schema and the reference are derived from them."""
