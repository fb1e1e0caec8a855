"""Reading suite files: TOML, YAML or JSON into one strict model, with every mistake told at once."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from adjudge.errors import PluginError, Problem, SuiteError, UserError
from adjudge.mistakes import Mistake, mistakes_of
from adjudge.plugins.host import PluginHost
from adjudge.positions import find_line
from adjudge.suite import Gate, JudgeSpec, Suite, SuiteFile

_GUILD_LIST = "checks"


def load_suite(path: str | Path, host: PluginHost | None = None) -> Suite:
    """Read a suite file.

    Args:
        path: a TOML, YAML or JSON file, told apart by its ending.
        host: where judges are found; a new one when left out.

    Returns:
        The suite.

    Raises:
        SuiteError: it has mistakes; all of them are listed.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise SuiteError([Problem(_unreadable(file, problem), file=str(path))]) from None
    return _SuiteReader(host or PluginHost(), file, text).suite(_parse(file, text))


def parse_suite(data: Mapping[str, Any], host: PluginHost | None = None) -> Suite:
    """Make a suite of a value, as a suite file holds it.

    Args:
        data: the keys of a suite file.
        host: where judges are found; a new one when left out.

    Raises:
        SuiteError: it has mistakes; all of them are listed.
    """
    return _SuiteReader(host or PluginHost(), None, None).suite(dict(data))


def _unreadable(file: Path, problem: Exception) -> str:
    if isinstance(problem, FileNotFoundError):
        return "there is no such file"
    if isinstance(problem, IsADirectoryError):
        return "this is a folder; name the suite file in it"
    if isinstance(problem, UnicodeDecodeError):
        return "the file is not UTF-8 text"
    return f"the file can't be read: {problem.__class__.__name__}"


def _parse(file: Path, text: str) -> dict[str, Any]:
    parsers: dict[str, Callable[[str], Any]] = {
        ".toml": tomllib.loads, ".json": json.loads, ".yaml": _yaml, ".yml": _yaml,
    }  # fmt: skip
    parser = parsers.get(file.suffix.lower())
    if parser is None:
        raise SuiteError([Problem("a suite file ends in .toml, .yaml, .yml or .json", file=str(file))])
    try:
        data = parser(text)
    except (ValueError, RecursionError) as problem:
        line = getattr(problem, "lineno", None)
        raise SuiteError([Problem(f"not {file.suffix[1:].upper()}: {problem}", file=str(file), line=line)]) from None
    if not isinstance(data, dict):
        raise SuiteError([Problem("a suite file holds keys and values, as name and judges", file=str(file))])
    return data


def _yaml(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as problem:
        raise ValueError(" ".join(str(problem).split())) from None


class _SuiteReader:
    """Turns the keys of a suite file into a suite, collecting every mistake on the way."""

    def __init__(self, host: PluginHost, file: Path | None, text: str | None) -> None:
        self.host = host
        self.file = file
        self.text = text
        self.problems: list[Problem] = []

    def suite(self, data: dict[str, Any]) -> Suite:
        list_key = _GUILD_LIST if _GUILD_LIST in data and "judges" not in data else "judges"
        raw_judges = data.get(list_key)
        renamed = {"judges" if key == list_key else key: value for key, value in data.items()}
        parsed = self._file_keys(renamed, list_key)
        specs = self._specs(raw_judges if isinstance(raw_judges, list) else [], list_key)
        if parsed is not None and parsed.gate is not None:
            self._check_gate(parsed.gate, {spec.name for spec in specs}, parsed.slices)
        if self.problems or parsed is None:
            raise SuiteError(self.problems)
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
        if isinstance(data.get("samples"), str):
            data["samples"] = [data["samples"]]
        try:
            return SuiteFile.model_validate(data)
        except ValidationError as error:
            for mistake in mistakes_of(error, SuiteFile):
                path = (list_key, *mistake.path[1:]) if mistake.path[:1] == ("judges",) else mistake.path
                self._add(mistake, path)
            return None

    def _specs(self, raw_judges: list[Any], list_key: str) -> list[JudgeSpec]:
        specs: list[JudgeSpec] = []
        names: set[str] = set()
        for index, raw in enumerate(raw_judges):
            spec = self._spec(index, raw, (list_key, index)) if isinstance(raw, dict) else None
            if spec is None:
                continue
            name = spec.config.name if spec.config else spec.name
            if name is not None and name in names:
                self._add(Mistake(("name",), f"two judges are called {name!r}"), (list_key, index, "name"), name)
            name = name or _numbered(spec.type, names)
            names.add(name)
            specs.append(JudgeSpec(index, name, spec.type, spec.judge_class, spec.config, spec.plugin, spec.problem))
        return specs

    def _spec(self, index: int, raw: dict[str, Any], path: tuple[str | int, ...]) -> JudgeSpec | None:
        judge_type = raw.get("type")
        label = raw.get("name") if isinstance(raw.get("name"), str) else judge_type
        label = str(label) if label is not None else f"#{index + 1}"
        if not isinstance(judge_type, str):
            known = ", ".join(dict.fromkeys(offer.name for offer in self.host.offers("judges")))
            self._add(Mistake(("type",), f"every judge needs a type, one of: {known}"), (*path, "type"), label)
            return None
        owner = self.host.owner("judges", judge_type)
        plugin = (owner.name, owner.version) if owner is not None else ("", "")
        try:
            judge_class = self.host.load("judges", judge_type)
        except PluginError as problem:
            return JudgeSpec(index, label, judge_type, None, None, plugin, str(problem))
        except UserError as problem:
            self._add(Mistake(("type",), str(problem)), (*path, "type"), label)
            return None
        try:
            config = judge_class.Config.model_validate(raw)
        except ValidationError as error:
            for mistake in mistakes_of(error, judge_class.Config):
                self._add(mistake, (*path, *mistake.path), label)
            return None
        return JudgeSpec(index, label, judge_type, judge_class, config, plugin)

    def _check_gate(self, gate: Gate, names: set[str], slices: tuple[str, ...]) -> None:
        for name in gate.judges.keys() - names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(sorted(names))}"
            self._add(Mistake(("gate", "judges", name), f"no judge is called {name!r}", hint), ("gate", "judges", name))
        for name in gate.slices:
            key, equals, _ = name.partition("=")
            if not equals or key not in slices:
                hint = "write key=value, with a key that `slices` lists"
                path = ("gate", "slices", name)
                self._add(Mistake(path, f"{name!r} names no slice of this suite", hint), path)

    def _add(self, mistake: Mistake, path: tuple[str | int, ...], judge: str | None = None) -> None:
        line = find_line(self.text, self.file.suffix, path) if self.text is not None and self.file else None
        key = ".".join(str(step) for step in mistake.path)
        file = str(self.file) if self.file else None
        self.problems.append(Problem(mistake.message, file, judge, key or None, line, mistake.hint))


def _numbered(judge_type: str, names: set[str]) -> str:
    name, number = judge_type, 1
    while name in names:
        number += 1
        name = f"{judge_type}-{number}"
    return name
