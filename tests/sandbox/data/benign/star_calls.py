def f(*a, k=0, **r):
    return [a, k, r]
def score(output, trace, reference_data):
    return f(*[1, 2], **{'k': 3, 'z': output[:1]})
