import math
def score(output, trace, reference_data):
    return [math.sqrt(len(output)), math.floor(2.5), math.comb(5, 2)]
