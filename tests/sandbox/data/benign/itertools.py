import itertools as it
def score(output, trace, reference_data):
    return [list(g) for _, g in it.groupby(output[:9], str.isalpha)]
