"""Flags with which `init` reads a header: those after `--`, else those of a compilation database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from init.conftest import compile_generated, initialised

HEADER = "#include <settings.h>\nstruct wave { SAMPLE *data; int n; };\nvoid wave_free(struct wave *w);\n"


def library(folder: Path) -> Path:
    (folder / "config").mkdir()
    (folder / "config" / "settings.h").write_text("")
    (folder / "wave.h").write_text(HEADER)
    return folder / "wave.h"


def test_flags_after_two_dashes_are_used(tmp_path: Path) -> None:
    header = library(tmp_path)
    flags = ["-DSAMPLE=float", f"-I{tmp_path / 'config'}", "-O2", "-lwave"]
    assert "dtype: float32" in initialised(tmp_path / "spec.yaml", str(header), flags=flags)


@pytest.mark.parametrize("flags", [["-Iconfig"], ["-I", "config"], ["-isystem", "config"], ["-idirafter", "config"]])
def test_folders_of_flags_are_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str]
) -> None:
    """The compiler, which checks the draft, runs in another folder."""
    library(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert "dtype: float32" in initialised(Path("spec.yaml"), "wave.h", flags=["-DSAMPLE=float", *flags])


def test_a_header_that_is_included_first_is_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(tmp_path)
    (tmp_path / "config" / "sample.h").write_text("#define SAMPLE double\n")
    monkeypatch.chdir(tmp_path)
    flags = ["-Iconfig", "-include", "config/sample.h"]
    assert "dtype: float64" in initialised(Path("spec.yaml"), "wave.h", flags=flags)


def test_comments_count_below_a_system_folder(tmp_path: Path) -> None:
    """The compiler knows such a folder by the flag -isystem, or finds the library in one of its own."""
    (tmp_path / "lamp").mkdir()
    (tmp_path / "lamp" / "lamp.h").write_text("#include <lamp/bulb.h>\n")
    (tmp_path / "lamp" / "bulb.h").write_text("/** Tells how bright it is. */\nint bulb_level(int watts);\n")
    header = str(tmp_path / "lamp" / "lamp.h")
    spec = initialised(tmp_path / "spec.yaml", header, "--accept", flags=["-isystem", str(tmp_path)])
    assert "doc: Tells how bright it is" in spec


def test_headers_that_are_included_first_are_listed_in_the_spec(tmp_path: Path) -> None:
    (tmp_path / "wave.h").write_text("struct wave { SAMPLE *data; off_t n; };\nvoid wave_free(struct wave *w);\n")
    (tmp_path / "sample.h").write_text("#define SAMPLE double\n")
    flags = ["-include", "sys/types.h", "-include", str(tmp_path / "sample.h")]
    spec = initialised(tmp_path / "spec.yaml", str(tmp_path / "wave.h"), flags=flags)
    assert "include: [<sys/types.h>, sample.h, wave.h]" in spec
    compile_generated(spec, tmp_path, [])


def test_flags_of_a_compilation_database_are_used(tmp_path: Path) -> None:
    header = library(tmp_path)
    (tmp_path / "build").mkdir()
    command = "cc -DSAMPLE=short -I../config -O2 -c ../wave.c -o wave.o"
    entry = {"directory": str(tmp_path / "build"), "file": "../wave.c", "command": command}
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    assert "dtype: int16" in initialised(tmp_path / "spec.yaml", str(header))


def test_only_headers_with_a_part_of_the_name_belong_to_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder of many libraries, a header that only includes others stands for those with a part of its name."""
    (tmp_path / "doublewave.h").write_text("#define REAL double\n#include <wave.h>\n#include <other.h>\n")
    (tmp_path / "wave.h").write_text("struct wave { REAL *data; int n; };\nvoid wave_free(struct wave *w);\n")
    (tmp_path / "other.h").write_text("int other_status(void);\n")
    monkeypatch.setenv("CPATH", str(tmp_path))
    spec = initialised(tmp_path / "spec.yaml", "doublewave.h")
    assert "dtype: float64" in spec
    assert "other_status" not in spec
