"""The classes of the records of `import` and `allocate`. `imports/` declares most of their keys."""

from __future__ import annotations

from dlpack_bindgen.language.steps import CallFields, TestedFields
from dlpack_bindgen.language.values import Attribute, Fields, Items, items, leaf, table


class DeleterFields(Fields):
    order = items()
    user = leaf()


class AttachFields(CallFields):
    order = items()
    user = leaf()


class MakingFields(TestedFields):
    """An import, or an allocation, which lacks the keys about a foreign array."""

    require = items()
    let = items()
    init = leaf()
    construct = leaf()
    undo = leaf()
    params = items()
    set = table()
    const = items()
    box = leaf()
    deleter = Attribute[Items | DeleterFields]()
    attach = Attribute[AttachFields]()
    detach = leaf()
    destroy = leaf()
    copy = leaf()
    cast = leaf()
    stream = leaf()
