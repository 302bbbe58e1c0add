"""The functions of a spec: the meaning of each parameter and of the result, from types, names and neighbours."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.names import C_KEYWORDS, WORDS_OF_CLASSES
from dlpack_bindgen.text.types import FAMILIES
from dlpack_bindgen.text.yaml import flow_list, flow_map, scalar
from dlpack_bindgen.tools.init.classes import (
    Classes,
    ObjectClass,
    Statuses,
    counts_references,
    creates,
    exchanges,
    freeing_word,
    frees_memory,
    is_status,
    may_be_null,
    mentions_null,
    moving_word,
    replaces_objects,
    shares_arrays,
    written_objects,
)
from dlpack_bindgen.tools.init.declarations import (
    BORROW,
    CAPACITY,
    COLUMNS,
    COPY,
    COUNT,
    COUNT_OF_BYTES,
    CREATE_ENDINGS,
    CREATE_FOR_SURE,
    MOVE_OF_ITSELF,
    OPTIONS,
    OUTPUT_OBJECT,
    PARAMETER_STRIDE,
    PATH,
    PATH_ENDINGS,
    PRINT,
    QUESTION,
    READ,
    RELEASE_PARTLY,
    ROWS,
    SINGLE_OUTPUT,
    VECTOR_OF_EXTENTS,
    WRITE,
    DeclaredType,
    Function,
    Header,
    Parameter,
    words,
)

_LEFT_OUT = ("out", "count_of", "size_of", "extent_of", "stride_of")
"""Keys of parameters that Python does not pass."""


class Signature(Frozen):
    """A function as an entry describes it."""

    values: tuple[tuple[str, str, str], ...]
    """Keys, their values in YAML, and the reasons of guesses."""
    needs: frozenset[str]
    numbers: Mapping[str, str]
    """Number types that only the header defines, each with its kind."""
    doubt: str = ""
    comments: tuple[str, ...] = field(default=())


class Names(Frozen):
    """The names that signatures refer to."""

    classes: Classes
    enums: Mapping[str, str]
    """The constants of the spec by the keys of their enums."""
    statuses: Statuses
    creatable: frozenset[str]
    """The keys of the structs of which Python can get an object."""
    all_types: frozenset[str]
    """The typedefs of the header, which parameters cannot be called."""
    failure: str = ""
    """The parameter by which functions report failures, and which a rule of the spec describes: `GError **error`."""


def types_in(header: Header) -> frozenset[str]:
    """Returns the names of the structs and enums of a header."""
    structs = [name for each in header.structs.values() for name in each.names]
    return frozenset((*structs, *(each.spelling for each in header.enums.values())))


def signature(function: Function, names: Names, reason: str = "") -> Signature:
    """Returns how an entry describes a function. `reason` is a guess about the function, beside those of its name."""
    parameters = tuple(Parameter(_usable(each.name, names), each.type) for each in function.parameters)
    return _Reading(replace(function, parameters=parameters), names).signature(reason)


def _usable(name: str, names: Names) -> str:
    """Returns a name of a parameter that neither C nor the spec uses otherwise, without the underscores at the start
    that system headers write."""
    plain = name.lstrip("_")
    name = plain if plain[:1].isalpha() else name
    taken = name in C_KEYWORDS or name in names.all_types or name in WORDS_OF_CLASSES or keyword.iskeyword(name)
    return f"{name}_" if taken else name


class _Reading:
    def __init__(self, function: Function, names: Names) -> None:
        self._function = function
        self._names = names
        self._args: dict[str, dict[str, str] | str] = {}
        self._needs: set[str] = set()
        self._numbers: dict[str, str] = {}
        self._doubts: list[str] = []
        self._guesses: list[str] = []
        self._comments: list[str] = []
        self._unknown_lengths: list[str] = []
        self._reasons: list[str] = []
        """Guesses about the function itself, by its name."""
        self._moved = frozenset(self._moved_objects())

    def signature(self, reason: str) -> Signature:
        if self._function.is_variadic:
            self._doubts.append("variadic functions are not supported")
        for index, parameter in enumerate(self._function.parameters):
            if parameter.name not in self._args:
                self._parameter(index, parameter)
        if self._unknown_lengths:
            listed = ", ".join(f"`{name}`" for name in self._unknown_lengths)
            have = "have" if len(self._unknown_lengths) > 1 else "has"
            null = "; {value: NULL} to leave it out" if mentions_null(self._function) else ""
            self._doubts.append(
                f"which length {have} {listed}? {{require: [{{count: N}}]}}; {{out: true}} for one number{null}"
            )
        result = self._result()
        if self._returns_new_object():
            self._reasons.append("the result is a new object, by its name")
        if self._function.has_unknown_parameters:
            self._reasons.append("`()` means no arguments")
        self._reasons += [reason] if reason else []
        values = [("c", scalar(self._prototype(), False), "; ".join(self._reasons))]
        self._ask_about_kept_arrays()
        self._ask_about_freed_objects()
        if self._args:
            listed = ", ".join(
                f"{name}: {given if isinstance(given, str) else flow_map(given)}" for name, given in self._args.items()
            )
            values.append(("args", f"{{{listed}}}", "; ".join(self._guesses)))
        values += self._keyword_only()
        doc = sentence(self._function.comment)
        values += [*result, *([("doc", scalar(doc, False), "")] if doc else [])]
        doubt = f"open: {'; '.join(dict.fromkeys(self._doubts))}" if self._doubts else ""
        return Signature(tuple(values), frozenset(self._needs), self._numbers, doubt, tuple(self._comments))

    # ---- The prototype ----

    def _prototype(self) -> str:
        declared = [_declared(each.type, each.name) for each in self._function.parameters]
        parameters = ", ".join([*declared, *(["..."] if self._function.is_variadic else [])])
        result = _declared(self._function.result, "")
        return f"{result}{'' if result.endswith('*') else ' '}{self._function.name}({parameters or 'void'})"

    # ---- Parameters ----

    def _class_of(self, given: DeclaredType) -> ObjectClass | None:
        if given.kind == "pointer" and given.target is not None:
            return self._names.classes.get(given.target.declaration)
        return None

    def _parameter(self, index: int, parameter: Parameter) -> None:
        given, name = parameter.type, parameter.name
        found = self._class_of(given)
        target = given.pointed
        if _declared(given, name) == self._names.failure:
            self._needs.add("failures")
        elif given.kind == "other" and "(" in given.canonical and "__attribute__" not in given.canonical:
            self._doubts.append(f"`{name}` is a function: callbacks are not supported")
        elif given.kind == "other":
            self._doubts.append(f"`{name}` has the type {given.spelling}, which is not supported")
        elif found is not None:
            self._object(index, name, given, found)
        elif given.kind == "pointer" and target is not None and target.spelling == "FILE":
            self._file(name)
        elif given.kind == "struct" and self._is_complete(given):
            self._needs.add(self._names.classes[given.declaration].name)
        elif given.kind == "struct":
            self._doubts.append(f"`{name}` is a struct by value")
        elif target is None:
            self._number(name, given)
        elif target.kind == "pointer" and self._class_of(target) is not None:
            self._pointer_to_object(index, name, target)
        elif target.kind == "char":
            self._string(index, name, target)
        elif target.is_number or target.kind == "void":
            self._array(index, parameter, target)
        else:
            self._doubts.append(f"no class of the spec has the type of `{name}`, {given.spelling}")

    def _file(self, name: str) -> None:
        """Describes a `FILE *`. Its mode must not be guessed without a reason: `w` empties a file."""
        own = set(words(self._function.name))
        modes = {mode: own & names for mode, names in (("w", PRINT), ("wb", WRITE), ("rb", READ)) if own & names}
        if len({mode[0] for mode in modes}) != 1:
            self._doubts.append(f"does it read or write `{name}`? {{of: file, mode: rb}}, or mode: wb")
            return
        mode, found = next(iter(modes.items()))
        self._args[name] = {"of": "file", "mode": mode}
        self._guesses.append(f"the mode of `{name}`, by the word `{min(found)}`")

    def _is_complete(self, given: DeclaredType) -> bool:
        found = self._names.classes.get(given.declaration)
        return found is not None and found.struct.is_complete and not found.by_value

    def _object(self, index: int, name: str, given: DeclaredType, found: ObjectClass) -> None:
        self._needs.add(found.name)
        if found.is_record:
            self._ask_about_several(index, name, found)
        elif found.struct.is_complete and given.target is not None and not given.target.is_const and index > 0:
            self._ask_about_filled(index, name)
        described = {"of": found.name} if _type_of_object(given) != found.type else {}
        if found.shows_memory and name in self._moved:
            described["invalidates"] = "true"
            self._guess_about_moved(name)
        if index > 0 and "invalidates" not in described and (reason := self._reason_for_null(index, name, found)):
            described["optional"] = "true"
            self._guesses.append(f"`{name}` may be NULL, {reason}")
        if described:
            self._args[name] = found.name if len(described) == 1 and "of" in described else described

    def _reason_for_null(self, index: int, name: str, found: ObjectClass) -> str:
        """Returns the reason why an object can be left out; empty if there is none. Without a default, Python could not
        call a function that takes an object which nothing creates."""
        function = self._function
        if any(self._class_of(each.type) is found for each in function.parameters[:index]):
            return ""
        is_option = bool({*words(name), *words(found.type)[-1:]} & OPTIONS)
        allowed = may_be_null(function, {name, found.type.removeprefix("struct "), *(OPTIONS if is_option else ())})
        if allowed:
            return "by the comment"
        is_unknown = found.struct.key not in self._names.creatable
        return "since nothing creates it" if is_option and is_unknown and allowed is None else ""

    def _keyword_only(self) -> list[tuple[str, str, str]]:
        """Returns the key that lets required parameters follow optional ones."""
        optional = [name for name, given in self._args.items() if "optional" in given and not isinstance(given, str)]
        passed = [
            each.name
            for each in self._function.parameters
            if not set(_LEFT_OUT).intersection(given := self._args.get(each.name, {})) or isinstance(given, str)
        ]
        is_followed = any(name not in optional for name in passed[passed.index(optional[0]) :]) if optional else False
        return [("keyword_only", flow_list(optional), "")] if is_followed else []

    def _ask_about_several(self, index: int, name: str, found: ObjectClass) -> None:
        """Asks whether a pointer to a plain struct is an array, of which the next number is the length."""
        counts = [each.name for each in self._measures(index) if {each.name.lower(), *words(each.name)} & COUNT]
        if counts and not any("one struct, or an array" in doubt for doubt in self._doubts):
            members = flow_list(each.name for each in found.struct.members if not set(each.name) & set(".["))
            args = f"args: {{{name}: records, {counts[0]}: {{count_of: {name}}}}}"
            self._doubts.append(
                f"is `{name}` one struct, or an array of {counts[0]}? For an array, move it to `functions`: {args}, "
                f"and at the top records: {{{found.type}: {members}}}"
            )

    def _ask_about_filled(self, index: int, name: str) -> None:
        """Asks whether C fills an array of structs, of which the next number is the capacity."""
        following = self._function.parameters[index + 1 : index + 2]
        if following and following[0].type.kind == "int" and set(words(following[0].name)) & (COUNT | CAPACITY):
            count = following[0].name
            self._doubts.append(
                f"is `{name}` one struct, or memory for {count}? For memory, write a C function for one struct"
            )

    def _guess_about_moved(self, name: str) -> None:
        """Marks the guess that the memory of an object may move. One guess names all objects of a function."""
        start = "it may move the memory of "
        before = next((guess for guess in self._guesses if guess.startswith(start)), None)
        if before is None:
            self._guesses.append(f"{start}`{name}`")
        else:
            self._guesses[self._guesses.index(before)] = f"{before} and `{name}`"

    def _moved_objects(self) -> Iterator[str]:
        """Yields the parameters whose objects may get other memory, by the name of the function."""
        function = self._function
        written = written_objects(function, self._names.classes)
        result = self._class_of(function.result)
        if exchanges(function) and len(written) > 1:
            yield from (each.name for each in written)
            return
        word = moving_word(function)
        if not word or not written or (result is not None and (creates(function) or word not in MOVE_OF_ITSELF)):
            return
        first, *others = written
        found = self._class_of(first.type)
        is_sum = first is not function.parameters[0] and self._class_of(function.parameters[0].type) is found
        if word == "add" and found is not None and found.is_tensor and (found.is_arithmetic or is_sum):
            self._reasons.append(f"`add` is arithmetic, so the memory of `{first.name}` stays in place")
            return
        yield first.name
        if word not in MOVE_OF_ITSELF and not word.startswith(("add", "set")):
            yield from (each.name for each in others)

    def _pointer_to_object(self, index: int, name: str, target: DeclaredType) -> None:
        found = self._class_of(target)
        if found is None:
            return
        self._needs.add(found.name)
        counts = [each for each in self._measures(index) if {each.name.lower(), *words(each.name)} & COUNT]
        is_input = target.is_const or (target.target is not None and target.target.is_const)
        if not is_input and replaces_objects(self._function, self._pointers_to_objects(target)):
            self._doubts.append(
                f"does C read `{name}` before it sets it? If so, write a C function that takes the object itself; if "
                f"not, args: {{{name}: {{out: true}}}}"
            )
            return
        if counts and not is_input and not name.endswith("s"):
            is_before = self._function.parameters.index(counts[0]) < index
            if set(words(name)) & OUTPUT_OBJECT or (is_before and creates(self._function)):
                counts = []
            elif is_before:
                self._doubts.append(
                    f"is `{name}` an array of objects? {{{counts[0].name}: {{count_of: {name}}}}}; "
                    f"{{out: true}} for a new object"
                )
                return
        if counts:
            self._args[counts[0].name] = {"count_of": name}
            self._guesses.append(f"`{counts[0].name}` is the number of objects in `{name}`")
            return
        if is_input:
            self._doubts.append(f"which number of objects has `{name}`? {{N: {{count_of: {name}}}}}")
            return
        source = next((each.name for each in self._function.parameters if self._class_of(each.type) is not None), None)
        if source is not None and set(words(self._function.name)) & BORROW and not creates(self._function):
            self._args[name] = {"out": "true", "borrow": source}
            self._guesses.append(f"`{source}` owns `{name}`")
            return
        if found.release is None:
            self._doubts.append(f"which function frees a {found.name}? Add `release` to the class")
        self._args[name] = {"out": "true"}
        self._guesses.append(f"`{name}` returns a new object")

    def _pointers_to_objects(self, target: DeclaredType) -> list[Parameter]:
        """Returns the parameters that point to the address of an object of the same class as `target`."""
        pointed = [(each, each.type.target) for each in self._function.parameters if each.type.kind == "pointer"]
        return [each for each, other in pointed if other is not None and self._is_same(other, target)]

    def _is_same(self, given: DeclaredType, other: DeclaredType) -> bool:
        return self._class_of(given) is not None and self._class_of(given) is self._class_of(other)

    def _number(self, name: str, given: DeclaredType) -> None:
        if given.kind == "enum":
            enum = self._names.enums.get(given.declaration)
            if enum is not None:
                self._args[name] = enum
                self._needs.add(enum)
        elif given.is_number:
            self._add_number(given)
        elif given.kind == "pointer":
            self._doubts.append(f"no class of the spec has the type of `{name}`, {given.spelling}")

    def _add_number(self, given: DeclaredType) -> None:
        is_typedef = given.spelling not in FAMILIES and " " not in given.spelling
        if is_typedef and given.kind != "char" and given.canonical in FAMILIES:
            self._numbers[given.spelling] = FAMILIES[given.canonical]

    def _string(self, index: int, name: str, target: DeclaredType) -> None:
        if not target.is_const:
            self._doubts.append(f"which capacity has `{name}`? For a buffer: {{of: str, out: true}}, `char {name}[64]`")
        elif set(words(name)) & PATH or name.lower().endswith(PATH_ENDINGS):
            self._args[name] = "path"
            self._guesses.append(f"`{name}` is a path")
        elif (size := self._size_of_string(index)) is not None:
            self._args[name] = "bytes"
            self._args[size] = {"size_of": name}
            self._guesses.append(f"`{size}` is the number of bytes of `{name}`")

    def _size_of_string(self, index: int) -> str | None:
        """Returns the next parameter if it is the length of the characters at `index`. Python could pass a number that
        is greater than the length of its string."""
        following = self._function.parameters[index + 1 : index + 2]
        if not following or following[0].type.kind != "int" or following[0].name in self._args:
            return None
        own = words(following[0].name)
        fits = set(own) & (COUNT | COUNT_OF_BYTES) or (own and own[-1].endswith(("len", "length", "size")))
        return following[0].name if fits else None

    def _array(self, index: int, parameter: Parameter, target: DeclaredType) -> None:
        name = parameter.name
        if target.kind not in ("void", "char"):
            self._add_number(target)
        if target.kind not in ("void",) and parameter.type.kind == "array" and parameter.type.length is not None:
            return
        measures = self._measures(index)
        if measures and self._measured(name, measures, target):
            return
        if target.kind == "void":
            choices = "{of: bytes}, {of: array}"
            self._doubts.append(f"`{name}` points to bytes of an unknown number: {choices}")
        elif not target.is_const and parameter.type.kind == "pointer" and self._is_single_output(name):
            self._args[name] = {"out": "true"}
            self._guesses.append(f"`{name}` is one number that C fills")
        else:
            self._unknown_lengths.append(name)

    def _ask_about_kept_arrays(self) -> None:
        """Asks whether a new object stores the addresses of arrays, which must then live as long as the object."""
        given = self._function.result
        found = self._class_of(given)
        if given.kind == "struct" and self._is_complete(given):
            found = self._names.classes[given.declaration]
            if found.layout is None:
                return
        elif found is None or not creates(self._function):
            self._ask_about_shared_arrays()
            return
        arrays = [each for each in self._function.parameters if _is_array(each) and not _is_copied(each)]
        if arrays:
            listed = ", ".join(f"`{each.name}`" for each in arrays)
            kept = flow_list(each.name for each in arrays)
            self._doubts.append(
                f"does the new object store the address of {listed}? Then name a class for arrays at the top, arrays: "
                f"Array, and write returns: {{of: {found.name}, keeps: {kept}}}"
            )

    def _ask_about_shared_arrays(self) -> None:
        """Asks whether an object stores the address of an array, if the function says that it makes no copy."""
        arrays = [each.name for each in self._function.parameters if _is_array(each)]
        owner = next((each.name for each in self._function.parameters if self._class_of(each.type) is not None), None)
        if owner is not None and arrays and shares_arrays(self._function):
            listed = ", ".join(f"`{name}`" for name in arrays)
            self._doubts.append(
                f"does `{owner}` store the address of {listed}? Then name a class for arrays at the top, arrays: "
                f"Array, and write args: {{{owner}: {{keeps: {flow_list(arrays)}}}}}"
            )

    def _ask_about_freed_objects(self) -> None:
        """Asks whether a function frees an object, which its Python object would free again, or foreign memory."""
        objects = [each.name for each in self._function.parameters if self._may_be_freed(each.type)]
        if objects and (freeing_word(self._function) or self._frees_object_without_release()):
            listed = " or ".join(f"`{name}`" for name in objects)
            self._doubts.append(f"does it free {listed}? Then the object needs `takes: always` in `args`")
        elif objects and counts_references(self._function):
            listed = " or ".join(f"`{name}`" for name in objects)
            self._doubts.append(f"does it change the number of references to {listed}? Then C may free the object")
        if frees_memory(self._function):
            addresses = [each.name for each in self._function.parameters if _is_address(each.type)]
            if addresses:
                listed = " or ".join(f"`{name}`" for name in addresses)
                self._doubts.append(f"does it free {listed}? C cannot free the memory of Python")

    def _frees_object_without_release(self) -> bool:
        """Returns whether a function such as `x_clear` may be the one that frees the objects of a class."""
        named = set(words(self._function.name)) & RELEASE_PARTLY
        owners = [self._object_in(each.type) for each in self._function.parameters]
        return bool(named) and any(each is not None and each.release is None for each in owners)

    def _object_in(self, given: DeclaredType) -> ObjectClass | None:
        """Returns the class of an object that a parameter is, points to, or points to the address of."""
        if given.kind == "struct":
            return self._names.classes.get(given.declaration)
        target = given.target if given.target is not None and self._class_of(given.target) is not None else given
        return self._class_of(target)

    def _may_be_freed(self, given: DeclaredType) -> bool:
        """Returns whether a function can free the object. Some libraries free objects by a pointer to const; if such a
        function returns something, it only reads."""
        found = self._object_in(given)
        if found is None:
            return False
        if given.kind == "struct":
            return found.has_pointers
        target = given.target if given.target is not None and self._class_of(given.target) is not None else given
        is_const = target.target is not None and target.target.is_const
        return not is_const or self._function.result.kind == "void"

    def _ask_about_returned_argument(self, found: ObjectClass) -> None:
        """Asks whether a function such as `x_realloc` or `x_init` returns its argument, which both would free."""
        own = words(self._function.name)
        frees = [word for word in own if "realloc" in word or word in MOVE_OF_ITSELF]
        sure = [word for word in own if word in CREATE_FOR_SURE | COPY | {"wrap"} or word.endswith(CREATE_ENDINGS)]
        written = written_objects(self._function, self._names.classes)
        same = [each.name for each in written if self._class_of(each.type) is found]
        if same and frees:
            self._doubts.append(f"does it free `{same[0]}`? Then the object needs `takes: true` in `args`")
        elif same and not sure:
            self._doubts.append(
                f"is the result a new object, or `{same[0]}`? For `{same[0]}`, returns: {{of: {found.name}, borrow: "
                f"{same[0]}}}"
            )

    def _measures(self, index: int) -> list[Parameter]:
        """Returns the integers that follow a pointer and the pointers beside it."""
        following: list[Parameter] = []
        for other in self._function.parameters[index + 1 :]:
            if other.type.kind == "int" and other.name not in self._args:
                following.append(other)
            elif other.type.pointed is None or following:
                break
        if not following and index > 0:
            before = self._function.parameters[index - 1]
            if before.type.kind == "int" and before.name not in self._args:
                return [before]
        return following

    def _measured(self, name: str, measures: Sequence[Parameter], target: DeclaredType) -> bool:
        """Describes the lengths and strides of an array; returns whether the array has a length."""
        named = {each.name: "".join(words(each.name)) for each in measures}
        last = {each.name: (words(each.name) or [""])[-1] for each in measures}
        rows = next((each for each in named if named[each] in ROWS), None)
        columns = next((each for each in named if named[each] in COLUMNS), None)
        count = next((each for each in named if named[each] in COUNT or last[each] in COUNT), None)
        bytes_ = next((each for each in named if named[each] in COUNT_OF_BYTES or last[each] == "bytes"), None)
        stride = next(
            (each for each in named if named[each] in PARAMETER_STRIDE or last[each] in PARAMETER_STRIDE), None
        )
        if target.kind == "void":
            chosen = bytes_ or count
            if chosen is None or len(measures) > 1:
                return False
            self._args[name] = "bytes"
            self._args[chosen] = {"size_of": name}
            self._guesses.append(f"`{chosen}` is the number of bytes of `{name}`")
            return True
        if rows is not None and columns is not None:
            self._args[rows] = {"extent_of": name}
            self._args[columns] = {"extent_of": name, "axis": "1"}
            self._guesses.append(f"`{rows}` and `{columns}` are the extents of `{name}`")
        elif count is not None:
            self._args[count] = {"count_of": name}
        else:
            return False
        if stride is not None:
            self._args[stride] = {"stride_of": name}
            self._guesses.append(f"`{stride}` is the stride of `{name}`, in elements")
        if count is not None and (rows is None or columns is None):
            *listed, last_one = [f"`{each}`" for each in (name, *self._same_length(name, count))]
            counted = f"{', '.join(listed)} and {last_one}" if listed else last_one
            self._guesses.append(f"`{count}` is the length of {counted}")
        return True

    def _same_length(self, name: str, count: str) -> list[str]:
        """Gives the same length to arrays that no other number counts, and returns their names."""
        pointers = [
            each
            for each in self._function.parameters
            if each.name != name
            and each.name not in self._args
            and each.type.pointed is not None
            and each.type.pointed.is_number
            and each.type.pointed.kind != "char"
            and not (each.type.kind == "array" and each.type.length is not None)
        ]
        integers = [
            each for each in self._function.parameters if each.type.kind == "int" and each.name not in self._args
        ]
        if integers:
            return []
        for each in pointers:
            if each.type.pointed is not None:
                self._add_number(each.type.pointed)
            self._args[each.name] = f"{{require: [{{count: {count}}}]}}"
        return [each.name for each in pointers]

    def _is_single_output(self, name: str) -> bool:
        reads = "get" in words(self._function.name)
        return (
            reads
            and "".join(words(name)) in SINGLE_OUTPUT
            and any(self._class_of(each.type) is not None for each in self._function.parameters)
        )

    # ---- The result ----

    def _result(self) -> list[tuple[str, str, str]]:
        given = self._function.result
        found = self._class_of(given)
        if found is not None:
            return self._object_result(given, found)
        if given.kind == "enum":
            return self._enum_result(given)
        target = given.pointed
        if given.kind == "struct" and given.declaration in self._names.statuses.structs:
            self._needs.add("failures")
        elif target is None:
            if given.kind == "struct" and self._is_complete(given):
                return self._struct_result(self._names.classes[given.declaration])
            if given.kind in ("struct", "other"):
                self._doubts.append(f"the result is a {given.spelling}")
            elif given.is_number:
                self._add_number(given)
                if self._names.statuses.constant and is_status(given):
                    ok = scalar(f"== {self._names.statuses.constant}", False)
                    return [("ok", ok, "the result is a status, by the name of its type")]
                if given.kind == "int" and words(self._function.name)[-2:-1] and self._is_question():
                    return [("returns", "bool", "by the name of the function")]
        elif target.kind == "char" and target.is_const:
            return []
        elif target.kind == "char":
            self._doubts.append("who frees the string? returns: str, and finally: free(result) if the caller does")
        elif target.is_number:
            self._doubts.append("which shape has the result? returns: {of: array, shape: [N], borrow: PARAMETER}")
        else:
            self._doubts.append(f"no class of the spec has the type of the result, {given.spelling}")
        return []

    def _is_question(self) -> bool:
        return bool(QUESTION & set(words(self._function.name)))

    def _returns_new_object(self) -> bool:
        """Returns whether the name of the function says that its result is an object that the caller owns."""
        given = self._function.result
        is_const = given.target is not None and given.target.is_const
        return self._class_of(given) is not None and creates(self._function) and not is_const

    def _object_result(self, given: DeclaredType, found: ObjectClass) -> list[tuple[str, str, str]]:
        self._needs.add(found.name)
        named = _type_of_object(given) != found.type
        source = next((each for each in self._function.parameters if self._class_of(each.type) is not None), None)
        if self._returns_new_object():
            if found.release is None:
                self._doubts.append(f"which function frees a {found.name}? Add `release` to the class")
            self._ask_about_returned_argument(found)
            kept = [each.name for each in self._function.parameters if self._is_kept(each.type)]
            if kept and not COPY & set(words(self._function.name)):
                value = f"{{of: {found.name}, keeps: {flow_list(kept) if len(kept) > 1 else kept[0]}}}"
                return [("returns", value, "the result may refer to its memory")]
            return [("returns", found.name, "")] if named else []
        if source is not None:
            value = flow_map({"of": found.name, "borrow": source.name})
            return [("returns", value, f"`{source.name}` owns the result")]
        self._doubts.append(f"who owns the result? returns: {{of: {found.name}, borrow: static}}, or `owned: true`")
        return []

    def _struct_result(self, found: ObjectClass) -> list[tuple[str, str, str]]:
        self._needs.add(found.name)
        kept = [each.name for each in self._function.parameters if self._is_kept(each.type)]
        if not kept or found.layout is None:
            return []
        value = f"{{of: {found.name}, keeps: {flow_list(kept) if len(kept) > 1 else kept[0]}}}"
        return [("returns", value, "the result may refer to its memory")]

    def _is_kept(self, given: DeclaredType) -> bool:
        found = self._class_of(given)
        return found is not None and found.retain is None

    def _enum_result(self, given: DeclaredType) -> list[tuple[str, str, str]]:
        success = self._names.statuses.success.get(given.declaration)
        if success is not None:
            message = self._names.statuses.messages.get(given.declaration)
            error = [("error", f"{message}(result)", "")] if message is not None else []
            return [("ok", scalar(f"== {success}", False), "the result is a status"), *error]
        enum = self._names.enums.get(given.declaration)
        if enum is None:
            return []
        self._needs.add(enum)
        return [("returns", enum, "")]


def _type_of_object(given: DeclaredType) -> str:
    """Returns the type of an object as the prototype names it behind a pointer."""
    return given.spelling.removesuffix("*").removeprefix("const ").strip()


def _is_address(given: DeclaredType) -> bool:
    """Returns whether a parameter is the address of a string, of numbers or of bytes."""
    target = given.pointed
    return target is not None and (target.kind == "void" or target.is_number)


def _is_array(parameter: Parameter) -> bool:
    target = parameter.type.pointed
    return target is not None and (target.kind == "void" or (target.is_number and target.kind != "char"))


def _is_copied(parameter: Parameter) -> bool:
    """Returns whether an array is surely copied: the extents of a new object."""
    target = parameter.type.pointed
    named = "".join(words(parameter.name)) in VECTOR_OF_EXTENTS
    return named and target is not None and target.is_const and target.kind == "int"


def _declared(given: DeclaredType, name: str) -> str:
    """Returns a declaration of a parameter, or the type of a result if there is no name."""
    is_string = given.pointed is not None and given.pointed.kind == "char"
    spelling = given.canonical if is_string and given.kind == "pointer" else given.spelling
    if "(*)" in spelling:
        return spelling.replace("(*)", f"(*{name})", 1)
    base, bracket, rest = spelling.partition("[")
    if bracket:
        return f"{base.strip()} {name}[{rest}"
    if not name:
        return spelling
    return f"{spelling}{'' if spelling.endswith('*') else ' '}{name}"


def sentence(comment: str) -> str:
    """Returns the first sentence of a comment, if it is short and plain."""
    first = comment.partition(". ")[0].strip()
    fits = len(first) <= 160 and first.isascii() and first.isprintable() and "\\" not in first
    return first if fits and first[:1].isupper() and " " in first and first.rpartition(".")[2] not in ("c", "h") else ""
