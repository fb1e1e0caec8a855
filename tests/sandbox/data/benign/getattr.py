class B:
    pass
def score(output, trace, reference_data):
    b = B()
    for k in 'ab':
        setattr(b, k, k * 2)
    setattr(b, '_p', 1)
    delattr(b, 'a')
    return [getattr(b, 'b'), hasattr(b, 'a'), getattr(b, 'z', 9), b._p, hasattr(b, '__len__')]
