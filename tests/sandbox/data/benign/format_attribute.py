def score(output, trace, reference_data):
    return '{0.real} {0.imag}'.format(2 + 3j)
