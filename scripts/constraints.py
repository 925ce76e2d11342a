#!/usr/bin/env python3
"""Writes constraints.txt anew: the newest versions that pip finds for all that the checks need.

Usage: scripts/constraints.py [PYTHON ...]    interpreters, each with pip; by default those of 3.11 to 3.13
                                              that can be had
What differs between versions of Python is pinned for each. To be run every week, by whatever runs commands on
a schedule; `.ci/run` then checks with what is pinned here, and tells how the newest versions do.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = f"{ROOT}[dev]"
VERSIONS = ("3.11", "3.12", "3.13")
HEAD = """\
# The versions that the checks run with: pip install -c constraints.txt '.[dev]'
# Written by scripts/constraints.py; run it again for newer ones.
"""


def interpreters(named: Sequence[str]) -> dict[str, str]:
    """The interpreters that answer, by their version."""
    paths: dict[str, str] = {}
    for name in named or [f"python{version}" for version in VERSIONS] + [sys.executable]:
        path = shutil.which(name)
        code = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
        result = subprocess.run([path, "-c", code], capture_output=True, text=True) if path else None
        if path and result and result.returncode == 0:
            paths.setdefault(result.stdout.strip(), path)
    return paths


def resolve_versions(interpreter: str) -> dict[str, str]:
    """What pip would install into an empty environment, by name. Our own package is none of it."""
    install = [interpreter, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report"]
    report = subprocess.run([*install, "-", PROJECT], stdout=subprocess.PIPE, text=True, check=True)
    items = [item["metadata"] for item in json.loads(report.stdout)["install"]]
    versions = {item["name"].lower().replace("_", "-"): item["version"] for item in items}
    return {name: version for name, version in versions.items() if name != "onrecord"}


def pin_lines(by_python: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A line for each package, or one for each version of it, with the Pythons that it is for."""
    names = sorted({name for versions in by_python.values() for name in versions})
    pins = []
    for name in names:
        chosen = {python: versions[name] for python, versions in by_python.items() if name in versions}
        for version in sorted(set(chosen.values())):
            pythons = sorted(python for python, pinned in chosen.items() if pinned == version)
            everywhere = len(set(chosen.values())) == 1
            marks = " or ".join(f'python_version == "{python}"' for python in pythons)
            pins.append(f"{name}=={version}" + ("" if everywhere else f" ; {marks}"))
    return pins


def main() -> None:
    pythons = interpreters(sys.argv[1:])
    lines = pin_lines({python: resolve_versions(path) for python, path in pythons.items()})
    (ROOT / "constraints.txt").write_text(HEAD + "\n".join(lines) + "\n")
    print(f"constraints.txt: {len(lines)} lines, for Python {', '.join(sorted(pythons))}")


if __name__ == "__main__":
    main()
