from collections import deque, defaultdict, OrderedDict, ChainMap
def score(output, trace, reference_data):
    d = deque([1, 2, 3], maxlen=3)
    d.rotate(1)
    q = defaultdict(list)
    q['a'].append(1)
    return [list(d), q, OrderedDict(b=1), dict(ChainMap({'a': 1}, {'b': 2}))]
