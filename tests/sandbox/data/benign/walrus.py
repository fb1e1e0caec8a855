def score(output, trace, reference_data):
    return [y for w in output.split() if (y := len(w)) > 2]
