# SPDX-License-Identifier: MIT
"""Without DLB_CHECKED the hooks of a checked build change no byte of an object file."""

from __future__ import annotations

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support.build import CC, RUNTIME, compiler_environment, generate, header_flags

HERE = Path(__file__).resolve().parent
CLOSED = r"(?:[^()]|\({}\))*"
HOOK = re.compile(r"DLB_CHECK\({}\);?".format(CLOSED.format(CLOSED.format(CLOSED.format(r"[^()]*")))))
BLOCK = re.compile(r"^#if defined\(DLB_CHECKED\).*?^#endif$", re.MULTILINE | re.DOTALL)
DEFINITIONS = "dlb_platform.h"
"""The file that defines DLB_CHECK()."""


def without_hooks(text: str) -> str:
    """Returns C without hooks. Each line keeps its number."""
    text = HOOK.sub("", text)
    while found := next((each for each in BLOCK.finditer(text)), None):
        block = found[0]
        if "#if" in block[3:]:  # a condition within the block: up to its own end
            block = text[found.start() : text.index("#endif", found.end()) + len("#endif")]
        text = text.replace(block, "\n" * block.count("\n"), 1)
    return text


def objects(folder: Path, sources: list[str], *flags: str) -> dict[str, bytes]:
    """Compiles files of a folder by their relative names, which the compiler writes into the object file."""

    def compiled(source: str) -> bytes:
        made = folder / f"{source.replace('/', '-')}.o"
        command = [*CC, "-std=c11", "-fPIC", *flags, "-Iruntime", *header_flags(), "-c", source, "-o", str(made)]
        subprocess.run(command, cwd=folder, env=compiler_environment(), check=True)
        return made.read_bytes()

    with ThreadPoolExecutor() as pool:
        return dict(zip(sources, pool.map(compiled, sources), strict=True))


def test_object_files_without_the_flag_are_those_without_hooks(tmp_path: Path) -> None:
    trees = {name: tmp_path / name for name in ("hooks", "none")}
    for tree in trees.values():
        shutil.copytree(RUNTIME, tree / "runtime", ignore=shutil.ignore_patterns("checked"))
        generate((HERE / "shed.yaml").read_text(encoding="utf-8"), tree)
        shutil.copy(HERE / "shed.h", tree)
    sources = [path.name for path in trees["hooks"].glob("*.c")]
    for path in (trees["none"] / "runtime").rglob("*.[ch]"):
        if path.name == DEFINITIONS:
            continue
        text = path.read_text(encoding="utf-8")
        bare = without_hooks(text)
        if bare != text:
            path.write_text(bare, encoding="utf-8")
            assert "DLB_CHECK" not in bare
            sources += [str(path.relative_to(trees["none"]))] if path.suffix == ".c" else []
    assert len(sources) > 10
    assert objects(trees["hooks"], sources, "-O1") == objects(trees["none"], sources, "-O1")


def test_hooks_are_in_an_object_file_with_the_flag(tmp_path: Path) -> None:
    shutil.copytree(RUNTIME, tmp_path / "runtime")
    (made,) = objects(tmp_path, ["runtime/core/own.c"], "-DDLB_CHECKED").values()
    assert b"dlb_checked_owned" in made
