"""A move as an integer, ``seat << 9 | code``; compiled where a compiler was there.

code        0-35 lead that card    36-71 throw that card in    72-287 beat: 72 + 36 * slot + card
            288 take  289 pass  290 finish  291 forfeit  292 redeal  293 keep
"""

from typing import Final

from durak.protocol.rules.flat import i64

THROW_CODE: Final[i64] = 36
BEAT_CODE: Final[i64] = 72
TAKE_CODE: Final[i64] = 288
PASS_CODE: Final[i64] = 289
FINISH_CODE: Final[i64] = 290
FORFEIT_CODE: Final[i64] = 291
REDEAL_CODE: Final[i64] = 292
KEEP_CODE: Final[i64] = 293
MOVES: Final = 256
"""Room enough for all legal moves of a position: 36 cards to lead, or 6 * 35 to beat with, and 36 throw-ins and passes."""
