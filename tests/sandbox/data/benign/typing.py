from __future__ import annotations
from typing import Any, Optional, Union, TypeVar
T = TypeVar('T')
Num = Union[int, float]
Maybe = Optional[Num]
def f(x: Maybe, *, y: 'list[Any]' = None) -> int | None:
    z: int = 3
    w: str
    return z
def score(output, trace, reference_data):
    return f(1)
