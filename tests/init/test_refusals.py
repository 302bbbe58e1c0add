"""Headers and arguments that `init` refuses, each with one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from generator.command import refused
from init.conftest import HEADERS

REFUSED = [
    pytest.param(
        ["missing.h"],
        "missing.h:1 includes missing_config.h, which is not found: install it, or add its folder, -- -IFOLDER",
        id="missing include",
    ),
    pytest.param(
        ["broken.h"],
        "broken.h:3 does not compile: unknown type name 'lib_int'; include what it needs, -- -include HEADER",
        id="unknown type",
    ),
    pytest.param(
        ["classes.hpp"],
        "classes.hpp is a header of C++, and init reads headers of C: name the C header of the library",
        id="C++",
    ),
    pytest.param(
        ["empty.h"],
        "empty.h declares no struct, function or constant that a spec can describe: name the header that declares them",
        id="nothing in it",
    ),
    pytest.param(
        ["absent.h"],
        "absent.h is neither a file nor a header in the include folders: add its folder, -- -IFOLDER",
        id="no such header",
    ),
    pytest.param(["parts"], "parts is a folder: name one header in it", id="folder"),
    pytest.param(
        ["rows.h", "--type", "wheel"],
        "rows.h has no struct wheel with an array or with functions; "
        "it has: struct leading, struct stepped, struct table",
        id="no such type",
    ),
    pytest.param([], "the following arguments are required: HEADER (see dlpack-bindgen init --help)", id="no header"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_refusals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(HEADERS)
    assert refused(capsys, "init", *arguments) == message


def test_a_spec_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "rows.yaml"
    spec.write_text("mine\n")
    message = refused(capsys, "init", str(HEADERS / "rows.h"), "-o", str(spec))
    assert message == f"{spec} exists already: name another file with -o, or replace it with --force"
    assert spec.read_text() == "mine\n"
    assert main(["init", str(HEADERS / "rows.h"), "-o", str(spec), "--force"]) == 0
    assert spec.read_text().startswith("# Written by")


def test_without_libclang(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "clang", None)
    message = refused(capsys, "init", str(HEADERS / "rows.h"))
    assert message == "init needs libclang: pip install 'dlpack-bindgen[init]'"


def test_without_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only headers that need no standard headers can be read, and only the generator checks their specs."""
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.chdir(tmp_path)
    message = refused(capsys, "init", str(HEADERS / "rows.h"))
    assert message == (
        "rows.h:2 includes stddef.h, and no C compiler is here to find it: install gcc or clang, or set CC"
    )
    assert main(["init", str(HEADERS / "macros.h"), "-o", "spec.yaml"]) == 0
    assert "# No C compiler was there: the C of this spec has not been compiled.\n" in Path("spec.yaml").read_text()


def test_a_wrong_compilation_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thing.h").write_text("int thing(void);\n")
    (tmp_path / "compile_commands.json").write_text("[]")
    message = refused(capsys, "init", str(tmp_path / "thing.h"))
    database = tmp_path / "compile_commands.json"
    assert message == f"{database} is not a compilation database: list index out of range"


def test_only_functions_that_cannot_be_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = tmp_path / "log.h"
    header.write_text("void log_line(const char *format, ...);\n")
    message = refused(capsys, "init", str(header))
    reason = "log_line: variadic functions are not supported"
    assert message == f"no declaration of {header} can be described, for example {reason}"
