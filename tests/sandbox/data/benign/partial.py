from functools import partial, cmp_to_key
def score(output, trace, reference_data):
    return [partial(int, base=2)('101'), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a))]
