"""Two copies of the runtime in one program: `-DDLB_NAMESPACE=...` renames every symbol that the linker sees."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from support.build import RUNTIME, compile_c


def linker_symbols(objects: list[Path]) -> set[str]:
    listing = subprocess.run(["nm", "-g", "--defined-only", *objects], capture_output=True, text=True, check=True)
    # Sanitizers mark globals with symbols of their own.
    found = set(re.findall(r"^[0-9a-f]+ [A-Z] (\w+)$", listing.stdout, re.MULTILINE))
    return {name for name in found if not name.startswith(("__odr_asan", "__asan"))}


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    folder = tmp_path_factory.mktemp("namespace")
    built: dict[str, list[Path]] = {"": [], "acme": []}
    for namespace, paths in built.items():
        for source in sorted(RUNTIME.glob("*.c")):
            target = folder / f"{namespace}{source.stem}.o"
            compile_c(["-c", *([f"-DDLB_NAMESPACE={namespace}"] if namespace else []), source], target)
            paths.append(target)
    return built


def test_every_symbol_of_the_runtime_can_be_renamed(objects: dict[str, list[Path]]) -> None:
    plain = linker_symbols(objects[""])
    assert {"dlb_own", "dlb_export", "dlb_py_dlpack"} <= plain
    assert linker_symbols(objects["acme"]) == {f"acme_{name}" for name in plain}


def test_only_names_of_the_runtime_are_defined(objects: dict[str, list[Path]]) -> None:
    assert [name for name in linker_symbols(objects[""]) if not name.startswith("dlb_")] == []


def test_two_copies_link_into_one_program(objects: dict[str, list[Path]], tmp_path: Path) -> None:
    core = [path for paths in objects.values() for path in paths if path.stem.endswith("core")]
    main = tmp_path / "main.c"
    main.write_text("int main(void) { return 0; }\n")
    compile_c([main, *core], tmp_path / "main")
    assert subprocess.run([tmp_path / "main"], check=False).returncode == 0
