"""The compilation database of a library: the file that `init` uses, and the flags in it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from init.conftest import compile_generated, initialised
from support.build import CC

HEADER = (
    "#ifndef SAMPLE\n#define SAMPLE float\n#endif\n"
    "struct wave { SAMPLE *data; int n; };\nvoid wave_free(struct wave *w);\n"
)
PLUGIN = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void loaded(void) { fclose(fopen(getenv("MARK"), "w")); }
"""


def entry(folder: Path, *flags: str, source: str = "wave.c") -> dict[str, object]:
    return {"directory": str(folder), "file": source, "arguments": ["cc", *flags, "-c", source]}


def write_database(folder: Path, *entries: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(entries))
    return path


def header_in(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wave.h").write_text(HEADER)
    return folder / "wave.h"


def flags_of(folder: Path, *flags: str) -> Sequence[str]:
    """Returns the flags that `init` uses of an entry with `flags`."""
    from dlpack_bindgen.tools.init.header import database_flags

    write_database(folder, entry(folder, *flags))
    return database_flags(header_in(folder)).flags


# ---- Flags of an entry ----

CODE = [
    ["-fplugin=PLUGIN"],
    ["-fplugin", "PLUGIN"],
    ["-fpass-plugin=PLUGIN"],
    ["-Xclang", "-load", "-Xclang", "PLUGIN"],
    ["-Xclang=-load"],
    ["-load", "PLUGIN"],
    ["-mllvm", "-load=PLUGIN"],
    ["-mllvm=-load=PLUGIN"],
    ["@options"],
    ["-I", "@options"],
    ["-D", "@options"],
    ["-include", "@options"],
    ["-B", "tools"],
    ["-Btools"],
    ["--gcc-toolchain=tools"],
    ["-wrapper", "./run"],
    ["-specs=options"],
    ["--specs=options"],
    ["-fuse-ld=./run"],
    ["-fmodule-map-file=options"],
    ["-fmodules"],
    ["-include-pch", "options"],
    ["-imacros", "options"],
    ["-MD", "-MF", "written"],
    ["-fdiagnostics-add-output=sarif:file=written"],
    ["-save-temps"],
    ["-std=gnu++17"],
    ["-march=native,-fplugin=PLUGIN"],
    ["-D", "-fplugin=PLUGIN"],
    ["-I", "-fplugin=PLUGIN"],
    ["-include", "-fplugin=PLUGIN"],
]


@pytest.mark.parametrize("flags", CODE, ids=" ".join)
def test_flags_that_choose_code_or_files_are_left_out(tmp_path: Path, flags: list[str]) -> None:
    """The remaining words are include folders or macros, which no compiler takes for other flags."""
    (tmp_path / "options").write_text("-fplugin=PLUGIN")
    kept, *rest = flags_of(tmp_path, "-DKEPT", *flags)
    assert kept == "-DKEPT"
    for flag in rest:
        assert flag.startswith((f"-I{tmp_path}/", "-D-", "-D@"))


KEPT = [
    "-DSAMPLE=short",
    "-USAMPLE",
    "-std=gnu11",
    "-std=iso9899:1999",
    "-ansi",
    "-m32",
    "-m64",
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-funsigned-char",
    "-fno-signed-char",
    "-fpack-struct",
    "-fpack-struct=2",
    "-malign-double",
    "-mms-bitfields",
    "-mlong-double-64",
    "-fms-extensions",
    "-march=x86-64-v2",
    "-mavx2",
    "-mno-sse4.1",
    "-mfloat-abi=hard",
    "-fopenmp",
    "-pthread",
]


def test_flags_that_change_types_are_kept(tmp_path: Path) -> None:
    assert list(flags_of(tmp_path, "-O2", "-Wall", *KEPT, "-fPIC", "-lm")) == KEPT


def test_relative_folders_of_flags_belong_to_the_entry(tmp_path: Path) -> None:
    given = ["-I", "a", "-Ib", "-isystem", "c", "-iquote../d", "-idirafter", "/e", "-D", "F", "--sysroot", "/g"]
    folders = [f"-I{tmp_path}/a", f"-I{tmp_path}/b", f"-isystem{tmp_path}/c", f"-iquote{tmp_path}/../d", "-idirafter/e"]
    assert list(flags_of(tmp_path, *given)) == [*folders, "-DF", "-isysroot/g"]


def test_a_flag_with_an_empty_value_is_left_out(tmp_path: Path) -> None:
    assert list(flags_of(tmp_path, "-DA", "-D", "", "-I", "", "-include", "", "-D")) == ["-DA", "-D-c"]


def test_headers_that_an_entry_includes_first_are_included(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.h").write_text("#define SAMPLE double\n")
    os.mkfifo(tmp_path / "pipe.h")
    flags = ["-Iconfig", "-include", "config.h", "-include", "stdint.h", "-include", "pipe.h"]
    config = str(tmp_path / "config" / "config.h")
    assert list(flags_of(tmp_path, *flags)) == [f"-I{tmp_path}/config", "-include", config, "-include", "stdint.h"]
    spec = initialised(tmp_path / "spec.yaml", str(tmp_path / "wave.h"))
    assert "dtype: float64" in spec
    assert "include: [config.h, <stdint.h>, wave.h]" in spec
    compile_generated(spec, tmp_path, [f"-I{tmp_path}/config"])


@pytest.mark.parametrize("place", [".", "build", "..", "../build"])
def test_a_plugin_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    plugin = tmp_path / "plugin.so"
    (tmp_path / "plugin.c").write_text(PLUGIN)
    subprocess.run([*CC, "-shared", "-fPIC", str(tmp_path / "plugin.c"), "-o", str(plugin)], check=True)
    (tmp_path / "options").write_text(f"-fplugin={plugin}\n")
    header = header_in(tmp_path / "library" / "include")
    (tmp_path / "library" / ".git").mkdir()
    flags = [f"-fplugin={plugin}", f"@{tmp_path}/options", "-I", f"@{tmp_path}/options", "-DSAMPLE=short"]
    write_database(header.parent / place, entry(tmp_path, *flags))
    monkeypatch.setenv("MARK", str(tmp_path / "mark"))
    assert "dtype: int16" in initialised(tmp_path / "spec.yaml", str(header))
    assert not (tmp_path / "mark").exists()


def test_the_compiler_of_an_entry_is_not_run(tmp_path: Path) -> None:
    program = tmp_path / "cc"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/mark\n")
    program.chmod(0o755)
    write_database(tmp_path, {**entry(tmp_path), "arguments": [str(program), "-DSAMPLE=short", "wave.c"]})
    assert "dtype: int16" in initialised(tmp_path / "spec.yaml", str(header_in(tmp_path)))
    assert not (tmp_path / "mark").exists()


# ---- Search for the database ----


def used(folder: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[bool, str]:
    """Returns whether `init` uses a database with SAMPLE=short, and the lines of stderr."""
    header = folder / "wave.h"
    spec = initialised(folder / "spec.yaml", str(header), "--force", flags=flags)
    return "dtype: int16" in spec, capsys.readouterr().err


@pytest.mark.parametrize("mark", [".git", ".hg", "CMakeLists.txt", "meson.build"])
def test_no_database_above_the_library_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str], mark: str) -> None:
    """A folder that anyone can write, such as /tmp, can stand above the library."""
    library = tmp_path / "library"
    folder = header_in(library / "include" / "wave").parent
    (library / mark).touch()
    above = write_database(tmp_path, entry(tmp_path, "-DSAMPLE=short"))
    assert used(folder, capsys) == (False, "")
    own = write_database(library / "build", entry(tmp_path, "-DSAMPLE=short"))
    above.unlink()
    message = f"dlpack-bindgen: note: the flags are those of wave.c in {own}; choose others with -- CFLAGS\n"
    assert used(folder, capsys) == (True, message)


def test_a_build_file_of_a_subfolder_does_not_end_the_search(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = header_in(tmp_path / "src" / "wave").parent
    (tmp_path / "CMakeLists.txt").touch()
    (tmp_path / "src" / "wave" / "CMakeLists.txt").touch()
    write_database(tmp_path / "build", entry(tmp_path, "-DSAMPLE=short"))
    assert used(folder, capsys)[0]


@pytest.mark.parametrize(("place", "is_used"), [(".", True), ("build", True), ("..", False), ("../build", False)])
def test_a_database_is_found_beside_or_below_the_header(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str, is_used: bool
) -> None:
    folder = header_in(tmp_path / "include").parent
    write_database(folder / place, entry(tmp_path, "-DSAMPLE=short"))
    assert used(folder, capsys)[0] == is_used


def test_flags_after_two_dashes_replace_the_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = header_in(tmp_path).parent
    write_database(folder, entry(tmp_path, "-DSAMPLE=short"))
    assert used(folder, capsys, "-O2") == (False, "")


def test_the_entry_of_a_source_beside_the_header_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Entries in another form are passed over."""
    folder = header_in(tmp_path).parent
    strange: list[object] = [
        5,
        {},
        {"directory": 5, "file": "wave.c", "arguments": []},
        {"directory": "", "file": "wave.c", "arguments": "cc"},
        {"directory": "a\0b", "file": "wave.c", "command": "cc"},
        {"directory": "\ud800", "file": "wave.c", "command": "cc"},
        {"directory": str(folder), "file": "wave.c", "command": "cc '"},
        {"directory": str(folder), "file": "wave.c", "arguments": ["cc", 5]},
        {"directory": str(folder), "file": "wave.c", "arguments": ["cc", "-DA=\0"]},
        {"directory": str(folder), "file": "wave.c", "arguments": ["cc", "-DA=\ud800"]},
        {"directory": str(folder), "file": "wave.c", "arguments": []},
    ]
    elsewhere = {"directory": "/", "file": "/other.c", "command": "cc -DSAMPLE=double"}
    beside = {"directory": ".", "file": "wave.c", "command": "cc '-DSAMPLE=short'"}
    write_database(folder, *strange, elsewhere, beside)
    assert used(folder, capsys)[0]


# ---- Files that are not databases ----

BROKEN = [
    pytest.param("[" * 200_000, "it is nested too deeply", id="deep"),
    pytest.param('[{"a":' * 200_000, "it is nested too deeply", id="deep objects"),
    pytest.param("", "it is not JSON", id="empty"),
    pytest.param("[", "it is not JSON", id="not closed"),
    pytest.param("[" + "1" * 5000 + "]", "it is not JSON", id="number of many digits"),
    pytest.param(b"\xff\xfe[\0]\0", "it is not in UTF-8", id="UTF-16"),
    pytest.param(b'[{"directory": "\xe9"}]', "it is not in UTF-8", id="Latin-1"),
    pytest.param("5", "it has no flags of a source file", id="number"),
    pytest.param("{}", "it has no flags of a source file", id="object"),
    pytest.param("[]", "it has no flags of a source file", id="no entry"),
    pytest.param('[{"file": "wave.c"}]', "it has no flags of a source file", id="no folder"),
    pytest.param('[{"directory": "/", "file": "wave.c", "arguments": 5}]', "it has no flags of a source file", id="5"),
]


@pytest.mark.parametrize(("text", "reason"), BROKEN)
def test_a_file_that_is_not_a_database_is_noted_and_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | bytes, reason: str
) -> None:
    path = tmp_path / "compile_commands.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    folder = header_in(tmp_path).parent
    message = f"dlpack-bindgen: note: {path} is not used, because {reason}; choose the flags with -- CFLAGS\n"
    assert used(folder, capsys) == (False, message)


def make_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(32 * 1024 * 1024 + 1)


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(os.mkfifo, "it is not a regular file", id="FIFO"),
        pytest.param(Path.mkdir, "of this error: Is a directory", id="folder"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), "it is not a regular file", id="device"),
        pytest.param(
            lambda path: path.symlink_to("nothing"), "of this error: No such file or directory", id="dangling"
        ),
        pytest.param(make_loop, "of this error: Too many levels of symbolic links", id="loop"),
        pytest.param(make_large, "it is larger than 32 MiB", id="large"),
    ],
)
def test_an_unreadable_database_leads_to_the_next_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: object, reason: str
) -> None:
    """The next database is used."""
    folder = header_in(tmp_path).parent
    path = tmp_path / "compile_commands.json"
    assert callable(make)
    make(path)
    next_one = write_database(tmp_path / "build", entry(tmp_path, "-DSAMPLE=short"))
    assert used(folder, capsys) == (
        True,
        f"dlpack-bindgen: note: {path} is not used, because {reason}; choose the flags with -- CFLAGS\n"
        f"dlpack-bindgen: note: the flags are those of wave.c in {next_one}; choose others with -- CFLAGS\n",
    )


def test_a_database_without_permission_is_noted_and_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = header_in(tmp_path).parent
    path = write_database(tmp_path, entry(tmp_path, "-DSAMPLE=short"))
    opened = os.open

    def refuse(name: str | Path, flags: int, **others: int) -> int:
        if str(name) == str(path):
            raise PermissionError(13, "Permission denied")
        return opened(name, flags, **others)

    monkeypatch.setattr(os, "open", refuse)
    assert main(["init", str(folder / "wave.h")]) == 0
    message = f"{path} is not used, because of this error: Permission denied; choose the flags with -- CFLAGS"
    assert message in capsys.readouterr().err
