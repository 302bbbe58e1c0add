"""Specs that `init` writes, and the compiler for what the generator makes of them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from dlpack_bindgen.cli import main
from support.build import CC, SANITIZED, compiler_environment, generate, header_flags

# libclang leaves memory behind, and runs no code of the runtime.
collect_ignore_glob = ["test_*.py"] if SANITIZED else []

FOLDER = Path(__file__).resolve().parent
HEADERS = FOLDER / "headers"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror")


def initialised(output: Path, header: str, *arguments: str, flags: Sequence[str] = ()) -> str:
    """Returns the spec that `init` writes for a header."""
    assert main(["init", header, *arguments, "-o", str(output), *(["--", *flags] if flags else [])]) == 0
    return output.read_text(encoding="utf-8")


def described(folder: Path, name: str, header: str, *arguments: str) -> str:
    """Writes a header, and returns the spec that `init` writes for it."""
    (folder / name).write_text(header)
    return initialised((folder / name).with_suffix(".yaml"), str(folder / name), *arguments)


def compile_generated(spec: str, directory: Path, flags: Sequence[str]) -> None:
    """Generates the files of a spec, and checks them with the compiler."""
    sources = [str(path) for path in generate(spec, directory) if path.name.endswith(".c")]
    includes = [f"-I{directory}", *header_flags(), *flags]
    command = [*CC, "-fsyntax-only", *STRICT, *includes, *sources]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=compiler_environment())
    assert result.returncode == 0, result.stderr


# ---- The questions of a draft ----


def calls(spec: str, function: str) -> bool:
    """Returns whether the active part of a spec calls a C function. Comments and questions call none."""
    root = yaml.load(spec, Loader=yaml.BaseLoader)
    active = yaml.dump({key: value for key, value in root.items() if key != "draft"}, width=10_000)
    return re.search(rf"\b{function}\(", active) is not None


def asked(spec: str, function: str) -> dict[str, str]:
    """Returns the questions of a draft about a function, each with its suggestion: `moves`, `count: n`, or nothing."""
    draft = yaml.load(spec, Loader=yaml.BaseLoader).get("draft", {})
    return {name: _suggestion(each, function) for name, each in draft.items() if function in each["about"]}


def _suggestion(question: Mapping[str, Any], function: str) -> str:
    given = question.get("suggested", "")
    if isinstance(given, str):
        return given
    rest = ""
    for word, value in given.items():
        by_names = {word: value}
        if word in ("count", "shape", "caller frees"):
            by_names = {
                f"{word}: {each}": names
                for each, names in ({value: "rest"} if isinstance(value, str) else value).items()
            }
        for answer, names in by_names.items():
            if function in ([names] if isinstance(names, str) else names):
                return str(answer)
            rest = answer if names == "rest" else rest
    return rest


def answered(path: Path, answers: Mapping[str, str], *arguments: str) -> str:
    """Writes answers to the questions of a spec, and returns the spec after `init --update`."""
    write_answers(path, answers)
    assert main(["init", "--update", *arguments, str(path)]) == 0
    return path.read_text(encoding="utf-8")


def write_answers(path: Path, answers: Mapping[str, str]) -> str:
    """Writes answers behind the empty keys `answer` of a spec, and returns the spec."""
    text = path.read_text(encoding="utf-8")
    for question, answer in answers.items():
        pattern = rf"^  {re.escape(question)}:(?:\n| .*\n)(?:    .*\n)*?    answer:$"
        found = re.search(pattern, text, re.MULTILINE)
        assert found is not None, f"no open question {question} in:\n{text}"
        text = f"{text[: found.end()]} {answer}{text[found.end() :]}"
    path.write_text(text, encoding="utf-8")
    return text
