"""Reader for array and object parameters with their entries in `args`."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.dltensor import Raw
from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.objects import Objects
from dlpack_bindgen.arguments.requirements import NewOutput, Requirements
from dlpack_bindgen.c.prototype import normal
from dlpack_bindgen.c.types import CType, is_typedef
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.spec.functions import ArgumentKind
from dlpack_bindgen.validate.functions.classes import Class, Mistake
from dlpack_bindgen.validate.functions.given import kept
from dlpack_bindgen.validate.functions.reader import Reader

LIKE = "like "
_NEW = "new"
_NEW_ARRAY = "an array is 'like PARAM', or 'new', of the shape that is required"
_NO_DTYPE = ("long double", "long double _Complex")
NOT_OF_OWN = ("optional", "default", "require", "copy")
"""The keys that do not apply to the object of a method."""
_CPU = ("cpu",)
_OF_LISTS = {
    key: f"'{key}' is for one object, and these are several: bind, or write, a function that gets them one by one"
    for key in ("takes", "invalidates", "keeps", "replaces")
}


class MemoryReader(Reader):
    def _object(self, of: Class, own: bool = False) -> ArgumentKind:
        """Returns the argument for an object. `own` tells whether it is the object of a method."""
        each = self._given
        fresh = self._fresh("an object is 'like PARAM', and 'new' makes bare arrays only", new=False)
        may_be_null = self._ctype.depth > 0 or (of.by_value and is_typedef(self._ctype))
        if each.says("optional") and not may_be_null:
            raise self._mistake("argument-type", f"'{of.name.text}' is passed by value, and is never NULL")
        keys = ["of", "invalidates", "takes", "keeps", "replaces"]
        takes = each.text("takes") in ("true", "always")
        if takes and not of.releases:
            message = f"'{of.name.text}' has no 'release': Python owns no object to give"
            raise Mistake("without-effect", each.record.given["takes"] if each.record else each.span, message)
        if not own:
            keys += ["optional"]
        keys += ["writes"]
        if not own and of.imports:
            keys += ["require", "copy"]
            self._refuse_order(of)
        if not own and of.is_tensor:
            keys += ["default"]
        found = Object(
            of=of.name.text,
            writes=self._writes(),
            require=self._require(of),
            copy=each.copy,
            fresh=fresh,
            optional=each.says("optional"),
            invalidates=each.says("invalidates") or takes,
            takes=takes,
            takes_always=each.text("takes") == "always",
            keeps=tuple(leaf.text for leaf in kept(each.record)),
            replaces=each.says("replaces"),
        )
        if own:
            return self._with(keys, found, _of_own(each.parameter.name))
        return self._with(keys, found, _of_arrays(of), f"arrays for {of.name.text}")

    def _objects(self, of: Class) -> ArgumentKind:
        each = self._given
        keys = ["of", "writes", *(["require", "copy"] if of.imports else [])]
        self._refuse_order(of)
        found = Objects(of.name.text, self._writes(), self._require(of), each.copy)
        return self._with(keys, found, {**_of_arrays(of), **_OF_LISTS}, f"arrays for {of.name.text}")

    def _require(self, of: Class) -> Requirements:
        """Returns the requirements of an object. A `dlb_array` must be compact if no layout is declared."""
        require = self._given.require()
        has_layout = require.compact or require.inner_compact or require.nonnegative_strides
        return replace(require, compact=True) if of.name.text == self._names.arrays and not has_layout else require

    def _refuse_order(self, of: Class) -> None:
        if self._given.require().order == "F":
            message = f"the class '{of.name.text}' has the order of the axes, not an argument"
            raise self._mistake("without-effect", message, "'order' of the tensor, and 'require: [compact]'")

    def _raw(self) -> ArgumentKind:
        each = self._given
        self._refuse_const()
        fresh = self._fresh(_NEW_ARRAY)
        raw = Raw(self._writes(), each.require(), each.copy, each.says("optional"), fresh)
        return self._with(("of", "writes", "require", "copy", "optional", "default"), raw, self._of_keepers())

    def _array(self, require: Requirements, word: str | None = None) -> ArgumentKind:
        """Returns the argument for an array. `word` is its declared type, such as `bytes`, or None."""
        each = self._given
        if self._ctype.base != "void" and self._names.number(self._ctype.base) is None and not require.dtypes:
            every = f"numbers: {{{self._ctype.base}: ...}}"
            hint = f"write {{require: [{{dtype: ...}}]}}; or at the top, of all of them, {every}"
            raise self._unclear("has no known dtype", hint, f"the dtype of {self._ctype.base}")
        if normal(self._ctype.base.split()) in _NO_DTYPE and not require.dtypes:
            message = f"no dtype has the layout of C's '{self._ctype.base}'"
            raise self._mistake("argument-type", message, "write a function that takes 'double', or void * and bytes")
        any_dtype = word == "array" and self._ctype.base == "void" and not require.dtypes
        has_device = each.record is not None and self._says_device(each.record)
        require = replace(require, devices=require.devices if has_device else _CPU)
        self._refuse_const()
        number = self._names.numbers.get(self._ctype.base)
        fresh, optional = self._fresh(_NEW_ARRAY), each.says("optional")
        array = Array(self._writes(), any_dtype, require, each.copy, optional, word == "bytes", number, fresh)
        return self._with(("of", "writes", "require", "copy", "optional", "default"), array, self._of_keepers())

    def _of_keepers(self) -> dict[str, str]:
        """Returns the message for `keeps` on an array, which cannot keep other arguments alive."""
        name = self._given.parameter.name
        return {"keeps": f"'keeps' belongs to the object that keeps it: 'args: {{OBJECT: {{keeps: {name}}}}}'"}

    def _fresh(self, what: str, new: bool = True) -> NewOutput | None:
        """Returns the new output that `default` declares, or None without a default.

        `what` describes the valid defaults for messages. `new` allows the default `new` as well as `like PARAM`.
        """
        default = self._given.text("default")
        if default is None:
            return None
        if new and default == _NEW:
            return NewOutput()
        if not default.startswith(LIKE):
            raise self._mistake("without-effect", f"the default of {what}", "NULL: 'optional: true'")
        return NewOutput(default.removeprefix(LIKE).strip())

    def _rows(self) -> ArgumentKind:
        """Returns the argument for an array that C gets as a table of pointers to its rows."""
        if self._ctype.depth != 2 or self._names.meant(CType(self._ctype.base)):
            message = "'rows' are passed as a pointer to pointers to their elements, 'float **', which are numbers"
            raise self._mistake("argument-type", message)
        array = self._array(self._given.require(), "array")
        assert isinstance(array, Array)
        return replace(array, rows=True)

    def _table(self) -> ArgumentKind:
        """Returns the argument for an array of arrays, such as `double a[][3]`."""
        each = self._given
        if each.says("out"):
            hint = "leave 'out' away: Python gives an array of that shape, and it is filled"
            raise self._mistake("argument-type", "C cannot return an array of arrays", hint)
        require = each.require()
        is_number = self._names.number(self._ctype.base) not in (None, "char") or require.dtypes
        if not is_number or (each.name is not None and each.name.text != "array"):
            raise self._mistake("argument-type", "the elements of an array of arrays are numbers")
        return self._array(require)

    @staticmethod
    def _says_device(record: Fields) -> bool:
        listed = record.items("require")
        return any("device" in each.given for each in (listed.records() if listed else ()))

    def _refuse_const(self) -> None:
        if self._given.text("writes") == "true" and self._ctype.reads:
            raise self._mistake("argument-type", "C does not write to 'const' memory")

    def _writes(self) -> bool:
        """Returns whether C writes to the memory: the key `writes`, or else whether the type lacks `const`.

        For objects, the C type is unreliable, and the key can override it. Objects passed by value are never `const`,
        and a `const T *` may own mutable data.
        """
        writes = self._given.text("writes")
        return not self._ctype.reads if writes is None else writes == "true"


def _of_own(name: str) -> dict[str, str]:
    """Returns the messages for keys that do not apply to the object of a method."""
    why = f"'{name}' is the object on which the method is called"
    return {key: f"'{key}' has no place here: {why}" for key in NOT_OF_OWN}


def _of_arrays(of: Class) -> dict[str, str]:
    """Returns the messages for keys about arrays, which a class without `import` does not accept."""
    why = f"'{of.name.text}' has no 'import', so that it takes no foreign arrays"
    return {} if of.imports else {key: f"'{key}' has no place here: {why}" for key in ("require", "copy")}
