"""Bots from outside play like any other; whatever they do wrong is forfeited, noted, and keeps nobody from playing on."""

from __future__ import annotations

import random
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from durak.bots.arena.contestants import CLASS, Entrant, check_start, entrants
from durak.bots.arena.deals import Arena, DealPlayer, record_path
from durak.bots.arena.errors import ArenaError
from durak.bots.arena.outcome import DealOutcome
from durak.bots.arena.outside.program import Program
from durak.bots.bot import NoSuchBot
from durak.protocol.rules.record import read_record, replay
from tests.bots.arena import misbehaving

EXAMPLES = Path("bots/examples").absolute()
PATIENCE_MS = 20_000.0
SHORT_MS = 300.0


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with the misbehaving bots and the examples."""
    for source in (Path(misbehaving.__file__), *EXAMPLES.glob("*.py")):
        shutil.copy(source, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(
    *bots: str, deals: int = 1, players: int = 2, records: Path | None = None, patience_ms: float = PATIENCE_MS, **more: Any
) -> list[DealOutcome]:
    """The outcomes of these deals."""
    settings = {"preset": "classic", "seed": 1, "budget_ms": None, "budget_nodes": None, **more}
    player = DealPlayer(Arena(entrants(bots), players, patience_ms=patience_ms, **settings), records)
    try:
        return [player.play(deal) for deal in range(deals)]
    finally:
        player.close()


def kinds(outcomes: list[DealOutcome], bot: int) -> set[str]:
    """The kinds of faults of a bot."""
    games = [game for outcome in outcomes for game in outcome.games]
    return {kind for game in games for seat, faults in game.forfeits.items() if game.bots[seat] == bot for kind in faults}


# ---------------------------------------------------------------- that play well


def test_a_class_and_a_program_play_the_same_as_each_other(here: Path) -> None:
    outcomes = played("lowest:Lowest", "cmd:./lines.py", deals=3)
    assert kinds(outcomes, 0) == kinds(outcomes, 1) == set()
    for first, second in (outcome.games for outcome in outcomes):
        assert first.places == second.places, "the same play in each seat"


@pytest.mark.parametrize("preset", ["gameweave", "challenge"])
def test_they_play_by_other_rules(here: Path, preset: str) -> None:
    outcomes = played("lowest:Lowest", "cmd:./lines.py", deals=2, preset=preset)
    assert kinds(outcomes, 0) == kinds(outcomes, 1) == set()


def test_one_bot_has_several_seats_of_a_table(here: Path) -> None:
    outcomes = played("normal", "lowest:Lowest", players=4)
    assert len(outcomes[0].games) == 8
    assert kinds(outcomes, 1) == set()


def test_a_bot_of_this_package_plays_the_same_as_a_class(here: Path) -> None:
    own = played("easy", "normal", deals=3)
    outside = played("a=durak.bots.players.easy:Easy", "b=durak.bots.players.normal:Normal", deals=3)
    assert [outcome.games for outcome in own] == [outcome.games for outcome in outside]


def test_what_a_class_prints_is_no_answer(here: Path) -> None:
    assert kinds(played("easy", "misbehaving:Printing"), 1) == set()


def test_the_budget_reaches_the_bot(here: Path) -> None:
    Path("frugal.py").write_text(
        "class Frugal:\n    def choose(self, view, memory, rng, budget):\n"
        "        assert (budget.ms, budget.nodes) == (40.0, 300)\n        return view.legal[0]\n"
    )
    assert kinds(played("easy", "frugal:Frugal", budget_ms=40.0, budget_nodes=300), 1) == set()


# ---------------------------------------------------------------- that do not


@pytest.mark.parametrize("misdeed", sorted(misbehaving.MISDEEDS))
def test_a_program_that_misbehaves_forfeits_and_the_record_says_so(here: Path, misdeed: str) -> None:
    Path("bot").write_text(misbehaving.script(misdeed))
    Path("bot").chmod(0o755)
    outcomes = played("easy", "cmd:./bot", records=here, patience_ms=SHORT_MS if misdeed == "hangs" else PATIENCE_MS)
    assert kinds(outcomes, 1) == misbehaving.KINDS[misdeed]
    assert kinds(outcomes, 0) == set()
    assert outcomes[0].complaints[1]
    for number, game in enumerate(outcomes[0].games):
        record = read_record(record_path(here, 0, number).read_text())
        result = replay(record).result
        assert result is not None
        assert (result.places, result.durak) == (game.places, game.durak)
        notes = [entry.note for entry in record.inputs if entry.note]
        assert len(notes) == sum(game.forfeits[game.bots.index(1)].values())
        assert record.deal.names == [["easy", "bot"][bot] for bot in game.bots]


@pytest.mark.parametrize(
    ("name", "expected", "told"),
    [
        ("Crashing", {"crashed", "stopped"}, "ZeroDivisionError: oh no"),
        ("Hanging", {"timed_out", "stopped"}, "no answer within 300 ms"),
        ("Sleeping", {"timed_out", "stopped"}, "no answer within 300 ms"),
        ("Dying", {"crashed", "stopped"}, "exit status 7"),
        ("Nonsense", {"crashed", "stopped"}, "TypeError"),
    ],
)
def test_a_class_that_misbehaves_forfeits(here: Path, name: str, expected: set[str], told: str) -> None:
    outcomes = played(f"misbehaving:{name}", "easy", patience_ms=SHORT_MS if "timed_out" in expected else PATIENCE_MS)
    assert kinds(outcomes, 0) == expected
    assert told in outcomes[0].complaints[0]


def test_a_stopped_program_plays_the_next_game(here: Path) -> None:
    outcomes = played("misbehaving:Crashing", "easy")
    for game in outcomes[0].games:
        assert game.forfeits[game.bots.index(0)]["crashed"] == 1


def test_nothing_that_was_started_is_left(here: Path) -> None:
    Path("parent").write_text(f"#!/bin/sh\nsleep 1000 &\necho $! > child\nexec {sys.executable} lines.py\n")
    Path("parent").chmod(0o755)
    played("easy", "cmd:./parent")
    child = Path("child").read_text().strip()
    deadline = time.monotonic() + 5
    while (stat := Path(f"/proc/{child}/stat")).exists() and stat.read_text().split()[2] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_class_ends_with_its_input_even_while_it_thinks(here: Path) -> None:
    program = Program([sys.executable, "-m", "durak.bots.arena.outside.runner", "misbehaving:Hanging"])
    assert program._process.stdin is not None
    program._process.stdin.close()
    program._process.wait(10)


# ---------------------------------------------------------------- with accounts


def account(misdeed: str) -> str:
    """A bot with an account that does this."""
    return f"account:{sys.executable} accounts.py --server {{url}} --table {{table}} '{misdeed}'"


@pytest.fixture
def accounts(here: Path) -> None:
    """The current directory has these too."""
    shutil.copy(Path(__file__).with_name("accounts.py"), here)


@pytest.mark.usefixtures("accounts")
@pytest.mark.parametrize("preset", ["classic", "gameweave", "challenge"])
def test_a_bot_with_an_account_plays_as_at_a_server(preset: str) -> None:
    assert kinds(played(f"a={account('nothing')}", "easy", deals=2, preset=preset), 0) == set()


@pytest.mark.usefixtures("accounts")
def test_a_bot_with_an_account_may_wait() -> None:
    assert kinds(played(f"a={account('waits where it may')}", "easy"), 0) == set()


@pytest.mark.usefixtures("accounts")
@pytest.mark.parametrize(
    ("misdeed", "expected"),
    [
        ("raises", {"crashed", "stopped"}),
        ("ends", {"crashed", "stopped"}),
        ("hangs", {"timed_out", "stopped"}),
        ("cheats", {"illegal"}),
    ],
)
def test_a_bot_with_an_account_that_misbehaves_forfeits(misdeed: str, expected: set[str]) -> None:
    outcomes = played(f"a={account(misdeed)}", "easy", patience_ms=4_000 if misdeed == "hangs" else PATIENCE_MS)
    assert kinds(outcomes, 0) == expected
    assert kinds(outcomes, 1) == set()


# ---------------------------------------------------------------- that do not start


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("cmd:./nothing", "No such file"),
        ("account:./nothing {url}", "there is no program ./nothing"),
        ("cmd:./misbehaving.py", "Permission denied"),
        ("nothing:Bot", "No module named 'nothing'"),
        ("misbehaving:Nothing", "no attribute 'Nothing'"),
        ("misbehaving:script", "missing 1 required positional argument"),
        ("pathlib:Path", "has no method choose"),
        (f"cmd:{sys.executable} -c pass", "exit status 0"),
        ("cmd:echo hello", "hello"),
        ("cmd:echo '{\"protocol\": 2}'", "it speaks line protocol 2"),
    ],
)
def test_a_bot_that_does_not_start_is_refused(here: Path, spec: str, told: str) -> None:
    with pytest.raises(ArenaError, match="bot_does_not_start") as refused:
        check_start(Entrant("bot", spec), PATIENCE_MS)
    assert told in str(refused.value)


# ---------------------------------------------------------------- names


def test_names_of_bots() -> None:
    bots = entrants(
        [
            "normal",
            "mine=normal",
            "my.bots:Best",
            "x-1=my.bots:Best",
            "cmd:./bin/best --depth=3",
            "y=cmd:./best",
            "account:python3 my/bot.py {url}",
        ]
    )
    assert [bot.name for bot in bots] == ["normal", "mine", "Best", "x-1", "best", "y", "bot.py"]
    assert [bot.spec for bot in bots][1:3] == ["normal", "my.bots:Best"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["normal"], "too_few_bots"),
        (["normal", "normal"], "same_name"),
        (["a=normal", "a=easy"], "same_name"),
        (["one:Bot", "two:Bot"], "same_name"),
        (["normal", "cmd:"], "bad_bot"),
        (["normal", "cmd:'"], "bad_bot"),
        (["normal", "account: "], "bad_bot"),
        (["normal", "a:b:c"], "bad_bot"),
        (["normal", ":Bot"], "bad_bot"),
        (["normal", f"{'x' * 25}=easy"], "bad_name"),
    ],
)
def test_bad_names_are_refused(words: list[str], code: str) -> None:
    with pytest.raises(ArenaError) as refused:
        entrants(words)
    assert refused.value.code == code


@pytest.mark.parametrize(("word", "code"), [("xyzzy", "no_such_bot"), ("", "no_such_bot"), ("a=xyzzy", "no_such_bot")])
def test_unknown_bots_are_refused(word: str, code: str) -> None:
    with pytest.raises(NoSuchBot, match="module:Class") as refused:
        entrants(["normal", word])
    assert refused.value.code == code


def test_any_word_is_a_bot_or_refused_with_a_code() -> None:
    rng = random.Random(1)
    for _ in range(3000):
        word = "".join(rng.choice("ab=:./' -\n\\é\0") for _ in range(rng.randrange(12)))
        try:
            (_, bot) = entrants(["normal", word])
        except (ArenaError, NoSuchBot):
            continue
        else:
            assert bot.spec.startswith(("cmd:", "account:")) or CLASS.fullmatch(bot.spec)
