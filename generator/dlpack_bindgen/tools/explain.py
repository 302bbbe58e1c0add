"""The command `explain`: prints what the classes and functions of a spec become."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.function_docs import call_facts, prototype_text
from dlpack_bindgen.calls.lifetimes import may_return
from dlpack_bindgen.classes.class_docs import class_doc, empty_summary, from_paragraphs, owning
from dlpack_bindgen.emit.module import Module, module_doc
from dlpack_bindgen.emit.render import stub, unmarked
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.accepts import axes, ranks, required_of
from dlpack_bindgen.tensor.c_names import CNames
from dlpack_bindgen.tensor.imports import PARTS
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Allocate, Import, Item, Tensor, step_in_words
from dlpack_bindgen.tensor.lifetime_hooks import HOOKS
from dlpack_bindgen.tensor.match_inverse import one_way
from dlpack_bindgen.tensor.shape import WORDS as ORDERS
from dlpack_bindgen.tensor.shape import counted
from dlpack_bindgen.tensor.slots import Match
from dlpack_bindgen.text.fragments import replace_result
from dlpack_bindgen.text.literals import joined
from dlpack_bindgen.text.names import ATTRIBUTES, METHODS, SPECIAL
from dlpack_bindgen.text.yaml import Loaded
from dlpack_bindgen.tools.explain_draft import undecided
from dlpack_bindgen.tools.explain_drawing import (
    INDENT,
    NO_BREAK,
    WIDTH,
    array,
    listed,
    memory,
    paragraphs,
    table,
    title,
    wrapped,
)
from dlpack_bindgen.tools.terminal import OK, STALE_OR_INVALID, Failure, Report, print_bytes

# ---- The signatures of the stub, in at most 80 columns ----

_NEW = "__new__"
_MEANINGS = {
    "_Array": "an array of any library: an object with __dlpack__, a buffer, a capsule",
    "_Given": "the array that was passed: it is returned itself",
    "_Path": "a path: str, bytes or os.PathLike",
    "_Shape": "an extent, or a sequence of extents",
}


class Signature(Frozen):
    """A definition of the stub: one name, and one `def` for each overload."""

    name: str
    overloads: tuple[ast.FunctionDef, ...]

    @property
    def is_property(self) -> bool:
        return "property" in _decorators(self.overloads[0])

    @property
    def is_common(self) -> bool:
        """Returns whether all classes, or all classes with arrays, have the attribute."""
        is_protocol = self.name.startswith("__") and self.name not in SPECIAL and self.name != _NEW
        return is_protocol or self.name in ATTRIBUTES

    @property
    def is_call(self) -> bool:
        """Returns whether it is the call of the class."""
        return self.name == _NEW

    @property
    def is_refused(self) -> bool:
        """Returns whether the class cannot be called."""
        return any(each.arg == "not_by_a_call" for each in self.overloads[0].args.posonlyargs)

    def lines(self, of: str = "", indent: str = INDENT) -> Iterator[str]:
        """Yields the definitions. `of` is the class."""
        if self.is_property:
            yield from _property(self.overloads, indent)
            return
        for each in self.overloads:
            prefix = "classmethod " if "classmethod" in _decorators(each) else ""
            name, skipped = (of, 1) if self.name == _NEW else (self.name, 0)
            returned = f" -> {ast.unparse(each.returns)}" if each.returns is not None and self.name != _NEW else ""
            yield from _filled(f"{prefix}{name}(", _parameters(each.args)[skipped:], f"){returned}", indent)


class Stub:
    """The definitions of a stub."""

    def __init__(self, text: str) -> None:
        tree = ast.parse(text)
        self._text = text
        self._module = tree.body
        self._classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}

    def of_class(self, name: str) -> list[Signature]:
        return _signatures(self._classes[name].body) if name in self._classes else []

    def functions(self) -> list[Signature]:
        return _signatures(self._module)

    def meanings(self, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yields the names of the stub in some lines, with their meanings."""
        text = "\n".join(lines)
        yield from ((name, meaning) for name, meaning in _MEANINGS.items() if name in text)


def _signatures(body: Sequence[ast.stmt]) -> list[Signature]:
    named: dict[str, list[ast.FunctionDef]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            named.setdefault(node.name, []).append(node)
    return [Signature(name, tuple(overloads)) for name, overloads in named.items()]


def _decorators(node: ast.FunctionDef) -> list[str]:
    return [ast.unparse(each) for each in node.decorator_list]


def _property(definitions: Sequence[ast.FunctionDef], indent: str) -> Iterator[str]:
    getter, *setters = definitions
    returned = f": {ast.unparse(getter.returns)}" if getter.returns is not None else ""
    value = [each.args.posonlyargs or each.args.args for each in setters]
    assigned = next((f" (can be set to {ast.unparse(each[1].annotation)})" for each in value if each[1].annotation), "")
    yield from wrapped(f"{getter.name}{returned}{assigned}", indent, f"{indent}{INDENT}{INDENT}")


def _parameters(arguments: ast.arguments) -> list[str]:
    """Returns the parameters as in the source, each as one string."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    found = [_parameter(each, default) for each, default in zip(positional, defaults, strict=True)]
    if arguments.posonlyargs:
        found.insert(len(arguments.posonlyargs), "/")
    if arguments.vararg is not None:
        found.append(f"*{_parameter(arguments.vararg, None)}")
    elif arguments.kwonlyargs:
        found.append("*")
    found += [_parameter(*each) for each in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return [*found, *([f"**{_parameter(arguments.kwarg, None)}"] if arguments.kwarg is not None else [])]


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    annotation = f": {ast.unparse(argument.annotation)}" if argument.annotation is not None else ""
    sign = " = " if annotation else "="
    return f"{argument.arg}{annotation}{f'{sign}{ast.unparse(default)}' if default is not None else ''}"


def _filled(before: str, parameters: Sequence[str], after: str, indent: str) -> list[str]:
    """Returns a signature. It is broken between parameters if it is too long for a line."""
    later = f"{indent}{INDENT}{INDENT}"
    parts = [f"{parameter}," for parameter in parameters[:-1]] + [
        f"{parameter}{after}" for parameter in parameters[-1:]
    ]
    whole = [part.replace(" ", NO_BREAK) if len(later) + len(part) <= WIDTH else part for part in parts]
    lines = wrapped(f"{before}{' '.join(whole)}{'' if parts else after}", indent, later)
    return [line.replace(NO_BREAK, " ") for line in lines]


# ---- The sections about calls from Python: functions, methods, constructors and properties ----

_DEEP = f"{INDENT}{INDENT}"


def functions(spec: Spec, stub: Stub, names: CNames, chosen: Sequence[Call]) -> Iterator[str]:
    """Yields the lines about some functions of the module."""
    known = {each.key for each in chosen}
    for signature in stub.functions():
        found = [each for each in spec.functions if each.name == signature.name and each.key in known]
        if found:
            yield ""
            yield from signature.lines()
            yield from calls(found, names)


def calls(alternatives: Sequence[Call], names: CNames) -> Iterator[str]:
    """Yields what each of the C functions with one name in Python does."""
    for function in alternatives:
        if function.doc:
            yield from wrapped(function.doc.strip().split("\n\n")[0], _DEEP)
        condition = f" (#if {function.condition})" if function.condition is not None else ""
        yield from wrapped(f"C: {prototype_text(function.prototype)}{condition}", _DEEP, f"{_DEEP}   ")
        for sentence in (
            *_before(function),
            *call_facts(function, names.items),
            *_owned(function, names),
            *_after(function),
        ):
            yield from wrapped(sentence, _DEEP)


def _before(function: Call) -> Iterator[str]:
    """Yields sentences about the call, and about what happens before it."""
    if function.ok is not None:
        yield f"C succeeds if {replace_result(function.ok, function.status)}."
    for each in function.require:
        yield f"ValueError unless {each.in_words}."
    for feature in function.features:
        yield from feature.in_words()


def _owned(function: Call, names: CNames) -> Iterator[str]:
    """Yields sentences about returned objects that Python must release. `call_facts` has those about borrowed ones."""
    for name, _, value in function.values:
        item = names.items.get(value.of or "")
        if name not in function.returned or value.borrow is not None or item is None:
            continue
        if item.release not in (None, RELEASES_NOTHING):
            subject = "the result" if name == "result" else f"`{name}`"
            arguments = may_return(function, name, value, names.items)
            exception = ", unless it is an argument" if arguments else ""
            yield f"Python owns {subject}, and releases it after the last use{exception}."


def _after(function: Call) -> Iterator[str]:
    """Yields sentences about C code that runs after the call."""
    if function.undo is not None:
        yield f"After a failure, C runs {function.undo}."
    if function.finally_ is not None:
        yield f"At the end, C runs {function.finally_}."


def concerned(functions: Iterable[Call], item: Item) -> list[Call]:
    """Returns the functions that take or return objects of a class."""

    def is_concerned(function: Call) -> bool:
        taken = [each.kind.class_name for each in function.arguments]
        returned = [value.of for _, _, value in function.values]
        return item.name in (*taken, *returned)

    return [each for each in functions if is_concerned(each)]


NEW = "new"
"""The key of the spec that stands for the call of a class."""


def members(item: Item, stub: Stub, names: CNames, only: str | None = None) -> Iterator[str]:
    """Yields the lines about the Python class: its call, methods and properties; or about `only` one of them."""
    signatures = stub.of_class(item.name)
    if only is not None:
        signatures = [each for each in signatures if only == (NEW if each.is_call else each.name)]
    own = [each for each in signatures if not each.is_common]
    for signature in sorted(own, key=lambda each: (each.is_property, not each.is_call)):
        if signature.is_refused:
            yield from wrapped(f"{item.name}() raises a TypeError.", INDENT)
            continue
        yield from signature.lines(item.name)
        yield from _member(item, signature, names)
    common = [f"{each.name}{'' if each.is_property else '()'}" for each in signatures if each.is_common]
    if common:
        yield from wrapped(f"Common attributes: {', '.join(common)}", INDENT)


def _member(item: Item, signature: Signature, names: CNames) -> Iterator[str]:
    """Yields what the C code behind a method or a property does."""
    methods = [each for each in item.methods if each.name == signature.name]
    if item.new is not None and signature.name == "__new__":
        methods = [item.new]
    yield from calls(methods, names)
    for each in item.properties if not methods else ():
        if each.name == signature.name:
            if each.doc:
                yield from wrapped(each.doc, _DEEP)
            yield from wrapped(f"C: {each.get}{' (assignment stores the value there)' if each.stored else ''}", _DEEP)
            if each.set is not None:
                yield from calls([each.set], names)


# ---- The sections about objects that Python makes: of arrays (`import`), and with new memory (`allocate`) ----


def imports(item: Item) -> Iterator[str]:
    """Yields the lines about `from_dlpack`."""
    made = item.import_
    if made is None:
        yield from wrapped("There is no import: Python makes no object from an array.", INDENT)
        return
    for text in from_paragraphs(item):
        yield from wrapped(text, INDENT)
    if isinstance(item, Tensor):
        found = required_of(item, made)
        if found.extents:
            extents = ["any" if extent == "-1" else extent for extent in found.extents]
            yield from wrapped(f"The extents must be [{', '.join(extents)}].", INDENT)
        if found.order in ORDERS and found.layout:
            yield from wrapped(f"The axes must be {ORDERS[found.order]}.", INDENT)
    yield from wrapped("Other arrays are refused with a BufferError.", INDENT)
    if isinstance(item, Tensor):
        yield from _arms(item)
    yield from _made(made)


def allocation(tensor: Tensor) -> Iterator[str]:
    """Yields the lines about `empty`."""
    made = tensor.allocate
    if made is None:
        return
    yield from wrapped(empty_summary(tensor), INDENT)
    dtypes = f"Makes {joined(made.require.dtypes)} arrays" if made.require.dtypes else "Makes arrays"
    low, high = ranks(tensor, made.require)
    yield from wrapped(f"{dtypes}{axes(low, high) or ' of any rank'}.", INDENT)
    yield from _made(made)


def _made(made: Import | Allocate) -> Iterator[str]:
    """Yields what C does, in order."""
    for heading, lines in (
        ("Keywords, with their defaults:", [each.in_words for each in made.params]),
        ("Refused unless these conditions hold:", [each.in_words for each in made.require.checks]),
        ("First, C runs:", [*map(step_in_words, made.let)]),
    ):
        if lines:
            yield from wrapped(heading, INDENT)
            yield from listed(lines)
    for part in PARTS:
        for text in part.in_words(made):
            sentence, *items = text.split("\n")
            yield from wrapped(sentence, INDENT)
            yield from listed(items)


def _arms(tensor: Tensor) -> Iterator[str]:
    """Yields the arms of matches that an import prefers, and those that it never chooses."""
    chosen, irreversible = one_way(tensor)
    for match in tensor.matches:
        of = " / ".join(match.of)
        preferred = [arm.in_words for arm in match.arms if arm.imports]
        never = {arm.in_words: None for arm in match.arms if arm.imports is False}
        if match is chosen:
            never |= {_label(match, place): None for place in sorted(irreversible)}
        for key in never:
            preferred = [each for each in preferred if each != key]
        if preferred:
            yield from wrapped(f"If an array fits several choices of {of}, this one is chosen:", INDENT)
            yield from listed(preferred)
        if never:
            yield from wrapped(f"No array becomes an object with these values of {of}:", INDENT)
            yield from listed(never)


def _label(match: Match, place: int) -> str:
    return "any other value" if place < 0 else match.arms[place].in_words


# ---- The section about the life of objects: who owns them, and which C code runs when ----


def ownership(item: Item, c_name: str) -> Iterator[str]:
    """Yields the lines about owners and hooks. `c_name`: the first part of the names of the C functions."""
    if item.release == RELEASES_NOTHING:
        yield from wrapped("The C object needs no cleanup: no code runs after its last use.", INDENT)
    else:
        made = owning(item, "a Python object")
        yield from wrapped(f"In C, {c_name}_wrap(self) {made[0].lower()}{made[1:]}", INDENT)
    if item.release not in (None, RELEASES_NOTHING):
        yield from wrapped("Python owns the object that a function returns, unless the function borrows it.", INDENT)
    yield from _closing(item)
    hooks = [hook for hook in HOOKS if hook.is_of_handles or isinstance(item, Tensor)]
    given = [(hook, code) for hook in hooks if (code := hook.code(item))]
    for hook, code in given:
        yield ""
        yield from wrapped(f"{hook.key.name}: {hook.moment}", INDENT)
        yield from listed(code, f"{INDENT}{INDENT}")
        for remark in hook.remarks(item):
            yield from wrapped(remark, f"{INDENT}{INDENT}")
    if item.parts:
        yield ""
        yield from wrapped("Parts, which are views that keep the object alive:", INDENT)
        rows = [(part.name, f"a tuple of {part.of}", f"as many as {part.count}") for part in item.parts]
        yield from table(rows, f"{INDENT}{INDENT}")


def _closing(item: Item) -> Iterator[str]:
    """Yields the lines about `close()` while arrays or objects use the memory of the object."""
    yield from wrapped("Arrays and objects that use its memory keep the object alive.", INDENT)
    if item.close is not None:
        yield from wrapped("close() is refused meanwhile with a BufferError, if Python owns the object.", INDENT)
    else:
        yield from wrapped("They stay valid after close() and after a with block.", INDENT)


# ---- The text of `explain`: an overview of a module, its classes and its functions ----

_OF_RUNTIME = (
    "The arrays have any dtype and any number of axes. The module frees the memory of an array after its last use. "
    "Memory that the library or an argument owns is shown without a copy, and its owner is kept alive."
)
"""The sentences about the class of arrays that functions return."""


def known_names(spec: Spec) -> list[str]:
    """Returns the names that `explained` accepts: those of classes and functions."""
    return [*(item.name for item in spec.items), *dict.fromkeys(each.name for each in spec.functions)]


def known_members(spec: Spec, class_name: str) -> list[str]:
    """Returns the names after `Class.` that `explained` accepts: those of methods and properties, and `new`,
    `from_dlpack` and `empty`, if the spec declares these."""
    item = next((item for item in spec.items if item.name == class_name), None)
    if item is None or item.external is not None:
        return []
    found = [NEW] if item.new is not None else []
    found += [*(each.name for each in item.methods), *(each.name for each in item.properties)]
    found += ["from_dlpack"] if item.import_ is not None else []
    found += ["empty"] if isinstance(item, Tensor) and item.allocate is not None else []
    return list(dict.fromkeys(found))


def common_members(spec: Spec, class_name: str) -> frozenset[str]:
    """Returns the names of the attributes that do not depend on the spec: those of all classes, or of all tensors."""
    is_tensor = any(each.name == class_name for each in spec.tensors)
    return ATTRIBUTES if is_tensor else METHODS


def explained(loaded: Loaded, spec: Spec, name: str | None = None) -> str:
    """Returns the text about a module, or about one of its classes, functions or members: `Image`, `blur`,
    `Image.save`."""
    explanation = _Explanation(spec)
    lines = [*(explanation.module() if name is None else explanation.named(name))]
    lines += undecided(loaded, spec, name)
    lines = lines[1:] if not lines[0] else lines
    meanings = [*explanation.stub.meanings(lines)]
    if meanings:
        lines += ["", *wrapped("In the signatures:"), *table(meanings)]
    return "".join(f"{line}\n" for line in lines)


class _Explanation:
    def __init__(self, spec: Spec) -> None:
        self.stub = Stub(stub(Module(spec)))
        self._spec: Spec = _without_marks(spec)
        self._names = Module(self._spec).names

    def module(self) -> Iterator[str]:
        spec = self._spec
        yield from title(f"Module {spec.module}")
        yield from paragraphs(module_doc(spec))
        yield ""
        yield from table([*_contents(spec)])
        if spec.items:
            yield ""
            yield from table([(item.name, _first_sentence(class_doc(item))) for item in spec.items])
        yield ""
        yield from wrapped(f"`dlpack-bindgen explain {spec.file} NAME` prints one class or function.")
        for item in spec.items:
            yield from self._class(item)
        if spec.constants or spec.enums:
            yield from _heading("Constants")
            yield from self._constants()
        if spec.functions:
            yield from _heading("Functions")
            yield from functions(spec, self.stub, self._names, spec.functions)

    def named(self, name: str) -> Iterator[str]:
        """Yields the lines about a class, and about the functions with its objects; or about a function or a member."""
        spec = self._spec
        class_name, _, member = name.partition(".")
        if member:
            yield from self._member(next(item for item in spec.items if item.name == class_name), member)
            return
        item = next((item for item in spec.items if item.name == name), None)
        chosen: Sequence[Call] = [each for each in spec.functions if each.name == name]
        if item is not None:
            yield from self._class(item)
            chosen = concerned(spec.functions, item)
            if chosen:
                yield from _heading(f"Functions with {name} objects")
        yield from functions(spec, self.stub, self._names, chosen)

    def _class(self, item: Item) -> Iterator[str]:
        yield ""
        passed = item.type if item.by_value else f"{item.type} *"
        yield from title(f"Class {item.name}: {passed}")
        if item.external is not None:
            yield from wrapped(f"This class belongs to the module {item.external.module}, as {item.external.name}.")
            return
        yield from paragraphs(class_doc(item))
        if item.condition is not None:
            yield from wrapped(f"It exists only with #if {item.condition}.")
        for name, lines in self._sections(item):
            yield ""
            yield from title(name, "-")
            yield from lines

    def _sections(self, item: Item) -> Iterator[tuple[str, Iterator[str]]]:
        if item.name == self._spec.arrays:
            yield "Memory", iter(wrapped(_OF_RUNTIME, INDENT))
        else:
            if isinstance(item, Tensor):
                yield "Array", array(item)
                yield "Memory", memory(item)
            yield "Ownership", ownership(item, self._names.c_name(item.name))
            if isinstance(item, Tensor) or item.import_ is not None:
                yield "Import: from_dlpack(x)", imports(item)
            if isinstance(item, Tensor) and item.allocate is not None:
                yield "Allocation: empty(shape)", allocation(item)
        yield "Python", members(item, self.stub, self._names)

    def _member(self, item: Item, name: str) -> Iterator[str]:
        """Yields the lines about a method, a property or the constructor of a class. The text about a class has the
        lines about `from_dlpack` and `empty` in sections of their own."""
        yield from members(item, self.stub, self._names, name)
        if name == "from_dlpack":
            yield from imports(item)
        if name == "empty" and isinstance(item, Tensor):
            yield from allocation(item)

    def _constants(self) -> Iterator[str]:
        spec = self._spec
        yield from table([(f"{each.name}: {each.kind.words[0]}", each.value) for each in spec.constants])
        for enumeration in spec.enums:
            yield ""
            yield from wrapped(f"{enumeration.name}: enum.{'IntFlag' if enumeration.flags else 'IntEnum'}", INDENT)
            yield from table(enumeration.members, f"{INDENT}{INDENT}")


def _first_sentence(text: str) -> str:
    line = text.split("\n")[0]
    return re.split(r"(?<=\w\.) ", line)[0]


def _contents(spec: Spec) -> Iterator[tuple[str, str]]:
    yield "spec", spec.file
    for kind, names in (
        ("functions", [*dict.fromkeys(each.name for each in spec.functions)]),
        ("constants", [*(each.name for each in spec.constants), *(each.name for each in spec.enums)]),
    ):
        if names:
            yield counted(str(len(names)), kind), ", ".join(names)


def _heading(text: str) -> list[str]:
    return ["", *title(text)]


def _without_marks(value: Any) -> Any:
    """Returns a value of a spec without the marks of names that variables of the emitted C have, too."""
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, tuple):
        return tuple(map(_without_marks, value))
    if not isinstance(value, Frozen):
        return value
    record: Any = value
    return replace(record, **{each.name: _without_marks(getattr(record, each.name)) for each in fields(record)})


_FEW = 12
"""The largest number of names in a message."""


def explain(arguments: argparse.Namespace, report: Report) -> int:
    from dlpack_bindgen.resources import ResourceError
    from dlpack_bindgen.tools.generate import loaded_and_validated

    found = loaded_and_validated(arguments.specs[0], report)
    if found is None:
        return STALE_OR_INVALID
    loaded, spec = found
    if arguments.name is not None:
        _check_name(arguments.name, arguments.specs[0], spec)
    try:
        print_bytes(explained(loaded, spec, arguments.name).encode())
    except ResourceError as error:
        raise Failure(str(error)) from error
    return OK


def _check_name(name: str, file: str, spec: Spec) -> None:
    """Raises a Failure if the spec has no class, function or member of a class with this name."""
    known = known_names(spec)  # of classes and functions
    class_name, dot, member = name.partition(".")
    if name in known:
        return
    if not dot and name.isidentifier():
        raise Failure(f"{file} has no class or function '{name}'; {_remedy(name, known, file)}")
    if not (class_name.isidentifier() and member.isidentifier()) or member in ("yaml", "yml"):
        raise Failure(
            f"'{name}' is not a name of Python: 'explain' reads one spec, and explains one class, function or method"
        )
    classes = [item.name for item in spec.items]
    if class_name not in classes:
        raise Failure(f"{file} has no class '{class_name}'; {_remedy(class_name, classes, file)}")
    members = known_members(spec, class_name)
    if member in members:
        return
    if member in common_members(spec, class_name):
        raise Failure(f"'{name}' does not depend on the spec: docs/using.md describes it")
    if member in known:
        raise Failure(f"{class_name} has no method or property '{member}': it is a function, '{member}'")
    raise Failure(f"{class_name} has no method or property '{member}'; {_remedy(member, members, file, class_name)}")


def _remedy(name: str, known: Sequence[str], file: str, class_name: str = "") -> str:
    """Returns the known name that is meant, or all known names. `class_name`: they are members of this class."""
    from dlpack_bindgen.text.diagnostics import closest

    start = f"{class_name}." if class_name else ""
    meant = closest(name, known)
    if meant is not None:
        return f"did you mean '{start}{meant}'?"
    if len(known) > _FEW:
        return f"'dlpack-bindgen explain {file}{f' {class_name}' if class_name else ''}' lists all"
    return f"it has {', '.join(known) or 'none'}"
