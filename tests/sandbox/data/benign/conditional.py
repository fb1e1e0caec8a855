def score(output, trace, reference_data):
    return ('long' if len(output) > 10 else 'short') + ('!' * 2)
