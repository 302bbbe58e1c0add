"""The list of the features of calls, and the record of a function with the keys of all features."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.calls import function_keys
from dlpack_bindgen.calls.arguments import Arguments
from dlpack_bindgen.calls.counts import Counts
from dlpack_bindgen.calls.elements import Elements
from dlpack_bindgen.calls.failures import Failures
from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.calls.lengths import Lengths
from dlpack_bindgen.calls.library_of_outputs import Outputs
from dlpack_bindgen.calls.lifetimes import Lifetimes
from dlpack_bindgen.calls.object_params import FactoryParams, ResultParams
from dlpack_bindgen.calls.overlap import Overlap
from dlpack_bindgen.calls.stream import Stream
from dlpack_bindgen.calls.transfers import Moved, Transfers
from dlpack_bindgen.language.keys import Form, Key, MapOf, Record, with_added

FEATURES: tuple[type[Feature], ...] = (
    Arguments,
    Counts,
    ResultParams,
    FactoryParams,
    Overlap,
    Elements,
    Lengths,
    Outputs,
    Stream,
    Lifetimes,
    Moved,
    Transfers,
    Failures,
)
"""The order of their rules and of their C."""
MODULE_KEYS: tuple[Key[Any], ...] = tuple(key for each in FEATURES for key in each.module_keys)
"""The keys of a spec that features declare."""

MAX_FUNCTIONS = 5000
FUNCTION: Record = Record(
    what="a function",
    doc="A C function that Python calls. In its C code the parameters and `result` are in scope, and in a method also "
    "the `params` of its object.",
    keys=with_added(function_keys.KEYS, (key for each in FEATURES for key in each.keys)),
)
MAP_OF_FUNCTIONS: MapOf = MapOf(Form.FUNCTION, FUNCTION, "a mapping from names to functions", MAX_FUNCTIONS)
