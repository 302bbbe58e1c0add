"""`vendor` writes the files that specs need, or refuses. tests/compile/test_vendored.py compiles the files."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from dlpack_bindgen import resources
from dlpack_bindgen.cli import main
from dlpack_bindgen.emit.vendor import LIBRARIES, outputs
from generator.command import SPEC, here, refused

__all__ = ["here"]

ROOT = Path(__file__).resolve().parents[2]
CORE = [
    "dlb_array.h",
    "dlb_assert.h",
    "dlb_core.c",
    "dlb_core.h",
    "dlb_core_private.h",
    "dlb_emit.h",
    "dlb_runtime.h",
]
OBJECT = ["dlb_module.h", "dlb_object.c", "dlb_object.h", "dlb_object_private.h"]
CALL = ["dlb_call.c", "dlb_call.h"]
ALWAYS = ["dlb_LICENSE.txt", "dlb_runtime.pc", "dlpack/LICENSE", "dlpack/dlpack.h"]
FUNCTIONS = SPEC + "functions: {measure: {c: int tiny_measure(int n)}}\n"


def files(directory: Path) -> dict[str, str]:
    paths = [path for path in directory.rglob("*") if path.is_file()]
    return {path.relative_to(directory).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param([], [*CORE, *OBJECT, *CALL], id="everything"),
        pytest.param(["tiny.yaml"], [*CORE, *OBJECT], id="no functions"),
        pytest.param(["tiny.yaml", "called.yaml"], [*CORE, *OBJECT, *CALL], id="functions"),
        pytest.param(["--c-only"], CORE, id="no Python"),
    ],
)
def test_vendor_writes_the_libraries_that_specs_need(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: list[str]
) -> None:
    (here / "called.yaml").write_text(FUNCTIONS.replace("module: tiny", "module: called"))
    assert main(["vendor", "out", *arguments]) == 0
    assert sorted(files(here / "out")) == sorted([*expected, *ALWAYS])
    *written, licences = capsys.readouterr().out.splitlines()
    assert sorted(written) == sorted(f"wrote out/{name}" for name in [*expected, *ALWAYS])
    assert (
        licences == "dlpack/LICENSE (Apache-2.0) covers dlpack/dlpack.h, dlb_LICENSE.txt (MIT-0) the files named dlb_*"
    )


def test_licences_and_header_are_the_official_ones(here: Path) -> None:
    assert main(["vendor", "out"]) == 0
    found = files(here / "out")
    assert found["dlb_LICENSE.txt"] == (ROOT / "runtime" / "LICENSE").read_text()
    assert found["dlpack/LICENSE"].split() == (ROOT / "LICENSES" / "Apache-2.0.txt").read_text().split()
    assert found["dlpack/dlpack.h"] == resources.header().read_text()


def test_every_line_of_the_runtime_is_there() -> None:
    """Only includes, guards and blank lines differ."""
    ours = "\n".join(file.text for file in outputs(LIBRARIES, None) if file.name.endswith((".c", ".h")))
    found = set(ours.splitlines())
    for path in (ROOT / "runtime").rglob("*.[ch]"):
        if "checked" in path.relative_to(ROOT / "runtime").parts:
            continue  # `try` compiles it
        text = path.read_text(encoding="utf-8")
        guards = set(re.findall(r"^#(?:ifndef|define) \w+_H_$", text, re.MULTILINE))
        lines = {line for line in text.splitlines() if not line.startswith("#include")} - guards
        assert lines - found == set(), path


def test_includes_stay_within_the_folder() -> None:
    written = {file.name: file.text for file in outputs(LIBRARIES, None)}
    for name, text in written.items():
        if name.startswith("dlb_") and name.endswith((".c", ".h")):
            assert text.startswith("/* SPDX-License-Identifier: MIT-0 */\n/* Written by `dlpack-bindgen vendor`.")
            # CPython.h exists nowhere: it ends the compilation for another interpreter.
            assert set(re.findall(r'#include "(.*?)"', text)) <= {*written, "CPython.h"}
            assert text.count(str(ROOT)) == 0


def test_libraries_do_not_depend_on_later_ones() -> None:
    alone = {file.name: file.text for file in outputs(LIBRARIES[:1], None) if file.name != "dlb_runtime.pc"}
    assert alone.items() <= {file.name: file.text for file in outputs(LIBRARIES, None)}.items()


def test_a_namespace_changes_one_file() -> None:
    plain, other = ({file.name: file.text for file in outputs(LIBRARIES, name)} for name in (None, "acme"))
    assert [name for name in plain if plain[name] != other[name]] == ["dlb_core.h"]
    assert "#define DLB_NAMESPACE acme\n" in other["dlb_core.h"]


@pytest.mark.parametrize("prefix", ["", "1st", "a-b", "_x", "ä", "a b"])
def test_a_namespace_begins_names_of_c(here: Path, capsys: pytest.CaptureFixture[str], prefix: str) -> None:
    message = refused(capsys, "vendor", "out", "--namespace", prefix)
    assert message.startswith(f"argument --namespace: '{prefix}' must begin with a letter")
    assert not (here / "out").exists()


def test_a_namespace_is_not_lost(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vendor", "out", "--namespace", "acme"]) == 0
    capsys.readouterr()
    for more in ([], ["--check"], ["--namespace", "other"]):
        message = refused(capsys, "vendor", "out", *more)
        assert message == "out was written with --namespace acme: pass it again, or delete the files"
    assert main(["vendor", "out", "--namespace", "acme", "--check"]) == 0


def test_c_alone_is_the_same_for_every_spec(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "vendor", "out", "tiny.yaml", "--c-only")
    assert message.startswith("argument --c-only: not allowed with SPEC: the files are the same for every spec")


def test_files_that_are_up_to_date_are_left_alone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vendor", "out"]) == 0
    before = {path: path.stat().st_mtime_ns for path in (here / "out").rglob("*")}
    capsys.readouterr()
    assert main(["vendor", "out"]) == 0
    assert capsys.readouterr() == ("", "")
    assert {path: path.stat().st_mtime_ns for path in (here / "out").rglob("*")} == before
    assert main(["vendor", "out", "--check"]) == 0
    assert capsys.readouterr() == ("", "")


def test_check_lists_files_that_differ(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vendor", "my out", "tiny.yaml", "--namespace", "acme"]) == 0
    (here / "my out" / "dlb_core.c").write_text("")
    (here / "my out" / "dlpack" / "LICENSE").unlink()
    (here / "my out" / "dlb_call.c").write_text("")
    (here / "my out" / "dlb_own.h").write_text("")
    capsys.readouterr()
    assert main(["vendor", "my out", "tiny.yaml", "--namespace", "acme", "--check"]) == 1
    assert capsys.readouterr() == (
        "my out/dlb_core.c\nmy out/dlb_call.h\nmy out/dlb_call.c\nmy out/dlb_runtime.pc\nmy out/dlpack/LICENSE\n"
        "my out/dlb_own.h\n",
        "dlpack-bindgen: error: 5 files are missing or out of date; "
        "run: dlpack-bindgen vendor 'my out' tiny.yaml --namespace acme\n"
        "dlpack-bindgen: error: these files are of an older copy of the runtime; run: rm 'my out/dlb_own.h'\n",
    )
    assert (here / "my out" / "dlb_core.c").read_text() == ""


@pytest.mark.parametrize(
    ("first", "then", "libraries"),
    [
        pytest.param([], ["--c-only"], LIBRARIES, id="everything, then no Python"),
        pytest.param(["tiny.yaml"], ["--c-only"], LIBRARIES[:2], id="no functions, then no Python"),
        pytest.param(["called.yaml"], ["tiny.yaml"], LIBRARIES, id="functions, then none"),
        pytest.param(["--c-only"], ["tiny.yaml"], LIBRARIES[:2], id="no Python, then Python"),
        pytest.param(["called.yaml"], ["--c-only", "--namespace", "acme"], LIBRARIES, id="then a namespace"),
        pytest.param(
            ["called.yaml", "--namespace", "acme"], ["--c-only", "--namespace", "acme"], LIBRARIES, id="namespaces"
        ),
    ],
)
def test_a_later_call_keeps_the_libraries_of_an_earlier_one(
    here: Path, capsys: pytest.CaptureFixture[str], first: list[str], then: list[str], libraries: Sequence[str]
) -> None:
    (here / "called.yaml").write_text(FUNCTIONS.replace("module: tiny", "module: called"))
    namespace = then[-1] if "--namespace" in then else None
    assert main(["vendor", "out", *first]) == 0
    assert main(["vendor", "out", *then]) == 0
    assert files(here / "out") == {file.name: file.text for file in outputs(libraries, namespace)}
    capsys.readouterr()
    assert main(["vendor", "out", *then, "--check"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_later_call_updates_the_libraries_of_an_earlier_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vendor", "out", "tiny.yaml"]) == 0
    (here / "out" / "dlb_object.h").write_text("/* of an older version */")
    capsys.readouterr()
    assert main(["vendor", "out", "--c-only"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "wrote out/dlb_object.h",
        "dlpack/LICENSE (Apache-2.0) covers dlpack/dlpack.h, dlb_LICENSE.txt (MIT-0) the files named dlb_*",
        "kept from an earlier call, and updated: dlb_object.c, with the headers",
    ]


def test_the_commands_of_the_page_work_in_their_order(here: Path) -> None:
    """A reader types them one after the other in one folder."""
    page = (ROOT / "docs" / "committing.md").read_text(encoding="utf-8")
    (here / "sound.yaml").write_text(SPEC.replace("module: tiny", "module: sound"))
    commands = re.findall(r"^dlpack-bindgen (.*)$", page, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        assert main(command.split()) == 0, command


def test_files_of_another_copy_are_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "out").mkdir()
    for name in ("dlb_dtype.c", "dlb_own.h", "dlb_lib.txt", "mydlb_core.c"):
        (here / "out" / name).write_text("")
    message = refused(capsys, "vendor", "out")
    assert message.endswith("run: rm out/dlb_dtype.c out/dlb_own.h")
    assert sorted(files(here / "out")) == ["dlb_dtype.c", "dlb_lib.txt", "dlb_own.h", "mydlb_core.c"]


def test_a_spec_with_mistakes_writes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "tiny.yaml").write_text(SPEC.replace("dtype:", "dtpye:"))
    assert main(["vendor", "out", "tiny.yaml"]) == 1
    assert "tiny.yaml:8:5: error:" in capsys.readouterr().err
    assert not (here / "out").exists()


def test_the_folder_of_the_runtime_is_not_a_target(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    message = refused(capsys, "vendor", "generated/../runtime")
    assert message == "cannot write to generated/../runtime: it is the source of the copy"


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("DLPACK_MINOR_VERSION 3", "DLPACK_MINOR_VERSION 2", "1.2"),
        ("DLPACK_MAJOR_VERSION 1", "DLPACK_MAJOR_VERSION 2", "2.3"),
        ("DLPACK_M", "DLPACKM", "of an unknown version"),
    ],
)
def test_an_unfit_header_is_not_copied(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, old: str, new: str, shown: str
) -> None:
    official = resources.header().read_text()
    (here / "mine" / "dlpack").mkdir(parents=True)
    (here / "mine" / "dlpack" / "dlpack.h").write_text(official.replace(old, new))
    monkeypatch.setenv("DLPACK_INCLUDE", "mine")
    message = refused(capsys, "vendor", "out")
    assert message == f"{here}/mine/dlpack/dlpack.h is {shown}, and 1.3 or a later 1.x is needed"
    assert not (here / "out").exists()


def test_a_bundled_dlpack_header_comes_before_the_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DLPACK_INCLUDE", raising=False)
    package = tmp_path / "dlpack_bindgen"
    (package / "include" / "dlpack").mkdir(parents=True)
    shutil.copy(resources.header(), package / "include" / "dlpack")
    monkeypatch.setattr("dlpack_bindgen.resources.__file__", str(package / "resources.py"))
    assert resources.include_folder() == package / "include"
    (tmp_path / "mine" / "dlpack").mkdir(parents=True)
    shutil.copy(package / "include" / "dlpack" / "dlpack.h", tmp_path / "mine" / "dlpack")
    monkeypatch.setenv("DLPACK_INCLUDE", str(tmp_path / "mine"))
    assert resources.include_folder() == tmp_path / "mine"
