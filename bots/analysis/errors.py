"""What can be wrong with an analysis: a stable `code` for programs, a sentence for people.

AnalysisError
    about the record      no_file, bad_record, unknown_version, diverged, nothing_to_judge
    about the seat        no_such_seat
    about the files       no_directory

As in the arena a plot may be impossible (`DrawingError`), a budget be nothing (`BadBudget`), a file of progress be of something
else (`CheckpointError`), a process be lost (`WorkerLost`).
"""


class AnalysisError(Exception):
    """The game cannot be analysed; `code` is stable."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{text} [{code}]")
        self.code = code
