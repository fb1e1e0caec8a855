import functools
def twice(f):
    @functools.wraps(f)
    def inner(*a):
        return f(f(*a))
    return inner
@twice
def add(x):
    return x + 1
def score(output, trace, reference_data):
    return add(1)
