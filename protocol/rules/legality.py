"""What a seat may do: the kernel's sets as actions, and an action as a move of the kernel. refusal.py says why not."""

from typing import assert_never

from durak.protocol.rules.actions import (
    BEATS,
    LEADS,
    THROWS,
    AnyAction,
    Beat,
    Finish,
    Forfeit,
    Keep,
    Lead,
    Leave,
    Pass,
    Redeal,
    Take,
    Throw,
)
from durak.protocol.rules.bits import BIT, SEAT_BIT
from durak.protocol.rules.cards import INDEX, PACK, cards_of
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import (
    BEAT_CODE,
    FINISH_CODE,
    FORFEIT_CODE,
    KEEP_CODE,
    PACK_SIZE,
    PASS_CODE,
    REDEAL_CODE,
    SEAT_SHIFT,
    TAKE_CODE,
    THROW_CODE,
)
from durak.protocol.rules.state import BOUT, DECIDE, LEAD, REDEAL


def legal_actions(kernel: Kernel, seat: int) -> list[AnyAction]:
    """Every legal action of a seat, targets named; empty when it can only wait. Leaving is not listed."""
    actions: list[AnyAction] = []
    if kernel.phase == BOUT:
        if seat == kernel.defender:
            for slot in range(kernel.attacks):
                beats = BEATS[PACK[kernel.attack_cards[slot]]]
                actions += [beats[card] for card in cards_of(kernel.beating(slot))]
            if kernel.may_take():
                actions.append(Take())
        else:
            actions += [THROWS[card] for card in cards_of(kernel.throwable(seat))]
            if kernel.may_pass(seat):
                actions.append(Pass())
    elif kernel.phase == LEAD:
        if seat == kernel.attacker:
            actions += [LEADS[card] for card in cards_of(kernel.hands[seat])]
    elif kernel.phase == DECIDE:
        if seat == kernel.defender:
            actions += [Finish(), Forfeit()]
    elif kernel.phase == REDEAL and kernel.offers & SEAT_BIT[seat]:
        actions += [Redeal(), Keep()]
    return actions


def legal_move(kernel: Kernel, seat: int, action: AnyAction) -> int | None:
    """The kernel's move for an action, or None if it is not legal. This and `legal_actions` ask the same sets."""
    slot = 0
    match action:
        case Lead(card=card):
            legal = kernel.phase == LEAD and seat == kernel.attacker and kernel.hands[seat] & BIT[INDEX[card]] != 0
        case Throw(card=card):
            legal = kernel.throwable(seat) & BIT[INDEX[card]] != 0
        case Beat(card=card, target=target):
            slots = [slot for slot in range(kernel.attacks) if kernel.beating(slot) & BIT[INDEX[card]]]
            if target is not None:
                slots = [slot for slot in slots if kernel.attack_cards[slot] == INDEX[target]]
            legal = seat == kernel.defender and len(slots) == 1
            slot = slots[0] if legal else 0
        case Take():
            legal = seat == kernel.defender and kernel.may_take()
        case Pass():
            legal = kernel.may_pass(seat)
        case Finish() | Forfeit():
            legal = kernel.phase == DECIDE and seat == kernel.defender
        case Redeal() | Keep():
            legal = kernel.phase == REDEAL and kernel.offers & SEAT_BIT[seat] != 0
        case Leave():
            legal = False  # it is no move of the kernel
        case _:
            assert_never(action)
    return move_of(seat, action, slot) if legal else None


def move_of(seat: int, action: AnyAction, slot: int = 0) -> int:
    """An action of a seat as a move of the kernel (layout.py); of a `Beat`, `slot` is its target's place on the table."""
    match action:
        case Lead(card=card):
            code = INDEX[card]
        case Throw(card=card):
            code = int(THROW_CODE) + INDEX[card]
        case Beat(card=card):
            code = int(BEAT_CODE) + int(PACK_SIZE) * slot + INDEX[card]
        case Take():
            code = int(TAKE_CODE)
        case Pass():
            code = int(PASS_CODE)
        case Finish():
            code = int(FINISH_CODE)
        case Forfeit():
            code = int(FORFEIT_CODE)
        case Redeal():
            code = int(REDEAL_CODE)
        case Keep():
            code = int(KEEP_CODE)
        case Leave():
            raise AssertionError("leaving is no move of the kernel")
        case _:
            assert_never(action)
    return seat << int(SEAT_SHIFT) | code
