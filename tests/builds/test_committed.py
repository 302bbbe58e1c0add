"""docs/committing.md: its project is written, and each of its builds runs where there is neither Python nor this
package."""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

from builds import listings
from builds.conftest import need, real_binary, run
from builds.listings import section, write_files
from support.build import path_with_generator

ANSWER = "4 elements, the last is 2.5\n"


def commands(title: str) -> list[str]:
    return listings.commands("committing", title)


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Writes the project as its repository has it."""
    folder = tmp_path_factory.mktemp("committed")
    write_files("committing", "Write the files", folder)
    path = path_with_generator(tmp_path_factory.mktemp("bin"))
    for listing in commands("Write the files"):
        run(["sh", "-euc", listing], folder, path)
    return folder


@pytest.fixture
def project(committed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(committed, tmp_path / "project"))


def test_the_machine_has_no_python(bare: Path, project: Path) -> None:
    for name in ("python", "python3", "dlpack-bindgen", "clang-format"):
        assert run(["sh", "-c", f"command -v {name} || echo missing"], project, str(bare)) == "missing\n"


def test_the_table_lists_the_files(committed: Path) -> None:
    rows = re.findall(r"^\| (`.*?) \|", section("committing", "Write the files"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(.*?)`", row)}
    licences = {"dlb_LICENSE.txt", "dlpack/LICENSE"}
    glue = committed / "glue"
    assert named | licences == {path.relative_to(glue).as_posix() for path in glue.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("title", "number"), [("cc", 0), ("cc", 1), ("A static library", 0)], ids=["cc", "pkg-config", "static library"]
)
def test_the_documented_commands_build_the_program(bare: Path, project: Path, title: str, number: int) -> None:
    run(["sh", "-euc", commands(title)[number]], project, str(bare))
    assert run(["./main"], project, str(bare)) == ANSWER


def test_the_documented_makefile_builds_the_program(bare: Path, project: Path) -> None:
    write_files("committing", "make", project)
    run(["make"], project, str(bare))
    assert run(["./main"], project, str(bare)) == ANSWER
    assert "main.o" in run(["make", "-W", "glue/dlb_core.h", "-n"], project, str(bare))


def test_the_documented_cmake_project_builds_the_program(bare: Path, project: Path) -> None:
    write_files("committing", "CMake", project)
    cmake = real_binary("cmake", "data/bin/cmake")
    run([cmake, "-S", ".", "-B", "build"], project, str(bare))
    run([cmake, "--build", "build"], project, str(bare))
    assert run(["build/main"], project, str(bare)) == ANSWER


def test_the_documented_meson_project_builds_the_program(bare: Path, project: Path) -> None:
    """Meson is a program in Python: it runs with its own, which is not on PATH."""
    write_files("committing", "Meson", project)
    need("mesonbuild")
    ninja = real_binary("ninja", "data/bin/ninja")
    meson = [sys.executable, "-I", "-m", "mesonbuild.mesonmain"]
    run([*meson, "setup", "build"], project, str(bare), NINJA=str(ninja))
    run([ninja, "-C", "build"], project, str(bare))
    assert run(["build/main"], project, str(bare)) == ANSWER


@pytest.fixture(scope="module")
def zig_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zig")


@pytest.mark.parametrize(
    ("title", "number", "program", "magic", "runner"),
    [
        ("Another machine", 0, "main-arm64", b"\x7fELF\x02", "qemu-aarch64"),
        ("Another machine", 1, "main.exe", b"MZ", None),
        ("Another machine", 2, "main-macos", b"\xcf\xfa\xed\xfe", None),
        ("Small devices", 0, "main-arm", b"\x7fELF\x01", "qemu-arm"),
    ],
)
def test_zig_builds_the_program_for_other_machines(
    bare: Path, project: Path, zig_cache: Path, title: str, number: int, program: str, magic: bytes, runner: str | None
) -> None:
    path = f"{bare}:{need('ziglang')}"
    [listing] = commands(title)
    command = re.findall(r"^zig (?:.*\\\n)*.*\n", listing, re.MULTILINE)[number]
    run(["sh", "-euc", command], project, path, ZIG_GLOBAL_CACHE_DIR=str(zig_cache), ZIG_LOCAL_CACHE_DIR="zig")
    assert (project / program).read_bytes().startswith(magic)
    if runner is None:
        return
    if not (bare / runner).exists():
        pytest.skip(f"{runner} is not installed")
    assert run([runner, f"./{program}"], project, str(bare)) == ANSWER


@pytest.mark.parametrize(("page", "title"), [("committing", "Another machine"), ("packaging", "Old Linux systems")])
def test_the_compiler_of_zig_is_on_path(bare: Path, tmp_path: Path, page: str, title: str) -> None:
    """Runs the first line of the listing: the program lies in the package, in no folder of programs."""
    zig = need("ziglang") / "zig"
    [listing] = listings.commands(page, title)
    script = listing.split("\n")[0] + "\ncommand -v zig"
    assert run(["sh", "-euc", script], tmp_path, f"{Path(sys.executable).parent}:{bare}") == f"{zig}\n"


def test_the_documented_commands_build_a_python_module(bare: Path, project: Path, tmp_path: Path) -> None:
    vendor, build = commands("A Python module")
    run(["sh", "-euc", vendor], project, path_with_generator(tmp_path))
    build = build.replace("$(python3-config --includes)", f"-I{sysconfig.get_path('include')}")
    build = build.replace("$(python3-config --extension-suffix)", str(sysconfig.get_config_var("EXT_SUFFIX")))
    run(["sh", "-euc", build], project, str(bare))
    code = "import sound; print(sound.Clip.__name__)"
    assert run([sys.executable, "-c", code], project, str(bare)) == "Clip\n"


def test_the_documented_checks_find_no_difference(project: Path, tmp_path: Path) -> None:
    path = path_with_generator(tmp_path)
    [listing] = commands("Keep the files up to date")
    assert run(["sh", "-euc", listing], project, path) == ""


def test_two_copies_of_the_runtime_work_in_one_program(bare: Path, project: Path, tmp_path: Path) -> None:
    [listing] = commands("Two copies in one program")
    run(["sh", "-euc", listing], project, path_with_generator(tmp_path))
    run(["sh", "-euc", commands("cc")[0]], project, str(bare))
    assert run(["./main"], project, str(bare)) == ANSWER
    symbols = re.findall(r"\w*dlb_own\b", run(["nm", "main"], project, str(bare)))
    assert symbols == ["clip_dlb_own"]
