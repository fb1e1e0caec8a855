"""Reading suite files: TOML, YAML or JSON into one strict model, with every mistake told at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from adjudge.errors import PluginError, Problem, SuiteError, UserError, described
from adjudge.plugins.host import PluginHost
from adjudge.runs.selection import recordings
from adjudge.runs.slices import check_key
from adjudge.suites.lines import find_line
from adjudge.suites.mistakes import Mistake, mistakes_of
from adjudge.suites.model import JudgeSpec, Suite, SuiteFile
from adjudge.suites.text import DEEPEST, odd_values, parse_suite_text, read_suite_text
from adjudge.texts.suggestion import nearest, suggestion

_GUILD_LIST = "checks"

_Path = tuple[str | int, ...]


def load_suite(path: str | Path, host: PluginHost | None = None, *, check_recordings: bool = False) -> Suite:
    """Read a suite file.

    Args:
        path: a TOML, YAML or JSON file, told apart by its ending.
        host: where judges are found; a new one when left out.
        check_recordings: whether a recording that is not there is a mistake already, and not only
            once the suite is run.

    Returns:
        The suite.

    Raises:
        SuiteError: it has mistakes; all of them are listed.
    """
    text = read_suite_text(path)
    reader = _SuiteReader(host or PluginHost(), Path(path), text, check_recordings)
    return reader.suite(parse_suite_text(path, text))


def parse_suite(data: Mapping[str, Any], host: PluginHost | None = None) -> Suite:
    """Make a suite of a value, as a suite file holds it.

    Args:
        data: the keys of a suite file.
        host: where judges are found; a new one when left out.

    Raises:
        SuiteError: it has mistakes; all of them are listed.
    """
    return _SuiteReader(host or PluginHost(), None, "").suite(dict(data))


class _SuiteReader:
    """Turns the keys of a suite file into a suite, collecting every mistake on the way."""

    def __init__(
        self, host: PluginHost, file: Path | None, text: str, check_recordings: bool = False
    ) -> None:
        self.host = host
        self.file = file
        self.text = text
        self.check_recordings = check_recordings
        # Paths in a judge's configuration are relative to the suite.
        self._context = {"folder": file.parent if file is not None else Path()}
        self.problems: list[Problem] = []
        self.odd: set[_Path] = set()

    def suite(self, data: dict[str, Any]) -> Suite:
        for mistake in odd_values(data):
            self._add(mistake, mistake.path)
            self.odd.add(mistake.path)
            if len(mistake.path) >= DEEPEST:
                raise SuiteError(self.problems)
        list_key = _GUILD_LIST if _GUILD_LIST in data and "judges" not in data else "judges"
        raw_judges = data.get(list_key)
        parsed = self._file_keys(data, list_key)
        names: list[str] = []
        specs = self._specs(raw_judges if isinstance(raw_judges, list | tuple) else [], list_key, names)
        self._check_samples(data)
        self._check_slices(data)
        self._check_gate(data, names)
        if self.problems or parsed is None:
            raise SuiteError(sorted(self.problems, key=lambda problem: problem.line or 0))
        return Suite(
            name=parsed.name or (self.file.stem if self.file else "suite"),
            judges=tuple(specs),
            samples=parsed.samples,
            samples_format=parsed.samples_format,
            gate=parsed.gate,
            slices=parsed.slices,
            models=parsed.models,
            file=self.file,
        )

    def _file_keys(self, data: dict[str, Any], list_key: str) -> SuiteFile | None:
        keys = {"judges" if key == list_key else key: value for key, value in data.items()}
        if isinstance(keys.get("samples"), str):
            keys["samples"] = [keys["samples"]]
        try:
            return SuiteFile.model_validate(keys)
        except ValidationError as error:
            for mistake in mistakes_of(error, SuiteFile, keys):
                if mistake.path[:1] == ("judges",):
                    mistake = Mistake((list_key, *mistake.path[1:]), mistake.message, mistake.hint)
                self._add(mistake, mistake.path)
            return None

    def _specs(self, raw_judges: Sequence[Any], list_key: str, names: list[str]) -> list[JudgeSpec]:
        """The judges that are right; the names of all of them are added to `names`."""
        given = [raw.get("name") for raw in raw_judges if isinstance(raw, dict)]
        specs = []
        for index, raw in enumerate(raw_judges):
            if not isinstance(raw, dict):
                continue
            path, name = (list_key, index), raw.get("name")
            if not isinstance(name, str) or not name:
                name = _default_name(index, raw.get("type"), [*given, *names])
            elif name in names:
                self._add(Mistake(("name",), f"two judges are called {name!r}"), (*path, "name"), name)
            names.append(name)
            spec = self._spec(index, name, raw, path)
            if spec is not None:
                specs.append(spec)
        return specs

    def _spec(self, index: int, name: str, raw: dict[str, Any], path: _Path) -> JudgeSpec | None:
        judge_type = raw.get("type")
        if not isinstance(judge_type, str):
            known = ", ".join(dict.fromkeys(offer.name for offer in self.host.offers("judges")))
            self._add(
                Mistake(("type",), "every judge needs a type", f"there are: {known}"), (*path, "type"), name
            )
            return None
        owner = self.host.owner("judges", judge_type)
        plugin = (owner.name, owner.version) if owner is not None else ("", "")
        try:
            judge_class = self.host.load("judges", judge_type)
            config = judge_class.Config.model_validate(raw, context=self._context)
            config.model_dump(mode="json")
        except PluginError as problem:
            return JudgeSpec(index, name, judge_type, None, None, plugin, str(problem))
        except UserError as problem:
            self._add(Mistake(("type",), str(problem)), (*path, "type"), name)
            return None
        except ValidationError as error:
            for mistake in mistakes_of(error, judge_class.Config, raw):
                self._add(mistake, (*path, *mistake.path), name)
            return None
        except Exception as problem:  # noqa: BLE001 - a plugin's failure costs its own judgments only
            why = f"{owner}: the configuration of {judge_type} can't be read: {described(problem)}"
            return JudgeSpec(index, name, judge_type, None, None, plugin, why)
        return JudgeSpec(index, name, judge_type, judge_class, config, plugin)

    def _check_samples(self, data: dict[str, Any]) -> None:
        given = data.get("samples")
        listed = given if isinstance(given, list | tuple) else [given]
        for place, pattern in enumerate(listed if self.check_recordings else ()):
            if not isinstance(pattern, str):
                continue
            path: _Path = ("samples", place) if listed is given else ("samples",)
            try:
                recordings(self.file.parent if self.file is not None else Path(), pattern)
            except UserError as problem:
                self._add(Mistake(path, str(problem)), path)

    def _check_slices(self, data: dict[str, Any]) -> None:
        for place, key in enumerate(_slice_keys(data)):
            try:
                check_key(key)
            except UserError as problem:
                self._add(Mistake(("slices", place), str(problem)), ("slices", place))

    def _check_gate(self, data: dict[str, Any], names: list[str]) -> None:
        gate = data.get("gate")
        for name in _table(gate, "judges"):
            if name not in names:
                mistake = Mistake(
                    ("gate", "judges", name), f"no judge is called {name!r}", suggestion(name, names)
                )
                self._add(mistake, mistake.path)
        keys = _slice_keys(data)
        for name in _table(gate, "slices"):
            key, equals, value = name.partition("=")
            if not equals or key not in keys:
                near = nearest(key, keys) if equals else None
                hint = (
                    f"did you mean '{near}={value}'?" if near else "write key=value, with a key of `slices`"
                )
                mistake = Mistake(("gate", "slices", name), f"{name!r} is no slice of this suite", hint)
                self._add(mistake, mistake.path)

    def _add(self, mistake: Mistake, path: _Path, judge: str | None = None) -> None:
        if path in self.odd:
            return
        file = str(self.file) if self.file else None
        line = find_line(self.text, self.file.suffix, path) if self.file else None
        key = ".".join(str(step) for step in mistake.path)
        self.problems.append(Problem(mistake.message, file, judge, key or None, line, mistake.hint))


def _default_name(index: int, judge_type: Any, taken: Sequence[Any]) -> str:
    """The type, numbered where it is taken."""
    if not isinstance(judge_type, str):
        return f"#{index + 1}"
    name, number = judge_type, 1
    while name in taken:
        number += 1
        name = f"{judge_type}-{number}"
    return name


def _slice_keys(data: dict[str, Any]) -> list[str]:
    keys = data.get("slices")
    return [key for key in keys if isinstance(key, str)] if isinstance(keys, list | tuple) else []


def _table(gate: Any, key: str) -> list[str]:
    """The text keys of a table of the gate, whatever stands there."""
    inner = gate.get(key) if isinstance(gate, dict) else None
    return [name for name in inner if isinstance(name, str)] if isinstance(inner, dict) else []
