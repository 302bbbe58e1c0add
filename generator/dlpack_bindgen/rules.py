"""What must hold between the values of one tensor."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen import ctext
from dlpack_bindgen.diagnostics import Code, Diagnostic, Note, Span, shown
from dlpack_bindgen.dlpack import DTYPES
from dlpack_bindgen.kinds import Form
from dlpack_bindgen.language import MAX_RANK
from dlpack_bindgen.structure import Fields, Items, Leaf, Report, Table, Value

_C_FORMS = (Form.EXPRESSION, Form.STATEMENT, Form.CONDITION)
_ARRAYS = frozenset(("shape", "strides", "byte_strides"))


def check(tensor: Fields, report: Report) -> None:
    _Rules(tensor, report).check()


def c_texts(value: Value) -> Iterator[tuple[str, Leaf]]:
    """All C text in `value`, each with the key it belongs to."""
    yield from _c_texts(value, "")


def _c_texts(value: Value, key: str) -> Iterator[tuple[str, Leaf]]:
    if isinstance(value, Leaf):
        if value.form in _C_FORMS:
            yield key, value
    elif isinstance(value, Items):
        for item in value.items:
            yield from _c_texts(item, key)
    elif isinstance(value, Table):
        for name, entry in value.entries:
            yield from _c_texts(name, key)
            yield from _c_texts(entry, key)
    else:
        for name_of_field, field in value.values.items():
            yield from _c_texts(field, name_of_field)
        if value.entry:
            yield from _c_texts(value.entry[1], key)


def rank(tensor: Fields) -> int | None:
    """The number of axes where the shape is a list."""
    shape = tensor.items("shape")
    return shape.count if shape else None


def required_rank(require: Items | None) -> tuple[int, int] | None:
    for record in require.records() if require else ():
        if exact := record.leaf("ndim"):
            return int(exact.text), int(exact.text)
        span = record.items("ndim")
        if span and len(span.leaves()) == 2:
            least, greatest = span.leaves()
            return int(least.text), int(greatest.text)
    return None


class _Rules:
    def __init__(self, tensor: Fields, report: Report) -> None:
        self._tensor = tensor
        self._emit = report

    def check(self) -> None:
        self._axis()
        self._rank()
        self._strides()
        for slot in ("dtype", "device"):
            choice = self._tensor.fields(slot)
            if choice and (table := choice.table("map")):
                self._keys(table)
        for slot in ("import", "allocate"):
            call = self._tensor.fields(slot)
            if call:
                self._requirements(call.items("require"))
                self._backward(call, "dtype", "code")
                self._backward(call, "device", "device_code")
                self._indices(call)
                self._lets(call.items("let"))
        made = self._tensor.fields("import")
        if made:
            self._destroy(made)

    def _axis(self) -> None:
        for key, leaf in c_texts(self._tensor):
            if key != "each" and "axis" in ctext.names(leaf.text):
                message = f"'axis' is known in 'each' only, not in '{key}'"
                self._report("axis-outside-each", leaf.span, message)

    def _rank(self) -> None:
        shape = self._tensor.fields("shape")
        ndim = shape.leaf("ndim") if shape else None
        if ndim and ndim.text.isdecimal() and (len(ndim.text) > 2 or int(ndim.text) > MAX_RANK):
            self._report("rank-too-high", ndim.span, f"a tensor has at most {MAX_RANK} axes")

    def _strides(self) -> None:
        tensor = self._tensor
        axes = rank(tensor)
        record = tensor.fields("strides")
        listed = record.items("list") if record else tensor.items("strides")
        if listed and axes is not None and listed.count != axes:
            message = f"{listed.count} strides for {axes} axes"
            self._report("strides-rank", listed.span, message, notes=self._note("shape", "the axes"))
        if listed and tensor.fields("shape"):
            message = "a list of strides needs a list of extents: this rank is known at run time only"
            hint = "write strides: {each: ...}"
            self._report("strides-need-each", listed.span, message, hint, self._note("shape", "the shape"))
        if record and axes == 0 and (outer := record.leaf("outer")):
            message = "an outer stride needs an axis, and the shape has none"
            self._report("strides-rank", outer.span, message, notes=self._note("shape", "the shape"))
        if record and record.text("unit") == "bytes":
            small = next((leaf for leaf in self._dtypes() if DTYPES[leaf.text].bits % 8), None)
            unit = record.leaf("unit")
            if small and unit:
                message = f"elements of '{small.text}' are smaller than a byte, so bytes cannot count them"
                self._report("sub-byte-strides", unit.span, message, notes=(Note(small.span, "the dtype"),))

    def _keys(self, table: Table) -> None:
        texts = [key for key, _ in table.entries if _is_text(key)]
        others = [key for key, _ in table.entries if not _is_text(key)]
        if texts and others:
            usual, odd = sorted((texts[0], others[0]), key=lambda key: (key.span.line, key.span.column))
            message = "string literals are compared with strcmp, everything else with ==: a map has one kind of keys"
            self._report("mixed-keys", odd.span, message, notes=(Note(usual.span, "the other kind"),))

    def _requirements(self, require: Items | None) -> None:
        seen: dict[str, Span] = {}
        for item in require.items if require else ():
            name = item.text if isinstance(item, Leaf) else _tag(item)
            if name is None:
                continue
            if name in seen:
                notes = (Note(seen[name], "first here"),)
                self._report("duplicate-requirement", item.span, f"'{name}' is required twice", notes=notes)
            seen.setdefault(name, item.span)
            if isinstance(item, Fields) and name == "ndim":
                self._required_rank(item)
            if isinstance(item, Fields) and name == "dtype":
                self._required_dtype(item)

    def _required_rank(self, record: Fields) -> None:
        bounds = required_rank(Items((record,), record.span, 1))
        axes = rank(self._tensor)
        if bounds is None:
            return
        if bounds[0] > bounds[1]:
            message = f"no rank is at least {bounds[0]} and at most {bounds[1]}"
            self._report("rank-contradiction", record.values["ndim"].span, message)
        elif axes is not None and not bounds[0] <= axes <= bounds[1]:
            message = f"the required rank does not allow the {axes} axes of the shape"
            notes = self._note("shape", "the shape")
            self._report("rank-contradiction", record.values["ndim"].span, message, notes=notes)

    def _required_dtype(self, record: Fields) -> None:
        required = record.leaf("dtype")
        known = self._dtypes()
        if required is None or not known or required.text in [leaf.text for leaf in known]:
            return
        choice = self._tensor.fields("dtype")
        table = choice.table("map") if choice else None
        if table and len(table.entries) != table.count:
            return
        message = f"'{required.text}' is required, which the tensor's dtype can never be"
        self._report("dtype-contradiction", required.span, message, notes=self._note("dtype", "the dtype"))

    def _backward(self, call: Fields, slot: str, code: str) -> None:
        """Rule 8: `code` is the map read backwards, and computed only where it is mentioned."""
        mention = next((leaf for _, leaf in c_texts(call) if code in ctext.names(leaf.text)), None)
        if mention is None:
            return
        choice = self._tensor.fields(slot)
        if choice is None:
            if slot not in self._tensor.given or self._tensor.leaf(slot):
                message = f"'{code}' is the {slot} map read backwards, and this tensor's {slot} has no map"
                self._report("code-without-map", mention.span, message, notes=self._note(slot, f"the {slot}"))
            return
        table = choice.table("map")
        required = _required_dtype(call.items("require")) if slot == "dtype" else None
        first: dict[str, Leaf] = {}
        for key, value in table.leaves() if table else ():
            if required in (None, value.text) and value.text in first:
                other = first[value.text]
                message = f"'{code}' is ambiguous: both '{shown(other.text)}' and '{shown(key.text)}' mean {value.text}"
                self._report(
                    "ambiguous-code", mention.span, message, notes=(Note(other.span, "one"), Note(key.span, "two"))
                )
                return
            first.setdefault(value.text, key)

    def _indices(self, call: Fields) -> None:
        bounds = required_rank(call.items("require"))
        axes = bounds[1] if bounds else rank(self._tensor)
        if axes is None:
            return
        for _, leaf in c_texts(call):
            wrong = next((found for found in ctext.literal_indices(leaf.text, _ARRAYS) if found[1] >= axes), None)
            if wrong:
                message = f"'{wrong[0]}[{wrong[1]}]' is out of range: the rank is at most {axes}"
                self._report("index-out-of-rank", leaf.span, message)

    def _lets(self, lets: Items | None) -> None:
        seen: dict[str, Span] = {}
        for record in lets.records() if lets else ():
            declared = ctext.split_declaration(record.entry[0].text) if record.entry else None
            if not record.entry or not isinstance(declared, tuple):
                continue
            span = record.entry[0].span
            if declared[1] in seen:
                notes = (Note(seen[declared[1]], "first here"),)
                self._report("duplicate-name", span, f"'{declared[1]}' is declared twice", notes=notes)
            seen.setdefault(declared[1], span)

    def _destroy(self, made: Fields) -> None:
        if "construct" in made.given and "destroy" not in made.given and "release" not in self._tensor.given:
            message = "how does a constructed object end? the tensor has no 'release' to be taken for it"
            self._report("missing-destroy", made.given["construct"], message, "add 'destroy', or 'destroy: none'")

    def _dtypes(self) -> list[Leaf]:
        """What the dtype can be."""
        fixed = self._tensor.leaf("dtype")
        if fixed:
            return [fixed]
        choice = self._tensor.fields("dtype")
        table = choice.table("map") if choice else None
        default = choice.leaf("default") if choice else None
        mapped = [value for _, value in table.leaves()] if table else []
        return [*mapped, default] if default else mapped

    def _note(self, key: str, message: str) -> tuple[Note, ...]:
        given = self._tensor.given.get(key)
        return (Note(given, message),) if given else ()

    def _report(
        self, code: Code, span: Span, message: str, hint: str | None = None, notes: tuple[Note, ...] = ()
    ) -> None:
        self._emit(Diagnostic(code, span, message, hint, notes))


def _is_text(key: Leaf) -> bool:
    return [token.kind for token in ctext.tokens(key.text)] == ["literal"] and key.text.endswith('"')


def _tag(item: Value) -> str | None:
    """The name of a requirement that can be made once."""
    if not isinstance(item, Fields):
        return None
    return next((name for name in ("ndim", "dtype", "align") if name in item.values), None)


def _required_dtype(require: Items | None) -> str | None:
    return next((text for record in require.records() if (text := record.text("dtype"))), None) if require else None
