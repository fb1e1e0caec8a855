"""Writing reports: to standard output, and to the files that `--report` names."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from adjudge.errors import UserError
from adjudge.plugins.host import PluginHost
from adjudge.reporters.interface import Reporter
from adjudge.runs.run import Run


def check_reports(wanted: Sequence[str], host: PluginHost) -> list[tuple[Reporter, Path]]:
    """Read `KIND=FILE` options, before any work is done.

    Args:
        wanted: the options as given.
        host: where reporters are found.

    Returns:
        Each reporter with the file to write.

    Raises:
        UserError: a kind that nobody offers, or a file that can't be written.
    """
    reports = []
    for text in wanted:
        kind, equals, file = text.partition("=")
        if not equals or not file:
            raise UserError(f"--report {text!r}: write KIND=FILE, as junit=report.xml")
        path = Path(file)
        if not path.parent.is_dir() or path.is_dir():
            raise UserError(f"--report {text!r}: there is no folder for the file, or it is a folder itself")
        reports.append((host.load("reporters", kind)(), path))
    return reports


def write_reports(
    run: Run, host: PluginHost, form: str | None, reports: Sequence[tuple[Reporter, Path]]
) -> None:
    """Write a run to standard output, if asked for, and to files.

    Args:
        run: the run.
        host: where reporters are found.
        form: the reporter for standard output; None for nothing there.
        reports: further reporters, each with its file.
    """
    for reporter, path in reports:
        try:
            with path.open("w", encoding="utf-8", newline="") as stream:
                reporter.write(run, stream)
        except OSError as problem:
            raise UserError(f"report {path} can't be written: {problem.strerror}") from problem
    if form is not None:
        host.load("reporters", form)().write(run, _unicode_stdout())


def _unicode_stdout() -> TextIO:
    """Standard output, made to take any text whatever the terminal's encoding is."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    return sys.stdout
