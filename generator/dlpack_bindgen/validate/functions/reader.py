"""Base class of all readers of a parameter, with its checks of keys and its messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from dlpack_bindgen.c.types import declared, is_typedef
from dlpack_bindgen.diagnostics import Code
from dlpack_bindgen.spec.functions import ArgumentKind
from dlpack_bindgen.validate.functions.classes import Mistake, Names
from dlpack_bindgen.validate.functions.given import Given

Kind = TypeVar("Kind", bound=ArgumentKind)


class Reader:
    def __init__(self, each: Given, names: Names) -> None:
        self._given = each
        self._ctype = each.parameter.ctype
        self._names = names

    def _with(
        self,
        keys: tuple[str, ...] | list[str],
        kind: Kind,
        why: Mapping[str, str] | None = None,
        cause: str | None = None,
    ) -> Kind:
        """Returns `kind`. Raises Mistake if the entry in `args` has a key other than `keys`.

        `why` maps some other keys to messages. `cause` identifies the common cause of these mistakes.
        """
        record = self._given.record
        for key, span in record.given.items() if record else ():
            needs = getattr(record.record.key(key), "needs", None) if record else None
            alone = needs is not None and record is not None and record.given.keys().isdisjoint(needs.keys)
            if key not in keys and not alone:  # reported already
                if why and key in why:
                    raise Mistake("without-effect", span, why[key], cause=cause)
                known = ", ".join(f"'{name}'" for name in keys)
                message = f"'{key}' does not apply to this kind of parameter"
                raise Mistake("without-effect", span, message, f"the keys that apply are {known}")
        return kind

    def _unclear(self, why: str, hint: str | None = None, cause: str | None = None) -> Mistake:
        return self._mistake(
            "argument-unclear",
            f"the type '{declared(self._ctype, '')}' of '{self._given.parameter.name}' {why}",
            hint,
            cause,
        )

    def _mistake(self, code: Code, message: str, hint: str | None = None, cause: str | None = None) -> Mistake:
        return Mistake(code, self._given.span, message, hint, cause)

    def _no_pointer(self, message: str) -> Mistake:
        """Returns the mistake for a type that must be a pointer. The hint considers typedefs of pointers and arrays."""
        base, name = self._ctype.base, self._given.parameter.name
        hint = f"if '{base}' stands for a pointer or an array, write that: '... *{name}' or '... {name}[N]'"
        return self._mistake("argument-type", message, hint if is_typedef(self._ctype) else None)
