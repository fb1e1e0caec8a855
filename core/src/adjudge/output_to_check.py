"""Output to check: which part of a sample a judge looks at."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Tag

from adjudge.bounded.process import RanAway
from adjudge.config import ConfigModel
from adjudge.jsonvalue import json_text
from adjudge.judges import Needs
from adjudge.judgment import Decided, Evidence, Judgment
from adjudge.sample import Sample
from adjudge.texts.quoting import quote


def _compiles(source: str) -> str:
    from adjudge.expression import compile_expression

    compile_expression(source)
    return source


class JinjaOutput(ConfigModel):
    """What comes out of a Jinja expression.

    Args:
        jinja: an expression over `final_message`, `trace`, `task_input` and `reference_data`, with
            the filter `fromjson` beside Jinja's own.
    """

    jinja: Annotated[str, AfterValidator(_compiles)]


OutputToCheck = Annotated[
    Annotated[Literal["final_message", "entire_trace"], Tag("word")] | Annotated[JinjaOutput, Tag("jinja")],
    Discriminator(lambda value: "jinja" if isinstance(value, dict | JinjaOutput) else "word"),
]
"""The key `output_to_check` of a judge's configuration."""


class CheckedOutput:
    """Reads the part of a sample that a judge looks at.

    Args:
        choice: the judge's `output_to_check`.

    Attributes:
        subject: what is looked at, as reasons name it.
    """

    def __init__(self, choice: Literal["final_message", "entire_trace"] | JinjaOutput) -> None:
        self._expression = None
        self.subject = "the trace" if choice == "entire_trace" else "the output"
        if isinstance(choice, JinjaOutput):
            from adjudge.expression import compile_expression

            self._expression = compile_expression(choice.jinja)
            self.subject = f"what {quote(choice.jinja, 60)} gives"
        self._trace = choice == "entire_trace"

    @property
    def needs(self) -> Needs:
        """What a sample must have for anything to be read."""
        if self._expression is not None:
            reads = self._expression.reads
            return Needs(output="final_message" in reads, trace="trace" in reads)
        return Needs(output=not self._trace, trace=self._trace)

    def value(self, sample: Sample) -> Any:
        """The value to look at.

        Args:
            sample: it has what `needs` asks for.

        Returns:
            A JSON-like value, never None.

        Raises:
            Decided: with a fail, when the output lacks what was to be checked.
        """
        if self._expression is not None:
            return self._evaluated(sample)
        if self._trace:
            return sample.trace.data if sample.trace is not None else []
        if sample.output is None:
            raise Decided(Judgment.failed("there is no final output to check", Evidence("output")))
        return sample.output

    def text(self, sample: Sample) -> str:
        """The value to look at as its JSON text (see `value`)."""
        return json_text(self.value(sample))

    def _evaluated(self, sample: Sample) -> Any:
        from adjudge.expression import Nothing

        assert self._expression is not None
        try:
            return self._expression.value(sample)
        except Nothing as nothing:
            why = f"the expression {self._expression.source!r} finds nothing to check: {nothing}"
        except RanAway:
            why = f"the expression {self._expression.source!r} was stopped: it took too much time or memory"
        raise Decided(Judgment.failed(why, Evidence(self._expression.root)))

    def evidence(self, sample: Sample, start: int | None = None, end: int | None = None) -> Evidence:
        """Point at the value, or at a span of its text.

        Args:
            sample: the sample that was read.
            start: first character of the span in the value's JSON text.
            end: the character after it.
        """
        if self._expression is None:
            return Evidence("trace" if self._trace else "output", start, end)
        path, exact = self._expression.place(sample)
        return Evidence(path, start, end) if exact else Evidence(path)
