def score(output, trace, reference_data):
    return sorted(output.split(), key=lambda w: (-len(w), w))
