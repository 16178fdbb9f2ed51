"""The pack in numbers, and how cards, ranks, seats and moves lie in integers; compiled where a compiler was there.

A *card* is an index, ``suit * SUIT_SIZE + rank``; sets of cards, ranks and seats have a bit for each member. A *move* is
``seat << SEAT_SHIFT | code``:

    code   0-35 lead that card    36-71 throw that card in    72-287 beat: BEAT_CODE + PACK_SIZE * slot + card
           (the card is ``code % PACK_SIZE``)
           288 take  289 pass  290 finish  291 forfeit  292 redeal  293 keep

All of it follows from the first five numbers. Only constants of one module are folded into each other when compiled, and then are
numbers in the code of every module: that is why they stand together.
"""

from typing import Final

from durak.protocol.rules.flat import i64

SUIT_SIZE: Final[i64] = 9
"""Ranks of a suit, six to ace."""
SUIT_COUNT: Final[i64] = 4
HAND_SIZE: Final[i64] = 6
"""Cards dealt to a seat, and drawn back up to (RULES 1.1, 1.18)."""
MOST_PLAYERS: Final[i64] = 6
FEWEST_PLAYERS: Final[i64] = 2

PACK_SIZE: Final[i64] = SUIT_SIZE * SUIT_COUNT
MOST_ATTACKS: Final[i64] = HAND_SIZE
"""Attack cards of a bout (RULES 1.7): the slots of the table."""
REDEAL_SUIT: Final[i64] = HAND_SIZE - 1
"""Cards of one suit with which a seat may ask for a redeal (RULES 3.4)."""

HALF_PACK: Final[i64] = PACK_SIZE // 2
FIRST_HALF: Final[i64] = 2**HALF_PACK - 1
"""The first two suits as a set: a table of positions packs three hands into two numbers."""

ALL_RANKS: Final[i64] = 2**SUIT_SIZE - 1
ALL_CARDS: Final[i64] = 2**PACK_SIZE - 1
RANK_IN_ALL_SUITS: Final[i64] = ALL_CARDS // ALL_RANKS
"""Multiplying a set of ranks by this gives the set of all cards of those ranks."""

THROW_CODE: Final[i64] = PACK_SIZE
BEAT_CODE: Final[i64] = THROW_CODE + PACK_SIZE
TAKE_CODE: Final[i64] = BEAT_CODE + PACK_SIZE * MOST_ATTACKS
PASS_CODE: Final[i64] = TAKE_CODE + 1
FINISH_CODE: Final[i64] = TAKE_CODE + 2
FORFEIT_CODE: Final[i64] = TAKE_CODE + 3
REDEAL_CODE: Final[i64] = TAKE_CODE + 4
KEEP_CODE: Final[i64] = TAKE_CODE + 5
SEAT_SHIFT: Final[i64] = 9
CODE_MASK: Final[i64] = 2**SEAT_SHIFT - 1
WAIT_CODE: Final[i64] = CODE_MASK
"""No move: in a search, that a seat waits."""
MOVES: Final = 256
"""Room for the legal moves of a position: at most PACK_SIZE to lead; or, each card lying in one hand only, MOST_ATTACKS for each
card of the defender's to beat with, one for each other card to throw in, and a take and a pass for each seat."""
