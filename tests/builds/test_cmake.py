"""The CMake package: modules and libraries of a spec, and messages about missing parts."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from builds.conftest import real_binary, run
from builds.library import HEADER, MAIN, PLAIN_SPEC, SOURCE, SPEC
from dlpack_bindgen import __version__
from support.build import TOP, path_with_generator

TRIAL = "import numpy, sound; clip = sound.Clip.empty((3,)); print(numpy.from_dlpack(clip), clip.samples)"
START = "cmake_minimum_required(VERSION 3.26)\nproject(sound LANGUAGES C)\nfind_package(dlpack_bindgen REQUIRED)\n"
PYTHON = "find_package(Python REQUIRED COMPONENTS Interpreter Development.Module Development.SABIModule)\n"


class Project:
    """A folder with a library, its spec and a CMakeLists.txt."""

    def __init__(self, folder: Path, path: str) -> None:
        self.folder = folder
        self.path = path
        self.cmake = real_binary("cmake", "data/bin/cmake")
        for name, text in {"sound.yaml": SPEC, "clip.h": HEADER, "clip.c": SOURCE, "main.c": MAIN}.items():
            (folder / name).write_text(text, encoding="utf-8")

    def run(self, *command: str | Path) -> str:
        return run(command, self.folder, self.path)

    def configure(self, text: str) -> str:
        (self.folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
        location = self.run("dlpack-bindgen", "config", "--cmakedir").strip()
        chosen = (f"-Ddlpack_bindgen_DIR={location}", f"-DPython_EXECUTABLE={sys.executable}")
        return self.run(self.cmake, "-S", ".", "-B", "build", *chosen)

    def build(self) -> str:
        return self.run(self.cmake, "--build", "build")

    def fails(self, text: str) -> str:
        with pytest.raises(AssertionError) as failed:
            self.configure(text)
        return " ".join(str(failed.value).split())


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "my project"
    folder.mkdir()
    return Project(folder, path_with_generator(tmp_path))


def test_cmake_builds_a_module_and_generates_again_after_changes(project: Project) -> None:
    project.configure(f"{START}{PYTHON}dlpack_bindgen_add_module(sound SPEC sound.yaml SOURCES clip.c)\n")
    project.build()
    assert run([sys.executable, "-c", TRIAL], project.folder / "build", project.path) == "[0. 0. 0.] 3\n"
    # Everything that was made is in the folder of the build.
    assert sorted(path.name for path in project.folder.iterdir()) == [
        *("CMakeLists.txt", "build", "clip.c", "clip.h", "main.c", "sound.yaml")
    ]
    assert "Generating" not in project.build()
    known = "".join(path.read_text() for path in (project.folder / "build").rglob("compiler_depend.make"))
    assert "/dlpack_bindgen/cli.py" in known  # a newer generator generates again
    (project.folder / "sound.yaml").write_text(SPEC.replace("samples:", "frames:"))
    assert "Generating the module sound" in project.build()
    assert "def frames(" in (project.folder / "build" / "sound.pyi").read_text()


def test_cmake_builds_a_module_of_the_limited_api(project: Project) -> None:
    if sys.version_info < (3, 11):
        pytest.skip("the limited API has buffers since 3.11")
    call = "dlpack_bindgen_add_module(sound SPEC sound.yaml SOURCES clip.c LIMITED_API)\n"
    project.configure(f"{START}{PYTHON}{call}")
    project.build()
    assert (project.folder / "build" / "sound.abi3.so").is_file()
    assert run([sys.executable, "-c", TRIAL], project.folder / "build", project.path) == "[0. 0. 0.] 3\n"


def test_a_module_without_functions_needs_no_call_library(project: Project) -> None:
    (project.folder / "sound.yaml").write_text(PLAIN_SPEC)
    call = "dlpack_bindgen_add_module(sound SPEC sound.yaml SOURCES clip.c)\n"
    project.configure(
        f"{START}{PYTHON}{call}install(FILES $<TARGET_PROPERTY:sound,DLPACK_BINDGEN_STUB> DESTINATION out)\n"
    )
    project.build()
    assert [path.name for path in project.folder.rglob("dlb_*.o")] != []
    assert "dlb_call.c.o" not in {path.name for path in project.folder.rglob("dlb_*.o")}
    project.run(project.cmake, "--install", "build", "--prefix", "installed")
    assert (project.folder / "installed" / "out" / "sound.pyi").is_file()


def test_cmake_builds_a_library_for_programs_in_c(project: Project) -> None:
    rest = (
        "dlpack_bindgen_add_library(sound SPEC sound.yaml SOURCES clip.c)\n"
        "add_executable(main main.c)\ntarget_link_libraries(main PRIVATE sound)\n"
    )
    project.configure(START + rest)
    project.build()
    assert project.run("build/main") == "3\n"


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (
            f"{PYTHON}dlpack_bindgen_add_module(sounds SPEC sound.yaml)",
            "sound.yaml is 'sound', and the target is 'sounds': give both the same name",
        ),
        (f"{PYTHON}dlpack_bindgen_add_module(sound SOURCES clip.c)", "dlpack-bindgen: sound has no SPEC"),
        (f"{PYTHON}dlpack_bindgen_add_module(sound sound.yaml)", "unknown arguments of sound: sound.yaml"),
        (f"{PYTHON}dlpack_bindgen_add_module(sound SPEC none.yaml)", "none.yaml: No such file or directory"),
        (
            "dlpack_bindgen_add_module(sound SPEC sound.yaml)",
            "dlpack_bindgen_add_module() needs: find_package(Python COMPONENTS Interpreter Development.Module)",
        ),
        ("find_package(dlpack_bindgen 7.0 REQUIRED)", 'compatible with requested version "7.0"'),
    ],
)
def test_mistakes_of_the_project_are_explained(project: Project, rest: str, message: str) -> None:
    assert message in project.fails(f"{START}{rest}\n")


def test_mistakes_in_the_spec_are_shown(project: Project) -> None:
    (project.folder / "sound.yaml").write_text(SPEC.replace("dtype:", "dtpye:"))
    shown = project.fails(f"{START}{PYTHON}dlpack_bindgen_add_module(sound SPEC sound.yaml SOURCES clip.c)\n")
    assert "sound.yaml:8:5: error:" in shown


def test_a_missing_generator_is_explained(project: Project) -> None:
    folders = project.path.split(os.pathsep)
    project.path = os.pathsep.join(each for each in folders if not Path(each, "dlpack-bindgen").exists())
    (project.folder / "CMakeLists.txt").write_text(START)
    with pytest.raises(AssertionError) as failed:
        project.run(project.cmake, "-S", ".", "-B", "build", f"-Ddlpack_bindgen_DIR={TOP / 'cmake'}")
    assert "there is no command dlpack-bindgen: put its folder on PATH" in " ".join(str(failed.value).split())


def test_the_version_of_the_cmake_package_is_that_of_the_project() -> None:
    text = (TOP / "cmake" / "dlpack_bindgen-config-version.cmake").read_text()
    assert re.findall(r'PACKAGE_VERSION "(.*)"', text) == [__version__]
