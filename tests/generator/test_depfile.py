"""The depfile lets make run the generator when it is necessary, and only then."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.tools.generate import depfile
from dlpack_bindgen.tools.terminal import Failure
from support import hangs

SPEC = """\
module: tiny
tensors:
  Tiny: {type: tiny_t, data: self->data, dtype: uint8, shape: [self->size]}
"""
ODD = "a b#c$d'e\\f"
"""A name with most of what make would take for something else."""


def make(directory: Path, *arguments: str) -> str:
    """Runs make; returns its output."""
    assert shutil.which("make")
    result = subprocess.run(
        ["make", "-s", *arguments], cwd=directory, capture_output=True, text=True, check=False, timeout=hangs.SECONDS
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_rule_names_outputs_sources_and_parts_of_the_generator() -> None:
    lines = depfile(["out/a.h", "a.d"], ["a.yaml"]).splitlines()
    assert lines[:2] == ["out/a.h a.d: \\", "  a.yaml \\"]
    assert "a.yaml:" in lines
    assert any(line.endswith("/templates/dlpack.c.j2 \\") for line in lines)
    assert any(line.endswith("/templates/calls/string.c.j2 \\") for line in lines)
    assert any(line.endswith("/dlpack_bindgen/emit/module.py \\") for line in lines)


@pytest.mark.parametrize("name", ["plain", ODD, "\\ b", "a\\\\ b", "#x", "$x", "a(b) c", "\u00e9", "x~y", "a\tb"])
def test_make_reads_the_names_that_were_meant(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    (tmp_path / "d").write_text(depfile(["target"], [name]))
    (tmp_path / "Makefile").write_text("all: target; @:\ntarget:; @touch $@; echo made\n-include d\n")
    assert make(tmp_path) == "made\n"
    assert make(tmp_path) == ""
    os.utime(tmp_path / name, (4e9, 4e9))
    assert make(tmp_path) == "made\n"


def test_a_line_break_is_refused() -> None:
    with pytest.raises(Failure, match="has a line break"):
        depfile(["target"], ["a\nb"])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Writes a Makefile that runs the generator, with the depfile as the target."""
    (tmp_path / "tiny.yaml").write_text(SPEC)
    (tmp_path / "Makefile").write_text(
        "gen/tiny.d: tiny.yaml\n"
        f"\t@echo generating; '{sys.executable}' -m dlpack_bindgen generate tiny.yaml -o gen --depfile $@ >log\n"
        "-include gen/tiny.d\n"
    )
    return tmp_path


def test_make_generates_only_if_a_source_is_newer(project: Path) -> None:
    assert make(project) == "generating\n"
    assert make(project) == ""
    for path in (project / "gen").iterdir():
        os.utime(path, (1000, 1000))
    # The generator is newer now, but writes the same: the command runs once, the output keeps its time.
    assert make(project) == "generating\n"
    assert make(project) == ""
    assert (project / "gen" / "tiny_dlpack.h").stat().st_mtime == 1000


def test_a_source_that_was_deleted_does_not_stop_make(project: Path) -> None:
    """An update of the generator may rename its files."""
    make(project)
    rule = (project / "gen" / "tiny.d").read_text().replace("emit/module.py", "emit/before.py")
    (project / "gen" / "tiny.d").write_text(rule)
    assert make(project) == "generating\n"
    assert "before.py" not in (project / "gen" / "tiny.d").read_text()


def test_stdin_is_not_a_source_of_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.yaml").write_text(SPEC)
    with open("tiny.yaml") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main(["generate", "-", "-o", "out", "--depfile", "new/d"]) == 0
    first, _, second = (tmp_path / "new" / "d").read_text().split("\n")[:3]
    assert first == "out/tiny_dlpack.h out/tiny_dlpack.c out/tiny_module.c out/tiny.pyi new/d: \\"
    assert "- \\" not in second


def test_a_depfile_holds_names_that_are_not_utf8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.yaml").write_text(SPEC)
    assert main(["generate", "tiny.yaml", "-o", os.fsdecode(b"out\xff"), "--depfile", "d"]) == 0
    assert (tmp_path / "d").read_bytes().startswith(b"out\xff/tiny_dlpack.h ")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tiny.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Returns the message with which the command refuses to write anything."""
    before = {path: path.is_file() and path.read_bytes() for path in Path().rglob("*")}
    assert main(["generate", *arguments]) == 2
    assert {path: path.is_file() and path.read_bytes() for path in Path().rglob("*")} == before
    return capsys.readouterr().err.removeprefix("dlpack-bindgen: error: ").rstrip("\n")


def test_a_depfile_that_cannot_be_written_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "d").mkdir()
    assert refused(capsys, "tiny.yaml", "-o", "out", "--depfile", "d") == "cannot write d: it is a directory"
    assert refused(capsys, "tiny.yaml", "-o", "out", "--depfile", "tiny.yaml/d") == "tiny.yaml is not a directory"
    message = refused(capsys, "tiny.yaml", "-o", "out", "--depfile", "/proc/dlpack-bindgen-test/d")
    assert message.startswith("cannot make the directory /proc/dlpack-bindgen-test: ")


def test_a_depfile_with_a_line_break_in_its_name_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "tiny.yaml", "-o", "out", "--depfile", "a\nb")
    assert message == "a depfile cannot name a\\nb, which has a line break"


@pytest.mark.parametrize("spec", ["tiny.yaml", "./tiny.yaml", "link.yaml"])
def test_a_depfile_that_is_a_spec_is_refused(here: Path, capsys: pytest.CaptureFixture[str], spec: str) -> None:
    (here / "link.yaml").symlink_to("tiny.yaml")
    assert refused(capsys, spec, "-o", "out", "--depfile", "tiny.yaml") == "cannot write tiny.yaml: it is a spec"
    assert refused(capsys, spec, "-o", "out", "--depfile", "link.yaml") == "cannot write link.yaml: it is a spec"


def test_an_output_that_is_a_spec_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "tiny.yaml").rename("tiny.pyi")
    assert refused(capsys, "tiny.pyi", "-o", ".") == "cannot write tiny.pyi: it is a spec"


@pytest.mark.parametrize(
    ("depfile", "what"),
    [
        ("out/tiny.pyi", "it is one of the other outputs"),
        ("new/../out/tiny_dlpack.c", "it is one of the other outputs"),
        ("out/tiny.pyi/d", "out/tiny.pyi is one of the other outputs"),
        ("out", "it is a directory"),
    ],
)
def test_a_depfile_that_is_an_output_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], depfile: str, what: str
) -> None:
    message = f"cannot write {depfile}: {what}"
    assert refused(capsys, "tiny.yaml", "-o", "out", "--depfile", depfile) == message
    assert main(["generate", "tiny.yaml", "-o", "out"]) == 0
    capsys.readouterr()
    if not depfile.endswith("/d"):
        assert refused(capsys, "tiny.yaml", "-o", "out", "--depfile", depfile) == message
