"""The library of the template and its spec, with a property more, and a program in C that uses both."""

from __future__ import annotations

from support.build import TOP

TEMPLATE = TOP / "examples" / "template"
PLAIN_SPEC = (TEMPLATE / "sound.yaml").read_text(encoding="utf-8")
"""It has no functions, methods or properties."""
SPEC = f"{PLAIN_SPEC}    properties: {{samples: self->length}}\n"
HEADER = (TEMPLATE / "clip.h").read_text(encoding="utf-8")
SOURCE = (TEMPLATE / "clip.c").read_text(encoding="utf-8")
MAIN = """\
#include "sound_dlpack.h"
#include <stdio.h>
int main(void)
{
    DLManagedTensorVersioned *tensor = NULL;
    if (sound_clip_to_dlpack(clip_new(3), &tensor, NULL) != 0) {
        return 1;
    }
    printf("%d\\n", (int)tensor->dl_tensor.shape[0]);
    tensor->deleter(tensor);
    return 0;
}
"""
