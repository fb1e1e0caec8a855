"""Examinations: `python -m adjudge_sandbox doctor` of the layers, `... audit` of what programs can reach."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from adjudge_sandbox import doctor
from adjudge_sandbox.errors import SandboxError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one examination and print it.

    Returns:
        0 when all is well, 1 when something is missing.
    """
    parser = argparse.ArgumentParser(prog="python -m adjudge_sandbox", description=__doc__)
    parser.add_argument("examination", choices=("doctor", "audit"))
    options = parser.parse_args(arguments)
    return _doctor() if options.examination == "doctor" else _audit()


def _doctor() -> int:
    try:
        examination = doctor.examine()
    except SandboxError as problem:
        print(problem, file=sys.stderr)
        return 1
    print(doctor.report(examination))
    return 0 if examination.sound else 1


def _audit() -> int:
    from adjudge_sandbox.audit import audit

    findings = audit()
    for finding in findings.problems:
        print(finding)
    print(f"{findings.visited} objects can be reached; {len(findings.problems)} should not be")
    return 1 if findings.problems else 0


if __name__ == "__main__":
    sys.exit(main())
