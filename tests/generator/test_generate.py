"""The command `generate`: it writes, compares, prints and lists files, or refuses with a message."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from generator.command import OUTPUT, SPEC, here, names, program, refused

__all__ = ["here"]


def test_generate_writes_all_files_and_lists_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "tiny.yaml", "-o", "new/out"]) == 0
    assert names(here / "new" / "out") == OUTPUT
    out, err = capsys.readouterr()
    assert sorted(out.splitlines()) == [f"wrote new/out/{name}" for name in OUTPUT]
    assert err == ""


def test_generate_prints_and_writes_nothing_the_second_time(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "tiny.yaml", "-o", "out"])
    before = {path: path.stat().st_mtime_ns for path in (here / "out").iterdir()}
    capsys.readouterr()
    assert main(["generate", "tiny.yaml", "-o", "out"]) == 0
    assert capsys.readouterr() == ("", "")
    assert {path: path.stat().st_mtime_ns for path in (here / "out").iterdir()} == before


def test_the_output_does_not_depend_on_where_the_spec_is(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["generate", "tiny.yaml", "-o", "a"])
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    main(["generate", str(here / "tiny.yaml"), "-o", "../b"])
    assert {p.name: p.read_bytes() for p in (here / "a").iterdir()} == {
        p.name: p.read_bytes() for p in (here / "b").iterdir()
    }


def test_several_specs_are_written_to_one_folder(here: Path) -> None:
    (here / "other.yaml").write_text(SPEC.replace("tiny", "other"))
    assert main(["generate", "tiny.yaml", "other.yaml", "-o", "out"]) == 0
    assert names(here / "out") == sorted([*OUTPUT, *(name.replace("tiny", "other") for name in OUTPUT)])


def test_a_spec_given_twice_counts_once(here: Path) -> None:
    (here / "link.yaml").symlink_to("tiny.yaml")
    assert main(["generate", "tiny.yaml", "./tiny.yaml", "link.yaml", "-o", "out"]) == 0
    assert names(here / "out") == OUTPUT


def test_check_lists_stale_files_and_leaves_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "tiny.yaml", "-o", "my out"])
    capsys.readouterr()
    assert main(["generate", "tiny.yaml", "-o", "my out", "--check"]) == 0
    assert capsys.readouterr() == ("", "")
    (here / "my out" / "tiny_module.c").write_text("edited")
    assert main(["generate", "tiny.yaml", "-o", "my out", "--check"]) == 1
    out, err = capsys.readouterr()
    assert out == "my out/tiny_module.c\n"
    assert err == (
        "dlpack-bindgen: error: 1 file is missing or out of date; run: dlpack-bindgen generate tiny.yaml -o 'my out'\n"
    )
    assert (here / "my out" / "tiny_module.c").read_text() == "edited"


def test_the_command_that_check_suggests_can_be_pasted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec, output = os.fsdecode(b"a\xff1'\\\n\x7f.yaml"), "o u\u00fct"
    (here / "tiny.yaml").rename(spec)
    assert main(["generate", spec, "-o", output, "--check"]) == 1
    command = capsys.readouterr().err.rstrip("\n").split("run: dlpack-bindgen generate ")[1]
    assert command == "$'a\\3771\\'\\\\\\012\\177.yaml' -o 'o u\u00fct'"
    bash = ["bash", "-c", f"printf '%s\\0' {command}"]
    words = subprocess.run(bash, check=True, stdout=subprocess.PIPE).stdout.split(b"\0")
    assert list(map(os.fsdecode, words)) == [spec, "-o", output, ""]


def test_check_makes_no_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "tiny.yaml", "-o", "out", "--check"]) == 1
    out, err = capsys.readouterr()
    assert sorted(out.splitlines()) == [f"out/{name}" for name in OUTPUT]
    assert "4 files are missing" in err
    assert names(here) == ["tiny.yaml"]


def test_diff_prints_a_unified_diff_of_stale_files(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "tiny.yaml", "-o", "out"])
    capsys.readouterr()
    assert main(["generate", "tiny.yaml", "-o", "out", "--diff"]) == 0
    assert capsys.readouterr() == ("", "")
    with (here / "out" / "tiny.pyi").open("a") as file:
        file.write("edited\n")
    assert main(["generate", "tiny.yaml", "-o", "out", "--diff"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("--- a/tiny.pyi\n+++ b/tiny.pyi\n@@ ")
    assert out.endswith("-edited\n")
    assert err == ""


def test_errors_of_all_specs_are_reported_and_nothing_is_written(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "bad1.yaml").write_text(SPEC.replace("dtype:", "dtyp:"))
    (here / "bad2.yaml").write_text(SPEC.replace("uint8", "uint9"))
    assert main(["generate", "tiny.yaml", "./bad1.yaml", "bad2.yaml", "-o", "out"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "\n./bad1.yaml:8:5: error: " in "\n" + err
    assert "\nbad2.yaml:8:12: error: " in err
    assert err.splitlines()[-1].endswith("errors, nothing was written")
    assert not (here / "out").exists()


@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"\xff\xfe", b"[" * 200_000, b"a: &x *x\n", b"- 1\n"])
def test_a_file_that_is_not_a_spec_is_a_mistake(here: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    (here / "bad.yaml").write_bytes(content)
    assert main(["generate", "bad.yaml", "-o", "out"]) == 1
    assert capsys.readouterr().err.startswith("bad.yaml:1:")
    assert names(here) == ["bad.yaml", "tiny.yaml"]


def test_an_endless_file_is_a_mistake(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "/dev/zero", "-o", "out"]) == 1
    assert "/dev/zero:1:1: error: " in capsys.readouterr().err


# ---- stdin and stdout ----


def read_from_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_spec_is_read_from_stdin(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_from_stdin(monkeypatch, SPEC.replace("tiny", "piped"))
    assert main(["generate", "tiny.yaml", "-", "-", "-o", "out"]) == 0
    assert names(here / "out") == sorted([*OUTPUT, *(name.replace("tiny", "piped") for name in OUTPUT)])
    assert "Generated from <stdin> by" in (here / "out" / "piped_dlpack.c").read_text()


def test_a_mistake_in_stdin_has_a_place(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read_from_stdin(monkeypatch, SPEC.replace("uint8", "uint9"))
    assert main(["generate", "-", "-o", "out"]) == 1
    assert capsys.readouterr().err.startswith("<stdin>:8:12: error: unknown dtype 'uint9'")


def test_an_unreadable_stdin_is_an_error(here: Path) -> None:
    with open("/proc/self/mem", "rb") as unreadable:
        result = program("generate", "-", "-o", "out", stdin=unreadable.fileno())
    assert (result.returncode, result.stderr) == (
        2,
        b"dlpack-bindgen: error: cannot read <stdin>: Input/output error\n",
    )


def test_a_missing_stdin_is_an_empty_file(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["generate", "-", "-o", "out"]) == 1
    assert capsys.readouterr().err.startswith("<stdin>:1:1: error: the file is empty")


@pytest.mark.parametrize("name", OUTPUT)
def test_stdout_prints_one_output_as_it_is_written(
    here: Path, name: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (here / "other.yaml").write_text(SPEC.replace("tiny", "other"))
    assert main(["generate", "other.yaml", "tiny.yaml", "--stdout", name]) == 0
    out, err = capfdbinary.readouterr()
    assert (err, names(here)) == (b"", ["other.yaml", "tiny.yaml"])
    main(["generate", "tiny.yaml", "-o", "out"])
    assert out == (here / "out" / name).read_bytes()


def test_stdout_lists_the_outputs_if_the_name_is_unknown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "generate", "tiny.yaml", "--stdout=tiny.h")
    assert message == "there is no output tiny.h; there are: tiny_dlpack.h, tiny_dlpack.c, tiny_module.c, tiny.pyi"


# ---- Options for builds ----


def test_list_outputs_lists_the_files_that_are_written(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The formatter is not needed."""
    (here / "other.yaml").write_text(SPEC.replace("tiny", "other"))
    main(["generate", "tiny.yaml", "other.yaml", "-o", "my out"])
    written = [line.removeprefix("wrote ") for line in capsys.readouterr().out.splitlines()]
    monkeypatch.setattr("dlpack_bindgen.emit.clang_format._find_binary", lambda: None)
    assert main(["generate", "tiny.yaml", "other.yaml", "-o", "my out", "--list-outputs"]) == 0
    assert capsys.readouterr().out.splitlines() == written
    assert main(["generate", "tiny.yaml", "other.yaml", "--list-outputs"]) == 0
    assert capsys.readouterr().out.splitlines() == [Path(path).name for path in written]


def test_list_outputs_lists_nothing_for_a_bad_spec(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "bad.yaml").write_text(SPEC.replace("uint8", "uint9"))
    assert main(["generate", "bad.yaml", "--list-outputs"]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("jobs", ["1", "2", "16"])
def test_the_number_of_jobs_changes_nothing(here: Path, jobs: str) -> None:
    tensors = SPEC[SPEC.index("  Tiny:") :]
    (here / "tiny.yaml").write_text(SPEC + "".join(tensors.replace("Tiny:", f"Tiny{i}:") for i in range(20)))
    main(["generate", "tiny.yaml", "-o", "expected"])
    assert main(["generate", "tiny.yaml", "-o", "out", "-j", jobs]) == 0
    assert [(here / "out" / name).read_bytes() for name in OUTPUT] == [
        (here / "expected" / name).read_bytes() for name in OUTPUT
    ]


# ---- Missing and unusable files ----


@pytest.mark.parametrize(
    "arguments", [["/spec.yaml", "-o", "out"], ["tiny.yaml", "-o", "/out"], ["/spec.yaml", "-o", "/out"]]
)
def test_a_deleted_working_directory_matters_only_for_relative_paths(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    arguments = [f"{tmp_path}{each}" if each.startswith("/") else each for each in arguments]
    if any(not each.startswith(("/", "-")) for each in arguments):
        assert refused(capsys, "generate", *arguments) == "the working directory has been deleted"
    else:
        assert main(["generate", *arguments]) == 0
        assert names(tmp_path / "out") == OUTPUT


def test_a_missing_spec_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "generate", "tiny.yaml", "missing.yaml", "-o", "out")
    assert message == "cannot read missing.yaml: No such file or directory"
    assert names(here) == ["tiny.yaml"]


def test_a_spec_that_is_a_directory_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "generate", ".", "-o", "out") == "cannot read .: Is a directory"


def test_an_unreadable_spec_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Not even root can read this one.
    assert (
        refused(capsys, "generate", "/proc/self/mem", "-o", "out") == "cannot read /proc/self/mem: Input/output error"
    )


def test_a_line_break_in_a_name_stays_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "generate", "a\nb\x1b[31m", "-o", "out")
    assert message == "cannot read a\\nb\\x1b[31m: No such file or directory"


def test_an_output_folder_that_is_a_file_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "generate", "tiny.yaml", "-o", "tiny.yaml") == "tiny.yaml is not a directory"
    assert refused(capsys, "generate", "tiny.yaml", "-o", "tiny.yaml", "--check") == "tiny.yaml is not a directory"
    assert (here / "tiny.yaml").read_text() == SPEC


def test_an_output_folder_that_cannot_be_made_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "generate", "tiny.yaml", "-o", "/proc/dlpack-bindgen-test")
    assert message.startswith("cannot make the directory /proc/dlpack-bindgen-test: ")


def test_a_target_that_is_a_directory_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "out" / "tiny.pyi").mkdir(parents=True)
    message = refused(capsys, "generate", "tiny.yaml", "-o", "out")
    assert message == "cannot write out/tiny.pyi: it is a directory"
    assert names(here / "out") == ["tiny.pyi"]


def test_a_missing_formatter_is_an_error_with_advice(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dlpack_bindgen.emit import clang_format

    clang_format._checked_binary.cache_clear()
    monkeypatch.setattr(clang_format, "_find_binary", lambda: None)
    assert "pip install clang-format==19.1.7" in refused(capsys, "generate", "tiny.yaml", "-o", "out")
    assert names(here) == ["tiny.yaml"]


def test_a_refused_piece_leaves_no_file(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dlpack_bindgen.emit import clang_format

    cut = clang_format.cut
    monkeypatch.setattr(
        clang_format, "cut", lambda text: [*cut(text, 1)[:-1], clang_format.Piece("int f( {\n", formatted=False)]
    )
    message = refused(capsys, "generate", "tiny.yaml", "-o", "out")
    assert message == "clang-format cannot read tiny_dlpack.h: its brackets may be unbalanced"
    assert names(here) == ["tiny.yaml"]
