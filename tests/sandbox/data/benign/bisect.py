import bisect
def score(output, trace, reference_data):
    return bisect.bisect([1, 5, 9], len(output))
