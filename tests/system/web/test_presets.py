"""The form that creates a table starts from the server's own presets, and offers only values that the server accepts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from durak.protocol.rules.ruleset import PRESETS, ruleset_of
from tests.system.serving import Served
from tests.system.web.conftest import Open

pytestmark = pytest.mark.asyncio(loop_scope="session")

READ = "async () => { const { PRESETS, CHOICES } = await import('/core/presets.js'); return { PRESETS, CHOICES } }"


async def test_the_forms_presets_and_choices_are_the_servers(server: Served, opens: Open) -> None:
    person = await opens(server.url)
    form: dict[str, Any] = await person.page.evaluate(READ)
    assert form["PRESETS"] == {name: msgspec.json.decode(msgspec.json.encode(rules)) for name, rules in PRESETS.items()}
    for option, choices in form["CHOICES"].items():
        for value in choices:
            ruleset_of("classic", {option: value})
