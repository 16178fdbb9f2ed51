"""Names that people give: to themselves and to their tables."""

import unicodedata

MAX_NAME = 24
MAX_TITLE = 40


def checked_name(name: object, longest: int = MAX_NAME) -> str | None:
    """A name without surrounding space, or `None` if it can't be one: empty, too long, or with characters that are not seen."""
    if not isinstance(name, str):
        return None
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if not 1 <= len(name) <= longest:
        return None
    if any(unicodedata.category(character)[0] in "CZ" and character != " " for character in name):
        return None
    return name
