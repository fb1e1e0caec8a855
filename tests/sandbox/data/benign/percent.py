def score(output, trace, reference_data):
    return '%-5s|%05.1f|%x' % (output[:3], 2.25, 255)
