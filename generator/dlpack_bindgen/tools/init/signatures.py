"""The functions of a spec: the meaning of each parameter and of the result.

Types and answers decide; names and comments suggest answers. A function with an open question is no entry."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import replace

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.draft import DOUBTFUL, Answer
from dlpack_bindgen.text.names import C_KEYWORDS, WORDS_OF_CLASSES
from dlpack_bindgen.text.types import FAMILIES
from dlpack_bindgen.text.yaml import flow_list, scalar
from dlpack_bindgen.tools.init.classes import (
    Classes,
    Ends,
    ObjectClass,
    Statuses,
    counts_references,
    creates,
    exchanges,
    is_status,
    moving_word,
    replaces_objects,
)
from dlpack_bindgen.tools.init.comments import (
    direction,
    may_be_null,
    said_of_parameter,
    said_of_result,
    says_unref,
)
from dlpack_bindgen.tools.init.declarations import (
    BORROW,
    COLUMNS,
    COPY,
    COUNT,
    COUNT_OF_BYTES,
    CREATE_FOR_SURE,
    ENDING,
    FORMAT,
    INDEX,
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
    WRITE,
    DeclaredType,
    Function,
    Header,
    Parameter,
    words,
)
from dlpack_bindgen.tools.init.facts import (
    address_key,
    doubtful_word,
    ending_word,
    freeing_word,
    has_function_pointers,
    is_const_object,
    is_harmless,
    is_text,
    object_key,
)
from dlpack_bindgen.tools.init.questions import Answers, Point

_LEFT_OUT = ("out", "count_of", "size_of", "extent_of", "stride_of")
"""Keys of parameters that Python does not pass."""
_SIZE_T = ("unsigned long", "unsigned long long")


class Signature(Frozen):
    """A function as an entry describes it."""

    values: tuple[tuple[str, str, str], ...]
    """Keys, their values in YAML, and the reasons of guesses."""
    needs: frozenset[str]
    numbers: Mapping[str, str]
    """Number types that only the header defines, each with its kind."""
    doubt: str = ""
    """The reason why no entry can describe the function; empty if one can."""
    points: tuple[Point, ...] = ()
    """What must be answered before the function is an entry."""
    records: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The structs that are elements of arrays, with their members."""
    keeps_arrays: bool = False
    """Whether C keeps arrays, which needs the key `arrays` of the spec."""
    is_left_out: bool = False
    """Whether an answer says that Python must not call the function."""

    @property
    def is_entry(self) -> bool:
        return not (self.doubt or self.points or self.is_left_out)


class Names(Frozen):
    """What signatures refer to."""

    classes: Classes
    enums: Mapping[str, str]
    """The constants of the spec by the keys of their enums."""
    statuses: Statuses
    creatable: frozenset[str]
    """The keys of the structs of which Python can get an object."""
    all_types: frozenset[str]
    """The typedefs of the header, which parameters cannot be called."""
    answers: Answers
    library: tuple[str, ...]
    """The words with which the functions of the library begin."""
    ends: Ends
    reading: frozenset[str] = frozenset()
    """The functions that only read their object, as an answer about an array says."""
    owned: frozenset[str] = frozenset()
    """The keys of the structs that functions make or end."""
    failure: str = ""
    """The parameter by which functions report failures, and which a rule of the spec describes: `GError **error`."""


def types_in(header: Header) -> frozenset[str]:
    """Returns the names of the structs and enums of a header."""
    structs = [name for each in header.structs.values() for name in each.names]
    return frozenset((*structs, *(each.spelling for each in header.enums.values())))


def signature(function: Function, names: Names, reason: str = "") -> Signature:
    """Returns how an entry describes a function. `reason` is a guess about the function, beside those of its name."""
    parameters = tuple(replace(each, name=_usable(each.name, names)) for each in function.parameters)
    return _Reading(replace(function, parameters=parameters), names).signature(reason)


def _usable(name: str, names: Names) -> str:
    """Returns a name of a parameter that neither C nor the spec uses otherwise, without the underscores at the start
    that system headers write."""
    plain = name.lstrip("_")
    name = plain if plain[:1].isalpha() else name
    taken = name in C_KEYWORDS or name in names.all_types or name in WORDS_OF_CLASSES or keyword.iskeyword(name)
    return f"{name}_" if taken else name


class _Object(Frozen):
    """A parameter that is an object of a class."""

    index: int
    name: str
    type: DeclaredType
    found: ObjectClass

    @property
    def is_const(self) -> bool:
        return is_const_object(self.type)


class _Reading:
    def __init__(self, function: Function, names: Names) -> None:
        self._function = function
        self._names = names
        self._args: dict[str, dict[str, str] | str] = {}
        self._needs: set[str] = set()
        self._numbers: dict[str, str] = {}
        self._doubts: list[str] = []
        self._points: list[Point] = []
        self._guesses: list[str] = []
        self._reasons: list[str] = []
        """Guesses about the function itself."""
        self._records: dict[str, tuple[str, ...]] = {}
        self._lengths: dict[str, str] = {}
        """The capacities of buffers of characters, by the names of the parameters."""
        self._kept_by_result: list[str] = []
        """Arrays whose addresses the result stores."""
        self._keeps_arrays = False
        self._is_left_out = False
        self._objects = [
            _Object(index, each.name, each.type, found)
            for index, each in enumerate(function.parameters)
            if (found := self._class_of(each.type)) is not None
        ]
        is_const = bool(self._objects) and all(each.is_const for each in self._objects)
        own = next((each.found.own_words for each in self._objects), ())
        doubtful = [doubtful_word(function, prefix, is_const) for prefix in (own, names.library)]
        self._doubtful_word = doubtful[0] if all(doubtful) else ""

    def signature(self, reason: str) -> Signature:
        if self._function.is_variadic:
            self._doubts.append("variadic functions are not supported")
        for index, parameter in enumerate(self._function.parameters):
            if parameter.name not in self._args:
                self._parameter(index, parameter)
        result = self._result()
        self._effects()
        if self._function.has_unknown_parameters:
            self._reasons.append("`()` means no arguments")
        self._reasons += [reason] if reason else []
        values = [("c", scalar(self._prototype(), False), "; ".join(self._reasons))]
        if self._args:
            listed = ", ".join(
                f"{name}: {given if isinstance(given, str) else _flow(given)}" for name, given in self._args.items()
            )
            values.append(("args", f"{{{listed}}}", "; ".join(self._guesses)))
        values += self._keyword_only()
        doc = sentence(self._function.comment)
        values += [*result, *([("doc", scalar(doc, False), "")] if doc else [])]
        doubt = f"open: {'; '.join(dict.fromkeys(self._doubts))}" if self._doubts else ""
        return Signature(
            tuple(values),
            frozenset(self._needs),
            self._numbers,
            doubt,
            tuple(self._points),
            tuple(self._records.items()),
            self._keeps_arrays,
            self._is_left_out,
        )

    def _ask(self, question: str, suggestion: str | Answer | None, reason: str = "") -> tuple[Answer, ...]:
        """Returns the answers to a question about the function. Without one, the question is open."""
        found = self._names.answers.of(question, self._function.name)
        if not found and self._function.name in self._names.reading and question.startswith("objects"):
            return ()
        if not found:
            suggested = Answer(suggestion) if isinstance(suggestion, str) else suggestion
            self._points.append(Point(question, self._function.name, suggested, reason))
        return found

    # ---- The prototype ----

    def _prototype(self) -> str:
        declared = [self._declaration(each) for each in self._function.parameters]
        parameters = ", ".join([*declared, *(["..."] if self._function.is_variadic else [])])
        result = _declared(self._function.result, "")
        return f"{result}{'' if result.endswith('*') else ' '}{self._function.name}({parameters or 'void'})"

    def _declaration(self, parameter: Parameter) -> str:
        capacity = self._lengths.get(parameter.name)
        return f"char {parameter.name}[{capacity}]" if capacity else _declared(parameter.type, parameter.name)

    # ---- What the function does with its objects ----

    def _effects(self) -> None:
        """Asks what C does with the objects and texts, unless their types tell."""
        question = self._question_about_effects()
        if not question:
            return
        if question in ("objects", "second object", "text") and self._doubtful_word:
            question += DOUBTFUL
        suggestion, reason = self._suggested_effect(question.removesuffix(DOUBTFUL))
        for answer in self._ask(question, suggestion, reason):
            self._apply(answer.word, question.removesuffix(DOUBTFUL))

    def _question_about_effects(self) -> str:
        function, objects = self._function, self._objects
        if function.name in self._names.ends.makers or function.name in self._names.statuses.messages.values():
            return ""
        if not objects and function.name in self._names.ends.asked:
            return "ends"
        if not objects:
            types = [*(each.type for each in function.parameters), function.result]
            pointers = [each for each in types if each.pointed is not None and not (is_text(each) or _is_file(each))]
            return "" if self._makes_objects() or pointers else "library"
        if function.name in self._names.ends.asked:
            return "ends"
        word = self._doubtful_word
        types = [each.type for each in objects]
        structs = {each.found.struct.key: each.found.struct for each in objects}
        if is_harmless(function, types, structs, word):
            return ""
        is_read = all(each.is_const for each in objects) and not any(map(has_function_pointers, structs.values()))
        if is_read and not word and (self._makes_objects() or self._returns_memory()):
            return ""
        lists = [each for each in function.parameters if self._is_list_of_objects(each)]
        if len(objects) + len(lists) > 1:
            return "second object"
        found = self._class_of(function.result)
        if self._makes_objects() and not word and not (found is not None and self._counts(found)):
            return ""
        return "text" if any(is_text(each.type) for each in function.parameters) else "objects"

    def _makes_objects(self) -> bool:
        """Returns whether an object comes back, as the result or by the address of a pointer."""
        outputs = [each for each in self._function.parameters if self._is_output_of_object(each)]
        return self._class_of(self._function.result) is not None or bool(outputs)

    def _is_output_of_object(self, parameter: Parameter) -> bool:
        target = parameter.type.target if parameter.type.kind == "pointer" else None
        is_list = any(isinstance(each, dict) and each.get("count_of") == parameter.name for each in self._args.values())
        is_object = target is not None and self._class_of(target) is not None
        return is_object and not is_list and not is_const_object(parameter.type)

    def _is_list_of_objects(self, parameter: Parameter) -> bool:
        target = parameter.type.target if parameter.type.kind == "pointer" else None
        return target is not None and self._class_of(target) is not None and not self._is_output_of_object(parameter)

    def _returns_memory(self) -> bool:
        """Returns whether the result is a pointer, about which another question asks."""
        return self._function.result.pointed is not None

    def _suggested_effect(self, question: str) -> tuple[str | None, str]:
        """Returns what the name and the comment suggest, and the reason."""
        function = self._function
        for each in self._function.parameters:
            is_asked = self._class_of(each.type) is not None or (is_text(each.type) and question == "text")
            said = said_of_parameter(function, each.name) if is_asked else None
            if said is not None and question in ("second object", "text"):
                return said.word, f"{function.name}: {said.sentence}"
            if said is not None and question == "objects" and said.word == "takes":
                return "ends", f"{function.name}: {said.sentence}"
        if question == "library":
            return "ends" if ending_word(function, self._names.library) else "plain", ""
        if question == "ends":
            return self._suggested_end()
        if question == "second object":
            return None, ""
        if question == "text":
            return ("moves" if self._shows_moved() else "reads"), ""
        if counts_references(function):
            return "refs", ""
        if self._is_question():
            return "plain", ""
        if freeing_word(function) and ending_word(function, self._names.library):
            return "ends", ""
        return "moves" if self._shows_moved() else "plain", ""

    def _shows_moved(self) -> bool:
        """Returns whether the name says that memory moves or is freed, which the class of the object shows."""
        moved = self._moved_objects()
        cleared = set(words(self._function.name)) & RELEASE_PARTLY
        return (bool(moved) or bool(cleared)) and any(each.found.shows_memory for each in self._objects)

    def _suggested_end(self) -> tuple[str, str]:
        own = set(words(self._function.name))
        given = self._function.parameters[0].type
        key = object_key(given) or address_key(given)
        if self._names.ends.best.get(key, self._function.name) != self._function.name:
            return "plain", ""
        if says_unref(self._function) or own & {"unref", "decref"} or key in self._names.ends.counted:
            return "unref", ""
        if own & RELEASE_PARTLY or (own & ENDING and not freeing_word(self._function)):
            return "moves", ""
        return "ends", ""

    def _apply(self, word: str, question: str) -> None:
        """Writes what an answer says about the objects and texts."""
        objects = self._objects
        if word == "refs" or (word == "ends" and question == "library"):
            self._is_left_out = True
        elif word == "moves":
            for name in self._moved_objects() or [each.name for each in objects if not each.is_const][:1]:
                self._mark(name, "invalidates", "true")
        elif word in ("ends", "unref"):
            for each in objects[:1]:
                self._mark(each.name, "takes", "always")
        elif word == "takes" and question == "second object":
            for each in objects[1:]:
                if not each.is_const:
                    self._mark(each.name, "takes", "always")
        elif word == "takes":
            for name in self._texts():
                self._mark(name, "takes", "true")
        elif word == "keeps":
            kept = [each.name for each in objects[1:]] or self._texts()
            self._mark(objects[0].name, "keeps", flow_list(kept) if len(kept) > 1 else kept[0])

    def _texts(self) -> list[str]:
        return [each.name for each in self._function.parameters if is_text(each.type)]

    def _mark(self, name: str, key: str, value: str) -> None:
        """Adds a key to the description of a parameter."""
        given = self._args.get(name, {})
        if isinstance(given, str):
            given = {"of": given}
        found = next((each.found for each in self._objects if each.name == name), None)
        if key == "invalidates" and (found is None or not found.shows_memory):
            return
        self._args[name] = {**given, key: value}

    def _moved_objects(self) -> list[str]:
        """Returns the parameters whose objects may get other memory, by the name of the function."""
        function = self._function
        written = [each for each in self._objects if not each.is_const]
        if exchanges(function) and len(written) > 1:
            return [each.name for each in written]
        return [written[0].name] if written and moving_word(function) else []

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
            self._object(index, parameter, found)
        elif given.kind == "pointer" and target is not None and target.spelling == "FILE":
            self._file(name)
        elif given.kind == "struct" and self._is_complete(given):
            self._needs.add(self._names.classes[given.declaration].name)
        elif given.kind == "struct":
            self._doubts.append(f"`{name}` is a struct by value")
        elif target is None:
            self._number(name, given)
        elif target.kind == "pointer" and self._class_of(target) is not None:
            self._pointer_to_object(index, parameter, target)
        elif target.kind == "char":
            self._string(index, parameter, target)
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

    def _object(self, index: int, parameter: Parameter, found: ObjectClass) -> None:
        name, given = parameter.name, parameter.type
        self._needs.add(found.name)
        described = {"of": found.name} if _type_of_object(given) != found.type else {}
        is_plain = found.struct.is_complete and found.struct.key not in self._names.owned
        if is_plain and self._beside(index) and not self._structs(index, parameter, found):
            return
        if index > 0 and (reason := self._reason_for_null(index, name, found)):
            described["optional"] = "true"
            self._guesses.append(f"`{name}` may be NULL, {reason}")
        if described:
            self._args[name] = found.name if len(described) == 1 and "of" in described else described

    def _structs(self, index: int, parameter: Parameter, found: ObjectClass) -> bool:
        """Asks whether a pointer to a struct is an array. Returns whether it is one struct."""
        question = f"structs {_declared(parameter.type, parameter.name)}"
        for answer in self._ask(question, self._suggested_length(index) or "one"):
            if answer.word == "keeps":
                self._keep_array(parameter.name)
            elif answer.word == "count":
                members = [each for each in found.struct.members if not set(each.name) & set(".[")]
                if any(each.type.pointed is not None or each.in_union for each in members):
                    self._doubts.append(f"an array of {found.type} has pointers or unions: write a C function for one")
                    return False
                self._records[found.type] = tuple(each.name for each in members)
                self._count(parameter.name, answer.value, "records")
                self._needs.discard(found.name)
                return False
        return True

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

    def _pointer_to_object(self, index: int, parameter: Parameter, target: DeclaredType) -> None:
        found, name = self._class_of(target), parameter.name
        if found is None:
            return
        self._needs.add(found.name)
        is_input = is_const_object(parameter.type) or is_const_object(target)
        if self._beside(index):
            question = f"structs {_declared(parameter.type, name)}"
            is_one = not is_input and (set(words(name)) & OUTPUT_OBJECT or not name.endswith("s"))
            suggestion = "one" if is_one else self._suggested_length(index)
            answers = self._ask(question, suggestion)
            for answer in answers:
                if answer.word == "keeps" and self._objects:
                    self._mark(self._objects[0].name, "keeps", name)
                elif answer.word == "count":
                    self._count(name, answer.value, "")
            if any(answer.word == "count" for answer in answers) or (is_input and not answers):
                return
        if is_input:
            self._doubts.append(f"which number of objects has `{name}`? {{N: {{count_of: {name}}}}}")
        elif replaces_objects(self._function, self._pointers_to_objects(target)):
            self._doubts.append(
                f"does C read `{name}` before it sets it? If so, write a C function that takes the object itself; if "
                f"not, args: {{{name}: {{out: true}}}}"
            )
        elif self._function.name in self._names.ends.asked:
            if not self._may_end():
                self._doubts.append(f"`{name}` is the address of an object that lives on: write a C function for it")
        else:
            self._output_object(name, found)

    def _pointers_to_objects(self, target: DeclaredType) -> list[Parameter]:
        """Returns the parameters that point to the address of an object of the same class as `target`."""
        pointed = [(each, each.type.target) for each in self._function.parameters if each.type.kind == "pointer"]
        return [each for each, other in pointed if other is not None and self._is_same(other, target)]

    def _is_same(self, given: DeclaredType, other: DeclaredType) -> bool:
        return self._class_of(given) is not None and self._class_of(given) is self._class_of(other)

    def _output_object(self, name: str, found: ObjectClass) -> None:
        """Describes an object that C stores at an address."""
        described = {"out": "true"}
        for word in self._owner(found, is_output=True):
            described |= self._described_owner(word, found)
        self._args[name] = described

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

    def _string(self, index: int, parameter: Parameter, target: DeclaredType) -> None:
        name = parameter.name
        if not target.is_const:
            for answer in self._ask(f"output {_declared(parameter.type, name)}", self._suggested_length(index)):
                if answer.word == "count":
                    self._lengths[name] = answer.value
                    self._args[name] = {"of": "str", "out": "true"}
                else:
                    self._doubts.append(f"`{name}` is memory for a text of an unknown length")
        elif self._may_have_length(index):
            suggestion = self._suggested_length(index) or "text"
            answers = self._ask(f"bytes {_declared(parameter.type, name)}", suggestion)
            for answer in answers:
                if answer.word == "keeps":
                    self._keep_array(name)
                elif answer.word == "count":
                    self._args[name] = "bytes"
                    self._size(name, answer.value)
            if any(answer.word == "text" for answer in answers):
                self._path(name)
        elif set(words(name)) & FORMAT:
            self._doubts.append(
                f"`{name}` is a format, by its name, and C reads the arguments that it names: Python must not choose it"
            )
        else:
            self._path(name)

    def _path(self, name: str) -> None:
        if set(words(name)) & PATH or name.lower().endswith(PATH_ENDINGS):
            self._args[name] = "path"
            self._guesses.append(f"`{name}` is a path")

    def _may_have_length(self, index: int) -> bool:
        """Returns whether a number beside a text may be its length: Python could pass one that is greater than the
        length of its string."""
        beside = [
            *self._function.parameters[index + 1 : index + 2],
            *self._function.parameters[max(index - 1, 0) : index],
        ]
        return any(
            each.type.kind == "int"
            and each.name not in self._args
            and (each.type.canonical in _SIZE_T or _is_length(each.name))
            for each in beside
        )

    def _beside(self, index: int) -> list[Parameter]:
        """Returns the integers on both sides of a pointer that no other parameter explains."""
        parameters = self._function.parameters
        near = [*parameters[index + 1 :], *reversed(parameters[:index])]
        return [each for each in near if each.type.kind == "int" and each.name not in self._args]

    def _suggested_length(self, index: int) -> Answer | None:
        """Returns the length that the names of the nearest integers suggest."""
        following: list[Parameter] = []
        for other in self._function.parameters[index + 1 :]:
            if other.type.kind == "int" and other.name not in self._args:
                following.append(other)
            elif other.type.pointed is None or following:
                break
        before = self._function.parameters[max(index - 1, 0) : index]
        measures = following or [each for each in before if each.type.kind == "int" and each.name not in self._args]
        named = {each.name: "".join(words(each.name)) for each in measures}
        rows = next((each for each in named if named[each] in ROWS), None)
        columns = next((each for each in named if named[each] in COLUMNS), None)
        if rows is not None and columns is not None:
            return Answer("count", f"{rows} * {columns}")
        count = next((each for each in named if _is_length(each)), None)
        is_index = len(measures) == 1 and bool(set(words(measures[0].name)) & INDEX)
        if count is None and len(measures) == 1 and measures[0].type.canonical in _SIZE_T and not is_index:
            count = measures[0].name
        return Answer("count", count) if count is not None else None

    def _array(self, index: int, parameter: Parameter, target: DeclaredType) -> None:
        name = parameter.name
        if target.kind != "void":
            self._add_number(target)
        length = parameter.type.length if parameter.type.kind == "array" else None
        is_kept = bool(self._objects) or self._makes_objects()
        if length is not None and not is_kept:
            return
        is_read = target.is_const or direction(self._function, name) == "in"
        kind = "bytes" if target.kind == "void" else "input" if is_read else "output"
        suggestion = Answer("count", str(length)) if length is not None else self._suggested_length(index)
        if suggestion is None and kind == "output" and not self._beside(index):
            suggestion = Answer("one")
        said = said_of_parameter(self._function, name)
        if self._may_be_kept_by_result() or said is not None:
            suggestion = None
        if freeing_word(self._function) and not self._objects:
            self._doubts.append(f"does it free `{name}`? C cannot free the memory of Python")
        reason = f"{self._function.name}: {said.sentence}" if said is not None else ""
        for answer in self._ask(f"{kind} {_declared(parameter.type, name)}", suggestion, reason):
            if answer.word == "keeps":
                self._keep_array(name)
            elif answer.word == "one" and kind == "output":
                self._args[name] = {"out": "true"}
            elif answer.word == "one":
                self._args[name] = "{require: [{count: 1}]}"
            elif answer.word == "count" and kind == "bytes":
                self._args[name] = "bytes" if target.is_const else "array"
                self._size(name, answer.value)
            elif answer.word == "count" and str(length) != answer.value:
                self._count(name, answer.value, "")

    def _may_be_kept_by_result(self) -> bool:
        """Returns whether the result has pointers, which can lead to an array that the function gets."""
        given = self._function.result
        found = self._class_of(given) or self._names.classes.get(given.declaration)
        return found is not None and (found.has_pointers or not found.struct.is_complete)

    def _keep_array(self, name: str) -> None:
        self._keeps_arrays = True
        if self._objects and self._class_of(self._function.result) is None:
            owner = self._objects[0].name
            given = self._args.get(owner, {})
            given = {"of": given} if isinstance(given, str) else given
            self._args[owner] = {**given, "keeps": _added(given.get("keeps", ""), name)}
        else:
            self._kept_by_result.append(name)

    def _count(self, name: str, value: str, kind: str) -> None:
        """Writes the number of elements of an argument: a parameter that C derives, or a condition."""
        is_parameter = any(each.name == value and each.type.kind == "int" for each in self._function.parameters)
        self._strides(name)
        if is_parameter and value not in self._args:
            self._args[value] = {"count_of": name}
            if kind:
                self._args[name] = kind
        elif kind:
            self._args[name] = f"{{of: {kind}, require: [{{count: {scalar(value)}}}]}}"
        else:
            self._args[name] = f"{{require: [{{count: {scalar(value)}}}]}}"

    def _strides(self, name: str) -> None:
        """Derives numbers called strides from the array: Python must not choose them."""
        index = next(number for number, each in enumerate(self._function.parameters) if each.name == name)
        for each in self._beside(index):
            own = words(each.name)
            if {"".join(own), own[-1] if own else ""} & PARAMETER_STRIDE:
                self._args[each.name] = {"stride_of": name}
                self._guesses.append(f"`{each.name}` is the stride of `{name}`, in elements")
                return

    def _size(self, name: str, value: str) -> None:
        """Writes the number of bytes of an argument."""
        is_parameter = any(each.name == value and each.type.kind == "int" for each in self._function.parameters)
        if is_parameter and value not in self._args:
            self._args[value] = {"size_of": name}
        else:
            self._args[name] = f"{{of: {self._args[name]}, require: [{{count: {scalar(value)}}}]}}"

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
            return self._plain_result(given)
        elif target.kind == "char" and not target.is_const:
            return self._text_result()
        elif target.is_number and target.kind != "char":
            return self._array_result(target)
        elif target.kind != "char":
            self._doubts.append(f"no class of the spec has the type of the result, {given.spelling}")
        return []

    def _plain_result(self, given: DeclaredType) -> list[tuple[str, str, str]]:
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
        return []

    def _is_question(self) -> bool:
        return bool(QUESTION & set(words(self._function.name)))

    def _text_result(self) -> list[tuple[str, str, str]]:
        said = said_of_result(self._function)
        suggestion = {"new": Answer("caller frees", "free(result)"), "part": Answer("library's")}
        suggested = suggestion[said.word] if said is not None else None
        reason = f"{self._function.name}: {said.sentence}" if said is not None else ""
        answers = self._ask("text results", suggested, reason)
        frees = [("finally", scalar(each.value, False), "") for each in answers if each.word == "caller frees"]
        return [("returns", "str", ""), *frees] if answers else []

    def _array_result(self, target: DeclaredType) -> list[tuple[str, str, str]]:
        self._add_number(target)
        for answer in self._ask("array results", None):
            owner = self._objects[0].name if self._objects else "static"
            self._keeps_arrays = True
            return [("returns", f"{{of: array, shape: [{answer.value}], borrow: {owner}}}", "")]
        return []

    def _object_result(self, given: DeclaredType, found: ObjectClass) -> list[tuple[str, str, str]]:
        self._needs.add(found.name)
        described: dict[str, str] = {}
        for word in () if self._may_end() or self._counts(found) else self._owner(found):
            described |= self._described_owner(word, found)
        if described:
            return [("returns", _flow({"of": found.name, **described}), "")]
        return [("returns", found.name, "")] if _type_of_object(given) != found.type else []

    def _counts(self, found: ObjectClass) -> bool:
        """Returns whether the function takes a reference to its only object, and returns this object."""
        is_same = len(self._function.parameters) == 1 and self._objects[:1] and self._objects[0].found is found
        return bool(is_same) and counts_references(self._function)

    def _may_end(self) -> bool:
        """Returns whether the function may end its object, so that its result is none."""
        if self._function.name not in self._names.ends.asked:
            return False
        words = {each.word for each in self._names.answers.of("ends", self._function.name)}
        return not words & {"moves", "plain"}

    def _owner(self, found: ObjectClass, is_output: bool = False) -> list[str]:
        """Returns the words that tell who owns an object that comes back."""
        if self._function.name in self._names.ends.makers:
            return ["new"]
        suggestion, reason = self._suggested_owner(found, is_output)
        return [each.word for each in self._ask("results", suggestion, reason)]

    def _suggested_owner(self, found: ObjectClass, is_output: bool) -> tuple[str | None, str]:
        said = said_of_result(self._function)
        if said is not None:
            return said.word, f"{self._function.name}: {said.sentence}"
        source = self._objects[0] if self._objects else None
        taken = [each for each in self._objects if (said := said_of_parameter(self._function, each.name)) is not None]
        if taken:
            return "takes", ""
        is_const = is_const_object(self._function.result) and not is_output
        own = set(words(self._function.name))
        if source is None:
            return "static" if is_const or own & BORROW else "new", ""
        if is_const or (own & BORROW and not own & CREATE_FOR_SURE):
            return "part", ""
        if own & (CREATE_FOR_SURE | COPY):
            return "new", ""
        if not is_output and source.found is found and not source.is_const and own & (MOVE_OF_ITSELF | {"init"}):
            return "same", ""
        return ("refers" if creates(self._function) else None), ""

    def _described_owner(self, word: str, found: ObjectClass) -> dict[str, str]:
        """Returns the keys that tell who owns an object that comes back."""
        objects = [each.name for each in self._objects]
        same = [each.name for each in self._objects if each.found is found]
        if word in ("new", "refers", "takes"):
            if found.release is None:
                self._doubts.append(
                    f"which function frees a {found.name}? Answer `ends`, or add `release` to the class"
                )
            if word == "takes":
                for name in objects[:1]:
                    self._mark(name, "takes", "always")
            kept = [*(objects if word == "refers" else ()), *self._kept_by_result]
            return {"keeps": flow_list(kept) if len(kept) > 1 else kept[0]} if kept else {}
        owners = {"part": objects, "same": same, "static": ["static"]}[word]
        if not owners:
            self._doubts.append(f"no parameter can own the result, a {found.name}")
            return {}
        if word == "same":
            self._mark(owners[0], "invalidates", "true")
        return {"borrow": owners[0]}

    def _struct_result(self, found: ObjectClass) -> list[tuple[str, str, str]]:
        """Describes a struct that comes back by value. It may refer to the memory of arguments."""
        self._needs.add(found.name)
        kept = [each.name for each in self._objects if each.found.retain is None]
        kept += self._kept_by_result
        if not kept or (found.layout is None and not found.has_pointers):
            return []
        value = f"{{of: {found.name}, keeps: {flow_list(kept) if len(kept) > 1 else kept[0]}}}"
        return [("returns", value, "the result may refer to its memory")]

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


def _is_file(given: DeclaredType) -> bool:
    return given.target is not None and given.target.spelling == "FILE"


def _flow(values: Mapping[str, str]) -> str:
    """Returns a mapping in braces. A value can be a list in brackets already."""
    listed = (f"{key}: {value if value.startswith('[') else scalar(value)}" for key, value in values.items())
    return f"{{{', '.join(listed)}}}"


def _added(kept: str, name: str) -> str:
    """Returns a list of names in brackets, or a single name, with one more name."""
    names = [*filter(None, re.split(r"[\[\], ]+", kept)), name]
    return flow_list(names) if len(names) > 1 else name


def _type_of_object(given: DeclaredType) -> str:
    """Returns the type of an object as the prototype names it behind a pointer."""
    return given.spelling.removesuffix("*").removeprefix("const ").strip()


def _is_length(name: str) -> bool:
    """Returns whether a name is one of a length: `n`, `num_points`, `buflen`."""
    own = words(name)
    joined = "".join(own)
    named = joined in COUNT | COUNT_OF_BYTES or (bool(own) and own[-1] in COUNT | COUNT_OF_BYTES)
    counts = bool(own) and own[0] in ("n", "num", "nb", "number")
    return named or counts or (bool(own) and own[-1].endswith(("len", "length", "size", "count")))


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
