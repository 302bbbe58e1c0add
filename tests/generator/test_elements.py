"""C text reads elements of arrays: the elements are found, with the conditions of the reads."""

from __future__ import annotations

import pytest

from dlpack_bindgen.text.expressions import reads

ARRAYS = {"x": 1, "y": 1, "t": 2}


@pytest.mark.parametrize(
    "text, found",
    [
        ("x[n]", ["x[n]"]),
        ("*x + 2 * x[1]", ["x[0]", "x[1]"]),
        ("(double)*x", ["x[0]"]),
        ("x->re", ["x[0]"]),
        ("y[x[1]]", ["x[1]", "y[x[1]]"]),
        ("f(x, x[2])", ["x[2]"]),
        ("n > 0 ? x[n - 1] : y[0]", ["x[n - 1] if n > 0", "y[0] if !(n > 0)"]),
        ("a ? b ? x[1] : x[2] : x[3]", ["x[1] if a and b", "x[2] if a and !(b)", "x[3] if !(a)"]),
        ("a ?: x[1]", ["x[1] if !(a)"]),
        ("x != NULL && x[0] > 0 || x[1]", ["x[0] if x != NULL", "x[1] if !(x != NULL && x[0] > 0)"]),
        ("(a && x[0]) + x[1]", ["x[0] if a", "x[1]"]),
        ("n & x[1]", ["x[1]"]),
        ("t[i][j] + *t[i] + **t", ["t[i][j]", "t[i][0]", "t[0][0]"]),
        ("t[i]", []),
        ("&x[n]", []),
        ("&x[1].member", []),
        ("x + n", []),
        ("sizeof x[0] * n", []),
        ("self->x[0]", []),
        ("n * (x != NULL)", []),
    ],
)
def test_elements_that_c_text_reads_are_found_with_their_conditions(text: str, found: list[str]) -> None:
    read, hidden = reads(text, ARRAYS)
    shown = [
        f"{each.array}{''.join(f'[{index}]' for index in each.indices)}"
        + (f" if {' and '.join(each.conditions)}" if each.conditions else "")
        for each in read
    ]
    assert (shown, hidden) == (found, ())


@pytest.mark.parametrize(
    "text", ["*(x + n)", "((char *)x)[1]", "*(int *)x", "(x)[1]", "(x + 1)->re", "2 * *(x + 1) + x[0]"]
)
def test_reads_other_than_by_name_and_index_are_hidden(text: str) -> None:
    assert reads(text, ARRAYS).hidden == ("x",)


@pytest.mark.parametrize(
    "text, is_read",
    [
        ("*(int *)v->data", True),
        ("((const int *)v->data)[n]", True),
        ("*((int *)v->data + 1)", True),
        ("v->shape[0] * *v->strides", False),
        ("v->data != NULL", False),
        ("(int *)v->data", False),
        ("v->data", False),
    ],
)
def test_reads_through_the_data_of_a_tensor_are_hidden(text: str, is_read: bool) -> None:
    assert reads(text, {}, ["v"]).hidden == (("v",) if is_read else ())
