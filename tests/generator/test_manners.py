"""The same bytes everywhere: whatever surrounds the generator, it must not show in what it writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
SPECS = sorted([*TOP.glob("specs/*.yaml"), *TOP.glob("docs/examples/*.yaml")])
BAD = ["structure/bad/several.yaml", "names/bad/name-collision.yaml", "structure/bad/unknown-key.yaml"]
PLAIN = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
SURROUNDINGS = {
    "hash seed, no locale, time zone": {
        "PYTHONHASHSEED": "4711",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    },
    "sorting of the locale, no assertions, wide terminal": {
        "LC_ALL": "tr_TR.UTF-8",
        "LANG": "tr_TR.UTF-8",
        "PYTHONOPTIMIZE": "1",
        "COLUMNS": "300",
        "TERM": "xterm-256color",
    },
}


def run(arguments: list[str], environment: dict[str, str], directory: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dlpack_bindgen", *arguments]
    return subprocess.run(command, env=environment, cwd=directory, capture_output=True, check=False, timeout=300)


def everything(environment: dict[str, str], directory: Path, folder: str = "out") -> dict[str, bytes]:
    """All that the generator says, by file and by stream."""
    names = [os.path.relpath(spec, directory) for spec in SPECS]
    written = run(["generate", *names, "-o", folder], environment, directory)
    assert written.returncode == 0, written.stderr.decode()
    files = {path.name: path.read_bytes() for path in (directory / folder).iterdir()}
    wrong = run(["generate", *BAD, "-o", "out"], environment, TOP / "tests" / "spec")
    assert wrong.returncode == 1
    schema = run(["schema"], environment, directory)
    assert schema.returncode == 0
    return {**files, "errors": wrong.stderr, "schema": schema.stdout}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return everything(PLAIN, tmp_path_factory.mktemp("reference"))


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_the_surroundings_do_not_show(surroundings: str, reference: dict[str, bytes], tmp_path: Path) -> None:
    found = everything({**PLAIN, **SURROUNDINGS[surroundings]}, tmp_path)
    assert found.keys() == reference.keys()
    assert [name for name, content in found.items() if content != reference[name]] == []


def test_the_directory_does_not_show(reference: dict[str, bytes], tmp_path: Path) -> None:
    deep = tmp_path / "a b" / "\u00fc"
    deep.mkdir(parents=True)
    assert everything(PLAIN, deep, "../../out put") == reference


def test_the_order_of_the_specs_does_not_show(reference: dict[str, bytes], tmp_path: Path) -> None:
    names = [str(spec) for spec in reversed(SPECS)]
    assert run(["generate", *names, "-o", "out"], PLAIN, tmp_path).returncode == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == {
        name: content for name, content in reference.items() if name not in ("errors", "schema")
    }


def test_nothing_of_this_machine_is_written(reference: dict[str, bytes]) -> None:
    for name, content in reference.items():
        if name not in ("errors", "schema"):
            assert not any(word.encode() in content for word in (str(TOP), str(Path.home()), "/usr/", "/tmp/"))
            assert b"\r" not in content and content.endswith(b"\n") and not content.endswith(b"\n\n")
