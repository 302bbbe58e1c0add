"""What a function fills for C text alone: an error object, whose message is read and which is freed."""

from __future__ import annotations

from types import ModuleType

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: private_outs
include: private_outs.h
handles:
  Picture:
    type: picture
    release: free(self)
    new:
      c: picture *picture_load(const char *name, struct fault **error)
      args: {error: {out: true}}
      ok: "!= NULL"
      error: error->message
      raises: OSError
      finally: fault_clear(&error)
    methods:
      save:
        c: int picture_save(const picture *p, const char *name, int *size, struct fault **error)
        args: {size: {out: true}, error: {out: true}}
        ok: == 1
        error: error->message
        finally: fault_clear(&error)
functions:
  alive: {c: int fault_count(void)}
"""
HEADER = """
#include <stdlib.h>
#include <string.h>
typedef struct { int n; } picture;
struct fault { const char *message; };
int fault_count(void);
void fault_clear(struct fault **error);
picture *picture_load(const char *name, struct fault **error);
int picture_save(const picture *p, const char *name, int *size, struct fault **error);
"""
SOURCE = """
#include "private_outs.h"
static int alive;
int fault_count(void) { return alive; }
static void fail(struct fault **error, const char *message)
{
    *error = malloc(sizeof **error);
    (*error)->message = message;
    alive++;
}
void fault_clear(struct fault **error)
{
    alive -= *error != NULL;
    free(*error);
    *error = NULL;
}
picture *picture_load(const char *name, struct fault **error)
{
    if (*name == 0) {
        fail(error, "no name");
        return NULL;
    }
    return calloc(1, sizeof(picture));
}
int picture_save(const picture *p, const char *name, int *size, struct fault **error)
{
    (void)p;
    *size = (int)strlen(name);
    if (*size == 0) {
        fail(error, "nowhere");
    }
    return *size != 0;
}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("private_outs", SPEC, tmp_path_factory.mktemp("private_outs"), HEADER, SOURCE)


def test_it_is_not_returned(lib: ModuleType) -> None:
    assert lib.Picture("a").save("abc") == 3
    assert lib.alive() == 0


def test_its_message_is_read_before_it_ends(lib: ModuleType) -> None:
    with pytest.raises(OSError, match=r"^Picture\(\): no name$"):
        lib.Picture("")
    with pytest.raises(RuntimeError, match=r"^save\(\): nowhere$"):
        lib.Picture("a").save("")
    assert lib.alive() == 0
