"""The classes of a spec: the structs of a header that functions take or return, or that hold an array.

The second part has the effects of functions on objects, and how functions report failures."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tools.init.arrays import MemberArray, Planes, member_arrays, planes
from dlpack_bindgen.tools.init.declarations import (
    ADD_BEFORE,
    ARITHMETIC,
    BORROW,
    COPY,
    CREATE,
    CREATE_ENDINGS,
    CREATE_FOR_SURE,
    CREATE_ORDER,
    EXCHANGE,
    EXTENTS,
    FAILURE,
    FREE_BEFORE,
    IN_OUT,
    MESSAGE,
    MOVE,
    MOVE_AT_ENDS,
    MOVE_OF_ITSELF,
    PART,
    QUESTION,
    READ,
    RELEASE,
    RELEASE_BEFORE,
    RELEASE_ENDINGS,
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
from dlpack_bindgen.tools.init.layout import Attribute, Layout, attributes_of_members, layout

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
    is_arithmetic: bool = False
    """Whether the functions of the class calculate with its elements."""

    @property
    def has_pointers(self) -> bool:
        """Whether the struct can own memory: a member is a pointer to something else than a constant string."""
        return any(_can_own(member.type) for member in self.struct.members)

    @property
    def is_tensor(self) -> bool:
        return self.layout is not None and self.layout.is_complete

    @property
    def is_record(self) -> bool:
        """Whether the struct is a plain group of numbers: Python creates it, and sets its members."""
        plain = all(member.type.is_integer or member.type.is_number for member in self.struct.members)
        is_freed = self.release is not None and self.release[0] != NO_RELEASE
        return self.layout is None and not is_freed and not self.by_value and bool(self.struct.members) and plain


Classes = Mapping[str, ObjectClass]
"""The classes by the keys of their structs."""


def classes(
    header: Header, library: Sequence[str], only: str | None, left_out: Container[str] = ()
) -> dict[str, ObjectClass]:
    """Returns the classes for the structs of a header, or for the struct with the name `only`. The structs with the
    keys `left_out` get none."""
    found: dict[str, ObjectClass] = {}
    names: set[str] = set()
    uses = Uses(header.functions)
    for key, struct in header.structs.items():
        if (only is not None and not is_named(struct, only)) or key in left_out:
            continue
        users, is_value = uses.users.get(key, ()), key in uses.returned
        each = _class(header, struct, uses, library)
        is_used = bool(users) and (each.release is not None or any(takes(user, key) for user in users))
        if each.layout is None and not is_used and not is_value and not any(array.is_counted for array in each.arrays):
            continue
        while each.name in names:
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
        each.is_arithmetic,
    )


def _class(header: Header, struct: Struct, uses: Uses, library: Sequence[str]) -> ObjectClass:
    users = uses.users.get(struct.key, ())
    by_value = bool(struct.pointer_typedef)
    spelled = struct.pointer_typedef or struct.spelling
    own = tuple(stem(struct.spelling or spelled))
    every = (*own, *library)
    attributes = attributes_of_members(struct) if struct.is_complete else accessors(struct, users, every)
    release, retain = _lifetime(users, struct.key, RELEASE, every), _retain(users, struct.key)
    if release is None and header.has_objects_of_glib and f"{'_'.join(own)}_get_type" in uses.names:
        release, retain = ("g_object_unref(self)", "g_object_unref"), ("g_object_ref(self)", "g_object_ref")
    if release is None and struct.is_complete and struct.key in uses.returned:
        release = _release_of_value(uses.takers.get(struct.key, ())) or (NO_RELEASE, "")
    found = layout(struct, attributes, header)
    is_array = found is not None and found.is_complete
    return ObjectClass(
        class_name(struct.spelling or spelled, library),
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
        is_arithmetic(users),
    )


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
    yield from (each for each in arrays if not (each.has_code and each.data in used))


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


def _objects_of(given: DeclaredType) -> Iterator[str]:
    """Yields the keys of the structs to whose objects a parameter points, or points to the address. An array of structs
    is a pointer, too."""
    target = given.target
    if given.kind in ("pointer", "array") and target is not None:
        yield target.declaration
        if given.kind == "pointer" and target.kind == "pointer" and target.target is not None:
            yield target.target.declaration


class Uses:
    """The functions of a header by the keys of the structs that they take and return."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self.names = {each.name for each in functions}
        self.users: dict[str, list[Function]] = {}
        """The functions that take or return an object."""
        self.returned = {each.result.declaration for each in functions if each.result.kind == "struct"}
        """The structs that functions return by value."""
        self.takers: dict[str, list[Function]] = {}
        """The functions whose only parameter is the struct, by value."""
        for function in functions:
            result = function.result
            keys = taken_objects(function)
            keys |= {result.target.declaration} if result.kind == "pointer" and result.target is not None else set()
            for key in keys:
                self.users.setdefault(key, []).append(function)
            types = [each.type for each in function.parameters]
            if len(types) == 1 and types[0].kind == "struct":
                self.takers.setdefault(types[0].declaration, []).append(function)


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


def _lifetime(
    users: Sequence[Function], key: str, endings: Sequence[str], own: Sequence[str]
) -> tuple[str, str] | None:
    """Returns the statement that frees an object: the function with the first of `endings` in its name."""
    found: list[tuple[bool, int, int, str, str]] = []
    for function in users:
        own_words = words(function.name)
        rank = next((index for index, word in enumerate(endings) if _names_end(own_words, word, own)), -1)
        rest = set(own_words[len(shared_start(function.name, own)) :])
        if rank < 0 or not _may_free(function, key) or rest & PART:
            continue
        if rest & COPY or "get" in rest:  # `FreeImage_GetPageCount`: `free` is a part of the library's name
            continue
        others = len(set(own_words) - set(own) - {endings[rank]})
        address = "" if object_type(function.parameters[0].type, key) else "&"
        found.append((not address, others, rank, f"{function.name}({address}self)", function.name))
    return min(found)[3:] if found else None


def _names_end(names: Sequence[str], word: str, own: Sequence[str]) -> bool:
    """Returns whether the words of a function have the word, or join it with a word of the class: `freegroup`."""
    joined = {f"{word}{each}" for each in own}
    return word in names or names[-1].endswith(word) or bool(joined & set(names))


def _may_free(function: Function, key: str) -> bool:
    """Returns whether a function takes an object, or its address, and nothing else, and returns nothing new. Some
    libraries free objects by a pointer to const; if such a function returns something, it only reads."""
    if len(function.parameters) != 1:
        return False
    given = function.parameters[0].type
    if given.target is not None and given.target.is_const and function.result.kind != "void":
        return False
    fits = function.result.kind in ("void", "int", "enum", "bool") or returns(function, key)
    return fits and (object_type(given, key) or object_type(_behind(given), key))


def _release_of_value(takers: Sequence[Function]) -> tuple[str, str] | None:
    """Returns the statement that frees what a struct points to: the function with the clearest word among those that
    take the struct by value and nothing else."""
    found = []
    for function in takers:
        word = freeing_word(function)
        if function.result.kind in ("void", "int", "enum", "bool") and word:
            rank = RELEASE.index(word) if word in RELEASE else len(RELEASE)
            found.append((rank, f"{function.name}(*self)", function.name))
    return min(found)[1:] if found else None


def _can_own(given: DeclaredType) -> bool:
    target = given.target if given.kind == "pointer" else None
    return given.kind == "struct" or (target is not None and not (target.kind == "char" and target.is_const))


def _retain(users: Sequence[Function], key: str) -> tuple[str, str] | None:
    for function in users:
        one = len(function.parameters) == 1 and object_type(function.parameters[0].type, key)
        fits = function.result.kind in ("void", "int") or returns(function, key)
        if one and fits and counts_references(function):
            return f"{function.name}(self)", function.name
    return None


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
# Only names tell this, so that each answer becomes a marked guess or an open question.

_IN_OUT_COMMENT = re.compile(r"\bin ?[/,] ?out\b|\bin-?out\b", re.IGNORECASE)
_NULL = re.compile(r"\bNULL\b|\bnullptr\b|\bnull pointer\b")

_ALLOWED = re.compile(r"\b(?:may|can|could|should|pass|set to|allowed|optional)\b", re.IGNORECASE)
_FORBIDDEN = re.compile(
    r"\b(?:not (?:be|allowed|null)|can ?not|(?:must|may) not|never|returns?|returned|non-null)\b", re.IGNORECASE
)


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


def written_objects(function: Function, classes: Collection[str]) -> list[Parameter]:
    """Returns the parameters by which a function writes to objects. `classes` has the keys of their structs."""
    return [each for each in function.parameters if _is_written(each.type, classes)]


def _is_written(given: DeclaredType, classes: Collection[str]) -> bool:
    target = given.target if given.kind == "pointer" else None
    return target is not None and not target.is_const and target.declaration in classes


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


def freeing_word(function: Function) -> str:
    """Returns the word of a name by which the function frees something: `freegroup`; empty if there is none."""
    return next((word for word in words(function.name) if word in RELEASE or _frees(word)), "")


def _frees(word: str) -> bool:
    """Returns whether a word begins or ends with that of a function that frees: `freegroup`, but not `freeze`."""
    return word.endswith(RELEASE_ENDINGS) or (word.startswith(RELEASE_BEFORE) and not word.startswith(FREE_BEFORE))


def counts_references(function: Function) -> bool:
    """Returns whether the name of a function says that it changes the number of references to an object."""
    own = set(words(function.name))
    return bool(own & RETAIN) and not own & (BORROW | QUESTION)


def frees_memory(function: Function) -> bool:
    """Returns whether a function frees the memory at an address: `lib_free(void *memory)`. Other words such as `close`
    and `delete` can be about the name in a string."""
    word = freeing_word(function)
    return function.result.kind == "void" and (word.startswith(("free", "dealloc")) or word.endswith("free"))


def shares_arrays(function: Function) -> bool:
    """Returns whether the name of a function says that C uses an array later, too: `x_read_without_copy`."""
    own = words(function.name)
    pairs = set(pairwise(own))
    return "nocopy" in own or bool(pairs & {("without", "copy"), ("no", "copy"), ("without", "copying")})


def mentions_null(function: Function) -> bool:
    """Returns whether the comment of a function speaks of NULL."""
    return _NULL.search(function.comment) is not None


def may_be_null(function: Function, names: Collection[str]) -> bool | None:
    """Returns whether the comment allows NULL for a parameter, which has one of the names there, in the same
    sentence. None: it does not tell."""
    answer = None
    for sentence in re.split(r"\.\s|;|\n", function.comment):
        if _NULL.search(sentence) and any(_has_word(sentence, name) for name in names):
            if _FORBIDDEN.search(sentence):
                answer = False
            elif _ALLOWED.search(sentence):
                return True
    return answer


def _has_word(sentence: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE) is not None


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
