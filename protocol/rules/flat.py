"""The types of the compiled modules: machine integers and flat arrays of them; `int` and `list` where they run interpreted.

mypyc takes the types below for 64-bit integers in registers and in arrays without objects. Interpreted, boxed stand-ins for
them would be slower than Python's own, so those take their names, and neither library is needed.
"""

from typing import TYPE_CHECKING

__all__ = ["i64", "vec"]

if TYPE_CHECKING:
    from librt.vecs import vec
    from mypy_extensions import i64
else:
    i64 = int
    vec = list
