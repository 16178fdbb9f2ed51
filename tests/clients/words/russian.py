"""A language with three forms, other ranks and another script."""

from durak.clients.words.language import Language, Numbers
from durak.clients.words.speech import Speech


def russian_form(number: int) -> int:
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14 else 2


RUSSIAN_NUMBERS = Numbers(russian_form, lambda number: "other")
RUSSIAN = Speech(Language("ru", {}, RUSSIAN_NUMBERS, ranks={"J": "В", "Q": "Д", "K": "К", "A": "Т"}))
