# SPDX-License-Identifier: MIT
"""Names for the code that test_pages.py and test_memcheck.py run in processes of their own."""

import ctypes
import os
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_long, c_size_t, c_ssize_t, c_uint, c_void_p

checks = ctypes.CDLL(os.environ["TEST_CHECKS"])
library = ctypes.CDLL(os.environ["TEST_LIBRARY"])


class Zone(ctypes.Structure):
    """A dlb_zone."""

    _fields_ = [("at", c_void_p), ("size", c_size_t), ("block", c_void_p), ("block_size", c_size_t), ("serial", c_uint)]


class Block(ctypes.Structure):
    """A dlb_block."""

    _fields_ = [("start", c_void_p), ("size", c_size_t), ("freed", c_bool)]


def declare(of, name, result, *arguments):
    function = getattr(of, name)
    function.restype, function.argtypes = result, arguments
    return function


zone_make = declare(checks, "dlb_zone_make", c_bool, POINTER(Zone), c_size_t, c_size_t, c_size_t)
zone_overwritten = declare(checks, "dlb_zone_overwritten", c_bool, POINTER(Zone), POINTER(c_ssize_t))
zone_forbid = declare(checks, "dlb_zone_forbid", None, POINTER(Zone))
zone_free = declare(checks, "dlb_zone_free", None, POINTER(Zone))
memory_bad = declare(checks, "dlb_memory_bad", c_size_t, c_void_p, c_size_t)
memory_block = declare(checks, "dlb_memory_block", c_bool, c_void_p, POINTER(Block))
memory_writable = declare(checks, "dlb_memory_writable", c_bool, c_void_p)
memory_table = declare(checks, "dlb_memory_table", c_void_p, c_size_t)
memory_table_free = declare(checks, "dlb_memory_table_free", None, c_void_p, c_size_t)
memory_fence = declare(checks, "dlb_memory_fence", None, c_bool) if hasattr(checks, "dlb_memory_fence") else None
memory_enter = declare(checks, "dlb_memory_enter", c_char_p, c_char_p)
undefine = declare(checks, "dlb_memory_undefine", None, c_void_p, c_size_t)
undefined = declare(checks, "dlb_memory_undefined", c_size_t, c_void_p, c_size_t)

read = declare(library, "library_read", c_int, c_void_p, c_long)
write = declare(library, "library_write", None, c_void_p, c_long)
copy = declare(library, "library_copy", None, c_void_p, c_void_p, c_size_t)
length = declare(library, "library_length", c_size_t, c_void_p)
malloc = declare(library, "library_malloc", c_void_p, c_size_t)
aligned = declare(library, "library_aligned", c_void_p, c_size_t, c_size_t)
strdup = declare(library, "library_strdup", c_void_p, c_char_p)
realloc = declare(library, "library_realloc", c_void_p, c_void_p, c_size_t)
free = declare(library, "library_free", None, c_void_p)
usable = declare(library, "library_usable", c_size_t, c_void_p)
read_only = declare(library, "library_read_only", c_void_p)
pair = declare(library, "library_pair", c_double, c_int, c_size_t)
read_file = declare(library, "library_read_file", c_int, c_int)
leak = declare(library, "library_leak", None, c_int, c_size_t)
leak_hidden = declare(library, "library_leak_hidden", None, c_int, c_size_t)


def make(size, alignment=1, residue=0, front=False):
    """Makes a zone whose array is at the end of its pages, or at the front."""
    zone = Zone()
    while True:
        assert zone_make(byref(zone), size, alignment, residue)
        assert zone.at % alignment == residue and zone.size == size
        assert zone.block < zone.at and zone.at + size < zone.block + zone.block_size
        if front == (zone.serial % 4 == 3):
            return zone
        zone_free(byref(zone))


def overwritten(zone):
    """Returns the offset of a byte beside the array that C has written; None if there is none."""
    offset = c_ssize_t()
    return offset.value if zone_overwritten(byref(zone), byref(offset)) else None


def block_of(address):
    """Returns start, size, and whether it is freed, of the block with the address; None if there is none."""
    block = Block()
    return (block.start, block.size, block.freed) if memory_block(address, byref(block)) else None


def bad(address, size):
    return memory_bad(address, size)


def tell(name, value):
    """Prints a name and a number in the notation of the reports."""
    print(f"{name} {value:#x}", file=sys.stderr, flush=True)
