"""What can be wrong with an arena: a stable `code` for programs, a sentence for people.

ArenaError
    about the bots        same_name, bad_name, bad_bot, bot_does_not_start, too_few_bots, too_many_games
    about the files       no_directory, bad_result

A bot's name that nobody knows is `NoSuchBot` (no_such_bot), a budget of nothing `BadBudget` (bad_budget), a file of
progress that cannot be used `CheckpointError` (resume_foreign, resume_version, resume_differs), a plot that is impossible
`DrawingError` (bad_plot, no_matplotlib).
"""


class ArenaError(Exception):
    """The arena cannot be held, or a file of it not be written; `code` is stable."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{text} [{code}]")
        self.code = code
