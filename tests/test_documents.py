"""README and docs agree with the repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.build import TOP, generate

README = (TOP / "README.md").read_text()


def blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_spec_of_the_readme_gives_the_c_of_the_readme(tmp_path: Path) -> None:
    (spec,) = blocks("yaml", README)
    (excerpt,) = blocks("c", README)
    generate(spec, tmp_path)
    assert excerpt in (tmp_path / "imaging_dlpack.c").read_text()
    assert excerpt in (TOP / "generated/imaging/imaging_dlpack.c").read_text()


def test_the_readme_fits_on_one_screen() -> None:
    lines = README.splitlines()
    assert len(lines) <= 90 and max(map(len, lines)) <= 130


@pytest.mark.parametrize("page", [*sorted(TOP.glob("docs/*.md")), TOP / "README.md"], ids=lambda path: path.name)
def test_every_link_has_a_target(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text())
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []
