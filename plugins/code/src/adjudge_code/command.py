"""`adjudge sandbox doctor`: does this machine lock code judges in, and how to mend what does not."""

from __future__ import annotations

import argparse

HELP = "prove that code judges are locked in on this machine"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("action", choices=("doctor",), help="run the probes and report every layer")


def handle(options: argparse.Namespace) -> int:
    """Probe every layer; 0 when code judges run at level A."""
    from adjudge_sandbox.doctor import examine, report

    examination = examine()
    print(report(examination))
    return 0 if examination.sound else 1
