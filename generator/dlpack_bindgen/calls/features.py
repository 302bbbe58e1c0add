"""The list of the features of calls, in the order of their rules and of their C."""

from __future__ import annotations

from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.calls.outputs import Outputs
from dlpack_bindgen.calls.stream import Stream

FEATURES: tuple[type[Feature], ...] = (Outputs, Stream)
KEYS = tuple(key for each in FEATURES for key in each.keys)
"""The keys of functions that features declare."""
MODULE_KEYS = tuple(key for each in FEATURES for key in each.module_keys)
