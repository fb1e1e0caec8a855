class P:
    def __init__(self, x):
        self.x = x
def score(output, trace, reference_data):
    out = []
    for v in [*trace, 3, [1, 2, 3], P(4), 'abc', None]:
        match v:
            case {'role': 'user' | 'tool' as r, **_rest}:
                out.append(r)
            case {'role': r}:
                out.append('m' + r)
            case int(n) if n > 2:
                out.append(n)
            case [first, *others]:
                out.append(others)
            case P(x=y):
                out.append(y)
            case None:
                out.append('none')
            case _:
                out.append('other')
    return out
