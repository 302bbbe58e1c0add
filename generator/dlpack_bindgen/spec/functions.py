"""The rules for functions and for the members of classes, in the order of the spec."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dlpack_bindgen.calls import argument_kinds, result_kinds
from dlpack_bindgen.calls.alternatives import Alternative, check_alternatives
from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.argument_kinds import ARGUMENT
from dlpack_bindgen.calls.argument_reader import written_at
from dlpack_bindgen.calls.call import Call, read
from dlpack_bindgen.calls.features import FEATURES, FUNCTION
from dlpack_bindgen.calls.function_keys import ARGS, RETURNS, TYPE_OF_PROPERTY, C
from dlpack_bindgen.calls.lengths import is_number_out
from dlpack_bindgen.calls.result_kind import OF
from dlpack_bindgen.calls.result_kinds import RESULT
from dlpack_bindgen.calls.spec_names import Class, Mistake, Names, Role
from dlpack_bindgen.classes.double_free_rules import check_double_frees, check_mixed_memory
from dlpack_bindgen.classes.methods_and_properties import (
    METHODS,
    NEW,
    NEW_STRUCT,
    PROPERTIES,
    SET,
    check_attributes,
    check_members,
    check_new_struct,
    check_not_special,
    check_specials,
)
from dlpack_bindgen.language.values import Fields, Leaf, is_record, text_of
from dlpack_bindgen.spec.all_keys import FUNCTIONS, classes_of
from dlpack_bindgen.tensor.slots import READONLY
from dlpack_bindgen.text.c_checks import Problem
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, Span
from dlpack_bindgen.text.names import WORDS
from dlpack_bindgen.text.types import CType, family, is_typedef, parse

_ALWAYS = ("1", "true")
_NOT_OF_SETTERS = ("name", "positional_only", "keyword_only", "doc", "if")


def check_functions(spec: Fields, known: Names, report: Report) -> None:
    functions = table.records() if (table := spec[FUNCTIONS]) else ()
    made = [_Function(key.text, function, known, report).check() for key, function in functions]
    check_alternatives([Alternative(*each, call) for each, call in zip(functions, made, strict=True)], report)
    for name, function in functions:
        check_not_special(name, function, report)
    for name, fields in classes_of(spec):
        made += _members(known.classes[name.text], fields, known, report)
    check_mixed_memory([call for call in made if call is not None], known, report)


def _members(own_class: Class, fields: Fields, known: Names, report: Report) -> Iterator[Call | None]:
    """Yields the calls of a class that may return objects, and checks its properties."""
    methods = table.records() if (table := fields[METHODS]) else ()
    calls = [_Function(key.text, method, known, report, own_class=own_class).method(key) for key, method in methods]
    check_alternatives([Alternative(*each, call) for each, call in zip(methods, calls, strict=True)], report)
    yield from calls
    if is_record(new := fields[NEW], NEW_STRUCT):
        check_new_struct(new, own_class, report)
    elif new:
        yield _Function("new", new, known, report, made=own_class).constructor()
    for key, property_ in properties.records() if (properties := fields[PROPERTIES]) else ():
        if (type_ := property_[TYPE_OF_PROPERTY]) and known.whole:
            _kind_of_property(type_, known, report)
        check_attributes(property_, own_class, known, report)
        check_members(key.text, property_, own_class, known.classes.values(), report)
        if is_record(setter := property_[SET], FUNCTION):
            _Function(key.text, setter, known, report, own_class=own_class, property_=property_).setter()


def _kind_of_property(kind: Leaf, known: Names, report: Report) -> None:
    of_type = known.of_type(kind.text)
    if of_type and kind.text not in known.classes:
        message = f"'{kind.text}' is a C type, and the type of a property is a class"
        report(Diagnostic("result-type", kind.span, message, f"write '{of_type[0].name.text}'"))
        return
    try:
        known.find(kind, WORDS, "property")
    except Mistake as mistake:
        report(mistake.diagnostic)


class _Function:
    def __init__(
        self,
        key: str,
        function: Fields,
        known: Names,
        report: Report,
        own_class: Class | None = None,
        made: Class | None = None,
        property_: Fields | None = None,
    ) -> None:
        self._key = key
        self._function = function
        self._known = known
        self._report = report
        self._codes: set[str] = set()
        """The codes of all reported diagnostics."""
        self._own_class = own_class
        self._made = made
        self._property = property_

    def _emit(self, diagnostic: Diagnostic) -> None:
        self._codes.add(diagnostic.code)
        self._report(diagnostic)

    def check(self) -> Call | None:
        """Checks the function; returns its call, or None if too much is unknown."""
        if not self._is_resolved():
            return None  # further diagnostics would only be consequences
        call = read(self._key, self._function, self._known, self._own_class, self._made, self._emit, self._property)
        if call is None:
            self._kinds()
            return None
        for problem in (problem for each in FEATURES for problem in each.problems(call)):
            self._emit(problem)
        check_double_frees(call, self._emit)
        return call

    def method(self, key: Leaf) -> Call | None:
        call = self._whole()
        if call is None or self._own_class is None or self._own_class.type is None:
            return call
        check_specials(key, self._function, call, call.returned, self._emit)
        if call.self_index is not None:
            self._written(call.entries[call.self_index].span, call.arguments[call.self_index], self._own_class)
        elif self._own_class.name.text not in self._classes(call):
            message = (
                f"a method of '{self._own_class.name.text}' takes or returns its object, and this function does neither"
            )
            unknown = next((each for each in call.prototype.parameters if is_typedef(each.ctype)), None)
            hint = "a function of the module stands in the top-level 'functions'"
            if unknown and self._own_class.type:
                entry = f"args: {{{unknown.name}: {self._own_class.name.text}}}"
                hint = f"if '{unknown.ctype.base}' is a pointer to it, declare that: {entry}; {hint}"
            self._emit(Diagnostic("method-self", key.span, message, hint))
        return call

    def _written(self, span: Span, argument: Argument, own_class: Class) -> None:
        """Reports a method that may write to the read-only memory of its object."""
        if (
            argument.kind.unless_const is None
            and argument.kind.writes
            and text_of(own_class.fields[READONLY]) in _ALWAYS
        ):
            message = f"a '{own_class.name.text}' is read-only, and this may write to it: each call would be refused"
            hint = f"if it does not write to the data: args: {{{argument.name}: {{writes: false}}}}"
            self._emit(Diagnostic("method-self", span, message, hint))

    def _holds_made(self, pointer: CType) -> bool:
        return self._made is not None and self._made.is_object(CType(pointer.base, pointer.pointers[:-1]))

    def constructor(self) -> Call | None:
        self._without(("name",), "'new' is called as its class is")
        call = self._whole()
        if call is None or call.read_result is None or self._made is None:
            return call
        span = self._function.place(RETURNS, written_at(self._function))
        name = self._made.name.text
        if self._classes(call) != [name] or len(call.returned) != 1:
            all_returned = call.returned
            made = next((each for each in all_returned if self._classes_of(call, each) == [name]), None)
            hint = f"declare the result: returns: [{made}]" if made else None
            if made and all_returned[0] == "result" and call.read_result.kind.is_integer and len(all_returned) == 2:
                hint = (
                    f"if the result is a status, declare when it succeeds, such as 'ok: == 0'; else returns: [{made}]"
                )
            others = [each for each in call.arguments if is_number_out(each) and each.name in all_returned]
            if made and is_record(self._function[RETURNS], RESULT) and others:
                unused = f"value: '&({others[0].ctype.base}){{0}}'"
                hint = f"a result that Python does not need is a C variable: args: {{{others[0].name}: {{{unused}}}}}"
            first = call.arguments[0] if call.arguments else None
            filled = [each for each in call.arguments if each.kind.returned and self._holds_made(each.ctype)]
            if hint is None and filled:
                hint = f"if it is filled by this: args: {{{filled[0].name}: {{of: {name}, out: true}}}}"
            if hint is None and first and first.kind.object_class == name:
                hint = f"if it is filled by this: args: {{{first.name}: {{out: true}}}}"
            self._emit(Diagnostic("constructor-result", span, f"'new' returns one '{name}', and nothing else", hint))
        elif call.read_result.optional:
            self._emit(Diagnostic("constructor-result", span, f"'{name}(...)' cannot be None"))
        elif (given := call.find(call.returned[0])) and given.kind.object_class is not None:
            message = f"'{name}(...)' would take a '{name}' and return it"
            hint = f"args: {{{given.name}: {{out: true}}}} lets C fill a new object"
            self._emit(Diagnostic("constructor-result", span, message, hint))
        return call

    def setter(self) -> None:
        self._without(_NOT_OF_SETTERS, "the property declares it")
        if text_of(self._function[RETURNS]) != "None":
            self._without(("returns",), "nothing is returned; 'None' if C returns an object")
        call = self._whole()
        if call is not None and (call.self_index is None or len(call.from_python()) != 1):
            message = "the setter of a property takes the object and one value"
            self._emit(Diagnostic("setter-value", written_at(self._function), message))

    def _whole(self) -> Call | None:
        """Returns the checked call, or None if it has mistakes."""
        call = self.check()
        is_clear = "argument-count" not in self._codes  # a list may be an undeclared output
        return call if call is not None and call.is_whole and call.read_result is not None and is_clear else None

    def _is_resolved(self) -> bool:
        """Returns whether all types and classes of the function are known, despite mistakes elsewhere."""
        prototype, known = parse(text_of(self._function[C]) or ""), self._known
        if isinstance(prototype, Problem):
            return known.whole
        types = {prototype.result.base, *(each.ctype.base for each in prototype.parameters)}
        if types & known.unread:
            return False
        if known.whole:
            return True
        sound = {"void", "DLTensor", *known.numbers, *known.records, *(each.type for each in known.classes.values())}
        return all(family(base) or base in sound for base in types) and all(
            known.has(leaf, words) for leaf, words, _ in self._named()
        )

    # ---- Rules ----

    def _without(self, keys: Iterable[str], why: str) -> None:
        for key in keys:
            if key in self._function.given:
                self._emit(Diagnostic("without-effect", self._function.given[key], f"'{key}' has no place here: {why}"))

    def _kinds(self) -> None:
        """Reports unknown types in `args` and `returns`, if the prototype is invalid."""
        for leaf, words, role in self._named():
            try:
                self._known.find(leaf, words, role)
            except Mistake as mistake:
                self._emit(mistake.diagnostic)

    def _named(self) -> Iterator[tuple[Leaf, tuple[str, ...], Role]]:
        """Yields each type in `args` and `returns`, with the known words."""
        args, returns = self._function[ARGS], self._function[RETURNS]
        for value in [value for _, value in args.entries] if args else ():
            if isinstance(leaf := value[OF] if is_record(value, ARGUMENT) else value, Leaf):
                yield leaf, argument_kinds.ARGUMENT_WORDS, "argument"
        if isinstance(leaf := returns[OF] if is_record(returns, RESULT) else returns, Leaf):
            yield leaf, (*result_kinds.RESULT_WORDS, "None"), "result"

    def _classes(self, call: Call) -> list[str]:
        """Returns the classes of the returned objects."""
        return [of for name in call.returned for of in self._classes_of(call, name)]

    @staticmethod
    def _classes_of(call: Call, name: str) -> list[str]:
        if name == "result" and call.read_result:
            return [call.read_result.of] if call.read_result.kind.is_object and call.read_result.of else []
        argument = call.find(name)
        value = argument.kind.returned if argument else None
        of = value.of if value else argument.kind.object_class if argument else None
        return [of] if of else []
