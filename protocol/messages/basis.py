"""What all conversations share: how a message of either side is made, and the words for tables, chairs and players."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

TableId = Annotated[str, Meta(pattern="^[0-9A-HJKMNP-TV-Z]{6}$", description="A table's id, which is also its join code.")]
Cid = Annotated[str, Meta(min_length=1, max_length=40, description="A command id chosen by the client.")]
Chair = Annotated[int, Meta(ge=0, le=5, description="A place at the table; chairs without a player are no seats of the game.")]
Level = Literal["easy", "normal", "hard"]
Status = Literal["open", "playing", "finished"]
ChairKind = Literal["person", "bot"]
Kind = Literal["person", "bot", "host"]
"""Who holds a session: a person (or its program), the bot of one seat, a host of bots."""


class FromClient(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="t"):
    """A message of a client."""


class Command(FromClient, frozen=True):
    """A command: answered by exactly one `ok` or `error` with the same `cid`."""

    cid: Cid


class FromServer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="t"):
    """A message of a server. Clients ignore fields they do not know."""
