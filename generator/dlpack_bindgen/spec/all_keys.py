"""The whole language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dlpack_bindgen.calls.failures import FAILURES
from dlpack_bindgen.calls.features import MAP_OF_FUNCTIONS
from dlpack_bindgen.calls.features import MODULE_KEYS as KEYS_OF_FEATURES
from dlpack_bindgen.classes.constants import CONSTANTS
from dlpack_bindgen.classes.external import FROM
from dlpack_bindgen.classes.methods_and_properties import CLASS_KEYS
from dlpack_bindgen.classes.records import NUMBERS, RECORDS
from dlpack_bindgen.language.keys import (
    ARRAYS,
    DOC,
    IF,
    PASS,
    TYPE,
    VERSION,
    Form,
    Key,
    ListOf,
    MapOf,
    Record,
    Single,
    Word,
    Words,
    ordered_as,
    with_added,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table
from dlpack_bindgen.spec.draft import DRAFT
from dlpack_bindgen.tensor.imports import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS
from dlpack_bindgen.tensor.lifetime_hooks import HOOKS
from dlpack_bindgen.tensor.match_arms import LET_OF_TENSOR, MATCHES, REQUIRE_OF_TENSOR, VARIANTS
from dlpack_bindgen.tensor.parts import PARTS
from dlpack_bindgen.tensor.requirements import COPY
from dlpack_bindgen.tensor.slots import MAP, SLOT_KEYS
from dlpack_bindgen.tensor.steps import ACTIONS, OK_OF_SPEC

INIT = Key[Items]("init", ACTIONS, "Calls that run once, when Python loads the module.")
FUNCTIONS = Key[Table]("functions", MAP_OF_FUNCTIONS, "The functions of the module.")
_KEYS = (NUMBERS, RECORDS, ARRAYS, FUNCTIONS, CONSTANTS, INIT)
MODULE_KEYS: tuple[Key[Any], ...] = with_added(_KEYS, KEYS_OF_FEATURES)
LEGACY_READONLY = Key[Leaf](
    "legacy_readonly",
    Words((Word("refuse", "The export fails with a BufferError."), Word("copy", "The consumer gets a writable copy."))),
    "How read-only data is exported to a consumer without a read-only flag (DLPack before 1.0).",
    default="`refuse`",
)
COPY_OF_TENSOR = Key[Leaf](
    "copy", COPY, "Whether a layout that DLPack cannot describe is copied for the export.", default="`never`"
)
TENSOR = Record(
    what="a tensor",
    doc="A class for a C struct that holds an array; Python shares its memory. `self`, a `T *`, is in scope in all "
    "its C code.",
    keys=with_added(
        (
            TYPE,
            PASS,
            replace(DOC, doc="The description for the header, the docstring and the stub."),
            IF,
            VARIANTS,
            REQUIRE_OF_TENSOR,
            LET_OF_TENSOR,
            *SLOT_KEYS,
            MATCHES,
            LEGACY_READONLY,
            COPY_OF_TENSOR,
            PARTS,
            ALLOCATE_OF_TENSOR,
            IMPORT_OF_CLASS,
            *CLASS_KEYS,
        ),
        (key for hook in HOOKS for key in hook.keys),
    ),
    exclusive=(("retain", "clone"),),
    template="variants",
)
HANDLE = Record(
    what="a handle",
    doc="A class for a C object that is not an array itself: a context, a file, or an object whose parts are tensors. "
    "`self`, a `T *`, is in scope.",
    keys=with_added(
        ordered_as(
            TENSOR,
            (
                TYPE,
                PASS,
                replace(DOC, doc="The description for the header, the docstring and the stub."),
                IF,
                PARTS,
                replace(
                    IMPORT_OF_CLASS,
                    doc="Creates objects from foreign arrays: `Name.from_dlpack(x)` in Python. All requirements stand "
                    "in its `require`.",
                    default=None,
                ),
                *CLASS_KEYS,
                *(key for hook in HOOKS if hook.is_of_handles for key in hook.keys_of_handles),
            ),
        ),
        (FROM,),
    ),
    exclusive=(("retain", "clone"),),
)

DLPACK_BINDGEN = Key[Leaf](
    "dlpack-bindgen", Single(Form.VERSION), "The version of the spec language.", default=f"{VERSION}"
)
MODULE = Key[Leaf](
    "module", Single(Form.MODULE), "The name of the Python module, and the first part of the file names.", required=True
)
PREFIX = Key[Leaf]("prefix", Single(Form.PREFIX), "The first part of all C names.", default="`module`")
LICENSE = Key[Leaf](
    "license",
    Single(Form.LICENSE),
    "The license of the output; the first line of each file names it.",
    default="`MIT-0`",
)
INCLUDE = Key[Items](
    "include",
    ListOf(Single(Form.INCLUDE), "a list of headers", lone=True),
    "The headers that declare the structs and functions: `image.h`, or `<gsl/gsl_matrix.h>` with its brackets.",
)
MAPS = Key[Table](
    "maps",
    MapOf(Form.MAP, MAP, "a mapping from names to maps"),
    "Mappings that several choices share; `map: NAME` refers to one.",
)
TENSORS = Key[Table](
    "tensors",
    MapOf(Form.TENSOR, TENSOR, "a mapping from names to tensors"),
    "The classes of structs that hold an array.",
)
HANDLES = Key[Table](
    "handles", MapOf(Form.HANDLE, HANDLE, "a mapping from names to handles"), "The classes of all other C objects."
)
SPEC = Record(
    what="a spec",
    doc="One module: the C structs that it shares and the functions that it calls.",
    keys=(
        DLPACK_BINDGEN,
        MODULE,
        PREFIX,
        LICENSE,
        replace(DOC, doc="The docstring of the module."),
        INCLUDE,
        MAPS,
        OK_OF_SPEC,
        TENSORS,
        HANDLES,
        *MODULE_KEYS,
        FAILURES,
        DRAFT,
    ),
    some_of=("tensors", "handles", "functions", "constants", "draft"),
)


def classes_of(spec: Fields) -> Iterator[tuple[Leaf, Fields]]:
    """Yields the tensors and then the handles, each with its name."""
    for table in (spec[TENSORS], spec[HANDLES]):
        if table is not None:
            yield from table.records()
