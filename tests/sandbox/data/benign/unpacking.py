def score(output, trace, reference_data):
    (a, b), *c = [(1, 2), 3, 4]
    d, e = e, d = 1, 2
    *f, g = output[:3] or 'xy'
    return [a, b, c, d, e, f, g]
