"""The value networks that learning.py has written, one for each number of players."""

import struct
from functools import cache
from pathlib import Path

from durak.bots.search.value import Value, features


def path_of(players: int) -> Path:
    """Where the network for so many players is: half-precision floats, little-endian, in the order of Value's weights."""
    return Path(__file__).parent / "networks" / f"{players}.bin"


@cache
def network_for(players: int) -> Value:
    """The network for games that began with so many players."""
    stored = path_of(players).read_bytes()
    weights = struct.unpack(f"<{len(stored) // 2}e", stored)
    rows = int(features(players))
    width = len(weights) // (rows + 1 + players)
    first, bias, second = weights[: rows * width], weights[rows * width : (rows + 1) * width], weights[(rows + 1) * width :]
    return Value(players, width, list(first), list(bias), list(second))
