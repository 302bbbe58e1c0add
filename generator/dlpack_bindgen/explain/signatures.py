"""The signatures of the stub, in at most 80 columns."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from dlpack_bindgen.explain.layout import INDENT, NO_BREAK, WIDTH, wrapped
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.names import ATTRIBUTES, SPECIAL

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
