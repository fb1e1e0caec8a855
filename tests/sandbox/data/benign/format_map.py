def score(output, trace, reference_data):
    return '{a}-{b[k]}'.format_map({'a': 1, 'b': {'k': output[:2]}})
