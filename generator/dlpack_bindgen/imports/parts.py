"""The list of the parts of `import` and `allocate`."""

from __future__ import annotations

from dlpack_bindgen.imports.arrays import ArraysPart
from dlpack_bindgen.imports.attach import AttachPart
from dlpack_bindgen.imports.construct import ConstructPart
from dlpack_bindgen.imports.deleter import DeleterPart
from dlpack_bindgen.imports.destroy import DestroyPart
from dlpack_bindgen.imports.init import InitPart
from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.imports.set import SetPart
from dlpack_bindgen.imports.storage import BoxPart

PARTS: tuple[Part, ...] = (
    ArraysPart(),
    SetPart(),
    InitPart(),
    ConstructPart(),
    BoxPart(),
    DeleterPart(),
    AttachPart(),
    DestroyPart(),
)
