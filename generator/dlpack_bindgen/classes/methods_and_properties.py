"""Members of classes: properties, constructors and special methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from dlpack_bindgen.calls.call import Call, Property, read
from dlpack_bindgen.calls.features import FUNCTION, MAP_OF_FUNCTIONS
from dlpack_bindgen.calls.function_keys import KEYWORD_ONLY, NAME, TYPE_OF_PROPERTY
from dlpack_bindgen.calls.object import Member, ObjectResult, ObjectState
from dlpack_bindgen.calls.result_kind import Target
from dlpack_bindgen.calls.result_kinds import kind_of
from dlpack_bindgen.calls.spec_names import Class, Names, declared_params
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import (
    DOC,
    EXPRESSION,
    IF,
    PARAMS,
    Alternatives,
    Form,
    Key,
    MapOf,
    Needs,
    Option,
    Record,
    Word,
    Words,
)
from dlpack_bindgen.language.values import (
    Fields,
    Leaf,
    Table,
    Value,
    c_fragments,
    is_record,
    is_true,
    leaf_of,
    needed,
    text_of,
)
from dlpack_bindgen.tensor import steps
from dlpack_bindgen.tensor.c_names import CNames, constants_of_state, descriptor, scope_of, table_name
from dlpack_bindgen.tensor.import_rules import frees_self
from dlpack_bindgen.tensor.item import Action, Item, NewStruct, Tensor
from dlpack_bindgen.tensor.lifetime_hooks import CLONE, RELEASE, RETAIN, steps_function
from dlpack_bindgen.tensor.parts import OF_PART, PARTS
from dlpack_bindgen.tensor.requirements import ERROR
from dlpack_bindgen.tensor.slot import Scope, Variable
from dlpack_bindgen.tensor.slots import DATA, READONLY, SLOT_NAMES
from dlpack_bindgen.tensor.steps import OK, Function, is_by_spec, tested
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span
from dlpack_bindgen.text.fragments import (
    ALWAYS,
    Assertion,
    EmittedFunction,
    argument,
    arrays_of,
    declaration,
    has_members,
    is_behind_pointer,
    is_own_member,
    is_place,
    mentions,
    replace_names,
)
from dlpack_bindgen.text.literals import c_string, c_strings
from dlpack_bindgen.text.names import CALLED, SPECIAL, WORDS

GET = Key[Leaf]("get", EXPRESSION, "The value of the property.", required=True)
SET = Key[Leaf | Fields](
    "set",
    Alternatives(
        (
            Option(
                Words(
                    (
                        Word(
                            "true",
                            "The assigned value is stored in the member that `get` reads, such as `self->level`.",
                        ),
                    ),
                    otherwise="'set: true' stores the value in the member that 'get' names; write a function "
                    "as {c: ...}; without 'set' the property is read-only",
                ),
                "A word.",
            ),
            Option(
                FUNCTION,
                "The function that sets the property. Its parameters are the object and the value: a member "
                "of the enum if `type` is an enum.",
                tag="c",
            ),
        )
    ),
    "Makes the property writable: by a function, or with `true` by an assignment to the member of the C struct.",
    default="read-only",
    details=(
        "`true` is refused for strings, and for members that hold the address or the size of memory.",
        "A value that does not fit the member raises an OverflowError. The member keeps its old value.",
        "If an import created the struct in its own storage (`set`, `init`), its members can be set even if "
        "the array is read-only. The memory behind a pointer member stays read-only. Members of a `const` "
        "object of the library cannot be set.",
    ),
)
PROPERTY = Record(
    what="a property",
    doc="A computed attribute of the Python object; `self` is in scope.",
    keys=(GET, TYPE_OF_PROPERTY, SET, DOC, IF),
)
_OF_INIT = Needs(("init",), "it applies to that call")
INIT_OF_STRUCT = Key[Leaf](
    "init",
    EXPRESSION,
    "A call, or an assignment, that gives members of the struct `self` other initial values.",
    details=("It runs before the keywords are assigned.",),
)
NEW_STRUCT = Record(
    what="a new struct",
    doc="A struct of zeros, whose memory the Python object owns. The constructor has a keyword for each property that "
    "can be set.",
    keys=(
        INIT_OF_STRUCT,
        replace(OK, default="the `ok` of the spec", needs=_OF_INIT),
        replace(ERROR, needs=_OF_INIT),
        DOC,
    ),
)
METHODS = Key[Table](
    "methods",
    MAP_OF_FUNCTIONS,
    "Methods. The object is the first parameter of its C type; a function without such a parameter belongs to the "
    "class.",
)
PROPERTIES = Key[Table](
    "properties",
    MapOf(
        Form.PROPERTY,
        Alternatives(
            (Option(EXPRESSION, "The value, an integer."), Option(PROPERTY, "The value, its type and more.", tag="get"))
        ),
        "a mapping from names to properties",
    ),
    "Computed attributes.",
)
NEW = Key[Fields](
    "new",
    Alternatives(
        (
            Option(FUNCTION, "A C function that returns the object.", tag="c"),
            Option(NEW_STRUCT, "Python makes the struct: `new: {}`."),
        )
    ),
    "The constructor `Name(...)`.",
)
CLASS_KEYS: tuple[Key[Any], ...] = (METHODS, PROPERTIES, NEW)


# ---- Rules for properties with a setter: the target must be a member whose type Python can assign ----

_ALWAYS = (ALWAYS, "true")
_TYPES = {"float": "double ", "bool": "bool ", "complex": "double complex ", "char": "char ", "str": "const char *"}
_OF_MEMORY = (*SLOT_NAMES, "match", "let", "hold", "parts")
"""Keys of a class that describe its memory."""


def check_members(name: str, property_: Fields, own_class: Class, classes: Iterable[Class], report: Report) -> None:
    setter, get = leaf_of(property_[SET]), property_[GET]
    if setter is None:
        return
    own, value = " " if own_class.by_value else " *", _TYPES.get(text_of(property_[TYPE_OF_PROPERTY]) or "", "int ")
    function = f'c: "void set_{name}({own_class.type}{own}self, {value}value)"'
    hint = f"name a function that sets it, such as: set: {{{function}}}"
    if text_of(property_[TYPE_OF_PROPERTY]) == "str":
        message = "a string is not stored: its owner and its lifetime are unknown"
        report(Diagnostic("setter-value", setter.span, message, hint))
    elif get is not None and (why := _not_stored(get.text, own_class)):
        report(Diagnostic("setter-value", get.span, f"nothing can be assigned to '{get.text}'{why}", hint))
    elif get is not None and (leaf := _of_memory(get.text, own_class, classes)):
        message = f"'{get.text}' describes the memory, and arrays could lead beyond its end"
        if leaf.text == _array(get.text) != get.text:
            message = f"'{get.text}' is an element of the array, which is written to as an array"
        report(Diagnostic("setter-value", get.span, message, hint, notes=(Note(leaf.span, "here"),)))
    elif get is not None and (text_of(own_class.fields[READONLY]) or "") in _ALWAYS and not is_own_member(get.text):
        message = f"a '{own_class.name.text}' is read-only, and this may be its data: each assignment would be refused"
        hint = f"if a function may: set: {{{function}, args: {{self: {{writes: false}}}}}}"
        report(Diagnostic("setter-value", setter.span, message, hint))


def _of_memory(get: str, own_class: Class, classes: Iterable[Class]) -> Leaf | None:
    """Returns C text that uses the member to describe memory, in a class of the same C type. For `self->dims[0]`, any
    use of `self->dims` counts."""
    path = _array(get)
    for each in classes:
        for key in _OF_MEMORY if each.type == own_class.type else ():
            for _, leaf in c_fragments(each.fields.values[key]) if key in each.fields.values else ():
                if _has(leaf.text, path):
                    return leaf
    return None


def _array(get: str) -> str:
    """Returns the array of an element; returns other places unchanged."""
    while get.endswith("]"):
        depth = 0
        for start in range(len(get) - 1, -1, -1):
            depth += {"]": 1, "[": -1}.get(get[start], 0)
            if depth == 0:
                break
        get = get[:start].rstrip()
    return get


def _has(text: str, path: str) -> bool:
    """Returns whether C text contains the tokens of the path in sequence."""
    tokens, wanted = ctext.tokens(text), ctext.tokens(path)
    return any(tokens[start : start + len(wanted)] == wanted for start in range(len(tokens)))


def _not_stored(get: str, own_class: Class) -> str | None:
    """Returns the reason that nothing can be assigned, as the end of a message; None if it can."""
    if get == "self":
        return ", which is the object"
    if any(get == param.name for param in declared_params(own_class)):
        return ", which is given when the object is made"
    return None if is_place(get) else ": it is not a member"


# ---- Rules for properties whose values are tensors or handles ----


def check_attributes(property_: Fields, own_class: Class, known: Names, report: Report) -> None:
    kind, get = property_[TYPE_OF_PROPERTY], property_[GET]
    of = known.classes.get(text_of(kind) or "")
    if of is None or get is None or kind is None:
        return
    note = (Note(of.name.span, "the class"),)
    setter = leaf_of(property_[SET])
    if setter is not None:
        message = f"'set: true' stores no '{of.name.text}': Python sets its elements through the attribute"
        hint = "leave 'set' out, or name a function that copies an array"
        report(Diagnostic("setter-value", setter.span, message, hint, note))
    if None in (of.type, own_class.type):
        return
    is_same_type, is_self = of.type == own_class.type, get.text == "self"
    if is_self and not is_same_type:
        message = f"'self' is a '{own_class.type}', and the C type of '{of.name.text}' is '{of.type}'"
        hint = f"write the address of the '{of.type}', such as '&self->member'; or give '{of.name.text}' this C type"
        report(Diagnostic("result-type", get.span, message, hint, note))
    elif is_same_type and not is_self and _describes(of, get.text):
        message = f"'{get.text}' is the array, and the C type of '{of.name.text}' is '{of.type}'"
        report(Diagnostic("result-type", get.span, message, "write 'get: self'", note))
    elif is_self and of.name.text == own_class.name.text:
        message = f"'self' is the object of the property: it is a '{of.name.text}' already"
        report(Diagnostic("result-type", get.span, message, "leave the property out", note))
    else:
        _params(kind, of, own_class if is_self else None, known, report)


def _describes(of: Class, get: str) -> bool:
    """Returns whether the class reads its elements from that member."""
    data = of.fields[DATA]
    return isinstance(data, Leaf) and ctext.tokens(data.text) == ctext.tokens(get)


def _params(kind: Leaf, of: Class, whole: Class | None, known: Names, report: Report) -> None:
    """Reports a param of the class that has no value: a property has no arguments."""
    inherited = [(each.name, each.ctype) for each in declared_params(whole)] if whole is not None else []
    is_part = any(text_of(part[OF_PART]) == of.name.text for each in known.classes.values() for part in _parts(each))
    for position, param in enumerate(declared_params(of)):
        is_index = position == 0 and is_part
        if param.required and (is_index or (param.name, param.ctype) not in inherited):
            message = f"'{of.name.text}' has the parameter '{param.name}', and a property has no arguments"
            hint = f"give '{param.name}' a default, or declare a method"
            report(Diagnostic("param-unset", kind.span, message, hint, (Note(param.leaf.span, "here"),)))


def _parts(of: Class) -> tuple[Fields, ...]:
    return parts.records() if (parts := of.fields[PARTS]) else ()


# ---- Rules for constructors that make a struct: nothing else may count, allocate or free it ----


def check_new_struct(new: Fields, own_class: Class, report: Report) -> None:
    for diagnostic in (*_owners(new, own_class), *_params_of_new(new, own_class), *_members(new, own_class)):
        report(diagnostic)


def _owners(new: Fields, own_class: Class) -> Iterator[Diagnostic]:
    """Yields problems with the keys that free and count objects."""
    fields, name = own_class.fields, own_class.name.text
    release = fields[RELEASE]
    if not own_class.releases:
        message = f"Python owns the new struct, and '{name}' has no 'release'"
        hint = "release: (void)self if nothing in the struct is freed"
        yield Diagnostic("constructor-result", new.span, message, hint)
    elif release is not None and not own_class.by_value and frees_self(release.text):
        message = f"this '{name}' lies in memory of its owner, which free() does not know"
        hint = "free the content of the object, not the object; '(void)self' if there is nothing in it"
        notes = (Note(release.span, "this frees it"),)
        yield Diagnostic("frees-our-memory", new.span, message, hint, notes, cause=name)
    for key in (RETAIN, CLONE):
        if key in fields:
            message = f"a '{name}' has '{key.name}': only the library can make its objects"
            notes = (Note(fields.place(key), "here"),)
            yield Diagnostic("constructor-result", new.span, message, "new: {c: a function that returns one}", notes)


def _params_of_new(new: Fields, own_class: Class) -> Iterator[Diagnostic]:
    """Yields the params that a struct of zeros cannot have."""
    for each in steps.params(own_class.fields[PARAMS]):
        if each.value is None:
            message = f"'{each.name}' is required, and the new struct is made without it"
            yield Diagnostic("param-unset", new.span, message, "give it a default")


def _members(new: Fields, own_class: Class) -> Iterator[Diagnostic]:
    """Yields members that are read through a pointer of a struct of zeros."""
    properties = own_class.fields[PROPERTIES]
    if INIT_OF_STRUCT in new:
        return
    for _, each in properties.records() if properties else ():
        get = text_of(each[GET])
        if get is not None and is_true(each[SET]) and is_behind_pointer(get):
            message = f"'{get}' is behind a pointer, which is NULL in the new struct"
            hint = "set the pointer in 'new: {init: ...}'"
            yield Diagnostic("setter-value", each.place(GET), message, hint)


# ---- Rules for special methods such as `__len__`: Python fixes their arguments and their result ----

_COUNTS = ("nothing", "one value", "two values")


def check_not_special(key: Leaf, function: Fields, report: Report) -> None:
    """Reports functions of the module with the name of a special method."""
    name = function[NAME] or key
    if name.text in SPECIAL:
        report(_mistake(name.span, f"'{name.text}' is a method: it stands in the 'methods' of a class"))


def check_specials(key: Leaf, function: Fields, call: Call, returned: tuple[str, ...], report: Report) -> None:
    name = function[NAME] or key
    if name.text not in SPECIAL:
        return
    count, words = SPECIAL[name.text]
    if call.self_index is None:
        report(_mistake(name.span, f"'{name.text}' is called on an object, and no parameter is one"))
        return
    if IF in function:
        report(_mistake(function.place(IF), f"a class has '{name.text}', or has it not: leave 'if' out"))
    if count is not None and KEYWORD_ONLY in function:
        report(_mistake(function.place(KEYWORD_ONLY), f"Python gives '{name.text}' its arguments by position"))
    given = [each.name for each in call.from_python()]
    if count is not None and len(given) != count:
        shown = f": {', '.join(given)}" if given else ""
        message = (
            f"Python gives '{name.text}' {_COUNTS[count]} beside the object, and here it gives {len(given)}{shown}"
        )
        report(_mistake(call.place, message, "'value' declares what only C needs"))
    if words is not None and call.read_result is not None and call.is_whole:
        found = [_word(call, each) for each in returned]
        if words and (len(found) != 1 or found[0] not in words):
            wanted = " or ".join(sorted(words, key=lambda word: word == "int")).replace("object", "an object")
            report(_mistake(call.place, f"'{name.text}' returns {wanted}, and nothing else"))
        elif not words and found:
            report(
                _mistake(call.place, f"'{name.text}' returns nothing", "declare when it succeeds, or 'returns: None'")
            )


def _word(call: Call, name: str) -> str | None:
    """Returns the word for the kind of the returned value, or None if it has none."""
    argument = call.find(name)
    value = call.read_result if argument is None or name == "result" else argument.kind.returned_value()
    if value is None:
        return None
    return "object" if value.kind.is_object else next(iter(value.kind.words), None)


def _mistake(span: Span, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic("special-method", span, message, hint)


# ---- Construction of members and functions from values without mistakes ----


def read_members(fields: Fields, names: Names, own_class: Class, ok: str | None) -> dict[str, Any]:
    """Returns the methods, properties and constructor of a class. `ok` is the default test of calls."""
    new, properties = fields[NEW], fields[PROPERTIES]
    return {
        "methods": read_calls(fields[METHODS], names, own_class),
        "properties": tuple(
            _read_property(key.text, value, names, own_class)
            for key, value in (properties.entries if properties else ())
        ),
        "new": _read_call("new", new, names, None, made=own_class) if is_record(new, FUNCTION) else None,
        "new_struct": _read_new_struct(new, ok) if is_record(new, NEW_STRUCT) else None,
    }


def _read_new_struct(fields: Fields, ok: str | None) -> NewStruct:
    init = None
    if call := text_of(fields[INIT_OF_STRUCT]):
        init = Action(call, tested(fields, ok), text_of(fields[ERROR]), is_by_spec(fields, ok))
    return NewStruct(init, text_of(fields[DOC]) or None)


def read_calls(functions: Table | None, names: Names, own_class: Class | None = None) -> tuple[Call, ...]:
    entries = functions.records() if functions else ()
    return tuple(_read_call(key.text, fields, names, own_class) for key, fields in entries)


def _read_call(
    key: str,
    fields: Fields,
    names: Names,
    own_class: Class | None,
    made: Class | None = None,
    property_: Fields | None = None,
) -> Call:
    """Returns the call that the rules have read, unless names in the spec have been marked since then."""

    def unexpected(diagnostic: Diagnostic) -> None:
        raise AssertionError(diagnostic.message)

    return needed(read(key, fields, names, own_class, made, unexpected, property_))


def _read_property(name: str, value: Value, names: Names, own_class: Class) -> Property:
    if isinstance(value, Leaf):
        return Property(name, value.text, kind_of("int"))
    assert is_record(value, PROPERTY)
    word = text_of(value[TYPE_OF_PROPERTY]) or "int"
    named = word if word in WORDS else names.classes.get(word) or names.enums[word]
    setter = value[SET]
    return Property(
        name=name,
        get=needed(text_of(value[GET])),
        kind=kind_of(named),
        of=word if named is not word else None,
        set=_read_call(name, setter, names, own_class, property_=value) if is_record(setter, FUNCTION) else None,
        stored=is_true(value[SET]),
        doc=text_of(value[DOC]) or None,
        condition=text_of(value[IF]),
    )


# ---- Properties that store the assigned value in the struct itself ----


class MemberValue(Frozen):
    """The value that is assigned to a property, as C gets it."""

    type: str
    read: str
    """The suffix of the function that reads it: `dlb_py_read_integer`."""
    stored: str
    """The suffix of the macro that stores it."""
    initial: str = "0"
    is_plain_param: bool = False
    """Whether the table of params has its C type."""
    is_pair: bool = False
    """Whether it has a real and an imaginary part."""
    is_signed: bool = False
    """Whether it becomes a signed integer of the runtime."""


class Setter(Frozen):
    """A function that stores the value of a property in the struct."""

    scope: Scope
    own: Property
    table: str
    """The name of the `dlb_py_function` constant."""
    flags: tuple[str, ...]
    value: MemberValue
    enum: str
    """The table of the enumeration; empty for other kinds."""
    place: str
    """The member, as a C expression."""
    has_copy: bool
    """Whether `place` uses `self`, a copy of the object."""
    has_pointer: bool
    """Whether `place` uses `self`, a pointer to the object."""
    params: tuple[Variable, ...]
    names: Mapping[str, str]
    """The variables and parameters, by their usual names."""

    @property
    def label(self) -> str:
        return self.scope.label(f"properties.{self.own.name}.set")


_VALUES = {
    "int": MemberValue("dlb_integer", "integer", "INTEGER", initial="{0, 1, NULL}"),
    "float": MemberValue("double", "number", "FLOAT", is_plain_param=True),
    "bool": MemberValue("bool", "number", "BOOL", is_plain_param=True),
    "complex": MemberValue("double complex", "complex", "COMPLEX", is_pair=True),
    "char": MemberValue("char", "char", "INTEGER", is_signed=True),
    "enum": MemberValue("int64_t", "enum", "INTEGER", is_signed=True),
}
"""The assigned value of a property, by its kind."""


def emit_setter(names: CNames, scope: Scope, item: Item, each: Property) -> EmittedFunction:
    """Returns the setter function of a property."""
    taken = _taken(scope, item, each)
    own = {name: _free(name, taken) for name in ("object", "args", "nargs", "kwnames", "arrays", "given", "fits")}
    place, is_copy = _place(scope, each)
    uses_self = mentions([place], "self")
    flags = ["DLB_PY_SETS" if is_own_member(each.get) else "DLB_PY_WRITES"]
    params = constants_of_state(scope.c_name, item, f"{own['arrays']}[0]", each.get)
    setter = Setter(
        scope=scope,
        own=each,
        table=descriptor(item, f"set_{each.name}"),
        flags=tuple([*flags, "DLB_PY_KEPT"] if params else flags),
        value=_VALUES["enum" if each.kind.is_enum else each.kind.number or ""],
        enum=names.enums[each.of] if each.of is not None else "",
        place=place,
        has_copy=uses_self and is_copy,
        has_pointer=uses_self and not is_copy,
        params=params,
        names=own,
    )
    return EmittedFunction(
        "classes/methods_and_properties", setter, f"{CALLED}{scope.c_name}_set_{each.name}", "", each.condition
    )


def _taken(scope: Scope, item: Item, each: Property) -> set[str]:
    """Returns the names that have another meaning in the body."""
    tokens = (ctext.Token("sign", ""), *ctext.tokens(each.get))
    used = {token.text for before, token in pairwise(tokens) if before.text not in ("->", ".")}
    types = [scope.type, *(param.ctype for param in item.params)]
    return used.union(*(text.split() for text in types))


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _place(scope: Scope, each: Property) -> tuple[str, bool]:
    """Returns the location of the member, and whether `self` is a copy of the object.

    An object passed by value is stored in the Python object.
    """
    if not scope.by_value:
        return each.get, False
    if has_members(each.get, "self"):
        return replace_names(each.get, {"self": "(*self)"}), False
    return each.get, True


# ---- Functions that read properties ----


class EmittedProperty:
    """A property with the function that reads it."""

    def __init__(self, names: CNames, scope: Scope, item: Item, own: Property, setter: EmittedFunction | None) -> None:
        self.own = own
        self.setter = setter
        self.scope = scope
        self._names = names
        self._item = item

    @property
    def condition(self) -> str | None:
        """Returns the `#if` condition of the property and of the class of its value."""
        of = self._of.condition if self._of is not None else None
        found = [text for text in (self.own.condition, of if of != self._item.condition else None) if text is not None]
        return " && ".join(f"({text})" for text in found) if len(found) > 1 else next(iter(found), None)

    @property
    def doc(self) -> str:
        """Returns the docstring, as a C string literal."""
        own = self.own
        of_view = f"This object, seen as {own.of}." if self.view else None
        return c_strings(
            own.doc or of_view or f"`{own.get.replace('self->', '').replace('self.', '')}` of the C object."
        )

    @property
    def _of(self) -> Item | None:
        """Returns the class of the value, if it is a tensor or a handle."""
        return self._names.items[self.own.of] if self.own.kind.is_object and self.own.of is not None else None

    @property
    def params(self) -> tuple[Variable, ...]:
        """Returns the params of the object that the value depends on."""
        return constants_of_state(self.scope.c_name, self._item, "arrays[0]", self.own.get)

    @property
    def table(self) -> str:
        """Returns the name of the `dlb_py_function` constant of all properties."""
        return table_name(self._item, "self")

    @property
    def uses_self(self) -> bool:
        return mentions([self.own.get], "self")

    @property
    def label(self) -> str:
        return self.scope.label(f"properties.{self.own.name}")

    @property
    def made(self) -> str:
        """Returns the call that makes the object of Python from a number, a string or a member of an enumeration."""
        if self.own.kind.is_string:
            return f"DLB_PY_STRING({self.own.get})"
        return self.own.kind.made(self.own.get, table=self._names.enums.get(self.own.of or "", ""))

    @property
    def view(self) -> str:
        """Returns the call that returns the same object as an instance of another class; empty: there is none."""
        of, name = self._of, c_string(self.own.name)
        if of is None or not is_view(self._names, self._item, self.own):
            return ""
        return f"dlb_py_child(object, {name}, &{self._names.c_name(of.name)}_type, NULL, NULL, 0, NULL)"

    @property
    def found(self) -> Variable | None:
        """Returns the variable with the tensor or the handle, or with a pointer to it; None for another value."""
        of = self._of
        ctype = None if of is None else of.type if of.by_value else f"const {of.type} *"
        return None if ctype is None else Variable(declaration(ctype, "outcome"), self.own.get, self.label)

    @property
    def object(self) -> ObjectResult:
        """Returns the tensor or the handle, which keeps the object of the property alive."""
        of = needed(self._of)
        c_name = self._names.c_name(of.name)
        passed = "outcome" if of.by_value else f"({of.type} *)(uintptr_t)outcome"
        state = None
        if scope_of("", c_name, of).has_state:
            has_defaults = any(param.value is not None for param in of.params)
            state = ObjectState("state", (Member("self", passed),), has_defaults, ())
        constness = f"(DLB_POINTS_TO_WRITABLE({argument(self.own.get)}) ? 0 : DLB_PY_READS)"
        return ObjectResult(
            to=Target("answer", is_declared=True),
            of=c_name,
            passed="&state" if state else passed,
            flags=("DLB_PY_OPTIONAL",) if of.by_value else ("DLB_PY_OPTIONAL", constness),
            stored="",
            storage="",
            state=state,
            owner="borrowed",
            function="",
            arrays="",
            kept=("arrays[0]",),
            same=(),
            is_stored_first=False,
        )


def is_view(names: CNames, item: Item, each: Property) -> bool:
    """Returns whether the value is the same C object, as an instance of a tensor."""
    of = names.items[each.of] if each.kind.is_object and each.of is not None else None
    return isinstance(of, Tensor) and each.shows(of.name) and of.type == item.type


# ---- Constructors that make a struct of zeros in memory of its owner, and set its members ----


class StructConstructor(Frozen):
    """A constructor that makes a struct and sets its members."""

    scope: Scope
    item: Item
    new: NewStruct

    @property
    def descriptor(self) -> str:
        """Returns the name of the `dlb_py_function` constant."""
        return descriptor(self.item, "new")

    @property
    def label(self) -> str:
        """Returns a comment with the path in the spec, which a compiler shows."""
        return self.scope.label("new", " (opaque: {c: PROTOTYPE})")

    @property
    def init(self) -> Function | None:
        """Returns the function that gives members other initial values."""
        name = f"{CALLED}{self.scope.c_name}_new_init"
        return steps_function(self.scope, name, "new.init", [self.new.init]) if self.new.init is not None else None

    @property
    def assertions(self) -> list[Assertion]:
        return [*_assertions(self.scope, self.item, self.new)]


def emit_constructor(scope: Scope, item: Item, new: NewStruct) -> EmittedFunction:
    """Returns the constructor `Name(...)` of a struct that Python makes."""
    constructor = StructConstructor(scope, item, new)
    return EmittedFunction("classes/new_struct", constructor, f"{CALLED}{scope.c_name}_new", "", None)


def _assertions(scope: Scope, item: Item, new: NewStruct) -> Iterator[Assertion]:
    """Yields the assertions that memory of an owner can hold the struct, and that members of zeros can be set."""
    yield Assertion("KIND", (scope.type, "STRUCT"), f"{scope.name}.new: {scope.type} is not a struct")
    message = f"{scope.name}.new: {scope.type} needs more alignment than malloc() gives"
    yield Assertion("ALIGNMENT", (scope.type, "DLB_MALLOC_ALIGNMENT"), message)
    for each in item.members if new.init is None else ():
        for array in arrays_of(each.get) if each.stored else ():
            message = f"{scope.name}.new: {array.replace(' ', '')} is a pointer, and NULL in the new struct"
            member = replace_names(array, {"self": scope.null})
            yield Assertion("KIND", (f"__typeof__({member})", "INNER_ARRAY"), message)


# ---- Special methods as type slots, such as `len(x)`, `x[i]` and `x(...)` ----


class TypeSlot(Frozen):
    """A type slot of CPython: a special method."""

    slot: str
    """The name of the slot in CPython."""
    form: str
    """The macro that prints the function."""
    name: str
    """The function in the slot."""
    called: str
    """The method that the function calls; empty: the function is one of CPython."""
    store: str = ""
    """The method that assigns an item, or an empty string."""
    delete: str = ""
    """The method that deletes an item, or an empty string."""


_SIMPLE = {
    "__len__": ("Py_sq_length", "length"),
    "__bool__": ("Py_nb_bool", "truth"),
    "__int__": ("Py_nb_int", "unary"),
    "__index__": ("Py_nb_index", "unary"),
    "__float__": ("Py_nb_float", "unary"),
    "__str__": ("Py_tp_str", "unary"),
    "__repr__": ("Py_tp_repr", "unary"),
    "__iter__": ("Py_tp_iter", "unary"),
    "__next__": ("Py_tp_iternext", "unary"),
    "__call__": ("Py_tp_call", "call"),
    "__getitem__": ("Py_mp_subscript", "subscript"),
    "__contains__": ("Py_sq_contains", "contains"),
}


def type_slots(methods: Mapping[str, EmittedFunction], has_items: bool) -> tuple[TypeSlot, ...]:
    """Returns the type slots of a class.

    `methods` maps names in Python to emitted functions. With `has_items`, the class is a sequence.
    """
    found = [_slot(*slot, methods[special].c_name) for special, slot in _SIMPLE.items() if special in methods]
    if has_items:
        found.append(_slot("Py_sq_item", "item", methods["__getitem__"].c_name))
    if "__iter__" not in methods and ("__next__" in methods or has_items):
        own = "PyObject_SelfIter" if "__next__" in methods else "PySeqIter_New"  # the iterator stops at an IndexError
        found.append(TypeSlot("Py_tp_iter", "", own, ""))
    store, delete = (methods[name].c_name if name in methods else "" for name in ("__setitem__", "__delitem__"))
    if store or delete:
        name = f"{store or delete}_mp_ass_subscript"
        found.append(TypeSlot("Py_mp_ass_subscript", "assignment", name, store or delete, store, delete))
    return tuple(found)


def _slot(slot: str, form: str, called: str) -> TypeSlot:
    return TypeSlot(slot, form, f"{called}_{slot.removeprefix('Py_')}", called)
