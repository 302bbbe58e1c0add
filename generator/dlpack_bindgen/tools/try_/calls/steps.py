"""Steps: what one does, and how it runs."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import itertools
import json
import operator
import os
import pickle
from typing import TYPE_CHECKING

from .arrays import Block, array_of, exported, made_array, read_export
from .dtypes import DTYPES, RecordDType, RecordTable, read_dtype_table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from . import Json, Made, Outcome

_SPECIAL: dict[str, Any] = {
    "__len__": len,
    "__bool__": bool,
    "__int__": int,
    "__index__": operator.index,
    "__float__": float,
    "__str__": str,
    "__repr__": repr,
    "__iter__": iter,
    "__next__": next,
    "__getitem__": operator.getitem,
    "__setitem__": operator.setitem,
    "__delitem__": operator.delitem,
    "__contains__": operator.contains,
}
_ATTRIBUTES = ("shape", "strides", "dtype", "device", "readonly", "nbytes", "itemsize", "ndim")
MOST_ITEMS = 8
"""The number of items that an iteration takes."""


class Missing(Exception):
    """A step uses a variable that an earlier step did not make."""


class Log:
    """The file of events. Each line is written at once."""

    def __init__(self) -> None:
        path = os.environ.get("DLB_CHECKED_LOG")
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666) if path else 2

    def write(self, event: Json) -> None:
        os.write(self._file, (json.dumps(event, separators=(",", ":")) + "\n").encode())


class Runner:
    """Runs steps. Variables hold the objects of the classes, and exports."""

    def __init__(self, plans: list[Json], log: Log) -> None:
        self.modules = {plan["module"]: importlib.import_module(plan["module"]) for plan in plans}
        self.enums = {(plan["module"], name): enum for plan in plans for name, enum in plan["enums"].items()}
        self.classes = {}
        for plan in plans:
            for name in (name for name, own in plan["classes"].items() if "external" not in own):
                known = getattr(self.modules[plan["module"]], name, None)
                if isinstance(known, type):
                    self.classes[known] = (plan["module"], name)
        for plan in plans:
            self._read_tables(plan)
        self.variables: dict[str, Any] = {}
        self._log = log
        self.number = 0
        self.ends: dict[tuple[str, str, str], int] = {}
        """How many calls no value of the last element of an argument has had an effect on; -1: one has."""

    def _read_tables(self, plan: Json) -> None:
        """Adds the dtypes of the C types and of the records of a module that exports its tables."""
        file = getattr(self.modules[plan["module"]], "__file__", None)
        if not file:
            return
        library = ctypes.CDLL(file)
        with contextlib.suppress(ValueError):  # all C types are known
            read_dtype_table(library, plan["module"])
        for name, table in plan.get("records", {}).items():
            with contextlib.suppress(ValueError, StopIteration):  # the symbol is hidden, or a number is unknown
                DTYPES[name] = RecordDType(name, RecordTable.in_dll(library, table))

    def run(self, step: Json) -> Outcome:
        """Runs a step, which is logged first. Returns the text of its exception, or None, and the variables that it has
        made, each with its class."""
        self.number = step["n"]
        self._log.write(step)
        raised, made = None, []
        try:
            made = self._run(step)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raised = f"{type(error).__name__}: {str(error)[:300]}"
        done = {"event": "done", "n": step["n"]}
        if raised is not None:
            done["raised"] = raised
        self._log.write(done)
        return raised, made

    def _run(self, step: Json) -> Made:
        do = step["do"]
        if do == "call":
            return self._kept(step.get("result"), self._call(step))
        if do == "drop":
            for name in step["names"]:
                self.variables.pop(name, None)
        elif do == "collect":
            gc.collect()
        elif do == "export":
            export = exported(self._variable(step["of"]), step["way"])
            self.variables[step["result"]] = export
            read_export(export)
        elif do == "read":
            read_export(self._variable(step["of"]))
        elif do == "try-ends":
            self._try_ends(step)
        elif do == "attributes":
            self._look(self._variable(step["of"]))
        elif do == "delete":
            delattr(self._variable(step["of"]), step["python"])
        return []

    # ---- The last elements of arguments ----

    def _try_ends(self, step: Json) -> None:
        """Repeats a call with other last elements, and records whether they have an effect."""
        before = self._seen(step, None, 0)
        if before is None or before != self._seen(step, None, 0):  # it fails, or depends on more than its arguments
            self.ends.update({(step["module"], step["target"], name): -1 for name in step["args"]})
            return
        for name in with_ends(step):
            key = (step["module"], step["target"], name)
            if self.ends.get(key, 0) < 0:
                continue
            if before[1][name][-1] != b"" or any(self._seen(step, name, value) != before for value in _ENDS):
                self.ends[key] = -1
            else:
                self.ends[key] = self.ends.get(key, 0) + 1

    def _seen(self, step: Json, changed: str | None, value: float) -> tuple[str, dict[str, list[bytes]]] | None:
        """Calls a function. Returns the text of its result, and the elements of its arrays after the call: a last
        element that the call has left alone is empty. Returns None if the call as it was raises an exception."""
        blocks = {name: Block(each["array"]) for name, each in step["args"].items() if is_array(each)}
        if changed is not None:
            blocks[changed].set_last(value)
        lasts = {name: block.elements()[-1:] for name, block in blocks.items()}
        arguments = {
            name: array_of(blocks[name]) if name in blocks else self._value(each, step["module"])
            for name, each in step["args"].items()
        }
        passed = [each for name, each in arguments.items() if name not in step["by_name"]]
        named = {name: each for name, each in arguments.items() if name in step["by_name"]}
        try:
            result = self._text(getattr(self.modules[step["module"]], step["python"])(*passed, **named))
        except Exception as error:
            if changed is None:
                return None
            result = type(error).__name__
        found = {}
        for name, block in blocks.items():
            after = block.elements()
            found[name] = [*after[:-1], b"" if after[-1:] == lasts[name] else after[-1]]
        return result, found

    def _text(self, result: Any) -> str:
        """Returns the text of a result; that of an array has the elements."""
        if isinstance(result, (tuple, list)):
            return "({})".format(", ".join(map(self._text, result)))
        if type(result) in self.classes:
            try:
                return memoryview(result).tobytes().hex()
            except Exception:
                return type(result).__name__
        return repr(result)

    def _variable(self, name: str) -> Any:
        if name not in self.variables:
            raise Missing(f"there is no {name}")
        return self.variables[name]

    def _look(self, of: Any) -> None:
        failure = None
        for name in _ATTRIBUTES:
            try:
                getattr(of, name)
            except Exception as error:
                failure = failure or error
        repr(of)
        if failure is not None:
            raise failure

    def _kept(self, name: str | None, result: Any) -> Made:
        """Stores the objects of a result in variables: `m1`, or `m1[0]` for those of a tuple or a list."""
        if isinstance(result, (tuple, list)) and name is not None:
            parts = [self._kept(f"{name}[{index}]", each) for index, each in enumerate(result)]
            return [each for part in parts for each in part]
        of = self.classes.get(type(result))
        if of is None or name is None:
            return []
        self.variables[name] = result
        return [(name, of)]

    def _call(self, step: Json) -> Any:
        module, kind, python = self.modules[step["module"]], step["kind"], step["python"]
        by_name = step.get("by_name", ())
        values = {name: self._value(value, step["module"]) for name, value in step["args"].items()}
        passed = [value for name, value in values.items() if name not in by_name]
        named = {name: value for name, value in values.items() if name in by_name}
        if kind == "function":
            return getattr(module, python)(*passed, **named)
        of = getattr(module, step["class"])
        if kind == "new":
            return of(*passed, **named)
        if kind in ("import", "allocate", "class method"):
            return getattr(of, python)(*passed, **named)
        own = self._variable(step["self"])
        if kind == "getter":
            return getattr(own, python)
        if kind == "setter":
            return setattr(own, python, passed[0])
        if kind == "close":
            return own.close()
        if kind == "with":
            with own as entered:
                repr(entered)
            return None
        if kind == "iteration":
            return self._items(own)
        if kind == "pickle":
            return pickle.loads(pickle.dumps(own, 4))
        if kind == "to":
            return own.to(of)
        if kind == "special" and python in _SPECIAL:
            return _SPECIAL[python](own, *passed)
        if kind == "special" and python == "__call__":
            return own(*passed, **named)
        return getattr(own, python)(*passed, **named)

    @staticmethod
    def _items(of: Any) -> list[Any]:
        """Returns the first items of an iteration. It may end with an exception, such as that of an index."""
        found: list[Any] = []
        try:
            found.extend(itertools.islice(of, MOST_ITEMS))
        except Exception:
            if not found:
                raise
        return found

    def _value(self, value: Any, module: str) -> Any:
        """Returns the Python object that a logged value stands for."""
        if not isinstance(value, dict):
            return value
        (word, of), *_ = value.items()
        if word == "var":
            return self._variable(of)
        if word == "array":
            return made_array(of)
        if word == "enum":
            return self._member(getattr(self.modules[module], of), value)
        if word == "complex":
            return complex(*of)
        if word == "bytes":
            return of.encode("latin-1")
        if word == "list":
            return [self._value(each, module) for each in of]
        if word == "tuple":
            return tuple(self._value(each, module) for each in of)
        return {name: self._value(each, module) for name, each in of.items()}

    def _member(self, enum: Any, value: Json) -> Any:
        """Returns a member of an enumeration, or several members of flags."""
        names = value["names"]
        found = getattr(enum, names[0])
        for name in names[1:]:
            found |= getattr(enum, name)
        return found if value.get("as") != "name" else names[0]


# ---- What a step uses ----


def variables_of(step: Mapping[str, Any]) -> list[str]:
    """Returns the variables that a step uses."""
    found = []

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            for word, of in value.items():
                if word == "var":
                    found.append(of)
                elif word != "array":
                    collect(of)
        elif isinstance(value, list):
            for each in value:
                collect(each)

    collect(step.get("args", {}))
    found += [step[key] for key in ("self", "of") if key in step and step[key] is not None and step["do"] != "collect"]
    return found + list(step.get("names", ()))


_ENDS = (-97.0, 101.0, 3.5)
"""Other values of a last element."""


def is_array(value: Any) -> bool:
    return isinstance(value, dict) and "array" in value


def with_ends(step: Mapping[str, Any]) -> list[str]:
    """Returns the arguments of a step of which the last element can be changed: arrays with several elements along each
    axis, which do not overlap in memory. If an axis has one element, its stride is not used, so that a wrong one seems
    right. The step can name `kept` arguments, which C may use in a later call only."""
    found = []
    for name, value in step["args"].items():
        own = value["array"] if is_array(value) and name not in step.get("kept", ()) else {"shape": []}
        if own["shape"] and min(own["shape"]) > 1 and 0 not in own["strides"]:
            found.append(name)
    return found


# ---- Replays ----


def replay(runner: Runner, steps: list[Json]) -> None:
    """Runs logged steps. A step whose variables are missing is left out."""
    for step in steps:
        used = variables_of(step) if step["do"] != "drop" else []
        if all(name in runner.variables for name in used):
            runner.run(step)
