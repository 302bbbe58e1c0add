"""docs/troubles.md: every message of the page is printed after its mistake."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from builds.library import HEADER, MAIN, SOURCE, SPEC
from dlpack_bindgen.emit.vendor import LIBRARIES, outputs
from dlpack_bindgen.emit.write import write
from support.build import TOP, generate

PAGE = (TOP / "docs" / "troubles.md").read_text(encoding="utf-8")
MESSAGES = [one or other for one, other in re.findall(r"^### (?:`` (.*) ``|`(.*)`)$", PAGE, re.MULTILINE)]
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
CORE = ("sound_dlpack.c", "runtime/dlb_core.c")
MODULE = (*CORE, "clip.c", "sound_module.c", "runtime/dlb_object.c", "runtime/dlb_call.c")


@dataclass
class Trial:
    """A mistake: the files to compile, and what is changed before."""

    files: tuple[str, ...] = MODULE
    target: str = f"sound{SUFFIX}"
    runtime: bool = True
    python: bool = True
    flags: tuple[str, ...] = ()
    change: Callable[[Path], None] = field(default=lambda folder: None)
    imported: bool = False


def edit(name: str, pattern: str, new: str) -> Callable[[Path], None]:
    """Returns a function that changes a file."""

    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        changed, count = re.subn(pattern, new, text, flags=re.MULTILINE)
        assert count
        (folder / name).write_text(changed)

    return change


def other_python(folder: Path) -> None:
    """Makes headers that pretend to be those of another CPython."""
    (folder / "python").mkdir()
    version = "0x030b0000" if sys.version_info < (3, 11) else "0x030a0000"
    text = f"#include_next <Python.h>\n#undef PY_VERSION_HEX\n#define PY_VERSION_HEX {version}\n"
    (folder / "python" / "Python.h").write_text(text)


def shared_library(folder: Path) -> None:
    subprocess.run(["cc", "-shared", "-fPIC", "clip.c", "-o", "libclip.so"], cwd=folder, check=True)


def two_libraries(folder: Path) -> None:
    """Lets the library include the runtime of another library, which has another version."""
    text = (folder / "runtime" / "dlb_core.h").read_text()
    (folder / "other").mkdir()
    (folder / "other" / "dlb_core.h").write_text(re.sub(r"(DLB_COPY (?:!= )?)0x\w+", r"\1 0x1", text))
    shutil.copytree(folder / "runtime" / "dlpack", folder / "other" / "dlpack")
    edit("clip.h", r"\A", '#include "other/dlb_core.h"\n')(folder)


def const_member(folder: Path) -> None:
    generate(f'{SPEC}    import: {{set: {{data: data, length: "shape[0]"}}}}\n', folder)
    edit("clip.h", "size_t length;", "const size_t length;")(folder)


def second_copy(folder: Path) -> None:
    (folder / "again.c").write_text('#include "runtime/dlb_core.c"\n')


PROGRAM = {"target": "main", "files": (*CORE, "clip.c", "main.c"), "python": False}
TRIALS: dict[str, Trial] = {
    "fatal error: dlb_....h: No such file or directory": Trial(runtime=False),
    "fatal error: dlpack/dlpack.h: No such file or directory": Trial(
        change=lambda folder: (folder / "runtime" / "dlpack" / "dlpack.h").unlink()
    ),
    "fatal error: Python.h: No such file or directory": Trial(python=False),
    'error: #error "this dlpack.h is older than 1.3...': Trial(
        change=edit("runtime/dlpack/dlpack.h", "DLPACK_MINOR_VERSION 3", "DLPACK_MINOR_VERSION 2")
    ),
    'error: #error "newer than the runtime...': Trial(
        change=edit("runtime/dlb_core.h", r"(DLB_(?:OLDEST_)?FORMAT) \d+", r"\1 1")
    ),
    'error: #error "older than the runtime...': Trial(
        change=edit("runtime/dlb_core.h", r"(DLB_(?:OLDEST_)?FORMAT) \d+", r"\1 1000")
    ),
    'error: #error "two versions of the runtime in one source file...': Trial(change=two_libraries),
    'error: #error "... and dlb_core.h are of two versions...': Trial(
        change=edit("runtime/dlb_core.c", r"DLB_COPY != 0x\w+", "DLB_COPY != 0x1")
    ),
    'error: static assertion failed: "...': Trial(change=edit("clip.h", r"double \*data", "float *data")),
    "error: unknown type name '...'": Trial(files=("sound_dlpack.c",), change=edit("clip.h", r"\bclip_t\b", "clip")),
    "error: assignment of read-only member '...'": Trial(files=("sound_dlpack.c",), change=const_member),
    "undefined reference to `dlb_py_...'": Trial(files=(*CORE, "clip.c", "sound_module.c", "runtime/dlb_object.c")),
    "undefined reference to `dlb_...'": Trial(**{**PROGRAM, "files": ("sound_dlpack.c", "clip.c", "main.c")}),
    "undefined reference to `..._to_dlpack'": Trial(**{**PROGRAM, "files": ("runtime/dlb_core.c", "clip.c", "main.c")}),
    "multiple definition of `dlb_...'": Trial(
        **{**PROGRAM, "files": (*PROGRAM["files"], "again.c")}, change=second_copy
    ),
    "recompile with -fPIC": Trial(flags=("-fno-pic",)),
    "ImportError: ... undefined symbol: ...": Trial(
        files=tuple(name for name in MODULE if name != "clip.c"), imported=True
    ),
    "ImportError: ...: cannot open shared object file: No such file or directory": Trial(
        files=tuple(name for name in MODULE if name != "clip.c"),
        flags=("-Wl,--no-as-needed", "libclip.so"),
        change=shared_library,
        imported=True,
    ),
    "ImportError: dynamic module does not define module export function (PyInit_...)": Trial(
        files=tuple(name for name in MODULE if name != "sound_module.c"), imported=True
    ),
    "ImportError: ... was compiled for CPython ... and cannot be imported by CPython ...": Trial(
        flags=("-Ipython",), change=other_python, imported=True
    ),
    "ModuleNotFoundError: No module named '...'": Trial(target="sound.cpython-36m.so", imported=True),
}


def shown(trial: Trial, folder: Path) -> str:
    """Makes the mistake, and returns what compiler and Python print."""
    for name, text in {"clip.h": HEADER, "clip.c": SOURCE, "main.c": MAIN}.items():
        (folder / name).write_text(text)
    generate(SPEC, folder)
    write(outputs(LIBRARIES, None), folder / "runtime")
    trial.change(folder)
    flags = [*(("-Iruntime",) if trial.runtime else ()), *(("-shared", "-fPIC") if trial.target != "main" else ())]
    flags += [f"-I{sysconfig.get_path('include')}"] if trial.python else []
    inputs = [name for name in trial.files if trial.runtime or not name.startswith("runtime")]
    first = [flag for flag in trial.flags if flag.startswith("-I")]
    rest = [flag for flag in trial.flags if not flag.startswith("-I")]
    environment = {**os.environ, "LC_ALL": "C"}  # quotation marks of ASCII
    command = ["cc", *first, "-I.", *flags, *inputs, *rest, "-o", trial.target]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if not trial.imported:
        assert done.returncode != 0
        return done.stderr
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-c", "import sound"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stderr


def test_the_page_has_all_messages() -> None:
    assert list(TRIALS) == MESSAGES


@pytest.mark.parametrize("message", TRIALS)
def test_the_build_prints_the_message_of_the_page(message: str, tmp_path: Path) -> None:
    printed = shown(TRIALS[message], tmp_path)
    pattern = ".*?".join(re.escape(part) for part in message.removesuffix("...").split("..."))
    assert re.search(pattern, printed), printed
