# SPDX-License-Identifier: MIT
"""Runs the examples of docs/try.md, and compares the reports of `dlpack-bindgen try` with those of the page.

Numbers may differ, and the calls of the line `seen`. A line `...` stands for other lines of the report."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
import yaml

from dlpack_bindgen.tools.try_ import report
from support.build import CACHE, TOP, compiler_environment
from test_tutorial import PART_1, listings, write

PAGE = (TOP / "docs" / "try.md").read_text(encoding="utf-8")
INCLUDED = "".join(f"#include <{name}.h>\n" for name in ("stddef", "stdint", "stdio", "stdlib"))
REFUTED = 1


def section(title: str) -> str:
    """Returns a section of the page, with the sections below it."""
    found = re.search(rf"^(#+) {title}\n(.*?)(?=^#{{1,2}} |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[2]


def bindgen_try(folder: Path, *words: str, expected: Iterable[int] = (0,)) -> str:
    """Runs the command in a folder, and returns its report."""
    command = [sys.executable, "-m", "dlpack_bindgen", "try", *words]
    environment = {**compiler_environment(), "XDG_CACHE_HOME": str(CACHE)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in expected, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def compared(text: str) -> list[str]:
    """Returns the lines of a report without numbers, and without the calls of a line `seen`."""
    lines: list[str] = []
    in_calls = False
    for line in text.splitlines():
        label = line[14:26].strip()
        in_calls = line.startswith(" " * 14) and (label == "seen" or (in_calls and not label))
        if not in_calls or label:
            lines.append(
                re.sub(r"\d+(\.\d+)?", "0", label if in_calls else line)
                .replace(" (0 times)", "")
                .replace(" (twice)", "")
            )
    return lines


def check_shown(excerpt: str, output: str) -> None:
    """Checks that the output has the lines of an excerpt, in this order."""
    lines = compared(output)
    for line in compared(excerpt):
        if line != "...":
            assert line in lines, f"{line}\n\nis not in\n\n{output}"
            lines = lines[lines.index(line) + 1 :]


# ---- The example of the tutorial ----


def test_the_wrong_line_of_the_tutorial_is_found(tmp_path: Path) -> None:
    for caption, _, listing in listings(PART_1):
        if caption is not None:
            write(caption, listing, tmp_path)
    output, runs = "", []
    for caption, language, listing in listings(section("Find a wrong line")):
        if caption is not None:
            write(caption, listing, tmp_path)
        elif language == "sh":
            program, command, *words = listing.split()
            assert (program, command) == ("dlpack-bindgen", "try")
            output = bindgen_try(tmp_path, *words, expected=(0, REFUTED))
            runs.append(output)
        else:
            check_shown(listing, output)
    assert [len(re.findall("^refuted", each, re.MULTILINE)) for each in runs] == [1, 0, 0]
    assert "is a path or a file" not in runs[-1]


# ---- One example for each claim ----


class Example:
    """A library of the page: its C code, its spec with a wrong and a right line, and an excerpt of the report."""

    def __init__(self, code: str, difference: str, excerpt: str) -> None:
        self.code, self.difference, self.excerpt = code, difference, excerpt
        self.name: str = re.findall(r"module: (\w+)", difference)[0]

    @property
    def header(self) -> str:
        """Returns the types and the prototypes of the code."""
        declared = re.sub(r"^\{\n.*?^\}\n", "", self.code, flags=re.MULTILINE | re.DOTALL)
        declared = re.sub(r"^static .*\n", "", declared, flags=re.MULTILINE)
        return INCLUDED + re.sub(r"^(\w.*\))$", r"\1;", declared, flags=re.MULTILINE)

    def spec(self, sign: str) -> str:
        """Returns the lines that the wrong and the right spec share, and those with a sign."""
        return "".join(line[1:] for line in self.difference.splitlines(keepends=True) if line[0] in f" {sign}")

    def write(self, folder: Path, sign: str) -> str:
        """Writes the files of the example, and returns the path of the spec."""
        (folder / f"{self.name}.h").write_text(self.header, encoding="utf-8")
        (folder / f"{self.name}.c").write_text(INCLUDED + self.code, encoding="utf-8")
        path = folder / f"{self.name}.yaml"
        path.write_text(self.spec(sign), encoding="utf-8")
        return str(path)


def examples() -> list[Example]:
    all_listings = [(language, listing) for _, language, listing in listings(section("The claims of a spec"))]
    kinds = [language for language, _ in all_listings]
    assert kinds == ["c", "diff", ""] * (len(kinds) // 3)
    texts = [listing for _, listing in all_listings]
    return [Example(*texts[index : index + 3]) for index in range(0, len(texts), 3)]


EXAMPLES = examples()


LIFETIMES = ("tiles", "piles", "albums", "histories", "waves")
"""After mistakes of these examples, `try` ignores later findings of a process, which can be their consequences."""


def run_examples(chosen: Sequence[Example], sign: str, calls: int, folder: Path) -> str:
    """Runs examples together, which takes half of the time, and returns the report."""
    specs = [Path(each.write(folder, sign)).name for each in chosen]
    sources = [f"{each.name}.c" for each in chosen]
    return bindgen_try(folder, *specs, "--calls", str(calls), "--", *sources, expected=(0, REFUTED))


@pytest.mark.parametrize("is_of_lifetimes", [False, True])
def test_a_wrong_spec_gives_the_report_of_the_page(is_of_lifetimes: bool, tmp_path: Path) -> None:
    chosen = [each for each in EXAMPLES if (each.name in LIFETIMES) == is_of_lifetimes]
    output = run_examples(chosen, "-", 400, tmp_path)
    for each in chosen:
        check_shown(each.excerpt, output)


def test_the_right_specs_are_not_refuted(tmp_path: Path) -> None:
    output = run_examples(EXAMPLES, "+", 100, tmp_path)
    assert not re.search("^(refuted|notice)", output, re.MULTILINE), output


# ---- Known limits, JSON, and the tables ----


def test_a_known_limit_is_listed(tmp_path: Path) -> None:
    (example,) = (each for each in EXAMPLES if each.name == "dials")
    (limits,) = re.findall(r"`dials\.limits\.yaml`:\n\n```yaml\n(.*?)```", PAGE, re.DOTALL)
    spec = example.write(tmp_path, "-")
    (tmp_path / "dials.limits.yaml").write_text(limits, encoding="utf-8")
    reason = yaml.safe_load(limits)["expect"][0]["reason"]
    output = bindgen_try(tmp_path, Path(spec).name, "--calls", "100", "--", "dials.c")
    assert re.search(rf"^known  .*\n.*{reason}", output, re.MULTILINE), output


def names(rows: str) -> Sequence[str]:
    """Returns the names in the first cells of a table."""
    return [name for row in re.findall(r"^\| (`.*?) \|", rows, re.MULTILINE) for name in re.findall("`([^`]+)`", row)]


def test_the_page_lists_the_members_of_the_json() -> None:
    assert list(names(section("JSON"))) == list(report.schema()["properties"])


def test_the_page_lists_the_options() -> None:
    command = [sys.executable, "-m", "dlpack_bindgen", "try", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    listed = {name.split()[0] for name in names(section("The command")) if name.startswith("--")}
    assert listed == set(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", shown, re.MULTILINE)) - {"--help", "--error-format"}


def test_the_template_of_a_project_is_not_refuted(tmp_path: Path) -> None:
    """Runs the command of its workflow."""
    template = TOP / "examples" / "template"
    workflow = (template / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    (words,) = re.findall("- run: dlpack-bindgen try (.*)", workflow)
    assert words in PAGE
    assert words in (template / "README.md").read_text(encoding="utf-8")
    shutil.copytree(template, tmp_path / "project")
    assert " 0 refuted" in bindgen_try(tmp_path / "project", *words.split())
