"""Application of the top-level `failures`: the keys of a rule become keys of each function that it fits.

The added keys have their places in the rule, so messages about them point to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.failures import ADDED, FAILURE, REPLACED
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, shown
from dlpack_bindgen.text.types import CType, Prototype, parse
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence
from dlpack_bindgen.validate import structure

Entry = tuple[Scalar, Node]


class _Rule(Frozen):
    place: Scalar
    """The value of `parameter` or `result`."""
    parameter: str | None
    """The name of the parameter; None: the rule is about results."""
    ctype: CType
    keys: dict[str, Entry]

    def fits(self, function: Mapping, prototype: Prototype) -> bool:
        if self.parameter is None:
            return prototype.result == self.ctype
        args = _find(function, "args")
        is_described = isinstance(args, Mapping) and _find(args, self.parameter) is not None
        found = any(each.name == self.parameter and each.ctype == self.ctype for each in prototype.parameters)
        return found and not is_described and (args is None or isinstance(args, Mapping))


def applied(root: Mapping, report: Report) -> Mapping:
    """Returns the spec with the keys of the rules in its functions. Reports rules that fit no function."""
    rules = list(_rules(root))
    if not rules:
        return root
    applier = _Applier(rules)
    root = replace(root, entries=tuple((key, applier.of_root(key.text, value)) for key, value in root.entries))
    for rule in rules:
        if id(rule) not in applier.used:
            what = f"returns '{shown(rule.place.text)}'"
            if rule.parameter is not None:
                what = f"has the parameter '{shown(rule.place.text)}' without an entry in its 'args'"
            message = f"no function of this spec {what}"
            report(Diagnostic("without-effect", rule.place.span, message, "write it as the prototypes do"))
    return root


def _rules(root: Mapping) -> Iterator[_Rule]:
    """Yields the rules without mistakes. The loader or the check of the structure reports all others."""
    listed = _find(root, "failures")
    for node in listed.items if isinstance(listed, Sequence) else (listed,):
        if not isinstance(node, Mapping) or not structure.fits(root, node, FAILURE):
            continue
        keys = {key.text: (key, value) for key, value in node.entries}
        _, place = keys.get("parameter") or keys["result"]
        if not isinstance(place, Scalar):
            continue  # the loader has refused the value
        prototype = parse(f"void f({place.text})" if "parameter" in keys else f"{place.text} f(void)")
        if not isinstance(prototype, Prototype):
            continue
        if "parameter" in keys and prototype.parameters:
            parameter = prototype.parameters[0]
            yield _Rule(place, parameter.name, parameter.ctype, keys)
        elif "result" in keys:
            yield _Rule(place, None, prototype.result, keys)


class _Applier:
    def __init__(self, rules: list[_Rule]) -> None:
        self._rules = rules
        self.used: set[int] = set()

    def of_root(self, key: str, value: Node) -> Node:
        if key == "functions":
            return _each(value, self._function)
        return _each(value, self._class) if key in ("tensors", "handles") else value

    def _class(self, value: Node) -> Node:
        changed: dict[str, Callable[[Node], Node]] = {
            "methods": lambda methods: _each(methods, self._function),
            "properties": lambda properties: _each(properties, self._property),
            "new": self._function,
        }
        return _changed(value, changed)

    def _property(self, value: Node) -> Node:
        return _changed(value, {"set": self._function})

    def _function(self, value: Node) -> Node:
        written = _find(value, "c") if isinstance(value, Mapping) else None
        prototype = parse(written.text) if isinstance(written, Scalar) else None
        if not isinstance(value, Mapping) or not isinstance(prototype, Prototype):
            return value
        rule = next((each for each in self._rules if each.fits(value, prototype)), None)
        if rule is None:
            return value
        self.used.add(id(rule))
        return _with_keys(value, rule)


def _with_keys(function: Mapping, rule: _Rule) -> Mapping:
    """Returns the function with the keys of the rule that it does not replace."""
    own = {key.text: value for key, value in function.entries}
    ok = own.get("ok")
    is_cancelled = isinstance(ok, Scalar) and ok.text == "none"
    taken = {*own, *(["errno"] if "raises" in own else [])}
    new = {key: entry for key, entry in rule.keys.items() if key in REPLACED and key not in taken and not is_cancelled}
    for key in ADDED:
        if key in rule.keys and not (key == "undo" and is_cancelled):
            name, value = rule.keys[key]
            before = own.get(key)
            if isinstance(before, Scalar) and isinstance(value, Scalar):
                value = replace(before, text=f"{before.text.rstrip('; ')}; {value.text}")
            new[key] = (name, value)
    if rule.parameter is not None:
        out = (Scalar("out", rule.place.span, plain=True), Scalar("true", rule.place.span, plain=True))
        described = (Scalar(rule.parameter, rule.place.span, plain=True), Mapping((out,), rule.place.span))
        args = own.get("args")
        entries = args.entries if isinstance(args, Mapping) else ()
        span = args.span if isinstance(args, Mapping) else rule.place.span
        new["args"] = (Scalar("args", span, plain=True), Mapping((*entries, described), span))
    kept = [entry for entry in function.entries if entry[0].text not in new]
    return replace(function, entries=(*kept, *new.values()))


def _each(table: Node, change: Callable[[Node], Node]) -> Node:
    """Returns the table with each of its values changed."""
    if not isinstance(table, Mapping):
        return table
    return replace(table, entries=tuple((key, change(value)) for key, value in table.entries))


def _changed(record: Node, changes: dict[str, Callable[[Node], Node]]) -> Node:
    """Returns the record with the values of some keys changed."""
    if not isinstance(record, Mapping):
        return record
    entries = [(key, changes[key.text](value) if key.text in changes else value) for key, value in record.entries]
    return replace(record, entries=tuple(entries))


def _find(record: Mapping, name: str) -> Node | None:
    return next((value for key, value in record.entries if key.text == name), None)
