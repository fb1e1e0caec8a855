"""What a code judge is configured with, and what makes its code a program for the sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from adjudge import JudgeConfig, Listed
from adjudge_sandbox import Diagnostic, IsolationError, Limits, Program, SandboxError
from pydantic import Field, ValidationInfo, model_validator

from adjudge_code.pool import shared_pool

PARAMETERS = ("output", "trace", "reference_data", "task_input")
_MIB = 1 << 20


class CodeConfig(JudgeConfig):
    """A `score()` function of one's own.

    Args:
        code: Python source with `score` at its top level; it takes, by name, any of `output`,
            `trace`, `reference_data`, `task_input`.
        code_file: a file with the source, relative to the suite, instead of `code`.
        timeout: seconds that one sample may take, 0.05 to 300; a sample over its time is an error.
        memory: MiB that the code may use beyond what an idle worker has.
        tools: names of the host calls that it may make, as `llm`.
        isolation: `strict` refuses to run where this machine can't lock the code in well enough;
            `allow_degraded` runs it anyhow, and each judgment tells how well it was isolated.
    """

    code: str
    timeout: Annotated[float, Field(ge=0.05, le=300)] = 10.0
    memory: Annotated[int, Field(ge=16, le=4096)] = 256
    tools: Listed[str] = ()
    isolation: Literal["strict", "allow_degraded"] = "strict"

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, dict) or data.get("code_file") is None:
            return data
        if data.get("code") is not None:
            raise ValueError("give `code` or `code_file`, not both")
        if not isinstance(data["code_file"], str):
            raise ValueError("code_file must be text: a path relative to the suite")
        path = Path((info.context or {}).get("folder", "")) / data["code_file"]
        try:
            source = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as problem:
            raise ValueError(f"code_file {str(path)!r} can't be read: {problem}") from None
        return {**{key: value for key, value in data.items() if key != "code_file"}, "code": source}

    @model_validator(mode="after")
    def _loads(self) -> CodeConfig:
        try:
            found = shared_pool(self.isolation).check(self.program)
        except (IsolationError, SandboxError) as problem:
            raise ValueError(f"code can't be run here: {problem}; see `adjudge sandbox doctor`") from None
        if found:
            raise ValueError("the code is refused: " + "; ".join(map(_told, found)))
        return self

    @property
    def program(self) -> Program:
        """The code as a program for the sandbox."""
        return Program(
            source=self.code,
            function="score",
            parameters=PARAMETERS,
            needs=("output", "trace"),
            tools=self.tools,
            limits=Limits(timeout=self.timeout, memory=self.memory * _MIB),
        )


def _told(diagnostic: Diagnostic) -> str:
    place = f"line {diagnostic.line}" if diagnostic.line else "the source"
    column = f", column {diagnostic.column}" if diagnostic.column else ""
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    return f"{place}{column}: {diagnostic.message}{hint} [{diagnostic.rule}]"
