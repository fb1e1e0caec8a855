def score(output, trace, reference_data):
    return '{0:>5}|{1!r}|{x:.2f}|{y[0]}|{}'.replace('{}', '').format(len(output), 'q', x=1.5, y=[7])
