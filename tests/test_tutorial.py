# SPDX-License-Identifier: MIT
"""Runs part 1 of docs/tutorial.md: writes its files, runs its commands, and compares the answers of Python."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from python.modules import Subject
from support.build import CACHE, CC, TOP, generate, header_flags, import_extension

TEXT = (TOP / "docs" / "tutorial.md").read_text(encoding="utf-8")
PART_1, PART_2 = re.split(r"^(?=# Part 2)", TEXT, flags=re.MULTILINE)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r"`([\w.]+)`(?:, (at the end|below `(\w+)`|change))?:\s*\Z")
PRELOADED = ("LD_PRELOAD", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")

SESSION = (TOP / "tests" / "support" / "listings.py").read_text(encoding="utf-8")
"""A session with the interpreter: prints the listing with the answers that there are, of an error the last line."""


def newcomer(where: Path) -> dict[str, str]:
    """Returns the environment of a newcomer that uses the Python of the tests. `pip` installs nothing: it checks that
    the requested packages are present. `cc` calls the compiler of the tests without optimisation, to save time, unless
    it compiles for the cache of `try`, which other tests use, too. It gets the PATH of the tests, because that compiler
    may itself be a command that looks for `cc`."""
    where.mkdir()
    python = f"exec {shlex.quote(sys.executable)} -m"
    scripts = {
        "pip": f'{python} pip "$@" --no-index',
        "dlpack-bindgen": f'{python} dlpack_bindgen "$@"',
        "cc": f"PATH={shlex.quote(os.environ['PATH'])}\n"
        f'case "$*" in *-DDLB_CHECKED*) exec {shlex.join(CC)} "$@" ;; esac\nexec {shlex.join(CC)} "$@" -O0',
    }
    for name, command in scripts.items():
        script = where / name
        script.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        script.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name not in PRELOADED}
    return kept | {"PATH": f"{where}{os.pathsep}{os.environ['PATH']}", "XDG_CACHE_HOME": str(CACHE)}


def listings(page: str) -> Iterator[tuple[re.Match[str] | None, str, str]]:
    """Yields the caption, the language and the content of each listing."""
    end = 0
    for fence in FENCE.finditer(page):
        yield CAPTION.search(page, end, fence.start()), fence[1], fence[2]
        end = fence.end()


def write(caption: re.Match[str], listing: str, where: Path) -> None:
    """Writes the file that the caption names, or changes it by the listing."""
    path = where / caption[1]
    if caption[2] is None:
        path.write_text(listing, encoding="utf-8")
        return
    old = path.read_text(encoding="utf-8")
    if caption[2] == "change":
        path.write_text(changed(old, listing), encoding="utf-8")
        return
    lines = [old] if caption[3] is None else re.findall(rf"^ *{caption[3]}:.*\n", old, re.MULTILINE)
    assert len(lines) == 1
    path.write_text(old.replace(lines[0], lines[0] + listing), encoding="utf-8")


def changed(old: str, difference: str) -> str:
    """Applies a difference: its lines begin with `-`, `+` or a space. The replaced lines must be in the file once."""
    lines = difference.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in "- ")
    after = "".join(line[1:] for line in lines if line[0] in "+ ")
    assert old.count(before) == 1, before
    return old.replace(before, after)


def answer(command: list[str], listing: str, where: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        cwd=where,
        env=environment,
        input=listing,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{listing}\n{done.stdout}"
    return done.stdout


def paste(page: str, where: Path) -> list[tuple[str, str]]:
    """Writes the files of a part of the tutorial, and runs its commands. Returns each output on the page, and the true
    one."""
    environment = newcomer(where / "bin")
    answers = []
    output = ""
    for caption, language, listing in listings(page):
        if caption is not None:
            write(caption, listing, where)
        elif language == "sh":
            output = answer(["sh", "-euc", listing], "", where, environment)
        elif language == "python":
            answers.append((listing, answer([sys.executable, "-c", SESSION], listing, where, environment)))
        else:
            assert language == "", f"the tutorial does not say what to do with this:\n{listing}"
            answers.append((listing, output))
    return answers


@pytest.fixture(scope="module")
def pasted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, str]]]:
    """Pastes part 1 of the tutorial in a new folder. Returns the folder, and pairs of the output on the page and the
    actual output."""
    where = tmp_path_factory.mktemp("tutorial")
    return where, paste(PART_1, where)


def test_the_listings_print_the_answers_of_the_page(pasted: tuple[Path, list[tuple[str, str]]]) -> None:
    _, answers = pasted
    assert len(answers) == 5
    for stands, true in answers:
        assert stands == true


def test_a_tensor_on_a_gpu_is_refused_with_the_message_of_the_page(
    pasted: tuple[Path, list[tuple[str, str]]], subject: Callable[..., Subject]
) -> None:
    where, _ = pasted
    heat = import_extension("heat", next(where.glob("heat.*.so")))
    tensor = subject((3, 4), dtype="float64")
    tensor.struct.device = 2
    with pytest.raises(BufferError) as refused:
        heat.step(tensor.object)
    assert f"A tensor on a GPU gives `BufferError: {refused.value}`" in TEXT


def test_a_different_prototype_gives_the_compiler_error_of_the_page(
    pasted: tuple[Path, list[tuple[str, str]]], tmp_path: Path
) -> None:
    where, _ = pasted
    spec = (where / "heat.yaml").read_text(encoding="utf-8").replace("double rate", "float rate")
    generate(spec, tmp_path, "heat.yaml")
    command = [*CC, *header_flags(), f"-I{where}", "-fsyntax-only", str(tmp_path / "heat_module.c")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    (message,) = re.findall(r"does not compile: `(.*)`", TEXT)
    assert f'"{message}"' in done.stderr
