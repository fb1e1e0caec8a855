"""Results of tau-bench: a list of runs, each with its task, its conversation and its reward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from adjudge.errors import SourceError
from adjudge.importers.chat import check_conversation, final_output
from adjudge.importers.interface import Importer, ImportReport, Recognition, Record
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
        info = _object(run.get("info"))
        task = _object(info.get("task"))
        if not task:
            report.warn("NO_REFERENCE", record.place, "info.task is missing, so nothing is known to be right")
        trace = Trace(run["traj"])
        check_conversation(trace, record.place, report)
        output, origin = final_output(trace)
        trial, reward = run.get("trial"), run.get("reward")
        yield Sample(
            id=f"task-{run['task_id']}" if "task_id" in run else "",
            output=output,
            trace=trace,
            reference=_reference(task) if task else None,
            input=task.get("instruction"),
            metadata=_metadata(run, info, task),
            trial=trial if isinstance(trial, int) else None,
            origin=origin,
            scores=() if reward is None else (ExternalScore("reward", reward, "tau-bench"),),
            place=record.place,
        )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _reference(task: dict[str, Any]) -> dict[str, Any]:
    actions = [_object(action) for action in task.get("actions") or ()]
    expected = [{"name": action.get("name"), "arguments": action.get("kwargs")} for action in actions]
    names = [{"name": call["name"]} for call in expected]
    return {"expected_tools": expected, "expected_names": names, "outputs": task.get("outputs", [])}


def _metadata(run: dict[str, Any], info: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
    """What is known of a run; without a reward's working the run was stopped at the step limit."""
    known: dict[str, Any] = {key: value for key, value in run.items() if key not in _KNOWN}
    known |= {key: value for key, value in info.items() if key != "task"}
    known["user_id"] = task.get("user_id")
    known["reward"] = run.get("reward")
    known["status"] = "limit" if info.get("reward_info") is None else "completed"
    return known
