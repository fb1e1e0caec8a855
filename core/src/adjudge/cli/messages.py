"""What a command has to say beside its results: lines on standard error."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.importers.interface import Warned

_FIRST = 3


def tell(text: str) -> None:
    """Say something on standard error, each line behind the command's name.

    Args:
        text: any text; what would act on a terminal is made visible.
    """
    from adjudge.texts.visible import visible

    lines = visible(text.rstrip("\n")).split("\n")
    sys.stderr.write("".join(f"adjudge: {line}\n" for line in lines))
    sys.stderr.flush()


def tell_warnings(counts: Mapping[str, int], warnings: Sequence[Warned]) -> None:
    """Say what was odd about recordings: each kind once, with its number and the first places.

    Args:
        counts: how many warnings there are of each code.
        warnings: the warnings that were kept.
    """
    for code, number in counts.items():
        first = [warning for warning in warnings if warning.code == code][:_FIRST]
        if number == 1 and first:
            tell(str(first[0]))
            continue
        lines = [f"  {warning.where}: {warning.detail}" for warning in first]
        more = [f"  and {number - len(first):,} more"] if number > len(first) else []
        tell("\n".join([f"{code}, {number:,} times:", *lines, *more]))


def tell_nothing(warnings: Sequence[Warned]) -> None:
    """Say that there is nothing to judge, and why; the exit code is then NOTHING_TO_JUDGE.

    Args:
        warnings: what was odd about the recordings.
    """
    costly = [str(warning) for warning in warnings if warning.lost or warning.code == "NO_SAMPLES"]
    why = "; ".join(costly[:_FIRST]) or "no sample fits"
    tell(f"nothing to judge: {why}")


def show_logs() -> None:
    """Have the library's warnings told, whatever command comes across them."""
    import logging

    log = logging.getLogger("adjudge")
    if any(getattr(handler, "tells", False) for handler in log.handlers):
        return

    class Told(logging.Handler):
        tells = True

        def emit(self, record: logging.LogRecord) -> None:
            tell(record.getMessage())

    log.addHandler(Told())
    log.propagate = False
