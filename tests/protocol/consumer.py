# SPDX-License-Identifier: MIT
"""Producers to import from, by their names in the tables of docs/protocol.md."""

from __future__ import annotations

import gc
from collections.abc import Callable
from types import ModuleType
from typing import Any

from protocol.page import message_of
from python.tensors import Managed

Make = Callable[..., Managed]
Answer = Callable[[], Any]


def taken(
    producer: ModuleType, held: list[Any], take: Callable[[Any], Any], show: Callable[[Any], str]
) -> dict[str, str]:
    """Takes the only object in `held`. Returns the outcome, and when the deleter of the imported tensor is called, if
    it is. Checks that the deleter runs with the GIL and without a pending exception. `held` keeps the object alive
    during the call: otherwise it would be destroyed while an exception is pending."""
    producer.record()
    made = None
    try:
        made = take(held[0])
        result = show(made)
    except BaseException as error:
        result = message_of(error)
    held.clear()
    if made is None:
        gc.collect()  # what the exception referred to
    at_once = producer.record()
    del made
    later = producer.record()
    assert at_once[1:] == later[1:] == (0, 0)
    words = ["at once"] * at_once[0] + ["with the object"] * later[0]
    return {"outcome": result, "deleted": ", ".join(words) or "never"}


class Modern:
    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None) -> Any:
        return self._answer()


class StreamOnly(Modern):
    def __dlpack__(self, stream=None) -> Any:
        return self._answer()


class NoKeywords(Modern):
    def __dlpack__(self) -> Any:
        return self._answer()


def refusing(text: str) -> type[Modern]:
    """Makes a class of producers that refuse every keyword with a TypeError of this message."""

    class Refusing(Modern):
        def __dlpack__(self, **given: Any) -> Any:
            if given:
                raise TypeError(text)
            return self._answer()

    return Refusing


class Raising:
    """Raises a new exception each time: one that is raised again collects tracebacks."""

    def __init__(self, kind: type[BaseException], *arguments: str) -> None:
        self._kind, self._arguments = kind, arguments

    def __call__(self) -> Any:
        raise self._kind(*self._arguments)


TENSORS: dict[str, tuple[bool, dict[str, Any], str]] = {
    "legacy": (False, {}, ""),
    "version 1.0": (True, {"minor": 0}, ""),
    "version 1.3": (True, {}, ""),
    "version 1.99": (True, {"minor": 99}, ""),
    "version 0.8": (True, {"major": 0, "minor": 8}, ""),
    "version 2.0": (True, {"major": 2, "minor": 0}, ""),
    "READ_ONLY": (True, {"flags": 1}, ""),
    "IS_COPIED": (True, {"flags": 2}, ""),
    "SUBBYTE_TYPE_PADDED": (True, {"flags": 4, "dtype": (17, 4, 1)}, ""),
    "an unknown flag": (True, {"flags": 1 << 40}, ""),
    "impossible": (True, {"data": None}, ""),
    "legacy, no deleter": (False, {"deleter": None}, ""),
    "no deleter": (True, {"deleter": None}, ""),
    "legacy, impossible, no deleter": (False, {"data": None, "deleter": None}, ""),
    "impossible, no deleter": (True, {"data": None, "deleter": None}, ""),
    "used legacy": (False, {}, "used_dltensor"),
    "used versioned": (True, {}, "used_dltensor_versioned"),
    "something_else": (True, {}, "something_else"),
}
"""Whether it is versioned, what is set in it, and the name of its capsule, if that is another one."""

OTHERS: dict[str, Answer] = {
    "None": lambda: None,
    "an int": lambda: 1,
    "BufferError": Raising(BufferError, "not exportable"),
    "ValueError": Raising(ValueError, "no such thing"),
    "TypeError": Raising(TypeError, "unsupported operand type(s) for +: 'int' and 'str'"),
    "AttributeError": Raising(AttributeError, "'Thing' object has no attribute 'inner'"),
    "MemoryError": Raising(MemoryError),
    "KeyboardInterrupt": Raising(KeyboardInterrupt),
}

SIGNATURES = {"modern": Modern, "stream": StreamOnly, "none": NoKeywords}
SIGNATURES_IN_C = {"none, in C": "Bare", "stream, in C": "Pedantic"}


class Sources:
    """Producers that answer as told. What no consumer may delete is ended by end()."""

    def __init__(self, producer: ModuleType, foreign: ModuleType, managed: Make) -> None:
        self._producer, self._foreign, self._managed = producer, foreign, managed
        self._unowned: list[Managed] = []

    def _tensor(self, answer: str) -> tuple[Managed, str]:
        versioned, fields, name = TENSORS[answer]
        made = self._managed(versioned, **fields)
        if name.startswith("used") or made.struct.deleter is None:
            self._unowned.append(made)
        return made, name

    def _capsule(self, answer: str) -> object:
        tensor, name = self._tensor(answer)
        return tensor.capsule(name)

    def make(self, kind: str, answer: str) -> Any:
        """Makes a producer, or returns None for an impossible pair: a capsule that raises, or a table that gives a
        legacy tensor."""
        if kind == "capsule":
            return self._capsule(answer) if answer in TENSORS else None
        if kind == "table":
            return self._tabled(answer)
        give = OTHERS.get(answer, lambda: self._capsule(answer))
        if kind in SIGNATURES:
            return SIGNATURES[kind](give)
        return getattr(self._producer, SIGNATURES_IN_C[kind])(give)

    def _tabled(self, answer: str) -> Any:
        versioned, _, name = TENSORS.get(answer, (False, {}, ""))
        give = OTHERS.get(answer)
        if versioned and not name:
            return self._with_table(lambda: self._tensor(answer)[0].address)
        return self._with_table(give) if isinstance(give, Raising) else None

    def _with_table(self, give: Answer) -> Any:
        return tabled(self._managed, [], "without __dlpack__", self._foreign.table("1.3"), give)

    def end(self) -> None:
        for tensor in self._unowned:
            self._producer.free(tensor.address)


COMPLEX, CUDA, PINNED = {"dtype": (5, 64, 1)}, {"device_type": 2}, {"device_type": 3}


def exchanged(managed: Make) -> dict[str, Answer]:
    """Returns the answers of an export function of an exchange table: an address, an exception, or no tensor."""
    return {
        "float32": lambda: managed().address,
        "complex64": lambda: managed(**COMPLEX).address,
        "on CUDA": lambda: managed(**CUDA).address,
        "on pinned memory": lambda: managed(**PINNED).address,
        "version 2.0": lambda: managed(major=2, minor=0).address,
        "BufferError": Raising(BufferError, "not exportable"),
        "RuntimeError": Raising(RuntimeError, "c10::Error, and its trace"),
        "KeyboardInterrupt": Raising(KeyboardInterrupt),
        "NULL": lambda: 0,
        "no exception": lambda: None,
    }


TABLE = "__dlpack_c_exchange_api__"


def tabled(managed: Make, ways: list[str], kind: str, table: object, answer: Answer) -> Any:
    """Makes an object whose class has the exchange table as `kind` describes. Each export appends "table" or "call" to
    `ways`."""

    def from_table(self: Any) -> Any:
        ways.append("table")
        return answer()

    def from_call(self: Any, **_: Any) -> Any:
        ways.append("call")
        return managed().capsule()

    with_table = {"answer": from_table, TABLE: table}
    call = {"__dlpack__": from_call}
    grad = {"requires_grad": True}
    base = type("Base", (), with_table | call)
    bases: dict[str, Callable[[], type]] = {
        "with __dlpack__": lambda: base,
        "without __dlpack__": lambda: type("Mute", (), with_table),
        "that inherits both": lambda: type("Subclass", (base,), {}),
        "that inherits the table, with its own __dlpack__": lambda: type("Own", (base,), call),
        **{
            f"that inherits both, with its own {name}": lambda name=name: type("Answering", (base,), {name: len})
            for name in ("__torch_function__", "__torch_dispatch__", "__dlpack_device__")
        },
        "whose objects require grad, with __dlpack__": lambda: type("Followed", (), with_table | call | grad),
        "whose objects require grad, without __dlpack__": lambda: type("Followed", (), with_table | grad),
        "whose metaclass has it, with __dlpack__": lambda: type("Meta", (type,), {TABLE: table})("Made", (), call),
        "whose objects have it, with __dlpack__": lambda: type("Having", (), call),
    }
    made = bases[kind]()()
    if kind.startswith("whose objects"):
        setattr(made, TABLE, table)
    return made
