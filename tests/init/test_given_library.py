"""`init` with a library: functions that it lacks are left out, and the module of the draft is imported. `--only` and
`--without` choose functions and types."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from generator.command import refused
from support.build import CC

HEADER = """\
#ifndef LAMP_H
#define LAMP_H
typedef struct lamp lamp;
typedef struct bulb { int watts; } bulb;
lamp *lamp_new(int watts);
void lamp_free(lamp *l);
int lamp_level(const lamp *l);
int lamp_missing(const lamp *l);
int bulb_watts(const bulb *b);
static inline int lamp_twice(const lamp *l) { return 2 * lamp_level(l); }
#endif
"""
SOURCE = """\
#include <stdlib.h>
#include "lamp.h"
struct lamp { int watts; };
lamp *lamp_new(int watts) { lamp *l = malloc(sizeof *l); if (l) l->watts = watts; return l; }
void lamp_free(lamp *l) { free(l); }
int lamp_level(const lamp *l) { return l->watts; }
int bulb_watts(const bulb *b) { return b->watts; }
"""


def built(folder: Path, name: str, source: str) -> Path:
    """Compiles a shared library."""
    (folder / f"{name}.c").write_text(source)
    path = folder / f"lib{name}.so"
    subprocess.run([*CC, "-shared", "-fPIC", "-I.", f"{name}.c", "-o", path.name], cwd=folder, check=True)
    return path


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the header of a library, and the library without one of its functions."""
    folder = tmp_path_factory.mktemp("lamp")
    (folder / "lamp.h").write_text(HEADER)
    built(folder, "lamp", SOURCE)
    return folder


def drafted(folder: Path, capsys: pytest.CaptureFixture[str], *options: str, flags: tuple[str, ...] = ()) -> str:
    """Returns the spec that `init` prints for the header in a folder."""
    assert main(["init", str(folder / "lamp.h"), *options, *(["--", *flags] if flags else [])]) == 0
    out, err = capsys.readouterr()
    assert "cannot be imported" not in err
    return out


# ---- The functions that a library defines ----


@pytest.mark.parametrize("form", ["path", "-l", "name"])
def test_a_function_that_the_library_lacks_is_left_out(
    lamp: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(lamp))
    names = {
        "path": ["--library", str(lamp / "liblamp.so")],
        "-l": [f"--library=-L{lamp}", "--library=-llamp"],
        "name": [f"--library=-L{lamp}", "--library", "lamp"],
    }
    spec = drafted(lamp, capsys, *names[form])
    assert "# The library lacks 1 function of the header, left out here: lamp_missing\n" in spec
    assert spec.count("lamp_missing") == 1
    assert "int lamp_level(const lamp *l)" in spec
    assert "release: lamp_free(self)" in spec
    assert "No library was given" not in spec


def test_functions_of_the_header_itself_stay(lamp: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "lamp_twice" in drafted(lamp, capsys, "--library", str(lamp / "liblamp.so"))


def test_without_a_library_all_functions_stay(lamp: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = drafted(lamp, capsys)
    assert "int lamp_missing(const lamp *l)" in spec
    assert "# No library was given: a function that it lacks makes the import fail" in spec


def test_many_missing_functions_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "".join(f"int lamp_{letter}(int x);\n" for letter in "abcdefgh")
    (tmp_path / "lamp.h").write_text(f"{lines}int lamp_is_on(int x);\n")
    library = built(tmp_path, "on", "int lamp_is_on(int x) { return x; }\n")
    spec = drafted(tmp_path, capsys, "--library", str(library))
    names = ", ".join(f"lamp_{letter}" for letter in "abcdef")
    assert f"# The library lacks 8 functions of the header, left out here: {names}, ...\n" in spec
    assert "lamp_is_on" in spec


def test_two_libraries_define_the_functions_together(lamp: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = built(lamp, "more", '#include "lamp.h"\nint lamp_missing(const lamp *l) { return l != 0; }\n')
    spec = drafted(lamp, capsys, "--library", str(lamp / "liblamp.so"), "--library", str(more))
    assert "lacks" not in spec
    assert "lamp_missing" in spec


def test_the_draft_with_a_library_is_written(lamp: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "lamp.yaml"
    command = ["init", str(lamp / "lamp.h"), "--library", str(lamp / "liblamp.so"), "-o", str(spec)]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert "# The library lacks 1 function" in spec.read_text()
    assert err == ""
    assert "wrote" in out


# ---- Libraries that are not there ----


def test_a_missing_file_is_an_error(lamp: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "init", str(lamp / "lamp.h"), "--library", "./libnone.so")
    assert message == "there is no library ./libnone.so: name a file, or a name as behind -l"
    message = refused(capsys, "init", str(lamp / "lamp.h"), "--library", f"{lamp}/")
    assert message == f"there is no library {lamp}/: name a file, or a name as behind -l"


@pytest.mark.parametrize("name", ["dlbnone", "libdlbnone.so", "-ldlbnone"])
def test_a_name_that_the_linker_does_not_find_is_an_error(
    lamp: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    message = refused(capsys, "init", str(lamp / "lamp.h"), f"--library={name}")
    assert message == "the linker finds no library dlbnone: name its path"


def test_a_file_that_is_no_library_is_an_error(lamp: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "libtext.so").write_text("this is a text\n")
    message = refused(capsys, "init", str(lamp / "lamp.h"), "--library", str(tmp_path / "libtext.so"))
    assert message.startswith("the header cannot be linked with the library: ")


def test_nothing_is_written_after_an_error(lamp: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "init", str(lamp / "lamp.h"), "--library", "dlbnone", "-o", str(tmp_path / "spec.yaml"))
    assert list(tmp_path.iterdir()) == []


def test_a_library_that_cannot_be_imported_is_reported(
    lamp: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The functions are all there, but the library ends the process, as one without a display might."""
    source = "#include <stdlib.h>\n__attribute__((constructor)) static void start(void) { _Exit(3); }\n"
    (tmp_path / "lamp.h").write_text(HEADER)
    library = built(tmp_path, "lamp", source + SOURCE)
    spec = tmp_path / "lamp.yaml"
    assert main(["init", str(tmp_path / "lamp.h"), "--library", str(library), "-o", str(spec)]) == 0
    assert "the module of this draft cannot be imported: its import failed" in capsys.readouterr().err
    assert spec.is_file()


def test_a_library_that_crashes_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = "#include <signal.h>\n__attribute__((constructor)) static void start(void) { raise(SIGKILL); }\n"
    (tmp_path / "lamp.h").write_text(HEADER)
    library = built(tmp_path, "lamp", source + SOURCE)
    assert main(["init", str(tmp_path / "lamp.h"), "--library", str(library)]) == 0
    out, err = capsys.readouterr()
    assert "the module of this draft cannot be imported: its import ended with signal 9" in err
    assert "int lamp_level(const lamp *l)" in out


# ---- pkg-config ----


@pytest.fixture
def packages(lamp: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which pkg-config finds the library. Its header needs a flag."""
    if shutil.which(os.environ.get("PKG_CONFIG", "pkg-config")) is None:
        pytest.skip("pkg-config is not installed")
    folder = lamp / "packages"
    folder.mkdir(exist_ok=True)
    flags = f"Libs: -L{lamp} -llamp -Wl,-rpath,{lamp}\nCflags: -I{lamp} -DLAMP=lamp\n"
    text = f"Name: lamp\nDescription: lamp\nVersion: 1\n{flags}"
    (folder / "lamp.pc").write_text(text)
    monkeypatch.setenv("PKG_CONFIG_PATH", str(folder))
    return folder


def test_flags_and_library_come_from_a_package(
    packages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lamp.h").write_text(HEADER.replace("typedef struct lamp lamp", "typedef struct lamp LAMP"))
    spec = drafted(tmp_path, capsys, "--pkg-config", "lamp")
    assert "left out here: lamp_missing" in spec
    assert "int lamp_level(const lamp *l)" in spec


def test_an_unknown_package_is_an_error(packages: Path, lamp: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(capsys, "init", str(lamp / "lamp.h"), "--pkg-config", "dlbnone")
    assert message.startswith("pkg-config knows no dlbnone: ")


def test_a_missing_pkg_config_is_an_error(
    lamp: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PKG_CONFIG", "no-such-pkg-config")
    message = refused(capsys, "init", str(lamp / "lamp.h"), "--pkg-config", "lamp")
    assert message.startswith("there is no no-such-pkg-config here")


# ---- --only and --without ----

ROOMS = """\
typedef struct lib_room lib_room;
typedef struct lib_door lib_door;
lib_room *lib_room_new(int size);
void lib_room_free(lib_room *r);
int lib_room_size(const lib_room *r);
lib_door *lib_door_new(int width);
void lib_door_free(lib_door *d);
int lib_door_width(const lib_door *d);
int lib_between(const lib_room *r, const lib_door *d);
int lib_version(void);
"""
ALL = (
    "lib_room_new lib_room_free lib_room_size lib_door_new lib_door_free lib_door_width lib_between lib_version".split()
)


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (["--only", "lib_room_*"], {"lib_room_new", "lib_room_free", "lib_room_size"}),
        (["--only", "lib_room"], {"lib_room_new", "lib_room_free", "lib_room_size", "lib_between"}),
        (["--only", "lib_version"], {"lib_version"}),
        (["--only", "lib_version", "--only", "lib_between"], {"lib_version", "lib_between"}),
        (["--without", "lib_door"], {"lib_room_new", "lib_room_free", "lib_room_size", "lib_version"}),
        (["--without", "lib_*_new"], {*ALL} - {"lib_room_new", "lib_door_new"}),
        (["--only", "lib_room", "--without", "lib_between"], {"lib_room_new", "lib_room_free", "lib_room_size"}),
        (["--only", "LIB_*", "--only", "*version"], {"lib_version"}),
    ],
)
def test_functions_are_chosen_by_names_and_types(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], left: set[str]
) -> None:
    (tmp_path / "rooms.h").write_text(ROOMS)
    assert main(["init", str(tmp_path / "rooms.h"), *options]) == 0
    body = capsys.readouterr().out.partition("dlpack-bindgen: 1")[2]
    assert {name for name in ALL if name in body} == left


def test_a_choice_without_any_name_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rooms.h").write_text(ROOMS)
    message = refused(capsys, "init", str(tmp_path / "rooms.h"), "--only", "hall_*", "--without", "x")
    assert message == "no function or type of the header fits hall_*, x"
