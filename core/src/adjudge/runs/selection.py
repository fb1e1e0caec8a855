"""Which of a suite's samples and judges a run takes."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adjudge.errors import UserError
from adjudge.runs.slices import Condition
from adjudge.sample import Sample
from adjudge.suites.model import JudgeSpec, Suite
from adjudge.texts.suggestion import nearest, suggestion


@dataclass(frozen=True, slots=True)
class Selection:
    """What a run takes of its suite.

    Args:
        paths: recordings to judge in place of the suite's; relative to the working directory.
        format: the recordings' format; None for what the suite says, or to find it by content.
        judges: names of the judges to put; none for all of them.
        samples: ids (or `id#trial`) of the samples to judge; none for all of them.
        where: conditions that a sample must meet, all of them.
        limit: most samples to judge; None for all.
    """

    paths: tuple[str, ...] = ()
    format: str | None = None
    judges: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    limit: int | None = None

    @property
    def narrows(self) -> bool:
        """Whether some samples of the recordings are left out."""
        return bool(self.samples or self.where) or self.limit is not None

    def specs(self, suite: Suite) -> tuple[JudgeSpec, ...]:
        """The judges to put, in the order of the suite; raises UserError for a name that no judge has."""
        known = [spec.name for spec in suite.judges]
        for name in self.judges:
            if name not in known:
                hint = suggestion(name, known)
                raise UserError(f"no judge of suite {suite.name!r} is called {name!r}; {hint}")
        return tuple(spec for spec in suite.judges if not self.judges or spec.name in self.judges)

    def files(self, suite: Suite) -> list[str]:
        """The recordings to read.

        Args:
            suite: its own recordings are taken where no others are named.

        Returns:
            Paths; each exists.

        Raises:
            UserError: a path or glob leads to no file.
        """
        folder = Path() if self.paths else suite.folder
        patterns = self.paths or tuple(each for each in suite.samples if isinstance(each, str))
        files: dict[str, None] = {}
        for pattern in patterns:
            files.update(dict.fromkeys(recordings(folder, pattern)))
        return list(files)

    def take(self, samples: Iterator[Sample]) -> Iterator[Sample]:
        """The samples to judge among those that were read."""
        wanted = set(self.samples)
        taken = 0
        for sample in samples:
            if taken == self.limit:
                return
            if wanted and sample.id not in wanted and sample.key not in wanted:
                continue
            if all(condition.holds(sample) for condition in self.where):
                taken += 1
                yield sample


def recordings(folder: Path, pattern: str) -> list[str]:
    """The recordings that a path or glob leads to.

    Args:
        folder: what it is relative to.
        pattern: the path or glob.

    Raises:
        UserError: it leads to no file, or to one whose name is no text.
    """
    path = folder / pattern
    try:
        if path.exists():
            found = [str(path)]
        else:
            # Only the pattern is one: the folder may have signs of globs in its name.
            whole = pattern if Path(pattern).is_absolute() else str(Path(glob.escape(str(folder)), pattern))
            found = sorted(each for each in glob.glob(whole, recursive=True) if Path(each).is_file())  # noqa: PTH207
    except (OSError, ValueError) as problem:
        raise UserError(f"{path} can't be read: {getattr(problem, 'strerror', None) or problem}") from None
    if not found:
        raise UserError(f"no file matches {path}" if glob.has_magic(pattern) else _missing(path))
    for each in found:
        if each != each.encode("utf-8", "replace").decode():
            raise UserError(f"the name of the file {each} is not UTF-8; rename it")
    return found


def _missing(path: Path) -> str:
    try:
        near = nearest(path.name, [each.name for each in path.parent.iterdir()])
    except OSError:
        near = None
    hint = f"; did you mean {str(path.with_name(near))!r}?" if near is not None else ""
    return f"there is no file {path}{hint}"
