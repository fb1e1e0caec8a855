from dataclasses import dataclass, field, asdict
from typing import ClassVar
@dataclass(order=True)
class P:
    kind: ClassVar[str] = 'p'
    x: int
    _y: float = 0.5
    z: list = field(default_factory=list)
def score(output, trace, reference_data):
    p = P(len(output), z=[1])
    return [p.x, p._y, p.z, P.kind, P(1) < P(2), P(3) == P(3)]
