"""Which packages of the generator know which: each package imports only packages before it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dlpack_bindgen

PACKAGE = Path(dlpack_bindgen.__file__).parent
ORDER = ("text", "language", "tensor", "calls", "classes", "spec", "emit", "tools")
COMPLETE = ("text", "emit", "tools")
"""Packages that have all their modules. The others are still divided into the folders of `BEFORE`."""

LATER: set[tuple[str, str]] = set()
"""Imports of a later package by a file of a complete package, as (file, package). The set only shrinks."""

SHARED = {"dlpack", "frozen", "header", "resources"}
"""Modules beside the packages, which know only each other."""

BEFORE = {
    "slots": {"language"},
    "arguments": {"slots", "language", "results", "validate"},
    "results": {"slots", "language"},
    "spec": {"slots", "arguments", "results", "calls", "validate"},
    "steps": {"slots", "arguments", "spec", "language"},
    "hooks": {"slots", "arguments", "spec", "steps", "language"},
    "imports": {"slots", "arguments", "spec", "steps", "language"},
    "calls": {"arguments", "bind", "imports", "language", "slots", "spec", "validate"},
    "language": {"calls", "validate"},
    "validate": {"calls", "slots", "arguments", "results", "spec", "steps", "hooks", "imports", "language"},
    "bind": {"calls", "slots", "arguments", "results", "spec", "steps", "hooks", "imports", "validate"},
}
"""Folders whose modules have not been moved, and the folders of this kind that they may import. All of them may import
`text`."""

ASSEMBLED = {
    "language/arguments.py": {"arguments", "results"},
    "language/functions.py": {"calls"},
    "language/module.py": {"calls"},
    "language/language.py": {"hooks"},
    "language/making.py": {"hooks", "imports"},
    "language/results.py": {"results"},
    "language/slots.py": {"slots"},
}
"""Modules that assemble the keys of features, and the folders that declare these keys."""

READERS_OF_YAML = {"language", "text", "tools", "validate"}
"""Packages and folders that read nodes of YAML: `language`, for the examples in the reference."""

ADVICE = {"tools.advice", "tools.advice_forms"}
ON_TOP = {"cli", "__main__"}
"""Modules that start the commands: they come last."""


def imported(source: str, path: str) -> Iterator[str]:
    """Yields the modules of the package that a file imports, at its top or where it needs them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            assert not any(each.name.startswith("dlpack_bindgen") for each in node.names), f"{path}: from ... import"
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module is not None, f"{path}: a relative import"
            if node.module.partition(".")[0] == "dlpack_bindgen":
                names = [f"{node.module}.{each.name}".partition(".")[2] for each in node.names]
                yield from (name for name in names if name != "__version__")


def is_of(module: str, homes: set[str]) -> bool:
    """Whether an imported name is one of these modules, or a definition of one."""
    return module in homes or module.rpartition(".")[0] in homes


def home(module: str) -> str:
    """Returns the package, the folder or the module beside them: `tools` for `tools.init.header`."""
    return module.split(".")[0]


def later_packages(own: str, modules: list[str]) -> set[str]:
    """Returns the packages after a complete package that it imports."""
    known = {home(module) for module in modules}
    after = {*ORDER[ORDER.index(own) + 1 :], *ON_TOP}
    return known & (after | set(BEFORE) if own == "text" else after)


FILES = {
    path.relative_to(PACKAGE).as_posix(): list(imported(path.read_text(encoding="utf-8"), str(path)))
    for path in sorted(PACKAGE.rglob("*.py"))
}


def name_of(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


def files_of(*homes: str) -> list[str]:
    return [file for file in FILES if home(name_of(file)) in homes]


def test_a_complete_package_imports_no_later_one() -> None:
    found = {(file, other) for own in COMPLETE for file in files_of(own) for other in later_packages(own, FILES[file])}
    assert found - LATER == set()
    assert LATER - found == set(), "the import has gone: delete the entry"


def test_no_folder_knows_a_later_one() -> None:
    later = []
    for file in files_of(*BEFORE):
        own = home(name_of(file))
        allowed = {own, "text", *SHARED, *BEFORE[own], *ASSEMBLED.get(file, set())}
        later += [f"{file} imports {other}" for other in sorted(set(map(home, FILES[file])) - allowed)]
    assert later == []


def test_shared_modules_know_only_each_other() -> None:
    users = {file: set(map(home, FILES[file])) - SHARED for file in files_of(*SHARED)}
    assert {file: others for file, others in users.items() if others} == {}


def test_each_file_has_a_place() -> None:
    places = {home(name_of(file)) for file in FILES} - {"__init__"}
    assert places <= {*COMPLETE, *BEFORE, *SHARED, *ON_TOP}


def test_no_complete_package_has_folders() -> None:
    folders = [path.relative_to(PACKAGE).as_posix() for own in COMPLETE for path in (PACKAGE / own).rglob("*/")]
    assert [
        folder for folder in folders if "__pycache__" not in folder and folder not in (*COMPLETE, "tools/init")
    ] == []


def test_only_the_checks_read_yaml() -> None:
    yaml = {"text.yaml", "text.yaml_errors"}
    users = [file for file, modules in FILES.items() if any(is_of(module, yaml) for module in modules)]
    assert {home(name_of(file)) for file in users} <= READERS_OF_YAML


def test_one_module_hands_advice_to_the_checks() -> None:
    users = {file for file, modules in FILES.items() if any(is_of(module, ADVICE) for module in modules)}
    assert users - {"tools/advice.py", "tools/advice_forms.py"} == {"tools/generate.py"}


@pytest.mark.parametrize(
    ("own", "source", "later"),
    [
        ("emit", "from dlpack_bindgen.tools.command import Failure", {"tools"}),
        ("emit", "def f():\n    from dlpack_bindgen import tools", {"tools"}),
        ("emit", "from dlpack_bindgen.text import names\nfrom dlpack_bindgen.bind.bind import bind", set()),
        (
            "text",
            "from dlpack_bindgen.language.kinds import Form\nfrom dlpack_bindgen.frozen import Frozen",
            {"language"},
        ),
        ("text", "if TYPE_CHECKING:\n    from dlpack_bindgen.slots.slot import Slot", {"slots"}),
        ("tools", "from dlpack_bindgen.emit import render\nfrom dlpack_bindgen.tools import command", set()),
    ],
)
def test_later_packages_are_found(own: str, source: str, later: set[str]) -> None:
    assert later_packages(own, list(imported(source, "file"))) == later
