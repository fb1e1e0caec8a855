def score(output, trace, reference_data):
    return '{} {:>4} {}'.format(output[:3], 7, None)
