"""Each package of the generator imports only packages before it."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import dlpack_bindgen

PACKAGE = Path(dlpack_bindgen.__file__).parent
ORDER = ("text", "language", "tensor", "calls", "classes", "spec", "emit", "tools")
SHARED = {"dlpack", "frozen", "resources"}
"""Modules beside the packages, which know only each other."""
READERS_OF_YAML = {"text", "language", "calls", "spec", "tools"}
"""Packages that read nodes of YAML: `calls`, which applies the rules of `failures`; `spec`, for the examples too."""
ON_TOP = {"cli", "__main__"}
"""Modules that start the commands: they come last."""
CHILD = "tools/try_/calls"
"""A program of its own, which runs without the package: its files import each other by relative names only."""


def imported(source: str, path: str) -> Iterator[str]:
    """Yields the modules of the package that a file imports, at its top or where it needs them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            assert not any(each.name.startswith("dlpack_bindgen") for each in node.names), f"{path}: from ... import"
        if isinstance(node, ast.ImportFrom) and CHILD in path:
            assert node.module is None or not node.module.startswith("dlpack_bindgen"), f"{path}: runs without it"
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module is not None, f"{path}: a relative import"
            if node.module.partition(".")[0] == "dlpack_bindgen":
                names = [f"{node.module}.{each.name}".partition(".")[2] for each in node.names]
                yield from (name for name in names if name != "__version__")


def home(module: str) -> str:
    """Returns the package, or the module beside them: `tools` for `tools.init.header`."""
    return module.split(".")[0]


def later_packages(own: str, modules: list[str]) -> set[str]:
    """Returns the packages after a package that it imports."""
    return {home(module) for module in modules} & {*ORDER[ORDER.index(own) + 1 :], *ON_TOP}


FILES = {
    path.relative_to(PACKAGE).as_posix(): list(imported(path.read_text(encoding="utf-8"), str(path)))
    for path in sorted(PACKAGE.rglob("*.py"))
}


def files_of(*homes: str) -> list[str]:
    return [file for file in FILES if home(file.removesuffix(".py").replace("/", ".")) in homes]


@pytest.mark.parametrize("own", ORDER)
def test_a_package_imports_no_later_package(own: str) -> None:
    later = {file: later_packages(own, FILES[file]) for file in files_of(own)}
    assert {file: packages for file, packages in later.items() if packages} == {}


def test_shared_modules_know_only_each_other() -> None:
    users = {file: set(map(home, FILES[file])) - SHARED for file in files_of(*SHARED)}
    assert {file: others for file, others in users.items() if others} == {}


def test_each_file_has_a_place() -> None:
    places = {home(file.removesuffix(".py").replace("/", ".")) for file in FILES} - {"__init__"}
    assert places == {*ORDER, *SHARED, *ON_TOP}


def test_no_package_has_folders() -> None:
    folders = {file.rpartition("/")[0] for file in FILES} - {""}
    assert folders == {*ORDER, "tools/init", "tools/try_", CHILD}


def test_the_files_of_try_import_each_other_in_one_direction() -> None:
    own = "tools.try_."
    graph = {
        Path(file).stem: {name.split(".")[2] for name in names if name.startswith(own)} - {"calls"}
        for file, names in FILES.items()
        if file.startswith("tools/try_/") and CHILD not in file
    }
    assert {"findings", "lifetimes", "checks"} <= set(TopologicalSorter(graph).static_order())


def test_only_the_checks_read_yaml() -> None:
    users = [file for file, modules in FILES.items() if any(module.startswith("text.yaml") for module in modules)]
    assert {home(file.replace("/", ".")) for file in users} == READERS_OF_YAML


def test_one_module_hands_advice_to_the_checks() -> None:
    """No package before `tools` can import advice."""
    users = {file for file, modules in FILES.items() if any(module.startswith("tools.advice") for module in modules)}
    assert len([file for file in users if not file.startswith("tools/advice")]) == 1


@pytest.mark.parametrize(
    ("own", "source", "later"),
    [
        ("emit", "from dlpack_bindgen.tools.terminal import Failure", {"tools"}),
        ("emit", "def f():\n    from dlpack_bindgen import tools", {"tools"}),
        (
            "emit",
            "from dlpack_bindgen.text import names\nfrom dlpack_bindgen.calls.emitted_function import emit_function",
            set(),
        ),
        (
            "text",
            "from dlpack_bindgen.language.keys import Form\nfrom dlpack_bindgen.frozen import Frozen",
            {"language"},
        ),
        ("text", "if TYPE_CHECKING:\n    from dlpack_bindgen.tensor.slot import Slot", {"tensor"}),
        ("tools", "from dlpack_bindgen.emit import render\nfrom dlpack_bindgen.tools import terminal", set()),
    ],
)
def test_an_import_of_a_later_package_is_found(own: str, source: str, later: set[str]) -> None:
    assert later_packages(own, list(imported(source, "file"))) == later
