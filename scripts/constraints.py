#!/usr/bin/env python3
"""Renew constraints.txt: pin the newest versions of all packages that the checks need.

Usage: scripts/constraints.py [PYTHON ...]    interpreters with pip; by default Python 3.11 to 3.13,
                                              as far as they are installed
A package whose version depends on the version of Python has a pin for each. Run this every week, from a
scheduler. `.ci/run` then checks with the pinned versions, and reports the result with the newest versions.
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
    """Return the paths of the interpreters that run and have pip, by version of Python.

    The default also includes the interpreter of this script.
    """
    paths: dict[str, str] = {}
    for name in named or [f"python{version}" for version in VERSIONS] + [sys.executable]:
        path = shutil.which(name)
        code = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
        result = subprocess.run([path, "-c", code], capture_output=True, text=True) if path else None
        if path and result and result.returncode == 0:
            paths.setdefault(result.stdout.strip(), path)
    return paths


def resolve_versions(interpreter: str) -> dict[str, str]:
    """Return the versions that pip would install into an empty environment, by package, without onrecord."""
    install = [interpreter, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report"]
    report = subprocess.run([*install, "-", PROJECT], stdout=subprocess.PIPE, text=True, check=True)
    items = [item["metadata"] for item in json.loads(report.stdout)["install"]]
    versions = {item["name"].lower().replace("_", "-"): item["version"] for item in items}
    return {name: version for name, version in versions.items() if name != "onrecord"}


def pin_lines(by_python: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return a line for each package, or for each of its versions with the Pythons that need it."""
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
