"""The interface of a feature of a call: what the keys of a function add to it, beside its arguments and results.

A feature is one class in one module. It has its keys, its rules, its sentences and its C. `Call.features` has the
features of a function; a step asks each of them, and a function without a feature gets no answer from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, ClassVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import Key
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Piece, Table

if TYPE_CHECKING:
    from dlpack_bindgen.calls.argument_kind import Argument
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body
    from dlpack_bindgen.tensor.item import Item
    from dlpack_bindgen.tensor.requirements import Check


class Stage(Enum):
    """The places in an emitted function where features and arguments have statements or conditions.

    A condition ends the call.
    """

    FUNCTIONS = auto()
    """Functions before the emitted one."""
    DECLARATIONS = auto()
    BEGIN = auto()
    """Conditions before the arguments are read."""
    ARRAYS = auto()
    """Conditions on the arrays and objects, before all others."""
    LENGTHS = auto()
    """Conditions on the lengths of strings."""
    VALUES = auto()
    """Conditions that follow when the values of all arguments are known."""
    MEMORY = auto()
    """Statements that allocate memory for C, and conditions that there is none."""
    LAST_CHECK = auto()
    """Conditions that follow all others."""
    BEFORE_CALL = auto()
    VARIABLES = auto()
    """Variables of the call, after that of its result."""
    CALLING = auto()
    """Statements directly before the call, when other threads run already."""
    CALLED = auto()
    """Statements directly after the call, before other threads stop."""
    AFTER_CALL = auto()
    """Statements that follow the call, even if it has failed."""
    TEST = auto()
    """The beginning of a block that follows a success."""
    SUCCESS = auto()
    """Statements before the result is made."""
    RESULT = auto()
    """Statements after the result is made."""
    FAILURE = auto()
    """The end of this block, and statements that follow a failure."""
    END = auto()
    """Code of the spec at the end."""
    CLOSING = auto()
    """Statements that can fail when the result exists: the variable with the answer becomes NULL, with an exception. It
    is NULL already if the call has failed."""
    RETURN = auto()
    """The last statement, if a feature has its own."""


class Feature:
    """A feature of one function. Its templates get a `Part` with it."""

    keys: ClassVar[tuple[Key[Any], ...]] = ()
    """The keys of a function."""
    module_keys: ClassVar[tuple[Key[Any], ...]] = ()
    """The keys at the top of a spec."""

    suffix: ClassVar[str] = ""
    """The end of the name of the C function that the feature emits beside the function; empty: none."""

    # ---- The spec ----

    @classmethod
    def problems_of_module(cls, spec: Fields) -> Iterable[Diagnostic]:
        """Returns the mistakes of the keys at the top of a spec."""
        return ()

    @classmethod
    def problems(cls, call: Call) -> Iterable[Diagnostic]:
        """Returns the mistakes of a function."""
        return ()

    @classmethod
    def read(cls, call: Call) -> Feature | None:
        """Returns the feature of a function without mistakes, or None if it has none."""
        return None

    # ---- Python ----

    def sentences(self) -> Iterable[str | None]:
        """Returns sentences for the docstring about results, and about the life of objects after the call."""
        return ()

    def sentences_of_arguments(self) -> Iterable[str]:
        """Returns sentences for the docstring about relations between arguments."""
        return ()

    def stub_type(self, of: str | None) -> str | None:
        """Returns the type of new objects of a class in the stub; None: the class."""
        return None

    def in_words(self) -> Iterable[str]:
        """Returns sentences of `explain` that no docstring has."""
        return ()

    # ---- C ----

    def c_text(self) -> Iterable[str]:
        """Returns the C source of the spec that stands outside of the emitted function, in functions of its own."""
        return ()

    def inlined(self, items: Mapping[str, Item]) -> Iterable[str]:
        """Returns the C source of classes that stands in the emitted function."""
        return ()

    def pieces(self, stage: Stage, body: Body) -> Iterable[Piece]:
        """Returns the statements or conditions at a place of the emitted function."""
        return ()

    def checks(self, item: Argument | Check, body: Body) -> Iterable[Piece]:
        """Returns the conditions that end the call when the C source of an argument, or of a required condition, can be
        evaluated."""
        return ()

    def holds(self, arguments: Iterable[Argument]) -> bool:
        """Returns whether foreign code runs during the call, so that it holds its arguments."""
        return False

    def needs_items(self, argument: Argument, body: Body) -> bool:
        """Returns whether the feature needs more than the addresses of the objects in a list."""
        return False

    def flags(self, argument: Argument, body: Body) -> Iterable[str]:
        """Returns the flags of an array or object in the table for the runtime."""
        return ()

    def members(self, body: Body) -> Iterable[str]:
        """Returns members of the table of the function."""
        return ()

    def handed(self, argument: Argument, body: Body) -> Sequence[str]:
        """Returns the arguments whose variables the runtime gets with an array or object."""
        return ()

    def tables(self, argument: Argument, body: Body) -> Iterable[Table]:
        """Returns tables for the runtime about an array or object."""
        return ()

    def members_of(self, argument: Argument, body: Body) -> Iterable[str]:
        """Returns members of the entry of an array or object in the table for the runtime."""
        return ()

    def replaced(self, argument: Argument, piece: Piece, body: Body) -> Piece | None:
        """Returns the piece that replaces one about an argument, or None."""
        return None


class Part(Frozen):
    """The input of a macro of a feature."""

    own: Any
    """The feature, or another record that the macro reads."""
    body: Body


def replaced(features: Iterable[Feature], argument: Argument, piece: Piece, body: Body) -> Piece:
    """Returns the piece that is emitted for a piece about an argument."""
    found = (each.replaced(argument, piece, body) for each in features)
    return next((each for each in found if each is not None), piece)
