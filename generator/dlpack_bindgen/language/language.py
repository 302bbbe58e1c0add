"""The declaration of the spec language. The validator, the JSON Schema and the reference are derived from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dlpack_bindgen.hooks.count_parts import PARTS
from dlpack_bindgen.hooks.hooks import HOOKS
from dlpack_bindgen.language.classes import CLASS_KEYS
from dlpack_bindgen.language.failures import FAILURES
from dlpack_bindgen.language.kinds import (
    VERSION,
    Anything,
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
from dlpack_bindgen.language.making import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS
from dlpack_bindgen.language.module import MODULE_KEYS
from dlpack_bindgen.language.requirements import COPY
from dlpack_bindgen.language.shared import DOC, IF, PASS, TYPE
from dlpack_bindgen.language.slots import MAP, MATCH, SLOTS
from dlpack_bindgen.language.steps import CHECKS, CONDITION, LET
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table
from dlpack_bindgen.validate.variants import MAX_VARIANTS

VARIANTS = Key[Items](
    "variants",
    ListOf(
        MapOf(Form.MAP, Anything("any value"), "a mapping of keys"),
        "a list of variants",
        least=1,
        most=MAX_VARIANTS,
    ),
    "Creates one tensor for each item. Its keys replace the keys beside `variants`; the value of any other "
    "`KEY` replaces `${KEY}`.",
)
REQUIRE_OF_TENSOR = Key[Items](
    "require", CHECKS, "Conditions that must hold at each reading. Otherwise the result is a BufferError."
)
LET_OF_TENSOR = Key[Items](
    "let",
    LET,
    "C variables, calls and conditions that run in order at each reading, before the slots. The names "
    "`self`, `axis`, `itemsize` and `result` are reserved.",
)
MATCHES = Key[Items](
    "match",
    ListOf(MATCH, "a list of matches", least=1, lone=True),
    "Sets several slots at once, by the value of C expressions.",
)
LEGACY_READONLY = Key[Leaf](
    "legacy_readonly",
    Words(
        (
            Word("refuse", "The export fails with a BufferError."),
            Word("copy", "The consumer gets a writable copy."),
        )
    ),
    "How read-only data is exported to a consumer without a read-only flag (DLPack before 1.0).",
    default="`refuse`",
)
COPY_OF_TENSOR = Key[Leaf](
    "copy",
    COPY,
    "Whether a layout that DLPack cannot describe is copied for the export.",
    default="`never`",
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
            *SLOTS,
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

FROM = Key[Leaf](
    "from",
    Single(Form.ORIGIN),
    "The module of Python that has the class: `package.module`, or `.module` in the package of this "
    "module. `module:Name` if the class has another name there. Functions take and return its objects.",
    default="it is a class of this module",
    details=(
        "The class may be a tensor or a handle there. Functions of this module get its C object, not its array.",
        "The other module is imported at the first use. It must be generated too, and must write `type` "
        "and `pass` in the same way.",
        "Only `type`, `pass`, `doc` and `if` may stand beside it: the other module has everything else.",
    ),
    after="type",
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
    "module",
    Single(Form.MODULE),
    "The name of the Python module, and the first part of the file names.",
    required=True,
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
    MapOf(
        Form.MAP,
        MAP,
        "a mapping from names to maps",
    ),
    "Mappings that several choices share; `map: NAME` refers to one.",
)
OK_OF_SPEC = Key[Leaf](
    "ok",
    CONDITION,
    "The success condition of each `do` and `init` that has no `ok` of its own.",
    details=(
        "It does not apply to functions, whose result may be a value.",
        "A call that returns a pointer, a struct or nothing needs `ok: none`, or a condition of its own. "
        "Otherwise the C does not compile.",
    ),
)
TENSORS = Key[Table](
    "tensors",
    MapOf(Form.TENSOR, TENSOR, "a mapping from names to tensors"),
    "The classes of structs that hold an array.",
)
HANDLES = Key[Table](
    "handles",
    MapOf(Form.HANDLE, HANDLE, "a mapping from names to handles"),
    "The classes of all other C objects.",
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
    ),
    some_of=("tensors", "handles", "functions", "constants"),
)


def classes_of(spec: Fields) -> Iterator[tuple[Leaf, Fields]]:
    """Yields the tensors and then the handles, each with its name."""
    for table in (spec[TENSORS], spec[HANDLES]):
        if table is not None:
            yield from table.records()
