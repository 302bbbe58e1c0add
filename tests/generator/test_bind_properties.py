"""The binding of any spec is rendered, its brackets are balanced, and every label has its jump."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.emit.render import _fill, environment_of_templates
from dlpack_bindgen.tensor.data_and_device import Device
from dlpack_bindgen.tensor.dtype import CTypeDType, DecodedDType, NamedDType
from dlpack_bindgen.tensor.item import (
    Action,
    Attach,
    CallStep,
    Construct,
    Declaration,
    Deleter,
    Import,
    Init,
    Let,
    SetFields,
    Step,
    Tensor,
)
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.shape import EachShape, ListedShape
from dlpack_bindgen.tensor.slot import Conditional
from dlpack_bindgen.tensor.slots import Arm, Match, Slots
from dlpack_bindgen.tensor.strides import EachStrides, ListedStrides, OuterStride, RowPointers
from generator.bind_specs import printed, spec

ENVIRONMENT = environment_of_templates()
INTEGERS = st.sampled_from(["self->n", "self->n - 1", "3", "plane", "held", "self->n * itemsize", "v0", "f(self, v1)"])
CONDITIONS = st.sampled_from(["defined(A)", "B > 1"])
MAYBE = st.none() | st.just("result ? 1 : 2")


def chosen(values: st.SearchStrategy[object], complete: bool = False) -> st.SearchStrategy[object]:
    branches = st.lists(st.tuples(CONDITIONS, values), min_size=1, max_size=2).map(tuple)
    return values | st.builds(Conditional, branches, values if complete else st.none() | values)


UNITS = st.sampled_from(["elements", "bytes", "bits", "8", "itemsize"])
WHEN = st.none() | st.just("self->packed")
VALUES: dict[str, st.SearchStrategy[object]] = {
    "dtype": chosen(
        st.sampled_from([NamedDType("uint8"), DecodedDType("self->code", "8", "v0"), CTypeDType("long")]), True
    ),
    "shape": chosen(
        st.builds(EachShape, INTEGERS, st.sampled_from(["self->dims[axis]", "3"]))
        | st.lists(INTEGERS, min_size=2, max_size=2).map(lambda extents: ListedShape(tuple(extents))),
        True,
    ),
    "data": chosen(st.sampled_from(["self->p", "row", "(char *)self->p + itemsize"]), True),
    "device": chosen(st.sampled_from([Device("cpu"), Device("cuda", "self->gpu"), Device("cuda_host", "plane")])),
    "order": chosen(st.sampled_from(["C", "F", "reversed"])),
    "strides": chosen(
        st.builds(EachStrides, st.just("self->steps[axis]"), UNITS, WHEN)
        | st.builds(OuterStride, INTEGERS, UNITS, WHEN)
        | st.builds(ListedStrides, st.just(("self->n", "1")), UNITS, WHEN)
        | st.builds(RowPointers, st.just("self->rows"), WHEN)
    ),
    "byte_offset": chosen(INTEGERS),
    "readonly": chosen(st.sampled_from(["!held", "self->frozen"])),
}
STEPS: st.SearchStrategy[Step] = (
    st.builds(
        Let,
        st.sampled_from(["int", "char *", "struct small"]),
        st.just("v"),
        st.sampled_from(["self->n", "f(self)"]),
        ok=st.none() | st.just("% >= 0"),
        error=MAYBE,
        finally_=st.none() | st.just("end(self)"),
        undo=st.none() | st.just("undo(self)"),
    )
    | st.builds(
        CallStep,
        st.just("g(self)"),
        ok=st.sampled_from([None, "% == 0", "% > 0 && % < 3"]),
        error=MAYBE,
        finally_=st.none() | st.just("int k = 1; end(k)"),
    )
    | st.builds(Check, st.just("self->good"), error=MAYBE)
)


def numbered(steps: list[Step]) -> tuple[Step, ...]:
    return tuple(replace(step, name=f"v{i}") if isinstance(step, Let) else step for i, step in enumerate(steps))


LETS = st.lists(STEPS, max_size=4).map(numbered)


@st.composite
def tensors(draw: st.DrawFn) -> Tensor:
    names = [name for name in VALUES if name in ("dtype", "shape", "data") or draw(st.booleans())]
    shared = draw(st.permutations(names))
    slots = {name: draw(VALUES[name]) for name in names}
    matches = []
    for mine in (shared[:2], shared[2:4])[: draw(st.integers(0, 2))]:
        arms = tuple(
            Arm(
                (draw(st.sampled_from([("KEY",), ("KEY", "OTHER"), ('"text"',)])),),
                Slots(**{name: draw(VALUES[name]) for name in mine}),  # type: ignore[arg-type]
                imports=draw(st.booleans()),
                condition=draw(st.none() | CONDITIONS),
            )
            for _ in range(draw(st.integers(1, 3)))
        )
        matches.append(Match(("self->kind",), arms, draw(st.none() | st.just(arms[0].slots))))
        for name in mine:
            del slots[name]
    build = draw(
        st.sampled_from(
            [
                SetFields((("n", "shape[0]"), ("d[axis]", "sizes[axis]"))),
                Init("fill(self, sizes)", "% == 0 || % == 2"),
                Construct("wrap(data, sizes)", undo="drop(result)"),
            ]
        )
    )
    attach = draw(st.booleans())
    made = Import(
        build,
        params=(Declaration("int", "plane", "0"),),
        let=(Let("size_t", "sizes", "shape", array=True), *draw(LETS)),
        deleter=Deleter((("void *", "user"),)) if attach else None,
        attach=Attach(Action("attach(self, user, deleter)", "% == 0")) if attach else None,
        destroy=draw(st.none() | st.just("drop(self)")),
    )
    return Tensor(
        name="Image",
        type="image_t",
        slots=Slots(**slots),  # type: ignore[arg-type]
        matches=tuple(matches),
        by_value=draw(st.booleans()),
        condition=draw(st.none() | CONDITIONS),
        params=(Declaration("int", "plane", "0"),) if draw(st.booleans()) else (),
        hold=(Let("int", "held", "h(self)", ok="% >= 0"),) if draw(st.booleans()) else (),
        let=draw(LETS),
        require=(Check("self->ready"),),
        acquire=draw(st.just(()) | st.just((Action("lock(self)", "% == 0", "why(result)"),))),
        release="drop(self)",
        import_=made,
    )


@settings(max_examples=60)
@given(st.lists(tensors(), min_size=1, max_size=2))
def test_the_binding_of_any_spec_is_balanced_and_has_a_jump_for_each_label(found: list[Tensor]) -> None:
    if len(found) == 2:
        found[1] = replace(found[1], name="Other", by_value=found[0].by_value)
    binding = Module(spec(*found))
    for each in binding.classes:
        factories = [function for factory in each.factories for function in printed(factory)]
        for function in [*printed(each), *factories]:
            text = "\n".join(function.lines)
            assert text.count("{") == text.count("}") and text.count("(") == text.count(")")
            labels = re.findall(r"^(\w+):$", text, re.M)
            assert len(labels) == len(set(labels))
            assert set(re.findall(r"goto (\w+);", text)) == set(labels)
            if " goto " in text or "outcome" in text:
                assert "return outcome;" in text and text.index("outcome = ") < text.index("return outcome;")
            last = [line for line in function.lines if line][-1]
            assert last.startswith("return ") or function.head.startswith("static void ")
    for name in ("dlpack.c.j2", "dlpack.h.j2", "module.c.j2"):
        text = _fill(ENVIRONMENT, name, binding)
        assert text.count("{") == text.count("}")
        conditions = re.findall(r"^#(if|elif|else|endif)", text, re.M)
        depth = 0
        for word in conditions:
            depth += (word.startswith("if")) - (word == "endif")
            assert depth >= 0
        assert depth == 0
        assert "None" not in text.replace("device=None, copy=None", "").replace(", stream=None", "")
        assert not re.search(r"^#(if .*|else|elif .*)\n#endif", text, re.M)
