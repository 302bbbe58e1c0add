"""The classes of a spec: the structs of a header that functions take or return, or that hold an array.

The second part has the effects of functions on objects, and how functions report failures."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import field

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.draft import Answer
from dlpack_bindgen.tools.init.arrays import MemberArray, Planes, member_arrays, planes
from dlpack_bindgen.tools.init.declarations import (
    ADD_BEFORE,
    ARITHMETIC,
    BORROW,
    CREATE,
    CREATE_ENDINGS,
    CREATE_FOR_SURE,
    CREATE_ORDER,
    EXCHANGE,
    EXTENTS,
    FAILURE,
    IN_OUT,
    MESSAGE,
    MOVE,
    MOVE_AT_ENDS,
    MOVE_OF_ITSELF,
    QUESTION,
    READ,
    RELEASE,
    RELEASE_PARTLY,
    RETAIN,
    STATUS,
    SUCCESS,
    SUCCESS_AMONG_FAILURES,
    UNSET,
    ZEROED,
    DeclaredType,
    Function,
    Header,
    Parameter,
    Struct,
    class_name,
    stem,
    words,
)
from dlpack_bindgen.tools.init.facts import (
    doubtful_word,
    freeing_word,
    is_const_object,
    is_harmless,
    lone_ends,
    lone_makers,
    may_end,
    object_key,
)
from dlpack_bindgen.tools.init.layout import Attribute, Layout, attributes_of_members, layout
from dlpack_bindgen.tools.init.questions import Answers

NO_RELEASE = "(void)self"
"""The statement that frees nothing, for structs without memory of their own."""


class ObjectClass(Frozen):
    """A class that a spec proposes for a struct."""

    name: str
    struct: Struct
    type: str
    """The C type as the spec names it."""
    by_value: bool
    """Whether the type is a typedef of a pointer, which functions take by value."""
    layout: Layout | None
    release: tuple[str, str] | None = None
    """The statement that frees the object, and the function that it calls."""
    retain: tuple[str, str] | None = None
    own_words: tuple[str, ...] = field(default=())
    """The words with which the functions of the class begin."""

    arrays: tuple[MemberArray, ...] = ()
    """The arrays in the struct, if the class itself is not an array."""
    planes: tuple[Planes, ...] = ()
    """The planes that functions return, if the class itself is not an array."""
    shows_memory: bool = False
    """Whether Python may see memory that the object owns: the class is an array, or has pointers to memory."""
    called: tuple[str, ...] = ()
    """The functions that the layout of an opaque struct calls."""
    undecided: tuple[str, ...] = ()
    """Those of them of which nothing proves that they only read it."""

    @property
    def has_pointers(self) -> bool:
        """Whether the struct can own memory: a member is a pointer to something else than a constant string."""
        return any(_can_own(member.type) for member in self.struct.members)

    @property
    def is_tensor(self) -> bool:
        return self.layout is not None and self.layout.is_complete and not self.undecided

    @property
    def is_record(self) -> bool:
        """Whether the struct is a plain group of numbers: Python creates it, and sets its members."""
        plain = all(member.type.is_integer or member.type.is_number for member in self.struct.members)
        is_freed = self.release is not None and self.release[0] != NO_RELEASE
        return self.layout is None and not is_freed and not self.by_value and bool(self.struct.members) and plain


Classes = Mapping[str, ObjectClass]
"""The classes by the keys of their structs."""


def classes(
    header: Header,
    ends: Ends,
    library: Sequence[str],
    only: str | None,
    left_out: Container[str],
    known: Mapping[str, str],
) -> dict[str, ObjectClass]:
    """Returns the classes for the structs of a header, or for the struct with the name `only`. The structs with the
    keys `left_out` get none. `known` are the names of classes by their C types."""
    found: dict[str, ObjectClass] = {}
    names: set[str] = set(known.values())
    uses = Uses(header.functions)
    for key, struct in header.structs.items():
        if (only is not None and not is_named(struct, only)) or key in left_out:
            continue
        users, is_value = uses.users.get(key, ()), key in uses.returned
        each = _class(header, struct, uses, ends, library, known)
        is_used = bool(users) and (each.release is not None or any(takes(user, key) for user in users))
        if each.layout is None and not is_used and not is_value and not any(array.is_counted for array in each.arrays):
            continue
        while each.name in names and each.type not in known:
            each = _renamed(each, f"{each.name}_")
        names.add(each.name)
        found[key] = each
    return found


def is_named(struct: Struct, name: str) -> bool:
    return name in struct.names or f"struct {name}" in struct.names or f"union {name}" in struct.names


def _renamed(each: ObjectClass, name: str) -> ObjectClass:
    return ObjectClass(
        name,
        each.struct,
        each.type,
        each.by_value,
        each.layout,
        each.release,
        each.retain,
        each.own_words,
        each.arrays,
        each.planes,
        each.shows_memory,
        each.called,
        each.undecided,
    )


def _class(
    header: Header, struct: Struct, uses: Uses, ends: Ends, library: Sequence[str], known: Mapping[str, str]
) -> ObjectClass:
    users = uses.users.get(struct.key, ())
    by_value = bool(struct.pointer_typedef)
    spelled = struct.pointer_typedef or struct.spelling
    own = tuple(stem(struct.spelling or spelled))
    every = (*own, *library)
    attributes = attributes_of_members(struct) if struct.is_complete else accessors(struct, users, every)
    release, retain = ends.of(struct.key)
    if release is None and struct.is_complete and struct.key in uses.returned:
        release = (NO_RELEASE, "")
    name = known.get(spelled) or class_name(struct.spelling or spelled, library)
    found = layout(struct, attributes, header, ends.about_members(name))
    is_array = found is not None and found.is_complete
    called = _called(found, users) if found is not None and not struct.is_complete else []
    return ObjectClass(
        name,
        struct,
        spelled,
        by_value,
        found,
        release,
        retain,
        own,
        () if is_array else tuple(_other_arrays(member_arrays(struct, header), found)),
        () if is_array else planes(struct, users, every, header),
        found is not None or shows_memory(struct, users),
        tuple(each.name for each in called),
        tuple(each.name for each in called if not ends.only_reads(each, f"{name}.data")),
    )


def _called(found: Layout, users: Sequence[Function]) -> list[Function]:
    """Returns the functions that a layout calls."""
    text = " ".join(slot.value for slot in found.slots)
    return [each for each in users if re.search(rf"\b{each.name}\b", text)]


def shows_memory(struct: Struct, users: Sequence[Function]) -> bool:
    """Returns whether a struct has a pointer to memory, or an opaque struct a function that returns one."""
    of_functions = [each.result for each in users if takes(each, struct.key)]
    types = [member.type for member in struct.members] if struct.is_complete else of_functions
    return any(_points_to_memory(each) for each in types)


def _points_to_memory(given: DeclaredType) -> bool:
    target = given.target if given.kind == "pointer" else None
    is_string = target is not None and target.kind == "char" and target.is_const
    return target is not None and not is_string and (target.is_number or target.kind == "void")


def _other_arrays(arrays: Sequence[MemberArray], found: Layout | None) -> Iterator[MemberArray]:
    """Yields the arrays in a struct without the one behind a `void *` that its layout asks about."""
    used = found.used if found is not None else frozenset()
    is_open = found is not None and bool(found.cases)
    yield from (each for each in arrays if not (each.data in used and (each.has_code or is_open)))


def creatable(functions: Sequence[Function], classes: Classes) -> frozenset[str]:
    """Returns the keys of the structs of which Python can get an object: new, or from a function."""
    records = {key for key, each in classes.items() if each.is_record}
    types = [each.result for each in functions]
    addresses = [each.type.target for function in functions for each in function.parameters if each.type.target]
    results = {each.target.declaration for each in (*types, *addresses) if each.kind == "pointer" and each.target}
    return frozenset(records | results | {each.declaration for each in types})


def object_type(given: DeclaredType, key: str) -> bool:
    """Returns whether a type is a pointer to the struct."""
    return given.kind == "pointer" and given.target is not None and given.target.declaration == key


def object_class(given: DeclaredType, found: Classes) -> ObjectClass | None:
    """Returns the class of the object to which a type points, or None."""
    return found.get(given.target.declaration) if given.kind == "pointer" and given.target is not None else None


def takes(function: Function, key: str) -> bool:
    return key in taken_objects(function)


def taken_objects(function: Function) -> set[str]:
    """Returns the keys of the structs whose objects a function takes."""
    return {key for each in function.parameters for key in _objects_of(each.type)}


def returned_object(function: Function) -> str:
    """Returns the key of the struct that a function returns, or to which its result points; empty if it is none."""
    target = function.result.target if function.result.kind == "pointer" else function.result
    return target.declaration if target is not None else ""


def _objects_of(given: DeclaredType) -> Iterator[str]:
    """Yields the keys of the structs to whose objects a parameter points, or points to the address. An array of structs
    is a pointer, too."""
    target = given.target
    if given.kind in ("pointer", "array") and target is not None:
        yield target.declaration
        if given.kind == "pointer" and target.kind == "pointer" and target.target is not None:
            yield target.target.declaration


def _rank_of_end(function: Function) -> tuple[int, int]:
    """Returns how clear the word is by which a function may end an object: the clearest has the least rank."""
    word = freeing_word(function)
    return RELEASE.index(word) if word in RELEASE else len(RELEASE) + (not word), len(function.name)


_READING = ("reads", "plain")
"""The answers after which a function only reads its object."""


class Ends:
    """The functions that end objects, by the keys of the structs: by their types, or by answers."""

    def __init__(self, header: Header, library: Sequence[str], answers: Answers) -> None:
        self._library = library
        self._structs = header.structs
        self._answers = answers
        self._lone = lone_ends(header.functions, library)
        self._answered: dict[str, list[tuple[str, Function]]] = {}
        self._counting: dict[str, Function] = {}
        self.asked: dict[str, str] = {}
        """The functions that may end an object, each with the key of its struct."""
        for function in header.functions:
            key = may_end(function, library)
            if key and key not in self._lone:
                self.asked[function.name] = key
                for answer in answers.of("ends", function.name):
                    self._answered.setdefault(key, []).append((answer.word, function))
            for answer in answers.of("objects", function.name):
                if answer.word == "refs" and counts_references(function) and function.parameters:
                    self._counting[object_key(function.parameters[0].type)] = function
        self.makers = {each.name for each in lone_makers(header.functions, self._lone).values()}
        self.best = {key: self._best(header, key) for key in set(self.asked.values())}
        self.counted = frozenset(
            object_key(each.parameters[0].type)
            for each in header.functions
            if len(each.parameters) == 1 and counts_references(each)
        )
        """The keys of the structs whose references functions count, by their names."""

    def _best(self, header: Header, key: str) -> str:
        """Returns the function with the clearest word of those that may end an object."""
        functions = [each for each in header.functions if self.asked.get(each.name) == key]
        return min(functions, key=_rank_of_end).name

    def of(self, key: str) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
        """Returns the statements that end an object and take a reference, each with the function that it calls."""
        found = [("ends", self._lone[key])] if key in self._lone else self._answered.get(key, [])
        ends = [(word, function) for word, function in found if word in ("ends", "unref")]
        if not ends:
            return None, None
        word, function = min(ends, key=lambda each: (each[0] == "ends", _rank_of_end(each[1])))
        address = "" if object_key(function.parameters[0].type) else "&"
        counting = self._counting.get(key) if word == "unref" else None
        release = f"{function.name}({address}self)", function.name
        return release, (f"{counting.name}(self)", counting.name) if counting is not None else None

    def about_members(self, name: str) -> Mapping[str, Answer]:
        """Returns the answers about the members of the class with this name."""
        return self._answers.about(f"{name}.require")

    def only_reads(self, function: Function, question: str) -> bool:
        """Returns whether a function only reads its object, by its types or by an answer."""
        types = [each.type for each in function.parameters if object_key(each.type)]
        word = doubtful_word(function, self._library, all(map(is_const_object, types)))
        answers = [*self._answers.of(question, function.name), *self._answers.of("objects", function.name)]
        return is_harmless(function, types, self._structs, word) or any(each.word in _READING for each in answers)


class Uses:
    """The functions of a header by the keys of the structs that they take and return."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self.users: dict[str, list[Function]] = {}
        """The functions that take or return an object."""
        self.returned = {each.result.declaration for each in functions if each.result.kind == "struct"}
        """The structs that functions return by value."""
        for function in functions:
            result = function.result
            keys = taken_objects(function)
            keys |= {result.target.declaration} if result.kind == "pointer" and result.target is not None else set()
            for key in keys:
                self.users.setdefault(key, []).append(function)


def returns(function: Function, key: str) -> bool:
    return object_type(function.result, key)


def _behind(given: DeclaredType) -> DeclaredType:
    return given.target if given.kind == "pointer" and given.target is not None else given


def accessors(struct: Struct, users: Sequence[Function], own: Sequence[str]) -> list[Attribute]:
    """Returns the functions that read an opaque struct and take nothing else, as attributes."""
    found = []
    for function in users:
        if len(function.parameters) != 1 or not object_type(function.parameters[0].type, struct.key):
            continue
        if function.result.kind in ("void", "other", "struct") or set(words(function.name)) & set(RELEASE):
            continue
        kept = [word for word in words(function.name) if word not in own] or words(function.name)[-1:]
        name = "_".join(kept)
        found.append(Attribute(name, f"{function.name}(self)", function.result, function.comment, is_field=False))
    return found


def shared_start(name: str, own: Sequence[str]) -> list[str]:
    """Returns the words that a function shares with the start of the name of its class."""
    shared = []
    for word, other in zip(words(name), own, strict=False):
        if word != other:
            break
        shared.append(word)
    return shared


def _can_own(given: DeclaredType) -> bool:
    target = given.target if given.kind == "pointer" else None
    return given.kind == "struct" or (target is not None and not (target.kind == "char" and target.is_const))


def creates(function: Function) -> bool:
    """Returns whether the name of a function says that it creates an object."""
    own = words(function.name)
    return any(word in CREATE or word.endswith(CREATE_ENDINGS) for word in own) and not (
        set(own) & BORROW and not set(own) & CREATE_FOR_SURE
    )


def creation_rank(function: Function) -> tuple[int, int]:
    own = words(function.name)
    ranks = [index for index, word in enumerate(CREATE_ORDER) if word in own]
    return min(ranks, default=len(CREATE_ORDER)), len(function.name)


def zeroing_twin(function: Function, makers: Sequence[Function]) -> Function | None:
    """Returns the function that creates the same object with elements of 0: `x_calloc` beside `x_alloc`."""
    types = [each.type for each in function.parameters]
    for other in makers:
        pairs = list(zip(words(function.name), words(other.name), strict=False))
        changed = [pair for pair in pairs if pair[0] != pair[1]]
        is_twin = len(changed) == 1 and changed[0][0] in UNSET and changed[0][1] in ZEROED
        same_length = len(words(other.name)) == len(words(function.name))
        if is_twin and same_length and [each.type for each in other.parameters] == types:
            return other
    return None


# ---- The effects of a function on its arguments, and how it reports failures ----

# The effects of a function on its arguments: it moves the memory of an object, exchanges two objects, or frees one.
# Only names tell this, so that each is a suggestion.

_IN_OUT_COMMENT = re.compile(r"\bin ?[/,] ?out\b|\bin-?out\b", re.IGNORECASE)


def moving_word(function: Function) -> str:
    """Returns the word of a name by which the function may move or free the memory of an array: `resize`, `addspan`;
    empty if there is none."""
    own = words(function.name)
    if QUESTION & set(own) or "get" in own:
        return ""
    for word, following in zip(own, (*own[1:], ""), strict=True):
        if word == "set" and following in EXTENTS:
            return f"{word}_{following}"
        if word == "set" and not following and any(_is_read_array(each.type) for each in function.parameters):
            return word
        if following != "only" and (word in MOVE | READ | RELEASE_PARTLY or _has_at_end(word, MOVE_AT_ENDS)):
            return word
        if word.startswith("add") and not word.startswith(ADD_BEFORE):
            return word
    return ""


def _is_read_array(given: DeclaredType) -> bool:
    target = given.pointed
    return target is not None and target.is_const and (target.kind == "void" or target.is_number)


def _has_at_end(word: str, ends: tuple[str, ...]) -> bool:
    return word.startswith(ends) or word.endswith(ends)


def is_arithmetic(functions: Sequence[Function]) -> bool:
    """Returns whether the functions of a class calculate, so that `add` among them adds numbers, and no elements."""
    return len({word for each in functions for word in words(each.name)} & ARITHMETIC) > 1


def exchanges(function: Function) -> bool:
    """Returns whether the name of a function says that it exchanges two objects, or gives one the memory of another."""
    return bool(set(words(function.name)) & EXCHANGE)


def replaces_objects(function: Function, own: Sequence[Parameter]) -> bool:
    """Returns whether a function may read the pointers behind parameters such as `T **` before it sets them. `own` are
    the parameters of this kind."""
    word = moving_word(function)
    only = len(own) > 1 and len(own) == len(function.parameters)
    named = any(set(words(each.name)) & IN_OUT for each in own)
    said = _IN_OUT_COMMENT.search(function.comment) is not None
    return only or named or said or exchanges(function) or word in MOVE_OF_ITSELF or word.startswith("add")


def counts_references(function: Function) -> bool:
    """Returns whether the name of a function says that it changes the number of references to an object."""
    own = set(words(function.name))
    return bool(own & RETAIN) and not own & (BORROW | QUESTION)


# How the functions of a library report failures: by an enum, by an integer type, or by a struct with a message.

_MOST_MEMBERS = 6
"""The number of members of a struct that only reports failures."""


class StatusStruct(Frozen):
    """A struct with a code and a message, which functions return."""

    spellings: tuple[str, ...]
    """The type in the words of the functions that return it."""
    ok: str
    error: str
    guess: str


class Statuses(Frozen):
    success: Mapping[str, str]
    """The constant for success by the key of an enum of statuses."""
    messages: Mapping[str, str]
    """The function that returns the message of a status, by the key of the enum."""
    structs: Mapping[str, StatusStruct]
    """The structs that report failures, by their keys."""
    constant: str
    """The only constant of the header that stands for success; else empty."""


def statuses(header: Header) -> Statuses:
    success = {key: found for key, enum in header.enums.items() if (found := success_of(enum.values, enum.spelling))}
    messages = {}
    for function in header.functions:
        types = [each.type.declaration for each in function.parameters]
        if _is_message(function.result) and len(types) == 1 and types[0] in success:
            messages[types[0]] = function.name
    constant = _constant(header, success)
    spellings: dict[str, dict[str, None]] = {}
    for function in header.functions:
        if function.result.kind == "struct":
            spellings.setdefault(function.result.declaration, {})[function.result.spelling] = None
    structs = {}
    for key, listed in spellings.items():
        struct = header.structs.get(key)
        reports = _status_struct(struct, tuple(listed), success, constant) if struct is not None else None
        if reports is not None:
            structs[key] = reports
    return Statuses(success, messages, structs, constant)


def success_of(values: Sequence[tuple[str, int]], spelling: str) -> str | None:
    """Returns the constant of an enum that stands for success: the value 0, with a name such as `LIB_OK`. A name such
    as `LIB_NONE` needs a word of failure in it, or in the name of the enum. `LIB_OK` has another value in enums whose
    value 0 is a failure: `LIB_ERROR`."""
    about_failures = bool(set(words(spelling)) & FAILURE)
    failed = any(value == 0 and set(words(name)[1:]) & FAILURE for name, value in values)
    for name, value in values:
        own = words(name)
        last = set(own[1:]) or set(own)
        among = about_failures or bool(set(own) & FAILURE)
        if value == 0 and (last & SUCCESS or (among and last & SUCCESS_AMONG_FAILURES)):
            return name
        if failed and last & SUCCESS:
            return name
    return None


def _constant(header: Header, success: Mapping[str, str]) -> str:
    plain = [success_of([(each.name, 0)], "") for each in header.macros if each.kind == "int" and each.value == "0"]
    unnamed = [success_of(each.values, "") for each in header.enums.values() if not each.spelling]
    found = {name for name in (*plain, *unnamed, *success.values()) if name}
    return next(iter(found)) if len(found) == 1 else ""


def is_status(given: DeclaredType) -> bool:
    """Returns whether an integer type has a name of its own that says that it is a status: `lib_status`."""
    return given.kind == "int" and " " not in given.spelling and bool(set(words(given.spelling)) & STATUS)


def _is_message(given: DeclaredType) -> bool:
    target = given.pointed
    return target is not None and target.kind == "char" and (target.is_const or given.kind == "array")


def _status_struct(
    struct: Struct, spellings: tuple[str, ...], success: Mapping[str, str], constant: str
) -> StatusStruct | None:
    if not struct.is_complete or len(struct.members) > _MOST_MEMBERS:
        return None
    message = next((each.name for each in struct.members if _is_message(each.type) and _last(each.name) in MESSAGE), "")
    codes = [each for each in struct.members if each.type.kind in ("enum", "int") and _last(each.name) in STATUS]
    others = [each for each in struct.members if not (_is_message(each.type) or each.type.is_integer)]
    if not message or len(codes) != 1 or others:
        return None
    code = codes[0]
    expected = success.get(code.type.declaration, "") if code.type.kind == "enum" else constant or "0"
    if not expected:
        return None
    guess = f"`{code.name}` is a status, and {expected} stands for success, by the names"
    return StatusStruct(spellings, f"%.{code.name} == {expected}", f"result.{message}", guess)


def _last(name: str) -> str:
    return (words(name) or [""])[-1]


def spelled(structs: Mapping[str, StatusStruct]) -> Iterator[tuple[str, StatusStruct]]:
    """Yields each C type that needs a rule about failures."""
    for each in structs.values():
        for spelling in each.spellings:
            yield spelling, each
