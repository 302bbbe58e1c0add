"""The list of the features of calls, in the order of their rules and of their C."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.calls.external_classes import ExternalClasses
from dlpack_bindgen.calls.factory_params import FactoryParams
from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.calls.keeping import Keeping
from dlpack_bindgen.calls.moved import Moved
from dlpack_bindgen.calls.outputs import Outputs
from dlpack_bindgen.calls.overlap import Overlap
from dlpack_bindgen.calls.stream import Stream
from dlpack_bindgen.calls.transfers import Transfers
from dlpack_bindgen.language.kinds import Key

FEATURES: tuple[type[Feature], ...] = (
    FactoryParams,
    ExternalClasses,
    Overlap,
    Outputs,
    Stream,
    Keeping,
    Moved,
    Transfers,
)
KEYS: tuple[Key[Any], ...] = tuple(key for each in FEATURES for key in each.keys)
"""The keys of functions that features declare."""
MODULE_KEYS: tuple[Key[Any], ...] = tuple(key for each in FEATURES for key in each.module_keys)
