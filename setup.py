"""Lists the packages, and compiles the rules and the search with mypyc when a wheel is built where a C compiler is.

DURAK_COMPILE=require   fail when it can't be compiled, and say why
DURAK_COMPILE=no        don't try
"""

import os
import re
import shutil
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup

ROOMS = ("server", "protocol", "bots", "clients")
HERE = Path(__file__).parent
TREE = "build/compiled"
WISH = os.environ.get("DURAK_COMPILE", "")


def modules_to_compile() -> list[str]:
    """The names in protocol/process/compiled.py, which can't be imported before it is installed."""
    listed = re.search(r"MODULES: Final = \((.*?)\)", (HERE / "protocol" / "process" / "compiled.py").read_text(), re.DOTALL)
    assert listed is not None
    return re.findall(r'"durak\.(.*?)"', listed[1])


def extensions() -> list[Extension]:
    """The compiled modules; none for an editable install, whose sources would be edited behind their machine code."""
    if "bdist_wheel" not in sys.argv:
        return []
    shutil.rmtree("build", ignore_errors=True)  # an earlier build's machine code would be taken for this one's
    if WISH == "no":
        return []
    paths = [f"durak/{name.replace('.', '/')}.py" for name in modules_to_compile()]
    for path in [*paths, "durak/protocol/rules/flat.py"]:
        copy = Path(TREE, path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        for folder in range(1, len(Path(path).parts)):
            Path(TREE, *Path(path).parts[:folder], "__init__.py").touch()
        shutil.copyfile(path.removeprefix("durak/"), copy)
    os.chdir(TREE)
    try:
        from mypyc.build import mypycify

        built: list[Extension] = mypycify(["--config-file=", *paths], opt_level="3", target_dir="c", group_name="durak")
    except (Exception, SystemExit) as reason:
        if WISH == "require":
            raise
        print(f"durak is installed without machine code: {reason!r}", file=sys.stderr)
        return []
    finally:
        os.chdir(HERE)
    for extension in built:
        extension.sources = [str(Path(TREE, source)) for source in extension.sources]
        extension.depends = [str(Path(TREE, source)) for source in extension.depends]
        extension.include_dirs = [str(Path(TREE, folder)) for folder in extension.include_dirs]
        extension.optional = WISH != "require"
        if sys.platform != "win32":
            extension.extra_compile_args.append("-fno-semantic-interposition")  # else nothing is inlined
    return built


setup(
    packages=[".".join(("durak", room, *inner)) for room in ROOMS for inner in ((), *((name,) for name in find_packages(room)))],
    ext_modules=extensions(),
)
