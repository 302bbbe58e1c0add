"""The sections about calls from Python: functions, methods, constructors and properties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dlpack_bindgen.bind.functions.docs import call_facts, prototype_text
from dlpack_bindgen.bind.functions.returned import may_return
from dlpack_bindgen.bind.scope import Names
from dlpack_bindgen.explain.layout import INDENT, wrapped
from dlpack_bindgen.explain.signatures import Signature, Stub
from dlpack_bindgen.spec.spec import RELEASES_NOTHING, Item, Spec
from dlpack_bindgen.text.fragments import replace_result
from dlpack_bindgen.validate.functions.calls import Call

_DEEP = f"{INDENT}{INDENT}"


def functions(spec: Spec, stub: Stub, names: Names, chosen: Sequence[Call]) -> Iterator[str]:
    """Yields the lines about some functions of the module."""
    known = {each.key for each in chosen}
    for signature in stub.functions():
        found = [each for each in spec.functions if each.name == signature.name and each.key in known]
        if found:
            yield ""
            yield from signature.lines()
            yield from calls(found, names)


def calls(alternatives: Sequence[Call], names: Names) -> Iterator[str]:
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


def _owned(function: Call, names: Names) -> Iterator[str]:
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


def members(item: Item, stub: Stub, names: Names, only: str | None = None) -> Iterator[str]:
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


def _member(item: Item, signature: Signature, names: Names) -> Iterator[str]:
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
