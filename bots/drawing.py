"""What all pictures of results have in common: matplotlib where it is installed, the colours, the file."""

from pathlib import Path
from typing import Any, Final

FORMATS: Final = (".png", ".svg")
INK: Final = "#1f4e79"
FAIR: Final = "#b03a2e"


class DrawingError(Exception):
    """A picture cannot be drawn: `code` is no_matplotlib, or bad_plot if the file was not written."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{text} [{code}]")
        self.code = code


def figure() -> Any:
    """An empty figure. Raises `DrawingError` no_matplotlib."""
    try:
        from matplotlib.figure import Figure  # imported when needed: it is large, and not installed with durak
    except ImportError:
        raise DrawingError("no_matplotlib", "a plot needs matplotlib; install it with: pip install 'durak[plot]'") from None
    return Figure(layout="constrained", dpi=150)


def save(canvas: Any, path: Path) -> None:
    """Write a figure into this .png or .svg. Raises `DrawingError` bad_plot."""
    try:
        canvas.savefig(path)
    except (OSError, ValueError) as error:
        raise DrawingError("bad_plot", f"{path} was not written: {error}") from None
