"""What the options of `durak serve` may be; a `ValueError` completes the sentence that begins with the value."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit


def number_up_to(highest: int, *, lowest: int = 0) -> Callable[[str], int]:
    """A whole number from `lowest` to `highest`."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not lowest <= int(text[:20]) <= highest:
            raise ValueError(f"is no whole number from {lowest} to {highest}")
        return int(text)

    return read


def one_of(*words: str) -> Callable[[str], str]:
    """One of these words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"is not {' or '.join(words)}")
        return text

    return read


def folder(text: str) -> Path:
    """A path."""
    if not text or "\0" in text:
        raise ValueError("is no directory; name one, such as durak-data")
    return Path(text)


def host_name(text: str) -> str:
    """An address or a name that may be looked up."""
    if not text.isascii() or not all(0 < len(label) < 64 for label in text.rstrip(".").split(".")) or "\0" in text:
        raise ValueError("is no address; choose 127.0.0.1, 0.0.0.0 or a name of this machine")
    return text


def origin(text: str) -> str:
    """What a browser sends as Origin: scheme, name and port, nothing else."""
    try:
        parts = urlsplit(text)
        right = parts.scheme in ("http", "https") and parts.hostname and text == f"{parts.scheme}://{parts.netloc}".lower()
        right = right and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        right = False
    if not right:
        raise ValueError("is no origin; write it as browsers do: https://durak.example, without a path")
    return text


def switch(text: str) -> bool:
    """On or off."""
    words = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}
    if text.lower() not in words:
        raise ValueError("is not on or off")
    return words[text.lower()]
