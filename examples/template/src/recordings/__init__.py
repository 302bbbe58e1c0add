"""Recordings, whose samples are shared with NumPy and other array libraries."""

from recordings.sound import Clip

__all__ = ["Clip"]
