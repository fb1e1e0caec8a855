class A:
    count = 0
    def __init__(self, x):
        self._x = x
        A.count += 1
    def __repr__(self):
        return f'A({self._x})'
    def __eq__(self, o):
        return self._x == o._x
    @property
    def x(self):
        return self._x
    @staticmethod
    def s():
        return 's'
    @classmethod
    def c(cls):
        return cls.__name__
def score(output, trace, reference_data):
    a = A(output[:2])
    return [repr(a), a == A(output[:2]), a.x, A.s(), A.c(), A.count, a.__class__.__name__, type(a) is A]
