def score(output, trace, reference_data):
    out = []
    for f in (lambda: 1 / 0, lambda: [][1], lambda: {}['a'], lambda: int('x'), lambda: None.x):
        try:
            f()
        except BaseException as e:
            out.append([type(e).__name__, str(e)])
    return out
