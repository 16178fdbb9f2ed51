"""Which modules mypyc compiles, whether they are, and how to run their sources all the same."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

MODULES: Final = (
    "durak.protocol.rules.layout",
    "durak.protocol.rules.bits",
    "durak.protocol.rules.state",
    "durak.protocol.rules.kernel",
    "durak.bots.knowing.public",
    "durak.bots.knowing.sight",
    "durak.bots.search.weighing",
    "durak.bots.search.chance",
    "durak.bots.search.playout",
    "durak.bots.search.sampling",
    "durak.bots.search.position",
    "durak.bots.search.policy",
    "durak.bots.search.duel",
    "durak.bots.search.endgame",
    "durak.bots.search.alone",
    "durak.bots.search.ending",
    "durak.bots.search.value",
    "durak.bots.search.lessons",
    "durak.bots.search.belief",
    "durak.bots.search.worlds",
    "durak.bots.search.flat",
    "durak.bots.search.tree",
)
"""In the order of their imports; setup.py compiles them when a wheel is built where a C compiler is."""


def is_compiled() -> bool:
    """True if this process runs the rules and the search as machine code. It loads neither."""
    kernel, folder = "durak.protocol.rules.kernel", str(Path(__file__).parents[1] / "rules")
    found = (finder.find_spec(kernel, [folder]) for finder in sys.meta_path)
    spec = next(spec for spec in found if spec is not None)
    return not str(spec.origin).endswith(".py")


def interpret() -> None:
    """Run the sources of the compiled modules in this process from now on. Raises `RuntimeError` if one is loaded."""
    loaded = [name for name in MODULES if name in sys.modules]
    if loaded:
        raise RuntimeError(f"{loaded[0]} is loaded already")
    sys.meta_path.insert(0, _Sources())


class _Sources(importlib.abc.MetaPathFinder):
    """Finds the sources of the compiled modules before their machine code."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in MODULES or path is None:
            return None
        source = Path(next(iter(path)), fullname.rpartition(".")[2] + ".py")
        return importlib.util.spec_from_loader(fullname, importlib.machinery.SourceFileLoader(fullname, str(source)))
