"""The native format: one sample a line, as adjudge writes it and as people make it by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from adjudge.errors import SourceError
from adjudge.importers.fields import LEAST_TRIAL, MOST_TRIAL, kind_of, read_trial
from adjudge.importers.interface import Importer, ImportReport, Recognition, Record
from adjudge.jsonvalue import json_text
from adjudge.sample import ExternalScore, OutputOrigin, Place, Sample, resolve_output
from adjudge.trace import Trace

FIELDS = ("id", "input", "output", "trace", "reference", "metadata", "trial", "origin", "scores")
"""The keys of a native sample."""

_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "id": ((str, int, float), "text or a number"),
    "trace": ((list,), "a list of messages"),
    "metadata": ((dict,), "an object"),
    "origin": ((str,), "text"),
    "scores": ((list,), "a list of scores"),
}
_WITHOUT_TEXT = (OutputOrigin.NONE, OutputOrigin.MISSING)


class _Score(ExternalScore, frozen=True, forbid_unknown_fields=True):
    """A score as it must be written."""


class _Line(Struct, forbid_unknown_fields=True, gc=False):
    """A line that is in order, as the fast reader takes it; the trace stays text."""

    id: str | int | None = None
    input: Any = None
    output: Any = UNSET
    trace: Raw | UnsetType = UNSET
    reference: Any = None
    metadata: dict[str, Any] | None = None
    trial: Annotated[int, Meta(ge=LEAST_TRIAL, le=MOST_TRIAL)] | None = None
    origin: OutputOrigin | None = None
    scores: list[_Score] = []


_decode_line = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode


class NativeImporter(Importer):
    """Reads native samples; lines in order are read without decoding their traces."""

    name: ClassVar[str] = "native"
    title: ClassVar[str] = "adjudge's own samples: id, input, output, trace, reference, metadata"

    def __init__(self) -> None:
        self._told: set[str] = set()

    @classmethod
    def recognise(cls, value: Any) -> Recognition | None:
        if not isinstance(value, dict) or not ("output" in value or isinstance(value.get("trace"), list)):
            return None
        if _is_list_of_typed(value.get("output")):
            return None
        known = [key for key in value if key in FIELDS]
        return Recognition(0.95 * len(known) / len(value), f"has the keys {', '.join(known)}")

    def samples(self, record: Record, report: ImportReport) -> Iterator[Sample]:
        if record.raw is not None:
            sample = _fast_sample(record.raw, record.place)
            if sample is not None:
                yield sample
                return
        yield self._sample(record, report)

    def _sample(self, record: Record, report: ImportReport) -> Sample:
        """Read a record key by key, naming everything that is wrong with it."""
        value = record.value
        if not isinstance(value, dict):
            raise SourceError(f"is {kind_of(value)}, where a native sample is an object")
        self._tell_unknown(value, record.place, report)
        fields = {
            key: value[key] for key in FIELDS if key in value and (value[key] is not None or key == "output")
        }
        problems = list(_wrong_types(fields))
        if problems:
            raise SourceError("; ".join(problems))
        trace = Trace(fields["trace"]) if "trace" in fields else None
        output, origin = _output(fields, trace)
        return Sample(
            id=json_text(fields.get("id", "")),
            output=output,
            trace=trace,
            reference=fields.get("reference"),
            input=json_text(fields["input"]) if "input" in fields else None,
            metadata=fields.get("metadata", {}),
            trial=fields.get("trial"),
            origin=origin,
            scores=tuple(map(_score, fields.get("scores", ()))),
            place=record.place,
        )

    def _tell_unknown(self, value: dict[str, Any], place: Place, report: ImportReport) -> None:
        for key in value.keys() - set(FIELDS) - self._told:
            self._told.add(key)
            detail = f"key {key!r} is none of a native sample and is left out, here and in later samples"
            report.warn("UNKNOWN_KEY", place, f"{detail}; what is to be kept belongs into metadata")


def native_line(sample: Sample) -> bytes:
    """Write a sample as a line of the native format, so that reading it gives an equal sample.

    Args:
        sample: any sample; its place is not written.

    Returns:
        One JSON object, without a line feed.
    """
    expected_origin = OutputOrigin.NONE if sample.output is None else OutputOrigin.GIVEN
    optional = {
        "input": sample.input,
        "trace": Raw(sample.trace.json) if sample.trace is not None else None,
        "reference": sample.reference,
        "metadata": sample.metadata or None,
        "trial": sample.trial,
        "origin": sample.origin if sample.origin is not expected_origin else None,
        "scores": sample.scores or None,
    }
    given = {key: value for key, value in optional.items() if value is not None}
    return _encode({"id": sample.id, "output": sample.output, **given})


def _fast_sample(line: bytes, place: Place) -> Sample | None:
    """The sample of a line that is in order; None for a line that needs a closer look."""
    try:
        if not line.isascii():
            line.decode()  # the reader leaves the encoding of a trace unchecked
        fields = _decode_line(line)
        if fields.output is UNSET and fields.trace is UNSET:
            return None
        trace = _fast_trace(fields.trace)
        output, origin = fields.output, OutputOrigin.GIVEN
        if not isinstance(output, str) or fields.origin is not None:
            said = {"output": output, "origin": fields.origin or UNSET}
            output, origin = _output({key: it for key, it in said.items() if it is not UNSET}, trace)
        return Sample(
            id="" if fields.id is None else json_text(fields.id),
            output=output,
            trace=trace,
            reference=fields.reference,
            input=None if fields.input is None else json_text(fields.input),
            metadata=fields.metadata or {},
            trial=fields.trial,
            origin=origin,
            scores=tuple(map(_plain_score, fields.scores)),
            place=place,
        )
    except (ValueError, RecursionError, SourceError):
        return None


def _fast_trace(text: Raw | UnsetType) -> Trace | None:
    if text is UNSET:
        return None
    trace = bytes(text)
    if not trace.startswith(b"["):
        raise ValueError("no list")
    return Trace.from_json(trace)


def _wrong_types(fields: dict[str, Any]) -> Iterator[str]:
    if "output" not in fields and "trace" not in fields:
        yield "has neither output nor trace, so there is nothing to judge"
    for key, (types, wanted) in _KINDS.items():
        value = fields.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, types)):
            yield f"{key} is {kind_of(value)}, and must be {wanted}"
    try:
        read_trial(fields.get("trial"))
    except SourceError as error:
        yield str(error)
    origin = fields.get("origin")
    if isinstance(origin, str) and origin not in list(OutputOrigin):
        yield f"origin is {origin!r}, and must be one of {', '.join(OutputOrigin)}"


def _output(fields: dict[str, Any], trace: Trace | None) -> tuple[str | None, OutputOrigin]:
    """The output, and where it comes from as far as the sample's own word fits the output."""
    output, origin = resolve_output(fields, trace)
    said = OutputOrigin(fields.get("origin", origin))
    if fields.get("output") is None and said in _WITHOUT_TEXT:
        return None, said
    if (output is None) != (said in _WITHOUT_TEXT):
        raise SourceError(f"origin is {said.value!r}, and that does not go with the output")
    return output, said


def _score(value: Any) -> ExternalScore:
    try:
        return _plain_score(msgspec.convert(value, _Score))
    except msgspec.ValidationError as error:
        raise SourceError(f"scores hold a value that is no score: {error}") from None


def _plain_score(read: _Score) -> ExternalScore:
    return ExternalScore(read.name, read.value, read.source, read.comment)


def _is_list_of_typed(output: Any) -> bool:
    """Whether an output is a list of items with a type, as other formats than this one have it."""
    return (
        isinstance(output, list) and bool(output) and all(isinstance(i, dict) and "type" in i for i in output)
    )
