"""A guest is remembered for its seat: by server and name, for the user's eyes only."""

import stat
from pathlib import Path

import pytest

from durak.clients.cli.guests import Guests, SavedGuest, state_folder

SERVER = "http://127.0.0.1:8080"
ANNA = SavedGuest(SERVER, "anna", "Anna", "secret-1")
BORIS = SavedGuest(SERVER, "boris", "Boris", "secret-2")


def test_a_guest_is_found_again(tmp_path: Path) -> None:
    Guests(tmp_path).keep(ANNA)
    assert Guests(tmp_path).find(SERVER, "anna") == ANNA
    assert Guests(tmp_path).find(SERVER, None) == ANNA
    assert Guests(tmp_path).find(SERVER, "boris") is None
    assert Guests(tmp_path).find("http://127.0.0.1:9999", None) is None


def test_without_a_name_the_one_kept_last(tmp_path: Path) -> None:
    guests = Guests(tmp_path)
    guests.keep(ANNA)
    guests.keep(BORIS)
    assert guests.find(SERVER, None) == BORIS
    guests.keep(ANNA)
    assert guests.find(SERVER, None) == ANNA
    assert guests.find(SERVER, "boris") == BORIS


def test_only_the_user_may_read_it(tmp_path: Path) -> None:
    Guests(tmp_path / "durak").keep(ANNA)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [stat.S_IMODE(path.stat().st_mode) for path in files] == [0o600]
    assert stat.S_IMODE((tmp_path / "durak" / "guests").stat().st_mode) == 0o700


def test_a_guest_is_forgotten(tmp_path: Path) -> None:
    guests = Guests(tmp_path)
    guests.keep(ANNA)
    guests.forget(ANNA)
    guests.forget(ANNA)
    assert guests.find(SERVER, None) is None


def test_what_is_no_guest_is_passed_over(tmp_path: Path) -> None:
    guests = Guests(tmp_path)
    guests.keep(ANNA)
    (tmp_path / "guests" / "broken.json").write_text("{")
    assert guests.find(SERVER, None) == ANNA


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "guests").write_text("a file")
    guests = Guests(tmp_path)
    assert guests.find(SERVER, None) is None
    with pytest.raises(OSError):
        guests.keep(ANNA)


def test_where_the_state_lies() -> None:
    assert state_folder({"XDG_STATE_HOME": "/var/state"}) == Path("/var/state/durak")
    assert state_folder({}) == Path.home() / ".local/state/durak"
    assert state_folder({"XDG_STATE_HOME": "relative"}) == Path.home() / ".local/state/durak"
