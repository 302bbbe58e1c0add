"""Part 2 of docs/tutorial.md: from the header of an installed library to a module, and the messages after mistakes."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from test_tutorial import PART_2, newcomer, paste


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, str]]]:
    """Pastes part 2 in the folder of a newcomer; yields the folder, and pairs of shown and true outputs."""
    if shutil.which("pkg-config") is None or subprocess.run(["pkg-config", "gsl"], check=False).returncode != 0:
        pytest.skip("GSL is not installed")
    where = tmp_path_factory.mktemp("installed")
    return where, paste(PART_2, where)


def test_the_commands_of_the_tutorial_give_the_shown_answers(installed: tuple[Path, list[tuple[str, str]]]) -> None:
    _, answers = installed
    assert len(answers) == 9
    for stands, true in answers:
        assert stands == true


def test_the_mistakes_have_these_messages(installed: tuple[Path, list[tuple[str, str]]], tmp_path: Path) -> None:
    """Checks each row of the table in the last step."""
    where, _ = installed
    environment = newcomer(tmp_path / "bin")

    def fail(command: str) -> str:
        done = subprocess.run(
            ["sh", "-c", command], cwd=where, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        return done.stderr

    script = (where / "build.sh").read_text(encoding="utf-8").replace("-o .", "").partition("&&")[2]
    spec = (where / "vector.yaml").read_text(encoding="utf-8")
    use = f"{shlex.quote(sys.executable)} -c 'import vector; vector.Vector(1).add(vector.Vector(2))'"

    def build(changed_spec: str, name: str, flags: str = "$(pkg-config --cflags --libs gsl)") -> str:
        """Returns the commands that build another module in a folder of its own, and go there."""
        folder = tmp_path / name
        folder.mkdir()
        (folder / "vector.yaml").write_text(changed_spec, encoding="utf-8")
        (folder / "build.sh").write_text(script.replace("$(pkg-config --cflags --libs gsl)", flags), encoding="utf-8")
        return f"cd {shlex.quote(str(folder))} && dlpack-bindgen generate vector.yaml -o . && sh build.sh"

    failures = [
        fail("dlpack-bindgen init gsl/gsl_vecto.h"),
        fail(build(spec.replace("<gsl/gsl_vector_double.h>", "<missing/gsl/gsl_vector_double.h>"), "header")),
        fail(build(spec.replace("set_all(gsl_vector *v, double x)", "set_all(gsl_vector *v, float x)"), "prototype")),
        fail(f"{build(spec, 'linker', '')} && {use}"),
        fail(f"{build(spec.replace('init: gsl_set_error_handler_off()', ''), 'handler')} && {use}"),
    ]
    rows = re.findall(r"^\| `(.*?)`", PART_2[PART_2.index("## 12.") :], re.MULTILINE)
    assert len(rows) == len(failures)
    for row, failure in zip(rows, failures, strict=True):
        assert row in failure
