"""`outputs`: new arrays have the library of an argument, such as NumPy arrays for NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import ARRAYS, PARAMETER, Alternatives, Key, Option, Word, Words
from dlpack_bindgen.language.values import Fields, Leaf, text_of
from dlpack_bindgen.text.diagnostics import Diagnostic, UnknownName
from dlpack_bindgen.text.fragments import Piece

if TYPE_CHECKING:
    from dlpack_bindgen.calls.argument_kind import Argument
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body

AS_GIVEN = "as given"
OWN_CLASS = "own class"
_WORDS = Words(
    (
        Word(AS_GIVEN, "The library of the first array among the arguments: NumPy arrays for NumPy arrays."),
        Word(OWN_CLASS, "Objects of the class that `arrays` names."),
    )
)
OF_MODULE = Key[Leaf](
    "outputs",
    _WORDS,
    "The library of the arrays that functions create or return.",
    default=f"`{OWN_CLASS}`",
    details=(
        f"`{OWN_CLASS}` is also the result if no argument is an array, if the first array is an object of this module, "
        "and if the library cannot show the array. Lists and buffers are not arrays of a library.",
        "Objects of tensors and handles keep their class.",
        "A library without read-only arrays, such as PyTorch, gets a copy of read-only memory. "
        f"With `{OWN_CLASS}`, the function returns a read-only object without a copy.",
    ),
    after="arrays",
)
OUTPUTS = Key[Leaf](
    "outputs",
    Alternatives((Option(_WORDS, "A word."), Option(PARAMETER, "The library of this argument, if it is an array."))),
    "The library of the arrays that the function creates or returns.",
    default="the top-level `outputs`",
    after="returns",
)
_REPLACED = {"calls/conditions": ("has_no_shape", "has_no_count"), "calls/results": ("argument",)}
"""The macros that the library of an argument replaces, by their templates."""


class Outputs(Feature, Frozen):
    keys = (OUTPUTS,)
    module_keys = (OF_MODULE,)

    of: str
    """The class of new arrays, which Python gets if no argument decides."""
    decides: str | None
    """The argument that decides; None: the first array."""

    @classmethod
    def problems_of_module(cls, spec: Fields) -> Iterator[Diagnostic]:
        """Yields a top-level `outputs` without arrays."""
        if (written := spec[OF_MODULE]) is not None and written.text == AS_GIVEN and ARRAYS not in spec:
            message = "'outputs' is about the arrays that functions make, and this spec has none"
            hint = "write at the top: 'arrays: Array'"
            yield Diagnostic("without-effect", written.span, message, hint, cause="arrays")

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        """Yields an `outputs` that has no effect, or that names no array."""
        written, name = call.fields[OUTPUTS], call.prototype.name
        if written is None or written.text == OWN_CLASS:
            return
        found = _deciding(call)
        if written.text != AS_GIVEN and call.find(written.text) is None:
            message = f"'{name}' has no parameter '{written.text}'"
            facts = UnknownName(written.text, [each.name for each in found])
            yield Diagnostic("unknown-parameter", written.span, message, facts=facts)
        elif not _has_new_arrays(call):
            message = f"'{name}' returns no new array of the class that 'arrays' names"
            yield Diagnostic("without-effect", written.span, message, "leave 'outputs' out")
        elif not found:
            message = f"no argument of '{name}' is an array whose library the outputs can have"
            yield Diagnostic("without-effect", written.span, message, "leave 'outputs' out")
        elif written.text not in (AS_GIVEN, *(each.name for each in found)):
            message = f"'{written.text}' is not an array that Python passes"
            names_of_arrays = " or ".join(f"'{each.name}'" for each in found)
            yield Diagnostic("without-effect", written.span, message, f"write {names_of_arrays}, or 'as given'")

    @classmethod
    def read(cls, call: Call) -> Outputs | None:
        of, written = call.names.arrays, call.fields[OUTPUTS] or call.names.module[OF_MODULE]
        if of is None or text_of(written) in (None, OWN_CLASS) or not _has_new_arrays(call) or not _deciding(call):
            return None
        assert written is not None
        return Outputs(of, None if written.text == AS_GIVEN else written.text)

    def sentences(self) -> Iterator[str]:
        decides = f"`{self.decides}`" if self.decides else "the first array argument"
        yield f"New arrays are of the library of {decides}, or {self.of}."

    def stub_type(self, of: str | None) -> str | None:
        return "typing.Any" if of == self.of else None

    def holds(self, arguments: Iterable[Argument]) -> bool:
        return any(map(_is_allocated, arguments))

    def flags(self, argument: Argument, body: Body) -> Iterator[str]:
        if _is_allocated(argument):
            yield "DLB_PY_AS_GIVEN"
        if argument.name == self.decides:
            yield "DLB_PY_DECIDES"

    def replaced(self, argument: Argument, piece: Piece, body: Body) -> Piece | None:
        """Returns the piece that allocates or returns an output, if the library of an argument allocates it."""
        if not _is_allocated(argument) or piece.macro not in _REPLACED.get(piece.template, ()):
            return None
        own = piece.input if isinstance(piece.input, Part) else Part(piece.input, body)
        return replace(piece, template="calls/library_of_outputs", input=own)

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.RETURN:
            yield Piece("calls/library_of_outputs", "finished", Part(self, body))


def _is_allocated(argument: Argument) -> bool:
    """Returns whether the library of an argument may allocate this one."""
    return argument.kind.new_output is not None and argument.kind.class_name is None


def _has_new_arrays(call: Call) -> bool:
    """Returns whether the function returns a new array of the class that `arrays` names."""
    arguments = {argument.name: argument.kind for argument in call.arguments}
    kinds = [arguments[name] for name in call.returned if name in arguments]
    filled = [kind.returned for kind in kinds]
    own = call.read_result if "result" in call.returned else None
    values = [value.of for value in (*filled, own) if value is not None]
    made = [kind.class_name or call.names.arrays for kind in kinds if kind.new_output is not None]
    return call.names.arrays in (*values, *made)


def _deciding(call: Call) -> list[Argument]:
    """Returns the arguments that can be arrays of a library. Outputs and the object of a method do not count."""
    found = [argument for argument in call.from_python() if argument.kind.is_operand]
    return [each for each in found if each.kind.new_output is None and _may_be_array(each, call)]


def _may_be_array(argument: Argument, call: Call) -> bool:
    of, names = argument.kind.class_name, call.names
    return of is None or (of in names.classes and names.classes[of].is_tensor) or of == names.arrays
