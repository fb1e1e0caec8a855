def score(output, trace, reference_data):
    x = list(output[:9])
    x[1:3] = ['Q']
    del x[:1]
    return [''.join(x), output[::-2], output[-3:]]
