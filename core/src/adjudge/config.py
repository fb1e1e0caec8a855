"""The strict base of everything that people write in a suite file."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

Item = TypeVar("Item")
Listed = Annotated[tuple[Item, ...], Field(strict=False)]
"""A list in a suite file, kept as a tuple; its items are read as strictly as everything else."""


class ConfigModel(BaseModel):
    """A frozen model that refuses unknown keys and values of the wrong JSON type.

    null for an optional key means that the key is left out.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, validate_default=False, allow_inf_nan=False
    )

    @model_validator(mode="before")
    @classmethod
    def _drop_null(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        fields = cls.model_fields
        return {
            key: value
            for key, value in data.items()
            if value is not None or key not in fields or fields[key].is_required()
        }
