"""Messages on stderr: colours for people at a terminal, JSON for tools, and nothing that hides a message."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Span
from dlpack_bindgen.tools.terminal import report_as

SOURCES = {"a.yaml": "module: a\ndtype: 1:2:3: error: x\n"}
PROBLEMS = [
    Diagnostic("unknown-dtype", Span("a.yaml", 2, 8, 3), "unknown", "did you mean?", (Note(Span("b.yaml", 7, 1), "b"),))
]
PLAIN = (
    "a.yaml:2:8: error: unknown (did you mean?)\n"
    "    2 | dtype: 1:2:3: error: x\n"
    "      |        ^~~\n"
    "b.yaml:7:1: note: b\n"
    "dlpack-bindgen: error: 1 error, nothing was written\n"
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Makes stderr a terminal. It is not a fixture, since pytest sets its own stderr between fixtures and test."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_messages_have_no_colours_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    report_as("gcc").problems(PROBLEMS, SOURCES)
    assert capsys.readouterr().err == PLAIN


def test_messages_have_colours_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    report_as("gcc").problems(PROBLEMS, SOURCES)
    coloured = terminal.getvalue()
    assert coloured == (
        "\x1b[1ma.yaml:2:8:\x1b[0m \x1b[1;31merror:\x1b[0m unknown (did you mean?)\n"
        "    2 | dtype: 1:2:3: error: x\n"
        "      | \x1b[1;32m       ^~~\x1b[0m\n"
        "\x1b[1mb.yaml:7:1:\x1b[0m \x1b[1;36mnote:\x1b[0m b\n"
        "\x1b[1mdlpack-bindgen:\x1b[0m \x1b[1;31merror:\x1b[0m 1 error, nothing was written\n"
    )


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("NO_COLOR", "0"), ("TERM", "dumb")])
def test_no_color_and_a_dumb_terminal_switch_colours_off(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    terminal = at_terminal(monkeypatch)
    monkeypatch.setenv(variable, value)
    report_as("gcc").problems(PROBLEMS, SOURCES)
    assert terminal.getvalue() == PLAIN


def test_an_empty_no_color_means_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "")
    report_as("gcc").failure("x")
    assert terminal.getvalue() == "\x1b[1mdlpack-bindgen:\x1b[0m \x1b[1;31merror:\x1b[0m x\n"


def test_a_note_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    report_as("gcc").note("x\ny")
    assert capsys.readouterr().err == "dlpack-bindgen: note: x\\ny\n"
    terminal = at_terminal(monkeypatch)
    report_as("gcc").note("x")
    assert terminal.getvalue() == "\x1b[1mdlpack-bindgen:\x1b[0m \x1b[1;36mnote:\x1b[0m x\n"


def test_a_missing_stderr_is_not_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr", None)
    report_as("gcc").failure("x")
    report_as("json").failure("x")
    assert capsys.readouterr().out == ""


# ---- JSON ----


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    out, err = capsys.readouterr()
    assert out == ""
    return [json.loads(line) for line in err.splitlines()]


def test_json_has_one_object_for_each_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    report_as("json").problems(PROBLEMS, SOURCES)
    assert json.loads(terminal.getvalue()) == {
        "severity": "error",
        "code": "unknown-dtype",
        "message": "unknown",
        "hint": "did you mean?",
        "file": "a.yaml",
        "line": 2,
        "column": 8,
        "end_column": 11,
        "notes": [{"message": "b", "file": "b.yaml", "line": 7, "column": 1, "end_column": 2}],
    }


def test_json_reports_the_mistakes_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Prints one object for each problem of each file, in order, and nothing else."""
    (tmp_path / "1.yaml").write_text("module: a\nlicence: MIT\ntensors: {A: {type: a\u2028, data: d, dtype: d}}\n")
    (tmp_path / "2.yaml").write_text("module: 1\n")
    specs = [str(tmp_path / "2.yaml"), str(tmp_path / "1.yaml")]
    assert main(["generate", *specs, "-o", str(tmp_path / "out"), "--error-format=json"]) == 1
    found = [(Path(each["file"]).name, each["line"], each["column"]) for each in lines(capsys)]
    assert found == sorted(found)
    assert {name for name, _, _ in found} == {"1.yaml", "2.yaml"}


def test_json_reports_a_failure_without_a_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "/nowhere.yaml", "-o", "out", "--error-format", "json"]) == 2
    assert lines(capsys) == [
        {
            "severity": "error",
            "code": None,
            "message": "cannot read /nowhere.yaml: No such file or directory",
            "hint": None,
            "file": None,
            "line": None,
            "column": None,
            "end_column": None,
            "notes": [],
        }
    ]


def test_json_reports_a_note_without_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    report_as("json").note("x")
    place = dict.fromkeys(("file", "line", "column", "end_column"))
    assert lines(capsys) == [{"severity": "note", "code": None, "message": "x", "hint": None, **place, "notes": []}]
