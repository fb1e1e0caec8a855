"""A suite: which samples are put to which judges, and what the gate asks of the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from adjudge.config import ConfigModel, Listed
from adjudge.judges import Judge, JudgeConfig
from adjudge.scores import DeclaredScore

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class Thresholds(ConfigModel):
    """What the gate asks of a judge.

    Args:
        min_pass_rate: least share of passes among passes and fails, 0 to 1.
        min_judged: least share of samples that were judged (pass, fail or scored), 0 to 1.
        max_errors: most judgments that may be errors.
    """

    min_pass_rate: Share | None = None
    min_judged: Share | None = None
    max_errors: Count | None = None


class Gate(Thresholds):
    """What decides the exit code.

    The thresholds hold for every judge; `max_errors` is for the run as a whole.

    Args:
        judges: thresholds of single judges, by name; they replace those above, key by key.
        slices: thresholds of every judge within a slice, by `key=value`, as `metadata.topic=billing`.
    """

    judges: dict[str, Thresholds] = {}
    slices: dict[str, Thresholds] = {}


class ModelChoice(ConfigModel):
    """A model that judges may use.

    Args:
        provider: who serves it.
        model: its name there.
        api_base: address of the server, where it is not the provider's own.
        api_key_env: name of the environment variable that holds the key.
    """

    provider: str
    model: str
    api_base: str | None = None
    api_key_env: str | None = None


class SuiteFile(ConfigModel):
    """The keys of a suite file.

    Args:
        format: version of the file format.
        name: what the suite is called; the file's name when left out.
        samples: paths or globs of recordings, relative to the file, or native samples themselves.
        samples_format: the recordings' format, where it is not to be found by content.
        gate: what decides the exit code.
        slices: dotted keys, as `metadata.topic`, whose values are reported one by one.
        models: models by name; judges that name none use `default`.
        judges: the judges, each with `type` and the keys of that type.
    """

    format: Literal[1] = 1
    name: str | None = None
    samples: Annotated[tuple[str | dict[str, Any], ...], Field(strict=False)] = ()
    samples_format: str | None = None
    gate: Gate | None = None
    slices: Listed[str] = ()
    models: dict[str, ModelChoice] = {}
    judges: Annotated[tuple[dict[str, Any], ...], Field(strict=False, min_length=1)]


JudgeClass = type[Judge[Any]]


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    """One configured judge of a suite.

    Args:
        index: its place in the suite, from 0.
        name: what reports call it.
        type: its type, as plugins register it.
        judge_class: the class that implements it; None when its plugin can't be used.
        config: its validated configuration; None when its plugin can't be used.
        plugin: name and version of the distribution that offers it.
        problem: why its plugin can't be used; each sample then gets an error.
    """

    index: int
    name: str
    type: str
    judge_class: JudgeClass | None
    config: JudgeConfig | None
    plugin: tuple[str, str]
    problem: str | None = None

    def build(self) -> Judge[Any]:
        """The judge, ready to work; only for a spec whose plugin can be used."""
        assert self.judge_class is not None
        return self.judge_class(self.config)

    @property
    def declared_scores(self) -> tuple[DeclaredScore, ...]:
        """The scores that the judge declares."""
        return self.config.output_scores if self.config is not None else ()


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite that was read and found right.

    Args:
        name: what it is called.
        judges: its judges, in order.
        samples: paths and globs of recordings, or native samples.
        samples_format: the recordings' format; None to find it by content.
        gate: what decides the exit code; None for no gate.
        slices: dotted keys whose values are reported one by one.
        models: models by name.
        file: the file that it was read from.
    """

    name: str
    judges: tuple[JudgeSpec, ...]
    samples: tuple[str | dict[str, Any], ...] = ()
    samples_format: str | None = None
    gate: Gate | None = None
    slices: tuple[str, ...] = ()
    models: Mapping[str, ModelChoice] = field(default_factory=dict)
    file: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder that paths in the suite are relative to."""
        return self.file.parent if self.file is not None else Path()

    def judge(self, name: str) -> JudgeSpec:
        """The judge of that name; raises KeyError when there is none."""
        for spec in self.judges:
            if spec.name == name:
                return spec
        raise KeyError(name)
