from operator import itemgetter
def score(output, trace, reference_data):
    return [itemgetter('role')(m) for m in trace]
