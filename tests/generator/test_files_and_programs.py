"""SECURITY.md lists the files, programs and variables of each command; here are the commands, watched."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.command import SPEC
from support.build import CACHE, SANITIZED, TOP

PAGE = (TOP / "SECURITY.md").read_text(encoding="utf-8")
GENERATOR = TOP / "generator" / "dlpack_bindgen"
HEADER = """
#include "size.h"
typedef struct { unsigned char *data; tiny_size size; } tiny_t;
void tiny_free(tiny_t *tiny);
int tiny_sum(const tiny_t *tiny);
"""
SOURCE = """
#include "tiny.h"
void tiny_free(tiny_t *tiny) { (void)tiny; }
int tiny_sum(const tiny_t *tiny) { return tiny->size; }
"""
TRAPS = (
    ".clang-format",
    ".clang-format-ignore",
    "setup.cfg",
    "pyproject.toml",
    "tiny.cfg",
    "clang_format.py",
    "yaml.py",
)
"""Files that other tools, or Python itself, would read in the working directory."""

WATCHED = """
import json, sys
events = []

def watch(event, arguments):
    if event in ("open", "subprocess.Popen", "os.exec", "os.system", "os.posix_spawn", "os.spawn", "socket.connect"):
        events.append([event, str(arguments[0]), str(arguments[1])])

sys.addaudithook(watch)
from dlpack_bindgen.cli import main
status = main(sys.argv[2:])
found = list(events)
with open(sys.argv[1], "w") as file:
    json.dump({"status": status, "events": found}, file)
"""

COMMANDS = {
    "generate": (["tiny.yaml", "-o", "out", "--depfile", "tiny.d"], {"tiny.yaml", "tiny.h", "size.h"}),
    "generate --compile": (["tiny.yaml", "-o", "out", "--compile", "--", "-Wall"], {"tiny.yaml", "tiny.h", "size.h"}),
    "try": (["tiny.yaml", "--calls", "20", "--", "tiny.c"], {"tiny.yaml", "tiny.h", "size.h"}),
    "explain": (["tiny.yaml"], {"tiny.yaml"}),
    "schema": (["-o", "schema.json"], set()),
    "config": (["--cflags", "--python-cflags", "--sources", "--for", "tiny.yaml"], {"tiny.yaml"}),
    "vendor": (["vendored"], set()),
    "init": (["tiny.h", "-o", "new.yaml"], {"tiny.h", "compile_commands.json"}),
    "init --library": (["tiny.h", "--library", "m", "-o", "new.yaml"], {"tiny.h", "compile_commands.json"}),
}


def rows(heading: str) -> Iterator[list[str]]:
    """Yields the cells of the rows of the table whose heading begins with a word."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "tiny.yaml").write_text(SPEC)
    (folder / "tiny.h").write_text(HEADER)
    (folder / "size.h").write_text("typedef int tiny_size;\n")
    (folder / "tiny.c").write_text(SOURCE)
    entry = {"directory": str(folder), "file": "tiny.c", "command": "cc -c tiny.c"}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    for name in TRAPS:
        (folder / name).write_text("raise SystemExit(9)\n")
    return folder


def watched(project: Path, *arguments: str) -> list[list[str]]:
    """Returns the files that a command opens, and the programs that it runs."""
    log = project.parent / "log.json"
    command = [sys.executable, "-I", "-c", WATCHED, str(log), *arguments]
    environment = {**os.environ, "CC": "cc", "XDG_CACHE_HOME": str(CACHE)}
    subprocess.run(command, cwd=project, check=True, capture_output=True, env=environment)
    found = json.loads(log.read_text())
    assert found["status"] == 0
    events: list[list[str]] = found["events"]
    return events


@pytest.mark.skipif(SANITIZED, reason="libclang leaves memory behind")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_reads_and_runs_only_what_the_page_lists(project: Path, command: str) -> None:
    options, read = COMMANDS[command]
    events = watched(project, command.partition(" ")[0], *options)
    (row,) = (cells for cells in rows("command") if cells[0] == f"`{command}`")
    paths = [Path(name).name for event, name, _ in events if event not in ("open", "socket.connect")]
    programs = {"python" if name.startswith("python") else name for name in paths} - {"ar"}  # only for a new cache
    assert programs == set(re.findall(r"`([\w-]+)`", row[2]))
    assert [event for event in events if event[0] == "socket.connect"] == []
    opened = [(project / name, mode) for event, name, mode in events if event == "open" and not name.isdigit()]
    files = [(path, mode) for path, mode in opened if path.parent == project and path.is_file()]
    assert {path.name for path, mode in files if not set(mode) & set("wxa+")} == read


def test_the_page_lists_all_commands() -> None:
    assert {cells[0].strip("`") for cells in rows("command")} == set(COMMANDS)


def environment_reads(tree: ast.AST) -> Iterator[str]:
    """Yields the names of the variables that a module reads; `*` for a use of all of them."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[ast.Constant(value=name), *_]) if (
                ast.unparse(value) == "os.environ"
            ):
                yield name
            case ast.Subscript(value=value, slice=ast.Constant(value=name)) if ast.unparse(value) == "os.environ":
                yield str(name)
            case ast.Call(func=function, args=[ast.Constant(value=name), *_]) if ast.unparse(function) == "os.getenv":
                yield name


def test_the_page_lists_the_variables_of_the_generator() -> None:
    """Every use of `os.environ` names its variable, or passes others on to a program. Scripts of child processes read
    what `try` gives them."""
    named = set()
    for path in GENERATOR.rglob("*.py"):
        if (path.parent.name == "calls" and path.parent.parent.name == "try_") or path.name == "user_test.py":
            continue
        text = path.read_text(encoding="utf-8")
        found = list(environment_reads(ast.parse(text)))
        passed_on = len(re.findall(r"\{\*\*os\.environ,|in os\.environ\.items\(\)", text))
        assert len(re.findall(r"os\.environ(?!b)|os\.getenv", text)) == len(found) + passed_on
        named.update(found)
    variables = {name for cells in rows("variable") for name in re.findall(r"`([A-Z_]+)`", cells[0])}
    others = {"PATH", "TMPDIR", "TEMP", "TMP", "CPATH", "C_INCLUDE_PATH"}
    assert variables == named | others


def test_few_modules_start_programs() -> None:
    """One starts the formatter, one the compiler, and one pkg-config and the import of a draft. `try` has programs of
    its own, since it builds and runs modules."""
    found = [path for path in GENERATOR.rglob("*.py") if re.search(r"\bimport subprocess|os\.system", path.read_text())]
    names = [path.name for path in found if path.parent.name != "try_"]
    assert sorted(names) == ["c_compiler.py", "clang_format.py", "library.py"]
