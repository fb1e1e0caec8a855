def score(output, trace, reference_data):
    w = 12
    return f'{output[:4]!r:>{w}}|{len(output)=}|{1.5:08.3f}'
