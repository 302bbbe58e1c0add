"""Arguments that are objects, and lists of objects."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.kind import (
    DEFAULT,
    LIKE,
    TAKES,
    EmittedArgument,
    Kind,
    ParameterEntry,
    PythonScope,
    kept,
    new_output,
    of_arrays,
    refuse_order,
    requirements_of_class,
    writes,
    writes_of_pointer,
)
from dlpack_bindgen.calls.names import Class, Mistake, Named
from dlpack_bindgen.calls.result_kind import KEEPS, OPTIONAL
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Needs, flag
from dlpack_bindgen.language.values import is_true, text_of
from dlpack_bindgen.tensor.requirements import NOTHING, Copy, NewOutput, Requirements
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.statements import Assertion, Piece
from dlpack_bindgen.text.types import CType, is_typedef

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


# ---- Objects: a `T *` of a tensor or a handle, or a `T` for objects that are passed by value ----

NOT_OF_RECEIVER = ("optional", "default", "require", "copy")
"""The keys that do not apply to the object of a method."""


REPLACES = flag(
    "replaces",
    "The library no longer uses the arguments of earlier calls. They are released after a success.",
    "The library uses the arguments of all calls. The object keeps them all.",
    "Whether each call replaces the dependency of the call before, as a setter does.",
    needs=Needs(("keeps",), "it describes the kept arguments"),
    after="keeps",
)
INVALIDATES = flag(
    "invalidates",
    "The call is refused while exports, buffers or derived objects share the memory. It is also refused for "
    "an object that was imported from an array: the library does not own that memory.",
    "The memory stays in place. If the struct of an imported array then refers to other memory, the call "
    "raises a BufferError.",
    "Whether the function moves or frees the memory of the object, as a resize does.",
    after="writes",
)


class Object(Kind, Frozen):
    """A `T *` of a tensor or a handle, or a `T` for objects that are passed by value."""

    details = (
        (
            "keeps",
            "For an object that Python passes: the arguments that C stores in it, as in `net_set_input(net, x)`. The "
            "object keeps them alive until it is destroyed.",
        ),
        (
            "keeps",
            "Python must know when the object is destroyed. `keeps` is therefore refused if the library counts "
            "references to the object, or never frees it.",
        ),
    )
    ctypes = (
        "`T *` or `T` of a tensor or handle: an object of that class. If several classes have this type, it is an "
        "object of the only handle among them."
    )
    keys = (
        REPLACES,
        INVALIDATES,
    )

    class_name: str
    writes: bool = False
    require: Requirements = NOTHING
    """Requirements on a tensor's memory. `writable` is unused here; see `writes`."""
    copy: Copy = "never"
    new_output: NewOutput | None = None
    optional: bool = False
    invalidates: bool = False
    takes: bool = False
    """Implies `invalidates`."""
    takes_always: bool = False
    keeps_alive: tuple[str, ...] = ()
    replaces: bool = False
    unless_const: str | None = None
    may_be_struct: bool = False

    can_be_kept = True
    is_returnable = True

    def operand_flags(self) -> Iterator[str]:
        yield from super().operand_flags()
        if self.invalidates:
            yield "DLB_PY_INVALIDATES"
        if self.keeps_alive:
            yield "DLB_PY_KEEPS"

    def is_valid_after_call(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return name in kept

    def may_be_returned(self, own: CType, returned: CType, of: str, in_storage: bool) -> bool:
        is_alike = in_storage or bool(own.pointers) == bool(returned.pointers)
        return (own.base == returned.base or self.class_name == of) and is_alike and not self.takes

    def stub_type(self, scope: PythonScope) -> str:
        return scope.object_type(self.class_name)

    def description(self, scope: PythonScope, required: Sequence[str]) -> str | None:
        return (
            ", ".join([scope.object_description(self.class_name), *required])
            if scope.is_tensor or scope.may_be_temporary
            else None
        )

    def lifetime(self, subject: str, kept: str) -> str:
        return f"{subject} keeps {kept} alive from now on{', until the next call' if self.replaces else ''}."

    def notes(self) -> list[str]:
        notes = []
        if self.takes:
            notes.append(f"it is taken over, and closed{', also by a call that fails' if self.takes_always else ''}")
        if self.invalidates:
            notes.append("nobody else may be using its memory")
        return [*notes, *super().notes()]

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> Object | None:
        return cls._read(entry, entry.own_class) if entry.own_class is not None else None

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Object | None:
        is_own = isinstance(named, Class) and entry.names.is_own(named, entry.ctype)
        return cls._read(entry, named) if isinstance(named, Class) and is_own else None

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Object | None:
        """Returns the object of a class. A pointer to numbers is one only with a key of objects."""
        given = entry.fields.given.keys()
        is_like = (text_of(entry.fields[DEFAULT]) or "").startswith(LIKE)
        is_object = is_like or not given.isdisjoint(("takes", "invalidates"))
        of = entry.class_among(entry.names.objects(entry.ctype) if is_object else entry.names.meant(entry.ctype))
        return cls._read(entry, of) if of is not None else None

    @classmethod
    def _read(cls, entry: ParameterEntry, of: Class) -> Object:
        is_receiver = entry.own_class is not None
        output = new_output(entry, "an object")
        may_be_null = entry.ctype.depth > 0 or (of.by_value and is_typedef(entry.ctype))
        if is_true(entry.fields[OPTIONAL]) and not may_be_null:
            raise entry.mistake("argument-type", f"'{of.name.text}' is passed by value, and is never NULL")
        takes = text_of(entry.fields[TAKES]) in ("true", "always")
        if takes and not of.releases:
            message = f"'{of.name.text}' has no 'release': Python owns no object to give"
            raise Mistake("without-effect", entry.place(TAKES), message)
        keys = ["of", "invalidates", "takes", "keeps", "replaces"]
        if not is_receiver:
            keys += ["optional"]
        keys += ["writes"]
        if not is_receiver and (of.imports or of.allocates):
            keys += ["require"]
            refuse_order(entry, of)
        if not is_receiver and of.imports:
            keys += ["copy"]
        if not is_receiver and of.is_tensor:
            keys += ["default"]
        found = cls(
            class_name=of.name.text,
            writes=writes(entry),
            require=requirements_of_class(entry, of),
            copy=entry.copy,
            new_output=output,
            optional=is_true(entry.fields[OPTIONAL]),
            invalidates=is_true(entry.fields[INVALIDATES]) or takes,
            takes=takes,
            takes_always=text_of(entry.fields[TAKES]) == "always",
            keeps_alive=tuple(leaf.text for leaf in kept(entry.fields)),
            replaces=is_true(entry.fields[REPLACES]),
        )
        if is_receiver:
            why = f"'{entry.parameter.name}' is the object on which the method is called"
            return entry.with_keys(keys, found, {key: f"'{key}' has no place here: {why}" for key in NOT_OF_RECEIVER})
        reasons = of_arrays(of)
        if output is not None:
            reasons["default"] = f"no new '{of.name.text}' can be made: a handle has no 'allocate'"
        return entry.with_keys(keys, found, reasons, f"arrays for {of.name.text}")

    def with_written_type(self, written: CType, entry: ParameterEntry) -> Object:
        needs_pointer = self.optional or self.invalidates or bool(self.keeps_alive)
        is_decided = needs_pointer or entry.names.classes[self.class_name].by_value
        may_be_struct = is_typedef(written) and not is_decided
        return replace(self, may_be_struct=may_be_struct, **writes_of_pointer(written, entry))

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        """Yields problems of an object that keeps other arguments alive after the call."""
        name = entry.parameter.name
        if not self.keeps_alive:
            return
        span, of = entry.place(KEEPS), entry.names.classes[self.class_name]
        if name in self.keeps_alive:
            yield Diagnostic("result-owner", span, f"'{name}' would keep itself alive forever")
        if of.is_external:
            message = f"'{self.class_name}' is a class of another module, whose objects cannot keep those of this one"
            hint = "bind this function in that module, or leave 'keeps' out if C copies the argument"
            yield Diagnostic("result-owner", span, message, hint, cause=self.class_name)
        counted = next((key for key in ("retain", "clone") if key in of.fields.given), None)
        if counted is not None:
            why = "the library may hold it longer than Python keeps its dependencies"
            message = f"a '{self.class_name}' has '{counted}': {why}"
            hint = "bind, or write, a function that makes a separate object with its own dependencies"
            yield Diagnostic(
                "result-owner", span, message, hint, (Note(of.fields.given[counted], "here"),), cause=self.class_name
            )
        if self.takes:
            message = f"'{name}' is taken over, and Python cannot keep anything with it"
            yield Diagnostic("result-owner", span, message, "keep it with the object that takes it")
        place = entry.place(REPLACES)
        if self.replaces and of.is_tensor and INVALIDATES not in entry.fields:
            message = f"'{name}' may show memory that it keeps: exports would then show freed memory"
            hint = f"args: {{{name}: {{..., invalidates: true}}}}; {{..., invalidates: false}} if it shows its own"
            yield Diagnostic("result-owner", place, message, hint)
        if self.replaces and call.release_gil:
            message = "the last call is unknown if several run at once"
            yield Diagnostic("result-owner", place, message, "leave 'release_gil' out, or 'replaces'")

    def assertions(self, emitted: EmittedArgument) -> tuple[Assertion, ...]:
        base = emitted.ctype.base
        if not self.optional or emitted.ctype.pointers or emitted.name == emitted.body.receiver:
            return ()
        message = f"{emitted.label}: {base} is not a pointer and never NULL: it cannot be optional"
        return (Assertion("POINTER", (f"*({base} *)0",), message),)

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        if not emitted.ctype.pointers:
            yield Piece("calls/object", "by_value", emitted)
        else:
            yield Piece("calls/object", "object_or_struct" if self.may_be_struct else "object", emitted)


# ---- Sequences of objects: a `T **` or `T *const *`, or a `const T *` for objects that are passed by value ----

_OF_ONE = {
    key: f"'{key}' is for one object, and these are several: bind, or write, a function that gets them one by one"
    for key in ("takes", "invalidates", "keeps", "replaces")
}


class Objects(Kind, Frozen):
    """A `T **` or `T *const *`: a sequence of objects. With `pass: value`, it is a `T *` or `const T *`."""

    class_name: str
    writes: bool = False
    require: Requirements = NOTHING
    copy: Copy = "never"
    unless_const: str | None = None

    is_list = True

    def operand_flags(self) -> Iterator[str]:
        yield from super().operand_flags()
        yield "DLB_PY_ITEMS"

    def may_be_returned(self, own: CType, returned: CType, of: str, in_storage: bool) -> bool:
        return (own.base == returned.base or self.class_name == of) and returned.depth == own.depth - 1

    def stub_type(self, scope: PythonScope) -> str:
        return f"collections.abc.Sequence[{scope.object_type(self.class_name)}]"

    def description(self, scope: PythonScope, required: Sequence[str]) -> str | None:
        one = f"a sequence, each {scope.object_description(self.class_name)}"
        return ", ".join([one, *required]) if scope.is_tensor or scope.may_be_temporary else None

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Objects | None:
        """Returns the argument for a list of objects. An object alone has another kind."""
        if not isinstance(named, Class):
            return None
        if named in entry.names.pointees(entry.ctype):
            return cls._read(entry, named)
        passed = named.type if named.by_value else f"{named.type} *"
        message = f"objects of '{named.name.text}' are passed as '{passed}', and this type differs"
        raise entry.mistake("argument-type", message)

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Objects | None:
        are_values = entry.ctype.depth == 1 and _has_length(entry) and not entry.names.number(entry.ctype.base)
        may_be_list = entry.ctype.depth > 1 or are_values
        of = entry.class_among(entry.names.pointees(entry.ctype)) if may_be_list else None
        return cls._read(entry, of) if of is not None and (of.by_value or not are_values) else None

    @classmethod
    def _read(cls, entry: ParameterEntry, of: Class) -> Objects:
        if of.by_value and not _has_length(entry):
            raise passed_by_value(entry, of)
        keys = ["of", "writes", *(["require", "copy"] if of.imports else [])]
        refuse_order(entry, of)
        found = cls(of.name.text, writes(entry), requirements_of_class(entry, of), entry.copy)
        return entry.with_keys(keys, found, {**of_arrays(of), **_OF_ONE}, f"arrays for {of.name.text}")

    def with_written_type(self, written: CType, entry: ParameterEntry) -> Objects:
        return replace(self, **writes_of_pointer(CType(written.base, written.pointers[:-1]), entry))

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name = entry.parameter.name
        is_counted = any(measure.what == "count" for measure in call.measures(name))
        if is_counted or (ctype.length or "").isdecimal():
            return
        message = f"the number of objects of '{name}' is unknown: no parameter counts them"
        hint = f"args: {{N: {{count_of: {name}}}}}; or a length in the prototype, '{name}[3]'"
        if ctype.length is None and not ctype.reads:
            hint = f"an object that C makes: args: {{{name}: {{out: true}}}}; several: {hint}"
        yield Diagnostic("argument-count", entry.span, message, hint)

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        yield Piece("calls/object", "object", emitted)


def _has_length(entry: ParameterEntry) -> bool:
    """Returns whether the number of objects is known: by another parameter, or by the prototype."""
    return entry.is_counted or (entry.ctype.length or "").isdecimal()


def passed_by_value(entry: ParameterEntry, of: Class) -> Mistake:
    """Returns the mistake for a pointer to a class whose objects are passed by value."""
    name = entry.parameter.name
    message = f"objects of '{of.name.text}' are passed by value, and this is a pointer: to how many is unknown"
    hint = f"several: args: {{N: {{count_of: {name}}}}}; one: write a C function that takes it by value"
    if not entry.ctype.reads:
        hint = f"an object that C makes: args: {{{name}: {{out: true}}}}; {hint}"
    return entry.mistake("argument-type", message, hint, cause=of.name.text)
