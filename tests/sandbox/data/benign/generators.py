def g(n):
    got = yield n
    while got:
        got = yield got * 2
    return 'end'
def h(n):
    r = yield from g(n)
    yield r
def score(output, trace, reference_data):
    k = h(1)
    return [next(k), k.send(4), k.send(5), k.send(0)]
