"""What an analysis says, beside the sentences of the terminal client (clients/words/english.py), whose forms these have.

``past`` and ``better`` fit behind "Anna" and "you", and behind "to".
"""

from typing import Final

from durak.clients.words.english import ENGLISH
from durak.clients.words.language import Language

OWN: Final = {
    "past.lead": "attacked with {card}",
    "past.throw": "added {card}",
    "past.beat": "beat {target} with {card}",
    "past.take": "took",
    "past.pass": "added nothing",
    "past.forfeit": "took all the same",
    "better.lead": "attack with {card}",
    "better.throw": "add {card}",
    "better.beat": "beat {target} with {card}",
    "better.take": "take",
    "better.pass": "add nothing",
    "better.finish": "discard",
    "better.wait": "wait",
    "line.waits": "{name} waits.",
    "line.waits.you": "You wait.",
    "line.forfeits": "{name} takes all the same.",
    "line.forfeits.you": "You take all the same.",
    "line.out": "{name} is out.",
    "line.out.you": "You are out.",
    # ------------------------------------------------------------ the head
    "head.game": "{preset}, {players:player|players}: {names}.",
    "head.unfinished": "The record ends before the game does; what it has is judged.",
    "head.judged": "{judged:decision|decisions} judged with {budget} each, seed {seed}.",
    "head.part": "{judged} of {asked:decision|decisions} judged with {budget} each, seed {seed}.",
    "head.chance": "A chance is that of not being the durak, in points of 100, by what the player could know then.",
    "head.error": "It is an estimate, give or take {error:point|points}.",
    "head.rough": "That is rough: --budget-ms {more} would tell more.",
    "head.columns": "'best' is the chance with the better of the two moves, 'made' with the one that was made.",
    "head.grades": "A loss of {slip:point|points} is a slip, of {mistake} a mistake, of {blunder} a blunder, if it is no accident.",
    # ------------------------------------------------------------ the table
    "table.head": "bout|player|made the move|Hard would|best|made|",
    "table.same": "the same",
    "table.exact": "From here the ending is solved: chances are exact.",
    "table.estimated": "Estimated again.",
    "table.none": "Nobody had anything to decide.",
    # ------------------------------------------------------------ mistakes
    "mistakes.head": "What was wrong, and why",
    "mistakes.lines": "'Better' and 'made' tell how the bout goes on when Normal plays for all, with the cards as they really lay."
    " The judgement itself is made without them.",
    "mistakes.solved": "'Solved' tells how the game ends when both sides play best.",
    "mistakes.none": "No mistake was found.",
    "mistake": "Bout {bout}: {name} {past}, a {grade}. It cost {points:point|points}, from {before} to {after}.",
    "mistake.better": "Better: {line}",
    "mistake.made": "Made: {line}",
    "mistake.better.solved": "Better, solved: {line}",
    "mistake.made.solved": "Made, solved: {line}",
    "mistake.hidden": "Trump is {suit}, stock {stock}.",
    # ------------------------------------------------------------ the summary
    "summary.head": "Summary",
    "summary.row": "player|decisions|right|slips|mistakes|blunders|points lost",
    "summary.nothing": "{Name} had nothing to decide.",
    "summary.clean": "{Name} made no mistake in {decisions:decision|decisions}.",
    "summary.wrong": "{Name} made {grades} in {decisions:decision|decisions}.",
    "summary.one": "In bout {bout} {name} {what}; it cost {points:point|points} of 100.",
    "summary.worst": "The worst: in bout {bout} {name} {what}; it cost {points:point|points} of 100.",
    "summary.although": "took although {card} beats {target}",
    "summary.better": "{past}; better was to {better}",
    "grade.slip": "{count:slip|slips}",
    "grade.mistake": "{count:mistake|mistakes}",
    "grade.blunder": "{count:blunder|blunders}",
    "budget.ms": "{ms} ms",
    "budget.nodes": "{nodes} nodes",
}
LANGUAGE: Final = Language("en", {**ENGLISH.sentences, **OWN}, ENGLISH.plural)
