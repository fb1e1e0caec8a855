import copy
def score(output, trace, reference_data):
    x = copy.deepcopy(trace)
    x[0]['role'] = 'y'
    return [trace[0]['role'], x[0]['role']]
