def score(output, trace, reference_data):
    return None
