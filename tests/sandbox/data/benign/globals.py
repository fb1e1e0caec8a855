N = 0
def up():
    global N
    N += 1
    return N
def score(output, trace, reference_data):
    return [up(), up(), N]
