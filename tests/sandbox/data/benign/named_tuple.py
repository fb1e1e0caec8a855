from collections import namedtuple
from typing import NamedTuple
P = namedtuple('P', 'x y', defaults=[2])
class Q(NamedTuple):
    a: int
    b: str = 'z'
    def both(self):
        return f'{self.a}{self.b}'
def score(output, trace, reference_data):
    p = P(len(output))
    return [p.x, p._asdict(), list(p._replace(x=1)), P._fields, Q(1).both(), list(Q(1, 'y'))]
