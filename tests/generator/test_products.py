"""Products in C text are split into a coefficient and factors."""

import pytest

from dlpack_bindgen.text.expressions import product
from dlpack_bindgen.text.fragments import within


@pytest.mark.parametrize(
    ("text", "value"),
    [("8", 8), ("-8", -8), ("0x8", 8), ("8L", 8), ("((size_t)8)", 8), ("2 * 4", 8), ("1 << 3", 8), ("4 + 4 - 1", 7)],
)
def test_an_expression_of_numbers_is_a_constant(text: str, value: int) -> None:
    assert product(text).constant == value


@pytest.mark.parametrize(
    ("text", "coefficient", "factors"),
    [
        ("self->n * 8", 8, ("self -> n",)),
        ("(ptrdiff_t)self->n * 8", 8, ("self -> n",)),
        ("-(8 * self->n)", 8, ("self -> n",)),
        ("self->n << 3", 8, ("self -> n",)),
        ("self->n << self->k", 1, ("1 << self -> k", "self -> n")),
        ("4 * self->c * self->w", 4, ("self -> c", "self -> w")),
        ("8 * self->a + 12 * self->b", 4, ("8 * self -> a + 12 * self -> b",)),
        ("(self->a + 1) * 2", 2, ("self -> a + 1",)),
        ("self->a ? 8 : 4", 1, ("self -> a ? 8 : 4",)),
        ("8 * self->a / 2", 1, ("8 * self -> a / 2",)),
        ("f(8, self) * *self->n", 1, ("* self -> n", "f ( 8 , self )")),
    ],
)
def test_a_product_has_a_coefficient_and_sorted_factors(text: str, coefficient: int, factors: tuple[str, ...]) -> None:
    found = product(text)
    assert (found.coefficient, found.factors, found.constant) == (coefficient, factors, None)


@pytest.mark.parametrize(
    ("text", "member", "array"),
    [
        ("self->cells", "self->cells", "self->cells"),
        ("(self->a.b)", "self->a.b", "self->a.b"),
        ("&self->cells[0]", "self->cells", "self->cells"),
        ("&self->cells[0][self->i[1]]", "self->cells", "self->cells[0]"),
        ("self->cells[plane]", "self->cells", "self->cells[plane]"),
        ("self->cells + self->first", "self->cells", "self->cells"),
    ],
)
def test_a_pointer_into_a_member_names_the_member_and_the_array(text: str, member: str, array: str) -> None:
    found = within(text)
    assert found is not None and (found.member, found.array) == (member, array)


@pytest.mark.parametrize(
    "text",
    ["(void *)self->cells", "&self->x", "at(self)", "*self->rows", "self->a ? self->b : self->c", "self->p[1].q"],
)
def test_other_pointers_point_into_no_member(text: str) -> None:
    assert within(text) is None
