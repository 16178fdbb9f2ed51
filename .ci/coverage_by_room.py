"""Prints the coverage of each room: `coverage_by_room.py FILE`, a file of `coverage json`."""

import json
import sys
from collections import Counter
from pathlib import Path, PurePath

files = json.loads(Path(sys.argv[1]).read_text())["files"]
lines: Counter[str] = Counter()
run: Counter[str] = Counter()
for name, file in files.items():
    parts = PurePath(name).parts[:-1]
    for room in {"/".join(parts[:2]), "all"}:
        lines[room] += file["summary"]["num_statements"]
        run[room] += file["summary"]["covered_lines"]
print(f"{'room':24} {'lines':>6} {'run':>6}")
for room in sorted(lines, key=lambda room: (room == "all", room)):
    if lines[room]:
        print(f"{room:24} {lines[room]:6} {run[room] / lines[room]:6.1%}")
