"""Results of tau-bench: a list of runs, each with its task, its conversation and its reward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from adjudge.errors import SourceError
from adjudge.importers.chat import check_conversation, final_output
from adjudge.importers.fields import kind_of, read_list, read_object, read_trial
from adjudge.importers.interface import Importer, ImportReport, Recognition, Record
from adjudge.jsonvalue import json_text
from adjudge.sample import ExternalScore, Sample
from adjudge.trace import Trace

_KNOWN = ("task_id", "trial", "reward", "info", "traj")


class TauBenchImporter(Importer):
    """Reads tau-bench's results; the simulated user has the last word, so the output is the agent's last."""

    name: ClassVar[str] = "taubench"
    title: ClassVar[str] = "tau-bench results: task_id, trial, reward, info, traj"

    @classmethod
    def recognise(cls, value: Any) -> Recognition | None:
        if not isinstance(value, dict) or not isinstance(value.get("traj"), list):
            return None
        if "task_id" not in value or "reward" not in value:
            return None
        return Recognition(0.95, "has task_id, reward and traj")

    def samples(self, record: Record, report: ImportReport) -> Iterator[Sample]:
        run = record.value
        if not isinstance(run, dict) or not isinstance(run.get("traj"), list):
            raise SourceError("is no tau-bench run: it has no list of messages under traj")
        info = read_object(run.get("info"), "info")
        task = read_object(info.get("task"), "info.task")
        if not task:
            report.warn("NO_REFERENCE", record.place, "info.task is missing, so nothing is known to be right")
        trace = Trace(run["traj"])
        check_conversation(trace, record.place, report)
        output, origin = final_output(trace)
        instruction, reward = task.get("instruction"), _reward(run.get("reward"))
        yield Sample(
            id=f"task-{json_text(run['task_id'])}" if "task_id" in run else "",
            output=output,
            trace=trace,
            reference=_reference(task) if task else None,
            input=None if instruction is None else json_text(instruction),
            metadata=_metadata(run, info, task),
            trial=read_trial(run.get("trial")),
            origin=origin,
            scores=() if reward is None else (ExternalScore("reward", reward, "tau-bench"),),
            place=record.place,
        )


def _reward(value: Any) -> float | bool | None:
    if isinstance(value, bool) or value is None:
        return value
    if not isinstance(value, int | float):
        raise SourceError(f"reward is {kind_of(value)}, and must be a number")
    try:
        return float(value)
    except OverflowError:
        raise SourceError("reward is a number that is too large") from None


def _reference(task: dict[str, Any]) -> dict[str, Any]:
    actions = enumerate(read_list(task.get("actions"), "info.task.actions"))
    expected = [_expected_call(action, f"info.task.actions[{place}]") for place, action in actions]
    names = [{"name": call["name"]} for call in expected]
    outputs = read_list(task.get("outputs"), "info.task.outputs")
    return {"expected_tools": expected, "expected_names": names, "outputs": outputs}


def _expected_call(action: Any, path: str) -> dict[str, Any]:
    fields = read_object(action, path)
    name = fields.get("name")
    if not isinstance(name, str):
        raise SourceError(f"{path}.name is {kind_of(name)}, and must be text")
    return {"name": name, "arguments": read_object(fields.get("kwargs"), f"{path}.kwargs")}


def _metadata(run: dict[str, Any], info: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
    """What is known of a run; without a reward's working the run was stopped at the step limit."""
    known: dict[str, Any] = {key: value for key, value in run.items() if key not in _KNOWN}
    known |= {key: value for key, value in info.items() if key != "task"}
    known["user_id"] = task.get("user_id")
    known["reward"] = run.get("reward")
    known["status"] = "limit" if info.get("reward_info") is None else "completed"
    return known
