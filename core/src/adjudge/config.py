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
        fields = {field.alias or name: field for name, field in cls.model_fields.items()}
        return {
            key: value
            for key, value in data.items()
            if value is not None or key not in fields or fields[key].is_required()
        }


def require_one(model: ConfigModel, *keys: str) -> None:
    """Check that exactly one of several keys is given.

    Args:
        model: the configuration, of which every one of these fields is None where it is left out.
        keys: the keys as they are written in a suite file, in their field names or aliases.

    Raises:
        ValueError: none of them is given, or more than one.
    """
    names = {field.alias or name: name for name, field in type(model).model_fields.items()}
    given = [key for key in keys if getattr(model, names[key]) is not None]
    if len(given) != 1:
        raise ValueError(f"give {' or '.join(keys)}, exactly one of them: {_how_many(given)}")


def _how_many(given: list[str]) -> str:
    return f"{' and '.join(given)} are given" if given else "none is given"
