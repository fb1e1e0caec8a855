from collections import Counter
def score(output, trace, reference_data):
    return dict(Counter(output.lower().split()).most_common(3))
