class A:
    pass
def score(output, trace, reference_data):
    a = A()
    a.n = 1
    a.n += 2
    d = {'k': [1]}
    d['k'] += [2]
    d['k'][0] *= 5
    x = 3
    x **= 2
    return [a.n, d, x]
