"""Which packages of the generator know which: text flows one way."""

import ast
from collections.abc import Iterator
from pathlib import Path

import dlpack_bindgen

PACKAGE = Path(dlpack_bindgen.__file__).parent
SHARED = {"advisor", "diagnostics", "dlpack", "frozen", "header", "resources", "spelling"}
"""They know nothing but each other."""

ABOVE = {
    "c": set(),
    "slots": {"c", "language"},
    "arguments": {"c", "slots", "language", "results", "validate"},  # `validate` for the types of calls
    "results": {"c", "slots", "language"},
    "spec": {"c", "slots", "arguments", "results", "calls", "validate"},
    "steps": {"c", "slots", "arguments", "spec", "language"},
    "hooks": {"c", "slots", "arguments", "spec", "steps", "language"},
    "imports": {"c", "slots", "arguments", "spec", "steps", "language"},
    "calls": {"arguments", "bind", "c", "language", "spec", "slots", "validate"},
    "load": {"c"},
    "language": {"c", "load", "validate"},  # for the examples in the reference
    "validate": {
        *("c", "calls", "slots", "arguments", "results", "spec", "steps", "hooks", "imports", "load", "language"),
    },
    "advice": {"c", "hooks", "load", "language", "validate"},
    "bind": {"c", "calls", "slots", "arguments", "results", "spec", "steps", "hooks", "imports", "validate"},
    "render": {"c", "spec", "bind"},
    "explain": {"c", "slots", "arguments", "results", "spec", "hooks", "imports", "bind", "render", "validate"},
    "write": {"render"},
    "vendor": {"render"},
    "init": {"c", "load", "validate", "spec", "render"},
    "command": {"advice", "c", "load", "validate", "spec", "render", "explain", "write", "vendor", "init"},
    "cli": {"command", "language", "write"},
    "__main__": {"cli"},
    "__init__": set(),
}

ASSEMBLED = {
    "language/arguments.py": {"arguments"},
    "language/functions.py": {"calls"},
    "language/module.py": {"calls"},
    "language/language.py": {"hooks"},
    "language/making.py": {"imports"},
    "language/results.py": {"results"},
    "language/slots.py": {"slots"},
}
"""Modules that assemble the keys of features, and the parts of the package that declare these keys."""


def home(module: str) -> str:
    """The part of the package that a module belongs to: `validate` for `dlpack_bindgen.validate.rules.slots`."""
    return module.split(".")[1]


def imported(path: Path) -> Iterator[str]:
    """Parts of the package that a file imports from, at its top or where it needs them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not any(each.name.startswith("dlpack_bindgen") for each in node.names), f"{path}: from ... import"
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module is not None, f"{path}: a relative import"
            if node.module == "dlpack_bindgen":
                yield from (each.name for each in node.names if each.name != "__version__")
            elif node.module.startswith("dlpack_bindgen."):
                yield home(node.module)


def allowed(own: str) -> set[str]:
    return SHARED if own in SHARED else SHARED | ABOVE[own] | {own}


def test_no_part_knows_a_later_one() -> None:
    later = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE)
        own = name.parts[0].removesuffix(".py")
        later += [
            f"{name} imports {other}"
            for other in sorted(set(imported(path)) - allowed(own) - ASSEMBLED.get(str(name), set()))
        ]
    assert later == []


def test_one_module_hands_advice_to_the_checks() -> None:
    users = [path for path in PACKAGE.rglob("*.py") if "advice" in set(imported(path))]
    assert {path.relative_to(PACKAGE).as_posix() for path in users if path.parent.name != "advice"} == {
        "command/check.py"
    }
