import random
def score(output, trace, reference_data):
    random.seed(5)
    r = random.Random(3)
    return [random.random(), random.choice('abc'), r.randint(1, 9), random.sample(range(9), 3)]
