"""What every party at a table shares: the rules of the game and the messages on the wire. `__version__` is that of durak."""


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version  # only who asks for it waits for it

        return version("durak")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
