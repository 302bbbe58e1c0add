"""The arguments of a call, made from their forms."""

from __future__ import annotations

import json
import math
import random
import re
from typing import TYPE_CHECKING

from .arrays import with_layout
from .choices import LAYOUTS, STRINGS, WAYS, Cannot
from .dtypes import DTYPES, dtypes_of_c

if TYPE_CHECKING:
    from typing import Any

    from . import Form, Json, Relation
    from .choices import Sizes, Target
    from .episodes import Episode


class Unknown(Exception):
    """An expression of the spec has names without a known value."""


_MOST_NUMBER = 9
_MOST_ELEMENTS = 4096
_MOST_EXTENT = 4096
_SIZEOF = re.compile(r"sizeof\s*\(?\s*([\w ]+?)\s*\)?(?![\w ])")


def evaluated(expression: str, environment: dict[str, int]) -> int:
    """Returns the value of an arithmetic expression of the spec. `environment` has numbers, and shapes of objects by
    their members: `m->size1`."""

    def size(match: re.Match[str]) -> str:
        names = dtypes_of_c(match[1].strip(), None)
        if len(names) != 1:
            raise Unknown(match[1])
        return str(DTYPES[names[0]].size)

    def number(match: re.Match[str]) -> str:
        text = re.sub(r"\s", "", match[0])
        if text not in environment:
            raise Unknown(text)
        return f"({environment[text]})"

    text = _SIZEOF.sub(size, expression)
    text = re.sub(r"\((?:size_t|u?int\d*(?:_t)?|long|unsigned|ptrdiff_t)\)", "", text)
    text = re.sub(r"[A-Za-z_]\w*(?:\s*(?:->|\.)\s*[A-Za-z_]\w*)*", number, text)
    if re.fullmatch(r"[\d\s+*/%()<>-]*", text) is None:
        raise Unknown(text)
    try:
        found = eval(text.replace("/", "//"), {"__builtins__": {}})
    except Exception:
        raise Unknown(expression) from None
    return int(found)


class Values:
    """Makes the arguments of one call from their forms, with the small numbers of the call."""

    def __init__(self, episode: Episode, target: Target, sizes: Sizes, numbers: dict[str, int]) -> None:
        """Prepares the arguments of a call. `numbers`: those with which the object of a method was made."""
        self.episode, self.target, self.sizes = episode, target, sizes
        self.environment = dict(numbers)
        self.fixed: str | None = None
        self.place: str | None = None

    def all(self, form: dict[str, Form], fixed: str | None, place: str | None) -> Json:
        """Returns the values by the names of parameters, without those that are left out. The object `fixed` is the
        argument `place`, or the first one of its class."""
        self.fixed, self.place = fixed, place
        found: Json = {}
        for param in sorted(self.target.params, key=lambda param: self._is_late(form.get(param["name"]))):
            own: Form = form.get(param["name"])
            if self._is_fixed(param):
                value, self.fixed = {"var": self.fixed}, None
            elif own is None:
                continue
            else:
                value = getattr(self, "_" + own["is"])(param, own)
            self._known(param, value)
            found[param["name"]] = value
        return found

    def _is_late(self, form: Form) -> bool:
        """Returns whether the shape of an array depends on other arguments."""
        return form is not None and "expression" in json.dumps(form)

    def _is_fixed(self, param: Json) -> bool:
        """Returns whether the object that a call must get is this argument."""
        if self.fixed is None or param["is"] != "object" or self.place not in (None, param["name"]):
            return False
        session = self.episode.session
        return session.resolve(self.target.module, param["of"]) == self.episode.names.get(self.fixed)

    def _known(self, param: Json, value: Any) -> None:
        """Adds the numbers that an argument gives to the environment of expressions."""
        session, name = self.episode.session, param["name"]
        if isinstance(value, int):
            self.environment[name] = int(value)
        shape = None
        if isinstance(value, dict) and "array" in value:
            shape = value["array"]["shape"]
        elif isinstance(value, dict) and "var" in value:
            shape = session.shapes.get(value["var"])
        elif isinstance(value, dict) and "list" in value:
            shape = [len(value["list"])]
        if shape is None:
            return
        count = math.prod(shape)
        for derived, measure in self.target.own.get("derived", {}).items():
            axis = measure["axis"]
            if measure["of"] == name:
                found = {"count": count, "size": count, "extent": shape[axis] if axis < len(shape) else 0}.get(
                    measure["what"]
                )
                if found is not None:
                    self.environment[derived] = found + measure["plus"]
        members = session.classes.get((self.target.module, param.get("of")), {}).get("extents", {})
        for member, axis in members.items():
            if axis < len(shape):
                self.environment[f"{name}->{member}"] = self.environment[f"{name}.{member}"] = shape[axis]

    def relative(self, relation: Relation) -> int:
        word: str
        value: Any
        word, value = relation
        if word == "n":
            return self.sizes.common + int(value)
        if word == "distinct":
            return self.sizes[value]
        if word == "twice":
            return 2 * self.sizes.common
        if word == "expression":
            try:
                return evaluated(value, self.environment)
            except Unknown:
                return self.sizes.common
        return int(value)

    def extents(self, relations: list[Relation]) -> list[int]:
        found, left = [], _MOST_ELEMENTS
        for each in relations:
            extent = min(max(0, self.relative(each)), _MOST_EXTENT, left)
            left //= max(1, extent)
            found.append(extent)
        return found

    # ---- Values by the words of forms ----

    def _none(self, param: Json, form: Json) -> None:
        return None

    def _value(self, param: Json, form: Json) -> Any:
        return form["value"]

    def _int(self, param: Json, form: Json) -> int:
        found = self.relative(form["value"])
        return min(found, _MOST_NUMBER) if form["value"][0] == "n" else found

    def _shape(self, param: Json, form: Json) -> Json:
        return {"tuple": self.extents(form["extents"])}

    def _strings(self, param: Json, form: Json) -> Json:
        chance = random.Random(form["seed"])
        return {"list": [chance.choice(STRINGS) for _ in range(max(0, self.relative(form["count"])))]}

    def _numbers(self, param: Json, form: Json) -> Json:
        return {"list": list(range(max(0, self.relative(form["count"]))))}

    def _array(self, param: Json, form: Json) -> Json:
        shape, dtype = self.extents(form["extents"]), DTYPES[form["dtype"]]
        chance, layout = self.episode.chance, form["layout"]
        if chance.random() < 0.2:
            layout = chance.choice(LAYOUTS.get(param.get("array", {}).get("layout"), ("compact",)))
        strides, offset, size = with_layout(layout, shape, dtype.size, form["order"])
        fill = form["fill"]
        if fill in ("small", "signed", "parts"):
            fill = f"{fill}:{chance.randrange(1000)}"
        own = {
            "dtype": dtype.name,
            "itemsize": dtype.size,
            "shape": shape,
            "strides": strides,
            "offset": offset,
            "size": size,
        }
        way = form["way"] if chance.random() < 0.7 else chance.choice(WAYS)
        own.update({"readonly": form["readonly"], "way": way, "fill": fill})
        return {"array": own}

    def _object(self, param: Json, form: Json) -> Json:
        episode, session = self.episode, self.episode.session
        if form["from"] == "any":
            names = [name for name in session.tensors() if name not in episode.closed]
            if not names:
                raise Cannot(f"no object is there for '{param['name']}'")
            found: str | None = episode.chance.choice(names)
            return {"var": found}
        of = session.resolve(self.target.module, param["of"])
        if of is None:
            raise Cannot(f"{param['of']} is a class of another module")
        found = episode.object(of, form["from"] == "new", self.sizes.beginning_at(form.get("first", 0)))
        if found is None:
            raise Cannot(f"no {of[1]} can be made")
        episode.busy.append(found)
        return {"var": found}

    def _objects(self, param: Json, form: Json) -> Json:
        count = max(0, self.relative(form["count"]))
        items = [form["items"][index % len(form["items"])] for index in range(count)]
        return {"list": [getattr(self, "_" + each["is"])(param, each) for each in items]}

    def _members(self, param: Json, form: Json) -> Json:
        by_name = {each["name"]: each for each in param["members"]}
        values = {name: getattr(self, "_" + each["is"])(by_name[name], each) for name, each in form["members"].items()}
        return {"tuple": list(values.values())} if form["as"] == "tuple" else {"map": values}
