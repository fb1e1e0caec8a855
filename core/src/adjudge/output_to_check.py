"""Output to check: which part of a sample a judge looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Tag

from adjudge.bounded.allowance import Allowance
from adjudge.bounded.process import RanAway
from adjudge.config import ConfigModel
from adjudge.jsonvalue import json_text
from adjudge.judges import Needs
from adjudge.judgment import Decided, Evidence, Judgment
from adjudge.sample import Sample
from adjudge.texts.quoting import quote

if TYPE_CHECKING:
    from adjudge.expression import Expression


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


def _no_bare_expression(value: Any) -> Any:
    if isinstance(value, str) and any(sign in value for sign in "|.[({ "):
        raise ValueError(f"an expression is written as {{ jinja = {json_text([value])[1:-1]} }}")
    return value


_Word = Annotated[Literal["final_message", "entire_trace"], BeforeValidator(_no_bare_expression)]

OutputToCheck = Annotated[
    Annotated[_Word, Tag("word")] | Annotated[JinjaOutput, Tag("jinja")],
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
        self._trace = choice == "entire_trace"
        self.subject = "the trace" if self._trace else "the output"
        self._whole = Evidence("trace" if self._trace else "output")
        if isinstance(choice, JinjaOutput):
            from adjudge.expression import SECONDS, compile_expression

            self._expression = compile_expression(choice.jinja)
            self._allowance = Allowance(SECONDS)
            self.subject = f"what {quote(choice.jinja, 60)} gives"
            self._whole = Evidence(self._expression.root)

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
            Decided: with a fail, when the output lacks what was to be checked; with an error, when
                telling took too much time or memory.
        """
        if self._expression is not None:
            return self._evaluated(self._expression, sample)
        if self._trace:
            return sample.trace.data if sample.trace is not None else []
        if sample.output is None:
            raise Decided(Judgment.failed("there is no final output to check", self._whole))
        return sample.output

    def text(self, sample: Sample) -> str:
        """The value to look at as its JSON text (see `value`)."""
        return json_text(self.value(sample))

    def _evaluated(self, expression: Expression, sample: Sample) -> Any:
        from adjudge.expression import Nothing

        try:
            return expression.value(sample, self._allowance)
        except Nothing as nothing:
            why = f"the expression {expression.source!r} finds nothing to check: {nothing}"
            raise Decided(Judgment.failed(why, self._whole)) from None
        except RanAway as ran_away:
            why = f"the expression {expression.source!r} was {ran_away}"
            raise Decided(Judgment.error(ran_away.code, why, self._whole)) from None

    def evidence(self, sample: Sample, start: int | None = None, end: int | None = None) -> Evidence:
        """Point at the value, or at a span of its text.

        Args:
            sample: the sample that was read.
            start: first character of the span in the value's JSON text.
            end: the character after it.
        """
        if self._expression is None:
            return self._whole if start is None else Evidence(self._whole.path, start, end)
        if not self._expression.follows:
            return self._whole
        path, exact = self._expression.place(sample)
        return Evidence(path, start, end) if exact else Evidence(path)
