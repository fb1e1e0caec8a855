"""Writing reports: to standard output, and to the files that `--report` names."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from adjudge.errors import UserError
from adjudge.plugins.host import PluginHost
from adjudge.reporters.interface import Reporter
from adjudge.runs.run import Run


def check_reports(
    wanted: Sequence[str], host: PluginHost, keep: Iterable[Path]
) -> list[tuple[Reporter, Path]]:
    """Read `KIND=FILE` options, before any work is done.

    Args:
        wanted: the options as given.
        host: where reporters are found.
        keep: files and folders that no report may be written over.

    Returns:
        Each reporter with the file to write.

    Raises:
        UserError: a kind that nobody offers, or a file that can't or must not be written.
    """
    kept = {_real(path) for path in keep}
    reports = []
    for text in wanted:
        kind, equals, file = text.partition("=")
        if not equals or not file:
            raise UserError(f"--report {text!r}: write KIND=FILE, as junit=report.xml")
        path = Path(file)
        if not path.parent.is_dir() or path.is_dir():
            raise UserError(f"--report {text!r}: there is no folder for the file, or it is a folder itself")
        if kept & {_real(path), *_real(path).parents}:
            raise UserError(f"--report {text!r}: this would write over what is read; name another file")
        kept.add(_real(path))
        reports.append((host.load("reporters", kind)(), path))
    return reports


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def write_reports(run: Run, reports: Sequence[tuple[Reporter, Path]]) -> None:
    """Write a run to files, each of which is there whole or as it was before.

    Args:
        run: the run.
        reports: reporters, each with its file.

    Raises:
        UserError: a file can't be written.
    """
    for reporter, path in reports:
        try:
            with _replaced(_real(path)) as stream:
                reporter.write(run, stream)
        except OSError as problem:
            raise UserError(f"report {path} can't be written: {problem.strerror}") from problem


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[TextIO]:
    if path.exists() and not path.is_file():  # a pipe or a device is written as it is
        with path.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    beside = path.with_name(f".adjudge-{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("x", encoding="utf-8", newline="") as stream:
            yield stream
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def print_report(run: Run, host: PluginHost, form: str) -> None:
    """Write a run to standard output.

    Args:
        run: the run.
        host: where reporters are found.
        form: the reporter's name.
    """
    host.load("reporters", form)().write(run, sys.stdout)
