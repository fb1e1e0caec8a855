from collections.abc import Mapping, Sequence
def score(output, trace, reference_data):
    return [isinstance(trace, Sequence), isinstance({}, Mapping)]
