"""Objects, and lists of objects: arguments and results."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dlpack_bindgen.calls.argument_kind import (
    DEFAULT,
    LIKE,
    TAKES,
    EmittedArgument,
    Kind,
    ParameterEntry,
    PythonScope,
    array_key_messages,
    kept,
    new_output,
    refuse_order,
    requirements_of_class,
    writes,
    writes_of_pointer,
)
from dlpack_bindgen.calls.result_kind import (
    KEEPS,
    OPTIONAL,
    EarlierObjects,
    EmittedValue,
    Param,
    PossibleArgument,
    Result,
    ResultKind,
    Source,
    Target,
    borrowed_lifetime,
)
from dlpack_bindgen.calls.spec_names import Class, Mistake, Named, likely, shared_by
from dlpack_bindgen.calls.string import COUNT
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import PARAMETER, PARAMS, Key, Needs, flag
from dlpack_bindgen.language.values import Leaf, is_true, needed, text_of
from dlpack_bindgen.tensor.requirements import NOTHING, Copy, NewOutput, Requirements
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.fragments import Assertion, Piece
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
    keys = (REPLACES, INVALIDATES)

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

    call_value = "object"
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
        reasons = array_key_messages(of)
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

    call_value = "objects"
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
        return entry.with_keys(keys, found, {**array_key_messages(of), **_OF_ONE}, f"arrays for {of.name.text}")

    def with_written_type(self, written: CType, entry: ParameterEntry) -> Objects:
        return replace(self, **writes_of_pointer(CType(written.base, written.pointers[:-1]), entry))

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name = entry.parameter.name
        is_counted = any(each.what == "count" and each.of == name for each in call.measures())
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


# ---- Returned objects: a pointer to an object, or an object by value ----


class Member(Frozen):
    """A member of the state of an object, and its value."""

    name: str
    value: str


class ObjectState(Frozen):
    """The state of a returned object."""

    variable: str
    early: tuple[Member, ...]
    """The members that are initialised."""
    has_defaults: bool
    late: tuple[Member, ...]
    """The members that are set after the defaults."""


class ObjectResult(Frozen):
    """An object that C returns."""

    to: Target
    of: str
    """The C name of the class."""
    passed: str
    flags: tuple[str, ...]
    stored: str
    """The struct that C has returned by value; empty: it has returned none."""
    storage: str
    """The memory for the struct; empty: there is none."""
    state: ObjectState | None
    owner: str
    """The macro of the template that prints what keeps the object alive."""
    function: str
    arrays: str
    kept: tuple[str, ...]
    """The arguments that the object keeps alive, or the one whose object owns it."""
    same: tuple[PossibleArgument, ...]
    is_stored_first: bool
    """Whether struct and state are stored before the tests of the arguments."""
    typedef: str = ""
    """The type in the prototype, if only the compiler knows whether it is a pointer or a struct; else empty."""
    earlier: tuple[EarlierObjects, ...] = ()
    earlier_flags: str = "0"
    variable: str = ""
    """The variable that C has returned or filled, for the test of `earlier`."""


BORROW = Key[Leaf](
    "borrow",
    PARAMETER,
    "The parameter whose object owns the returned object and is kept alive; `static` if the returned object is "
    "never freed.",
    default="the caller owns it",
    after="of",
)
OWNED = flag(
    "owned",
    "The caller owns the object although it is a `const T *`: its `release` frees it. Its data is read-only.",
    "The library owns the object; `borrow` names its owner.",
    "Whether the caller owns the returned object.",
    default="`true`, unless the type is `const T *`",
    after="borrow",
)


class ReturnedObject(ResultKind):
    keys = (BORROW, OWNED)
    accepts = ("borrow", "owned", "keeps", "optional")

    is_object = True
    runs_code = True

    def is_named(self, named: Named) -> bool:
        return isinstance(named, Class)

    def by_name(self, named: Named, source: Source) -> Result | None:
        assert isinstance(named, Class)
        class_type = source.names.class_type(named, source.ctype)
        if class_type is None and not source.names.is_own(named, source.ctype):
            return None
        return self._recognized(named, source, class_type)

    def refusal(self, named: Named, source: Source) -> Mistake:
        assert isinstance(named, Class)
        passed = f"'{named.type} *'" if named.by_value else f"'{named.type} **', or '{named.type} *'"
        return source.mistake(f"an 'out' of '{named.name.text}' is {passed}, and this type differs")

    def by_type(self, source: Source) -> Result | None:
        has_any = source.ctype.depth > 0 or source.constructed is not None
        found = source.names.objects(source.ctype) if has_any else source.names.meant(source.ctype)
        found = [source.constructed] if source.constructed in found else likely(found)
        if len(found) > 1:
            of_result = source.parameter is None
            message = f"{shared_by(found)} share {'the C type of the result' if of_result else 'this C type'}"
            hint = f"name one of them with '{'returns' if of_result else 'of'}'"
            raise source.mistake(message, hint, "ambiguous-class")
        return self._recognized(found[0], source) if found else None

    def fields(self, value: Result, source: Source) -> dict[str, Any]:
        _refuse_unowned(value, source)
        return {}

    def _recognized(self, of: Class, source: Source, class_type: CType | None = None) -> Result:
        """Returns an object: a pointer to it, or a struct that the function fills."""
        if source.length is not None:
            raise source.mistake(f"'{of.name.text}' is one object, and this is an array of them")
        if source.parameter is not None and of.is_struct(source.ctype) and is_true(source.fields[OPTIONAL]):
            raise source.mistake(f"'{of.name.text}' is filled in place, and is never NULL")
        if of.is_external and of.is_struct(source.ctype):
            message = f"'{of.name.text}' is a class of another module: only C can allocate its objects"
            raise source.mistake(message, "let C return a pointer, or bind this function in the module of the class")
        is_typedef = class_type is not None and class_type.depth > 0 and source.ctype.depth == 0
        may_be_struct = is_typedef and of.releases_nothing and not of.is_external
        return Result(self, of.name.text, class_type=class_type, may_be_struct=may_be_struct)

    def lifetime(self, subject: str, borrow: str | None, kept: str) -> str | None:
        return f"{subject} keeps {kept} alive." if kept else borrowed_lifetime(subject, borrow)

    def piece(self, emitted: EmittedValue) -> Piece:
        results, ctype, written, of = emitted.results, emitted.ctype, emitted.written, emitted.value.of
        assert of is not None
        passed, state, in_storage = emitted.variable, None, results.is_in_storage(ctype, of)
        storage = results.storage if in_storage else ""
        stored = passed if emitted.name == "result" and in_storage else ""
        typedef = written.base if written is not None and emitted.value.may_be_struct else ""
        if typedef:
            storage = results.storage_of(emitted.name)
            passed = f"DLB_PY_OBJECT_OF({passed}, {storage})"
        if stored:
            passed = results.storage
        if ctype.pointers and (written is not None or ctype.reads):
            passed = f"({ctype.base} *)(uintptr_t){passed}"
        elif written is not None and not in_storage:
            passed = f"DLB_PY_VALUE_AS({ctype.base}, {passed})"
        if (params := results.params(emitted.name, of)) is not None:
            state = _state(params, results.body.own(f"made_{emitted.name}"), passed)
            passed = f"&{state.variable}"
        wanted = {
            "DLB_PY_OPTIONAL": emitted.value.optional,
            "DLB_PY_IN_STORAGE": in_storage,
            f"DLB_PY_IN_STORAGE_IF_STRUCT({typedef})": bool(typedef),
            "DLB_PY_READS": (written or ctype).reads,
            f"DLB_PY_READS_IF_CONST({(written or ctype).base})": written is not None and not written.pointers,
        }
        same, (owner, kept) = results.same(emitted.name), _owner(emitted)
        found = ObjectResult(
            to=emitted.to,
            of=results.body.class_of(of),
            passed=passed,
            flags=tuple(name for name, is_set in wanted.items() if is_set) or ("0",),
            stored=stored,
            storage=storage,
            state=state,
            owner=owner,
            function=results.body.table,
            arrays=results.body.arrays,
            kept=kept,
            same=same,
            is_stored_first=not all(each.is_same for each in same),
            typedef=typedef,
            earlier=results.earlier(emitted.name),
            earlier_flags=f"DLB_PY_ZEROS_IF_NUMBER({emitted.variable})" if results.is_by_value(of) else "0",
            variable=emitted.variable,
        )
        return Piece("calls/object", "given_or_made" if same else "made", found)


def _owner(emitted: EmittedValue) -> tuple[str, tuple[str, ...]]:
    """Returns how an object is kept alive, as a macro of the template, and the arguments for it."""
    results, keeps, borrow = emitted.results, emitted.value.keeps, emitted.value.borrow
    if results.may_refer(emitted.name):
        return "referring", results.body.places(keeps)
    if len(keeps) == 1:
        return "keeping_param" if results.is_param(keeps[0]) else "keeping", results.body.places(keeps)
    if keeps:
        return "keeping_all", results.body.places(keeps)
    if borrow is None:
        return "owned", ()
    return "borrowed", () if borrow == "static" else (results.place(borrow),)


def _state(params: tuple[Param, ...], variable: str, made: str) -> ObjectState:
    """Returns the state of an object. Params have their defaults, unless the function reports a value."""
    reported = [each for each in params if each.value]
    has_defaults = any(each.has_default and not each.value for each in params)
    late = [each for each in reported if each.has_default and has_defaults]
    early = [each for each in reported if each not in late]
    return ObjectState(
        variable=variable,
        early=(Member("self", made), *(Member(each.name, each.value) for each in early)),
        has_defaults=has_defaults,
        late=tuple(Member(each.name, each.value) for each in late),
    )


def _refuse_unowned(value: Result, source: Source) -> None:
    """Raises Mistake if the owner of a returned object is missing or contradictory."""
    borrowing = f"returns: {{of: {value.of}, borrow: {source.borrow_source}}}" if source.borrow_source else None
    if source.parameter is not None:
        borrowing = f"args: {{{source.parameter}: {{out: true, borrow: PARAM}}}}"
    is_borrowed, is_owned = text_of(source.fields[BORROW]) is not None, is_true(source.fields[OWNED])
    is_declared, owned = OWNED in source.fields, source.fields.place(OWNED)
    if is_declared and is_borrowed:
        raise Mistake("without-effect", owned, "it stays the library's, as 'borrow' declares", "leave out one of them")
    if value.class_type is not None and source.ctype.depth == 0 and (is_owned or not is_declared):
        return  # the typedef may hide a const, which emitted C checks
    if is_declared and not is_owned and not is_borrowed:
        message, hint = f"the owner of this '{value.of}' is not declared", borrowing or "borrow: static"
        raise Mistake("result-owner", owned, message, f"declare where it lives: {hint}")
    if is_declared and not source.ctype.reads:
        message = "it is the caller's anyway, since it is not 'const'"
        raise Mistake("without-effect", owned, message, "leave it out")
    if source.ctype.reads and not is_borrowed and not is_owned:
        lives = "write 'borrow: static' if it lives for good"
        if borrowing:
            lives = f"write {borrowing}, or 'borrow: static'"
        message = f"the owner of this '{value.of}' is not declared: the caller seldom owns a 'const' object"
        raise source.mistake(message, f"{lives}; 'owned: true' if its 'release' must free it", "result-owner")


# ---- Returned lists of objects: a table of objects of one class, and their number ----


class ReturnedObjects(ResultKind):
    accepts = ("borrow", "owned", "keeps", "count")
    details = (
        (
            "count",
            "With a class in `of`, the result is a list of objects: C gives a table of pointers (`T **`), or of the "
            "objects themselves if they have `pass: value`. `finally` frees the table. `borrow` and `keeps` apply to "
            "each object.",
        ),
    )

    is_list = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Result | None:
        assert isinstance(named, Class)
        has_space = source.length is None or source.length.isdecimal()
        is_table = source.length is not None or source.ctype.depth > 0
        is_element = is_table and named.is_object(_element(source.ctype, source.length))
        return self._recognized(named, source) if has_space and is_element else None

    def refusal(self, named: Named, source: Source) -> Mistake:
        assert isinstance(named, Class)
        return source.mistake(f"this does not point to a table of '{named.name.text}'", self.hint(source))

    def hint(self, source: Source) -> str:
        return "several objects: a 'T **', or a 'T *' with 'pass: value'; in an array of the caller: 'T *list[16]'"

    def fields(self, value: Result, source: Source) -> dict[str, Any]:
        count = source.fields[COUNT]
        assert count is not None
        if count.text in ("none", "NULL", "null", "None"):
            message = f"'{count.text}' is not a number of objects"
            raise Mistake("result-type", count.span, message, "write the C expression of the number")
        is_owned = text_of(source.fields[BORROW]) is not None or is_true(source.fields[OWNED])
        if _element(source.ctype, source.length).reads and not is_owned:
            message = f"the owner of these '{value.of}' is not declared: the caller seldom owns 'const' objects"
            hint = "name it with 'borrow', or write 'borrow: static'; 'owned: true' if 'release' must free them"
            raise source.mistake(message, hint, "result-owner")
        return {"count": count.text}

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return f"list[{of}]"

    def lifetime(self, subject: str, borrow: str | None, kept: str) -> str | None:
        return f"Each object of {subject} keeps {kept} alive." if kept else borrowed_lifetime(subject, borrow)

    def piece(self, emitted: EmittedValue) -> Piece:
        return Piece("calls/object", "list", emitted)

    def buffer_piece(self, emitted: EmittedValue) -> Piece:
        return self.piece(emitted)

    def flags(self, emitted: EmittedValue) -> list[str]:
        """Returns the flags of the runtime for all objects."""
        results, is_unique = emitted.results, emitted.results.is_unique(emitted.name)
        is_by_value = results.is_by_value(needed(emitted.value.of))
        wanted = {
            "DLB_PY_BORROWED": emitted.value.borrow is not None,
            "DLB_PY_UNIQUE": is_unique,
            f"DLB_PY_ZEROS_IF_NUMBER(*{emitted.variable})": is_unique and is_by_value,
            "DLB_PY_READS": _element(emitted.ctype, emitted.length or None).reads,
        }
        return [name for name, is_set in wanted.items() if is_set]

    def kept(self, emitted: EmittedValue) -> tuple[str, ...]:
        """Returns the arguments that each object keeps alive, or the one whose object owns them."""
        borrow, keeps = emitted.value.borrow, emitted.value.keeps
        return emitted.results.body.places(keeps if borrow is None else () if borrow == "static" else (borrow,))

    def _recognized(self, named: Class, source: Source) -> Result:
        if named.fields[PARAMS] is not None:
            message = f"the objects of '{named.name.text}' have 'params', which a list does not report"
            raise source.mistake(message, "write a C function that returns one of them")
        return Result(self, named.name.text)


def _element(ctype: CType, length: str | None) -> CType:
    """Returns the type of one object of the table."""
    return ctype if length is not None else CType(ctype.base, ctype.pointers[:-1])
