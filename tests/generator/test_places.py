"""C can assign to some expressions, and not to others."""

from __future__ import annotations

import pytest

from dlpack_bindgen.text.fragments import is_place


@pytest.mark.parametrize(
    "text",
    [
        "self->level",
        "self.level",
        "self->options.level",
        "(self->level)",
        "((self)->level)",
        "(*self).level",
        "((other *)self)->level",
        "self->table[count(self) - 1]",
        "self->table[2].level",
        "options_of(self, 2)->level",
        "options_of(self)[0]",
        "*self->level",
        "**self->level",
        "*(int *)self->level",
        "*level_of(self)",
        "verbosity",
    ],
)
def test_c_can_assign_to_variables_members_elements_and_pointees(text: str) -> None:
    assert is_place(text)


@pytest.mark.parametrize(
    "text",
    [
        "level_of(self)",
        "(level_of(self))",
        "3",
        "'x'",
        '"text"',
        "self->a + self->b",
        "(self->a + 1)",
        "(self->a) * (self->b)",
        "*self->a * self->b",
        "(int)self->level",
        "(int)(self->level)",
        "sizeof self->level",
        "sizeof(self->level)",
        "-self->level",
        "!self->level",
        "&self->level",
        "self->a ? self->b : self->c",
        "self->level == 1",
    ],
)
def test_c_cannot_assign_to_calls_literals_casts_and_results_of_operators(text: str) -> None:
    assert not is_place(text)
