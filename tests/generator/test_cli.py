"""The command: its exit codes and streams, and one line for every foreseeable failure."""

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from dlpack_bindgen.cli import main
from generator.command import here, program, refused

__all__ = ["here"]


# ---- Usage ----


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["generat"], "invalid choice: 'generat'"),
        (["generate"], "the following arguments are required: SPEC"),
        (["generate", "tiny.yaml"], "the following arguments are required: -o/--output"),
        (["generate", "tiny.yaml", "-o"], "expected one argument"),
        (["generate", "tiny.yaml", "-o", ""], "argument -o/--output: must not be empty"),
        (["generate", "", "-o", "out"], "argument SPEC: must not be empty"),
        (["generate", "tiny.yaml", "-o", "out", "--check", "--diff"], "not allowed with argument"),
        (["generate", "tiny.yaml", "-o", "out", "--check", "--depfile", "d"], "--depfile: not allowed with argument"),
        (["generate", "tiny.yaml", "-o", "out", "--stdout", "x"], "--stdout: not allowed with argument -o/--output"),
        (["generate", "tiny.yaml", "--check"], "the following arguments are required: -o/--output"),
        (["generate", "tiny.yaml", "--depfile", "d"], "the following arguments are required: -o/--output"),
        (["generate", "tiny.yaml", "--stdout"], "argument --stdout: expected one argument"),
        (["generate", "tiny.yaml", "-o", "out", "--error-format=sarif"], "invalid choice: 'sarif'"),
        (["generate", "tiny.yaml", "-o", "out", "-j", "0"], "argument -j/--jobs: '0' is not a number of processes"),
        (
            ["generate", "tiny.yaml", "-o", "out", "-j", "\u0663"],
            "argument -j/--jobs: '\u0663' is not a number of processes",
        ),
        (["generate", "tiny.yaml", "-o", "out", "-j", "99999999999"], "'99999999999' is not a number of processes"),
        (
            ["generate", "tiny.yaml", "-o", "out", "--chec"],
            "unrecognized arguments: --chec (see dlpack-bindgen generate --help)",
        ),
        (["config"], "config needs at least one of --cflags, --python-cflags, --sources"),
        (["config", "--cflag"], "unrecognized arguments: --cflag (see dlpack-bindgen config --help)"),
        (["schema", "spec.yaml"], "unrecognized arguments: spec.yaml (see dlpack-bindgen schema --help)"),
        (["schema", "-o", ""], "argument -o/--output: must not be empty"),
    ],
)
def test_wrong_arguments_are_refused_with_a_message(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refused(capsys, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["generate", "--help"],
        ["explain", "--help"],
        ["schema", "--help"],
        ["config", "--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_help_and_version_are_printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 0
    assert "dlpack-bindgen" in capsys.readouterr().out


def test_config_answers_on_one_line_in_the_order_of_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--extension-suffix", "--cflags"]) == 0
    out = capsys.readouterr().out
    assert out.index(".") < out.index(" -I")
    assert out.count("\n") == 1


def test_config_without_a_header_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DLPACK_INCLUDE", "/nowhere")
    assert refused(capsys, "config", "--sources", "--cflags").startswith("DLPACK_INCLUDE is /nowhere")


# ---- The program ----


def test_a_closed_pipe_ends_the_command_without_a_message(here: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = program("generate", "tiny.yaml", "-o", "out", "--diff", stdout=writer)
    finally:
        os.close(writer)
    assert (result.returncode, result.stderr) == (141, b"")


def test_a_full_output_stream_is_an_error(here: Path) -> None:
    with open("/dev/full", "wb") as full:
        result = program("config", "--cflags", stdout=full.fileno())
    assert (result.returncode, result.stderr) == (
        2,
        b"dlpack-bindgen: error: cannot write the output: No space left on device\n",
    )


def test_a_path_need_not_be_utf8(here: Path) -> None:
    name = os.fsdecode(b"out\xff")
    result = program("generate", "tiny.yaml", "-o", name, "--check", stdout=subprocess.PIPE)
    assert result.returncode == 1
    assert b"out\xff/tiny.pyi\n" in result.stdout


def test_an_interruption_has_the_exit_status_130(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("dlpack_bindgen.text.yaml.load", interrupt)
    assert main(["generate", "tiny.yaml", "-o", "out"]) == 130


def test_only_the_program_itself_stops_the_garbage_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    registered: list[object] = []
    monkeypatch.setattr("atexit.register", registered.append)
    assert main(["schema"]) == 0
    assert (gc.isenabled(), registered) == (True, [])
    monkeypatch.setattr(sys, "argv", ["dlpack-bindgen", "schema"])
    try:
        assert main() == 0
        assert (gc.isenabled(), registered) == (False, [gc.freeze])
    finally:
        gc.enable()


def test_help_needs_neither_yaml_nor_jinja() -> None:
    code = (
        "import sys; from dlpack_bindgen.cli import main\n"
        "main(['config', '--cflags'])\n"
        "assert not {'yaml', 'jinja2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
