"""An analysis for people: a table of the decisions, what was wrong and why, a summary in plain sentences."""

from typing import Final, assert_never

from durak.bots.analysis.analysis import Analysis, SeatSummary, mistakes_of
from durak.bots.analysis.decision import GRADES, WAIT, Decision, Line, points
from durak.bots.analysis.moments import moments_of
from durak.clients.words.layout import aligned, clean, columns, folded
from durak.clients.words.speech import Speech, in_order
from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Lead, Pass, Take, Throw
from durak.protocol.rules.events import (
    Answered,
    Attacked,
    Beaten,
    BoutBegan,
    BoutEnded,
    Dealt,
    Deciding,
    Drew,
    GameEvent,
    GameOver,
    Left,
    Passed,
    Took,
    WentOut,
    tag_of,
)
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import Move, read_move
from durak.protocol.rules.record import carry_out
from durak.protocol.rules.view import GameView

NAME_COLUMNS: Final = 10
ROUGH: Final = 0.05
"""From which error on it is said that the chances are rough."""
COLOURS: Final = {"slip": "\x1b[33m", "mistake": "\x1b[33;1m", "blunder": "\x1b[31;1m"}
PLAIN: Final = "\x1b[0m"


class Teller:
    """Tells one analysis. `you`: the seat that reads it, if one does; `width`: columns to fold sentences to, None: don't."""

    def __init__(self, analysis: Analysis, speech: Speech, *, you: int | None, width: int | None, colours: bool) -> None:
        self._analysis = analysis
        self._speech = speech
        self._you = you
        self._width = width
        self._colours = colours
        self._names = names_of(analysis)

    def text(self) -> str:
        """Everything."""
        parts = [self._head(), self._table(), self._mistakes(), self._summary()]
        return "\n\n".join("\n".join(part) for part in parts if part)

    # ---------------------------------------------------------------- the parts

    def _head(self) -> list[str]:
        analysis, deal, speech = self._analysis, self._analysis.record.deal, self._speech
        names = [f"{name} (seat {seat})" if name != f"seat {seat}" else name for seat, name in enumerate(self._names)]
        lines = [speech("head.game", preset=deal.ruleset.preset, players=deal.players, names=", ".join(names))]
        if analysis.result is None:
            lines.append(speech("head.unfinished"))
        elif analysis.result.durak is None:
            lines.append(speech("result.draw" if analysis.result.draw else "result.nobody"))
        else:
            lines.append(self._says("result.durak", analysis.result.durak))
        judged = len(analysis.decisions)
        key = "head.judged" if judged == analysis.asked else "head.part"
        lines.append(speech(key, judged=judged, asked=analysis.asked, budget=self._budget(), seed=analysis.settings.seed))
        chance = [speech("head.chance")]
        errors = [decision.error for decision in analysis.decisions if not decision.exact]
        if errors:
            typical = sorted(errors)[len(errors) // 2]
            chance.append(speech("head.error", error=max(1, points(typical))))
            if typical > ROUGH and analysis.settings.budget_ms is not None:
                chance.append(speech("head.rough", more=f"{10 * analysis.settings.budget_ms:g}"))
        lines += [" ".join(chance), speech("head.columns")]
        lines.append(speech("head.grades", **GRADES))
        return [part for line in lines for part in folded(line, self._width)]

    def _table(self) -> list[str]:
        speech, decisions = self._speech, self._analysis.decisions
        if not decisions:
            return [speech("table.none")]
        rows = [speech("table.head").split("|")]
        for decision in decisions:
            best = speech("table.same") if decision.best == decision.played else self._phrase("better", decision.best)
            rows.append(
                [
                    str(decision.bout),
                    self._name(decision.seat)[:NAME_COLUMNS],
                    self._phrase("past", decision.played),
                    best,
                    str(points(decision.before)),
                    str(points(decision.after)),
                    decision.grade or "",
                ]
            )
        head, *lines = aligned(rows, numbers=(0, 4, 5))
        table = [head]
        exact = False
        for decision, line in zip(decisions, lines, strict=True):
            if decision.exact != exact:
                exact = decision.exact
                table.append(speech("table.exact" if exact else "table.estimated"))
            table.append(self._coloured(line, decision.grade))
        return table

    def _mistakes(self) -> list[str]:
        speech = self._speech
        wrong = {decision.number: decision for decision in mistakes_of(self._analysis.decisions)}
        if not wrong:
            return [speech("mistakes.none")]
        solved = [decision.better_line is not None and decision.better_line.solved for decision in wrong.values()]
        lines = [speech("mistakes.head")]
        if not all(solved):
            lines += folded(speech("mistakes.lines"), self._width)
        if any(solved):
            lines += folded(speech("mistakes.solved"), self._width)
        for moment in moments_of(self._analysis.record):
            if moment.number in wrong:
                lines += ["", *self._mistake(wrong[moment.number], moment.view, moment.game)]
        return lines

    def _mistake(self, decision: Decision, view: GameView, game: Game) -> list[str]:
        speech, name = self._speech, self._name(decision.seat)
        sentence = speech(
            "mistake",
            bout=decision.bout,
            name=name,
            past=self._phrase("past", decision.played),
            grade=decision.grade,
            points=points(decision.loss),
            before=points(decision.before),
            after=points(decision.after),
        )
        there = [speech("mistake.hidden", suit=speech(f"suit.{view.trump}"), stock=view.stock)]
        pairs = [
            speech("see.pair", card=speech.card(pair.attack), by=speech.card(pair.beaten))
            if pair.beaten is not None
            else speech("see.taken" if view.taking else "see.open", card=speech.card(pair.attack))
            for pair in view.table
        ]
        there.append(speech("see.on_table", pairs=", ".join(pairs)) if pairs else speech("see.empty"))
        there.append(speech("hand", cards=speech.cards(in_order(view.hand or [], view.trump))))
        lines = [sentence, " ".join(there)]
        for key, line in (("better", decision.better_line), ("made", decision.played_line)):
            if line is not None:
                story = self._story(line, decision, game, waits=key == "better" and decision.best == WAIT)
                lines.append(speech(f"mistake.{key}{'.solved' if line.solved else ''}", line=story))
        first, *others = lines
        grade = decision.grade
        return [
            *(self._coloured(part, grade) for part in folded(first, self._width)),
            *(f"  {part}" for line in others for part in folded(line, None if self._width is None else self._width - 2)),
        ]

    def _story(self, line: Line, decision: Decision, game: Game, *, waits: bool) -> str:
        """A line as the terminal client would tell it."""
        played = game.copy()
        sentences = [self._says("line.waits", decision.seat)] if waits else []
        for number, text in enumerate(line.moves):
            move = read_move(text)
            if isinstance(move, Move) and isinstance(move.action, Forfeit):
                sentences.append(self._says("line.forfeits", move.seat))
            for event in carry_out(played, move):
                sentences += self._event(event, first=number == 0)
        return " ".join(sentences)

    def _event(self, event: GameEvent, *, first: bool) -> list[str]:
        """An event as a sentence; who passes later on is of no interest."""
        speech = self._speech
        match event:
            case Attacked(seat=seat, card=card):
                return [self._says(f"event.{tag_of(event)}", seat, card=speech.card(card))]
            case Beaten(seat=seat, target=target, card=card):
                return [self._says("event.beaten", seat, target=speech.card(target), card=speech.card(card))]
            case Took(seat=seat):
                return [self._says("event.took", seat)]
            case Passed(seat=seat) if first:
                return [self._says("event.passed", seat)]
            case BoutEnded(outcome="beaten", cards=cards):
                return [speech("event.discarded", count=len(cards))]
            case BoutEnded(seat=seat, cards=cards):
                return [self._says("event.picked_up", seat, count=len(cards), cards=speech.cards(cards))]
            case WentOut(seats=seats):
                return [self._says("line.out", seat) for seat in seats]
            case GameOver(result=result):
                return [speech("result.draw") if result.durak is None else self._says("result.durak", result.durak)]
            case Passed() | Dealt() | Answered() | BoutBegan() | Deciding() | Drew() | Left():
                return []
            case _:
                assert_never(event)

    def _summary(self) -> list[str]:
        speech, analysis = self._speech, self._analysis
        summaries = [analysis.summary(seat) for seat in analysis.seats]
        rows = [speech("summary.row").split("|")]
        for one in summaries:
            right = "-" if one.accuracy is None else f"{one.accuracy:.0%}"
            numbers = [one.decisions, right, one.slips, one.mistakes, one.blunders, points(one.lost)]
            rows.append([self._name(one.seat), *map(str, numbers)])
        lines = [speech("summary.head"), *aligned(rows, numbers=range(1, len(rows[0]))), ""]
        for one in summaries:
            lines += folded(" ".join(self._sentences(one)), self._width)
        return lines

    def _sentences(self, one: SeatSummary) -> list[str]:
        speech = self._speech
        name = self._name(one.seat)
        capital = name[:1].upper() + name[1:] if one.seat == self._you else name
        if not one.decisions:
            return [speech("summary.nothing", Name=capital)]
        if not one.wrong:
            return [speech("summary.clean", Name=capital, decisions=one.decisions)]
        counts = {"blunder": one.blunders, "mistake": one.mistakes, "slip": one.slips}
        grades = speech.several([speech(f"grade.{grade}", count=count) for grade, count in counts.items() if count])
        wrong = [decision for decision in mistakes_of(self._analysis.decisions) if decision.seat == one.seat]
        worst = max(wrong, key=lambda decision: decision.loss)
        played, best = _action(worst.played), _action(worst.best)
        if isinstance(played, Take) and isinstance(best, Beat) and best.target is not None:
            what = speech("summary.although", card=speech.card(best.card), target=speech.card(best.target))
        else:
            what = speech("summary.better", past=self._phrase("past", worst.played), better=self._phrase("better", worst.best))
        key = "summary.one" if len(wrong) == 1 else "summary.worst"
        return [
            speech("summary.wrong", Name=capital, grades=grades, decisions=one.decisions),
            speech(key, bout=worst.bout, name=name, what=what, points=points(worst.loss)),
        ]

    # ---------------------------------------------------------------- small parts

    def _phrase(self, form: str, move: str) -> str:
        """A move, `form` past or better."""
        speech = self._speech
        match _action(move):
            case None:
                return speech(f"{form}.wait")
            case Lead(card=card):
                return speech(f"{form}.lead", card=speech.card(card))
            case Throw(card=card):
                return speech(f"{form}.throw", card=speech.card(card))
            case Beat(card=card, target=str(target)):
                return speech(f"{form}.beat", card=speech.card(card), target=speech.card(target))
            case Take():
                return speech(f"{form}.take")
            case Pass():
                return speech(f"{form}.pass")
            case other:
                return speech(f"{form}.{'finish' if isinstance(other, Finish) else 'forfeit'}")

    def _budget(self) -> str:
        settings = self._analysis.settings
        parts = [] if settings.budget_ms is None else [self._speech("budget.ms", ms=f"{settings.budget_ms:g}")]
        parts += [] if settings.budget_nodes is None else [self._speech("budget.nodes", nodes=f"{settings.budget_nodes:,}")]
        return ", ".join(parts)

    def _name(self, seat: int) -> str:
        return self._speech("who.you") if seat == self._you else self._names[seat]

    def _says(self, key: str, seat: int, **params: object) -> str:
        """A sentence about a seat: the one for "you" (key with `.you`), if it is the reader's."""
        return self._speech(f"{key}.you", **params) if seat == self._you else self._speech(key, name=self._names[seat], **params)

    def _coloured(self, line: str, grade: str | None) -> str:
        return f"{COLOURS[grade]}{line}{PLAIN}" if self._colours and grade else line


def names_of(analysis: Analysis) -> list[str]:
    """A short name for every seat, all different: those of the record where they are, else the numbers of the seats."""
    names = [clean(name).strip() for name in analysis.record.deal.names or []]
    good = len(set(names)) == analysis.record.deal.players and all(0 < columns(name) <= NAME_COLUMNS for name in names)
    return names if good else [f"seat {seat}" for seat in range(analysis.record.deal.players)]


def _action(move: str) -> AnyAction | None:
    if move == WAIT:
        return None
    read = read_move(move)
    assert isinstance(read, Move)
    return read.action
