"""The surroundings of the generator do not change a byte of its output."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from support import hangs
from support.specs import bad_spec, committed_specs

TOP = Path(__file__).resolve().parents[2]
SPECS = sorted([*committed_specs(), *TOP.glob("docs/examples/*.yaml")])
FEW = [TOP / "docs" / "examples" / "mixer.yaml", TOP / "specs" / "imaging.yaml"]
"""For surroundings that can show in any spec, if at all."""
BAD = {
    "several.yaml": bad_spec("spec/structure", "mistakes in several keys"),
    "collision.yaml": bad_spec("spec/names", "classes whose emitted names differ in case only"),
    "key.yaml": bad_spec("spec/structure", "a misspelled key of a tensor"),
}
PLAIN = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
OTHERWISE = {
    "PYTHONHASHSEED": "4711",
    "PYTHONOPTIMIZE": "1",
    "TZ": "Pacific/Kiritimati",
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
}
"""Another hash seed, no assertions, another time zone, no locale: a single spec can show one of them."""
TURKISH = {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "COLUMNS": "300", "TERM": "xterm-256color"}
"""A locale that sorts otherwise, and a wide terminal."""


def run(arguments: list[str], environment: dict[str, str], directory: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dlpack_bindgen", *arguments]
    return subprocess.run(
        command, env=environment, cwd=directory, capture_output=True, check=False, timeout=hangs.SECONDS
    )


def everything(
    environment: dict[str, str], directory: Path, specs: Sequence[Path], folder: str = "out"
) -> dict[str, bytes]:
    """Returns all output of the generator, by file and by stream."""
    names = [os.path.relpath(spec, directory) for spec in specs]
    written = run(["generate", *names, "-o", folder], environment, directory)
    assert written.returncode == 0, written.stderr.decode()
    files = {path.name: path.read_bytes() for path in (directory / folder).iterdir()}
    with tempfile.TemporaryDirectory() as bad:
        for name, case in BAD.items():
            Path(bad, name).write_bytes(case.content)
        wrong = run(["generate", *BAD, "-o", "out"], environment, Path(bad))
    assert wrong.returncode == 1
    schema = run(["schema"], environment, directory)
    assert schema.returncode == 0
    return {**files, "errors": wrong.stderr, "schema": schema.stdout}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return everything(PLAIN, tmp_path_factory.mktemp("reference"), SPECS)


def test_the_output_does_not_depend_on_surroundings_or_the_order_of_specs(
    reference: dict[str, bytes], tmp_path: Path
) -> None:
    found = everything({**PLAIN, **OTHERWISE}, tmp_path, SPECS[::-1])
    assert found.keys() == reference.keys()
    assert [name for name, content in found.items() if content != reference[name]] == []


def test_the_output_does_not_depend_on_locale_or_terminal(reference: dict[str, bytes], tmp_path: Path) -> None:
    check_few(everything({**PLAIN, **TURKISH}, tmp_path, FEW), reference)


def test_the_output_does_not_depend_on_the_directory(reference: dict[str, bytes], tmp_path: Path) -> None:
    deep = tmp_path / "a b" / "\u00fc"
    deep.mkdir(parents=True)
    check_few(everything(PLAIN, deep, FEW, "../../out put"), reference)


def check_few(found: dict[str, bytes], reference: dict[str, bytes]) -> None:
    """Checks the four files of each of the few specs, and the two streams, against the reference."""
    assert len(found) == 4 * len(FEW) + 2
    assert [name for name, content in found.items() if content != reference[name]] == []


def test_the_output_names_nothing_of_this_machine(reference: dict[str, bytes]) -> None:
    for name, content in reference.items():
        if name not in ("errors", "schema"):
            assert not any(word.encode() in content for word in (str(TOP), str(Path.home()), "/usr/", "/tmp/"))
            assert b"\r" not in content and content.endswith(b"\n") and not content.endswith(b"\n\n")
