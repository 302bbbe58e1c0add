"""Rules for the ownership of returned objects, and for the objects that they keep alive."""

from __future__ import annotations

from dlpack_bindgen.arguments.entry import kept
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.language.functions import ARGS, FINALLY, RELEASE_GIL, RETURNS
from dlpack_bindgen.language.names import Class, Names
from dlpack_bindgen.language.values import Fields, Leaf, is_true, text_of
from dlpack_bindgen.results.object import BORROW
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.types import CType
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.parameters import written_at


def check(
    function: Fields,
    call: Call,
    returned: tuple[str, ...],
    known: Names,
    own_class: Class | None,
    report: Report,
) -> None:
    rules = _Rules(function, call, returned, known, own_class, report)
    rules.borrowed()
    rules.kept()
    rules.lost()
    rules.endless()


def borrowed(function: Fields) -> list[Leaf]:
    return [leaf for record in _records(function) if (leaf := record[BORROW])]


def _records(function: Fields) -> list[Fields]:
    """Returns the declarations of the parameters and the result."""
    args = function[ARGS]
    records: list[Fields] = [record for _, record in args.records()] if args else []
    if isinstance(returns := function[RETURNS], Fields):
        records.append(returns)
    return records


class _Rules:
    def __init__(
        self,
        function: Fields,
        call: Call,
        returned: tuple[str, ...],
        known: Names,
        own_class: Class | None,
        report: Report,
    ) -> None:
        self._function = function
        self._call = call
        self._returned = returned
        self._known = known
        self._own_class = own_class
        self._emit = report

    def borrowed(self) -> None:
        """Reports invalid sources in `borrow`, and `keeps` beside `borrow`."""
        for record in _records(self._function):
            if (keeps := kept(record)) and BORROW in record:
                message = (
                    "an object that lives in another one keeps it anyway, and 'keeps' is for objects of the caller"
                )
                self._emit(Diagnostic("without-effect", keeps[0].span, message, "leave out one of them"))
        for leaf in borrowed(self._function):
            argument = self._call.find(leaf.text)
            if argument is not None and argument.kind.object_class is None:
                message = f"'{leaf.text}' is not an object: its memory may be freed before the object that lives in it"
                hint = "name a tensor or handle, or write 'static'"
                if argument.kind.is_array:
                    hint += "; an object that C makes around an array is the 'import' of its class, and keeps the array"
                self._emit(Diagnostic("result-owner", leaf.span, message, hint))
            elif argument is not None and argument.kind.optional:
                message = f"'{leaf.text}' may be None, and then nothing keeps or frees the object that lives in it"
                hint = f"bind it twice: once where it must be given, once with args: {{{leaf.text}: {{value: 'NULL'}}}}"
                self._emit(Diagnostic("result-owner", leaf.span, message, hint))
            else:
                self._asked(leaf, argument)
            self._not_taken(leaf, argument)

    def _asked(self, leaf: Leaf, argument: Argument | None) -> None:
        """Reports `release_gil` if another thread may replace an object that the argument keeps during the call."""
        of = argument.kind.object_class if argument is not None else None
        if of in self._known.replaced and is_true(self._function[RELEASE_GIL]):
            message = f"another thread may replace the object that '{leaf.text}' keeps before the result is used"
            self._emit(Diagnostic("result-owner", leaf.span, message, "leave 'release_gil' out"))

    def kept(self) -> None:
        """Reports invalid objects in `keeps`."""
        for leaf in [leaf for record in _records(self._function) for leaf in kept(record)]:
            argument = self._call.find(leaf.text)
            kind = argument.kind if argument is not None else None
            if kind is not None and kind.is_array:
                self._kept_array(leaf, kind)
            elif kind is not None and not kind.can_be_kept:
                message = f"'{leaf.text}' is not an object that can be kept"
                self._emit(Diagnostic("result-owner", leaf.span, message, "name a tensor, a handle or an array"))
            self._asked(leaf, argument)
            self._not_taken(leaf, argument)

    def lost(self) -> None:
        """Reports new objects that the function fills and does not return: nothing would release them."""
        for each, argument in self._call.pairs:
            out = argument.kind.returned
            if out is None or out.kind != "object" or out.borrow or argument.name in self._returned:
                continue
            if not self._is_freed_in_finally(argument, out):
                message = f"'{argument.name}' is the caller's, and is not returned: nothing would release it"
                self._emit(Diagnostic("result-owner", each.span, message, "list it in 'returns'"))

    def endless(self) -> None:
        """Reports objects that the caller owns and whose class has no `release`."""
        place = written_at(self._function)
        spans = {"result": place, **{argument.name: each.span for each, argument in self._call.pairs}}
        for name, value in self._call.outputs():
            owned, span = self._known.classes.get(value.of or ""), spans[name]
            if owned is not None and not owned.releases and not value.borrow:
                message = f"the caller owns this '{value.of}', which has no 'release'"
                hint = "declare its owner with 'borrow', or how it is freed with 'release'; "
                hint += "'(void)self' if nothing frees it"
                if span == place and self._own_class is not None and value.of == self._own_class.name.text:
                    hint += "; 'returns: None' if it is the same object"
                notes = (Note(owned.name.span, "the class"),)
                self._emit(Diagnostic("result-owner", span, message, hint, notes, cause=owned.name.text))

    def _not_taken(self, leaf: Leaf, argument: Argument | None) -> None:
        if argument is not None and argument.kind.takes:
            message = f"'{leaf.text}' is taken over, and Python cannot keep it"
            self._emit(Diagnostic("result-owner", leaf.span, message, "keep the object that takes it"))

    def _kept_array(self, leaf: Leaf, kind: Kind) -> None:
        """Reports arrays in `keeps` that do not outlive the call as objects."""
        if kind.is_dltensor:
            message = f"'{leaf.text}' is a DLTensor, which exists only during the call"
            self._emit(Diagnostic("result-owner", leaf.span, message, "name a parameter that is the array itself"))
        elif self._known.arrays is None:
            message = f"only an object can be kept, and '{leaf.text}' has no class"
            hint = "write at the top: 'arrays: Array'"
            self._emit(Diagnostic("result-owner", leaf.span, message, hint, cause="arrays"))
        elif kind.rows:
            message = f"'{leaf.text}' is a table of rows, which exists only during the call"
            self._emit(Diagnostic("result-owner", leaf.span, message, "name a parameter that is the array itself"))
        elif kind.copy != "never":
            message = f"the array itself must be kept, and '{leaf.text}' may be copied"
            self._emit(Diagnostic("result-owner", leaf.span, message, "leave 'copy' away"))
        elif kind.cast is not None:
            message = f"the array itself must be kept, and '{leaf.text}' may be converted"
            self._emit(Diagnostic("result-owner", leaf.span, message, "leave 'cast' away"))

    def _is_freed_in_finally(self, argument: Argument, out: Value) -> bool:
        """Returns whether `finally` frees the object. It cannot free a struct in memory of its owner."""
        of, target = self._known.classes[out.of or ""], CType(argument.ctype.base, argument.ctype.pointers[:-1])
        return not of.is_struct(target) and ctext.mentions(text_of(self._function[FINALLY]) or "", argument.name)
