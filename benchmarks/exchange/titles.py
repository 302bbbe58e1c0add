"""The contestants as the tables name them, and the rows of two threads."""

from __future__ import annotations

FLOOR = "floor"
TWO_THREADS = ", two threads"
"""Ends the names of rows that were measured beside a second thread."""
TITLES = {
    "ours": "ours",
    "abi3": "ours, abi3",
    "baseline": "baseline",
    FLOOR: "floor",
    "pyo3": "pyo3-dlpack",
    "dlpark": "dlpark",
    "nanobind": "nanobind recipe",
    "kept": "nanobind, kept",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "tvm_ffi": "tvm-ffi",
}
PEERS = ("pyo3", "dlpark", "nanobind", "kept", "numpy", "torch", "tvm_ffi")
