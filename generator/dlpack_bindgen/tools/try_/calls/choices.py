"""Targets of calls, and the forms of their arguments, which do not contain sizes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from .dtypes import COMMON, DTYPES, accepted_dtypes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from . import Form, Json, Relation
    from .episodes import Session

# ---- Targets ----


class Target:
    """A target of a plan."""

    def __init__(self, plan: Json, own: Json) -> None:
        self.module, self.own = plan["module"], own
        self.name, self.kind, self.python, self.params = own["name"], own["kind"], own["python"], own["params"]
        self.of = (self.module, own["class"]) if own["class"] else None
        self.reason = own.get("reason")
        self.is_possible = True
        """Whether all objects that a call needs can be made."""
        self.returned = 0
        self.raised = 0
        self.own_returned = 0
        """The calls that returned in the episodes of the target itself."""
        self.last: str | None = None

    @property
    def needs_object(self) -> bool:
        return self.kind not in ("function", "new", "import", "allocate", "class method")

    @property
    def is_simple_maker(self) -> bool:
        """Returns whether a call makes an object without other objects."""
        has_objects = any(param["is"] in ("object", "objects") for param in self.params)
        return self.kind in ("new", "import", "allocate", "class method", "function") and not has_objects

    def is_named(self, name: str) -> bool:
        """Returns whether a name is that of the target, perhaps with the module: `Meter.watch`."""
        return name in (self.name, f"{self.module}.{self.name}")

    def matches(self, name: str) -> bool:
        """Returns whether a name is that of the target, or of its class: `Meter`, or `Meter.*`."""
        of = self.of[1] if self.of is not None else None
        return self.is_named(name) or name.split(".*")[0] in (of, f"{self.module}.{of}")


def required_reason(target: Target, strings: bool) -> str | None:
    """Returns why a target cannot be called, or None."""
    if target.reason is not None:
        return str(target.reason)
    for param in target.params:
        if param["is"] in ("string", "strings") and not strings and not param.get("missing"):
            return f"'{param['name']}' is a string (--strings)"
    return None


# ---- Choices ----
# A form describes an argument relative to the common small number of a call. Forms of successful calls are used again.

SIZES = (1, 2, 2, 3, 3, 3, 3, 5, 5, 5, 6, 6, 8, 8)
"""The common small numbers of episodes."""
OTHER_SIZES = (0, 0, 0, 1, 1, 2, 4, 7, 8)
"""The numbers of some calls."""
OTHERS = tuple(range(2, 10))
"""The numbers that are distinct from the common one of an episode."""
NUMBERS = (9, -1, 0, 8, 1, 7, 2, 6, 3, 5, 4)
"""All numbers that an integer gets in the end; the ends of usual ranges come first."""
_FLOATS = (0.0, 0.5, 1.0, -2.0, 3.25, 1e3, 0.25, 2.0)
STRINGS = ("", "a", "word", "\u00e9" * 40, "1", "two words")
LAYOUTS = {
    "compact": ("compact",),
    "inner": ("compact", "gap"),
    "strided": ("compact", "gap"),
    "positive": ("compact", "gap", "every", "inner", "column"),
    "any": ("compact", "gap", "every", "inner", "column", "negative"),
}
_FILLS = ("range", "range", "small", "signed", "parts", "ones", "zeros", "eye", "eye")
WAYS = ("buffer", "interface", "dlpack")
ALL_LAYOUTS = ("gap", "every", "column", "negative", "zero", "offset")


class Cannot(Exception):
    """No value can be made for an argument."""


class Sizes:
    """The small numbers of a call: the common one, and others, which are distinct from it and from each other."""

    def __init__(self, numbers: Sequence[int], is_distinct: bool = False) -> None:
        self.numbers = tuple(numbers)
        self.is_distinct = is_distinct
        """Whether the extents of an array, and those of independent arrays, are distinct numbers."""

    @property
    def common(self) -> int:
        return self.numbers[0]

    def __getitem__(self, index: int) -> int:
        return self.numbers[index % len(self.numbers)]

    def with_common(self, common: int) -> Sizes:
        """Returns numbers with another common one."""
        others = [each for each in self.numbers[1:] if each != common]
        return Sizes([common, *others], self.is_distinct)

    def beginning_at(self, index: int) -> Sizes:
        """Returns the same numbers in another order."""
        index %= len(self.numbers)
        return Sizes([*self.numbers[index:], *self.numbers[:index]], self.is_distinct)

    def fit(self, shape: Sequence[int]) -> bool:
        """Returns whether an object with these extents is one that calls with these numbers make."""
        if self.is_distinct:
            return list(shape) == [self[axis] for axis in range(len(shape))]
        return set(shape) <= {self.common}


def arbitrary_extents(target: Target, form: dict[str, Form]) -> int:
    """Returns the number of extents that are neither a small number of the call nor one that the target asks for."""
    found = 0
    for param in target.params:
        hints = param.get("array", {}).get("hints") or ()
        extents = (form.get(param["name"]) or {}).get("extents", ())
        found += sum((word == "c" and value not in hints) or (word == "n" and value != 0) for word, value in extents)
    return found


class Choices:
    """Draws the forms of arguments."""

    def __init__(self, chance: random.Random, session: Session) -> None:
        self.chance = chance
        self.session = session

    is_plain = False
    """Whether all extents are the common number, and all arrays compact."""
    is_distinct = False
    """Whether the extents of an array are distinct numbers."""
    _rule = ""
    """Where the numbers of an array begin among those of the call: "axis": arrays have the same; "next": those of
    independent arrays differ; "any": drawn."""
    _first = 0
    """The first number of the present argument."""
    _used = 0
    """The numbers that earlier arguments of the call have used."""

    def call(self, target: Target, is_distinct: bool = False) -> dict[str, Form]:
        """Returns the forms of all arguments of a call."""
        self.begin(is_distinct)
        return {param["name"]: self.argument(target, param) for param in target.params}

    def begin(self, is_distinct: bool) -> None:
        """Prepares the forms of the arguments of one call."""
        self.is_plain, self.is_distinct = self.chance.random() < 0.5, is_distinct
        self._rule = self.chance.choices(("axis", "next", "any"), (45, 30, 25))[0] if is_distinct else ""
        self._used = self._first = 0

    def _begin_argument(self) -> None:
        if self.is_distinct:
            self._first = {"axis": 0, "next": self._used}.get(self._rule, self.chance.randrange(3))

    def with_other_numbers(self, form: dict[str, Form]) -> dict[str, Form]:
        """Returns a form with distinct numbers in the place of the common one, or with the common one for these."""
        word = "n" if self.is_distinct else "distinct"

        def is_usual(relation: Relation) -> bool:
            return bool(relation[0] == word and (word == "distinct" or relation[1] == 0))

        found: dict[str, Form] = {}
        for name, own in form.items():
            self._begin_argument()
            each = dict(own) if own is not None else None
            if each is not None and "extents" in each:
                extents = enumerate(each["extents"])
                each["extents"] = [self._usual(axis) if is_usual(old) else old for axis, old in extents]
            elif each is not None and each["is"] == "int" and is_usual(each["value"]):
                each = self._distinct_int() if self.is_distinct else {"is": "int", "value": ["n", 0]}
            elif each is not None and each["is"] == "object":
                each["first"] = self._first
            found[name] = each
        return found

    def argument(self, target: Target, param: Json) -> Form:
        """Returns the form of an argument; None: it is left out."""
        self._begin_argument()
        chance, word = self.chance, param["is"]
        if param.get("missing") and (
            chance.random() < 0.45 or (word in ("string", "strings") and not self.session.strings)
        ):
            return None
        if param.get("none") and chance.random() < 0.15:
            return {"is": "none"}
        drawn: Any = getattr(self, "_" + word, None)
        if drawn is None:
            raise Cannot("'{}' is {}".format(param["name"], word))
        form: Form = drawn(target, param)
        return form

    def extent(self, hints: Sequence[int] | None, axis: int = 0) -> Relation:
        chance = self.chance.random() * (0.8 if self.is_plain and hints else 0.6 if self.is_plain else 1)
        if chance < 0.62:
            return self._usual(axis)
        if hints and chance < 0.8:
            return ["c", self.chance.choice(hints)]
        if chance < 0.86:
            return ["n", self.chance.choice((1, -1))]
        return ["c", self.chance.choice((0, 1, 1, 2, 3, 4))] if chance < 0.96 else ["twice", 0]

    def _usual(self, axis: int) -> Relation:
        """Returns the most frequent extent of an axis."""
        if not self.is_distinct:
            return ["n", 0]
        self._used = max(self._used, self._first + axis + 1)
        return ["distinct", self._first + axis]

    def _int(self, target: Target, param: Json) -> Json:
        chance = self.chance.random()
        if chance < 0.35:
            plus = self.chance.choice((0, 0, 0, 1, -1))
            return self._distinct_int() if self.is_distinct and plus == 0 else {"is": "int", "value": ["n", plus]}
        hints = target.own.get("hints") or ()
        if hints and chance < 0.45:
            return {"is": "int", "value": ["c", self.chance.choice(hints)]}
        return {"is": "int", "value": ["c", self.chance.choice((0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, -1, -1))]}

    def _distinct_int(self) -> Json:
        self._first = self._used if self._rule == "axis" else self._first
        return {"is": "int", "value": self._usual(0)}

    def _float(self, target: Target, param: Json) -> Json:
        return {"is": "value", "value": self.chance.choice(_FLOATS)}

    def _bool(self, target: Target, param: Json) -> Json:
        return {"is": "value", "value": self.chance.random() < 0.5}

    def _complex(self, target: Target, param: Json) -> Json:
        return {"is": "value", "value": {"complex": [self.chance.choice(_FLOATS), self.chance.choice(_FLOATS)]}}

    def _char(self, target: Target, param: Json) -> Json:
        return {"is": "value", "value": self.chance.choice(("a", "N", "T", "U", "L", "0", " "))}

    def _enum(self, target: Target, param: Json) -> Json:
        enum = self.session.runner.enums[target.module, param["of"]]
        names = [self.chance.choice(enum["members"])]
        if enum["flags"] and self.chance.random() < 0.3:
            names.append(self.chance.choice(enum["members"]))
        found = {"enum": param["of"], "names": names}
        if len(names) == 1 and self.chance.random() < 0.1:
            found["as"] = "name"
        return {"is": "value", "value": found}

    def _string(self, target: Target, param: Json) -> Json:
        if not self.session.strings:
            raise Cannot(f"'{param['name']}' is a string (--strings)")
        return {"is": "value", "value": self.chance.choice(STRINGS)}

    def _strings(self, target: Target, param: Json) -> Json:
        if not self.session.strings:
            raise Cannot(f"'{param['name']}' is a list of strings (--strings)")
        return {"is": "strings", "count": self.extent(()), "seed": self.chance.randrange(1000)}

    def _shape(self, target: Target, param: Json) -> Json:
        rank = self.rank(param["array"])
        return {"is": "shape", "extents": [self._axis(param["array"], axis) for axis in range(rank)]}

    def _dtype(self, target: Target, param: Json) -> Json:
        names = accepted_dtypes(param["array"]["dtypes"])
        if not names:
            raise Cannot(f"no dtype of '{param['name']}' can be made")
        return {"is": "value", "value": self.chance.choice(names)}

    def rank(self, own: Json) -> int:
        low: int
        high: int
        low, high = own.get("ndim") or (0, 64)
        if own.get("shape"):
            return len(own["shape"])
        if low == high:
            return low
        likely: int | None = own.get("likely")
        if likely is not None and low <= likely <= high and self.chance.random() < 0.75:
            return likely
        return self.chance.choice([each for each in (1, 1, 2, 2, 3, 0, low, low + 1) if low <= each <= high])

    def _axis(self, own: Json, axis: int) -> Relation:
        shape = own.get("shape")
        if shape and axis < len(shape) and shape[axis] is not None and self.chance.random() < 0.88:
            return ["expression", shape[axis]]
        return self.extent(own.get("hints"), axis)

    def _array(self, target: Target, param: Json) -> Json:
        own, chance = param["array"], self.chance
        if own.get("numbers") and chance.random() < 0.05:
            return {"is": "numbers", "count": self.extent(own.get("hints"))}
        if chance.random() < 0.07 and self.session.tensors():
            return {"is": "object", "from": "any"}
        found = self.array(own)
        if own.get("writes") and chance.random() < 0.85:
            found["fill"] = "marks"  # no small number: what C writes then differs from what was there
        return found

    def array(self, own: Json) -> Json:
        chance = self.chance
        names = accepted_dtypes(own["dtypes"])
        if not names:
            raise Cannot("no dtype of {} can be made".format(", ".join(own["dtypes"])))
        rank = self.rank(own)
        found: Json = {
            "is": "array",
            "dtype": chance.choice(names),
            "extents": [self._axis(own, axis) for axis in range(rank)],
        }
        if own.get("count") and chance.random() < 0.9:
            found["extents"] = [["expression", own["count"]], *[["c", 1]] * (rank - 1)] if rank else []
        if chance.random() < 0.03:
            found["dtype"] = chance.choice(COMMON)
        good = LAYOUTS.get(own.get("layout") or "any", LAYOUTS["any"])
        found["layout"] = chance.choice(good) if chance.random() < 0.5 else "compact"
        if chance.random() < 0.1 and not self.is_plain:
            found["layout"] = chance.choice(ALL_LAYOUTS)
        is_readonly = chance.random() < (0.04 if own.get("writes") else 0.12)
        found["readonly"] = (is_readonly and not self.is_plain) or found["layout"] == "zero"
        found["order"] = own.get("order") or "C"
        found["way"] = chance.choices(WAYS, (35, 55, 10))[0]
        found["fill"] = chance.choice(_FILLS)
        if DTYPES[found["dtype"]].code in (0, 1) and chance.random() < 0.5:
            found["fill"] = "range"  # integers are often indices
        return found

    def _object(self, target: Target, param: Json) -> Json:
        chance = self.chance
        if param.get("array") and chance.random() < 0.45:
            try:
                return self.array(param["array"])
            except Cannot:
                pass
        if param.get("numbers") and chance.random() < 0.2:
            return {"is": "numbers", "count": self.extent((param.get("length") or 3,))}
        if param.get("members") and chance.random() < 0.25:
            members = {each["name"]: self.argument(target, {**each, "missing": False}) for each in param["members"]}
            return {"is": "members", "members": members, "as": chance.choice(("tuple", "map"))}
        found: Json = {"is": "object", "from": "pool" if chance.random() < 0.6 else "new"}
        if self.is_distinct:
            found["first"] = self._first
            self._used = max(self._used, self._first + 1)
        return found

    def _objects(self, target: Target, param: Json) -> Json:
        items = [self._object(target, param) for _ in range(4)]
        count = (
            ["c", param["length"]]
            if param.get("length")
            else self.chance.choice((["n", 0], ["c", 1], ["c", 2], ["c", 0]))
        )
        return {"is": "objects", "count": count, "items": items}
