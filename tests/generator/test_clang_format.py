"""The formatter: one exact version, wherever it is installed, and the style of the project."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dlpack_bindgen.emit import clang_format
from dlpack_bindgen.emit.clang_format import FormatterError, format_files

ADVICE = "pip install clang-format==19.1.7, or set DLB_CLANG_FORMAT to a program of this version"


@pytest.fixture(autouse=True)
def forget_the_binary(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("DLB_CLANG_FORMAT", raising=False)
    clang_format._checked_binary.cache_clear()
    yield
    clang_format._checked_binary.cache_clear()


def format_one(text: str) -> str:
    return format_files([("x.c", text)])[0]


def refuse(*files: tuple[str, str]) -> str:
    with pytest.raises(FormatterError) as caught:
        format_files(files or [("x.c", "int x;\n")])
    assert "\n" not in str(caught.value)
    return str(caught.value)


def pretend_binary(path: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr(clang_format, "_find_binary", lambda: path)
    return path


def test_each_text_is_formatted_in_order() -> None:
    files = [("a.h", "int   a ;"), ("a.c", "int   b ;"), ("a.c", "/* é */int   c ;")]
    assert format_files(files) == ["int a;\n", "int b;\n", "/* é */ int c;\n"]


def test_nothing_to_format_needs_no_formatter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang_format, "_find_binary", lambda: None)
    assert format_files([]) == []


def test_the_style_is_that_of_the_project() -> None:
    text = (
        "int f(void){ if(x) return 1; for(;;){} goto end;\n\n\n\nend: return 2;}\n"
        'const char *s = "a string that is longer than a line, which is a hundred columns, stays in one piece: yes";\n'
        '#include "z.h"\n#include "a.h"\n'
    )
    assert format_one(text) == (
        "int f(void)\n{\n    if (x)\n        return 1;\n    for (;;) {\n    }\n    goto end;\n"
        "\nend:\n    return 2;\n}\n"
        "const char *s =\n"
        '    "a string that is longer than a line, which is a hundred columns, stays in one piece: yes";\n'
        '#include "z.h"\n#include "a.h"\n'
    )


@pytest.mark.parametrize("kind", ["INTEGER", "POINTER", "SIGNED"])
def test_an_assertion_stays_on_one_line(kind: str) -> None:
    """Compilers show one line of an assertion, which must have the whole message."""
    assertion = f'DLB_ASSERT_{kind}(self->{"long_" * 20}member, "{"Image.shape[0]: " * 9}");'
    assert f"    {assertion}\n" in format_one(f"void f(void)\n{{\n{assertion}\n}}\n")


def test_formatting_twice_changes_nothing() -> None:
    once = format_one("int f(int a,int b){ return a+b; }\n#define X(a) do { a; } while(0)\n")
    assert format_one(once) == once


def test_a_header_is_never_formatted_as_objective_c() -> None:
    text = "int f(void)\n{\n    return [self x:1];\n}\n"
    assert format_files([("x.h", text)]) == format_files([("x.c", text)])


def test_the_styles_of_the_surroundings_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".clang-format").write_text("BasedOnStyle: Google\nDisableFormat: true\n")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)
    assert format_one("int   x;") == "int x;\n"
    assert os.listdir(tmp_path) == [".clang-format"]


def program(path: Path, version: str, log: Path) -> None:
    """Writes a clang-format that tells this version, notes its name when it formats, and formats like the real one."""
    real = clang_format._find_binary()
    path.parent.mkdir(exist_ok=True)
    script = (
        f'[ "$1" = --version ] && echo "Debian clang-format version {version} (3)" && exit; echo {path.name} >>{log}'
    )
    path.write_text(f'#!/bin/sh\n{script}\nexec {real} "$@"\n')
    path.chmod(0o755)


def test_the_wheel_comes_before_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin" / "clang-format", "19.1.7", tmp_path / "log")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert format_one("int   x;") == "int x;\n"
    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize(
    ("versions", "used"),
    [
        ({"clang-format": "19.1.7"}, "clang-format"),
        ({"clang-format": "19.1.7", "clang-format-19": "19.1.7"}, "clang-format-19"),
        ({"clang-format": "14.0.6", "clang-format-19": "19.1.7"}, "clang-format-19"),
        ({"clang-format": "19.1.7", "clang-format-19": "19.1.5"}, "clang-format"),
        ({"clang-format": "19.1.71"}, None),
        ({"clang-format": "14.0.6"}, None),
        ({}, None),
    ],
)
def test_a_clang_format_of_the_system_is_used_without_the_wheel(
    versions: dict[str, str], used: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    for name, version in versions.items():
        program(tmp_path / "bin" / name, version, log)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin-without-clang-format")
    for tool in ("sh", "echo"):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / tool).symlink_to(f"/bin/{tool}")
    if used is None:
        assert refuse() == f"clang-format 19.1.7 is not installed: {ADVICE}"
        return
    assert format_one("int   x;") == "int x;\n"
    assert log.read_text().split() == [used]


@pytest.mark.parametrize("named", ["path", "name"])
def test_dlb_clang_format_names_the_binary(named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin" / "my-format", "19.1.7", tmp_path / "log")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DLB_CLANG_FORMAT", str(tmp_path / "bin" / "my-format") if named == "path" else "my-format")
    assert format_one("int   x;") == "int x;\n"
    assert (tmp_path / "log").read_text() == "my-format\n"


def test_a_chosen_binary_must_have_the_right_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "my-format", "14.0.6", tmp_path / "log")
    monkeypatch.setenv("DLB_CLANG_FORMAT", str(tmp_path / "my-format"))
    assert refuse() == f"clang-format 19.1.7 is needed, but {tmp_path}/my-format is version 14.0.6: {ADVICE}"
    monkeypatch.setenv("DLB_CLANG_FORMAT", str(tmp_path / "none"))
    clang_format._checked_binary.cache_clear()
    assert refuse() == f"{tmp_path}/none cannot be run (No such file or directory): {ADVICE}"


def test_the_version_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    real = clang_format._find_binary()
    pretend_binary(tmp_path / "clang-format", f'echo "$1" >>{log}; exec {real} "$@"', monkeypatch)
    assert [format_one("int x;"), format_one("int y;")] == ["int x;\n", "int y;\n"]
    assert log.read_text().split() == ["--version", "-i", "-i"]


def pretend_wheel(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    (folder / "clang_format-19.1.7.dist-info").mkdir()
    path = folder / "clang_format" / "data" / "bin" / "clang-format"
    path.parent.mkdir(parents=True)
    return pretend_binary(path, script, monkeypatch)


def test_the_version_of_a_binary_of_the_right_wheel_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    real = clang_format._find_binary()
    pretend_wheel(tmp_path, f'echo "$1" >>{log}; exec {real} "$@"', monkeypatch)
    assert format_one("int   x;") == "int x;\n"
    assert log.read_text().split() == ["-i"]


def test_the_wheel_of_this_python_tells_its_version() -> None:
    """Otherwise each run would ask the binary."""
    binary = clang_format._find_binary()
    assert binary is not None
    assert (binary.parents[3] / f"clang_format-{clang_format.VERSION}.dist-info").is_dir()


# ---- Several processes ----


def sizes_of(shares: list[list[Path]], files: dict[str, int]) -> list[int]:
    return [sum(files[path.name] for path in share) for share in shares]


def shares(files: dict[str, int], jobs: int) -> list[list[Path]]:
    return clang_format._shares([Path(name) for name in files], list(files.values()), jobs)


def test_little_work_is_for_one_process() -> None:
    assert shares({"a": 9000, "b": 9000, "c": 9000}, 8) == [[Path("a"), Path("b"), Path("c")]]
    assert shares({"a": 0}, 8) == [[Path("a")]]


def test_much_work_is_shared_evenly() -> None:
    files = {"a": 50_000, "b": 10_000, "c": 80_000, "d": 40_000, "e": 30_000}
    assert sorted(sizes_of(shares(files, 2), files)) == [100_000, 110_000]
    assert sorted(path.name for share in shares(files, 3) for path in share) == sorted(files)
    assert len(shares(files, 100)) == len(files)
    assert len(shares(files, 1)) == 1


def test_files_come_back_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang_format, "_WORTH_A_PROCESS", 1)
    files = [("x.c", f"int   {'y' * (n * 7 % 5 + 1)}{n};") for n in range(10)]
    assert format_files(files, 3) == format_files(files, 1)


def test_the_first_text_that_is_not_c_is_named_whichever_process_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang_format, "_WORTH_A_PROCESS", 1)
    files = [("a.c", "int x;\n"), ("b.c", "int f( {\n"), ("c.c", "int g( {\n"), ("d.c", "int y;\n")]
    assert refuse(*files) == "clang-format cannot read b.c: its brackets may be unbalanced"


def test_one_long_text_is_shared_among_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    real = clang_format._find_binary()
    pretend_binary(tmp_path / "clang-format", f'echo "$1" >>{log}; exec {real} "$@"', monkeypatch)
    text = "".join(f"void   f{number}(void);\n\n" for number in range(3000))
    assert format_files([("x.h", text)], 2) == [text.replace("   ", " ").rstrip("\n") + "\n"]
    assert log.read_text().split() == ["--version", "-i", "-i"]


# ---- Failures ----


def test_a_missing_clang_format_is_an_error_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert refuse() == f"clang-format 19.1.7 is not installed: {ADVICE}"


def test_another_version_is_an_error_with_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = pretend_binary(tmp_path / "clang-format", "echo clang-format version 19.1.70", monkeypatch)
    assert refuse() == f"clang-format 19.1.7 is needed, but {binary} is version 19.1.70: {ADVICE}"


def test_a_binary_for_another_machine_is_an_error_with_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = pretend_binary(tmp_path / "clang-format", "", monkeypatch)
    binary.write_bytes(b"\x7fELF nonsense")
    assert refuse() == f"{binary} cannot be run (Exec format error): {ADVICE}"


def test_a_binary_that_fails_is_an_error_with_its_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = pretend_binary(tmp_path / "clang-format", "echo no libz >&2; exit 127", monkeypatch)
    assert refuse() == f"{binary} does not tell its version (no libz): {ADVICE}"


def test_a_failing_binary_of_the_wheel_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = pretend_wheel(tmp_path, "echo no libz >&2; exit 127", monkeypatch)
    assert refuse() == f"{binary} does not tell its version (no libz): {ADVICE}"


def test_a_text_that_is_not_c_is_named() -> None:
    message = refuse(("good.c", "int x;\n"), ("bad.c", "int f( {\n"))
    assert message == "clang-format cannot read bad.c: its brackets may be unbalanced"


def test_a_piece_that_is_not_c_is_refused_by_the_name_of_its_text() -> None:
    function = "void f(void)\n{\n}\n\n"
    message = refuse(("good.c", function * 2000), ("bad.c", function * 1500 + "int g( ;\n\n" + function * 1500))
    assert message == "clang-format cannot read bad.c: its brackets may be unbalanced"


def test_a_missing_temporary_folder_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    assert refuse() == "cannot run clang-format 19.1.7: No such file or directory"
