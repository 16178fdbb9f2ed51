"""The reader of positions: text in, a `Game` or a `NotationError` out. notation.py says what the fields mean."""

import re
from typing import Any, Final

from durak.protocol.rules import bits
from durak.protocol.rules import state as s
from durak.protocol.rules.cards import INDEX, PACK, SUITS, cards_of, is_pack, set_of
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.game import Game, kernel_for
from durak.protocol.rules.layout import ALL_CARDS, FEWEST_PLAYERS, MOST_ATTACKS, MOST_PLAYERS, PACK_SIZE, SUIT_SIZE
from durak.protocol.rules.position import bout_start, default_defender, default_limit, default_out, default_trump_card
from durak.protocol.rules.result import result_of
from durak.protocol.rules.ruleset import PRESETS, OptionRefused, Ruleset, ruleset_of
from durak.protocol.rules.standing import offered

FIELDS: Final = (
    *("rules", "stock", "trump", "attacker", "defender", "table", "taking", "passed", "decide", "redeal", "deck", "over", "out"),
    *("left", "excused", "bout", "epoch", "limit", "shown", "opening", "first", "previous", "persons", "sixes", "before"),
)
SLOT: Final = re.compile(r"(?:(?P<seat>[0-5]):)?(?P<attack>[^:-]+)(?:-(?P<beaten>[^:-]+))?")
OPTION_WORDS: Final[dict[str, Any]] = {"on": True, "off": False, "none": None}


def read_position(text: str) -> Game:
    """The game in the position that this line describes. Raises `NotationError`."""
    trump, bar, rest = text.partition("|")
    if trump.strip() not in SUITS:
        raise NotationError(f"a position begins with the trump suit, S, H, D or C, not with {trump.strip()[:20]!r}")
    if not bar:
        raise NotationError("the second field of a position are the hands: S | 6S 7H / 8S")
    hands_text, *field_texts = rest.split("|")
    fields: dict[str, str] = {}
    for field in field_texts:
        word, _, value = field.strip().partition(" ")
        if word not in FIELDS:
            raise NotationError(f"{word[:20]!r} is no field of a position; fields are {', '.join(FIELDS)}")
        if word in fields:
            raise NotationError(f"the field {word} stands twice")
        fields[word] = " ".join(value.split())
    return _Reader(fields).game(SUITS.index(trump.strip()), _hands("hands", hands_text))


def _fail(field: str, what: str) -> NotationError:
    return NotationError(f"{field}: {what}")


def _card(field: str, word: str) -> int:
    if word not in INDEX:
        raise _fail(field, f"{word[:20]!r} is not a card, as 10H or QD")
    return INDEX[word]


def _hands(field: str, text: str) -> list[int]:
    """One set of cards per seat."""
    hands = []
    for hand in text.split("/"):
        cards = [] if hand.strip() == "-" else [_card(field, word) for word in hand.split()]
        if len(set(cards)) < len(cards):
            raise _fail(field, f"a card stands twice in {hand.strip()}")
        hands.append(set_of(PACK[card] for card in cards))
    if not FEWEST_PLAYERS <= len(hands) <= MOST_PLAYERS:
        raise _fail(field, f"{FEWEST_PLAYERS} to {MOST_PLAYERS} seats play, not {len(hands)}; a / stands between two seats")
    return hands


def _number(field: str, word: str, most: int) -> int:
    if not re.fullmatch("[0-9]{1,9}", word) or int(word) > most:
        raise _fail(field, f"{word[:20]!r} is not a number from 0 to {most}")
    return int(word)


class _Reader:
    """Makes a game of the fields of a position, one thing after the other."""

    def __init__(self, fields: dict[str, str]) -> None:
        self.fields = fields

    def game(self, trump: int, hands: list[int]) -> Game:
        ruleset = self.ruleset()
        kernel = self.kernel = kernel_for(ruleset, len(hands))
        kernel.trump = trump
        for seat, hand in enumerate(hands):
            kernel.hands[seat] = hand
        self.read_cards()
        self.read_seats_out()
        self.read_bout()
        self.read_phase()
        self.read_history()
        self.check_seats()
        game = Game(ruleset, kernel)
        self.read_surroundings(game)
        if kernel.phase == s.OVER:
            game.result = result_of(kernel, epaulettes=ruleset.epaulettes)
        return game

    # ---------------------------------------------------------------- kinds of fields

    def number(self, field: str, usual: int, most: int = 999_999_999) -> int:
        return _number(field, self.fields[field], most) if field in self.fields else usual

    def seat(self, field: str, usual: int) -> int:
        return self.number(field, usual, self.kernel.players - 1)

    def flag(self, field: str) -> bool:
        if self.fields.get(field):
            raise _fail(field, f"nothing stands after this word, not {self.fields[field][:20]!r}")
        return field in self.fields

    def seats(self, field: str, text: str) -> list[int]:
        if text == "-":
            return []
        seats = [_number(field, word, self.kernel.players - 1) for word in text.split()]
        if not seats or len(set(seats)) < len(seats):
            raise _fail(field, "different seats with spaces between them are expected, or - for nobody")
        return seats

    def seat_set(self, field: str) -> int:
        return sum(bits.SEAT_BIT[seat] for seat in self.seats(field, self.fields.get(field, "-")))

    def holding(self, field: str) -> tuple[int, int] | None:
        if field not in self.fields:
            return None
        seat, _, card = self.fields[field].partition(":")
        holder, held = _number(field, seat, self.kernel.players - 1), _card(field, card)
        if not self.kernel.hands[holder] & bits.BIT[held]:
            raise _fail(field, f"seat {holder} does not hold {card}")
        return holder, held

    # ---------------------------------------------------------------- the rules, the cards, the seats

    def ruleset(self) -> Ruleset:
        preset, *words = self.fields.get("rules", "classic").split() or [""]
        changes: dict[str, Any] = {}
        for word in words:
            option, equals, value = word.partition("=")
            if not equals or option in changes:
                raise _fail("rules", f"{word[:40]!r} is not an option=value, each option once")
            if re.fullmatch("[0-9]{1,9}", value):
                changes[option] = int(value)
            elif re.fullmatch("[0-9]{1,9}-[0-9]{1,9}", value):
                changes[option] = [int(number) for number in value.split("-")]
            elif isinstance(getattr(PRESETS["classic"], option, None), str):
                changes[option] = value  # after_take=none is a name
            else:
                changes[option] = OPTION_WORDS.get(value, value)
        try:
            return ruleset_of(preset, changes)
        except OptionRefused as refused:
            raise _fail("rules", f"{refused.code}: {refused.option}") from None

    def read_cards(self) -> None:
        """Stock, table, and the discard as the rest."""
        kernel, fields = self.kernel, self.fields
        if fields.get("stock", "-") not in ("-", "0"):
            kernel.stock = bits.array([_card("stock", word) for word in fields["stock"].split()])
        kernel.attacker = self.seat("attacker", 0)
        for word in fields.get("table", "").split():
            slot = SLOT.fullmatch(word)
            if not slot:
                raise _fail("table", f"{word[:20]!r} is not an attack card, as 7H, 7H-9H or 2:7H-9H")
            if kernel.attacks == MOST_ATTACKS:
                raise _fail("table", f"there are never more than {MOST_ATTACKS} attack cards")
            by = kernel.attacker if slot["seat"] is None else _number("table", slot["seat"], kernel.players - 1)
            self.lay(by, _card("table", slot["attack"]), None if slot["beaten"] is None else _card("table", slot["beaten"]))
        named = [card for hand in kernel.hands for card in cards_of(hand)]
        named += [PACK[card] for card in kernel.stock]
        for place in range(kernel.attacks):
            named += [PACK[card] for card in (kernel.attack_cards[place], kernel.beat_cards[place]) if card >= 0]
        for card in named:
            if named.count(card) > 1:
                raise NotationError(f"{card} stands in two places")
        kernel.discard = ALL_CARDS & ~set_of(named)

    def lay(self, by: int, attack: int, beaten: int | None) -> None:
        """One attack card, and the card that beat it, to the table."""
        kernel = self.kernel
        kernel.attack_cards[kernel.attacks] = attack
        kernel.attack_by[kernel.attacks] = by
        kernel.ranks |= bits.RANK_BIT[attack]
        kernel.table_cards |= bits.BIT[attack]
        if beaten is None:
            kernel.open_cards += 1
        else:
            if not bits.BEATERS[kernel.trump * PACK_SIZE + attack] & bits.BIT[beaten]:
                raise _fail("table", f"{PACK[beaten]} does not beat {PACK[attack]}")
            kernel.beat_cards[kernel.attacks] = beaten
            kernel.ranks |= bits.RANK_BIT[beaten]
            kernel.table_cards |= bits.BIT[beaten]
        kernel.attacks += 1

    def read_seats_out(self) -> None:
        kernel, fields = self.kernel, self.fields
        groups = [default_out(kernel)]
        if "out" in fields:
            groups = [self.seats("out", group.strip()) for group in fields["out"].split("/")]
            if len(groups) > 1 and not all(groups):
                raise _fail("out", "each group names a seat")
        for group in [group for group in groups if group]:
            for seat in group:
                if not kernel.active & bits.SEAT_BIT[seat]:
                    raise _fail("out", f"seat {seat} stands twice")
                if kernel.hands[seat] or kernel.stock:
                    raise _fail("out", f"seat {seat} has cards or could draw")
                kernel.active &= ~bits.SEAT_BIT[seat]
                kernel.out_rank[seat] = kernel.out_groups
            kernel.out_groups += 1
        for place, seat in enumerate(self.seats("left", fields.get("left", "-"))):
            kernel.left_order[seat] = place
            kernel.left |= bits.SEAT_BIT[seat]
        kernel.excused = self.seat_set("excused")
        if kernel.excused & kernel.left:
            raise _fail("excused", "a seat left with a loss or without, not both")

    # ---------------------------------------------------------------- the bout and the phase

    def read_bout(self) -> None:
        kernel, fields = self.kernel, self.fields
        begun = 0 if "redeal" in fields else 1
        kernel.defender = self.seat("defender", default_defender(kernel))
        kernel.bout = self.number("bout", 2 * begun)
        kernel.epoch = self.number("epoch", begun)
        kernel.limit = self.number("limit", default_limit(kernel), MOST_ATTACKS)
        kernel.taking = self.flag("taking")
        kernel.passed = self.seat_set("passed")
        kernel.double_six = self.flag("sixes")
        if "redeal" in fields and (kernel.attacks or kernel.taking or "decide" in fields):
            raise _fail("redeal", "the offer comes before the first lead")
        if (kernel.bout > 0) != bool(begun):
            raise _fail("bout", "the first bout is number 1; in redeal it is 0")
        for seat in [kernel.attacker, *kernel.attack_by[: kernel.attacks]]:
            if seat == kernel.defender or (kernel.attacks and not kernel.active & bits.SEAT_BIT[seat]):
                raise _fail("table", f"seat {seat} defends or is out, it cannot attack")
        if kernel.attacks and kernel.attack_by[0] != kernel.attacker:
            raise _fail("table", "the attacker leads the first card")
        if kernel.attacks > kernel.limit:
            raise _fail("limit", f"{kernel.attacks} attack cards lie on the table, {kernel.limit} may")

    def read_phase(self) -> None:
        kernel, fields = self.kernel, self.fields
        if kernel.bout:
            kernel.throwers = s.throwers_of(kernel.throw_in, kernel.active, kernel.attacker, kernel.defender)
        kernel.phase = s.BOUT if kernel.attacks else s.LEAD
        if self.flag("decide"):
            if not kernel.attacks or kernel.open_cards or kernel.taking:
                raise _fail("decide", "the defender decides when all is beaten")
            kernel.phase = s.DECIDE
        if "redeal" in fields:
            self.read_answers()
            kernel.phase = s.REDEAL
        if "over" in fields:
            if fields["over"] not in ("", "repeated"):
                raise _fail("over", "only the word repeated may follow")
            if kernel.phase == s.DECIDE:
                raise _fail("over", "a game that is over has nothing to decide")
            kernel.repeated = fields["over"] == "repeated"
            kernel.end()
        elif kernel.phase in (s.REDEAL, s.LEAD) and (kernel.passed or kernel.taking):
            raise NotationError("nobody passes or takes before the lead")
        elif kernel.phase == s.BOUT and kernel.taking and not kernel.open_cards:
            raise _fail("taking", "a defender takes only while a card is open")

    def read_answers(self) -> None:
        kernel = self.kernel
        kernel.offers = offered(kernel)
        for word in self.fields["redeal"].split():
            seat, _, answer = word.partition(":")
            bit = bits.SEAT_BIT[_number("redeal", seat, kernel.players - 1)]
            if answer not in ("keep", "redeal"):
                raise _fail("redeal", f"{word[:20]!r} is not an answer, as 0:keep or 1:redeal")
            if not kernel.offers & bit:
                raise _fail("redeal", f"seat {seat} has no five cards of one suit, or stands twice")
            kernel.offers &= ~bit
            if answer == "redeal":
                kernel.wanted |= bit

    def read_history(self) -> None:
        kernel = self.kernel
        entries: list[list[int]] = []
        for text in self.fields.get("before", "").split(";") if self.fields.get("before") else []:
            hands, _, attacker = text.partition("@")
            entries.append([*_hands("before", hands), _number("before", attacker.strip(), kernel.players - 1)])
            if len(entries[-1]) != kernel.players + 1:
                raise _fail("before", "each bout has the hands of all seats")
        if kernel.phase not in (s.REDEAL, s.OVER) and entries.count(bout_start(kernel)) >= 2:
            raise _fail("before", "the same bout for the third time ends the game")
        kernel.history = bits.array([number for entry in entries for number in entry])

    def check_seats(self) -> None:
        """That the seats can go on, or that the game is over."""
        kernel = self.kernel
        decided = bits.SEATS_IN[kernel.active & ~kernel.left] <= 1
        if kernel.phase == s.OVER:
            if not decided and not kernel.repeated:
                raise _fail("over", "two seats that have not left are in the game")
            return
        if decided:
            raise NotationError("fewer than two seats that have not left are in the game: it is over")
        if kernel.defender != default_defender(kernel) or not kernel.active & bits.SEAT_BIT[kernel.attacker]:
            raise NotationError("the attacker and the next active seat, the defender, are in the game")
        if kernel.passed & ~kernel.active or kernel.passed & bits.SEAT_BIT[kernel.defender]:
            raise _fail("passed", "only an attacker passes")
        if kernel.attacks:
            return
        if not kernel.hands[kernel.attacker] or not kernel.hands[kernel.defender]:
            raise NotationError("before the lead attacker and defender hold cards")
        if kernel.phase == s.LEAD and not kernel.limit:
            raise _fail("limit", "the lead has to be allowed")
        if not kernel.stock and set(default_out(kernel)) != {seat for seat in range(kernel.players) if kernel.out_rank[seat] >= 0}:
            raise _fail("out", "with an empty stock a seat without cards is out before the lead")

    def read_surroundings(self, game: Game) -> None:
        """What a game knows beside its kernel."""
        kernel, fields = self.kernel, self.fields
        game.first_seat = self.seat("first", 0)
        if "previous" in fields:
            game.previous_winner = self.seat("previous", 0)
        if "persons" in fields:
            game.persons = frozenset(self.seats("persons", fields["persons"]))
        game.trump_card = default_trump_card(kernel)
        if "trump" in fields:
            card = None if fields["trump"] == "-" else _card("trump", fields["trump"])
            if kernel.stock and card != game.trump_card:
                raise _fail("trump", "the trump card is the last card of the stock")
            game.trump_card = card
        if game.trump_card is not None and game.trump_card // SUIT_SIZE != kernel.trump:
            raise _fail("trump", f"{PACK[game.trump_card]}, the trump card or the last card of the stock, is not of the trump suit")
        game.dealt_trump = self.holding("shown")
        game.opening_trump = self.holding("opening")
        if "deck" in fields:
            game.redeal_deck = fields["deck"].split()
            if not is_pack(game.redeal_deck):
                raise _fail("deck", f"the {PACK_SIZE} different cards are expected")
        if bool(kernel.wanted) != (game.redeal_deck is not None):
            raise _fail("deck", "a request for a redeal has one, and nothing else")
