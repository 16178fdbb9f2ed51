"""Lists the packages: each mapped folder of pyproject.toml and the packages inside it."""

from setuptools import find_packages, setup

ROOMS = ("server", "protocol", "bots", "clients")

setup(packages=[".".join(("durak", room, *inner)) for room in ROOMS for inner in ((), *((name,) for name in find_packages(room)))])
